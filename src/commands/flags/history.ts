import { usageError } from '../../errors.ts';
import { givenPath } from '../../runtime/directories.ts';
import type { Reading } from '../invocation.ts';
import { textFlag } from './values.ts';

/** The options that name a local history, as commander reads them. */
export interface RawHistory {
  from?: string;
  local?: true;
}

/** A directory, or the default history; undefined where the service is asked. */
export type HistoryChoice = { readonly directory: string } | 'default' | undefined;

/**
 * The history that `--from` or `--local` names.
 * @throws ScreenerError usage where both are given, or the directory is empty
 */
export function readHistoryChoice({ from, local }: RawHistory, env: Reading['env']): HistoryChoice {
  if (from !== undefined && local) {
    throw usageError('--from and --local exclude each other.', '--local is the default history, --from DIR any other.');
  }
  if (from !== undefined) return { directory: directoryFlag('--from', from, env) };
  return local ? 'default' : undefined;
}

/** The options of a command that has no others. @throws ScreenerError usage */
export function readHistory(
  raw: RawHistory,
  _words: readonly string[],
  { env }: Reading,
): { readonly history: HistoryChoice } {
  return { history: readHistoryChoice(raw, env) };
}

/**
 * A directory or file given to `option`.
 * @throws ScreenerError usage where it is empty
 */
export function directoryFlag(option: string, text: string, env: Reading['env']): string {
  return givenPath(textFlag(option, text), env);
}
