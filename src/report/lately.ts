/** Whether the types that are above or below still are: the last 30 days, and what came since the verdict. */
import { pluralize } from '../base/units.ts';
import { rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
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
  const told = rankStandings(standings).filter(({ word }) => isSide(word));
  const isOfOthers = told.some(({ comparedWith }) => comparedWith === 'others');
  const isOfBtc = told.some(({ comparedWith }) => comparedWith === 'btc');
  const isMixed = isOfOthers && isOfBtc;
  const groups = told
    .map((standing) => groupOf(standing, isMixed))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length === 0) return undefined;
  const { whom, column } = WORDS[comparisonOf(isOfOthers, isOfBtc)];
  return section(
    'lately',
    headingOf(told),
    `The same comparison with ${whom}, in parts: the last 30 days, the time before them, and the cards since the verdict was found. Those cards had no part in the verdict: they test it.`,
    forest(groups, {
      label: 'Types that are above or below, in parts',
      columns: [{ title: column, sides: ['below', 'above'] }],
      point: 'median',
      size: '',
      sureLevel: undefined,
      rule: '',
    }),
  );
}

function headingOf(standings: readonly Standing[]): string {
  const less = standings.filter(({ lately }) => lately !== undefined);
  if (less.length === 0) return 'Do these verdicts still hold? Nothing has surely changed';
  const names = new Intl.ListFormat('en-GB').format(less.map(({ group }) => label(group)));
  return `${names}: less in the last 30 days than before`;
}

/** @param isMixed whether some types are compared with other cards, and some with BTC */
function groupOf(standing: Standing, isMixed: boolean): ForestGroup {
  const { group, figures, word, wordSince, comparedWith } = standing;
  const rows: ForestRow[] = [];
  const add = (name: string, part: Part, size: string) => {
    const { median, interval } = part;
    if (median === null || interval === null) return;
    // The colour of a verdict on the other side of zero would contradict its place.
    const side = median > 0 ? 'above' : 'below';
    const mark = { word: side === word ? word : null, median, interval };
    const says = size !== '' && html`<span class="range">${size}</span>`;
    rows.push({
      name,
      word: null,
      verdict: '',
      remark: '',
      marks: [{ ...mark, sureInterval: undefined, says: '' }],
      size: says,
      about: false,
    });
  };
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  if (last !== null && before !== null) {
    add('last 30 days', { median: last.percentage_points, interval: last.interval_95 }, '');
    add('before them', { median: before.percentage_points, interval: before.interval_95 }, '');
  }
  const later = figures?.since_then ?? null;
  if (wordSince !== undefined && later !== null) {
    const part = { median: later.difference_percentage_points, interval: later.interval_95 };
    add(`since found, ${dayAndMonth(wordSince)}`, part, pluralize(later.cards, 'outcome'));
  }
  const name = label(group);
  return { heading: isMixed && comparedWith === 'btc' ? `${name} (vs BTC)` : name, rows };
}

/** The difference of some of a type's cards, percentage points. */
interface Part {
  readonly median: number | null;
  readonly interval: Interval | null;
}
