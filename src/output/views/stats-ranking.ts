/** `stats --by` for people: one line a group, its interval drawn on an axis that all share. */
import { stripVTControlCharacters } from 'node:util';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy, HorizonName } from '../../outcomes/types.ts';
import { percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, Styles, View } from '../types.ts';
import { historyStatsSentences, type StatsPage } from './history-stats-page.ts';
import { axisOf, intervalLine, LEGEND_MARKS, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { verdictCell } from './verdict.ts';

const WORDS: Readonly<Record<GroupBy, readonly [one: string, many: string]>> = {
  type: ['type', 'types'],
  symbol: ['symbol', 'symbols'],
  day: ['UTC day', 'UTC days'],
  hour: ['UTC hour', 'UTC hours'],
  weekday: ['weekday (UTC)', 'weekdays (UTC)'],
};

/** Characters the axis takes: what the other columns leave of a line, within these. */
const NARROWEST_AXIS = 15;
const WIDEST_AXIS = 41;

/** Between two columns. */
const GAP = 2;

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
      const drawn = ranking.horizon;
      const [one, many] = WORDS[ranking.by];
      const counted = groups.length === 1 ? `1 ${one}` : `${groups.length} ${many}`;
      return render.sections([
        {
          title: `Move minus BTC's after ${drawn}, median in percentage points: ${counted}`,
          body: render.table(columnsOf(ranking, drawn, render), groups),
        },
        { body: historyStatsSentences(ranking, render, sentencesOf(ranking, render)) },
      ]);
    },
  };
}

function columnsOf(
  { by, comparison: { groups } }: Ranking,
  drawn: HorizonName,
  render: RenderContext,
): Column<GroupFigures>[] {
  const { styles } = render;
  const left: Column<GroupFigures>[] = [
    textColumn(by.toUpperCase(), 0, ({ group }) => safeText(group ?? '')),
    figureColumn('WORTH', 2, ({ horizons }) => worthCell(horizons[drawn])),
    figureColumn('VS BTC', 0, ({ horizons }) => medianCell(horizons[drawn], styles)),
  ];
  const verdict = (name: HorizonName, priority: number) =>
    textColumn<GroupFigures>(name.toUpperCase(), priority, ({ horizons }) => verdictCell(horizons[name], styles));
  const right = by === 'day' ? [] : [verdict(drawn, 0), verdict(drawn === '1h' ? '24h' : '1h', 1)];
  const taken = [...left, ...right].reduce((sum, column) => sum + widthOf(column, groups, render) + GAP, 0);
  const room = render.width === undefined ? WIDEST_AXIS : render.width - taken;
  const axis = axisOf(
    groups.map(({ horizons }) => horizons[drawn]),
    Math.max(NARROWEST_AXIS, Math.min(WIDEST_AXIS, room)),
  );
  const picture = ({ horizons }: GroupFigures) => intervalLine(horizons[drawn], axis, render);
  return [...left, textColumn(scaleLine(axis), 0, picture), ...right];
}

/** The widest text of a column, without its colours. */
function widthOf(
  { header, cell }: Column<GroupFigures>,
  groups: readonly GroupFigures[],
  render: RenderContext,
): number {
  const lengths = groups.map((group) => stripVTControlCharacters(cell(group, render)).length);
  return Math.max(header.length, ...lengths);
}

/** `81 of 106`: the effective sample and the sample; the sample alone where nothing is known of its worth. */
function worthCell({ btc_sample: sample, btc_effective_sample: worth }: HorizonFigures): string {
  return worth === null ? String(sample) : `${Math.round(worth)} of ${sample}`;
}

function medianCell({ median_vs_btc_percentage_points: median, verdict }: HorizonFigures, styles: Styles): string {
  const text = percentagePoints(median).replace(' pp', '');
  if (verdict === 'above_btc') return styles.good(text);
  return verdict === 'below_btc' ? styles.bad(text) : styles.dim(text);
}

function sentencesOf({ by, comparison: { groups, comparisons } }: Ranking, { unicode }: RenderContext): string[] {
  const [, many] = WORDS[by];
  if (by === 'day') return ['A day is one look at one market: no interval, no verdict.'];
  const { inner, outer } = LEGEND_MARKS[unicode ? 'unicode' : 'plain'];
  const differing = groups.some(({ horizons }) =>
    Object.values(horizons).some(({ verdict }) => verdict === 'above_btc' || verdict === 'below_btc'),
  );
  return [
    ...(comparisons === 0
      ? []
      : [
          `${inner} 95 % interval of one group alone; ${outer} widened for all ${comparisons} comparisons, as the verdict is (Holm). WORTH: how many independent cards would say as much.`,
        ]),
    ...(comparisons > 0 && !differing && groups.length > 1
      ? [`No difference to BTC is clear: the order of these ${many} may be chance.`]
      : []),
  ];
}
