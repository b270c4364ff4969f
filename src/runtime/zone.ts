import { DAY } from './units.ts';

export interface Zone {
  readonly name: string;
  /** `2026-11-20 18:05:00`. @param at epoch milliseconds UTC */
  readonly clock: (at: number) => string;
}

export const UTC: Zone = {
  name: 'UTC',
  clock: (at) => new Date(at).toISOString().replace('T', ' ').slice(0, 19),
};

/** @param name of IANA, or `local` for the machine's own @returns undefined for a name it does not know */
export function zoneNamed(name: string): Zone | undefined {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      ...(name === 'local' ? {} : { timeZone: name }),
    });
    const { timeZone } = format.resolvedOptions();
    return timeZone === 'UTC'
      ? UTC
      : { name: name === 'local' ? timeZone : name, clock: (at) => format.format(at) };
  } catch {
    return undefined;
  }
}

/** @param shown a time of the zone, as if it were UTC @returns epoch milliseconds UTC: the first of two, if it comes twice */
export function momentOf(shown: number, zone: Zone): number {
  const found = [shown - DAY, shown + DAY].map((near) => shown - offsetAt(near, zone));
  const exact = found.filter((at) => at + offsetAt(at, zone) === shown);
  return exact.length > 0 ? Math.min(...exact) : (found[0] ?? shown);
}

/** The date in the zone: its midnight, written as if it were UTC. @param at epoch milliseconds UTC */
export function dateOf(at: number, zone: Zone): number {
  return Math.floor((at + offsetAt(at, zone)) / DAY) * DAY;
}

/** Milliseconds that the zone's clocks are ahead of UTC. */
function offsetAt(at: number, zone: Zone): number {
  const second = Math.floor(at / 1000) * 1000;
  return Date.parse(`${zone.clock(second).replace(' ', 'T')}Z`) - second;
}
