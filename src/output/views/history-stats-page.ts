import { formatApiTime } from '../../api/time.ts';
import type { Comparison, GroupFigures } from '../../outcomes/figure-table.ts';
import type { Histogram } from '../../outcomes/histogram.ts';
import type { HorizonName } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { SECOND } from '../../runtime/units.ts';
import { zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext } from '../types.ts';
import type { StatsHead } from './history-stats-fields.ts';

/** A page for people. */
export interface StatsPage {
  readonly head: StatsHead;
  readonly comparison: Comparison;
  /** The command line that asks the same, to which `--since` can be added. */
  readonly again: string;
  /** By group, to be drawn where it is a terminal. */
  readonly histograms: ReadonlyMap<string | null, Readonly<Record<HorizonName, Histogram | undefined>>>;
}

/** What the reader has to know beyond the figures, and how to go on. */
export function historyStatsSentences(page: StatsPage, render: RenderContext): string {
  const dim = (text: string) => render.paragraph(text, render.styles.dim);
  const { groups_left_out: left } = page.comparison;
  return [
    ...boughtWords(page).map((words) => dim(`${words}.`)),
    ...(left > 0 ? [dim(`Left out: ${pluralize(left, 'group')} with fewer outcomes than --min-sample.`)] : []),
    ...settingsWarning(page, render),
    dim('Price movement after a trigger, not trading profit. How the figures are made:'),
    '  screener help figures',
  ].join('\n');
}

/** A change of settings mixes two regimes in one figure. The command that avoids it stands alone on its line. */
export function settingsWarning({ head, again }: StatsPage, { paragraph, styles, zone }: RenderContext): string[] {
  const last = head.settings_changes.at(-1);
  if (last === undefined) return [];
  const types = [...new Set(head.settings_changes.flatMap((change) => change.types))].map((type) => safeText(type));
  const text = `Settings of ${types.join(', ')} changed by ${zonedTime(last.at, zone)}. Only after:`;
  // To the second, so that the line is short.
  const since = formatApiTime(Math.ceil(Date.parse(last.at) / SECOND) * SECOND);
  return [paragraph(text, styles.warn), `  ${again} --since ${since}`];
}

/** `138 of the 284 outcomes due are bought (49 %), a random sample`, where not all are. */
export function boughtWords({ head, comparison }: StatsPage): string[] {
  const due = sum(comparison.groups, (group) => group.due);
  const bought = sum(comparison.groups, (group) => Math.round(group.due * (group.bought_share ?? 0)));
  if (due === 0 || bought >= due) return [];
  const first = head.bought_first.map(safeText).join(', ');
  const how = first === '' ? 'a random sample' : `${first} first: no fair sample of all types`;
  return [`${bought} of the ${due} outcomes due are bought (${Math.round((100 * bought) / due)} %), ${how}`];
}

function sum(groups: readonly GroupFigures[], of: (group: GroupFigures) => number): number {
  return groups.reduce((total, group) => total + of(group), 0);
}
