/** Time zones: UTC, those that IANA lists, and the machine's own. */
import { DAY } from '../base/units.ts';

export interface Zone {
  /** As it stands beside times: `UTC`, `Europe/Berlin`. */
  readonly name: string;
  /** What the zone's clocks show: `2026-11-20 18:05:00`. @param at epoch milliseconds UTC */
  readonly clock: (at: number) => string;
}

export const UTC: Zone = {
  name: 'UTC',
  clock: (at) => new Date(at).toISOString().replace('T', ' ').slice(0, 19),
};

/** @param name of a zone that IANA lists, or `local` for the machine's own @returns undefined if no zone has this name */
export function zoneNamed(name: string): Zone | undefined {
  try {
    // Swedish writes `2026-11-20 18:05:00`.
    const format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      ...(name === 'local' ? {} : { timeZone: name }),
    });
    const { timeZone }: { timeZone?: string } = format.resolvedOptions();
    // A `TZ` that names no zone, such as `:/etc/localtime`: the clock that Node then shows is UTC.
    const hasNoName = timeZone === undefined || timeZone === 'Etc/Unknown';
    if (timeZone === 'UTC' || hasNoName) return UTC;
    return { name: name === 'local' ? timeZone : name, clock: (at) => format.format(at) };
  } catch {
    return undefined;
  }
}

/**
 * When the zone's clocks show a time.
 * @param shown what the clocks show, in milliseconds as if they were clocks of UTC
 * @returns epoch milliseconds UTC; if the clocks show the time twice, the first of both
 */
export function momentOf(shown: number, zone: Zone): number {
  // Within a day of that time the zone has at most two offsets: one before a change of its clocks, and one after.
  const before = shown - offsetAt(shown - DAY, zone);
  const after = shown - offsetAt(shown + DAY, zone);
  const showing = [before, after].filter((at) => at + offsetAt(at, zone) === shown);
  // The clocks skip some times: for those, the offset before the change is used.
  return showing.length > 0 ? Math.min(...showing) : before;
}

/** The date in the zone: its midnight, written as if it were UTC. @param at epoch milliseconds UTC */
export function dateOf(at: number, zone: Zone): number {
  return Math.floor((at + offsetAt(at, zone)) / DAY) * DAY;
}

/** By how many milliseconds the zone's clocks are ahead of UTC. */
function offsetAt(at: number, zone: Zone): number {
  // Clocks show no fractions of a second.
  const second = Math.floor(at / 1000) * 1000;
  return Date.parse(`${zone.clock(second).replace(' ', 'T')}Z`) - second;
}
