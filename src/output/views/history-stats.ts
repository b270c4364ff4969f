/** `stats` of a local history: every figure of a group, and what is said below the figures of all. */
import { formatApiTime } from '../../api/time.ts';
import type { Figure } from '../../outcomes/figure.ts';
import { type Comparison, type GroupFigures, HORIZON_TABLE, type HorizonFigures } from '../../outcomes/figure-table.ts';
import { HORIZON_NAMES } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { SECOND } from '../../runtime/units.ts';
import { fieldsOf } from '../described-fields.ts';
import { figureText, NONE, percentagePoints, zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, View } from '../types.ts';
import { groupStats, groupsHead, type HistoryStats, historyStats, type StatsHead } from './history-stats-fields.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { wordCell } from './verdict.ts';

export const historyStatsView: View<HistoryStats> = { fields: fieldsOf(historyStats) };

/** What `stats --by` says besides its groups. */
export const statsHeadFields = fieldsOf(groupsHead);

export const groupView: View<GroupFigures> = { fields: fieldsOf(groupStats) };

/** What pages for people are made from. */
export interface StatsPage {
  readonly head: StatsHead;
  readonly comparison: Comparison;
  /** The command line that asks the same, to which `--since` can be added. */
  readonly again: string;
}

/** Every figure of every group. */
export function detailPage<T extends object>(page: StatsPage, fields: View<T>['fields']): View<T> {
  return {
    fields,
    page: (_, render) => {
      const { groups, groups_left_out: left } = page.comparison;
      if (groups.every(({ rows }) => rows === 0)) return render.paragraph('No cards in this history match.');
      const said = [
        ...boughtWords(page).map((words) => `${words}.`),
        ...(left > 0 ? [`Left out: ${pluralize(left, 'group')} with fewer outcomes than --min-sample.`] : []),
      ];
      const dim = (text: string) => render.paragraph(text, render.styles.dim);
      return render.sections([
        ...groups.map((group) => ({
          title: titleOf(group),
          body: horizonTable(rowsOf(group), group.horizons, render),
        })),
        { body: [...said.map(dim), ...settingsWarning(page, render)].join('\n') },
      ]);
    },
  };
}

function titleOf({ group, rows }: GroupFigures): string {
  const cards = pluralize(rows, 'card');
  return group === null ? `Outcomes of ${cards} in the local history` : `${safeText(group)} (${cards})`;
}

type Cell = HorizonRow<HorizonFigures>[1];

/** What is said of a figure otherwise than by its number and unit. */
const CELLS: { readonly [name in keyof HorizonFigures]?: Cell } = {
  clusters: ({ clusters, cluster_days: days }) => (days === 1 ? String(clusters) : `${clusters} of ${days} days`),
  median_move_pct: ({ sample, median_move_pct: median }, styles) =>
    sample === 0 ? styles.dim('not yet measurable') : figureText(median, 'percent'),
  // In colour only where it holds: an unclear difference has a sign too.
  median_vs_btc_percentage_points: ({ median_vs_btc_percentage_points: median, verdict }, styles) =>
    percentagePoints(median, /^(above|below)/.test(verdict ?? '') ? styles : undefined),
  verdict: ({ verdict, weak, p_vs_btc_holm: p }, styles) => withP(wordCell(verdict, weak, null, styles), p),
  verdict_vs_others: ({ verdict_vs_others: verdict, weak, p_vs_others_holm: p }, styles) =>
    withP(wordCell(verdict, weak, null, styles), p),
  would_show_percentage_points: ({ would_show_percentage_points: shows }) => showsCell(shows),
  would_show_vs_others_percentage_points: ({ would_show_vs_others_percentage_points: shows }) => showsCell(shows),
};

/** The figures that have a label, without the rare ones that say nothing. */
function rowsOf({ horizons }: GroupFigures): HorizonRow<HorizonFigures>[] {
  const figures: [string, Figure<never>][] = Object.entries(HORIZON_TABLE);
  return figures.flatMap(([key, { label, unit, isRare }]) => {
    const name = key as keyof HorizonFigures;
    if (label === undefined || (isRare && HORIZON_NAMES.every((horizon) => !horizons[horizon][name]))) return [];
    const cell: Cell = (horizon) =>
      name.includes('_interval_') && horizon[name] === null ? noInterval(horizon) : figureText(horizon[name], unit);
    return [[label, CELLS[name] ?? cell]];
  });
}

/** Why there is no interval. */
function noInterval({ sample, clusters, cluster_days, distinct_days }: HorizonFigures): string {
  if (sample === 0) return NONE;
  const needed = 6 * cluster_days;
  return clusters < 6 && distinct_days < needed ? `needs ${needed} days, has ${distinct_days}` : 'too few cards';
}

function withP(word: string, p: number | null): string {
  return p === null ? word : `${word} (p ${p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2)})`;
}

function showsCell(difference: number | null): string {
  return difference === null ? NONE : percentagePoints(difference).replace('+', '±');
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
export function boughtWords({ head, comparison: { groups } }: StatsPage): string[] {
  const due = sum(groups, (group) => group.due);
  const bought = sum(groups, (group) => Math.round(group.due * (group.bought_share ?? 0)));
  if (due === 0 || bought >= due) return [];
  const first = head.bought_first.map(safeText).join(', ');
  const how = first === '' ? 'a random sample' : `${first} first: no fair sample of all types`;
  return [`${bought} of the ${due} outcomes due are bought (${Math.round((100 * bought) / due)} %), ${how}`];
}

function sum(groups: readonly GroupFigures[], of: (group: GroupFigures) => number): number {
  return groups.reduce((total, group) => total + of(group), 0);
}
