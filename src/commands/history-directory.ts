import { defaultHistory } from '../history/default-history.ts';
import type { HistoryChoice } from './flags/history.ts';
import type { Invocation } from './invocation.ts';

/** The directory of the history that was chosen. */
export async function historyDirectory(
  { context }: Pick<Invocation, 'context' | 'globals'>,
  choice: Exclude<HistoryChoice, undefined>,
): Promise<string> {
  return choice === 'default' ? defaultHistory(context) : choice.directory;
}
