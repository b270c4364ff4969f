import { usageError } from '../../errors.ts';
import { expandHome } from '../../runtime/directories.ts';
import { textFlag } from './values.ts';

/** The options that name a local history, as commander reads them. */
export interface RawHistory {
  from?: string;
  local?: true;
}

/** A directory, or the default history; undefined where the service is asked. */
export type HistoryChoice = { readonly directory: string } | 'default' | undefined;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The history that `--from` or `--local` names.
 * @throws ScreenerError usage where both are given, or the directory is empty
 */
export function readHistoryChoice({ from, local }: RawHistory, env: Env): HistoryChoice {
  if (from !== undefined && local) {
    throw usageError('--from and --local exclude each other.', '--local is the default history, --from DIR any other.');
  }
  if (from !== undefined) return { directory: directoryFlag('--from', from, env) };
  return local ? 'default' : undefined;
}

/**
 * A directory or file given to `option`.
 * @throws ScreenerError usage where it is empty
 */
export function directoryFlag(option: string, text: string, env: Env): string {
  return expandHome(textFlag(option, text), env);
}
