import type { Access, SignalCard, SignalDetail, SignalPage } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import type { SignalsParams } from './params.ts';
import type { Quota } from './quota.ts';
import type { CardKey, World } from './world.ts';

/** `operations` holds names of the sandbox's own: the document shows none. */
export function access(quota: Quota, now: number): Access {
  const { limits } = quota;
  const used = quota.used(now).month;
  const date = new Date(now);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 1)),
    credits: {
      used,
      limit: limits.monthCredits,
      remaining: Math.max(0, limits.monthCredits - used),
      resets_at: formatApiTime(quota.resetsAt(now)),
    },
    operations: ['access', 'market_snapshot', 'screeners', 'signals', 'signal_detail', 'signal_stats'],
    per_minute: limits.perMinute,
  };
}

/**
 * One page of the owner's cards, newest first. The sandbox's own choices, where the document is silent: both ends of
 * the window are inclusive; `until` defaults to now and `since` to 30 days before `until`.
 * @throws InvalidArgument for a cursor of another query
 */
export function signalPage(world: World, params: SignalsParams, now: number): SignalPage {
  const position = params.cursor === undefined ? undefined : decodeCursor(params.cursor, params);
  const window = position ?? windowOf(params, now);
  const matching = matches(world.index(now), params, window, position);
  const keys = matching.slice(0, params.limit);
  const last = keys.at(-1);
  const more = matching.length > params.limit && last !== undefined;
  const { since, until } = window;
  return {
    scope: 'own_recorded_notifications',
    items: keys.map((key) => world.card(key.id, now)).filter((card): card is SignalCard => card !== undefined),
    next_cursor: more ? encodeCursor({ since, until, createdAt: last.createdAt, id: last.id }, params) : null,
    since: formatApiTime(since),
    until: formatApiTime(until),
  };
}

/** @returns undefined alike for an id that does not exist and for one of somebody else: the world holds only the owner's */
export function signalDetail(world: World, id: number, now: number): SignalDetail | undefined {
  return world.detail(id, now);
}

function windowOf(params: SignalsParams, now: number): { since: number; until: number } {
  const until = params.until ?? Math.max(now, params.since ?? now);
  return { since: params.since ?? until - 30 * DAY, until };
}

/** The next cards after `position`, at most one more than the page holds: that one says whether a page follows. */
function matches(
  index: readonly CardKey[],
  params: SignalsParams,
  window: { since: number; until: number },
  position: Position | undefined,
): CardKey[] {
  const found: CardKey[] = [];
  for (const key of index) {
    if (found.length > params.limit) break;
    if (key.createdAt < window.since) break;
    if (key.createdAt > window.until) continue;
    if (params.symbol !== undefined && key.symbol !== params.symbol) continue;
    if (params.type !== undefined && key.type !== params.type) continue;
    if (position !== undefined && !isAfter(key, position)) continue;
    found.push(key);
  }
  return found;
}

const isAfter = (key: CardKey, position: Position): boolean =>
  key.createdAt < position.createdAt || (key.createdAt === position.createdAt && key.id < position.id);
