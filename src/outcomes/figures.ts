/** From cards to figures: `figure-table.ts` says what each is, `screener help figures` how it is made. */
import { HORIZON_NAMES, type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import type { ClusteredMedian } from './clustered-median.ts';
import { coincidesWith, companyOf } from './company.ts';
import { type Difference, differencesOf, differencesToOthers, hasOthers, symbolsOfBtc } from './differences.ts';
import { eachHorizon, figuresFrom } from './figure.ts';
import {
  against,
  type Comparison,
  GROUP_TABLE,
  type GroupData,
  HORIZON_TABLE,
  type HorizonData,
} from './figure-table.ts';
import { groupBy, groupRows, HAS_OTHERS, KEYS } from './group.ts';
import { lastSettledDay, pastLooks, type Standing, sittingsOf, standings } from './past.ts';
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
  const first = rows[0]?.at ?? until;
  const ofBtc = symbolsOfBtc(rows);
  const grouped: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const keyOf = by === undefined ? () => null : KEYS[by];
  const differences = eachHorizon((name) => differencesOf(rows, name, ofBtc));
  const ofGroup = eachHorizon((name) => groupBy(differences[name], ({ card }) => keyOf(card)));
  const all = grouped.map(([group, whole]) => {
    const since = (by === 'type' ? settingsSince?.get(group ?? '') : undefined) ?? Number.NEGATIVE_INFINITY;
    const present = whole.filter(({ at }) => at >= since);
    return {
      group,
      since,
      rows: present,
      of: eachHorizon((name) => {
        const own = (ofGroup[name].get(group) ?? []).filter(({ card }) => card.at >= since);
        return gathered(present, name, ofBtc, own);
      }),
    };
  });
  const shown = all.filter(({ of }) => minSample === 0 || HORIZON_NAMES.some((name) => of[name].size >= minSample));
  const company = by === 'type' ? companyOf(rows) : undefined;
  const horizons = eachHorizon(horizon);
  const { data, standings: words } = horizons[main];
  return {
    groups: shown.map((one, i) => ({
      group: one.group,
      ...figuresFrom(GROUP_TABLE, groupDataOf(one)),
      horizons: eachHorizon((name) => figuresFrom(HORIZON_TABLE, horizons[name].data[i] as HorizonData)),
    })),
    comparisons: Math.max(
      data.filter(({ vsBtc }) => vsBtc.adjusted !== undefined).length,
      data.filter(({ vsOthers }) => vsOthers?.adjusted !== undefined).length,
    ),
    least_percentage_points: least,
    groups_left_out: all.length - shown.length,
    standings: shown.map(({ group }, i) => {
      const to = data[i]?.shownTo ?? 'btc';
      return { group, standings: (words[i] ?? []).map((one) => ({ ...one, verdict: against(to, one.verdict) })) };
    }),
  };

  function groupDataOf({ rows: own, since }: (typeof all)[number]): GroupData {
    return {
      rows: own,
      bought: own.filter(({ isBought }) => isBought),
      due: own.filter(({ at }) => at + DUE_AFTER <= now),
      since,
      perDay: by === 'month' ? null : twoDecimals(cardsPerDay(own, until, { since: Math.max(since, first) })),
      coincides: company === undefined ? [] : coincidesWith(own, company),
    };
  }

  function horizon(name: HorizonName): { data: HorizonData[]; standings: readonly (readonly Standing[])[] } {
    const matters = leastOf(name, least);
    const ofAll = all.map(({ of }) => of[name]);
    const whole = by === undefined ? undefined : wholeOf(ofAll, name);
    const toBtc = shown.map(({ of: { [name]: own } }) =>
      seriesOf(own.differences, own.missingDifferences, name, whole?.differences),
    );
    const others = by !== undefined && HAS_OTHERS.has(by) ? withOthers(name) : undefined;
    const vsOthers = others?.series.map((_, i) => others.estimateAt(i, undefined));
    const deciding = (i: number) => ((others?.series[i]?.values.length ?? 0) > 0 ? others : undefined);
    const estimatesAt = (time: number | undefined) =>
      toBtc.map((one, i) => deciding(i)?.estimateAt(i, time).estimate ?? one.estimateAt(time));
    const size = shown.reduce((sum, { of }) => sum + of[name].differences.length, 0);
    const hasLooks = hasPast && name === main && by !== 'month';
    const looks = hasLooks ? pastLooks(now, { first, cards: size, sittings: others?.sittings }) : [];
    const words = name === main ? standings(looks, now, estimatesAt, matters) : [];
    const families = {
      btc: judged(
        toBtc.map((one) => one.estimateAt(undefined)),
        matters,
      ),
      others: judged(vsOthers?.map(({ estimate }) => estimate) ?? [], matters),
      shown: judged(estimatesAt(undefined), matters),
    };
    const data = shown.map(
      ({ of }, i): HorizonData => ({
        sample: sampleOf(of[name], name, toBtc[i]?.median as ClusteredMedian, whole),
        vsBtc: families.btc[i] as Judged,
        vsOthers: families.others[i],
        othersSample: others?.series[i]?.values.length,
        service: vsOthers?.[i]?.service,
        shown: families.shown[i] as Judged,
        shownTo: deciding(i) === undefined ? 'btc' : 'others',
        standing: words[i]?.at(-1),
        sinceThen: (since) => sinceThenOf((deciding(i)?.series[i] ?? toBtc[i]) as Series, since, name),
      }),
    );
    return { data, standings: words };
  }

  function withOthers(name: HorizonName) {
    const compared = groupBy(differencesToOthers(differences[name], keyOf), ({ card }) => keyOf(card));
    const comparedDays = hasOthers(differences[name]);
    const series = shown.map(({ group, since, of: { [name]: own } }) => {
      const present = (compared.get(group) ?? []).filter(({ card }) => card.at >= since);
      const isCompared = comparedDays(own.differences);
      return seriesOf(
        present,
        own.missingDifferences.filter(({ day }) => isCompared(day)),
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
    const found = new Map<number, ReadonlyMap<string, ServiceEstimate>>();
    return (time: number) => {
      const sitting = sittings.findLast((at) => at <= time);
      if (sitting === undefined) return undefined;
      const knew = answers.findLast(({ at }) => at <= sitting)?.knew;
      const last = lastSettledDay(sitting, horizonOf(name).millis);
      const isKnown = ({ card, day }: Difference) => (knew === undefined ? day <= last : knew(card.id));
      const ofSitting = found.get(sitting) ?? estimates(isKnown, sitting);
      found.set(sitting, ofSitting);
      return ofSitting;
    };
  }
}

/** A day for both horizons, and an hour for the service to settle them. */
const DUE_AFTER = DAY + HOUR;
