import type { Outcome, SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { HOUR } from '../../runtime/units.ts';
import { cardAt } from './card.ts';
import type { Episode } from './episodes.ts';
import type { Market } from './market.ts';
import { chance, hash } from './noise.ts';
import { price, rounded } from './numbers.ts';

/** The card with what was measured after it and the entry's context, as known at `now`. */
export function detailAt(episode: Episode, btc: Market, now: number): SignalDetail {
  return {
    ...cardAt(episode, now),
    outcome: outcomeAt(episode, btc, now),
    entry_context: contextOf(episode, btc),
    context_scope: 'entry_snapshot',
  };
}

/**
 * The outcome: movements of price from the moment of the card on, never trading profit. Now and then there is none, a
 * horizon is missing, or BTC's movement is: the document allows each. A state goes from `pending` to its final one when
 * the horizon has passed, which is the sandbox's choice: the document shows no transitions.
 */
function outcomeAt(episode: Episode, btc: Market, now: number): Outcome | null {
  const { id, market, createdAt } = episode;
  if (chance(hash(id, 21), 0) < 0.03) return null;
  const hour = horizonAt(episode, btc, HOUR, now);
  const day = horizonAt(episode, btc, 24 * HOUR, now);
  return {
    entry_at: formatApiTime(createdAt),
    entry_price: price(market.price(createdAt)),
    state_1h: hour.state,
    move_1h_pct: hour.move,
    btc_move_1h_pct: hour.btc,
    state_24h: day.state,
    move_24h_pct: day.move,
    btc_move_24h_pct: day.btc,
  };
}

interface Measured {
  readonly state: 'pending' | 'missing' | 'available';
  readonly move: number | null;
  readonly btc: number | null;
}

function horizonAt({ id, market, createdAt }: Episode, btc: Market, horizon: number, now: number): Measured {
  const end = createdAt + horizon;
  if (now < end) return { state: 'pending', move: null, btc: null };
  if (chance(hash(id, 22), horizon) < 0.04) return { state: 'missing', move: null, btc: null };
  const compared = chance(hash(id, 23), horizon) >= 0.02;
  return {
    state: 'available',
    move: rounded(market.move(createdAt, end), 4),
    btc: compared ? rounded(btc.move(createdAt, end), 4) : null,
  };
}

/** Keys are the sandbox's own: the document does not show which are allowed. */
function contextOf({ id, market, createdAt }: Episode, btc: Market): Record<string, number> {
  if (chance(hash(id, 24), 0) < 0.07) return {};
  return {
    price: price(market.price(createdAt)),
    price_change_24h_pct: rounded(market.move(createdAt - 24 * HOUR, createdAt), 2),
    oi_usd: rounded(market.openInterest(createdAt), 0),
    volume_24h_usd: rounded(market.turnover(createdAt), 0),
    funding: rounded(market.funding(createdAt), 6),
    btc_price: rounded(btc.price(createdAt), 1),
  };
}
