/** One horizon of all groups: their samples, how they compare with BTC and with each other, and which of it decides. */
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { clusterDaysOf } from '../statistics/clustered-median.ts';
import type { PlainVerdict } from '../statistics/quantile.ts';
import { daysToWord, type Judged, judged, leastOf, verdictOf } from '../statistics/verdict.ts';
import { type Difference, differencesOf, differencesToOthers, hasOthers } from './differences.ts';
import { lazily } from './figure.ts';
import { type Finding, type Found, foundOf, isOfType, lastMedians, type TypeFinding } from './findings.ts';
import { type FiguresQuestion, JUDGED_WINDOW } from './question.ts';
import { groupBy, type Row } from './row.ts';
import { type ClusterDays, type HorizonSample, moveValues, type Series, sampleOf, seriesOf } from './sample.ts';
import { lastSittings, nextSitting, sittingFrom } from './service-answers.ts';
import { ifNarrower, type ServiceEstimate, serviceEstimate, serviceMedians } from './service-medians.ts';

export interface Group {
  readonly group: string | null;
  /** Present settings since then, epoch milliseconds UTC; infinite if they never changed. */
  readonly since: number;
  /** Its cards under them, oldest first. */
  readonly rows: readonly Row[];
  /** Its newest card under any settings, epoch milliseconds UTC. */
  readonly last: number;
}

/** The cards of all groups, those left out of the comparisons, too. */
export interface Grouped {
  readonly rows: readonly Row[];
  readonly ofBtc: ReadonlySet<string>;
  readonly keyOf: (card: Row) => string | null;
  readonly isPresent: (card: Row) => boolean;
  readonly shown: readonly Group[];
}

/** When a word is likely to stand, epoch milliseconds UTC, and what will tell it. */
export interface Wait {
  readonly until: number;
  readonly by: 'medians' | 'outcomes';
}

/** The wait where outcomes come too slowly for the judged days. */
export const NEVER = 'never';

export interface HorizonData {
  readonly sample: HorizonSample;
  readonly vsBtc: Judged;
  readonly vsOthers: Judged | undefined;
  readonly othersSample: number | undefined;
  /** Undefined where what was bought decides. */
  readonly service: ServiceEstimate | undefined;
  readonly shown: Judged;
  readonly shownTo: 'others' | 'btc';
  readonly series: Series;
  readonly word: PlainVerdict | null;
  /** The word of the bought differences to BTC. */
  readonly wordVsBtc: PlainVerdict | null;
  /** The first day of the word, epoch milliseconds UTC; undefined of a question of one's own. */
  readonly since: number | undefined;
  /** Null if the word is not unclear, or nobody knows. */
  readonly wait: Wait | typeof NEVER | null;
  /** When exports ask for its medians next, epoch milliseconds UTC; null: not, as far as is known. */
  readonly nextMedians: number | null;
}

export function compareAt(name: HorizonName, grouped: Grouped, question: FiguresQuestion): HorizonData[] {
  const { by, least, findings, now, comparesGroups = true } = question;
  const { rows, ofBtc, keyOf, isPresent, shown } = grouped;
  const differences = differencesOf(rows, name, ofBtc);
  const present = differences.filter(({ card }) => isPresent(card));
  const ofGroup = groupBy(present, ({ card }) => keyOf(card));
  const whole = by === undefined ? undefined : wholeOf(grouped, present, name);
  const samples = shown.map((one) => sampleOf(one.rows, name, ofBtc, ofGroup.get(one.group) ?? [], whole));
  // A day has several types and symbols, so that each has others.
  const isCompared = (by === 'type' || by === 'symbol') && comparesGroups;
  const others = isCompared ? othersOf(name, grouped, differences, samples) : undefined;
  const isFound = findings !== undefined && name === MAIN_HORIZON && by === 'type';
  const found = shown.map(({ group, since }) => (isFound ? foundOfGroup(findings, group, since) : undefined));
  const medians = by === 'type' ? mediansOf(name, grouped, differences, question) : new Map<string, ServiceEstimate>();
  const toBtc = samples.map(({ series }) => series.differences);
  const services = others?.map(({ estimate }, i) => {
    const service = medians.get(String(shown[i]?.group));
    const source = found[i]?.last.source ?? question.sources?.get(String(shown[i]?.group));
    if (source !== undefined && service !== undefined) return source === 'service' ? service : undefined;
    return ifNarrower(service, estimate);
  });
  const isToOthers = (i: number) => {
    const to = found[i]?.last.to;
    const size = services?.[i] === undefined ? others?.[i]?.values.length : 1;
    return Boolean(size) && (to ?? 'others') === 'others';
  };
  const matters = leastOf(name, least ?? 1);
  const nextOf = sittingsOf(question, rows);
  const ofBtcAlone = toBtc.map(({ estimate }) => estimate);
  const vsBtc = judged(ofBtcAlone, matters);
  const ofOthers = others?.map(({ estimate }, i) => services?.[i] ?? estimate);
  const vsOthers = ofOthers && judged(ofOthers, matters);
  const deciding = samples.map((_, i) => (isToOthers(i) ? ofOthers?.[i] : undefined) ?? (toBtc[i] as Series).estimate);
  return judged(deciding, matters).map((one, i): HorizonData => {
    const { last, since } = found[i] ?? {};
    // A group that came after the last judgement has no word yet.
    const unknown = () => verdictOf({ ...one, adjusted: undefined });
    const word = last?.verdict ?? (isFound ? unknown() : verdictOf(one));
    const nextMedians = nextOf(String(shown[i]?.group));
    const wait = () =>
      last === undefined ? waitOf(one, now, { service: services?.[i], nextMedians }) : waitFound(last);
    return {
      sample: samples[i] as HorizonSample,
      vsBtc: vsBtc[i] as Judged,
      vsOthers: vsOthers?.[i],
      othersSample: others?.[i]?.values.length,
      service: services?.[i],
      shown: one,
      shownTo: isToOthers(i) ? 'others' : 'btc',
      series: ((isToOthers(i) ? others?.[i] : undefined) ?? toBtc[i]) as Series,
      word,
      wordVsBtc: isFound ? (last?.vs_btc ?? null) : verdictOf(vsBtc[i] as Judged),
      since,
      wait: word !== 'unclear' || by === 'month' ? null : inTime(wait(), now, nextMedians),
      nextMedians,
    };
  });
}

/** When exports ask for a type's medians next: of whole types alone, not where some cards are left out. */
function sittingsOf(question: FiguresQuestion, rows: readonly Row[]) {
  const { by, now, until: run, answers, lastAsked = answers && lastSittings(answers, now) } = question;
  return (type: string) =>
    by === 'type' && lastAsked ? nextSitting(type, rows, { last: lastAsked.get(type), now, run }) : null;
}

/** UTC days of a cluster of all cards together: a group is too small to tell. */
function wholeOf({ rows, isPresent }: Grouped, present: readonly Difference[], name: HorizonName): ClusterDays {
  return lazily<ClusterDays>({
    moves: () => clusterDaysOf(moveValues(rows.filter(isPresent), name), name),
    differences: () => clusterDaysOf(present, name),
  });
}

function othersOf(
  name: HorizonName,
  { keyOf, isPresent, shown }: Grouped,
  differences: readonly Difference[],
  samples: readonly HorizonSample[],
): Series[] {
  const compared = groupBy(differencesToOthers(differences, keyOf), ({ card }) => keyOf(card));
  return shown.map(({ group }, i) => {
    const { series, missingDifferences: missing } = samples[i] as HorizonSample;
    const isCompared = missing.length > 0 ? hasOthers(differences, series.differences.values) : () => false;
    return seriesOf(
      (compared.get(group) ?? []).filter(({ card }) => isPresent(card)),
      missing.filter(({ day }) => isCompared(day)),
      name,
    );
  });
}

function mediansOf(
  horizon: HorizonName,
  { rows, ofBtc }: Grouped,
  differences: readonly Difference[],
  { answers = [], settingsSince, findings }: FiguresQuestion,
): ReadonlyMap<string, ServiceEstimate> {
  const kept =
    findings === undefined
      ? serviceMedians({ answers, rows, differences, horizon, ofBtc, settingsSince })
      : Object.entries(lastMedians(findings, horizon)?.types ?? {});
  return new Map([...kept].map(([type, median]) => [type, serviceEstimate(median)]));
}

function foundOfGroup(
  findings: readonly Finding[],
  group: string | null,
  since: number,
): Found<TypeFinding> | undefined {
  return foundOf(findings, isOfType(group ?? ''), Number.isFinite(since) ? since : undefined);
}

function waitFound({ shows_at: until, shows_by: by }: TypeFinding): Wait | typeof NEVER {
  return until === null || by === null ? NEVER : { until: at(until), by };
}

/** The next medians end the wait where the service decides. */
export function waitOf(
  one: Judged,
  now: number,
  { service, nextMedians }: Pick<HorizonData, 'service' | 'nextMedians'>,
): Wait | typeof NEVER {
  const more = daysToWord(one, JUDGED_WINDOW / DAY);
  if (more === undefined) return NEVER;
  if (service === undefined || nextMedians === null) return { until: now + more * DAY, by: 'outcomes' };
  return { until: sittingFrom(nextMedians, service.askedAt + more * DAY), by: 'medians' };
}

/** A wait as it stands now: sittings may be late, or end. @returns null if it is over */
function inTime(wait: Wait | typeof NEVER, now: number, next: number | null): HorizonData['wait'] {
  if (wait === NEVER) return wait;
  if (wait.by === 'medians' && next !== null) return { ...wait, until: sittingFrom(next, wait.until) };
  return wait.until > now ? { ...wait, by: 'outcomes' } : null;
}

/** The last UTC day, counted from 1970, of which every card's outcome is due. */
export function lastSettledDay(time: number): number {
  return Math.floor((time - horizonOf(MAIN_HORIZON).millis) / DAY) - 1;
}
