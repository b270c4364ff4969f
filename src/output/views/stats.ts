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
    const { screener_type: type, horizons, stale, sample_limited: isLimited } = stats;
    const median = mainMedian(stats);
    const size = (pp: number) => `${Math.abs(pp).toFixed(2)} pp ${pp < 0 ? 'less' : 'more'}`;
    const name = type === 'all' ? '' : safeText(type);
    const after = horizonOf(MAIN_HORIZON).words;
    const asked = `the last ${stats.window_days} days`;
    if (stats.sampled_rows === 0)
      return paragraph(`No cards${name && ` of type ${name}`} in ${asked}.`);
    return sections([
      {
        title: `${name || 'All cards'}: ${asked}`,
        body: paragraph(
          median === null
            ? `The service has no median of ${after} yet: it gives one when outcomes are measured.`
            : `After ${after} the median card moved ${size(median)} than BTC.`,
        ),
      },
      {
        body: [
          horizonTable(ROWS, horizons, render),
          note(
            `${stats.sampled_rows} cards (the latest 2000 at most); ${timeWithAge(stats.generated_at, render)}.`,
          ),
          stale && paragraph('STALE: the service marks these statistics as stale.', styles.warn),
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

function medianColumns(name: HorizonName): Column<SignalStats>[] {
  const median = (of: Horizon) => percentagePoints(of.median_vs_btc_percentage_points);
  return [
    figureColumn(`VS BTC ${name.toUpperCase()}`, 0, ({ horizons }) => median(horizons[name])),
    figureColumn('N', 1, ({ horizons }) => String(horizons[name].btc_sample)),
  ];
}

const mainMedian = ({ horizons }: SignalStats) =>
  horizons[MAIN_HORIZON].median_vs_btc_percentage_points;

export const statsByTypeView: View<SignalStats> = {
  fields: fieldsOf(SignalStats),
  title: "Your types in the last 30 days: the median move minus BTC's",
  order: (one, other) =>
    (mainMedian(other) ?? Number.NEGATIVE_INFINITY) - (mainMedian(one) ?? Number.NEGATIVE_INFINITY),
  columns: [
    textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type) || NONE),
    ...HORIZON_NAMES.toReversed().flatMap(medianColumns),
    textColumn('', 2, ({ stale, sample_limited: isLimited }, { styles }) =>
      styles.warn([...(stale ? ['stale'] : []), ...(isLimited ? ['limited'] : [])].join(', ')),
    ),
  ],
  empty: 'You have no screeners configured.',
};
