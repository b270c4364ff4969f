/** The names of figures in JSON: programs read them, so that each stands in the answer and in its schema. */
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';

const OF_HORIZON = [
  'beta_percentage_points',
  'before',
  'cards_of_btc',
  'days_until_least_shows',
  'last_30_days',
  'median_size_pct',
  'median_size_pct_interval_95',
  'median_vs_btc_interval_95',
  'median_vs_btc_interval_997',
  'median_vs_btc_percentage_points',
  'median_vs_others_interval_95',
  'median_vs_others_interval_997',
  'median_vs_others_percentage_points',
  'missing_interval_95',
  'missing_move_interval_95',
  'missing_share',
  'next_medians_at',
  'others_sample',
  'p_vs_others',
  'service_median_vs_btc_percentage_points',
  'service_sample',
  'service_windows',
  'shown_clusters',
  'shown_verdict',
  'since_then',
  'to_do',
  'verdict',
  'verdict_since',
  'verdict_vs_others',
  'vs_btc_would_show_percentage_points',
  'vs_others_from',
  'would_show_percentage_points',
];

const OF_GROUP = ['coincides_with', 'group', 'horizons', 'settings_since'];
const OF_ANSWER = ['items', 'least_percentage_points'];
const OF_CHANGE = ['controls', 'horizons', 'left_out', 'seen_after', 'seen_by'];
const OF_CHANGE_HORIZON = [
  'difference_interval_95',
  'difference_interval_99',
  'difference_interval_997',
  'difference_percentage_points',
  'verdict',
  'would_show_percentage_points',
];

type Json = Readonly<Record<string, unknown>>;
type Here = (args: readonly string[]) => Promise<{ readonly stdout: string }>;

const lacks = (names: readonly string[], has: object) => names.filter((name) => !(name in has));

async function answerOf(here: Here, ...args: string[]) {
  return JSON.parse((await here(['--demo', 'stats', '--local', ...args, '--json'])).stdout);
}

/** Every property that a schema somewhere in a document declares. */
function declaredIn(schema: unknown): Json {
  const names: Record<string, true> = {};
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys((value as { properties?: Json }).properties ?? {}))
      names[name] = true;
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(schema);
  return names;
}

describe('names of figures', () => {
  it('stand in the answer for each type and horizon', async ({ here }) => {
    const answer = await answerOf(here, '--by', 'type');
    expect(lacks(OF_ANSWER, answer)).toEqual([]);
    for (const group of answer.items) {
      expect({ of: group.group, lacks: lacks(OF_GROUP, group) }).toEqual({
        of: group.group,
        lacks: [],
      });
      for (const horizon of ['1h', '24h'])
        expect({ horizon, lacks: lacks(OF_HORIZON, group.horizons[horizon]) }).toEqual({
          horizon,
          lacks: [],
        });
    }
  });

  it('stand in the answer for each change of settings', async ({ here }) => {
    const { changes } = await answerOf(here, '--type', 'price_spike', '--by', 'settings');
    expect(changes).toHaveLength(1);
    expect(lacks(OF_CHANGE, changes[0])).toEqual([]);
    for (const horizon of ['1h', '24h'])
      expect({
        horizon,
        lacks: lacks(OF_CHANGE_HORIZON, changes[0].horizons[horizon]),
      }).toEqual({ horizon, lacks: [] });
  });

  it('stand in the schemas of help', async ({ here }) => {
    const { outputs, $defs } = JSON.parse((await here(['help', 'stats', '--json'])).stdout);
    const declared = declaredIn([outputs, $defs]);
    const all = [OF_HORIZON, OF_GROUP, OF_ANSWER, OF_CHANGE, OF_CHANGE_HORIZON].flat();
    expect(lacks(all, declared)).toEqual([]);
  });

  it('bound the median size of a move from both sides', async ({ here }) => {
    const { items } = await answerOf(here, '--by', 'type');
    for (const { group, horizons } of items) {
      const { median_size_pct: size, median_size_pct_interval_95: range } = horizons['24h'];
      expect({ group, isWithin: range.low < size && size < range.high && range.low > 0 }).toEqual({
        group,
        isWithin: true,
      });
    }
  });
});
