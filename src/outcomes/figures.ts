/**
 * From cards to figures. Pure; `figure-table.ts` says what each figure is, `screener help figures` how it is made.
 */
import { HORIZON_NAMES, type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import type { ClusteredMedian } from './clustered-median.ts';
import { coincidesWith, companyOf } from './company.ts';
import {
  countsByDay,
  type Difference,
  differencesOf,
  differencesToOthers,
  hasOthers,
  symbolsOfBtc,
} from './differences.ts';
import { figuresFrom } from './figure.ts';
import {
  against,
  type Comparison,
  GROUP_TABLE,
  type GroupData,
  HORIZON_TABLE,
  type HorizonData,
} from './figure-table.ts';
import { groupBy, groupRows, HAS_OTHERS, KEYS } from './group.ts';
import { isSaid, lastSettledDay, pastLooks, type Standing, sittingsOf, standings } from './past.ts';
import { cardsPerDay, twoDecimals } from './rate.ts';
import type { Row } from './row.ts';
import { gathered, sampleOf, wholeOf } from './sample.ts';
import { type Series, seriesOf, sinceThenOf } from './series.ts';
import type { ServiceAnswer } from './service-answers.ts';
import { ifNarrower, type ServiceEstimate, serviceEstimates } from './service-medians.ts';
import type { GroupBy } from './types.ts';
import { type Judged, judged, LEAST, leastOf } from './verdict.ts';

export interface FiguresQuestion {
  readonly by?: GroupBy | undefined;
  /** Epoch milliseconds UTC; says which cards are due. */
  readonly now: number;
  /** End of the history, epoch milliseconds UTC; unless given, `now`. */
  readonly until?: number | undefined;
  readonly horizon?: HorizonName | undefined;
  /** Groups with smaller samples at both horizons are left out of the comparisons, too. */
  readonly minSample?: number | undefined;
  /** The smallest difference that matters after 24 h, percentage points. */
  readonly least?: number | undefined;
  /** Used by type only. */
  readonly answers?: readonly ServiceAnswer[] | undefined;
  /** Present settings of a type since then, epoch milliseconds UTC: older cards count as others only. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
  /** Whether to look at the past: which words are kept, and since when. */
  readonly hasPast?: boolean | undefined;
}

/** Groups in the order of `groupRows`. @param cards in any order */
export function figuresOf(cards: readonly Row[], question: FiguresQuestion): Comparison {
  const { by, now, until = now, minSample = 0, least = LEAST, answers = [], hasPast = true } = question;
  const { horizon: main = MAIN_HORIZON, settingsSince } = question;
  const rows = cards.toSorted((one, other) => one.at - other.at);
  const ofBtc = symbolsOfBtc(rows);
  const sinceOf = (group: string | null) =>
    (by === 'type' && group !== null ? settingsSince?.get(group) : undefined) ?? Number.NEGATIVE_INFINITY;
  const grouped: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const all = grouped.map(([group, whole]) => {
    const own = whole.filter(({ at }) => at >= sinceOf(group));
    return { group, rows: own, gathered: lazilyByHorizon((name) => gathered(own, name, ofBtc)) };
  });
  const isLarge = (one: (typeof all)[number]) =>
    minSample === 0 || HORIZON_NAMES.some((name) => one.gathered[name].moves.length >= minSample);
  const shown = all.filter(isLarge);
  const company = by === 'type' ? companyOf(rows) : undefined;
  const first = rows[0]?.at ?? until;
  const horizons = lazilyByHorizon(horizon);
  return {
    groups: shown.map(({ group, rows: own }, i) => ({
      group,
      ...figuresFrom(GROUP_TABLE, groupDataOf(group, own)),
      horizons: lazilyByHorizon((name) => figuresFrom(HORIZON_TABLE, horizons[name].data[i] as HorizonData)),
    })),
    comparisons: Math.max(...familySizes(horizons[main].data)),
    least_percentage_points: least,
    groups_left_out: all.length - shown.length,
    standings: shown.map(({ group }, i) => {
      const { standings: own, data } = horizons[main];
      const to = data[i]?.shown.to ?? 'btc';
      return { group, standings: (own[i] ?? []).map((one) => ({ ...one, verdict: against(to, one.verdict) })) };
    }),
  };

  function groupDataOf(group: string | null, own: readonly Row[]): GroupData {
    const since = sinceOf(group);
    const isDue = ({ at }: Row) => at + DUE_AFTER <= now;
    const bought = own.filter(({ isBought }) => isBought);
    return {
      rows: own.length,
      bought: bought.length,
      due: own.filter(isDue).length,
      boughtOfDue: bought.filter(isDue).length,
      perDay: by === 'month' ? null : twoDecimals(cardsPerDay(own, until, { since: Math.max(since, first) })),
      settingsSince: Number.isFinite(since) ? since : null,
      coincides: company === undefined ? [] : coincidesWith(own, company),
    };
  }

  function horizon(name: HorizonName): { data: HorizonData[]; standings: readonly (readonly Standing[])[] } {
    const whole =
      by === undefined
        ? undefined
        : wholeOf(
            all.map((one) => one.gathered[name]),
            name,
          );
    const toBtc = shown.map(({ gathered: { [name]: own } }) =>
      seriesOf(own.differences, own.missingDifferences, name, whole?.differences),
    );
    const matters = leastOf(name, least);
    const vsBtc = judged(
      toBtc.map((one) => one.estimateAt(undefined)),
      matters,
    );
    const others = withOthers(name);
    const estimates = others === undefined ? [] : others.series.map((_, i) => others.estimateAt(i, undefined));
    const vsOthers = judged(
      estimates.map(({ estimate }) => estimate),
      matters,
    );
    const isWithOthers = toBtc.map((_, i) => vsOthers[i] !== undefined && !Number.isNaN(vsOthers[i].value));
    const estimatesAt = (time: number | undefined) =>
      toBtc.map(
        (one, i) => (isWithOthers[i] ? others?.estimateAt(i, time).estimate : undefined) ?? one.estimateAt(time),
      );
    const hasLooks = hasPast && name === main && by !== 'month';
    const size = shown.reduce((sum, one) => sum + one.gathered[name].differences.length, 0);
    const looks = hasLooks ? pastLooks(now, { first, cards: size, sittings: others?.sittings }) : [];
    const words = name === main ? standings(looks, now, estimatesAt, matters) : [];
    const families = judged(estimatesAt(undefined), matters);
    const data = shown.map(({ gathered: { [name]: own } }, i): HorizonData => {
      const ofOthers = vsOthers[i];
      const series = (isWithOthers[i] ? others?.series[i] : toBtc[i]) as Series;
      const word = words[i]?.at(-1);
      const stands = word !== undefined && isSaid(word.verdict);
      return {
        sample: sampleOf(own, name, toBtc[i]?.median as ClusteredMedian, whole),
        vsBtc: vsBtc[i] as Judged,
        vsOthers:
          ofOthers === undefined
            ? undefined
            : { size: others?.series[i]?.differences.length ?? 0, judged: ofOthers, service: estimates[i]?.service },
        shown: {
          to: isWithOthers[i] ? 'others' : 'btc',
          judged: families[i] as Judged,
          verdict: word?.verdict ?? null,
          since: stands ? word.since : null,
          sinceThen: stands ? sinceThenOf(series, word.since, name) : null,
        },
      };
    });
    return { data, standings: words };
  }

  function withOthers(name: HorizonName) {
    if (by === undefined || !HAS_OTHERS.has(by)) return undefined;
    const keyOf = KEYS[by];
    const differences = differencesOf(rows, name, ofBtc);
    const compared = groupBy(differencesToOthers(differences, keyOf), ({ card }) => keyOf(card));
    const counts = countsByDay(differences);
    const series = shown.map(({ group, gathered: { [name]: own } }) => {
      const present = (compared.get(String(group)) ?? []).filter(({ card }) => card.at >= sinceOf(group));
      if (own.missingDifferences.length === 0) return seriesOf(present, [], name);
      const isCompared = hasOthers(own.differences, counts);
      return seriesOf(
        present,
        own.missingDifferences.filter(({ day }) => isCompared(day)),
        name,
      );
    });
    const sittings = by === 'type' ? sittingsOf(answers.map(({ at }) => at)).filter((at) => at <= now) : [];
    const frozen = frozenEstimates(differences, name, sittings);
    const estimateAt = (i: number, time: number | undefined) => {
      const bought = (series[i] as Series).estimateAt(time);
      const service = ifNarrower(frozen(time ?? now)?.get(String(shown[i]?.group)), bought);
      return { service, estimate: service ?? bought };
    };
    return { series, sittings, estimateAt };
  }

  /** Answers and outcomes as known when the service was last asked: between sittings words would flicker. */
  function frozenEstimates(differences: readonly Difference[], name: HorizonName, sittings: readonly number[]) {
    const known = new Map<number, ReadonlyMap<string, ServiceEstimate>>();
    if (sittings.length === 0) return () => undefined;
    const estimates = serviceEstimates({ answers, rows, horizon: name, ofBtc, settingsSince });
    return (time: number) => {
      const sitting = sittings.findLast((at) => at <= time);
      if (sitting === undefined) return undefined;
      const settled = () => {
        const knew = answers.findLast(({ at }) => at <= sitting)?.knew;
        const last = lastSettledDay(sitting, horizonOf(name).millis);
        return differences.filter(({ card, day }) => (knew === undefined ? day <= last : knew(card.id)));
      };
      const found = known.get(sitting) ?? estimates(settled(), sitting);
      known.set(sitting, found);
      return found;
    };
  }
}

/** Lazy, because most screens show one horizon. */
function lazilyByHorizon<T>(make: (name: HorizonName) => T): Readonly<Record<HorizonName, T>> {
  const of = {};
  for (const name of HORIZON_NAMES) {
    const get = () => {
      const value = make(name);
      Object.defineProperty(of, name, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(of, name, { enumerable: true, configurable: true, get });
  }
  return of as Readonly<Record<HorizonName, T>>;
}

function familySizes(data: readonly HorizonData[]): number[] {
  const tested = (all: readonly (Judged | undefined)[]) => all.filter((one) => one?.adjusted !== undefined).length;
  return [tested(data.map(({ vsBtc }) => vsBtc)), tested(data.map(({ vsOthers }) => vsOthers?.judged))];
}

/** A day for both horizons, and an hour for the service to settle them. */
const DUE_AFTER = DAY + HOUR;
