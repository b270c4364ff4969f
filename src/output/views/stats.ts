import { HORIZON_NAMES, type HorizonName } from '../../api/contract/horizons.ts';
import { type Horizon, SignalStats } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE, percent, percentagePoints, timeWithAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { doubtsText, figureColumn, type HorizonRow, horizonTable, textColumn } from './parts.ts';

const ROWS: readonly HorizonRow<Horizon>[] = [
  ['Median move', ({ median_move_pct }) => percent(median_move_pct)],
  ['Median vs BTC', ({ median_vs_btc_percentage_points: median }) => percentagePoints(median)],
  ['Sample', ({ sample }) => String(sample)],
  ['BTC sample', ({ btc_sample }) => String(btc_sample)],
  ['Pending', ({ pending }) => String(pending)],
  ['Missing', ({ missing }) => String(missing)],
];

/** @param further a command line, below the figures */
export const statsView = (further: string): View<SignalStats> => ({
  fields: fieldsOf(SignalStats),
  page: (stats, render) => {
    const origin = render.pairs([
      ['Sampled rows', `${stats.sampled_rows} (at most the latest 2000)`],
      ['Generated', timeWithAge(stats.generated_at, render)],
    ]);
    const type = safeText(stats.screener_type) || NONE;
    return render.sections([
      {
        title: `Outcomes of the last ${stats.window_days} days, screener type: ${type}`,
        body: horizonTable(ROWS, stats.horizons, render),
      },
      { body: origin },
      {
        body: doubtsText(
          [
            [stats.stale, 'STALE: the service marks these statistics as stale.'],
            [stats.sample_limited, 'The sample was limited: not every record of the window is in it.'],
          ],
          render,
        ),
      },
      { body: `${render.styles.dim('Which types are worth keeping, from your history (free):')}\n  ${further}` },
    ]);
  },
});

function medianColumns(name: HorizonName): Column<SignalStats>[] {
  const median = (of: Horizon | undefined) => percentagePoints(of?.median_vs_btc_percentage_points ?? null);
  return [
    figureColumn(`VS BTC ${name.toUpperCase()}`, 0, ({ horizons }) => median(horizons[name])),
    figureColumn('CARDS', 1, ({ horizons }) => String(horizons[name]?.btc_sample ?? NONE)),
  ];
}

/** The medians of several types side by side: whether they differ, the service does not say. */
export const statsByTypeView: View<SignalStats> = {
  fields: fieldsOf(SignalStats),
  columns: [
    textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type) || NONE),
    ...HORIZON_NAMES.toReversed().flatMap(medianColumns),
    textColumn('', 2, ({ stale, sample_limited: isLimited }, { styles }) =>
      styles.warn([...(stale ? ['stale'] : []), ...(isLimited ? ['limited'] : [])].join(', ')),
    ),
  ],
  empty: 'You have no screeners configured.',
};
