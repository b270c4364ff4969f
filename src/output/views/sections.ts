/** The sections of a ranking (`stats --by`): which groups each has, and its heading. What to do about them is in actions.ts. */
import { groupBy } from '../../base/collections.ts';
import { mayHaveStopped } from '../../outcomes/doubt.ts';
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import type { ComparedWith } from '../../outcomes/types.ts';
import { isSide } from '../../statistics/rule.ts';
import { dayAndMonth, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { MAY_HAVE_STOPPED } from './last-30-days.ts';
import { shareMissing, whoseMissing } from './missing-outcomes.ts';
import { fewDaysText, shortVerdict } from './verdict.ts';
import { isBelowBoth, isBtcItself, isTooEarly, type Tone, WHOM } from './verdict-names.ts';
import { daysNeeded, daysOfNeeded } from './verdict-rule.ts';
import {
  monthEnd,
  NOT_SURE_YET,
  silenceText,
  sizeToWaitFor,
  waitedFor,
  wouldShowText,
} from './verdict-wait.ts';
import { saysWithdrawn, standsAsWithdrawn, withdrawnUntil } from './withdrawn-verdict.ts';

/** In the order of the page: what to keep, what to drop, what is known to be small, what is not known. */
const SECTION_NAMES = [
  'keep',
  'may_have_stopped',
  'ahead_of_btc',
  'drop',
  'behind_others',
  'behind_btc',
  'small',
  'no_longer_sure',
  'open',
  'silent',
  'btc_itself',
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

export interface StandingSection {
  readonly name: SectionName;
  readonly heading: string;
  readonly tone: Tone;
  readonly standings: readonly Standing[];
}

const TONES: Readonly<Record<SectionName, Tone>> = {
  keep: 'good',
  may_have_stopped: 'dim',
  ahead_of_btc: 'good',
  drop: 'bad',
  behind_others: 'bad',
  behind_btc: 'bad',
  small: 'dim',
  no_longer_sure: 'dim',
  open: 'dim',
  silent: 'dim',
  btc_itself: 'dim',
};

/** What some groups are compared with: all with other cards, all with BTC, or some with each. */
export type ComparisonOfAll = ComparedWith | 'mixed';

export function comparisonOfAll(
  standings: readonly Pick<Standing, 'comparedWith'>[],
): ComparisonOfAll {
  const comparisons = new Set(standings.map(({ comparedWith }) => comparedWith));
  if (comparisons.size > 1) return 'mixed';
  return comparisons.has('others') ? 'others' : 'btc';
}

/**
 * The headings say what is known of the groups. What to do with types is said above the ranking.
 * @param comparison what the groups of a section are compared with
 * @param least the smallest difference that matters, percentage points
 */
function headingsOf(
  comparison: ComparisonOfAll,
  least: number,
): Readonly<Record<SectionName, string>> {
  const whom = comparison === 'mixed' ? `${WHOM.others}, or of ${WHOM.btc}` : WHOM[comparison];
  return {
    keep: 'Above your other cards',
    may_have_stopped: `Above ${whom}, but ${MAY_HAVE_STOPPED}`,
    ahead_of_btc: 'Above BTC',
    drop: 'Below your other cards and BTC',
    behind_others: 'Below your other cards',
    behind_btc: 'Below BTC',
    small: `Within ${least} pp of ${whom}`,
    no_longer_sure: 'No longer sure',
    open: 'Not known yet',
    silent: 'Silent: switched on, but no new card',
    btc_itself: 'What cards are compared with',
  };
}

export function sectionNameOf(standing: Standing): SectionName {
  const { toDo, verdict, comparedWith, silentDays } = standing;
  const isSilent = silentDays !== undefined;
  if (mayHaveStopped(standing)) return 'may_have_stopped';
  if (standsAsWithdrawn(standing)) return isSilent ? 'silent' : 'no_longer_sure';
  if (toDo !== undefined && toDo !== 'behind_others_ahead_of_btc') return toDo;
  if (verdict === 'below' && comparedWith === 'others') return 'behind_others';
  if (verdict === 'small') return 'small';
  if (isSilent) return 'silent';
  return isBtcItself(standing) ? 'btc_itself' : 'open';
}

/** The sections whose groups neither are to be kept or dropped nor have a verdict against BTC. */
const UNREMARKABLE: ReadonlySet<SectionName> = new Set([
  'small',
  'no_longer_sure',
  'open',
  'silent',
  'btc_itself',
]);

/** Whether a type is to be kept or dropped, or has a verdict against BTC. */
export function standsOut(standing: Standing): boolean {
  return !UNREMARKABLE.has(sectionNameOf(standing));
}

/** Whether no group has a verdict yet: then the page says only how to come to the first one. */
export function isNothingKnown(standings: readonly Standing[]): boolean {
  return standings.every(isTooEarly) && !standings.some(standsOut);
}

/** The sections that have a group. Within a section, the groups keep the order of `standings`. */
export function sectionsOf(standings: readonly Standing[]): StandingSection[] {
  const least = standings.find(({ verdict }) => verdict !== null)?.least ?? DEFAULT_LEAST;
  const sections: StandingSection[] = [];
  for (const name of SECTION_NAMES) {
    const members = standings.filter((standing) => sectionNameOf(standing) === name);
    if (members.length === 0) continue;
    const heading = headingsOf(comparisonOfAll(members), least)[name];
    sections.push({ name, heading, tone: TONES[name], standings: members });
  }
  return sections;
}

/** The types from top to bottom of a ranking. Every list of types has this order, except that of the last 24 h. */
export function typesInOrder(standings: readonly Standing[]): string[] {
  const types: string[] = [];
  for (const section of sectionsOf(standings))
    types.push(...section.standings.map(({ group }) => group));
  return types;
}

/** What a line of a ranking leaves out: its section says below what a group is, and a note from how few days (`fewDaysNotes`). */
const LEFT_OUT_OF_LINE = { weak: true, belowWhat: true };

/**
 * The verdict on a line of a ranking, where each column is scarce. If the line has a heading, that says above, below, within 1 pp or
 * not known yet, and the line says since when, or what is waited for:
 *
 *     below a heading                        without headings, where an order was asked for
 *     since 24 Sep                           above since 24 Sep
 *     since 24 Sep, silent                   above since 24 Sep, silent
 *     (nothing)                              within 1 pp
 *     1.5 pp would show                      unclear (1.5 pp)
 *     not sure yet                           not sure yet
 *     likely by end of Dec                   unclear; by end of Dec
 *     4 % missing                            unclear: 4 % missing
 *     since 24 Sep                           may have stopped working
 *     below since 24 Sep                     below since 24 Sep (of a type to drop)
 *     above until 2 Nov, 8 of 12 days, no card for 19 days: the same in both
 *
 * Below a heading that tells how a group stands to BTC, an unclear verdict has its name: `unclear: 1.5 pp would show`. `waitNotes` says
 * what the short ones mean.
 */
export function rankingVerdict(standing: Standing, hasHeading: boolean): string {
  const { verdict, silentDays } = standing;
  const name = hasHeading ? sinceText(standing) : shortVerdict(standing, LEFT_OUT_OF_LINE);
  if (silentDays !== undefined) {
    // Of a clear type the days of silence stand above the ranking, in Change.
    if (isClear(standing)) return name === '' ? 'silent' : `${name}, silent`;
    return silenceText(silentDays);
  }
  // The heading says that it may have stopped working.
  if (mayHaveStopped(standing)) return hasHeading ? name : MAY_HAVE_STOPPED;
  if (saysWithdrawn(standing)) return withdrawnUntil(standing) ?? NONE;
  if (verdict === 'too_few_days') return tooFewDaysInShort(standing);
  return verdict === 'unclear' ? unclearOnLine(standing, hasHeading) : name;
}

/** What an unclear verdict waits for; that it is unclear, too, unless the heading says so. */
function unclearOnLine(standing: Standing, hasHeading: boolean): string {
  const { verdictExpected, isUnclearByMissing, wouldShow } = standing;
  // Below "Above BTC" a date alone would seem to be that of the heading.
  const isUnclearInHeading = hasHeading && sectionNameOf(standing) === 'open';
  const prefix = isUnclearInHeading ? '' : 'unclear: ';
  if (isUnclearByMissing) return `${prefix}${missingInShort(standing)} missing`;
  if (verdictExpected !== undefined) {
    const month = monthEnd(verdictExpected);
    return isUnclearInHeading ? `likely by ${month}` : `unclear; by ${month}`;
  }
  if (wouldShow === undefined) return 'unclear';
  const size = sizeToldOf(standing);
  // Below "Above BTC" these words would seem to doubt the heading.
  if (size === undefined) return hasHeading && !isUnclearInHeading ? 'unclear' : NOT_SURE_YET;
  return hasHeading ? `${prefix}${size} pp would show` : `unclear (${size} pp)`;
}

/**
 * `since 24 Sep`; the name of the verdict, too, if it has no day, or if the heading tells of two verdicts, and the day is that of one.
 * Empty if the heading says all: `Within 1 pp of your other cards`.
 */
function sinceText(standing: Standing): string {
  if (sectionNameOf(standing) === 'small') return '';
  const { verdict, verdictSince } = standing;
  const isDated = isSide(verdict) && verdictSince !== undefined && !isBelowBoth(standing);
  return isDated ? `since ${dayAndMonth(verdictSince)}` : shortVerdict(standing, LEFT_OUT_OF_LINE);
}

/** `4 %` of the type's own outcomes; `others'` if only outcomes of other types are missing; else `some`. */
function missingInShort(standing: Standing): string {
  switch (whoseMissing(standing)) {
    case 'own':
      return shareMissing(standing);
    case 'others':
      return "others'";
    case 'some':
      return 'some';
  }
}

/** `8 of 12 days`, of a type with too few days for a verdict. */
function tooFewDaysInShort(standing: Standing): string {
  const days = daysOfNeeded(standing);
  return days === undefined ? shortVerdict(standing) : `${days} days`;
}

/** The size in `unclear (1.5 pp)`, the smallest difference that would show by now; undefined if its line tells none. */
function sizeToldOf({ wouldShow, base }: Standing): string | undefined {
  return wouldShow === undefined ? undefined : sizeToWaitFor(wouldShow, base.median);
}

/** Whether its verdict on a line is `8 of 12 days`. */
function isTellingDays(standing: Standing): boolean {
  const { verdict, silentDays } = standing;
  const isShown = verdict === 'too_few_days' && silentDays === undefined;
  return isShown && daysOfNeeded(standing) !== undefined;
}

/** `pump, dump: from few days (22).`: how few days the verdicts of a ranking rest on. */
export function fewDaysNotes(standings: readonly Standing[]): string[] {
  const weak = standings.filter(
    ({ verdict, isWeak, silentDays }) =>
      isWeak && silentDays === undefined && (isSide(verdict) || verdict === 'small'),
  );
  return Array.from(groupBy(weak, fewDaysText), ([days, ofDays]) => {
    const names = ofDays.map(({ group }) => safeText(group)).join(', ');
    return `${names}: ${days}.`;
  });
}

/**
 * What the short verdicts of a ranking mean, a sentence for each kind that needs one, in the words of other screens.
 * @param hasHeadings whether the lines stand below headings
 */
export function waitNotes(standings: readonly Standing[], hasHeadings: boolean): string[] {
  const cellOf = (standing: Standing) => rankingVerdict(standing, hasHeadings);
  const waiting = standings.filter(
    (standing) =>
      standing.verdict === 'unclear' &&
      standing.silentDays === undefined &&
      !saysWithdrawn(standing),
  );
  const missing = waiting.filter(({ isUnclearByMissing }) => isUnclearByMissing);
  const others = waiting.filter(({ isUnclearByMissing }) => !isUnclearByMissing);
  const expected = others.find(({ verdictExpected }) => verdictExpected !== undefined);
  const undated = others.filter(({ verdictExpected }) => verdictExpected === undefined);
  const small = undated.find((standing) => sizeToldOf(standing) !== undefined);
  const size = small && sizeToldOf(small);
  const early = standings.find((standing) => isTellingDays(standing));
  const notes: string[] = [];
  // Before the first verdict the page begins with the days that it takes.
  if (early !== undefined && !standings.every(isTooEarly))
    notes.push(
      `${cellOf(early)}: too few; a verdict takes ${daysNeeded(early.figures?.cluster_days)} days with outcomes.`,
    );
  // Below a heading the line itself says what is likely by when, and what would show.
  if (expected !== undefined && !hasHeadings)
    notes.push(`${cellOf(expected)}: a verdict is likely by then.`);
  notes.push(...missingWaitNotes(missing, cellOf));
  if (small !== undefined && size !== undefined && !hasHeadings)
    notes.push(`${cellOf(small)}: ${wouldShowText(size)}.`);
  if (others.some((standing) => cellOf(standing) === NOT_SURE_YET))
    notes.push(`${NOT_SURE_YET}: what was measured is as large as would show, but may be chance.`);
  return notes;
}

/**
 * What `unclear: 4 % missing` means, and for each group that has it by when a verdict is likely, if that is known: the line has no
 * room for it.
 */
function missingWaitNotes(
  missing: readonly Standing[],
  cellOf: (standing: Standing) => string,
): string[] {
  const [first] = missing;
  if (first === undefined) return [];
  const outcomes = whoseMissing(first) === 'others' ? "other types' outcomes" : 'outcomes';
  const dated = missing.filter(({ verdictExpected }) => verdictExpected !== undefined);
  return [
    `${cellOf(first)}: ${outcomes} without a figure; they could decide either way.`,
    ...dated.map((standing) => `${safeText(standing.group)}: ${waitedFor(standing)}.`),
  ];
}
