/** One horizon of all groups: their samples, how they compare with BTC and with each other, and which of it decides. */

import { blocksOf, type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { DAY } from '../runtime/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import { type Estimate, UNKNOWN } from '../statistics/estimate.ts';
import {
  daysToWord,
  type Judged,
  judged,
  LEAST,
  leastOf,
  verdictOf,
} from '../statistics/verdict.ts';
import {
  type Difference,
  differenceOf,
  differencesToOthers,
  sampleOf,
  valuesOf,
} from './differences.ts';
import { foundOf, lastMedians, linesOfTypes, type TypeFinding } from './findings.ts';
import { type FiguresQuestion, type Grouped, JUDGED_WINDOW } from './groups.ts';
import type { Row } from './row.ts';
import { lastSittings, nextSitting, sittingFrom } from './service-answers.ts';
import {
  ifNarrower,
  type ServiceEstimate,
  serviceEstimate,
  serviceMedians,
} from './service-medians.ts';

export type HorizonData = ReturnType<typeof compareAt>[number];

export function compareAt(name: HorizonName, grouped: Grouped, question: FiguresQuestion) {
  const { by, now, least = LEAST, horizon: main = MAIN_HORIZON } = question;
  const compared = comparedAt(name, grouped, question);
  const matters = leastOf(name, least);
  const family = (of: (one: (typeof compared)[number]) => Estimate) =>
    judged(compared.map(of), matters);
  const vsBtc = family(({ sample }) => sample.differences);
  const vsOthers = family((one) => one.vsOthers ?? UNKNOWN);
  const deciding = family(
    (one) => (one.shownTo === 'others' && one.vsOthers) || one.sample.differences,
  );
  const nextOf = sittingsOf(question, grouped.rows);
  const isFound = isOfNotebook(name, question);
  return compared.map(({ found, ...one }, i) => {
    const [shown, ofBtc] = [deciding[i], vsBtc[i]] as [Judged, Judged];
    const nextMedians = nextOf(String(grouped.shown[i]?.group));
    // A group that came after the last judgement has no word yet.
    const word =
      found?.last.verdict ?? verdictOf(isFound ? { ...shown, adjusted: undefined } : shown);
    const around = { ...one, nextMedians };
    const wait = () => (found ? waitFound(found.last) : waitOf(shown, now, around));
    return {
      ...one,
      horizon: name,
      now,
      /** Whether words are of this horizon. */
      isAsked: name === main,
      vsBtc: ofBtc,
      /** Of no value where groups are not compared with each other. */
      vsOthers: vsOthers[i] as Judged,
      shown,
      word,
      /** The word of the bought differences to BTC. */
      wordVsBtc: isFound ? (found?.last.vs_btc ?? null) : verdictOf(ofBtc),
      /** The first day of the word, epoch milliseconds UTC; undefined of a question of one's own. */
      since: found?.since,
      /** When a word is likely, epoch milliseconds UTC; infinite: not in 180 days; null: unknown. */
      wait: word !== 'unclear' || by === 'month' ? null : inTime(wait(), now, around),
      /** When exports ask for its medians next, epoch milliseconds UTC; null: not, as far as is known. */
      nextMedians,
    };
  });
}

/** Whether the notebook has its words. */
const isOfNotebook = (name: HorizonName, { by, findings }: FiguresQuestion) =>
  findings !== undefined && name === MAIN_HORIZON && by === 'type';

/** What each group is compared with, and which comparison decides. */
function comparedAt(name: HorizonName, grouped: Grouped, question: FiguresQuestion) {
  const { by, findings = [], sources, comparesGroups = true } = question;
  const { rows, ofBtc, keyOf, isPresent, shown } = grouped;
  const all = valuesOf(rows, name, differenceOf).filter(({ symbol }) => !ofBtc.has(symbol));
  const present = (values: readonly Difference[]) => values.filter(({ card }) => isPresent(card));
  const byGroup = (values: readonly Difference[]) =>
    groupBy(present(values), ({ card }) => keyOf(card));
  const ofGroup = byGroup(all);
  const whole =
    by === undefined ? undefined : sampleOf(rows.filter(isPresent), name, ofBtc, present(all));
  // A day has several types and symbols, so that each has others.
  const isCompared = (by === 'type' || by === 'symbol') && comparesGroups;
  const beside = isCompared ? byGroup(differencesToOthers(all, keyOf)) : undefined;
  const medians =
    by === 'type' ? mediansOf(name, grouped, all.filter(isKnown), question) : undefined;
  const lines = isOfNotebook(name, question) ? linesOfTypes(findings) : undefined;
  return shown.map(({ group, since, rows: own }) => {
    const type = String(group);
    const found = foundOf(lines?.get(type), Number.isFinite(since) ? since : undefined);
    const differences = ofGroup.get(group) ?? [];
    const toOthers = beside && (beside.get(group) ?? []);
    const bought = toOthers && clusteredMedian(toOthers, blocksOf(name));
    const service =
      bought && ifNarrower(medians?.get(type), bought, found?.last.source ?? sources?.get(type));
    const vsOthers = service ?? bought;
    const isToOthers = Boolean(vsOthers?.size) && found?.last.to !== 'btc';
    return {
      found,
      sample: sampleOf(own, name, ofBtc, differences, whole),
      vsOthers,
      othersSample: bought?.size,
      /** Undefined where what was bought decides. */
      service,
      shownTo: isToOthers ? ('others' as const) : ('btc' as const),
      /** Of the comparison that decides, as far as they are bought. */
      values: (isToOthers && toOthers) || differences,
    };
  });
}

/** When exports ask for a type's medians next: of whole types alone, not where some cards are left out. */
function sittingsOf(question: FiguresQuestion, rows: readonly Row[]) {
  const {
    by,
    now,
    until: run,
    answers,
    lastAsked = answers && lastSittings(answers, now),
  } = question;
  return (type: string) =>
    by === 'type' && lastAsked
      ? nextSitting(type, rows, { last: lastAsked.get(type), now, run })
      : null;
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

const waitFound = ({ shows_at: until }: TypeFinding) => (until === null ? Infinity : at(until));

interface Deciding {
  readonly service: ServiceEstimate | undefined;
  readonly nextMedians: number | null;
}

/** The next medians end the wait where the service decides. */
export function waitOf(one: Judged, now: number, { service, nextMedians }: Deciding): number {
  const more = daysToWord(one, JUDGED_WINDOW / DAY) * DAY;
  if (service === undefined || nextMedians === null) return now + more;
  return sittingFrom(nextMedians, service.askedAt + more);
}

/** A wait as it stands now: sittings may be late, or end. @returns null if it is over */
function inTime(until: number, now: number, { service, nextMedians }: Deciding): number | null {
  if (service !== undefined && nextMedians !== null) return sittingFrom(nextMedians, until);
  return until > now ? until : null;
}

/** The last UTC day, counted from 1970, of which every card's outcome is due. */
export function lastSettledDay(time: number): number {
  return Math.floor((time - horizonOf(MAIN_HORIZON).millis) / DAY) - 1;
}
