import type { Horizon, SignalStats } from '../../api/contract/resources.ts';
import { NONE, percent, percentagePoints, timeWithAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Field, RenderContext, View } from '../types.ts';
import { fieldsWithin, type HorizonRow, horizonTable } from './parts.ts';

const horizonFields = (key: string, after: string): Field[] => [
  { name: `horizons.${key}`, kind: 'object', about: `statistics of the moves after ${after}` },
  ...fieldsWithin(`horizons.${key}`, [
    { name: 'sample', kind: 'integer', about: `outcomes measured after ${after}` },
    { name: 'pending', kind: 'integer', about: 'outcomes still pending' },
    { name: 'missing', kind: 'integer', about: 'outcomes missing' },
    { name: 'median_move_pct', kind: 'number', about: 'median price move, percent' },
    { name: 'btc_sample', kind: 'integer', about: "outcomes with BTC's move" },
    { name: 'median_vs_btc_percentage_points', kind: 'number', about: 'median difference from BTC, percentage points' },
  ]),
];

const fields: readonly Field[] = [
  { name: 'scope', kind: 'text', about: 'own_recorded_outcomes' },
  { name: 'window_days', kind: 'integer', about: 'days covered, 30' },
  { name: 'sampled_rows', kind: 'integer', about: 'records sampled, at most the latest 2000' },
  { name: 'sample_limited', kind: 'boolean', about: 'whether the sample was limited' },
  { name: 'screener_type', kind: 'text', about: 'screener type the figures are of' },
  { name: 'horizons', kind: 'object', about: 'the horizons 1h and 24h, counted separately' },
  ...horizonFields('1h', '1 hour'),
  ...horizonFields('24h', '24 hours'),
  { name: 'generated_at', kind: 'time', about: 'when the answer was generated, UTC' },
  { name: 'stale', kind: 'boolean', about: 'whether the answer is stale' },
];

const ROWS: readonly HorizonRow<Horizon>[] = [
  ['Sample', ({ sample }) => String(sample)],
  ['Pending', ({ pending }) => String(pending)],
  ['Missing', ({ missing }) => String(missing)],
  ['Median move', ({ median_move_pct }) => percent(median_move_pct)],
  ['BTC sample', ({ btc_sample }) => String(btc_sample)],
  ['Median vs BTC', ({ median_vs_btc_percentage_points: median }) => percentagePoints(median)],
];

/** Outcome statistics, both horizons side by side. */
export const statsView: View<SignalStats> = {
  fields,
  page: (stats, render) => {
    const origin = render.pairs([
      ['Screener type', safeText(stats.screener_type) || NONE],
      ['Sampled rows', `${stats.sampled_rows} (at most the latest 2000)`],
      ['Generated', timeWithAge(stats.generated_at, render.now)],
    ]);
    return render.sections([
      { title: `Outcomes of the last ${stats.window_days} days`, body: origin },
      { body: horizonTable(ROWS, stats.horizons, render) },
      { body: sentences(stats, render) },
    ]);
  },
};

function sentences(stats: SignalStats, { paragraph, styles }: RenderContext): string {
  const warnings = [
    ...(stats.stale ? ['STALE: the service marks these statistics as stale.'] : []),
    ...(stats.sample_limited ? ['The sample was limited: not every record of the window is in it.'] : []),
  ];
  const about = 'Price movement after a trigger, not trading profit. Each horizon has its own sample.';
  return [...warnings.map((text) => paragraph(text, styles.warn)), paragraph(about, styles.dim)].join('\n');
}
