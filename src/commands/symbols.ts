import type { OfHistory } from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardWords, commandLine, historyWords } from './parts/next-command.ts';
import { run as compare } from './stats-local.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { from, symbol, until } = options;
  const words = [...(from === undefined ? [] : historyWords(options)), ...cardWords({ until })];
  const again = commandLine(invocation, ['symbols'], words, symbol);
  await compare(invocation, { ...options, by: symbol === undefined ? 'symbol' : 'type', again });
}
