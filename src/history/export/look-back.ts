/** Looks back: once a UTC day the newest part of the list is read a second time, to find cards that were recorded late. */

import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, MINUTE, utcDay } from '../../base/units.ts';
import { createdAt, monthOf, type StoredCard } from '../store/layout.ts';
import { type ExportManifest, type LookBack, monthsWithMissing } from '../store/manifest.ts';
import type { Months } from '../store/months.ts';
import { ROUNDING, unanswered } from './spans.ts';

/**
 * A look back reads the list again from 12 hours before the last look back on, because cards may be recorded that late.
 * Milliseconds.
 */
const USUAL_OVERLAP = 12 * HOUR;

/** If no late card has come for `QUIET_TIME`, 2 hours are enough. Milliseconds. */
const SHORT_OVERLAP = 2 * HOUR;

/** After this time without a late card, the overlap is short. Milliseconds. */
const QUIET_TIME = 14 * DAY;

/** A look back that is due. */
export interface DueLook {
  /** The list is read again from this time on, epoch milliseconds UTC. */
  readonly since: number;
  /** What the manifest keeps of the look. */
  readonly look: LookBack;
}

/**
 * The look back that is due: there is one each UTC day. An example: after a look on 5 May at 9:00, the next reads the list again
 * from 4 May at 21:00 on.
 * @param before the last look; null before the first one, which begins 12 hours before now
 * @returns undefined if none is due
 */
export function lookBack(before: LookBack | null, now: number): DueLook | undefined {
  const time = formatApiTime(now);
  const look = before ?? { at: time, back: USUAL_OVERLAP, late_at: time, late_by: 0 };
  const lastLook = at(look.at);
  // A time after now comes from a wrong clock, and does not count as a look of today.
  const isOfToday = lastLook <= now && utcDay(lastLook) === utcDay(now);
  if (before !== null && isOfToday) return undefined;
  const isQuiet = now - at(look.late_at) > QUIET_TIME;
  const back = isQuiet ? SHORT_OVERLAP : USUAL_OVERLAP;
  const since = Math.min(lastLook, now) - back;
  return { since, look: { ...look, at: time, back } };
}

/**
 * The look back of a run. It is put off in two cases:
 * - A month file in its range lacks cards. For two UTC days a backup may still bring them. A look would list them at once, and
 *   exports would buy their outcomes a second time.
 * - Lost cards in its range are still to be listed again. A look would take them for late cards.
 *
 * No card is missed, because the later look reaches as far back as this one would.
 * @returns undefined if none is due, or if it is put off
 */
export function lookOfRun(manifest: ExportManifest, now: number): DueLook | undefined {
  const due = lookBack(manifest.look, now);
  if (due === undefined) return undefined;
  const firstMonth = monthOf(due.since);
  const lacksCards = monthsWithMissing(manifest).some(({ month }) => month >= firstMonth);
  const partsToList = unanswered(manifest.lost, manifest);
  const hasLostCardsToList = partsToList.some(({ until }) => at(until) > due.since);
  return lacksCards || hasLostCardsToList ? undefined : due;
}

/** What a look back of a run reads again. Epoch milliseconds UTC. */
export interface LookAgain {
  /** The list is read again from this time on. An older card that is new to the history is not late: it was never listed. */
  readonly since: number;
  /** Until when the list had been read before this run. */
  readonly coveredUntil: number;
}

/** A card counts as late if it was listed more than 10 minutes after its `created_at`. Milliseconds. */
const LATE_AFTER = 10 * MINUTE;

/**
 * The largest lateness among these cards, if a look back found late ones. A late card was recorded after the list had been read
 * until `coveredUntil`, because otherwise the history would have it. The time from its `created_at` to `coveredUntil` is taken
 * for its lateness.
 * @param months the history's cards without these
 * @returns milliseconds; undefined if no card was late
 */
export async function largestLateness(
  items: readonly StoredCard[],
  { since, coveredUntil }: LookAgain,
  months: Months,
): Promise<number | undefined> {
  let largest: number | undefined;
  for (const card of items) {
    const time = createdAt(card);
    const { cards } = await months.open(monthOf(time));
    const lateBy = coveredUntil - time;
    const isLate = lateBy > LATE_AFTER && time >= since - ROUNDING;
    if (isLate && !cards.has(card.id)) largest = Math.max(largest ?? 0, lateBy);
  }
  return largest;
}
