import type { OfHistory } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { run as compare } from './stats-local.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  await compare(invocation, { ...options, by: options.symbol === undefined ? 'symbol' : 'type' });
}
