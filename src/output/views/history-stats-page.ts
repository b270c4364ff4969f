import { formatApiTime } from '../../api/time.ts';
import type { Comparison, GroupFigures } from '../../outcomes/figure-table.ts';
import type { Histogram } from '../../outcomes/histogram.ts';
import type { HorizonName } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { SECOND } from '../../runtime/units.ts';
import { minuteTime } from '../format.ts';
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
export function historyStatsSentences(page: StatsPage, render: RenderContext, first: readonly string[] = []): string {
  const dim = (text: string) => render.paragraph(text, render.styles.dim);
  return [
    ...first.map(dim),
    ...warnings(page, render),
    ...boughtSentence(page).map(dim),
    ...leftOutSentence(page).map(dim),
    dim('Price movement after a trigger, not trading profit. How the figures are made:'),
    '  screener help figures',
  ].join('\n');
}

/** A change of settings mixes two regimes in one figure. The command that avoids it stands alone on its line. */
function warnings({ head, again }: StatsPage, render: RenderContext): string[] {
  const last = head.settings_changes.at(-1);
  if (last === undefined) return [];
  const types = [...new Set(head.settings_changes.flatMap((change) => change.types))].map((type) => safeText(type));
  const text = `Settings of ${types.join(', ')} had changed by ${minuteTime(last.at)} UTC: these figures mix what came before and after. Only after:`;
  // To the second, so that the line is short.
  const since = formatApiTime(Math.ceil(Date.parse(last.at) / SECOND) * SECOND);
  return [render.paragraph(text, render.styles.warn), `  ${again} --since ${since}`];
}

function boughtSentence({ head, comparison }: StatsPage): string[] {
  const due = sum(comparison.groups, ({ due }) => due);
  const bought = sum(comparison.groups, ({ due, bought_share }) => Math.round(due * (bought_share ?? 0)));
  if (due === 0 || bought >= due) return [];
  const first = head.bought_first;
  const how =
    first.length === 0 ? ', a random sample' : `, ${first.map(safeText).join(', ')} first: no fair sample of all types`;
  return [`Bought: ${bought} of the ${due} outcomes that are due (${Math.round((100 * bought) / due)} %)${how}.`];
}

function leftOutSentence({ comparison: { groups_left_out: count } }: StatsPage): string[] {
  if (count === 0) return [];
  return [`Left out: ${pluralize(count, 'group')} with fewer outcomes than --min-sample.`];
}

function sum(groups: readonly GroupFigures[], of: (group: GroupFigures) => number): number {
  return groups.reduce((total, group) => total + of(group), 0);
}
