/** Surveys the stored cards: which outcomes can be bought now, which later, and how many are bought. Says in which order they are bought. */
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { hashOfId } from '../../base/id-hash.ts';
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import { cardsPerDay } from '../../outcomes/rate.ts';
import { CARDS_BEFORE_MEDIANS, STATS_WINDOW } from '../../outcomes/service-answers.ts';
import { readScreenersLog } from '../store/answers.ts';
import { monthOf } from '../store/layout.ts';
import {
  type DetailRequests,
  dueAfter,
  type ExportManifest,
  isGone,
  knownUntil,
} from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import { inUseSince } from '../store/settings-periods.ts';
import { isAwaiting, retryTimeOfCard, wasBoughtAfter24Hours } from './apply-journal.ts';
import { COUNTED_DAYS, isSurveyed } from './surveyed-months.ts';
import type { WorkingHistory } from './working-history.ts';

/** A card whose outcome can be bought now. */
export interface BuyableCard extends KnownCard {
  /** The requests for its detail so far. */
  readonly requests: DetailRequests;
  /** Whether its outcome was bought before, after its 24 hours were over, and had no figure then. */
  readonly isRepeatPurchase: boolean;
}

/** Outcomes of all cards of the history. The due ones are `bought`, `to_buy` or `gone`; `pending` is a part of `bought`. */
export interface OutcomeCounts {
  /** Outcomes that are due, bought or not: 24 hours and a margin have passed since the card (`dueAfter`). */
  readonly due: number;
  readonly bought: number;
  /** Outcomes that are bought, but had no figure yet: they are asked for again later, in the order of `inBuyingOrder`. */
  readonly pending: number;
  /** Outcomes that are due, and were never bought. */
  readonly to_buy: number;
  /** Outcomes that are not due yet. */
  readonly not_due: number;
  /** Cards that the service no longer has, and whose outcome was not bought. */
  readonly gone: number;
}

/** Due outcomes of a group of cards, and how many of these outcomes were bought. */
interface BoughtCount {
  readonly due: number;
  readonly bought: number;
}

/** How many due outcomes of the newest cards were bought: in all, by type and by UTC day. */
export interface BoughtOutcomes extends BoughtCount {
  /** How many days' cards are counted, back from the survey. */
  readonly days: number;
  readonly by_type: Readonly<Record<string, BoughtCount>>;
  readonly by_day: Readonly<Record<string, BoughtCount>>;
}

/** What there is to buy. Times in epoch milliseconds UTC. */
export interface Survey {
  /** When the survey was made. */
  readonly now: number;
  /** The cards whose outcomes can be bought now, in no particular order. */
  readonly buyable: readonly BuyableCard[];
  /** When each of the other outcomes can be bought: when it is due, or when its wait after the last request ends. */
  readonly buyableLater: readonly number[];
  readonly counts: OutcomeCounts;
  /** New cards a day, at the present rate. */
  readonly cardsPerDay: number;
  /** How many cards of the last 30 days have a due outcome, by type. */
  readonly dueByType: ReadonlyMap<string, number>;
  /** When medians are first asked for. */
  readonly mediansFrom: number;
  readonly boughtOfDue: BoughtOutcomes;
}

/** The requests for a card that was never asked for. */
const NEVER: DetailRequests = { times: 0, at: '1970-01-01T00:00:00Z', failed: 0, not_found: false };

/**
 * The requests for a card's detail. If a card was bought, but the manifest has no request for it, one request is assumed, at the
 * end of the card's 24 hours.
 */
function requestsOf(
  { id, at, isBought }: KnownCard,
  asked: ExportManifest['asked'],
): DetailRequests {
  const requests = asked[id];
  if (requests !== undefined) return requests;
  if (!isBought) return NEVER;
  return { ...NEVER, times: 1, at: formatApiTime(at + OUTCOME_MILLIS) };
}

/** When a card may be asked for again, epoch milliseconds UTC; Infinity if it is not asked for again. */
function mayAskFrom(requests: DetailRequests): number {
  // Nearly all cards were never asked for. To parse the time of `NEVER` for each of them would take longer than all else.
  return requests === NEVER ? 0 : retryTimeOfCard(requests);
}

/** A card with its requests. Each field is named, because to spread each of the many cards took half of the time of a survey. */
function buyableCard(
  { id, at, type, isBought, isSettled, line }: KnownCard,
  requests: DetailRequests,
): BuyableCard {
  return {
    id,
    at,
    type,
    isBought,
    isSettled,
    line,
    requests,
    isRepeatPurchase: wasBoughtAfter24Hours(requests),
  };
}

/** Surveys the cards. Reads only the months of `isSurveyed`. @throws ScreenerError storage */
export async function surveyCards(history: WorkingHistory, now: number): Promise<Survey> {
  const { directory, months, manifest } = history;
  const delay = dueAfter(manifest.lateness);
  const dueUntil = now - delay;
  const countedSince = now - COUNTED_DAYS * DAY;
  for (const [month, counts] of Object.entries(manifest.months)) {
    if (isSurveyed(month, counts, now)) await months.open(month);
  }
  const readCards = months.cards;
  const buyable: BuyableCard[] = [];
  const buyableLater: number[] = [];
  for (const card of readCards) {
    if (!isAwaiting(card, manifest)) continue;
    const requests = requestsOf(card, manifest.asked);
    const buyableAt = Math.max(card.at + delay, mayAskFrom(requests));
    if (buyableAt <= now) buyable.push(buyableCard(card, requests));
    else if (buyableAt < Number.POSITIVE_INFINITY) buyableLater.push(buyableAt);
  }
  const screenersLog = await readScreenersLog(directory, now);
  const inUseSinceByType = inUseSince(screenersLog, now);
  const dueCards = readCards.filter(({ at }) => at <= dueUntil);
  const countedCards = dueCards.filter(
    ({ id, at }) => at >= countedSince && !isGone(manifest.asked[id]),
  );
  return {
    now,
    buyable,
    buyableLater,
    counts: countOutcomes(history, readCards, now),
    cardsPerDay: rateOf(readCards, knownUntil(manifest, now), inUseSinceByType),
    dueByType: countByType(dueCards.filter(({ at }) => at > now - STATS_WINDOW)),
    mediansFrom: firstMediansAt(readCards, manifest, now),
    boughtOfDue: countBought(countedCards),
  };
}

function countByType(cards: readonly KnownCard[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [type, cardsOfType] of groupBy(cards, (card) => card.type)) {
    counts.set(type, cardsOfType.length);
  }
  return counts;
}

/**
 * When the cards go back 15 days, epoch milliseconds UTC. 0 if the history has a month that is older than these days: then
 * medians may be asked for at once.
 */
function firstMediansAt(
  readCards: readonly KnownCard[],
  { months }: ExportManifest,
  now: number,
): number {
  const neededMonth = monthOf(now - CARDS_BEFORE_MEDIANS);
  if (Object.keys(months).some((month) => month < neededMonth)) return 0;
  const oldestCardAt = readCards.reduce((oldest, { at }) => Math.min(oldest, at), now);
  return oldestCardAt + CARDS_BEFORE_MEDIANS;
}

/** New cards a day: the sum of the rates of all types. The rate of a type is counted since its present settings are in use. */
function rateOf(
  readCards: readonly KnownCard[],
  until: number,
  inUseSinceByType: ReadonlyMap<string, number>,
): number {
  const firstCardAt = readCards.reduce((oldest, { at }) => Math.min(oldest, at), until);
  let sum = 0;
  for (const [type, cards] of groupBy(readCards, (card) => card.type)) {
    const inUseSinceOfType = inUseSinceByType.get(type) ?? firstCardAt;
    // On the first day after a change, too few cards are of the new settings: the earlier cards count, too.
    const isFirstDayOfSettings = until - inUseSinceOfType < DAY;
    const since = isFirstDayOfSettings ? firstCardAt : Math.max(firstCardAt, inUseSinceOfType);
    sum += cardsPerDay(cards, until, { since });
  }
  return sum;
}

/** Counts the outcomes of all cards. The months with outcomes that await a purchase must have been read. */
function countOutcomes(
  { months, manifest }: WorkingHistory,
  readCards: readonly KnownCard[],
  now: number,
): OutcomeCounts {
  const { asked, lateness } = manifest;
  const dueUntil = now - dueAfter(lateness);
  const dueCards = readCards.filter(({ at }) => at <= dueUntil);
  // A month whose file is missing is opened, too, but without a card. It counts as not read.
  const filesWithCards = months.opened.filter(({ cards }) => cards.size > 0);
  const readMonths = new Set(filesWithCards.map(({ month }) => month));
  let due = dueCards.length;
  for (const [month, { cards: countOfCards }] of Object.entries(manifest.months)) {
    // All outcomes of a month that was not read are due: the manifest has their number.
    if (!readMonths.has(month)) due += countOfCards;
  }
  const to_buy = dueCards.filter(({ id, isBought }) => !isBought && !isGone(asked[id])).length;
  // Gone cards are counted in `asked`, which has cards of all months. `dueCards` lacks the months that were not read.
  const isGoneUnbought = (requests: DetailRequests) =>
    isGone(requests) && !wasBoughtAfter24Hours(requests);
  const gone = Object.values(asked).filter(isGoneUnbought).length;
  const pending = dueCards.filter((card) => card.isBought && isAwaiting(card, manifest)).length;
  return {
    due,
    bought: due - to_buy - gone,
    pending,
    to_buy,
    not_due: readCards.length - dueCards.length,
    gone,
  };
}

/** The name of a type or a day, with its cards. */
type NamedCards = readonly [name: string, cards: readonly KnownCard[]];

/** @param dueCards the cards whose outcomes are due */
function countBought(dueCards: readonly KnownCard[]): BoughtOutcomes {
  const count = (cards: readonly KnownCard[]) => ({
    due: cards.length,
    bought: cards.filter(({ isBought }) => isBought).length,
  });
  const countEach = (groups: readonly NamedCards[]) => {
    const sorted = groups.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, cards]) => [name, count(cards)]));
  };
  const byType = [...groupBy(dueCards, ({ type }) => type)];
  // The cards are grouped by the number of their day, so that the date is written once, and not for each card.
  const byDayNumber = [...groupBy(dueCards, ({ at }) => dayNumber(at))];
  const byDay = byDayNumber.map(([day, cards]): NamedCards => [utcDay(day * DAY), cards]);
  return {
    days: COUNTED_DAYS,
    ...count(dueCards),
    by_type: countEach(byType),
    by_day: countEach(byDay),
  };
}

interface RankedCard {
  readonly card: BuyableCard;
  /** 0 for a card that is bought first, 1 for the others. */
  readonly focusRank: number;
  readonly hash: string;
}

/**
 * The order in which outcomes are bought:
 * 1. the cards with the fewest failed requests;
 * 2. among equals, the cards that were not bought before;
 * 3. among equals, the types of --focus;
 * 4. among equals, by a hash of the id. So the bought cards are a random sample, and the same sample on every machine and after
 *    every kill.
 */
export function inBuyingOrder(
  cards: readonly BuyableCard[],
  focus: readonly string[],
): BuyableCard[] {
  const ranked = cards.map(
    (card): RankedCard => ({
      card,
      focusRank: focus.length === 0 || focus.includes(card.type) ? 0 : 1,
      hash: hashOfId(card.id),
    }),
  );
  ranked.sort(
    (a, b) =>
      a.card.requests.failed - b.card.requests.failed ||
      Number(a.card.isRepeatPurchase) - Number(b.card.isRepeatPurchase) ||
      a.focusRank - b.focusRank ||
      (a.hash < b.hash ? -1 : 1),
  );
  return ranked.map(({ card }) => card);
}
