import { readFilters } from './filters.ts';
import { directoryFlag } from './history.ts';
import type { Reading } from './reading.ts';

/** The options of `signals export`. */
export function readExport(
  raw: { since?: string; outcomes: boolean },
  [directory]: readonly string[],
  { now, env }: Reading,
) {
  return {
    history:
      directory === undefined ? ('default' as const) : { directory: directoryFlag('The directory', directory, env) },
    since: readFilters({ ...(raw.since === undefined ? {} : { since: raw.since }) }, now).since,
    outcomes: raw.outcomes,
  };
}
