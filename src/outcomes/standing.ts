/** How each group stands: worked out once, and rendered by every screen. */
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { ScreenerItem } from '../api/contract/resources.ts';
import { DAY } from '../runtime/units.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { isHeldBack } from '../statistics/verdict.ts';
import type { GroupFigures, HorizonFigures } from './figure-table.ts';
import { type Comparison, figuresOf } from './figures.ts';
import { type Finding, linesOfTypes } from './findings.ts';
import type { HorizonData } from './horizon.ts';
import { cardsPerDay } from './rate.ts';
import { STATS_WINDOW, sittingFrom } from './service-answers.ts';

/** The first words and dates are those of `HorizonData`. */
export interface Standing extends Pick<HorizonData, 'word' | 'since' | 'wait'> {
  readonly group: string;
  /** Null for a type without cards; `figures` at the horizon asked for. */
  readonly of: GroupFigures | null;
  readonly figures: HorizonFigures | null;
  /** The comparison that decides, and the word of the bought differences to BTC. */
  readonly to: HorizonData['shownTo'];
  readonly vsBtc: HorizonData['wordVsBtc'];
  readonly base: Base;
  /** When its first outcome is due, epoch milliseconds UTC; null if one was at the last export. */
  readonly dueAt: number | null;
  /** Blocks of days that the word rests on; see `isWeak`. */
  readonly clusters: number;
  readonly isHeldBack: boolean;
  /** Whole days without a card though it is switched on; undefined if it is not silent. */
  readonly silentDays: number | undefined;
  /** Cards a day; `before`: until a silent type's last card, else 0. */
  readonly rate: { readonly now: number | null; readonly before: number };
}

export interface Known {
  readonly screeners: readonly ScreenerItem[];
  readonly first: number;
  readonly until: number;
  /** Whether no card is left out: silence can be told of all cards alone. */
  readonly isWhole: boolean;
}

/** In the order of the groups; by type also those that are switched on and have no card, last. */
export function standingsOf(
  comparison: Comparison,
  horizon: HorizonName,
  known: Known,
): Standing[] {
  const isByType = comparison.company !== undefined;
  const standings = standingsAt(comparison, horizon, isByType ? known : undefined);
  const silent = new Set(
    isByType && known.isWhole
      ? known.screeners.flatMap(({ active, type }) => (active ? type : []))
      : [],
  );
  for (const { group } of standings) silent.delete(group);
  const nothing = figuresOf([], { now: known.until });
  return [
    ...standings,
    ...[...silent].flatMap((type) =>
      standingsAt(nothing, horizon, known, type).map((one) => ({
        ...one,
        of: null,
        figures: null,
      })),
    ),
  ];
}

function standingsAt(
  { groups, judged }: Comparison,
  horizon: HorizonName,
  known?: Known,
  type = '',
): Standing[] {
  return judged.map(({ group, rows, last = Number.NEGATIVE_INFINITY, data }, i) => {
    const name = group ?? type;
    const of = groups[i] as GroupFigures;
    const figures = of.horizons[horizon];
    const settled = Date.parse(of.settings_since ?? '') || 0;
    const silentDays = known && silence(name, Math.max(last, settled), known);
    return {
      group: name,
      of,
      figures,
      word: data.word,
      to: data.shownTo,
      vsBtc: data.wordVsBtc,
      since: data.since,
      base: baseOf(data, figures, settled),
      dueAt:
        rows[0] === undefined || of.due > 0 ? null : rows[0].at + horizonOf(MAIN_HORIZON).millis,
      clusters: data.shown.clusters,
      // A word of the notebook may have another reason than today's outcomes.
      isHeldBack:
        isHeldBack(data.shown) && (data.service !== undefined || data.since === undefined),
      wait: data.wait,
      silentDays,
      rate: {
        now: of.cards_per_day,
        before:
          silentDays === undefined
            ? 0
            : cardsPerDay(rows, last, { since: Math.max(settled, known?.first ?? 0) }),
      },
    };
  });
}

/** What the figures of a line rest on: one source for all of them. Percentage points. */
export type Base = ReturnType<typeof baseOf>;

/** @param settled since when the settings hold, epoch milliseconds UTC; 0: always */
function baseOf(data: HorizonData, figures: HorizonFigures, settled: number) {
  const { shown, service, vsOthers, sample, word, nextMedians, now } = data;
  const lastMedians = (nextMedians ?? 0) - STATS_WINDOW;
  const interval = shown.interval(LEVEL);
  return {
    source: service === undefined ? ('bought' as const) : ('service' as const),
    sample: service?.size ?? sample.states.measured,
    vsBtc: service?.vsBtc ?? figures.median_vs_btc_percentage_points,
    // A median without an interval may be of a card or two.
    vsOthers: vsOthers.interval(LEVEL) === null ? null : vsOthers.value,
    /** Of the comparison that decides; `widened` for all groups; null if there is none. */
    median: Number.isNaN(shown.value) ? null : shown.value,
    interval,
    widened: shown.adjusted === undefined ? null : shown.interval(shown.adjusted.level),
    isTested: shown.p !== null,
    /** Days of outcomes that it rests on. */
    span: shown.span,
    /** Whether "no difference" is known by the 90 % interval alone. */
    isWide:
      word === 'none' && interval !== null && Math.max(-interval.low, interval.high) > shown.least,
    /** When the service was asked, and is asked next for medians of present settings, epoch milliseconds UTC. */
    askedAt: service?.askedAt ?? null,
    /** Whether later ones count for nothing: exports have judged since. Sittings may be some days late. */
    isPassedOver:
      service !== undefined && lastMedians > service.askedAt + 5 * DAY && now > lastMedians + DAY,
    nextAt: nextMedians && sittingFrom(nextMedians, settled === 0 ? 0 : settled + STATS_WINDOW),
  };
}

export const SILENT_AFTER = 14 * DAY;

/** The whole days of a silence; the history knows none before its first card. @param last its newest card */
export function silence(
  type: string,
  last: number | undefined,
  { screeners, first, until, isWhole }: Known,
) {
  const isActive = screeners.some((one) => one.type === type && one.active);
  const millis = until - Math.max(last ?? first, first);
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
  return [...linesOfTypes(findings).values()].flatMap((lines) =>
    lines.flatMap(({ verdict, at, settings_since: settings }, i) => {
      const isGiven =
        (verdict === 'above' || verdict === 'below') && lines[i - 1]?.verdict !== verdict;
      if (!isGiven || Date.parse(at) < since) return [];
      const end = lines.slice(i).find((other) => other.verdict !== verdict);
      return end === undefined ? 'stands' : end.settings_since === settings ? 'withdrawn' : 'reset';
    }),
  );
}
