import { DAY } from './units.ts';
import type { Zone } from './zone.ts';

/**
 * When a day of the zone began.
 * @param date midnight of its date, written as if it were UTC
 * @returns epoch milliseconds UTC; where clocks leave midnight out, the day's first moment
 */
export function dayStart(date: number, zone: Zone): number {
  const found = [date - DAY, date + DAY].map((near) => date - offsetAt(near, zone));
  const exact = found.filter((at) => at + offsetAt(at, zone) === date);
  return exact.length > 0 ? Math.min(...exact) : (found[0] ?? date);
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
