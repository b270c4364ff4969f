/** `stats` of a local history: what its pages are made from, and the page of one group. */
import type { Histogram } from '../../outcomes/histogram.ts';
import {
  type GroupFigures,
  HORIZON_NAMES,
  type HorizonFigures,
  type HorizonName,
  type Interval,
} from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { NONE, percent, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, Styles, View } from '../types.ts';
import { HISTOGRAM_LEGEND, histogramsText } from './histogram-text.ts';
import { groupFields, historyStatsFields } from './history-stats-fields.ts';
import { historyStatsSentences, type StatsHead, type StatsPage } from './history-stats-page.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { verdictCell } from './verdict.ts';

/** Without groups: the API's `horizons`, and what a local history knows besides. */
export interface HistoryStats extends StatsHead, Omit<GroupFigures, 'group'> {}

export const historyStatsView: View<HistoryStats> = { fields: historyStatsFields };

export const groupView: View<GroupFigures> = { fields: groupFields };

/** A row that is left out where no outcome has a state that the document does not know. */
const OTHER_STATES = 'In another state';

/** A row that is left out where few are missing. */
const WITH_MISSING = 'Median with missing';

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

const FIGURES: readonly HorizonRow<HorizonFigures>[] = [
  ['Sample', ({ sample }) => String(sample)],
  ['Worth, if independent', ({ effective_sample: worth }) => (worth === null ? NONE : `about ${Math.round(worth)}`)],
  ['UTC days', ({ distinct_days }) => String(distinct_days)],
  ['Clusters of days', clustersCell],
  ['Symbols', ({ distinct_symbols }) => String(distinct_symbols)],
  ['Pending', ({ pending }) => String(pending)],
  ['Missing', ({ missing }) => String(missing)],
  [WITH_MISSING, missingBoundsCell],
  [OTHER_STATES, ({ other_states }) => String(other_states)],
  ['Without an outcome', ({ without_outcome }) => String(without_outcome)],
  ['Median move', medianCell],
  ['Its 95 % interval', (horizon) => intervalCell(horizon.median_move_pct_interval_95, percent, horizon)],
  ['Quartiles', ({ quartiles_move_pct: quartiles }) => (quartiles === null ? NONE : span(quartiles, percent))],
  ['BTC sample', ({ btc_sample }) => String(btc_sample)],
  ['Moved exactly as BTC', ({ ties_with_btc }) => String(ties_with_btc)],
  ['Median vs BTC', differenceCell],
  ['Its 95 % interval', (horizon) => intervalCell(horizon.median_vs_btc_interval_95, percentagePoints, horizon)],
  ['Moved more than BTC', ({ share_above_btc: share }) => (share === null ? NONE : fraction(share))],
  ['Its 95 % interval', (horizon) => intervalCell(horizon.share_above_btc_interval_95, fraction, horizon)],
  ['Verdict', verdictWithP],
];

function groupSection(group: GroupFigures, picture: string, render: RenderContext): Section {
  const horizons = HORIZON_NAMES.map((name) => group.horizons[name]);
  const leftOut = [
    ...(horizons.every(({ other_states }) => other_states === 0) ? [OTHER_STATES] : []),
    ...(horizons.every(({ missing_bounds }) => missing_bounds === null) ? [WITH_MISSING] : []),
  ];
  const figures = FIGURES.filter(([label]) => !leftOut.includes(label));
  const table = horizonTable(figures, group.horizons, render);
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

function medianCell({ median_move_pct, sample }: HorizonFigures, styles: Styles): string {
  return sample === 0 ? styles.dim('not yet measurable') : percent(median_move_pct);
}

/** In colour only where it holds: an unclear difference has a sign too. */
function differenceCell({ median_vs_btc_percentage_points: median, verdict }: HorizonFigures, styles: Styles): string {
  return percentagePoints(median, verdict === 'above_btc' || verdict === 'below_btc' ? styles : undefined);
}

/** Where many are missing: between what and what the median would lie with them. */
function missingBoundsCell({ missing_bounds: bounds }: HorizonFigures): string {
  return bounds === null ? NONE : `${endCell(bounds.low, '?')} to ${endCell(bounds.high, '?')}`;
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
