import type { Invocation } from './parts/invocation.ts';
import { cardOptions, commandLine } from './parts/next-command.ts';
import type { OfHistory } from './parts/where.ts';
import { run as compare } from './stats-local.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { from, symbol, until } = options;
  const again = commandLine(
    invocation,
    'symbols',
    { '--from': from, ...cardOptions({ until }) },
    symbol,
  );
  await compare(invocation, { ...options, by: symbol === undefined ? 'symbol' : 'type', again });
}
