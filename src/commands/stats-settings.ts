/** `screener stats --by settings`: one type's settings through time, and what each change of them did. */
import { type ScreenerError, usageError } from '../errors.ts';
import { periodsInUseByType } from '../history/store/settings-periods.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { DEFAULT_LEAST } from '../outcomes/question.ts';
import type { RenderContext } from '../output/types.ts';
import { groupView } from '../output/views/history-stats.ts';
import type { StatsHead } from '../output/views/history-stats-fields.ts';
import {
  type SettingsHistory,
  type SettingsPageCommands,
  settingsPage,
} from '../output/views/settings-history.ts';
import { printList } from './parts/history-list.ts';
import { explainEmpty, type Inquiry, inquire, judgedTypes } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import { type StatsLocalOptions, settingsCommand } from './parts/stats-commands.ts';
import { statsHeadOf } from './parts/stats-head.ts';

type SettingsHead = StatsHead & { readonly changes: SettingsHistory['changes'] };

/** @throws ScreenerError usage, without a type, or with an option of rankings; otherwise as `inquire` and `explainEmpty` */
export async function showSettings(
  invocation: Invocation,
  options: StatsLocalOptions,
): Promise<void> {
  refuseOptionsOfRankings(options);
  const { type, least: leastPoints = DEFAULT_LEAST } = options;
  // The cards of all types are read: without --type, the error lists the types whose settings changed.
  const inquiry = await inquire(
    invocation,
    { ...options, type: undefined },
    { terms: { least: leastPoints }, readsAll: true },
  );
  const types = [...new Set(inquiry.evidence.cards.map((card) => card.type))];
  if (type === undefined) throw noTypeError(invocation, options, inquiry, types);
  // `explainEmpty` throws if the history does not know the type. For a type with settings but without cards it returns: such a
  // type gets a page.
  if (!types.includes(type)) await explainEmpty(invocation, options);
  const history = settingsHistory(inquiry, type, judgedTypes(inquiry).standings, leastPoints);
  const { groups, changes } = history;
  const head: SettingsHead = {
    ...(await statsHeadOf(options, 'settings', inquiry.evidence.now)),
    // When the settings changed, as in every answer of `stats`. The exact time is not known: `seen_by` is the first look that saw
    // the change.
    settings_changes: changes.map(({ seen_by }) => ({ at: seen_by, types: [type] })),
    least_percentage_points: leastPoints,
    groups_left_out: 0,
    // What each change did, with its figures.
    changes: asPrinted(changes),
  };
  const commands: SettingsPageCommands = {
    screenersCommand: commandLine(invocation, 'screeners', historyOptions(options), type),
    exportCommand: exportCommand(invocation, options.from),
  };
  const page = (render: RenderContext) => settingsPage(history, commands, render);
  await printList(invocation, groupView, {
    items: asPrinted(groups),
    head,
    overdue: inquiry.overdue,
    page,
  });
}

/** @throws ScreenerError usage, if an option was typed that only rankings have */
function refuseOptionsOfRankings({ horizon, sort, minSample, detail }: StatsLocalOptions): void {
  const refused: string[] = [];
  if (horizon !== undefined) refused.push('--horizon');
  if (sort !== undefined) refused.push('--sort');
  if (minSample !== undefined) refused.push('--min-sample');
  if (detail === true) refused.push('--detail');
  const [first] = refused;
  if (first === undefined) return;
  throw usageError(
    `${first} and --by settings exclude each other: the page shows all settings of one type, in the order of time.`,
    '--json has all figures, of each horizon.',
  );
}

/** The error that --type is missing. Its hint has a command line for each type whose settings changed. */
function noTypeError(
  invocation: Invocation,
  options: StatsLocalOptions,
  { looks }: Inquiry,
  types: readonly string[],
): ScreenerError {
  const settingsOf = periodsInUseByType(looks);
  // More than one period: the settings changed.
  const changed = types.filter((type) => (settingsOf.get(type) ?? []).length > 1);
  const lines = changed.map((type) => settingsCommand(invocation, options, type));
  return usageError(
    '--by settings needs --type: it compares the settings of one screener type.',
    lines.length === 0 ? 'No change is recorded.' : ['Changed settings:', ...lines].join('\n'),
  );
}
