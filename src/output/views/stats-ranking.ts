/** `stats --by` for people: one line a group, its interval drawn on an axis that all share. */
import type { HorizonName } from '../../api/contract/horizons.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { figureText, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { GAP, measureColumns, total } from '../table/fit-columns.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { boughtWords, type StatsPage, settingsWarning } from './history-stats.ts';
import { axisOf, intervalLine, LEGEND_MARKS, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { verdictColumn, verdictTint } from './verdict.ts';

/** Characters the axis takes: what the other columns leave of a line, within these. */
const NARROWEST_AXIS = 13;
const WIDEST_AXIS = 31;

interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** The one that is drawn. */
  readonly horizon: HorizonName;
}

export function rankingPage<T extends object>(ranking: Ranking, fields: View<T>['fields']): View<T> {
  return {
    fields,
    page: (_, render) => {
      const { groups } = ranking.comparison;
      if (groups.length === 0) return render.paragraph('No cards in this history match.');
      const { paragraph, styles, table } = render;
      return [
        styles.bold(paragraph(`Move minus BTC's after ${ranking.horizon}, median in percentage points`)),
        paragraph(aboutGroups(ranking), styles.dim),
        table(columnsOf(ranking, render), groups),
        ...legend(ranking, render).map((text) => paragraph(text, styles.dim)),
        ...settingsWarning(ranking, render),
      ].join('\n');
    },
  };
}

/** What the groups are, and what else one has to know of them, in a line. */
function aboutGroups(page: Ranking): string {
  const { by, comparison } = page;
  const { groups, groups_left_out: left } = comparison;
  const isClear = groups.some(({ horizons }) => /^(above|below)/.test(horizons[page.horizon].shown_verdict ?? ''));
  const isTested = groups.some(({ horizons }) => horizons[page.horizon].p_vs_btc !== null);
  return [
    `${pluralize(groups.length, by)}${by === 'month' ? ' (UTC)' : ''}`,
    ...(left > 0 ? [`${left} more with fewer outcomes than --min-sample`] : []),
    ...boughtWords(page),
    ...(isTested && !isClear && groups.length > 1 ? ['no difference is clear: the order may be chance'] : []),
  ].join('; ');
}

function columnsOf(
  { by, horizon: drawn, comparison: { groups } }: Ranking,
  render: RenderContext,
): Column<GroupFigures>[] {
  const { width } = render;
  const left: Column<GroupFigures>[] = [
    textColumn(by.toUpperCase(), 0, ({ group }) => safeText(group ?? '')),
    figureColumn('CARDS', 0, ({ horizons }) => String(horizons[drawn].btc_sample)),
    figureColumn('MEDIAN', 0, ({ horizons }) => medianCell(horizons[drawn], render)),
  ];
  const interval = figureColumn<GroupFigures>('95 % INTERVAL', 1, ({ horizons }) =>
    figureText(horizons[drawn].median_vs_btc_interval_95, 'percentage points').replaceAll(' pp', ''),
  );
  const right = [verdictColumn<GroupFigures>(({ horizons }) => horizons[drawn], 0)];
  const taken = (columns: readonly Column<GroupFigures>[]) => total(measureColumns(columns, groups, render)) + GAP;
  const room = width === undefined ? WIDEST_AXIS : width - taken([...left, ...right]);
  const withInterval = width === undefined || room - taken([interval]) >= NARROWEST_AXIS;
  const size = withInterval && width !== undefined ? room - taken([interval]) : room;
  const axis = axisOf(
    groups.map(({ horizons }) => horizons[drawn]),
    Math.max(NARROWEST_AXIS, Math.min(WIDEST_AXIS, size)),
  );
  const picture = textColumn<GroupFigures>(scaleLine(axis), 0, ({ horizons }) =>
    intervalLine(horizons[drawn], axis, render),
  );
  return [...left, picture, ...(withInterval ? [interval] : []), ...right];
}

function medianCell(
  { median_vs_btc_percentage_points: median, shown_verdict: verdict }: HorizonFigures,
  { styles }: RenderContext,
): string {
  return verdictTint(verdict, styles)(percentagePoints(median).replace(' pp', ''));
}

function legend({ by, horizon, comparison: { groups, comparisons } }: Ranking, { unicode }: RenderContext): string[] {
  if (groups.every(({ horizons }) => horizons[horizon].p_vs_btc === null)) return [];
  const { inner, outer } = LEGEND_MARKS[unicode ? 'unicode' : 'plain'];
  const together = comparisons > 1 ? `, ${outer} for all ${comparisons} at once (Holm)` : '';
  const isOnlyBelowOthers = groups.some(({ horizons }) => {
    const { shown_verdict: verdict, verdict: vsBtc } = horizons[horizon];
    return verdict === 'below_others' && vsBtc !== 'below_btc';
  });
  return [
    `${inner} 95 %${together}. unclear ±X: a difference of X would show.`,
    ...(isOnlyBelowOthers ? [`Below others, not BTC: beside one good ${by} a neutral one is below, too.`] : []),
  ];
}
