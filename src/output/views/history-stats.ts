import type { Histogram } from '../../outcomes/histogram.ts';
import { LEAST_FOR_INTERVAL } from '../../outcomes/order.ts';
import type { DrawnGroup, GroupReport, HorizonReport } from '../../outcomes/report.ts';
import { percent, percentagePoints } from '../format.ts';
import { sections } from '../key-value-page.ts';
import { safeText } from '../safe-text.ts';
import type { Field, RenderContext, Styles, View } from '../types.ts';
import { histogramsText } from './histogram-text.ts';
import { historyStatsSentences } from './history-stats-sentences.ts';

/** `stats --from` without groups: the API's `horizons`, and what a local history knows besides. */
export interface HistoryStats extends StatsHead, Omit<GroupReport, 'group'> {}

/** What the figures are of. Times as asked for; null where not limited. */
export interface StatsHead {
  readonly scope: 'local_history';
  readonly screener_type: string | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly by: string | null;
  readonly generated_at: string;
}

const interval = (name: string, about: string): Field[] => [
  { name, kind: 'object', about },
  { name: `${name}.low`, kind: 'number', about: `${about}: lower end` },
  { name: `${name}.high`, kind: 'number', about: `${about}: upper end` },
];

function horizonFields(key: string, after: string): Field[] {
  const fields: Field[] = [
    { name: 'sample', kind: 'integer', about: `rows with a move measured after ${after}` },
    { name: 'pending', kind: 'integer', about: 'outcomes still pending when bought' },
    { name: 'missing', kind: 'integer', about: 'outcomes missing, or available without a figure' },
    { name: 'without_outcome', kind: 'integer', about: 'rows whose outcome is not bought, or that have none' },
    { name: 'distinct_symbols', kind: 'integer', about: 'symbols in the sample' },
    { name: 'distinct_days', kind: 'integer', about: 'UTC days in the sample' },
    { name: 'median_move_pct', kind: 'number', about: 'median price move, percent; null: not yet measurable' },
    ...interval('median_move_pct_interval_95', '95 % interval of the median, percent; null below 6 rows'),
    ...interval('quartiles_move_pct', 'lower and upper quartile, percent'),
    { name: 'btc_sample', kind: 'integer', about: "rows with BTC's move besides" },
    {
      name: 'median_vs_btc_percentage_points',
      kind: 'number',
      about: "median of move minus BTC's, percentage points",
    },
    { name: 'share_beating_btc', kind: 'number', about: 'fraction of btc_sample that moved more than BTC' },
    ...interval('share_beating_btc_interval_95', '95 % interval of that fraction (Wilson)'),
  ];
  return [
    { name: `horizons.${key}`, kind: 'object', about: `the moves after ${after}` },
    ...fields.map((field) => ({ ...field, name: `horizons.${key}.${field.name}` })),
  ];
}

const figureFields: readonly Field[] = [
  { name: 'rows', kind: 'integer', about: 'cards in the history that match' },
  { name: 'horizons', kind: 'object', about: 'the horizons 1h and 24h, each on its own sample' },
  ...horizonFields('1h', '1 hour'),
  ...horizonFields('24h', '24 hours'),
];

/** The fields of `stats --from` without `--by`. */
export const historyStatsView: View<HistoryStats> = {
  fields: [
    { name: 'scope', kind: 'text', about: 'local_history' },
    { name: 'screener_type', kind: 'text', about: 'screener type asked for; null for all' },
    { name: 'since', kind: 'time', about: 'start asked for, UTC; null for none' },
    { name: 'until', kind: 'time', about: 'end asked for, UTC; null for none' },
    { name: 'by', kind: 'text', about: 'what is grouped by; null for nothing' },
    { name: 'generated_at', kind: 'time', about: 'when it was computed, UTC' },
    ...figureFields,
  ],
};

/** One group of `stats --from --by`. */
export const groupView: View<GroupReport> = {
  fields: [{ name: 'group', kind: 'text', about: 'screener type, symbol or UTC day' }, ...figureFields],
};

/** The same as a page for people, with the distributions drawn where it is a terminal. */
export function drawnStatsView<T extends object>(groups: readonly DrawnGroup[], fields: View<T>['fields']): View<T> {
  const [first, ...more] = groups;
  return {
    fields,
    page: (_, look) => {
      if (first === undefined) return look.draw.paragraph('No cards in this history match.');
      const isOne = more.length === 0 && first.report.group === null;
      const parts = isOne ? [onePart(first, look)] : groups.map((group) => groupPart(group, look));
      return sections([...parts, { body: historyStatsSentences(groups, look) }], look);
    },
  };
}

type HorizonName = '1h' | '24h';
const HORIZONS: readonly HorizonName[] = ['1h', '24h'];

interface Figure {
  readonly label: string;
  readonly cell: (horizon: HorizonReport, styles: Styles) => string;
}

const FIGURES: readonly Figure[] = [
  { label: 'Sample', cell: ({ sample }) => String(sample) },
  { label: 'Pending', cell: ({ pending }) => String(pending) },
  { label: 'Missing', cell: ({ missing }) => String(missing) },
  { label: 'Without an outcome', cell: ({ without_outcome }) => String(without_outcome) },
  { label: 'Symbols', cell: ({ distinct_symbols }) => String(distinct_symbols) },
  { label: 'UTC days', cell: ({ distinct_days }) => String(distinct_days) },
  { label: 'Median move', cell: medianCell },
  { label: 'Its 95 % interval', cell: intervalCell },
  {
    label: 'Quartiles',
    cell: ({ quartiles_move_pct: quartiles }) =>
      quartiles === null ? '–' : `${percent(quartiles.low)} to ${percent(quartiles.high)}`,
  },
  { label: 'BTC sample', cell: ({ btc_sample }) => String(btc_sample) },
  {
    label: 'Median vs BTC',
    cell: (horizon, styles) => percentagePoints(horizon.median_vs_btc_percentage_points, styles),
  },
  { label: 'Moved more than BTC', cell: shareCell },
  { label: 'Its 95 % interval', cell: shareIntervalCell },
];

function onePart({ report, histograms }: DrawnGroup, look: RenderContext) {
  const column = (header: string, name: HorizonName) => ({
    header,
    align: 'right' as const,
    priority: 0,
    cell: ({ cell }: Figure) => cell(report.horizons[name], look.styles),
  });
  const label = { header: '', align: 'left' as const, priority: 0, cell: ({ label }: Figure) => label };
  const table = look.draw.table<Figure>([label, column('1 HOUR', '1h'), column('24 HOURS', '24h')], FIGURES);
  const title = `Outcomes of ${report.rows} cards in the local history`;
  return { title, body: withHistograms(table, report, histograms, look) };
}

function groupPart({ report, histograms }: DrawnGroup, look: RenderContext) {
  const { draw, styles } = look;
  const cell = (header: string, priority: number, text: (horizon: HorizonReport) => string) => ({
    header,
    align: 'right' as const,
    priority,
    cell: (name: HorizonName) => text(report.horizons[name]),
  });
  const table = draw.table<HorizonName>(
    [
      { header: 'AFTER', align: 'left', priority: 0, cell: (name) => name },
      cell('SAMPLE', 0, ({ sample }) => String(sample)),
      cell('PENDING', 5, ({ pending }) => String(pending)),
      cell('MISSING', 5, ({ missing }) => String(missing)),
      cell('NO OUTCOME', 6, ({ without_outcome }) => String(without_outcome)),
      cell('SYMBOLS', 7, ({ distinct_symbols }) => String(distinct_symbols)),
      cell('DAYS', 3, ({ distinct_days }) => String(distinct_days)),
      cell('MEDIAN', 0, (horizon) => medianCell(horizon, styles)),
      cell('95 % INTERVAL', 1, intervalCell),
      cell('VS BTC', 2, (horizon) => percentagePoints(horizon.median_vs_btc_percentage_points, styles)),
      cell('> BTC', 4, shareCell),
    ],
    HORIZONS,
  );
  const title = `${safeText(report.group)} (${report.rows} ${report.rows === 1 ? 'card' : 'cards'})`;
  return { title, body: withHistograms(table, report, histograms, look) };
}

function withHistograms(
  table: string,
  report: GroupReport,
  histograms: Readonly<Record<HorizonName, Histogram | undefined>>,
  look: RenderContext,
): string {
  if (look.width === undefined) return table;
  const drawn = HORIZONS.flatMap((name) => {
    const histogram = histograms[name];
    const median = report.horizons[name].median_move_pct;
    if (histogram === undefined || median === null) return [];
    return [{ name, histogram, median }];
  });
  return drawn.length === 0 ? table : `${table}\n\n${histogramsText(drawn, look)}`;
}

function medianCell({ median_move_pct, sample }: HorizonReport, styles: Styles): string {
  return sample === 0 ? styles.dim('not yet measurable') : percent(median_move_pct, styles);
}

function intervalCell({ median_move_pct_interval_95: interval, sample }: HorizonReport): string {
  if (interval !== null) return `${percent(interval.low)} to ${percent(interval.high)}`;
  return sample === 0 ? '–' : `needs ${LEAST_FOR_INTERVAL}`;
}

function shareCell({ share_beating_btc: share }: HorizonReport): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)}%`;
}

function shareIntervalCell({ share_beating_btc_interval_95: interval }: HorizonReport): string {
  return interval === null ? '–' : `${(interval.low * 100).toFixed(1)}% to ${(interval.high * 100).toFixed(1)}%`;
}
