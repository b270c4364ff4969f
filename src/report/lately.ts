/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { BoughtCards } from '../outcomes/last-30-days.ts';
import {
  type PastVerdict,
  rankStandings,
  type Standing,
  sendsCards,
} from '../outcomes/standing.ts';
import {
  areLastDaysATest,
  areNewestOnSide,
  doubtOf,
  hasNewerCards,
  isInTwoTimes,
  pointsOtherWay,
  type StillHolds,
  stillHolds,
} from '../outcomes/still-holds.ts';
import { dayAndMonth } from '../output/format.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import { withdrawnFromTo } from '../output/views/withdrawn-verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestGroup, type ForestRow, forest } from './forest.ts';
import { html, label, labels, type Markup, notes, section } from './markup.ts';
import { recordWords } from './record.ts';

/** What the types of the picture are compared with, in words for a sentence (`whom`) and for the title of the column. */
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
  /** How many UTC days the page is about. */
  readonly days: number;
  /** When the history ends if exports have stopped, epoch milliseconds UTC; undefined while they run. */
  readonly endedAt: number | undefined;
  /** When the newest card of each type came, epoch milliseconds UTC. */
  readonly lastCards: ReadonlyMap<string, number>;
}

export function latelySection(standings: readonly Standing[], past: Past): Markup | undefined {
  const { record, days, endedAt } = past;
  const ranked = rankStandings(standings);
  const withdrawn = ranked.filter((standing) => standing.withdrawn !== undefined);
  // Withdrawn verdicts come first, because they answer the question of the heading.
  const withVerdict = [...withdrawn, ...ranked.filter(({ verdict }) => isSide(verdict))];
  const comparison = comparisonOfAll(withVerdict);
  const groups = withVerdict
    .map((standing) => groupOf(standing, { ranked, isMixed: comparison === 'mixed', endedAt }))
    .filter(({ rows }) => rows.length > 0);
  const isDrawn = groups.length > 0;
  if (!isDrawn && withdrawn.length === 0) return undefined;
  const { whom, column } = COLUMN_WORDS[comparison];
  // A reader may wonder why a verdict stands that newer cards do not show.
  const isAnyDoubtful = withVerdict.some(
    (standing) => answerOf(standing) === 'not_clear' || pointsOtherWay(standing),
  );
  const isAnyNotClear = withVerdict.some((standing) => answerOf(standing) === 'not_clear');
  const whyTheyStand = [isAnyNotClear ? NOT_CLEAR : '', isAnyDoubtful ? WHEN_VERDICTS_END : '']
    .join(' ')
    .trim();
  const differing = differingWords(withVerdict, ranked);
  const isSameComparison = differing === '';
  const comparisonText = comparisonWords(withVerdict, { isSameComparison, whom, endedAt });
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
        decides: withVerdict.some(({ lessLately }) => lessLately !== undefined) ? SURE_FALL : '',
        // A type with a verdict has an interval in the picture of all types.
        hasLegendAbove: true,
      }),
    ...notes(
      isDrawn && differing,
      asOfWords(withVerdict, past),
      recordWords(record, withVerdict, { days, endedAt }),
    ),
  );
}

/** `last 30 days`, or `30 days to 8 Oct`. @param until epoch milliseconds UTC; undefined if they end now */
function lastDaysWords(until: number | undefined): string {
  return until === undefined ? 'last 30 days' : `30 days to ${dayAndMonth(until)}`;
}

/**
 * `last 30 days`; `30 days to 8 Oct`, if the last 30 days of all these types ended then; `last 30 days that are known`, if they ended
 * on several days.
 */
function lastDaysOfAllWords(standings: readonly Standing[], endedAt: number | undefined): string {
  const ends = new Set(
    standings
      .filter(isInTwoTimes)
      .map((standing) => lastDaysWords(standing.lastDaysUntil ?? endedAt)),
  );
  const [end = lastDaysWords(endedAt), ...furtherEnds] = ends;
  return furtherEnds.length > 0 ? 'last 30 days that are known' : end;
}

interface ComparisonWords {
  /** Whether the rows are compared with the same cards as the figures of all days, in the first picture. */
  readonly isSameComparison: boolean;
  /** `your other cards` */
  readonly whom: string;
  readonly endedAt: Past['endedAt'];
}

/** `The same comparison with your other cards, in parts: the last 30 days, and the time before them.` */
function comparisonWords(
  standings: readonly Standing[],
  { isSameComparison, whom, endedAt }: ComparisonWords,
): string {
  const comparison = isSameComparison ? 'The same comparison' : 'The comparison';
  const words = `${comparison} with ${whom}, ${partsWords(standings, endedAt)}`;
  return [words, testWords(standings, endedAt)].filter((text) => text !== '').join(' ');
}

/**
 * Why the last 30 days and the time before them need not add up to a type's figure of all days: in both times the type is
 * compared only with types that kept their settings, and that have cards in both times. Empty if they add up for each type.
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
function changedTypeNames({ othersLeftOutInTime }: Standing, ranked: readonly Standing[]): string {
  return groupNames(ranked.filter(({ group }) => othersLeftOutInTime.includes(group)));
}

/**
 * Whether a type's figure for all days lies between its figure for the last 30 days and its figure for the time before. It need
 * not lie there, because the two times are compared with fewer types.
 */
function canAddUp({ figures, comparedWith, base }: Standing): boolean {
  const last = figures?.last_30_days?.percentage_points;
  const before = figures?.before?.percentage_points;
  if (comparedWith === 'btc' || base.median === null || last == null || before == null) return true;
  return base.median >= Math.min(last, before) && base.median <= Math.max(last, before);
}

/** Which cards the rows count. */
function partsWords(standings: readonly Standing[], endedAt: number | undefined): string {
  const areInTwoTimes = standings.some(isInTwoTimes);
  const haveNewerCards = standings.some(hasNewerCards);
  const lastDays = `the ${lastDaysOfAllWords(standings, endedAt)}`;
  if (areInTwoTimes && haveNewerCards)
    return `in parts: ${lastDays}, the time before them, and newer cards.`;
  if (haveNewerCards)
    return `of newer cards alone: those of ${lastDays} that came after the verdict was found. So they test it.`;
  return `in parts: ${lastDays}, and the time before them.`;
}

/**
 * Which rows test a verdict: `A verdict is tested by cards that came after it, at most 30 days old: the rows
 * "newer cards", and the last 30 days of pump.` Empty if the picture has only rows of newer cards: all of them test
 * it.
 */
function testWords(standings: readonly Standing[], endedAt: number | undefined): string {
  if (!standings.some(isInTwoTimes)) return '';
  const rows: string[] = [];
  if (standings.some(hasNewerCards)) rows.push('the rows "newer cards"');
  const withNewerDays = standings.filter(
    (standing) => isSide(standing.verdict) && areLastDaysATest(standing),
  );
  if (withNewerDays.length > 0)
    rows.push(`the ${lastDaysOfAllWords(withNewerDays, endedAt)} of ${groupNames(withNewerDays)}`);
  const what = 'A verdict is tested by cards that came after it, at most 30 days old';
  if (rows.length === 0) return `${what}: there are too few yet.`;
  return `${what}: ${rows.join(', and ')}.`;
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
  const typesByAnswer = groupBy(standings, answerOf);
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
 * Whether a verdict still holds, in the order of the heading. A type that is below has words of its own: "less" would read as
 * "even worse".
 */
const ANSWERS = {
  yes: 'yes',
  less: 'less than before',
  less_far_below: 'less far below than before',
  no_longer_worse: 'no longer worse',
  not_clear: 'not clear',
  too_few: 'newer cards cannot tell yet',
  withdrawn: 'no (withdrawn)',
} as const satisfies Readonly<Record<StillHolds | 'less_far_below' | 'no_longer_worse', string>>;
type Answer = keyof typeof ANSWERS;

function answerOf(standing: Standing): Answer {
  const answer = stillHolds(standing);
  const isLessBad = answer === 'less' && standing.verdict === 'below';
  if (!isLessBad) return answer;
  return pointsOtherWay(standing) ? 'no_longer_worse' : 'less_far_below';
}

/**
 * Says up to which day the answer is known: `pump: as of its last card, 3 Oct. dump and spike: up to 16 Sep, when the service
 * was last asked.` A type that sends no cards now is known up to its last card. A type that only the service's last 30 days
 * confirm is known up to the day on which the service was last asked. Empty if the answer is of today for all types.
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
function asOfDay(standing: Standing, { lastCards }: Past): string {
  const { askedAt } = standing.base;
  const lastCardAt = lastCards.get(standing.group);
  const isWithoutCards = !sendsCards(standing) || standing.pausedDays !== undefined;
  if (isSide(standing.verdict) && isWithoutCards && lastCardAt !== undefined)
    return `as of its last card, ${dayAndMonth(lastCardAt)}`;
  const isOfServiceAlone = stillHolds(standing) === 'yes' && !areNewestOnSide(standing);
  if (askedAt === undefined || !isOfServiceAlone) return '';
  return `up to ${dayAndMonth(askedAt)}, when the service was last asked`;
}

function groupNames(standings: readonly Standing[]): string {
  return labels(standings.map(({ group }) => group));
}

const NOT_CLEAR =
  'Not clear: newer cards show less than half of the difference, and their 95 % interval reaches 0, but not what was known before.';

const WHEN_VERDICTS_END =
  'A verdict counts all days. It ends when its thick line in the first picture touches 0.';

/** What a type's rows need to know besides its standing. */
interface AroundGroup {
  /** All types of the page. */
  readonly ranked: readonly Standing[];
  /** Whether some types are compared with other cards, and some with BTC. */
  readonly isMixed: boolean;
  readonly endedAt: Past['endedAt'];
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

/** The last 30 days and the time before them; none if they are not known, or not compared with enough other cards. */
function twoTimes(standing: Standing, { endedAt }: AroundGroup): PartInTime[] {
  const { figures, base, hasEnoughOthersInTime } = standing;
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  if (!hasEnoughOthersInTime || last === null || before === null) return [];
  const source = base.source === 'service' ? "the service's outcomes" : '';
  return [
    {
      name: lastDaysWords(standing.lastDaysUntil ?? endedAt),
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

/**
 * The cards of the last 30 days that came after the verdict was found, if no other row shows the same cards; and the cards of the
 * last 15 days, if these alone cast doubt on the verdict.
 */
function newerCards(standing: Standing, { ranked }: AroundGroup): PartInTime[] {
  const { newest, base } = standing;
  if (newest === undefined) return [];
  const remarks = [
    // The other rows of this type are the service's, and count all outcomes.
    base.source === 'service' ? 'those you bought' : '',
    furtherTypesWords(standing, ranked),
  ];
  const source = remarks.filter((words) => words !== '').join(', ');
  const rowOf = (name: string, cards: BoughtCards): PartInTime => ({
    name,
    source,
    outcomes: cards.outcomes,
    median: cards.percentage_points,
    interval: cards.interval_95,
  });
  const rows: PartInTime[] = [];
  if (hasNewerCards(standing)) {
    rows.push(rowOf(`newer cards, since ${dayAndMonth(newest.since)}`, newest));
  }
  const { last15Days } = newest;
  if (doubtOf(standing)?.cards === 'last_15_days' && last15Days !== undefined) {
    rows.push(rowOf('newer cards, last 15 days', last15Days));
  }
  return rows;
}

/** The difference of some of a type's cards, percentage points. */
interface PartInTime {
  readonly name: string;
  /**
   * What is different in this row: `those you bought, also vs flip`. Empty unless the rows of the type rest on different
   * outcomes or comparisons.
   */
  readonly source: string;
  readonly median: number | null;
  readonly interval: Interval | null;
  /** How many outcomes it rests on; undefined if the row does not say it. */
  readonly outcomes?: number;
}

/** The row has no colour (`verdict`), because colour shows a verdict, and a part of the cards has none. */
function rowOfPart({ name, source, median, interval, outcomes }: PartInTime): ForestRow {
  return {
    name,
    verdict: null,
    belowName: '',
    remark: source,
    marks: [{ verdict: null, median, interval }],
    size:
      outcomes !== undefined && html`<span class="range">${pluralize(outcomes, 'outcome')}</span>`,
  };
}
