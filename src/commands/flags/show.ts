import { readFrom } from './filters.ts';

/** The options of `signals show`: ids as given, and the history to read instead of asking the service. */
export function readShow(raw: { from?: string }, ids: readonly string[]) {
  return { ids, from: readFrom(raw) };
}
