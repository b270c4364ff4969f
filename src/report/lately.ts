/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { groupBy } from '../base/collections.ts';
import { DAY, pluralize } from '../base/units.ts';
import {
  type PastVerdict,
  rankStandings,
  type Standing,
  sendsCards,
} from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import {
  isUnderHalfOfAllDays,
  pointsOtherWay,
  underHalfLatelyText,
} from '../output/views/last-30-days.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import { withdrawnFromTo } from '../output/views/withdrawn-verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestGroup, type ForestRow, forest } from './forest.ts';
import { html, label, labels, type Markup, notes, section, signedFigure } from './markup.ts';
import { recordWords } from './record.ts';

/** What the types of the picture are compared with: in a sentence, and above the column. */
const COLUMN_WORDS: Readonly<
  Record<ComparisonOfAll, { readonly whom: string; readonly column: string }>
> = {
  others: { whom: 'your other cards', column: 'vs other cards' },
  btc: { whom: 'BTC', column: 'vs BTC' },
  mixed: {
    whom: 'your other cards, or with BTC where that is named',
    column: 'vs other cards or BTC',
  },
};

/** What the section knows besides the standings. */
interface Past {
  /** What became of each verdict above or below that exports found in the days of the page. */
  readonly record: readonly PastVerdict[];
  /** UTC days of the page. */
  readonly days: number;
  /** When the history ends if exports have stopped, epoch milliseconds UTC; undefined while they run. */
  readonly endedAt: number | undefined;
  /** When the newest card of each type came, epoch milliseconds UTC. */
  readonly lastCards: ReadonlyMap<string, number>;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

export function latelySection(standings: readonly Standing[], past: Past): Markup | undefined {
  const { record, days, endedAt, now } = past;
  const ranked = rankStandings(standings);
  const withdrawn = ranked.filter((standing) => standing.withdrawn !== undefined);
  // Withdrawn verdicts first: they answer the question of the heading.
  const withVerdict = [...withdrawn, ...ranked.filter(({ word }) => isSide(word))];
  const comparison = comparisonOfAll(withVerdict);
  const groups = withVerdict
    .map((standing) => groupOf(standing, { ranked, isMixed: comparison === 'mixed', endedAt, now }))
    .filter(({ rows }) => rows.length > 0);
  const isDrawn = groups.length > 0;
  if (!isDrawn && withdrawn.length === 0) return undefined;
  const { whom, column } = COLUMN_WORDS[comparison];
  const isAnyOpen = withVerdict.some(
    (standing) => answerOf(standing, past) === 'not_clear' || pointsOtherWay(standing),
  );
  const whyTheyStand = isAnyOpen ? WHEN_VERDICTS_END : '';
  const differing = differingWords(withVerdict, ranked);
  const isSameComparison = differing === '';
  const comparisonText = comparisonWords(withVerdict, { isSameComparison, whom, endedAt, now });
  const says = isDrawn ? comparisonText : NOT_DRAWN;
  return section(
    'lately',
    headingOf(withVerdict, past),
    [whyTheyStand, says].join(' ').trim(),
    isDrawn &&
      forest(groups, {
        label: 'Types that are above or below, in parts',
        columns: [{ title: column, sides: ['below', 'above'] }],
        point: 'median',
        level: '95 %',
        size: '',
        sureLevel: undefined,
        decides: withVerdict.some(({ lately }) => lately !== undefined) ? SURE_FALL : '',
        // A type with a verdict has an interval in the picture of all types.
        hasLegendAbove: true,
      }),
    ...notes(
      isDrawn && differing,
      asOfWords(withVerdict, past),
      endedWithinWords(withVerdict, now),
      recordWords(record, withVerdict, { days, endedAt }),
    ),
  );
}

/** `last 30 days`, or `30 days to 8 Oct`. @param endedAt undefined while exports run */
function lastDaysWords(endedAt: number | undefined): string {
  return endedAt === undefined ? 'last 30 days' : `30 days to ${dayAndMonth(endedAt)}`;
}

/**
 * Whether the page draws the last 30 days and the time before them. In both a type is compared with your other cards: without
 * enough of these in the last 30 days neither is drawn, and no other page tells them.
 */
function isInTwoTimes({ figures, isLatelyBesideEnough }: Standing): boolean {
  const isLastKnown = figures?.last_30_days?.interval_95 != null;
  const isEarlierKnown = figures?.before?.interval_95 != null;
  return isLatelyBesideEnough && isLastKnown && isEarlierKnown;
}

/**
 * Whether the page has a row of newer cards: those of the last 30 days that came after the verdict was found, and so had no part
 * in it. It has none if the row of the last 30 days is of the same cards.
 */
function hasNewerCards(standing: Standing, now: number): boolean {
  const { newest, base } = standing;
  const isInOtherRow = base.source === 'bought' && areLastDaysNewer(standing, now);
  return newest !== undefined && newest.interval_95 !== null && !isInOtherRow;
}

interface ComparisonWords {
  /** Whether the rows are compared with the same cards as the figures of all days, in the first picture. */
  readonly isSameComparison: boolean;
  /** `your other cards` */
  readonly whom: string;
  readonly endedAt: Past['endedAt'];
  readonly now: Past['now'];
}

/** `The same comparison with your other cards, in parts: the last 30 days, and the time before them.` */
function comparisonWords(
  standings: readonly Standing[],
  { isSameComparison, whom, endedAt, now }: ComparisonWords,
): string {
  const comparison = isSameComparison ? 'The same comparison' : 'The comparison';
  const words = `${comparison} with ${whom}, ${partsWords(standings, endedAt, now)}`;
  return [words, testWords(standings, endedAt, now)].filter((text) => text !== '').join(' ');
}

/**
 * Why the last 30 days and the time before them need not add up to a type's figure of all days: in both, the type is compared
 * only with types that have the same settings and cards in both. Empty if they add up for each type.
 * @param ranked all types of the page
 */
function differingWords(standings: readonly Standing[], ranked: readonly Standing[]): string {
  const inParts = standings.filter(isInTwoTimes);
  const typesByLeftOut = groupBy(inParts, (standing) => changedTypeNames(standing, ranked));
  const clauses: string[] = [];
  for (const [leftOut, types] of typesByLeftOut) {
    if (leftOut === '') continue;
    const are = types.length === 1 ? 'is' : 'are';
    clauses.push(`${groupNames(types)} ${are} compared without ${leftOut}`);
  }
  if (clauses.length > 0)
    return `Types whose settings changed are left out here: ${clauses.join('; ')}. So the parts need not add up to the figures above.`;
  const notAddingUp = inParts.filter((standing) => !canAddUp(standing));
  if (notAddingUp.length === 0) return '';
  const figures = notAddingUp.length === 1 ? 'its figure' : 'their figures';
  return `The parts of ${groupNames(notAddingUp)} are compared only with types that have cards in both times. So they do not add up to ${figures} above.`;
}

/**
 * The types that the last 30 days and the time before them are not compared with, because their settings changed: `flip and
 * open`, in the order of the page. Empty if there are none.
 */
function changedTypeNames({ latelyWithout }: Standing, ranked: readonly Standing[]): string {
  return groupNames(ranked.filter(({ group }) => latelyWithout.includes(group)));
}

/**
 * Whether a type's figure of all days lies between that of the last 30 days and that of the time before them. It need not:
 * the two times are compared with fewer types.
 */
function canAddUp({ figures, comparedWith, base }: Standing): boolean {
  const last = figures?.last_30_days?.percentage_points;
  const before = figures?.before?.percentage_points;
  if (comparedWith === 'btc' || base.median === null || last == null || before == null) return true;
  return base.median >= Math.min(last, before) && base.median <= Math.max(last, before);
}

/** Which cards the rows are of. */
function partsWords(
  standings: readonly Standing[],
  endedAt: number | undefined,
  now: number,
): string {
  const areInTwoTimes = standings.some(isInTwoTimes);
  const haveNewerCards = standings.some((standing) => hasNewerCards(standing, now));
  const lastDays = `the ${lastDaysWords(endedAt)}`;
  if (areInTwoTimes && haveNewerCards)
    return `in parts: ${lastDays}, the time before them, and newer cards.`;
  if (haveNewerCards)
    return `of newer cards alone: those of ${lastDays} that came after the verdict was found. So they test it.`;
  return `in parts: ${lastDays}, and the time before them.`;
}

/**
 * Which rows test a verdict, where some do not: `Only cards that came after the verdict was found test it: newer cards, and the
 * last 30 days of pump.` Empty if there are no rows of the two times.
 */
function testWords(
  standings: readonly Standing[],
  endedAt: number | undefined,
  now: number,
): string {
  if (!standings.some(isInTwoTimes)) return '';
  const rows: string[] = [];
  if (standings.some((standing) => hasNewerCards(standing, now))) rows.push('newer cards');
  const withNewerDays = standings.filter(
    (standing) => isSide(standing.word) && areLastDaysNewer(standing, now),
  );
  if (withNewerDays.length > 0)
    rows.push(`the ${lastDaysWords(endedAt)} of ${groupNames(withNewerDays)}`);
  if (rows.length === 0)
    return 'Only cards that came after the verdict was found test it: there are too few yet.';
  return `Only cards that came after the verdict was found test it: ${rows.join(', and ')}.`;
}

const NOT_DRAWN =
  'The last 30 days cannot be compared with the time before yet: too few outcomes of types that kept their settings.';

const SURE_FALL =
  'That a type does less than before is said once it is sure by three standard errors.';

/**
 * `Do these verdicts still hold? pump and spike: yes; dump: not clear`: each type of the picture has one answer, and types with
 * the same answer stand together.
 * @param standings whose verdict is above or below, or was withdrawn
 */
function headingOf(standings: readonly Standing[], past: Past): string {
  const typesByAnswer = groupBy(standings, (standing) => answerOf(standing, past));
  const answers: string[] = [];
  for (const [name, words] of Object.entries(ANSWERS)) {
    const types = typesByAnswer.get(name as Answer) ?? [];
    if (types.length === 0) continue;
    const whom = types.length === standings.length ? allOf(types) : groupNames(types);
    answers.push(`${whom}: ${words}`);
  }
  return `${questionOf(past)} ${answers.join('; ')}`;
}

function questionOf({ endedAt }: Past): string {
  if (endedAt === undefined) return 'Do these verdicts still hold?';
  return `Did these verdicts still hold on ${dayAndMonth(endedAt)}?`;
}

/** All types of the section: the name of a single one, `Both`, `All 3`. */
function allOf(standings: readonly Standing[]): string {
  if (standings.length === 1) return groupNames(standings);
  return standings.length === 2 ? 'Both' : `All ${standings.length}`;
}

/**
 * Whether a verdict still holds, in the order of the heading. Of a type that is below, "less" would read as "even worse": it
 * has its own words. A verdict that newer cards confirm may have ended a few days ago all the same (see `isConfirmed`).
 */
const ANSWERS = {
  yes: 'yes',
  less: 'less than before',
  less_far_below: 'less far below than before',
  no_longer_worse: 'no longer worse',
  not_clear: 'not clear',
  too_few: 'too few newer cards yet',
  withdrawn: 'no (withdrawn)',
} as const;
type Answer = keyof typeof ANSWERS;

function answerOf(standing: Standing, { now }: Past): Answer {
  if (standing.withdrawn !== undefined) return 'withdrawn';
  const less = lessAnswer(standing);
  if (less !== undefined) return less;
  if (isNotClear(standing)) return 'not_clear';
  if (isConfirmed(standing, now)) return 'yes';
  return isTested(standing, now) ? 'not_clear' : 'too_few';
}

/** How a type does less in the last 30 days than before, that is, how it is nearer to 0 or beyond it; undefined if it does not. */
function lessAnswer(standing: Standing): Answer | undefined {
  const { word, lately, isLatelyBesideEnough } = standing;
  if (lately === undefined) return undefined;
  if (word !== 'below') return 'less';
  // Compared with few other types, it may be those types that do worse.
  if (!isLatelyBesideEnough) return undefined;
  return pointsOtherWay(standing) ? 'no_longer_worse' : 'less_far_below';
}

/** Whether the picture has cards of a type that had no part in its verdict. */
function isTested(standing: Standing, now: number): boolean {
  return hasNewerCards(standing, now) || areLastDaysNewer(standing, now);
}

/**
 * `pump: as of its last card, 3 Oct. dump and spike: up to 16 Sep, when the service was last asked.`: of a type with a verdict
 * that sends no cards now, nothing is known of the days since its last card. Of a type that only the service's last 30 days
 * confirm, nothing is known of the days since the service was asked. Empty if the answer is of today for all types.
 */
function asOfWords(standings: readonly Standing[], past: Past): string {
  const typesByDay = groupBy(standings, (standing) => asOfDay(standing, past));
  const sentences: string[] = [];
  for (const [day, types] of typesByDay) {
    if (day !== '') sentences.push(`${groupNames(types)}: ${day}.`);
  }
  return sentences.join(' ');
}

/** `as of its last card, 3 Oct`, `up to 16 Sep, when the service was last asked`; empty if the answer is of today. */
function asOfDay(standing: Standing, { lastCards, now }: Past): string {
  const { askedAt } = standing.base;
  const lastCardAt = lastCards.get(standing.group);
  const isWithoutCards = !sendsCards(standing) || standing.pausedDays !== undefined;
  if (isSide(standing.word) && isWithoutCards && lastCardAt !== undefined)
    return `as of its last card, ${dayAndMonth(lastCardAt)}`;
  const isOfServiceAlone = doesServiceConfirm(standing, now) && !doBoughtConfirm(standing, now);
  if (askedAt === undefined || !isOfServiceAlone) return '';
  return `up to ${dayAndMonth(askedAt)}, when the service was last asked`;
}

/** Whether an interval lies on that side of 0, all of it. */
function isBeyond0({ low, high }: Interval, side: 'above' | 'below'): boolean {
  return side === 'above' ? low > 0 : high < 0;
}

/**
 * Whether cards of the last 30 days that had no part in the verdict show it by themselves, at 95 %. The last 15 days of bought
 * cards must show at least half of it, too: if an edge has ended within the 30 days, their mean still shows it.
 *
 * Simulated (numpy; 4 bought cards a day, an edge of 2 pp that was found 45 days ago): confirmed are 80 % of the edges that live,
 * 31 % of those that ended 10 days ago, and 11 % of those that ended 15 days ago. Without the 15 days these are 85, 50 and 29 %,
 * and by all cards since the verdict 91, 65 and 44 %.
 */
function isConfirmed(standing: Standing, now: number): boolean {
  return doBoughtConfirm(standing, now) || doesServiceConfirm(standing, now);
}

function doBoughtConfirm(standing: Standing, now: number): boolean {
  const isIn30Days = areNewestOnSide(standing, now);
  return isIn30Days && !isUnderHalfOfAllDays(standing, standing.newest?.inLast15Days);
}

/** Whether the row of the bought cards that came after the verdict lies on its side of 0. */
function areNewestOnSide(standing: Standing, now: number): boolean {
  const { word, newest, base } = standing;
  const interval = newest?.interval_95 ?? null;
  if (hasNewerCards(standing, now))
    return isSide(word) && interval !== null && isBeyond0(interval, word);
  return base.source === 'bought' && areLastDaysNewer(standing, now) && areLastDaysOnSide(standing);
}

/**
 * The service's last 30 days are those before it was asked: they confirm a verdict up to then. They do not where the newest
 * bought cards show less than half of it: the edge may have ended since.
 */
function doesServiceConfirm(standing: Standing, now: number): boolean {
  if (standing.base.source !== 'service' || doBoughtCallInDoubt(standing, now)) return false;
  return areLastDaysNewer(standing, now) && areLastDaysOnSide(standing);
}

/** Whether the row of newer cards touches 0, and shows less than half of the type's difference. */
function doBoughtCallInDoubt(standing: Standing, now: number): boolean {
  if (!hasNewerCards(standing, now) || areNewestOnSide(standing, now)) return false;
  return isUnderHalfOfAllDays(standing, standing.newest?.percentage_points);
}

/**
 * `pump: +0.3 pp in the last 15 days, less than half of its difference. So it is not clear whether it still holds.`, of each type
 * that newer cards would confirm but for that. Empty if there is none.
 */
function endedWithinWords(standings: readonly Standing[], now: number): string {
  const sentences: string[] = [];
  for (const standing of standings) {
    const points = standing.newest?.inLast15Days ?? null;
    const isHeldBack = areNewestOnSide(standing, now) && !isConfirmed(standing, now);
    if (!isHeldBack || points === null) continue;
    sentences.push(
      `${label(standing.group)}: ${signedFigure(points, 1)} pp in the last 15 days, less than half of its difference. So it is not clear whether it still holds.`,
    );
  }
  return sentences.join(' ');
}

/** The last 30 days end with the last whole UTC day whose outcomes are due, up to 2 days ago: so they begin up to 32 days ago. */
const LAST_DAYS_BEGIN = 32 * DAY;

/** Whether all cards of the last 30 days came after the verdict was found. */
function areLastDaysNewer(standing: Standing, now: number): boolean {
  const { wordSince, base } = standing;
  // The service's last 30 days are those before it was asked.
  const until = base.source === 'service' ? (base.askedAt ?? now) : now;
  const isFoundBefore = wordSince !== undefined && wordSince <= until - LAST_DAYS_BEGIN;
  return isFoundBefore && isInTwoTimes(standing);
}

/** Whether the last 30 days show the verdict by themselves, at 95 %. */
function areLastDaysOnSide({ word, figures }: Standing): boolean {
  const interval = figures?.last_30_days?.interval_95 ?? null;
  return isSide(word) && interval !== null && isBeyond0(interval, word);
}

function groupNames(standings: readonly Standing[]): string {
  return labels(standings.map(({ group }) => group));
}

/**
 * Whether the last 30 days show little of a type's verdict: they are on the other side of 0, or they touch it and are less than
 * half of what was before. Not of types that surely do less: other words tell of them.
 */
function isNotClear(standing: Standing): boolean {
  const isLittle = underHalfLatelyText(standing) !== undefined;
  return standing.lately === undefined && isLittle && !areLastDaysOnSide(standing);
}

const WHEN_VERDICTS_END =
  'A verdict counts all days. It ends when its thick line in the first picture touches 0.';

/** What a type's rows need to know besides its standing. */
interface AroundGroup {
  /** All types of the page. */
  readonly ranked: readonly Standing[];
  /** Whether some types are compared with other cards, and some with BTC. */
  readonly isMixed: boolean;
  readonly endedAt: Past['endedAt'];
  readonly now: Past['now'];
}

/**
 * `also vs flip and open`: the types that only the row of newer cards is compared with, and not the rows of the last 30 days
 * and the time before them. Empty if all three are compared with the same types.
 */
function furtherTypesWords(standing: Standing, ranked: readonly Standing[]): string {
  if (!isInTwoTimes(standing)) return '';
  const leftOut = changedTypeNames(standing, ranked);
  if (leftOut !== '') return `also vs ${leftOut}`;
  return canAddUp(standing) ? '' : 'vs all other types';
}

function groupOf(standing: Standing, around: AroundGroup): ForestGroup {
  const { group, comparedWith } = standing;
  const earlierVerdict = withdrawnFromTo(standing);
  const name = earlierVerdict === undefined ? label(group) : `${label(group)}, ${earlierVerdict}`;
  const parts = [...twoTimes(standing, around), ...newerCards(standing, around)];
  return {
    heading: around.isMixed && comparedWith === 'btc' ? `${name} (vs BTC)` : name,
    rows: parts.filter(({ interval }) => interval !== null).map(rowOfPart),
  };
}

/** The last 30 days and the time before them; none if they are not known of enough other cards. */
function twoTimes(standing: Standing, { endedAt }: AroundGroup): PartInTime[] {
  const { figures, base, isLatelyBesideEnough } = standing;
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  if (!isLatelyBesideEnough || last === null || before === null) return [];
  const source = base.source === 'service' ? "the service's outcomes" : '';
  return [
    {
      name: lastDaysWords(endedAt),
      source,
      median: last.percentage_points,
      interval: last.interval_95,
    },
    {
      name: 'before them',
      source,
      median: before.percentage_points,
      interval: before.interval_95,
    },
  ];
}

/** The cards of the last 30 days that came after the verdict was found; none if another row has them. */
function newerCards(standing: Standing, { ranked, now }: AroundGroup): PartInTime[] {
  const { newest, base } = standing;
  if (newest === undefined || !hasNewerCards(standing, now)) return [];
  const remarks = [
    // The other rows of this type are of all outcomes, from the service.
    base.source === 'service' ? 'those you bought' : '',
    furtherTypesWords(standing, ranked),
  ];
  return [
    {
      name: `newer cards, since ${dayAndMonth(newest.since)}`,
      source: remarks.filter((words) => words !== '').join(', '),
      outcomes: newest.outcomes,
      median: newest.percentage_points,
      interval: newest.interval_95,
    },
  ];
}

/** The difference of some of a type's cards, percentage points. */
interface PartInTime {
  readonly name: string;
  /** `those you bought, also vs flip`, where rows of one type rest on different outcomes or comparisons; else empty. */
  readonly source: string;
  readonly median: number | null;
  readonly interval: Interval | null;
  /** How many outcomes it rests on; undefined if the row does not say it. */
  readonly outcomes?: number;
}

/** Without a `word`, so without a colour: colour is a verdict, and a part of the cards has none. */
function rowOfPart({ name, source, median, interval, outcomes }: PartInTime): ForestRow {
  return {
    name,
    word: null,
    verdict: '',
    remark: source,
    marks: [{ word: null, median, interval, sureInterval: undefined, says: '' }],
    size:
      outcomes !== undefined && html`<span class="range">${pluralize(outcomes, 'outcome')}</span>`,
    details: false,
  };
}
