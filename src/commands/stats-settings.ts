import { usageError } from '../errors.ts';
import { settingsPeriods } from '../history/store/answers.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { LEAST } from '../outcomes/verdict.ts';
import { safeText } from '../output/safe-text.ts';
import type { View } from '../output/types.ts';
import { groupView } from '../output/views/history-stats.ts';
import type { StatsHead } from '../output/views/history-stats-fields.ts';
import { settingsSection } from '../output/views/settings-history.ts';
import { explainEmpty, groupsHeadOf, type OfHistory, printList, readSample } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { settingsHistory } from './settings-history.ts';

/** `screener stats --local --by settings --type TYPE`: figures of each of its settings, and what each change did. */
export async function run(
  invocation: Invocation,
  options: OfHistory & { readonly least?: number | undefined },
): Promise<void> {
  const { type, least = LEAST } = options;
  // The other types are what it is compared with.
  const sample = await readSample(invocation, { ...options, type: undefined });
  const types = [...new Set(sample.rows.map((row) => row.type))];
  if (type === undefined) {
    const changed = types.filter((one) => settingsPeriods(sample.looks, one).length > 1);
    const which =
      changed.length === 0 ? 'No look has seen settings change.' : `Changed: ${changed.map(safeText).join(', ')}.`;
    throw usageError('--by settings needs --type: it compares the settings of one screener type.', which);
  }
  if (!types.includes(type)) await explainEmpty(invocation, options);
  const { groups, changes } = settingsHistory(sample, type, least);
  const page: View<object> = {
    fields: groupView.fields,
    page: (_, render) =>
      groups.length === 0
        ? render.paragraph('No look at the settings is kept: `screener signals export` keeps them.')
        : render.sections([settingsSection({ type, groups, changes }, render)]),
  };
  const head: StatsHead & { readonly changes: typeof changes } = {
    ...(await groupsHeadOf(options, 'settings', sample.question.now)),
    settings_changes: changes.map(({ seen_by }) => ({ at: seen_by, types: [type] })),
    comparisons: changes.length,
    least_percentage_points: least,
    groups_left_out: 0,
    changes: asPrinted(changes),
  };
  await printList(invocation, groupView, { items: asPrinted(groups), head, page });
}
