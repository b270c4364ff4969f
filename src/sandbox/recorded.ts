import type { Outcome, SignalDetail } from '../api/contract/resources.ts';
import { parseApiTime } from '../api/time.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import { chance, hash } from './market/noise.ts';
import type { Switches } from './switches.ts';
import type { World } from './world.ts';

/** The world as this server recorded it: with other ids, some cards late, outcomes later or missing, as switches say. */
export function recordedWorld(world: World, switches: Switches): World {
  const { ids, lateCards } = switches;
  const idOf = (id: number): number => (ids === 'random' ? hash(11, id) * 2 ** 20 + (hash(12, id) >>> 12) + 1 : id);
  const isRecorded = (id: number, createdAt: number, now: number): boolean =>
    lateCards === 0 || now >= createdAt + lateCards || chance(3, id) >= 1 / 3;
  return {
    ...world,
    index: (now) =>
      world
        .index(now)
        .filter(({ id, createdAt }) => isRecorded(id, createdAt, now))
        .map((key) => ({ ...key, id: idOf(key.id) })),
    detail(id, now) {
      const own = ids === 'random' ? world.index(now).find((key) => idOf(key.id) === id)?.id : id;
      const detail = own === undefined ? undefined : world.detail(own, now);
      if (detail === undefined || !isRecorded(detail.id, timeOf(detail), now)) return undefined;
      return { ...detail, id, outcome: outcomeOf(detail, switches, now) };
    },
  };
}

const timeOf = ({ created_at }: SignalDetail): number => parseApiTime(created_at) ?? 0;

function outcomeOf(detail: SignalDetail, { nullOutcomes, outcomeDelay }: Switches, now: number): Outcome | null {
  const { id, outcome } = detail;
  const age = now - timeOf(detail);
  if (outcome === null || age < nullOutcomes.until || chance(4, id) < nullOutcomes.share) return null;
  if (outcomeDelay === 0 || age >= DAY + outcomeDelay) return outcome;
  const day = { state_24h: 'pending', move_24h_pct: null, btc_move_24h_pct: null };
  const hour = { state_1h: 'pending', move_1h_pct: null, btc_move_1h_pct: null };
  return { ...outcome, ...day, ...(age < HOUR + outcomeDelay ? hour : {}) };
}
