import { readFilters } from './filters.ts';
import { textFlag } from './values.ts';

/** The options of `signals export`. */
export function readExport(
  raw: { since?: string; outcomes: boolean },
  [directory = '']: readonly string[],
  now: number,
) {
  return {
    directory: textFlag('The directory', directory),
    since: readFilters({ ...(raw.since === undefined ? {} : { since: raw.since }) }, now).since,
    outcomes: raw.outcomes,
  };
}
