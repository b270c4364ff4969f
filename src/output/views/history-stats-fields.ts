import * as v from 'valibot';
import { HORIZON_NAMES, LEAST_AFTER } from '../../api/contract/horizons.ts';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { andWords } from '../../base/words.ts';
import { schemaOf } from '../../outcomes/figure.ts';
import { GROUP_TABLE, HORIZON_TABLE } from '../../outcomes/figure-table.ts';
import { GROUPS } from '../../outcomes/types.ts';
import { listOf, objectByHorizon } from '../described-fields.ts';
import { settingsChangeSchema, settingsOfType } from './settings-history.ts';

/** Which cards were asked for: the first fields of every answer from a history. */
export const askedForFields = {
  scope: described(v.literal('local_history'), 'local_history'),
  screener_type: described(v.nullable(v.string()), 'screener type asked for; null for all'),
  symbol: described(v.nullable(v.string()), 'symbol asked for; null for all'),
  since: described(v.nullable(time), 'start asked for, UTC; null for none'),
  until: described(v.nullable(time), 'end asked for, UTC; null for none'),
};

export const horizonFigures = named('HorizonFigures', schemaOf(HORIZON_TABLE));

const figures = v.object({
  ...schemaOf(GROUP_TABLE).entries,
  horizons: objectByHorizon(
    `the horizons ${andWords(HORIZON_NAMES)}, each on its own sample`,
    horizonFigures,
  ),
});

const statsHead = v.object({
  ...askedForFields,
  by: described(
    v.nullable(v.picklist([...GROUPS, 'settings'])),
    'what is grouped by; null for nothing',
  ),
  generated_at: described(time, 'when it was computed, UTC'),
  bought_first: described(
    v.array(v.string()),
    'types bought first (--focus); if there are any, all types together are no random sample',
  ),
  settings_changes: listOf('recorded changes of settings, oldest first', {
    at: described(time, 'when the change was recorded, UTC'),
    types: described(v.array(v.string()), 'screener types whose settings had changed'),
  }),
  least_percentage_points: described(v.number(), `smallest difference that matters ${LEAST_AFTER}`),
  groups_left_out: described(
    count,
    'groups that are not shown: with fewer outcomes than --min-sample at every horizon',
  ),
});

export type StatsHead = ReadonlyDeep<v.InferOutput<typeof statsHead>>;

/** What `stats` from a history prints without `--by`: the `horizons` of the API, and what only a history knows. */
export const historyStats = v.object({ ...statsHead.entries, ...figures.entries });
export type HistoryStats = ReadonlyDeep<v.InferOutput<typeof historyStats>>;

export const groupsHead = v.object({
  ...statsHead.entries,
  changes: described(
    v.optional(v.array(settingsChangeSchema)),
    'only with --by settings: what each change did, oldest first',
  ),
});

export const groupStats = v.object({
  group: described(
    v.nullable(v.string()),
    'the group: a screener type, a symbol, or (--by settings) the time since when the settings hold',
  ),
  ...figures.entries,
  settings: described(
    v.optional(settingsOfType),
    'only with --by settings: the settings of each screener of the type',
  ),
});
