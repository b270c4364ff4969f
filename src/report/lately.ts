/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { pluralize } from '../base/units.ts';
import { rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { withdrawnText } from '../output/views/verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide, type Word } from '../statistics/rule.ts';
import { type ForestGroup, type ForestRow, forest } from './forest.ts';
import { html, label, type Markup, section } from './markup.ts';

/** What the types of the picture are compared with. */
type ComparisonOfAll = 'others' | 'btc' | 'mixed';

const WORDS: Readonly<Record<ComparisonOfAll, { readonly whom: string; readonly column: string }>> =
  {
    others: { whom: 'your other cards', column: 'vs other cards' },
    btc: { whom: 'BTC', column: 'vs BTC' },
    mixed: {
      whom: 'your other cards, or with BTC where that is named',
      column: 'vs other cards or BTC',
    },
  };

function comparisonOf(isOfOthers: boolean, isOfBtc: boolean): ComparisonOfAll {
  if (isOfOthers && isOfBtc) return 'mixed';
  return isOfOthers ? 'others' : 'btc';
}

export function latelySection(standings: readonly Standing[]): Markup | undefined {
  const ranked = rankStandings(standings);
  // Those that no longer hold first: they answer the question.
  const withVerdict = [
    ...ranked.filter(({ withdrawn }) => withdrawn !== undefined),
    ...ranked.filter(({ word }) => isSide(word)),
  ];
  const isOfOthers = withVerdict.some(({ comparedWith }) => comparedWith === 'others');
  const isOfBtc = withVerdict.some(({ comparedWith }) => comparedWith === 'btc');
  const isMixed = isOfOthers && isOfBtc;
  const groups = withVerdict
    .map((standing) => groupOf(standing, isMixed))
    .filter(({ rows }) => rows.length > 0);
  const isAnyWithdrawn = withVerdict.some(({ withdrawn }) => withdrawn !== undefined);
  if (groups.length === 0 && !isAnyWithdrawn) return undefined;
  const { whom, column } = WORDS[comparisonOf(isOfOthers, isOfBtc)];
  return section(
    'lately',
    headingOf(withVerdict),
    `The same comparison with ${whom}, in parts: the last 30 days, the time before them, and the cards since the verdict was found. Those cards had no part in the verdict: they test it.`,
    groups.length > 0 &&
      forest(groups, {
        label: 'Types that are above or below, in parts',
        columns: [{ title: column, sides: ['below', 'above'] }],
        point: 'median',
        size: '',
        sureLevel: undefined,
        decides: '',
      }),
  );
}

/** @param standings whose verdict is above or below, or was taken back */
function headingOf(standings: readonly Standing[]): string {
  const less = standings.filter(({ lately }) => lately !== undefined);
  const names = new Intl.ListFormat('en-GB').format(less.map(({ group }) => label(group)));
  const findings: string[] = [];
  const withdrawn = withdrawnWords(standings);
  if (withdrawn !== '') findings.push(withdrawn);
  if (less.length > 0) findings.push(`${names}: less in the last 30 days than before`);
  if (findings.length === 0) return 'Do these verdicts still hold? Nothing has surely changed';
  return findings.join('. ');
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

/** @param isMixed whether some types are compared with other cards, and some with BTC */
function groupOf(standing: Standing, isMixed: boolean): ForestGroup {
  const { group, figures, word, wordSince, comparedWith } = standing;
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  const later = figures?.since_then ?? null;
  const parts: Part[] = [];
  if (last !== null && before !== null) {
    parts.push(
      { name: 'last 30 days', median: last.percentage_points, interval: last.interval_95 },
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

/** @param word of the type: it gives the row its colour, but for a row on the other side of zero */
function rowOf({ name, median, interval, outcomes }: Part, word: Word | null): ForestRow {
  const side = (median ?? 0) > 0 ? 'above' : 'below';
  const colour = side === word ? word : null;
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
