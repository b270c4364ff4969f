/** Time zones: UTC, those that IANA lists, and the machine's own. */
import { DAY } from '../base/units.ts';

export interface Zone {
  /** The name that tables show: `UTC`, `Europe/Berlin`. */
  readonly name: string;
  /** What the zone's clocks show: `2026-11-20 18:05:00`. @param at epoch milliseconds UTC */
  readonly clock: (at: number) => string;
}

export const UTC: Zone = {
  name: 'UTC',
  clock: (at) => new Date(at).toISOString().replace('T', ' ').slice(0, 19),
};

/**
 * @param name of a zone that IANA lists, or `local` for the machine's own; empty if the user named none
 * @returns undefined if no zone has this name
 */
export function zoneNamed(name: string): Zone | undefined {
  // Most users name no zone, or UTC. That is answered without Intl, which needs a fifth of a command's time to load its data.
  if (name === '') return undefined;
  if (name === 'UTC') return UTC;
  try {
    // Swedish writes `2026-11-20 18:05:00`.
    const format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      ...(name === 'local' ? {} : { timeZone: name }),
    });
    // If `TZ` names no zone (`:/etc/localtime`), Node has no name for it, and shows UTC.
    const { timeZone }: { timeZone?: string } = format.resolvedOptions();
    const hasNoName = timeZone === undefined || timeZone === 'Etc/Unknown';
    if (timeZone === 'UTC' || hasNoName) return UTC;
    return { name: name === 'local' ? timeZone : name, clock: (at) => format.format(at) };
  } catch {
    return undefined;
  }
}

/**
 * When the zone's clocks show a time. 18:05 in Berlin is 17:05 UTC in winter.
 * @param shown for 18:05 in Berlin, the epoch milliseconds of 18:05 UTC: the shown time as if it were UTC
 * @returns epoch milliseconds UTC. If the clocks show the time twice (in autumn), this is the first time.
 */
export function momentOf(shown: number, zone: Zone): number {
  // Within two days the zone's clocks change at most once. So there is one offset before the change, and another one after it.
  const timeByOldOffset = shown - offsetAt(shown - DAY, zone);
  const timeByNewOffset = shown - offsetAt(shown + DAY, zone);
  const possibleTimes = [timeByOldOffset, timeByNewOffset].filter(
    (at) => at + offsetAt(at, zone) === shown,
  );
  // No time is possible if the clocks skip it (in spring): then the offset before the change is used.
  return possibleTimes.length > 0 ? Math.min(...possibleTimes) : timeByOldOffset;
}

/**
 * The date that the zone's calendar shows at a time.
 * @param at epoch milliseconds UTC
 * @returns the midnight, in UTC, of that date: epoch milliseconds
 */
export function dateOf(at: number, zone: Zone): number {
  return Math.floor((at + offsetAt(at, zone)) / DAY) * DAY;
}

/** By how many milliseconds the zone's clocks are ahead of UTC. */
function offsetAt(at: number, zone: Zone): number {
  // Clocks show no fractions of a second.
  const second = Math.floor(at / 1000) * 1000;
  return Date.parse(`${zone.clock(second).replace(' ', 'T')}Z`) - second;
}
