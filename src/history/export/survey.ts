import { createHash } from 'node:crypto';
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { DAY, utcDay } from '../../base/units.ts';
import { cardsPerDay } from '../../outcomes/rate.ts';
import { STATS_WINDOW } from '../../outcomes/service-answers.ts';
import { readScreenersLog } from '../store/answers.ts';
import { monthOf } from '../store/layout.ts';
import {
  type Asked,
  dueAfter,
  type ExportManifest,
  isGone,
  knownUntil,
} from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import { presentSettings } from '../store/settings-periods.ts';
import { isAgain, isAwaiting, waitBeforeNext } from './apply-journal.ts';
import type { WorkingHistory } from './working-history.ts';

const SHARE_DAYS = 31;

/** How far back the listed cards go when medians are first asked for, milliseconds. */
const FIRST_SITTING = 15 * DAY;

export interface Due extends KnownCard {
  readonly asked: Asked;
  readonly again: boolean;
}

/** Outcomes of all cards that are listed. */
export interface OutcomeCounts {
  readonly due: number;
  readonly bought: number;
  /** Bought without a figure: asked for again after all others. */
  readonly pending: number;
  readonly to_buy: number;
  readonly not_due: number;
  /** Due, and the service no longer has them. */
  readonly gone: number;
}

interface Share {
  readonly due: number;
  readonly bought: number;
}

/** How many of the outcomes due in the last `days` were bought; by type and by UTC day. */
export interface OutcomeShare extends Share {
  readonly days: number;
  readonly by_type: Readonly<Record<string, Share>>;
  readonly by_day: Readonly<Record<string, Share>>;
}

/** What there is to buy. Times in epoch milliseconds UTC. */
export interface Survey {
  readonly at: number;
  /** Can be bought now. */
  readonly due: readonly Due[];
  /** When others can be. */
  readonly later: readonly number[];
  readonly counts: OutcomeCounts;
  /** At the present rate. */
  readonly cardsPerDay: number;
  /** Outcomes due in the last 30 days. */
  readonly dueByType: ReadonlyMap<string, number>;
  /**
   * When medians are first asked for: the cards listed go back 15 days then, for medians asked for later tell more types
   * apart.
   */
  readonly mediansFrom: number;
  readonly share: OutcomeShare;
}

const NEVER: Asked = { times: 0, at: '1970-01-01T00:00:00Z', failed: 0, not_found: false };

/** What was asked of a card: of one that was bought and is not awaited any more nothing is kept. */
function askedOf({ id, at, isBought }: KnownCard, asked: ExportManifest['asked']): Asked {
  if (asked[id] !== undefined) return asked[id];
  if (!isBought) return NEVER;
  return { ...NEVER, times: 1, at: formatApiTime(at + OUTCOME_MILLIS) };
}

/** Reads only months that can matter. @throws ScreenerError storage */
export async function surveyCards(
  { directory, months, manifest }: WorkingHistory,
  now: number,
): Promise<Survey> {
  const { asked: all, lateness } = manifest;
  const measured = dueAfter(lateness);
  const first = monthOf(now - SHARE_DAYS * DAY);
  for (const [month, { awaiting }] of Object.entries(manifest.months)) {
    if (awaiting > 0 || month >= first) await months.open(month);
  }
  const listed = months.cards;
  const due: Due[] = [];
  const later: number[] = [];
  for (const card of listed.filter((known) => isAwaiting(known, manifest))) {
    const asked = askedOf(card, all);
    const dueAt = Math.max(
      card.at + measured,
      (parseApiTime(asked.at) ?? 0) + waitBeforeNext(asked),
    );
    if (dueAt <= now) due.push({ ...card, asked, again: isAgain(asked, card.at) });
    else if (dueAt < Number.POSITIVE_INFINITY) later.push(dueAt);
  }
  const settings = presentSettings(await readScreenersLog(directory, now), now);
  const measurable = listed.filter(({ at }) => at <= now - measured);
  const isOlder = Object.keys(manifest.months).some(
    (month) => month < monthOf(now - FIRST_SITTING),
  );
  const oldest = listed.reduce((least, { at }) => Math.min(least, at), now);
  const inWindow = measurable.filter(({ at }) => at > now - STATS_WINDOW);
  return {
    at: now,
    due,
    later,
    counts: countOutcomes(listed, manifest, now),
    cardsPerDay: rateOf(listed, knownUntil(manifest, now), settings),
    dueByType: new Map(
      [...groupBy(inWindow, ({ type }) => type)].map(([type, cards]) => [type, cards.length]),
    ),
    mediansFrom: isOlder ? 0 : oldest + FIRST_SITTING,
    share: shareOf(
      measurable.filter(({ id, at }) => at >= now - SHARE_DAYS * DAY && !isGone(all[id])),
    ),
  };
}

/** The sum of the types' rates, each since its settings changed; within a day of that, its earlier cards count, too. */
function rateOf(
  listed: readonly KnownCard[],
  until: number,
  settings: ReadonlyMap<string, number>,
): number {
  const first = listed.reduce((least, { at }) => Math.min(least, at), until);
  return [...groupBy(listed, ({ type }) => type)].reduce((sum, [type, own]) => {
    const since = settings.get(type) ?? first;
    return (
      sum + cardsPerDay(own, until, { since: until - since < DAY ? first : Math.max(first, since) })
    );
  }, 0);
}

/** @param listed cards of every month with an outcome that is not bought: all screens count what is made here */
function countOutcomes(
  listed: readonly KnownCard[],
  manifest: ExportManifest,
  now: number,
): OutcomeCounts {
  const { asked, lateness } = manifest;
  const old = listed.filter(({ at }) => at <= now - dueAfter(lateness));
  const months = new Set(listed.map(({ at }) => monthOf(at)));
  const elsewhere = Object.entries(manifest.months).filter(([month]) => !months.has(month));
  const due = elsewhere.reduce((sum, [, { cards }]) => sum + cards, old.length);
  const to_buy = old.filter(({ id, isBought }) => !isBought && !isGone(asked[id])).length;
  const gone = Object.values(asked).filter((card) => isGone(card) && card.times === 0).length;
  const pending = old.filter((card) => card.isBought && isAwaiting(card, manifest)).length;
  return {
    due,
    bought: due - to_buy - gone,
    pending,
    to_buy,
    not_due: listed.length - old.length,
    gone,
  };
}

function shareOf(due: readonly KnownCard[]): OutcomeShare {
  const count = (cards: readonly KnownCard[]) => ({
    due: cards.length,
    bought: cards.filter(({ isBought }) => isBought).length,
  });
  const by = (keyOf: (card: KnownCard) => string) => {
    const groups = [...groupBy(due, keyOf)].map(([key, cards]) => [key, count(cards)] as const);
    return Object.fromEntries(groups.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    days: SHARE_DAYS,
    ...count(due),
    by_type: by(({ type }) => type),
    by_day: by(({ at }) => utcDay(at)),
  };
}

/** Orders by a hash of the id, so that what is bought is a fair sample, the same after every kill. */
export function inBuyingOrder(due: readonly Due[], focus: readonly string[]): Due[] {
  const hashes = new Map(
    due.map(({ id }) => [id, createHash('sha256').update(String(id)).digest('hex')]),
  );
  const byHash = (a: Due, b: Due) => ((hashes.get(a.id) ?? '') < (hashes.get(b.id) ?? '') ? -1 : 1);
  const isLater = ({ type }: Due) => Number(focus.length > 0 && !focus.includes(type));
  return due.toSorted(
    (a, b) =>
      a.asked.failed - b.asked.failed ||
      Number(a.again) - Number(b.again) ||
      isLater(a) - isLater(b) ||
      byHash(a, b),
  );
}
