/** What of a history is not as usual. Pure; of each kind the most striking first. */
import type { Screeners } from '../../api/contract/resources.ts';
import { groupBy } from '../../outcomes/group.ts';
import { cardsPerDay, RATE_DAYS } from '../../outcomes/rate.ts';
import type { Row } from '../../outcomes/row.ts';
import type { Today } from '../../output/views/today.ts';
import { distanceInWords, durationInWords } from '../../runtime/durations.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import { countSince, usualPerDay } from './summary.ts';

/** A daily export that is later than that was missed. */
const STALE_AFTER = 26 * HOUR;

/** An active screener without a card for so long is silent; so is one of which so many cards should have come. */
export const SILENT_AFTER = 14 * DAY;
const SILENT_CARDS = 8;

/** A symbol far above its habit: this many cards at least, and this many times its usual day. */
const BURST_CARDS = 5;
const BURST_TIMES = 4;
const MOST_BURSTS = 2;

type Unusual = Today['unusual'][number];

/** Epoch milliseconds UTC; `until`: when the history ends. */
type Times = { readonly now: number; readonly until: number };

/**
 * @param cards of the last `RATE_DAYS + 1` days
 * @param screeners the settings as last seen; undefined where they never were
 */
export function unusual(
  cards: readonly Row[],
  today: Pick<Today, 'history' | 'credits' | 'cards'>,
  screeners: Screeners | undefined,
  { now, until }: Times,
): Unusual[] {
  return [
    ...staleExport(today, now),
    ...shortCredits(today),
    ...fewOrMany(today),
    ...silentTypes(cards, screeners, { now, until }),
    ...bursts(cards, until),
  ];
}

function staleExport({ history }: Pick<Today, 'history'>, now: number): Unusual[] {
  const updated = Date.parse(history.updated_at ?? '');
  if (now - updated <= STALE_AFTER) return [];
  const since = Number.isNaN(updated)
    ? 'No export has succeeded yet'
    : `The last successful export was ${distanceInWords(updated, now)}`;
  return [{ kind: 'export', message: `${since}: \`screener today --refresh\` updates the history.` }];
}

function shortCredits({ credits }: Pick<Today, 'credits'>): Unusual[] {
  if (credits === null || credits.last) return [];
  const left = `At the rate of the latest days the ${credits.remaining} credits left do not last until the reset`;
  return [{ kind: 'credits', message: `${left}; \`screener access\` says more.` }];
}

function fewOrMany({ cards: { last_24h, usual_range: range } }: Pick<Today, 'cards'>): Unusual[] {
  if (range === null || (last_24h >= range.low && last_24h <= range.high)) return [];
  const few = `${last_24h < range.low ? 'Few' : 'Many'}: ${pluralize(last_24h, 'card')} in 24 h`;
  const usual = `95 % of the days before had ${Math.ceil(range.low)} to ${Math.floor(range.high)}`;
  return [{ kind: 'cards', message: `${few}; ${usual}.` }];
}

/** Types that used to speak, and active screeners without a card. */
function silentTypes(cards: readonly Row[], screeners: Screeners | undefined, { now, until }: Times): Unusual[] {
  const items = screeners?.items ?? [];
  const byType = groupBy(cards, ({ type }) => type);
  return [...new Set([...byType.keys(), ...items.map(({ type }) => type)])].flatMap((type) => {
    const settings = items.filter((item) => item.type === type);
    const isActive = settings.some(({ active }) => active);
    if (settings.length > 0 && !isActive) return [];
    const own = byType.get(type) ?? [];
    const last = own.length === 0 ? undefined : Math.max(...own.map(({ at }) => at));
    const silence = until - (last ?? now - (RATE_DAYS + 1) * DAY);
    const isSilent = isActive && silence > SILENT_AFTER;
    const expected = last === undefined ? 0 : (cardsPerDay(own, last) * silence) / DAY;
    if (!isSilent && expected < SILENT_CARDS) return [];
    const isUnheard = last === undefined && silence >= RATE_DAYS * DAY;
    const since = isUnheard ? 'no card in the last four weeks' : `no card for ${durationInWords(silence)}`;
    const though = isSilent ? ', though it is switched on' : '';
    return [{ kind: 'screener' as const, message: `${type}: ${since}${though}.` }];
  });
}

function bursts(cards: readonly Row[], until: number): Unusual[] {
  return [...groupBy(cards, ({ symbol }) => symbol)]
    .map(([symbol, own]) => ({ symbol, today: countSince(own, until), usual: usualPerDay(own, until) }))
    .filter(({ today, usual }) => today >= BURST_CARDS && today >= BURST_TIMES * usual)
    .sort((a, b) => b.today - a.today)
    .slice(0, MOST_BURSTS)
    .map(({ symbol, today, usual }) => ({
      kind: 'symbol',
      message: `${symbol}: ${today} cards in 24 h (usual: ${usual.toFixed(1)} a day).`,
    }));
}
