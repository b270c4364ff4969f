import type { Outcome, SignalDetail } from '../api/contract/resources.ts';
import { parseApiTime } from '../api/time.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import type { Behaviour } from './behaviour.ts';
import { chance, hash } from './market/noise.ts';
import type { World } from './world.ts';

/**
 * The world as this server recorded it: with other ids, some cards late, outcomes later or missing, as the switches
 * say. Statistics are those of the world itself.
 */
export function recordedWorld(world: World, behaviour: Behaviour): World {
  const { randomIds, lateCards } = behaviour;
  const idOf = randomIds ? scrambled : (id: number) => id;
  const ownId = randomIds ? unscrambled : (id: number) => id;
  const isRecorded = (id: number, createdAt: number, now: number): boolean =>
    lateCards === 0 || now >= createdAt + lateCards || chance(3, id) >= 1 / 3;

  const known = <Card extends { id: number; created_at: string }>(card: Card | undefined, now: number) =>
    card === undefined || !isRecorded(card.id, parseApiTime(card.created_at) ?? 0, now)
      ? undefined
      : { ...card, id: idOf(card.id) };

  return {
    ...world,
    index: (now) =>
      world
        .index(now)
        .filter((key) => isRecorded(key.id, key.createdAt, now))
        .map((key) => ({ ...key, id: idOf(key.id) })),
    card: (id, now) => known(world.card(ownId(id), now), now),
    detail(id, now) {
      const detail = known(world.detail(ownId(id), now), now);
      return detail && { ...detail, outcome: outcomeOf(detail, behaviour, now) };
    },
  };
}

function outcomeOf(detail: SignalDetail, { nullOutcomes, outcomeDelay }: Behaviour, now: number): Outcome | null {
  const { id, outcome } = detail;
  const age = now - (parseApiTime(detail.created_at) ?? 0);
  if (outcome === null || age < nullOutcomes.until || chance(4, id) < nullOutcomes.share) return null;
  if (outcomeDelay === 0 || age >= DAY + outcomeDelay) return outcome;
  const day = { state_24h: 'pending', move_24h_pct: null, btc_move_24h_pct: null };
  const hour = { state_1h: 'pending', move_1h_pct: null, btc_move_1h_pct: null };
  return { ...outcome, ...day, ...(age < HOUR + outcomeDelay ? hour : {}) };
}

const HALF = 2 ** 26;
const ROUNDS = [11, 12, 13, 14];

/** One to one between the numbers below 2^52 (a Feistel network), so that a card is found again by its other id. */
function scrambled(id: number): number {
  let [left, right] = [Math.floor(id / HALF), id % HALF];
  for (const round of ROUNDS) [left, right] = [right, (left ^ hash(round, right)) & (HALF - 1)];
  return left * HALF + right + 1;
}

function unscrambled(id: number): number {
  let [left, right] = [Math.floor((id - 1) / HALF), (id - 1) % HALF];
  for (const round of ROUNDS.toReversed()) [left, right] = [(right ^ hash(round, left)) & (HALF - 1), left];
  return left * HALF + right;
}
