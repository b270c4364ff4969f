/** `stats` of a local history: what its pages are made from, and the page of one group. */
import type { Figure } from '../../outcomes/figure.ts';
import { type GroupFigures, HORIZON_TABLE, type HorizonFigures } from '../../outcomes/figure-table.ts';
import type { Histogram } from '../../outcomes/histogram.ts';
import { HORIZON_NAMES, type HorizonName } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, Styles, View } from '../types.ts';
import { figureText } from './figure-text.ts';
import { HISTOGRAM_LEGEND, histogramsText } from './histogram-text.ts';
import { groupStats, groupsHead, type HistoryStats, historyStats } from './history-stats-fields.ts';
import { historyStatsSentences, type StatsPage } from './history-stats-page.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { bothVerdicts } from './verdict.ts';

export const historyStatsView: View<HistoryStats> = { fields: fieldsOf(historyStats) };

/** What `stats --by` says besides its groups. */
export const statsHeadFields = fieldsOf(groupsHead);

export const groupView: View<GroupFigures> = { fields: fieldsOf(groupStats) };

/** Every figure of every group. */
export function detailPage<T extends object>(page: StatsPage, fields: View<T>['fields']): View<T> {
  return {
    fields,
    page: (_, render) => {
      const { groups } = page.comparison;
      if (groups.every(({ rows }) => rows === 0)) return render.paragraph('No cards in this history match.');
      const pictures = groups.map((group) => drawn(group, page.histograms.get(group.group), render));
      // Below the first picture is enough.
      const first = pictures.findIndex((picture) => picture !== '');
      const legend = render.paragraph(HISTOGRAM_LEGEND, render.styles.dim);
      return render.sections([
        ...groups.map((group, i) => {
          const picture = pictures[i] ?? '';
          return groupSection(group, i === first ? `${picture}\n${legend}` : picture, render);
        }),
        { body: historyStatsSentences(page, render) },
      ]);
    },
  };
}

type Name = keyof HorizonFigures;

/** What is said of a figure otherwise than by its number and unit. */
const CELLS: { readonly [name in Name]?: HorizonRow<HorizonFigures>[1] } = {
  clusters: clustersCell,
  median_move_pct: ({ sample, median_move_pct: median }, styles) =>
    sample === 0 ? styles.dim('not yet measurable') : figureText(median, 'percent'),
  median_vs_btc_percentage_points: differenceCell,
  verdict: (horizon, styles) => withP(bothVerdicts(horizon, styles)[0], horizon.p_vs_btc_holm),
  verdict_vs_others: (horizon, styles) => withP(bothVerdicts(horizon, styles)[1], horizon.p_vs_others_holm),
};

/** The figures that have a label, without the rare ones that say nothing. */
function rowsOf(horizons: readonly HorizonFigures[]): HorizonRow<HorizonFigures>[] {
  const figures: [string, Figure<never>][] = Object.entries(HORIZON_TABLE);
  return figures.flatMap(([key, { label, unit, isRare }]) => {
    const name = key as Name;
    if (label === undefined || (isRare && horizons.every((horizon) => !horizon[name]))) return [];
    const cell: HorizonRow<HorizonFigures>[1] = (horizon) =>
      name.includes('_interval_') && horizon[name] === null ? noInterval(horizon) : figureText(horizon[name], unit);
    return [[label, CELLS[name] ?? cell]];
  });
}

function groupSection(group: GroupFigures, picture: string, render: RenderContext): Section {
  const horizons = HORIZON_NAMES.map((name) => group.horizons[name]);
  const table = horizonTable(rowsOf(horizons), group.horizons, render);
  const cards = pluralize(group.rows, 'card');
  return {
    title: group.group === null ? `Outcomes of ${cards} in the local history` : `${safeText(group.group)} (${cards})`,
    body: render.sections([{ body: table }, { body: picture }]),
  };
}

function drawn(
  group: GroupFigures,
  histograms: Readonly<Record<HorizonName, Histogram | undefined>> | undefined,
  render: RenderContext,
): string {
  if (render.width === undefined || histograms === undefined) return '';
  const shown = HORIZON_NAMES.flatMap((name) => {
    const histogram = histograms[name];
    const median = group.horizons[name].median_move_pct;
    return histogram === undefined || median === null ? [] : [{ name, histogram, median }];
  });
  return shown.length === 0 ? '' : histogramsText(shown, render);
}

/** In colour only where it holds: an unclear difference has a sign too. */
function differenceCell({ median_vs_btc_percentage_points: median, verdict }: HorizonFigures, styles: Styles): string {
  return percentagePoints(median, verdict === 'above_btc' || verdict === 'below_btc' ? styles : undefined);
}

function clustersCell({ clusters, cluster_days: days }: HorizonFigures): string {
  return days === 1 ? String(clusters) : `${clusters} of ${days} days`;
}

/** Why there is no interval. */
function noInterval({ sample, clusters, cluster_days, distinct_days }: HorizonFigures): string {
  if (sample === 0) return NONE;
  const needed = 6 * cluster_days;
  return clusters < 6 && distinct_days < needed ? `needs ${needed} days, has ${distinct_days}` : 'too few cards';
}

function withP(word: string, p: number | null): string {
  return p === null ? word : `${word} (p ${p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2)})`;
}
