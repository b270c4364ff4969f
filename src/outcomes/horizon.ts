/** What the groups of a question did after one horizon: estimates, verdicts, when another verdict is expected, and what to do. */
import { type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { isSide, type Rule } from '../statistics/rule.ts';
import { type Doubt, mayHaveStopped } from './doubt.ts';
import {
  type DoubtFinding,
  doubtLinesOfTypes,
  type LatelyFinding,
  lastOfVerdict,
  latelyLinesOfTypes,
  linesOfTypes,
  presentVerdict,
  type TypeFinding,
  type WithdrawnVerdict,
  withdrawnVerdict,
} from './findings.ts';
import { GroupComparison, type GroupEstimates } from './group-comparison.ts';
import { type Answer, type GroupVerdicts, verdictsOf } from './group-verdicts.ts';
import type { CardGroup, GroupedCards } from './groups.ts';
import type { HistoryCard } from './history-card.ts';
import type { FiguresOfTimes } from './last-30-days.ts';
import { boughtAfterOthers } from './purchases.ts';
import {
  choiceOf,
  type Evidence,
  isOfWholeTypes,
  leastOf,
  type Question,
  termsOf,
} from './question.ts';
import { SILENT_AFTER } from './rate.ts';
import { type Sittings, sittingsOf } from './service-answers.ts';
import { type ToDo, toDoOf } from './to-do.ts';
import { verdictExpectedOf } from './verdict-expected.ts';

/** What is known of a group after a horizon, with its verdicts. */
export interface HorizonData extends GroupEstimates, GroupVerdicts {
  readonly horizon: HorizonName;
  /** Whether the question asks about this horizon. */
  readonly isAsked: boolean;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly rule: Rule;
  /** When another verdict is expected, epoch milliseconds UTC; undefined if `verdict` is not unclear, or if none is expected. */
  readonly verdictExpected: number | undefined;
  /** The last verdict above or below under its present settings, if it was withdrawn. */
  readonly withdrawn: WithdrawnVerdict | undefined;
  /** Its difference in the last 30 days, and in the time before; undefined unless it does less than before. */
  readonly lessLately: FiguresOfTimes | undefined;
  /** The doubt that newer cards cast on its verdict; undefined if there is none. */
  readonly doubt: Doubt | undefined;
  /** What its owner should do; undefined if nothing follows from the verdicts, and if it may have stopped working. */
  readonly toDo: ToDo | undefined;
  /** When exports ask for its medians, a sitting being such a round; undefined if they do not, as far as is known. */
  readonly sittings: Sittings | undefined;
}

/** What is known of each group after a horizon, in the order of the groups. */
export function compareAt(
  horizon: HorizonName,
  grouped: GroupedCards,
  evidence: Evidence,
  question: Question,
): HorizonData[] {
  const { now } = evidence;
  const terms = termsOf(question);
  const leastDifference = leastOf(horizon, terms.least);
  const rule: Rule = { least: leastDifference };
  const comparison = new GroupComparison(horizon, grouped, evidence, question);
  const notebook = notebookThatAnswers(horizon, evidence, question);
  const isBoughtAfterOthers = boughtAfterOthers(evidence);
  return grouped.groups.map((group): HorizonData => {
    const type = String(group.group);
    const answer = answerOn(group, notebook);
    // What the notebook decided stays: whether medians or bought outcomes are the source, and what the group is compared with.
    const decidedBefore = answer.kind === 'notebook' ? answer.present.line : undefined;
    const estimates = comparison.estimatesOf(group, decidedBefore);
    const verdicts = verdictsOf(estimates, rule, answer);
    const sittings = sittingsOfGroup(group, grouped.cards, evidence, question);
    const dateTerms = {
      ...estimates,
      rule,
      now,
      sittings,
      isBoughtAfterOthers: terms.by === 'type' && isBoughtAfterOthers(type),
    };
    const areOutcomesExpected = areOutcomesToCome(group, evidence, question);
    const withdrawn = answer.kind === 'notebook' ? withdrawnVerdict(answer.lines) : undefined;
    const lessLately = lessLatelyOf(verdicts, estimates, notebook?.latelyLines.get(type));
    const doubt = doubtOf(verdicts, notebook?.doubtLines.get(type));
    const { verdict, verdictVsBtc } = verdicts;
    const hasStopped = mayHaveStopped({ verdict, lessLately, doubt });
    return {
      ...estimates,
      ...verdicts,
      horizon,
      isAsked: horizon === terms.horizon,
      now,
      rule,
      verdictExpected: verdictExpectedOf(dateTerms, verdicts, answer, areOutcomesExpected),
      withdrawn,
      lessLately,
      doubt,
      toDo: hasStopped
        ? undefined
        : toDoOf(verdict, estimates.comparedWith, verdictVsBtc, withdrawn),
      sittings,
    };
  });
}

/** The notebook's lines on each type, oldest first. */
interface LinesOnTypes {
  readonly verdictLines: ReadonlyMap<string, readonly TypeFinding[]>;
  /** On the types' last 30 days. */
  readonly latelyLines: ReadonlyMap<string, readonly LatelyFinding[]>;
  /** On doubts about the types' verdicts. */
  readonly doubtLines: ReadonlyMap<string, readonly DoubtFinding[]>;
}

/** @returns undefined if the notebook does not answer the question */
function notebookThatAnswers(
  horizon: HorizonName,
  { findings }: Evidence,
  question: Question,
): LinesOnTypes | undefined {
  const isAnswered = question.kind === 'default' && horizon === MAIN_HORIZON;
  if (!isAnswered || findings === undefined) return undefined;
  return {
    verdictLines: linesOfTypes(findings),
    latelyLines: latelyLinesOfTypes(findings),
    doubtLines: doubtLinesOfTypes(findings),
  };
}

/** @param notebook undefined if one look answers the question */
function answerOn({ group, settingsSince }: CardGroup, notebook: LinesOnTypes | undefined): Answer {
  if (notebook === undefined) return { kind: 'one_look' };
  const lines = notebook.verdictLines.get(String(group)) ?? [];
  const present = presentVerdict(lines, settingsSince);
  return present === undefined ? { kind: 'not_judged' } : { kind: 'notebook', present, lines };
}

/**
 * The figures of now of a type that exports found to do less. Undefined if its last 30 days cannot be compared any more, for example
 * because the settings of most other types changed.
 * @param lines the notebook's lines on the type's last 30 days, oldest first
 */
function lessLatelyOf(
  { verdict, verdictSince }: GroupVerdicts,
  { timesCompared }: GroupEstimates,
  lines: readonly LatelyFinding[] | undefined,
): FiguresOfTimes | undefined {
  if (!isSide(verdict) || verdictSince === undefined) return undefined;
  return lastOfVerdict(lines, verdictSince)?.verdict === 'less' ? timesCompared() : undefined;
}

/** @param lines the notebook's lines on doubts about the type's verdicts, oldest first */
function doubtOf(
  { verdict, verdictSince }: GroupVerdicts,
  lines: readonly DoubtFinding[] | undefined,
): Doubt | undefined {
  if (!isSide(verdict) || verdictSince === undefined) return undefined;
  const line = lastOfVerdict(lines, verdictSince);
  return line?.verdict === 'in_doubt' ? { before: line.before } : undefined;
}

/**
 * When exports ask for a group's medians.
 * @returns undefined if they do not ask. They never do if the group is no screener type, or if the question leaves out some of
 *   the type's cards
 */
function sittingsOfGroup(
  { group }: CardGroup,
  cards: readonly HistoryCard[],
  evidence: Evidence,
  question: Question,
): Sittings | undefined {
  const isWholeType = termsOf(question).by === 'type' && isOfWholeTypes(question);
  return group === null || !isWholeType ? undefined : sittingsOf(group, cards, evidence);
}

/**
 * Whether more outcomes of a group are likely: it had a card in the last 14 days of the history, or never had one, and the time
 * that the question is about has not ended.
 */
function areOutcomesToCome(
  { lastCardAt }: CardGroup,
  { now, until: historyEnd }: Evidence,
  question: Question,
): boolean {
  const isSilent = lastCardAt !== undefined && historyEnd - lastCardAt > SILENT_AFTER;
  const questionEnd = choiceOf(question).until;
  const hasEnded = questionEnd !== undefined && questionEnd <= now;
  return !isSilent && !hasEnded;
}
