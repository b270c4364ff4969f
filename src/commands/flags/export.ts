import { usageError } from '../../errors.ts';
import { OUTCOME_ORDERS, type OutcomeOrder } from '../../history/outcome-order.ts';
import { HOUR } from '../../runtime/units.ts';
import { durationFlag } from './duration.ts';
import { readFilters } from './filters.ts';
import { directoryFlag } from './history.ts';
import type { Reading } from './reading.ts';

/** A daily cron job may be late by two hours. */
const DEFAULT_MAX_AGE = 26 * HOUR;

interface RawExport {
  since?: string;
  /** false for --no-outcomes. */
  outcomes?: string | false;
  allCredits?: true;
  adopt?: true;
  screeners?: true;
  check?: true;
  maxAge?: string;
}

/** The options of `signals export`. */
export function readExport(raw: RawExport, [directory]: readonly string[], { now, env }: Reading) {
  if (raw.maxAge !== undefined && !raw.check) throw usageError('--max-age belongs to --check.', 'Add --check.');
  return {
    history:
      directory === undefined ? ('default' as const) : { directory: directoryFlag('The directory', directory, env) },
    since: readFilters({ ...(raw.since === undefined ? {} : { since: raw.since }) }, now).since,
    outcomes: readOrder(raw.outcomes),
    allCredits: raw.allCredits === true,
    adopt: raw.adopt === true,
    screeners: raw.screeners === true,
    check: raw.check
      ? { maxAge: raw.maxAge === undefined ? DEFAULT_MAX_AGE : durationFlag('--max-age', raw.maxAge) }
      : undefined,
  };
}

function readOrder(text: string | false | undefined): OutcomeOrder {
  if (text === false) return 'none';
  if (text === undefined) return 'spread';
  const order = OUTCOME_ORDERS.find((name) => name === text);
  if (order === undefined) throw usageError(`--outcomes takes ${OUTCOME_ORDERS.join(', ')}, not '${text}'.`);
  return order;
}
