/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { pluralize } from '../base/units.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import { withdrawnText } from '../output/views/verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide, type Word } from '../statistics/rule.ts';
import { type ForestGroup, type ForestRow, forest } from './forest.ts';
import { html, label, type Markup, note, section } from './markup.ts';
import { recordWords } from './record.ts';

/** What the types of the picture are compared with. */
const WORDS: Readonly<Record<ComparisonOfAll, { readonly whom: string; readonly column: string }>> =
  {
    others: { whom: 'your other cards', column: 'vs other cards' },
    btc: { whom: 'BTC', column: 'vs BTC' },
    mixed: {
      whom: 'your other cards, or with BTC where that is named',
      column: 'vs other cards or BTC',
    },
  };

/** What the section knows besides the standings. */
interface Past {
  /** Of verdicts above and below that the notebook has of the time of the page. */
  readonly record: readonly PastVerdict[];
  /** UTC days of the page. */
  readonly days: number;
  /** Where the history ends if nothing was exported of late, epoch milliseconds UTC; undefined if exports do their work. */
  readonly endedAt: number | undefined;
}

export function latelySection(
  standings: readonly Standing[],
  { record, days, endedAt }: Past,
): Markup | undefined {
  const ranked = rankStandings(standings);
  // Those that no longer hold first: they answer the question.
  const withVerdict = [
    ...ranked.filter(({ withdrawn }) => withdrawn !== undefined),
    ...ranked.filter(({ word }) => isSide(word)),
  ];
  const comparison = comparisonOfAll(withVerdict);
  const groups = withVerdict
    .map((standing) => groupOf(standing, comparison === 'mixed', endedAt))
    .filter(({ rows }) => rows.length > 0);
  const isAnyWithdrawn = withVerdict.some(({ withdrawn }) => withdrawn !== undefined);
  if (groups.length === 0 && !isAnyWithdrawn) return undefined;
  const { whom, column } = WORDS[comparison];
  const news = [
    ...changedWords(withVerdict, endedAt),
    ...againstVerdictWords(withVerdict, endedAt),
  ].join(' ');
  const about =
    groups.length === 0
      ? NOT_DRAWN
      : `The same comparison with ${whom}, ${partsWords(withVerdict, endedAt)}`;
  // Then the heading has counted them.
  const isHeadingWhole = isAnyWithdrawn && record.length === withVerdict.length;
  return section(
    'lately',
    headingOf(withVerdict, endedAt),
    news === '' ? about : news,
    news !== '' && html`<p>${about}</p>\n`,
    groups.length > 0 &&
      forest(groups, {
        label: 'Types that are above or below, in parts',
        columns: [{ title: column, sides: ['below', 'above'] }],
        point: 'median',
        size: '',
        sureLevel: undefined,
        decides: withVerdict.some(isInTwoTimes) ? SURE_FALL : '',
        // A type with a verdict has an interval in the picture of all types.
        isExplained: true,
      }),
    note(!isHeadingWhole && recordWords(record, days, endedAt)),
  );
}

/** `last 30 days`, or `30 days to 8 Oct`. @param endedAt see `Past` */
function lastDaysWords(endedAt: number | undefined): string {
  return endedAt === undefined ? 'last 30 days' : `30 days to ${dayAndMonth(endedAt)}`;
}

/** Whether the last 30 days and the time before can be compared. */
function isInTwoTimes({ figures }: Standing): boolean {
  return figures?.last_30_days?.interval_95 != null && figures.before?.interval_95 != null;
}

/** Whether there are cards that had no part in the verdict. */
function hasLaterCards({ word, wordSince, figures }: Standing): boolean {
  return isSide(word) && wordSince !== undefined && figures?.since_then?.interval_95 != null;
}

/** Of which cards the rows are. */
function partsWords(standings: readonly Standing[], endedAt: number | undefined): string {
  const areInTwoTimes = standings.some(isInTwoTimes);
  const haveLaterCards = standings.some(hasLaterCards);
  const lastDays = `the ${lastDaysWords(endedAt)}`;
  if (areInTwoTimes && haveLaterCards)
    return `in parts: ${lastDays}, the time before them, and the cards since the verdict was found. Those cards had no part in the verdict: they test it.`;
  return haveLaterCards
    ? 'of the cards since the verdict was found. They had no part in the verdict: they test it.'
    : `in parts: ${lastDays}, and the time before them.`;
}

const NOT_DRAWN = 'The last 30 days cannot be compared with the time before yet.';

const SURE_FALL = 'A type is said to do less lately once that is sure by three standard errors.';

/**
 * @param standings whose verdict is above or below, or was taken back
 * @param endedAt see `Past`
 */
function headingOf(standings: readonly Standing[], endedAt: number | undefined): string {
  const less = standings.filter(({ lately }) => lately !== undefined);
  const names = new Intl.ListFormat('en-GB').format(less.map(({ group }) => label(group)));
  const findings: string[] = [];
  const withdrawn = withdrawnWords(standings);
  if (withdrawn !== '') findings.push(withdrawn);
  if (less.length > 0) findings.push(`${names}: less in the ${lastDaysWords(endedAt)} than before`);
  if (findings.length > 0) return findings.join('. ');
  if (!standings.some(isInTwoTimes)) return 'Do these verdicts still hold? Too early to say';
  // It must not calm: what is not sure may still be so.
  return endedAt === undefined
    ? 'Do these verdicts still hold? No fall is sure yet'
    : `Do these verdicts still hold? On ${dayAndMonth(endedAt)} no fall was sure yet`;
}

/** `1 of 3 verdicts no longer holds: pump, since 2 Nov`. Empty if all hold. */
function withdrawnWords(standings: readonly Standing[]): string {
  const names: string[] = [];
  for (const { group, withdrawn } of standings)
    if (withdrawn !== undefined)
      names.push(`${label(group)}, since ${dayAndMonth(withdrawn.until)}`);
  if (names.length === 0) return '';
  const hold = names.length === 1 ? 'holds' : 'hold';
  const which =
    standings.length === 1 ? 'The only verdict' : `${names.length} of ${standings.length} verdicts`;
  return `${which} no longer ${hold}: ${names.join('; ')}`;
}

/** How the last 30 days of a type compare with the time before. */
type Direction = 'better' | 'worse';

/** Whether the two 95 % intervals of a type do not touch; undefined if they do, or if one of them is not known. */
function directionOf({ figures }: Standing): Direction | undefined {
  const last = figures?.last_30_days?.interval_95 ?? null;
  const before = figures?.before?.interval_95 ?? null;
  if (last === null || before === null) return undefined;
  if (last.low > before.high) return 'better';
  return last.high < before.low ? 'worse' : undefined;
}

const NEIGHBOURS: Readonly<Record<Direction, string>> = {
  better:
    'It may be the other types: a type looks better beside types that do worse than they did.',
  worse: 'It may be the other types: a type looks worse beside types that do better than they did.',
};

/** Which types did better or worse lately, where the picture shows two lines that do not touch and no heading says it. */
function changedWords(standings: readonly Standing[], endedAt: number | undefined): string[] {
  const sentences: string[] = [];
  for (const direction of ['worse', 'better'] as const) {
    const changed = standings.filter(
      (standing) =>
        directionOf(standing) === direction &&
        standing.lately === undefined &&
        standing.withdrawn === undefined,
    );
    if (changed.length === 0) continue;
    const names = new Intl.ListFormat('en-GB').format(changed.map(({ group }) => label(group)));
    // Of a type that moves away from 0, nothing is tested.
    const isFall = changed.some(({ word }) => (word === 'above') === (direction === 'worse'));
    const is = endedAt === undefined ? 'is' : 'was';
    const notSure = isFall ? `; that ${is} not sure yet` : '';
    const lastDays = lastDaysWords(endedAt);
    sentences.push(`${names} did ${direction} in the ${lastDays} than before${notSure}.`);
    if (changed.some(({ comparedWith }) => comparedWith === 'others'))
      sentences.push(NEIGHBOURS[direction]);
  }
  return sentences;
}

const OTHER_SIDE = { above: 'below', below: 'above' } as const;

/** Why a verdict stands though the last 30 days lie on the other side of 0, a sentence for each side. */
function againstVerdictWords(
  standings: readonly Standing[],
  endedAt: number | undefined,
): string[] {
  const sentences: string[] = [];
  for (const side of ['above', 'below'] as const) {
    const types = standings.filter(({ word, figures }) => {
      const last = figures?.last_30_days?.percentage_points ?? 0;
      return word === side && (side === 'above' ? last < 0 : last > 0);
    });
    if (types.length === 0) continue;
    const names = new Intl.ListFormat('en-GB').format(types.map(({ group }) => label(group)));
    const was = types.length === 1 ? 'was' : 'were';
    const are = types.length === 1 ? 'is' : 'are';
    sentences.push(
      `${names} ${was} ${OTHER_SIDE[side]} 0 in the ${lastDaysWords(endedAt)}, but ${are} still called ${side}: a verdict is of all days together, and ends once their thick line reaches 0.`,
    );
  }
  return sentences;
}

/**
 * @param isMixed whether some types are compared with other cards, and some with BTC
 * @param endedAt see `Past`
 */
function groupOf(standing: Standing, isMixed: boolean, endedAt: number | undefined): ForestGroup {
  const { group, figures, word, wordSince, comparedWith } = standing;
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  const later = figures?.since_then ?? null;
  const parts: Part[] = [];
  const lastDays = lastDaysWords(endedAt);
  if (last !== null && before !== null) {
    parts.push(
      { name: lastDays, median: last.percentage_points, interval: last.interval_95 },
      { name: 'before them', median: before.percentage_points, interval: before.interval_95 },
    );
  }
  if (isSide(word) && wordSince !== undefined && later !== null) {
    parts.push({
      name: `since found, ${dayAndMonth(wordSince)}`,
      median: later.difference_percentage_points,
      interval: later.interval_95,
      outcomes: later.cards,
    });
  }
  const earlier = withdrawnText(standing);
  const name = earlier === undefined ? label(group) : `${label(group)}, ${earlier}`;
  return {
    heading: isMixed && comparedWith === 'btc' ? `${name} (vs BTC)` : name,
    rows: parts.filter(({ interval }) => interval !== null).map((part) => rowOf(part, word)),
  };
}

/** The difference of some of a type's cards, percentage points. */
interface Part {
  readonly name: string;
  readonly median: number | null;
  readonly interval: Interval | null;
  /** How many cards it is of; undefined if the row does not say it. */
  readonly outcomes?: number;
}

/** @param word of the type: it gives the row its colour, if its whole 95 % interval is on that side of zero */
function rowOf({ name, median, interval, outcomes }: Part, word: Word | null): ForestRow {
  const isAbove = interval !== null && interval.low > 0;
  const isBelow = interval !== null && interval.high < 0;
  const isOnSide = (word === 'above' && isAbove) || (word === 'below' && isBelow);
  const colour = isOnSide ? word : null;
  const size = outcomes === undefined ? '' : pluralize(outcomes, 'outcome');
  return {
    name,
    word: null,
    verdict: '',
    remark: '',
    marks: [{ word: colour, median, interval, sureInterval: undefined, says: '' }],
    size: size !== '' && html`<span class="range">${size}</span>`,
    about: false,
  };
}
