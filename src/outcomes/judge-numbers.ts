/** What an export asks of the numbers at the trigger at its end. Pure: the lines to append to the notebook. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at, formatApiTime } from '../api/time.ts';
import { adviceOf, cutsOf } from './cuts.ts';
import { type Finding, foundOf, linesOfNumbers, type NumberFinding, numberId } from './findings.ts';
import {
  isFound,
  type NumbersEvidence,
  type NumberTest,
  numberTests,
  passes,
  stillTells,
} from './numbers.ts';
import type { Advice } from './tune-types.ts';

type NumberLine = Omit<NumberFinding, 'at' | 'settings_since'>;

/**
 * Numbers that are found, each with the cut that is advised from then on, and those that tell no more. A cut is chosen
 * once: the cards that come after it test it.
 * @param evidence of the cards that are judged @param now epoch milliseconds UTC
 */
export function judgeNumbers(evidence: NumbersEvidence, now: number): NumberFinding[] {
  const tests = numberTests(evidence, MAIN_HORIZON);
  const lines: NumberLine[] = [];
  const stands = new Set<string>();
  for (const test of tests) {
    const line = test.found?.last;
    if (isFound(line) && stillTells(test, line)) {
      stands.add(numberId(line));
      continue;
    }
    const found = foundLine(test);
    if (found === undefined) continue;
    stands.add(numberId(found));
    lines.push(found);
  }
  for (const line of lastLines(evidence.findings)) {
    if (isFound(line) && !stands.has(numberId(line))) lines.push(withdrawn(line));
  }
  return lines.map((line) => {
    const since = evidence.settingsSince.get(line.type);
    return {
      ...line,
      at: formatApiTime(now),
      settings_since: since === undefined ? null : formatApiTime(since),
    };
  });
}

/** Undefined unless the number passes, and a cut by it clearly helps. */
function foundLine(test: NumberTest): NumberLine | undefined {
  const telling = passes(test);
  const advice = telling === undefined ? undefined : adviceOf(cutsOf(test, telling));
  if (telling === undefined || advice === undefined) return undefined;
  return {
    about: 'number',
    type: test.type,
    number: test.key,
    absolute: test.absolute,
    verdict: telling,
    cut: { [advice.direction]: advice.value },
    cards_per_day: advice.cards_per_day,
    kept_vs_btc: advice.kept_vs_btc,
    kept_vs_dropped: advice.kept_vs_dropped,
  };
}

function withdrawn({ about, type, number, absolute }: NumberFinding): NumberLine {
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
export interface NotedAdvice extends Advice {
  /** When it was chosen, epoch milliseconds UTC. */
  readonly since: number;
}

/**
 * The stricter settings that the notebook advises, read and not worked out.
 * @param settingsSince present settings of a type since then, epoch milliseconds UTC: advice of earlier ones counts no more
 */
export function advicesOf(
  findings: readonly Finding[],
  settingsSince: ReadonlyMap<string, number>,
): NotedAdvice[] {
  const advices: NotedAdvice[] = [];
  for (const lines of linesOfNumbers(findings).values()) {
    const line = foundOf(lines, settingsSince.get(lines[0]?.type ?? ''))?.last;
    if (!isFound(line)) continue;
    const { type, number: key, absolute, cut } = line;
    const advice = { type, key, absolute, since: at(line.at) };
    if (cut?.at_least !== undefined)
      advices.push({ ...advice, direction: 'at_least', value: cut.at_least });
    else if (cut?.at_most !== undefined)
      advices.push({ ...advice, direction: 'at_most', value: cut.at_most });
  }
  return advices;
}
