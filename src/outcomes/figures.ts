/** From cards to figures: `figure-table.ts` says what each is, `screener help figures` how it is made. */
import { HORIZON_NAMES, type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import { clusterDaysOf } from '../statistics/clustered-median.ts';
import { oncePerKey } from '../statistics/clusters.ts';
import { type Estimate, isHeldBack, type Judged, judged, LEAST, leastOf } from '../statistics/verdict.ts';
import { coincidesWith, companyOf } from './company.ts';
import { type Difference, differencesOf, differencesToOthers, hasOthers, symbolsOfBtc } from './differences.ts';
import { eachHorizon, figuresFrom, lazily } from './figure.ts';
import {
  against,
  type Comparison,
  GROUP_TABLE,
  type GroupData,
  HORIZON_TABLE,
  type HorizonData,
} from './figure-table.ts';
import { groupBy, groupRows, HAS_OTHERS, KEYS } from './group.ts';
import { lastSettledDay, pastLooks, sittingsOf, standings } from './past.ts';
import { cardsPerDay, twoDecimals, unevenly } from './rate.ts';
import type { Row } from './row.ts';
import { type ClusterDays, type Series, sampleOf, seriesOf, sinceThenOf } from './sample.ts';
import type { ServiceAnswer } from './service-answers.ts';
import { ifNarrower, type ServiceEstimate, serviceEstimates } from './service-medians.ts';
import type { GroupBy } from './types.ts';

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
  readonly answers?: readonly ServiceAnswer[] | undefined;
  /** Present settings of a type since then, epoch milliseconds UTC: older cards count as others only. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
  /** Whether groups are compared with each other: the others of one symbol are too few. */
  readonly comparesGroups?: boolean | undefined;
  /** Whether to look at the past: which words are kept, and since when. */
  readonly hasPast?: boolean | undefined;
}

/** The groups' differences to BTC or to others. */
interface Compared {
  readonly series: readonly Series[];
  /** Of one group at a time, epoch milliseconds UTC; undefined: now. */
  readonly estimateAt: (
    i: number,
    time: number | undefined,
  ) => { readonly estimate: Estimate; readonly service?: ServiceEstimate | undefined };
  /** When the service was asked. */
  readonly sittings?: readonly number[];
}

/** Groups in the order of `groupRows`. @param cards in any order */
export function figuresOf(cards: readonly Row[], question: FiguresQuestion): Comparison {
  const {
    by,
    now,
    until = now,
    minSample = 0,
    least = LEAST,
    answers = [],
    hasPast = true,
    comparesGroups = true,
  } = question;
  const { horizon: main = MAIN_HORIZON, settingsSince } = question;
  const rows = cards.toSorted((one, other) => one.at - other.at);
  const first = rows[0]?.at ?? until;
  const ofBtc = symbolsOfBtc(rows);
  const grouped: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const keyOf = by === undefined ? () => null : KEYS[by];
  const sinceOf = (group: string | null) =>
    (by === 'type' ? settingsSince?.get(group ?? '') : undefined) ?? Number.NEGATIVE_INFINITY;
  const isPresent = (card: Row) => card.at >= sinceOf(keyOf(card));
  const differences = eachHorizon((name) => differencesOf(rows, name, ofBtc));
  const present = eachHorizon((name) =>
    settingsSince === undefined ? differences[name] : differences[name].filter(({ card }) => isPresent(card)),
  );
  const ofGroup = eachHorizon((name) => groupBy(present[name], ({ card }) => keyOf(card)));
  const whole: Readonly<Record<HorizonName, ClusterDays>> = eachHorizon((name) =>
    lazily<ClusterDays>({
      moves: () =>
        clusterDaysOf(
          all.flatMap(({ of }) => of[name].values.moves),
          name,
        ),
      differences: () => clusterDaysOf(present[name], name),
    }),
  );
  const all = grouped.map(([group, cardsOfGroup]) => {
    const own = cardsOfGroup.filter(isPresent);
    const sample = (name: HorizonName) =>
      sampleOf(own, name, ofBtc, ofGroup[name].get(group) ?? [], by === undefined ? undefined : whole[name]);
    return { group, since: sinceOf(group), rows: own, of: eachHorizon(sample) };
  });
  const shown = all.filter(({ of }) => minSample === 0 || HORIZON_NAMES.some((name) => of[name].size >= minSample));
  const horizons = eachHorizon(horizon);
  const comparison = lazily<Comparison>({
    groups: () =>
      shown.map((one, i) => ({
        group: one.group,
        ...figuresFrom(GROUP_TABLE, groupDataOf(one)),
        horizons: eachHorizon((name) => figuresFrom(HORIZON_TABLE, horizons[name][i] as HorizonData)),
      })),
    comparisons: () =>
      Math.max(
        ...(['vsBtc', 'vsOthers'] as const).map(
          (to) => horizons[main].filter(({ [to]: one }) => one?.adjusted !== undefined).length,
        ),
      ),
    least_percentage_points: () => least,
    groups_left_out: () => all.length - shown.length,
    heldBack: () =>
      shown.flatMap(({ group }, i) => (isHeldBack((horizons[main][i] as HorizonData).shown) ? group : [])),
    uneven: () => (of) => unevenly(shown.flatMap((one) => (of.includes(one.group) ? groupDataOf(one).due : []))),
    company: () => (by === 'type' ? companyOf(rows) : undefined),
    standings: () =>
      shown.map(({ group }, i) => {
        const { shownTo, standings: words } = horizons[main][i] as HorizonData;
        return { group, standings: words.map((one) => ({ ...one, verdict: against(shownTo, one.verdict) })) };
      }),
  });
  return comparison;

  function groupDataOf({ rows: own, since }: (typeof all)[number]): GroupData {
    return {
      rows: own,
      due: own.filter(({ at }) => at + DUE_AFTER <= now),
      since,
      perDay: by === 'month' ? null : twoDecimals(cardsPerDay(own, until, { since: Math.max(since, first) })),
      coincides: comparison.company === undefined ? [] : coincidesWith(own, comparison.company),
    };
  }

  function horizon(name: HorizonName): HorizonData[] {
    const matters = leastOf(name, least);
    const samples = shown.map(({ of }) => of[name]);
    const compared = lazily<{ btc: Compared; others: Compared | undefined }>({
      btc: () => {
        const series = samples.map((one) => one.series.differences);
        return { series, estimateAt: (i, time) => ({ estimate: (series[i] as Series).estimateAt(time) }) };
      },
      others: () => (by !== undefined && comparesGroups && HAS_OTHERS.has(by) ? withOthers(name) : undefined),
    });
    const deciding = (i: number) => (compared.others?.series[i]?.values.length ? compared.others : compared.btc);
    const estimatesAt = (time: number | undefined) => samples.map((_, i) => deciding(i).estimateAt(i, time).estimate);
    const judgedNow = ({ series, estimateAt }: Compared) =>
      judged(
        series.map((_, i) => estimateAt(i, undefined).estimate),
        matters,
      );
    const families = lazily({
      btc: () => judgedNow(compared.btc),
      others: () => compared.others && judgedNow(compared.others),
      shown: () => judged(estimatesAt(undefined), matters),
      standings: () => (name === main ? standings(looks(), now, estimatesAt, matters) : []),
    });
    return samples.map((sample, i) =>
      lazily<HorizonData>({
        sample: () => sample,
        vsBtc: () => families.btc[i] as Judged,
        vsOthers: () => families.others?.[i],
        othersSample: () => compared.others?.series[i]?.values.length,
        service: () => compared.others?.estimateAt(i, undefined).service,
        shown: () => families.shown[i] as Judged,
        shownTo: () => (deciding(i) === compared.others ? 'others' : 'btc'),
        standings: () => families.standings[i] ?? [],
        sinceThen: () => (since) => sinceThenOf(deciding(i).series[i] as Series, since, name),
      }),
    );

    function looks(): number[] {
      if (!hasPast || by === 'month') return [];
      const size = samples.reduce((sum, { values }) => sum + values.differences.length, 0);
      return pastLooks(now, { first, cards: size, sittings: compared.others?.sittings });
    }
  }

  function withOthers(name: HorizonName): Compared {
    const compared = groupBy(differencesToOthers(differences[name], keyOf), ({ card }) => keyOf(card));
    const series = shown.map(({ group, of: { [name]: own } }) => {
      const { differences: ofGroup, missingDifferences: missing } = own.values;
      const isCompared = missing.length > 0 ? hasOthers(differences[name], ofGroup) : () => false;
      return seriesOf(
        (compared.get(group) ?? []).filter(({ card }) => isPresent(card)),
        missing.filter(({ day }) => isCompared(day)),
        name,
      );
    });
    const sittings = by === 'type' ? sittingsOf(answers.map(({ at }) => at)).filter((at) => at <= now) : [];
    const frozen = frozenEstimates(name, sittings);
    const estimateAt = (i: number, time: number | undefined) => {
      const bought = (series[i] as Series).estimateAt(time);
      const service = ifNarrower(frozen(time ?? now)?.get(String(shown[i]?.group)), bought);
      return { service, estimate: service ?? bought };
    };
    return { series, sittings, estimateAt };
  }

  /** Answers and outcomes as known when the service was last asked: between sittings words would flicker. */
  function frozenEstimates(name: HorizonName, sittings: readonly number[]) {
    if (sittings.length === 0) return () => undefined;
    const estimates = serviceEstimates({
      answers,
      rows,
      differences: differences[name],
      horizon: name,
      ofBtc,
      settingsSince,
    });
    const ofSitting = oncePerKey((sitting: number) => {
      const knew = answers.findLast(({ at }) => at <= sitting)?.knew;
      const last = lastSettledDay(sitting, horizonOf(name).millis);
      const isKnown = ({ card, day }: Difference) => (knew === undefined ? day <= last : knew(card.id));
      return estimates(isKnown, sitting);
    });
    return (time: number) => {
      const sitting = sittings.findLast((at) => at <= time);
      return sitting === undefined ? undefined : ofSitting(sitting);
    };
  }
}

/** A day for both horizons, and an hour for the service to settle them. */
const DUE_AFTER = DAY + HOUR;
