/** `stats` of a local history: what its pages are made from, and the page of one group. */
import type { Histogram } from '../../outcomes/histogram.ts';
import {
  type GroupFigures,
  HORIZON_NAMES,
  type HorizonFigures,
  type HorizonName,
  type Interval,
} from '../../outcomes/types.ts';
import { NONE, percent, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, Styles, View } from '../types.ts';
import { HISTOGRAM_LEGEND, histogramsText } from './histogram-text.ts';
import { groupFields, historyStatsFields } from './history-stats-fields.ts';
import type { StatsHead, StatsPage } from './history-stats-page.ts';
import { historyStatsSentences } from './history-stats-sentences.ts';
import { verdictCell } from './verdict.ts';

/** Without groups: the API's `horizons`, and what a local history knows besides. */
export interface HistoryStats extends StatsHead, Omit<GroupFigures, 'group'> {}

export const historyStatsView: View<HistoryStats> = { fields: historyStatsFields };

export const groupView: View<GroupFigures> = { fields: groupFields };

/** Every figure of every group. */
export function detailPage<T extends object>(page: StatsPage, fields: View<T>['fields']): View<T> {
  return {
    fields,
    page: (_, render) => {
      const { groups } = page.comparison;
      if (groups.length === 0) return render.paragraph('No cards in this history match.');
      const isDrawn = render.width !== undefined && groups.some(({ horizons }) => horizons['1h'].sample > 0);
      const sentences = historyStatsSentences(page, render, isDrawn ? [HISTOGRAM_LEGEND] : []);
      return render.sections([...groups.map((group) => groupSection(group, page, render)), { body: sentences }]);
    },
  };
}

interface Figure {
  readonly label: string;
  readonly cell: (horizon: HorizonFigures, styles: Styles) => string;
  /** Left out where no horizon has it. */
  readonly isShown?: (horizon: HorizonFigures) => boolean;
}

const FIGURES: readonly Figure[] = [
  { label: 'Sample', cell: ({ sample }) => String(sample) },
  {
    label: 'Worth, if independent',
    cell: ({ effective_sample: worth }) => (worth === null ? NONE : `about ${Math.round(worth)}`),
  },
  { label: 'UTC days', cell: ({ distinct_days }) => String(distinct_days) },
  { label: 'Clusters of days', cell: clustersCell },
  { label: 'Symbols', cell: ({ distinct_symbols }) => String(distinct_symbols) },
  { label: 'Pending', cell: ({ pending }) => String(pending) },
  { label: 'Missing', cell: missingCell },
  {
    label: 'In another state',
    cell: ({ other_states }) => String(other_states),
    isShown: ({ other_states }) => other_states > 0,
  },
  { label: 'Without an outcome', cell: ({ without_outcome }) => String(without_outcome) },
  { label: 'Median move', cell: medianCell },
  {
    label: 'Its 95 % interval',
    cell: (horizon) => intervalCell(horizon.median_move_pct_interval_95, percent, horizon),
  },
  {
    label: 'Quartiles',
    cell: ({ quartiles_move_pct: quartiles }) => (quartiles === null ? NONE : span(quartiles, percent)),
  },
  { label: 'BTC sample', cell: ({ btc_sample }) => String(btc_sample) },
  { label: 'Moved exactly as BTC', cell: ({ ties_with_btc }) => String(ties_with_btc) },
  {
    label: 'Median vs BTC',
    cell: (horizon, styles) => percentagePoints(horizon.median_vs_btc_percentage_points, styles),
  },
  {
    label: 'Its 95 % interval',
    cell: (horizon) => intervalCell(horizon.median_vs_btc_interval_95, percentagePoints, horizon),
  },
  { label: 'Moved more than BTC', cell: ({ share_above_btc: share }) => (share === null ? NONE : fraction(share)) },
  {
    label: 'Its 95 % interval',
    cell: (horizon) => intervalCell(horizon.share_above_btc_interval_95, fraction, horizon),
  },
  { label: 'Verdict', cell: verdictWithP },
];

function groupSection(group: GroupFigures, { histograms }: StatsPage, render: RenderContext): Section {
  const column = (header: string, name: HorizonName) => ({
    header,
    align: 'right' as const,
    priority: 0,
    cell: ({ cell }: Figure) => cell(group.horizons[name], render.styles),
  });
  const label = { header: '', align: 'left' as const, priority: 0, cell: ({ label }: Figure) => label };
  const figures = FIGURES.filter(
    ({ isShown = () => true }) => isShown(group.horizons['1h']) || isShown(group.horizons['24h']),
  );
  const table = render.table<Figure>([label, column('1 HOUR', '1h'), column('24 HOURS', '24h')], figures);
  const cards = group.rows === 1 ? '1 card' : `${group.rows} cards`;
  return {
    title: group.group === null ? `Outcomes of ${cards} in the local history` : `${safeText(group.group)} (${cards})`,
    body: [table, drawn(group, histograms.get(group.group), render)].filter((text) => text !== '').join('\n\n'),
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

function medianCell({ median_move_pct, sample }: HorizonFigures, styles: Styles): string {
  return sample === 0 ? styles.dim('not yet measurable') : percent(median_move_pct, styles);
}

/** Where many are missing: between what and what the median would lie with them. */
function missingCell({ missing, missing_bounds: bounds }: HorizonFigures): string {
  if (bounds === null) return String(missing);
  return `${missing} (median ${endCell(bounds.low, '?')} to ${endCell(bounds.high, '?')})`;
}

function clustersCell({ clusters, cluster_days: days }: HorizonFigures): string {
  return days === 1 ? String(clusters) : `${clusters} of ${days} days`;
}

function intervalCell(
  interval: Interval | null,
  format: (value: number) => string,
  { sample, clusters, cluster_days, distinct_days }: HorizonFigures,
): string {
  if (interval !== null) return span(interval, format);
  if (sample === 0) return NONE;
  const needed = 6 * cluster_days;
  return clusters < 6 && distinct_days < needed ? `needs ${needed} days, has ${distinct_days}` : 'too few cards';
}

function verdictWithP(horizon: HorizonFigures, styles: Styles): string {
  const { p_vs_btc_holm: p } = horizon;
  const word = verdictCell(horizon, styles);
  return p === null ? word : `${word} (p ${p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2)})`;
}

function span({ low, high }: Interval, format: (value: number) => string): string {
  return `${format(low)} to ${format(high)}`;
}

function endCell(value: number | null, otherwise: string): string {
  return value === null ? otherwise : percent(value);
}

function fraction(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}
