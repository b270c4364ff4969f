/** How each group stands: worked out once, and rendered by every screen. */
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { ScreenerItem } from '../api/contract/resources.ts';
import { DAY } from '../runtime/units.ts';
import { LEVEL } from '../statistics/holm.ts';
import type { Interval, PlainVerdict } from '../statistics/quantile.ts';
import { isHeldBack } from '../statistics/verdict.ts';
import type { Comparison, GroupFigures, HorizonFigures } from './figure-table.ts';
import type { Finding } from './findings.ts';
import type { HorizonData } from './horizon.ts';
import { cardsPerDay } from './rate.ts';
import { STATS_WINDOW, sittingFrom } from './service-answers.ts';

export interface Standing {
  readonly group: string;
  /** Null for a type without cards; `figures` at the horizon asked for. */
  readonly of: GroupFigures | null;
  readonly figures: HorizonFigures | null;
  readonly word: PlainVerdict | null;
  /** The comparison that decides, and the word of the bought differences to BTC. */
  readonly to: 'others' | 'btc';
  readonly vsBtc: PlainVerdict | null;
  /** The first day of the word, epoch milliseconds UTC; undefined of a question of one's own. */
  readonly since: number | undefined;
  readonly base: Base;
  /** When its first outcome is due, epoch milliseconds UTC; null if one was at the last export. */
  readonly dueAt: number | null;
  /** Blocks of days that the word rests on; see `isWeak`. */
  readonly clusters: number;
  readonly isHeldBack: boolean;
  readonly wait: HorizonData['wait'];
  /** Whole days without a card though it is switched on; undefined if it is not silent. */
  readonly silentDays: number | undefined;
  /** Cards a day; `before`: until a silent type's last card, else 0. */
  readonly rate: { readonly now: number | null; readonly before: number };
}

/** What the figures of a line rest on: one source for all of them. Percentage points. */
export interface Base {
  readonly source: 'service' | 'bought';
  readonly sample: number;
  readonly vsBtc: number | null;
  readonly vsOthers: number | null;
  /** The median of the comparison that decides; `widened` for all groups; null if there is none. */
  readonly median: number | null;
  readonly interval: Interval | null;
  readonly widened: Interval | null;
  readonly isTested: boolean;
  /** Whether "no difference" is known by the 90 % interval alone. */
  readonly isWide: boolean;
  /** When the service was asked, and is asked next for medians of present settings, epoch milliseconds UTC. */
  readonly askedAt: number | null;
  readonly nextAt: number | null;
}

export interface Known {
  readonly screeners: readonly ScreenerItem[];
  readonly first: number;
  readonly until: number;
  /** Whether no card is left out: silence can be told of all cards alone. */
  readonly isWhole: boolean;
}

/** In the order of the groups; by type also those that are switched on and have no card, last. */
export function standingsOf(comparison: Comparison, horizon: HorizonName, known: Known): Standing[] {
  const { groups, judged, company } = comparison;
  const ofGroups = judged.map((one, i) => {
    const of = groups[i] as GroupFigures;
    return standingOf(one, of, of.horizons[horizon], company === undefined ? undefined : known);
  });
  const others = company === undefined || !known.isWhole ? [] : known.screeners.filter(({ active }) => active);
  const silent = new Set(others.map(({ type }) => type).filter((type) => groups.every(({ group }) => group !== type)));
  return [...ofGroups, ...[...silent].map((type) => standingWithoutCards(type, known))];
}

function standingOf(
  { group, rows, last, data }: Comparison['judged'][number],
  of: GroupFigures,
  figures: HorizonFigures,
  known: Known | undefined,
): Standing {
  const name = group ?? '';
  const { shown, shownTo: to, service, vsOthers, sample, word } = data;
  const interval = shown.interval(LEVEL);
  const settled = Date.parse(of.settings_since ?? '') || 0;
  const silentDays = known && silence(name, Math.max(last, settled), known);
  return {
    group: name,
    of,
    figures,
    word,
    to,
    vsBtc: data.wordVsBtc,
    since: data.since,
    base: {
      source: service === undefined ? 'bought' : 'service',
      sample: service?.sample ?? sample.size,
      vsBtc: service?.vsBtc ?? figures.median_vs_btc_percentage_points,
      // A median without an interval may be of a card or two.
      vsOthers: vsOthers?.interval(LEVEL) == null ? null : vsOthers.value,
      median: Number.isNaN(shown.value) ? null : shown.value,
      interval,
      widened: shown.adjusted === undefined ? null : shown.interval(shown.adjusted.level),
      isTested: shown.p !== null,
      isWide: word === 'none' && interval !== null && Math.max(-interval.low, interval.high) > shown.least,
      askedAt: service?.askedAt ?? null,
      nextAt: data.nextMedians && sittingFrom(data.nextMedians, settled === 0 ? 0 : settled + STATS_WINDOW),
    },
    dueAt: rows[0] === undefined || of.due > 0 ? null : rows[0].at + horizonOf(MAIN_HORIZON).millis,
    clusters: shown.clusters,
    // A word of the notebook may have another reason than today's outcomes.
    isHeldBack: isHeldBack(shown) && (service !== undefined || data.since === undefined),
    wait: data.wait,
    silentDays,
    rate: {
      now: of.cards_per_day,
      before: silentDays === undefined ? 0 : cardsPerDay(rows, last, { since: Math.max(settled, known?.first ?? 0) }),
    },
  };
}

function standingWithoutCards(type: string, known: Known): Standing {
  const unknown = { vsBtc: null, vsOthers: null, median: null, interval: null, widened: null, askedAt: null };
  const base = { ...unknown, source: 'bought', sample: 0, nextAt: null, isTested: false, isWide: false } as const;
  const nothing = { of: null, figures: null, word: null, vsBtc: null, since: undefined, dueAt: null } as const;
  const silentDays = silence(type, undefined, known);
  const rest = { wait: null, clusters: 0, isHeldBack: false, silentDays, rate: { now: 0, before: 0 } };
  return { ...nothing, ...rest, group: type, to: 'others', base };
}

export const SILENT_AFTER = 14 * DAY;

/** The whole days of a silence; the history knows none before its first card. @param last its newest card */
export function silence(type: string, last: number | undefined, { screeners, first, until, isWhole }: Known) {
  const isActive = screeners.some((one) => one.type === type && one.active);
  const millis = until - (last ?? first);
  return isWhole && isActive && millis > SILENT_AFTER ? Math.floor(millis / DAY) : undefined;
}

export const isClear = ({ word }: Pick<Standing, 'word'>): boolean =>
  word === 'above' || word === 'below' || word === 'none';

const PLACES = { above: 0, none: 1, unclear: 1, below: 2, too_few_days: 3 } as const;

/** Verdicts come before differences: among differences alone chance puts the best on top. */
export function ranked(standings: readonly Standing[]): Standing[] {
  const place = ({ word }: Standing) => (word === null ? 4 : PLACES[word]);
  // A difference that no screen shows decides no order.
  const difference = ({ base }: Standing) =>
    (base.interval === null ? base.vsBtc : base.median) ?? Number.NEGATIVE_INFINITY;
  const order = (a: Standing, b: Standing) =>
    place(a) < 3 ? Math.sign(difference(b) - difference(a)) : a.group.localeCompare(b.group, 'en');
  return [...standings].sort((a, b) => place(a) - place(b) || order(a, b) || 0);
}

/** What became of a verdict above or below; `reset`: the type's settings changed. */
export type Ending = 'stands' | 'reset' | 'withdrawn';

/** What became of each verdict that was given. @param since epoch milliseconds UTC */
export function trackRecord(findings: readonly Finding[], since: number): Ending[] {
  const words = findings.flatMap((one) => (one.about === 'type' ? [one] : []));
  return words.flatMap((one, i) => {
    const { verdict, at, settings_since: settings } = one;
    const isOther = (other: typeof one) => other.type === one.type && other.verdict !== verdict;
    const before = words.slice(0, i).findLast(({ type }) => type === one.type);
    const isGiven = (verdict === 'above' || verdict === 'below') && before?.verdict !== verdict;
    if (!isGiven || Date.parse(at) < since) return [];
    const end = words.slice(i).find(isOther);
    return end === undefined ? 'stands' : end.settings_since === settings ? 'withdrawn' : 'reset';
  });
}
