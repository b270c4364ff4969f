/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { NewestCards } from '../outcomes/doubt.ts';
import type { FiguresOfTimes } from '../outcomes/last-30-days.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import { isInDoubt, pointsOtherWay, type StillHolds, stillHolds } from '../outcomes/still-holds.ts';
import { dayAndMonth } from '../output/format.ts';
import { newerAndBefore, newerAndBeforeText } from '../output/views/last-30-days.ts';
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
}

export function latelySection(standings: readonly Standing[], past: Past): Markup | undefined {
  const { record, days, endedAt } = past;
  const ranked = rankStandings(standings);
  const withdrawn = ranked.filter((standing) => standing.withdrawn !== undefined);
  // The types that the heading asks about. Withdrawn verdicts come first, because they answer its question.
  const askedAbout = [...withdrawn, ...ranked.filter(({ verdict }) => isSide(verdict))];
  const comparison = comparisonOfAll(askedAbout);
  const groups = askedAbout
    .map((standing) => groupOf(standing, { isMixed: comparison === 'mixed', endedAt }))
    .filter(({ rows }) => rows.length > 0);
  const isDrawn = groups.length > 0;
  if (!isDrawn && withdrawn.length === 0) return undefined;
  const { whom, column } = COLUMN_WORDS[comparison];
  // Newer cards do not show some verdict, and yet it stands: the text says when verdicts end.
  const doesAnyLookWrong = askedAbout.some((standing) => {
    return stillHolds(standing) === 'not_clear' || pointsOtherWay(standing);
  });
  const sentences = [
    doubtWords(askedAbout),
    doesAnyLookWrong ? WHEN_VERDICTS_END : '',
    isDrawn ? rowsWords(askedAbout, whom) : NOT_DRAWN,
  ];
  return section(
    'lately',
    headingOf(askedAbout, past),
    sentences.filter((sentence) => sentence !== '').join(' '),
    isDrawn &&
      forest(groups, {
        label: 'Types that are above or below, in parts',
        columns: [{ title: column, sides: ['below', 'above'] }],
        point: 'median',
        level: '95 %',
        decides: askedAbout.some(({ lessLately }) => lessLately !== undefined) ? SURE_FALL : '',
        // A type with a verdict has an interval in the picture of all types, which is above this one and has explained the marks.
        hasLegendAbove: true,
      }),
    ...notes(recordWords(record, askedAbout, { days, endedAt })),
  );
}

/** `last 30 days`, or `30 days to 8 Oct`. @param until epoch milliseconds UTC; undefined if they end now */
function lastDaysWords(until: number | undefined): string {
  return until === undefined ? 'last 30 days' : `30 days to ${dayAndMonth(until)}`;
}

/** What the rows are, and which of them test a verdict. */
function rowsWords(standings: readonly Standing[], whom: string): string {
  const sentences = [`Each type is compared with ${whom}.`];
  if (standings.some(areTwoTimesDrawn)) sentences.push(TWO_TIMES);
  if (standings.some(({ newest }) => newest !== undefined && newest.interval_95 !== null))
    sentences.push(TESTS);
  return sentences.join(' ');
}

const TWO_TIMES =
  'These rows leave out types that sent no cards in one of the two times, or changed their settings. So they may differ from the figure above.';

const TESTS =
  'A verdict is tested by the cards that came after it, of the last 20 days; and by those of the last 30 days if all of them came after it.';

const NOT_DRAWN =
  'The last 30 days cannot be compared with the time before yet: too few outcomes of types that kept their settings.';

const SURE_FALL = 'That a type does less than before is said once it is 99.7 % sure.';

/**
 * `Do these verdicts still hold? pump and spike: yes; dump: perhaps not any more`: each type of the picture has one answer, and types with
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
  not_clear: 'perhaps not any more',
  too_few: 'newer cards cannot tell yet',
  withdrawn: 'no (withdrawn)',
} as const satisfies Readonly<Record<StillHolds | 'less_far_below', string>>;
type Answer = keyof typeof ANSWERS;

function answerOf(standing: Standing): Answer {
  const answer = stillHolds(standing);
  return answer === 'less' && standing.verdict === 'below' ? 'less_far_below' : answer;
}

function groupNames(standings: readonly Standing[]): string {
  return labels(standings.map(({ group }) => group));
}

const WHEN_VERDICTS_END =
  'A verdict counts all days. It ends when its thick line in the first picture touches 0.';

/** `pump: +0.70 since 9 Sep, +3.00 before.`, of each type that newer cards cast doubt on. */
function doubtWords(standings: readonly Standing[]): string {
  const sentences: string[] = [];
  for (const standing of standings) {
    const { group, newest } = standing;
    const figures = isInDoubt(standing) ? newerAndBefore(standing) : undefined;
    if (figures === undefined || newest === undefined) continue;
    sentences.push(
      `${label(group)}: ${newerAndBeforeText({ ...figures, when: sinceWords(newest) })}.`,
    );
  }
  return sentences.join(' ');
}

/** `since 9 Sep`: a report is read later, so it names the day instead of `5 days ago`. */
function sinceWords({ since }: Pick<NewestCards, 'since'>): string {
  return `since ${dayAndMonth(since)}`;
}

/** What a type's rows need to know besides its standing. */
interface AroundGroup {
  /** Whether some types are compared with other cards, and some with BTC. */
  readonly isMixed: boolean;
  readonly endedAt: Past['endedAt'];
}

function groupOf(standing: Standing, around: AroundGroup): ForestGroup {
  const { group, comparedWith } = standing;
  const earlierVerdict = withdrawnFromTo(standing);
  const name = earlierVerdict === undefined ? label(group) : `${label(group)}, ${earlierVerdict}`;
  const parts = [...twoTimes(standing, around), ...newerCards(standing)];
  return {
    heading: around.isMixed && comparedWith === 'btc' ? `${name} (vs BTC)` : name,
    rows: parts.filter(({ interval }) => interval !== null).map(rowOfPart),
  };
}

/** Whether the picture has a row of the last 30 days of a type, or of the time before them. */
function areTwoTimesDrawn(standing: Standing): boolean {
  const times = timesOf(standing);
  if (times === undefined) return false;
  return times.last30Days.interval_95 !== null || times.earlier.interval_95 !== null;
}

/**
 * The figures of the last 30 days and of the time before them. Undefined if one of the two is not known, and for a type in doubt:
 * beside its newest cards, its last 30 days would seem to say the contrary, because they begin earlier.
 */
function timesOf(standing: Standing): FiguresOfTimes | undefined {
  if (isInDoubt(standing)) return undefined;
  const last30Days = standing.figures?.last_30_days ?? null;
  const earlier = standing.figures?.before ?? null;
  return last30Days === null || earlier === null ? undefined : { last30Days, earlier };
}

/** The last 30 days and the time before them. */
function twoTimes(standing: Standing, { endedAt }: AroundGroup): PartInTime[] {
  const times = timesOf(standing);
  if (times === undefined) return [];
  const { last30Days, earlier } = times;
  const source = standing.base.source === 'service' ? "the service's outcomes" : '';
  return [
    {
      name: lastDaysWords(standing.lastDaysUntil ?? endedAt),
      source,
      median: last30Days.percentage_points,
      interval: last30Days.interval_95,
    },
    {
      name: 'before them',
      source,
      median: earlier.percentage_points,
      interval: earlier.interval_95,
    },
  ];
}

/** The cards of the last 20 days that came after the verdict was found; none if there are too few of them. */
function newerCards({ newest, base }: Standing): PartInTime[] {
  if (newest === undefined) return [];
  return [
    {
      name: `newer cards, ${sinceWords(newest)}`,
      // The other rows of this type are the service's, and count all outcomes.
      source: base.source === 'service' ? 'those you bought' : '',
      outcomes: newest.outcomes,
      median: newest.percentage_points,
      interval: newest.interval_95,
    },
  ];
}

/** The difference of some of a type's cards, percentage points. */
interface PartInTime {
  readonly name: string;
  /** On which outcomes the row rests: `those you bought`. Empty if all figures of the type rest on bought outcomes. */
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
