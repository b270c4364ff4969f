/** `stats` of a local history: every figure of a group, and what is said below the figures of all. */
import { HORIZON_NAMES } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { LEAST_CLUSTERS } from '../../outcomes/clustered-median.ts';
import type { Figure, Unit } from '../../outcomes/figure.ts';
import { type Comparison, type GroupFigures, HORIZON_TABLE, type HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { SECOND } from '../../runtime/units.ts';
import { fieldsOf } from '../described-fields.ts';
import { figureText, NONE, percentagePoints, zonedTime } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Styles, View } from '../types.ts';
import { groupStats, groupsHead, type HistoryStats, historyStats, type StatsHead } from './history-stats-fields.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { VERDICT_WORDS, verdictText, verdictTint } from './verdict.ts';

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
          body: horizonTable(rowsOf(group, render), group.horizons, render, '(95 % INTERVAL)'),
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
  clusters: ({ clusters, cluster_days: days }) =>
    `${clusters}${days === 1 ? '' : ` blocks of ${days} days`}${clusters < LEAST_CLUSTERS ? `, needs ${LEAST_CLUSTERS}` : ''}`,
  median_move_pct: ({ sample, median_move_pct: median }, styles) =>
    sample === 0 ? styles.dim('not yet measurable') : figureText(median, 'percent'),
  // In colour only where it holds: an unclear difference has a sign too.
  median_vs_btc_percentage_points: ({ median_vs_btc_percentage_points: median, verdict }, styles) =>
    percentagePoints(median, /^(above|below)/.test(verdict ?? '') ? styles : undefined),
  shown_verdict: (horizon, styles) => verdictTint(horizon.shown_verdict, styles)(verdictText(horizon)),
  verdict: ({ verdict, p_vs_btc_holm: p }, styles) => withP(verdict, p, styles),
  verdict_vs_others: ({ verdict_vs_others: verdict, p_vs_others_holm: p }, styles) => withP(verdict, p, styles),
};

/** Narrower, an interval has a line of its own. */
const ROOM_FOR_INTERVALS = 80;

/** The figures that have a label, without the rare ones that say nothing: what was found, then what was counted. */
function rowsOf({ horizons }: GroupFigures, { width }: RenderContext): HorizonRow<HorizonFigures>[] {
  const figures = Object.entries(HORIZON_TABLE) as [keyof HorizonFigures, Figure<never>][];
  const isCounted = ([name, { unit }]: (typeof figures)[number]) => !name.includes('verdict') && unit === undefined;
  return [...figures.filter((one) => !isCounted(one)), ...figures.filter(isCounted)].flatMap(
    ([name, { label, unit, isRare }]): HorizonRow<HorizonFigures>[] => {
      if (label === undefined || (isRare && HORIZON_NAMES.every((horizon) => !horizons[horizon][name]))) return [];
      const cell: Cell = CELLS[name] ?? ((horizon) => figureText(horizon[name], unit));
      const intervalName = `${name.replace('_percentage_points', '')}_interval_95`;
      if (unit === undefined || !Object.hasOwn(HORIZON_TABLE, intervalName)) return [[label, cell]];
      const interval: Cell = (horizon) => inBrackets(horizon[intervalName as keyof HorizonFigures], unit);
      if (width !== undefined && width < ROOM_FOR_INTERVALS)
        return [
          [label, cell],
          ['', interval],
        ];
      return [[label, (horizon, styles) => `${cell(horizon, styles)} ${interval(horizon, styles)}`.trimEnd()]];
    },
  );
}

/** `(+0.20 to +1.90)`, or nothing where there is no interval. */
function inBrackets(interval: unknown, unit: Unit): string {
  return interval === null ? '' : `(${figureText(interval, unit).replaceAll(/ pp|%/g, '')})`;
}

function withP(verdict: ShownVerdict | null, p: number | null, styles: Styles): string {
  const word = verdictTint(verdict, styles)(verdict === null ? NONE : VERDICT_WORDS[verdict]);
  return p === null ? word : `${word} (p ${p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2)})`;
}

/** A change of settings mixes two regimes in one figure. The command that avoids it stands alone on its line. */
export function settingsWarning({ head, again }: StatsPage, { paragraph, styles, zone }: RenderContext): string[] {
  const last = head.settings_changes.at(-1);
  if (last === undefined) return [];
  const types = [...new Set(head.settings_changes.flatMap((change) => change.types))].map((type) => safeText(type));
  const text = `These figures mix settings: ${types.join(', ')} changed by ${zonedTime(last.at, zone)}. Only after:`;
  // To the second, so that the line is short.
  const since = formatApiTime(Math.ceil(Date.parse(last.at) / SECOND) * SECOND);
  return [paragraph(text, styles.warn), `  ${again} --since ${since}`];
}

/** `Based on 138 of 284 due outcomes (49 %, a random sample)`, unless all are bought. */
export function boughtWords({ head, comparison: { groups } }: StatsPage): string[] {
  const { due, bought } = boughtOfDue(groups);
  if (due === 0 || bought >= due) return [];
  const first = head.bought_first.map(safeText).join(', ');
  const how = first === '' ? 'a random sample' : `${first} first, so no fair sample of all types`;
  return [`Based on ${bought} of ${due} due outcomes (${Math.round((100 * bought) / due)} %, ${how})`];
}

/** How many outcomes are due, and how many of these were bought. */
export function boughtOfDue(groups: readonly GroupFigures[]): { readonly due: number; readonly bought: number } {
  const sum = (of: (group: GroupFigures) => number) => groups.reduce((total, group) => total + of(group), 0);
  return {
    due: sum(({ due }) => due),
    bought: sum(({ due, bought_share }) => Math.round(due * (bought_share ?? 0))),
  };
}
