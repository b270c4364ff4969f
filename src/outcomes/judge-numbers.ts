/**
 * Judges, at the end of an export, the numbers that cards have at their trigger. A number is telling if its larger values, or
 * its smaller values, go with better outcomes.
 */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { apiTimeOrNull, at, formatApiTime } from '../api/time.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cutToTry, freshCuts } from './cuts.ts';
import {
  type Finding,
  linesOfNumbers,
  type NumberFinding,
  numberId,
  presentVerdict,
} from './findings.ts';
import {
  type BetterSide,
  betterSideOf,
  isTelling,
  type NumbersEvidence,
  type NumberTest,
  numberTests,
  type TellingFinding,
} from './numbers.ts';
import type { Advice } from './tune-types.ts';

/** A line of the notebook on a number, before its time and the settings of its type are filled in. */
type NumberLine = Omit<NumberFinding, 'at' | 'settings_since'>;

/**
 * A line for each number that is telling and was not before, with the cut that is advised from now on, and a line for each
 * number that is telling no longer. A cut is chosen once, so that the cards that come later test it. Pure.
 * @param evidence the cards that are judged, and the notebook so far
 * @param now epoch milliseconds UTC
 * @returns the lines to append to the notebook
 */
export function judgeNumbers(evidence: NumbersEvidence, now: number): NumberFinding[] {
  const tests = numberTests(evidence, MAIN_HORIZON);
  const lines: NumberLine[] = [];
  const tellingIds = new Set<string>();
  for (const test of tests) {
    const lineInNotebook = test.inNotebook?.line;
    if (isTelling(lineInNotebook) && stillTells(test, lineInNotebook)) {
      tellingIds.add(numberId(lineInNotebook));
      continue;
    }
    const newLine = tellingLine(test);
    if (newLine === undefined) continue;
    tellingIds.add(numberId(newLine));
    lines.push(newLine);
  }
  // A number that the notebook last called telling is withdrawn here, also if that line is about earlier settings.
  for (const line of lastLines(evidence.findings)) {
    if (isTelling(line) && !tellingIds.has(numberId(line))) lines.push(withdrawalOf(line));
  }
  return lines.map((line) => {
    const since = evidence.settingsSince.get(line.type);
    return {
      ...line,
      at: formatApiTime(now),
      settings_since: apiTimeOrNull(since),
    };
  });
}

/** Whether the test of the number alone still passes, on the side that the notebook names. */
function stillTells({ estimate }: NumberTest, { verdict }: TellingFinding): boolean {
  const { value, p } = estimate;
  const side: BetterSide = value > 0 ? 'higher' : 'lower';
  return p !== null && p < LEVEL && side === verdict;
}

/** The line that calls a number telling. @returns undefined unless its test passes, and a cut by the number clearly helps */
function tellingLine(test: NumberTest): NumberLine | undefined {
  const betterSide = betterSideOf(test);
  if (betterSide === undefined) return undefined;
  const advice = cutToTry(freshCuts(test, betterSide));
  if (advice === undefined) return undefined;
  return {
    about: 'number',
    type: test.type,
    number: test.key,
    absolute: test.absolute,
    verdict: betterSide,
    cut: { [advice.direction]: advice.value },
    cards_per_day: advice.cards_per_day,
    kept_vs_btc: advice.kept_vs_btc,
    kept_vs_dropped: advice.kept_vs_dropped,
  };
}

function withdrawalOf({ about, type, number, absolute }: NumberFinding): NumberLine {
  return {
    about,
    type,
    number,
    absolute,
    verdict: 'unclear',
    cut: null,
    cards_per_day: null,
    kept_vs_btc: null,
    kept_vs_dropped: null,
  };
}

/** The last line of each number, whatever the settings were. */
function lastLines(findings: readonly Finding[]): NumberFinding[] {
  return [...linesOfNumbers(findings).values()]
    .map((lines) => lines.at(-1))
    .filter((line) => line !== undefined);
}

/** A stricter setting that the notebook advises. */
export interface AdviceInNotebook extends Advice {
  /** When its cut was chosen, epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * The stricter settings that the notebook advises. They are read, not worked out from the cards.
 * @param settingsSince when each type's present settings began, epoch milliseconds UTC: advice for earlier settings is left
 *   out
 */
export function adviceInNotebook(
  findings: readonly Finding[],
  settingsSince: ReadonlyMap<string, number>,
): AdviceInNotebook[] {
  const allAdvice: AdviceInNotebook[] = [];
  for (const lines of linesOfNumbers(findings).values()) {
    const last = lines.at(-1);
    if (last === undefined) continue;
    const line = presentVerdict(lines, settingsSince.get(last.type))?.line;
    if (!isTelling(line)) continue;
    const advice = adviceOf(line);
    if (advice !== undefined) allAdvice.push({ ...advice, since: at(line.at) });
  }
  return allAdvice;
}

/** An advice on a number that an export wrote down, and that stands no longer. Times are epoch milliseconds UTC. */
export interface EarlierAdvice {
  readonly advice: Advice;
  readonly from: number;
  /** When an export took it back, or wrote down another one in its place. */
  readonly until: number;
}

/**
 * The last advice before a line on the same number of the same type, under the same settings.
 * @param findings the notebook, oldest first
 * @returns undefined if there was none
 */
export function adviceBefore(
  line: NumberFinding,
  findings: readonly Finding[],
): EarlierAdvice | undefined {
  const lines = linesOfNumbers(findings).get(numberId(line)) ?? [];
  const earlier = lines.slice(0, lines.indexOf(line));
  const index = earlier.findLastIndex(
    (each) => isTelling(each) && each.settings_since === line.settings_since,
  );
  const last = earlier[index];
  const advice = last && adviceOf(last);
  if (last === undefined || advice === undefined) return undefined;
  const next = earlier[index + 1] ?? line;
  return { advice, from: at(last.at), until: at(next.at) };
}

/** The last line on a number under a type's present settings; undefined if there is none. */
export function presentLine(
  { type, key, absolute }: Pick<Advice, 'type' | 'key' | 'absolute'>,
  findings: readonly Finding[],
  settingsSince: number | undefined,
): NumberFinding | undefined {
  const lines = linesOfNumbers(findings).get(numberId({ type, number: key, absolute }));
  return presentVerdict(lines, settingsSince)?.line;
}

/** The stricter setting that a line advises; undefined if it advises none. */
export function adviceOf({ type, number: key, absolute, cut }: NumberFinding): Advice | undefined {
  const { at_least, at_most } = cut ?? {};
  const number = { type, key, absolute };
  if (at_least !== undefined) return { ...number, direction: 'at_least', value: at_least };
  if (at_most !== undefined) return { ...number, direction: 'at_most', value: at_most };
  return undefined;
}
