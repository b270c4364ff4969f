import { createHash } from 'node:crypto';
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { groupBy, oncePerKey } from '../../base/collections.ts';
import { DAY, dayNumber, utcDay } from '../../base/units.ts';
import { cardsPerDay } from '../../outcomes/rate.ts';
import { STATS_WINDOW } from '../../outcomes/service-answers.ts';
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
import { isAgain, isAwaiting, waitBeforeNext } from './apply-journal.ts';
import type { WorkingHistory } from './working-history.ts';

/** The share of bought outcomes is counted over so many days. */
const SHARE_DAYS = 31;

/** Medians are first asked for when the listed cards go back so far. Milliseconds. */
const CARDS_BEFORE_MEDIANS = 15 * DAY;

/** A card whose outcome can be bought now. */
export interface BuyableCard extends KnownCard {
  /** The requests for its detail so far. */
  readonly requests: DetailRequests;
  /** Whether it is bought once more: it was bought before, and had no figure yet. */
  readonly again: boolean;
}

/** Outcomes of all cards that are listed. */
export interface OutcomeCounts {
  /** Outcomes whose 24 hours are over, bought or not. */
  readonly due: number;
  readonly bought: number;
  /** Bought, but the service had no figure yet: they are asked for again, after all others. */
  readonly pending: number;
  readonly to_buy: number;
  readonly not_due: number;
  /** Cards that the service no longer has, and whose outcome was not bought. */
  readonly gone: number;
}

interface Share {
  readonly due: number;
  readonly bought: number;
}

/** How many of the due outcomes of the cards of the last `days` were bought; by type and by UTC day. */
export interface OutcomeShare extends Share {
  readonly days: number;
  readonly by_type: Readonly<Record<string, Share>>;
  readonly by_day: Readonly<Record<string, Share>>;
}

/** What there is to buy. Times in epoch milliseconds UTC. */
export interface Survey {
  /** When the survey was made. */
  readonly at: number;
  /** The cards whose outcomes can be bought now, in the order of the list. */
  readonly buyable: readonly BuyableCard[];
  /** When each of the other outcomes that are to be bought can be bought: not due yet, or asked for too short a time ago. */
  readonly later: readonly number[];
  readonly counts: OutcomeCounts;
  /** New cards a day, at the present rate. */
  readonly cardsPerDay: number;
  /** How many cards of the last 30 days have a due outcome, by type. */
  readonly dueByType: ReadonlyMap<string, number>;
  /**
   * When medians are first asked for: when 15 days of cards are listed. Medians of fewer cards tell fewer types apart.
   */
  readonly mediansFrom: number;
  readonly share: OutcomeShare;
}

/** For a card that was never asked for. */
const NEVER: DetailRequests = { times: 0, at: '1970-01-01T00:00:00Z', failed: 0, not_found: false };

/**
 * The requests for a card's detail. The manifest forgets the requests for a card once its outcome is settled: then one request is
 * assumed.
 */
function requestsOf(
  { id, at, isBought }: KnownCard,
  asked: ExportManifest['asked'],
): DetailRequests {
  if (asked[id] !== undefined) return asked[id];
  if (!isBought) return NEVER;
  return { ...NEVER, times: 1, at: formatApiTime(at + OUTCOME_MILLIS) };
}

/** When a card may be asked for again, epoch milliseconds UTC; Infinity if it is not asked for again. */
function askAgainAt(requests: DetailRequests): number {
  // This holds for nearly all cards. To parse the same time for each of them would take longer than all else.
  if (requests === NEVER) return 0;
  return (parseApiTime(requests.at) ?? 0) + waitBeforeNext(requests);
}

/** Names each field, because a spread for each of so many cards took half of the time of a survey. */
function buyableCard(
  { id, at, type, isBought, isSettled, line }: KnownCard,
  requests: DetailRequests,
): BuyableCard {
  return { id, at, type, isBought, isSettled, line, requests, again: isAgain(requests, at) };
}

/** Surveys the cards. Reads only the months that can matter. @throws ScreenerError storage */
export async function surveyCards(history: WorkingHistory, now: number): Promise<Survey> {
  const { directory, months, manifest } = history;
  const delay = dueAfter(manifest.lateness);
  const dueUntil = now - delay;
  const shareSince = now - SHARE_DAYS * DAY;
  for (const [month, { awaiting }] of Object.entries(manifest.months)) {
    if (awaiting > 0 || month >= monthOf(shareSince)) await months.open(month);
  }
  const listed = months.cards;
  const buyable: BuyableCard[] = [];
  const later: number[] = [];
  for (const card of listed) {
    if (!isAwaiting(card, manifest)) continue;
    const requests = requestsOf(card, manifest.asked);
    const buyableAt = Math.max(card.at + delay, askAgainAt(requests));
    if (buyableAt <= now) buyable.push(buyableCard(card, requests));
    // At Infinity the card is not asked for again.
    else if (buyableAt < Number.POSITIVE_INFINITY) later.push(buyableAt);
  }
  const inUseSinceByType = inUseSince(await readScreenersLog(directory, now), now);
  const dueCards = listed.filter(({ at }) => at <= dueUntil);
  return {
    at: now,
    buyable,
    later,
    counts: countOutcomes(history, listed, now),
    cardsPerDay: rateOf(listed, knownUntil(manifest, now), inUseSinceByType),
    dueByType: countByType(dueCards.filter(({ at }) => at > now - STATS_WINDOW)),
    mediansFrom: firstMediansAt(listed, manifest, now),
    share: shareOf(
      dueCards.filter(({ id, at }) => at >= shareSince && !isGone(manifest.asked[id])),
    ),
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
 * When medians are first asked for, epoch milliseconds UTC. 0, that is long ago, if the history has an older month than is
 * needed.
 */
function firstMediansAt(
  listed: readonly KnownCard[],
  { months }: ExportManifest,
  now: number,
): number {
  const neededMonth = monthOf(now - CARDS_BEFORE_MEDIANS);
  if (Object.keys(months).some((month) => month < neededMonth)) return 0;
  const oldestCardAt = listed.reduce((oldest, { at }) => Math.min(oldest, at), now);
  return oldestCardAt + CARDS_BEFORE_MEDIANS;
}

/** New cards a day: the sum of the rates of all types. Each rate is that since the type's present settings. */
function rateOf(
  listed: readonly KnownCard[],
  until: number,
  inUseSinceByType: ReadonlyMap<string, number>,
): number {
  const firstCardAt = listed.reduce((oldest, { at }) => Math.min(oldest, at), until);
  let sum = 0;
  for (const [type, cards] of groupBy(listed, (card) => card.type)) {
    const inUseSinceOfType = inUseSinceByType.get(type) ?? firstCardAt;
    // On the first day after a change, too few cards are of the new settings. The earlier ones count, too.
    const isNewSetting = until - inUseSinceOfType < DAY;
    const since = isNewSetting ? firstCardAt : Math.max(firstCardAt, inUseSinceOfType);
    sum += cardsPerDay(cards, until, { since });
  }
  return sum;
}

/** Counts outcomes. All months with an outcome that is not bought must be open. */
function countOutcomes(
  { months, manifest }: WorkingHistory,
  listed: readonly KnownCard[],
  now: number,
): OutcomeCounts {
  const { asked, lateness } = manifest;
  const dueUntil = now - dueAfter(lateness);
  const dueCards = listed.filter(({ at }) => at <= dueUntil);
  const filesWithCards = months.opened.filter(({ cards }) => cards.size > 0);
  const openedMonths = new Set(filesWithCards.map(({ month }) => month));
  let due = dueCards.length;
  for (const [month, { cards: countOfCards }] of Object.entries(manifest.months)) {
    // All outcomes of months that are not open are due.
    if (!openedMonths.has(month)) due += countOfCards;
  }
  const to_buy = dueCards.filter(({ id, isBought }) => !isBought && !isGone(asked[id])).length;
  // `asked` is of all months.
  const requestsForCards = Object.values(asked);
  const gone = requestsForCards.filter(
    (requests) => isGone(requests) && requests.times === 0,
  ).length;
  const pending = dueCards.filter((card) => card.isBought && isAwaiting(card, manifest)).length;
  return {
    due,
    // What is due is bought, to be bought, or gone.
    bought: due - to_buy - gone,
    pending,
    to_buy,
    not_due: listed.length - dueCards.length,
    gone,
  };
}

/** @param dueCards the cards whose outcomes are due */
function shareOf(dueCards: readonly KnownCard[]): OutcomeShare {
  const count = (cards: readonly KnownCard[]) => ({
    due: cards.length,
    bought: cards.filter(({ isBought }) => isBought).length,
  });
  const countEach = (groups: readonly (readonly [name: string, cards: readonly KnownCard[]])[]) => {
    const sorted = groups.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, cards]) => [name, count(cards)]));
  };
  const byType = [...groupBy(dueCards, ({ type }) => type)];
  // By number: the name of a day is written once, not for each of its cards.
  const byDay = [...groupBy(dueCards, ({ at }) => dayNumber(at))].map(
    ([day, cards]) => [utcDay(day * DAY), cards] as const,
  );
  return {
    days: SHARE_DAYS,
    ...count(dueCards),
    by_type: countEach(byType),
    by_day: countEach(byDay),
  };
}

/** Kept for each id, because a run orders the same cards several times. */
const hashOf = oncePerKey((id: number) => createHash('sha256').update(String(id)).digest('hex'));

interface RankedCard {
  readonly card: BuyableCard;
  /** 0 for a card that is bought first, 1 for the others. */
  readonly focusRank: number;
  readonly hash: string;
}

/**
 * The order in which outcomes are bought: first the cards with the fewest failures, among these first purchases, among these
 * the types of --focus, among these by a hash of the id. The hash makes what is bought a random sample, which is the same on
 * every machine and after every kill.
 */
export function inBuyingOrder(
  cards: readonly BuyableCard[],
  focus: readonly string[],
): BuyableCard[] {
  const ranked = cards.map(
    (card): RankedCard => ({
      card,
      focusRank: focus.length === 0 || focus.includes(card.type) ? 0 : 1,
      hash: hashOf(card.id),
    }),
  );
  ranked.sort(
    (a, b) =>
      a.card.requests.failed - b.card.requests.failed ||
      Number(a.card.again) - Number(b.card.again) ||
      a.focusRank - b.focusRank ||
      (a.hash < b.hash ? -1 : 1),
  );
  return ranked.map(({ card }) => card);
}
