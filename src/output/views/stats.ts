import {
  HORIZON_NAMES,
  type HorizonName,
  horizonOf,
  MAIN_HORIZON,
} from '../../api/contract/horizons.ts';
import { type Horizon, SignalStats } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE, percent, percentagePoints, timeWithAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { figureColumn, type HorizonRow, horizonTable, textColumn } from './parts.ts';

const ROWS: readonly HorizonRow<Horizon>[] = [
  ['Median vs BTC', ({ median_vs_btc_percentage_points: median }) => percentagePoints(median)],
  ['Median move', ({ median_move_pct }) => percent(median_move_pct)],
  ['Measured', ({ sample }) => String(sample)],
  ['of these vs BTC', ({ btc_sample: btc }) => String(btc)],
  ['Not measured', ({ pending, missing }) => `${pending} pending, ${missing} missing`],
];

export const statsView: View<SignalStats> = {
  fields: fieldsOf(SignalStats),
  page: (stats, render) => {
    const { paragraph, note, sections, styles } = render;
    const { screener_type: type, horizons, stale: isStale, sample_limited: isLimited } = stats;
    const name = type === 'all' ? '' : safeText(type);
    const window = `the last ${stats.window_days} days`;
    if (stats.sampled_rows === 0) {
      const ofType = name === '' ? '' : ` of type ${name}`;
      return paragraph(`No cards${ofType} in ${window}.`);
    }
    return sections([
      { title: `${name || 'All cards'}: ${window}`, body: paragraph(medianSentence(stats)) },
      {
        body: [
          horizonTable(ROWS, horizons, render),
          note(
            `${stats.sampled_rows} cards (the latest 2000 at most); ${timeWithAge(stats.generated_at, render)}.`,
          ),
          isStale && paragraph('STALE: the service marks these statistics as stale.', styles.warn),
          isLimited &&
            paragraph(
              'The sample was limited: not every record of the window is in it.',
              styles.warn,
            ),
        ],
      },
    ]);
  },
};

function medianSentence(stats: SignalStats): string {
  const median = mainMedian(stats);
  const horizonWords = horizonOf(MAIN_HORIZON).words;
  if (median === null)
    return `The service has no median of ${horizonWords} yet: it gives one when outcomes are measured.`;
  const size = Math.abs(median).toFixed(2);
  const more = median < 0 ? 'less' : 'more';
  return `After ${horizonWords} the median card moved ${size} pp ${more} than BTC.`;
}

function medianColumns(name: HorizonName): Column<SignalStats>[] {
  const medianText = ({ horizons }: SignalStats) =>
    percentagePoints(horizons[name].median_vs_btc_percentage_points);
  return [
    figureColumn(`VS BTC ${name.toUpperCase()}`, 0, medianText),
    figureColumn('N', 1, ({ horizons }) => String(horizons[name].btc_sample)),
  ];
}

/** The median difference to BTC at the main horizon, percentage points. */
function mainMedian({ horizons }: SignalStats): number | null {
  return horizons[MAIN_HORIZON].median_vs_btc_percentage_points;
}

/** What the service says against its own figures: `stale`, `limited`. */
function doubtsOf({ stale: isStale, sample_limited: isLimited }: SignalStats): string[] {
  const doubts: string[] = [];
  if (isStale) doubts.push('stale');
  if (isLimited) doubts.push('limited');
  return doubts;
}

export const statsByTypeView: View<SignalStats> = {
  fields: fieldsOf(SignalStats),
  title: "Your types in the last 30 days: the median move minus BTC's",
  // The largest median first, types without a median last.
  order: (a, b) =>
    (mainMedian(b) ?? Number.NEGATIVE_INFINITY) - (mainMedian(a) ?? Number.NEGATIVE_INFINITY),
  columns: [
    textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type) || NONE),
    ...HORIZON_NAMES.toReversed().flatMap(medianColumns),
    textColumn('', 2, (stats, { styles }) => styles.warn(doubtsOf(stats).join(', '))),
  ],
  empty: 'You have no screeners configured.',
};

/** For an account that has screeners, but none that is switched on. */
export const allSwitchedOffView: View<SignalStats> = {
  ...statsByTypeView,
  empty: 'All your screeners are switched off.',
};
