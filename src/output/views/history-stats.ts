/** `stats` of a local history: the finding of a group and its figures, and what all its screens say besides. */
import { HORIZON_NAMES, type HorizonName, horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { LEAST_CLUSTERS } from '../../outcomes/clustered-median.ts';
import { decidingOf } from '../../outcomes/deciding.ts';
import type { Figure } from '../../outcomes/figure.ts';
import { type Comparison, type GroupFigures, HORIZON_TABLE, type HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { leastOf } from '../../outcomes/verdict.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, daysText, estimateText, figureText, minuteFrom, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Part, RenderContext, Section, Styles, View } from '../types.ts';
import { groupStats, groupsHead, type HistoryStats, historyStats, type StatsHead } from './history-stats-fields.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { VERDICT_WORDS, verdictText, verdictTint } from './verdict.ts';

export const historyStatsView: View<HistoryStats> = { fields: fieldsOf(historyStats) };

export const statsHeadFields = fieldsOf(groupsHead);

export const groupView: View<GroupFigures> = { fields: fieldsOf(groupStats) };

export const NO_CARDS = 'No cards in this history match.';

export interface StatsPage {
  readonly head: StatsHead;
  readonly comparison: Comparison;
  /** The one that the verdict is of. */
  readonly horizon: HorizonName;
  /** Every figure, instead of those that matter most. */
  readonly isDetailed: boolean;
  /** The command line that asks the same, to which options can be added. */
  readonly again: string;
  /** Of types that are switched on: `no card for 22 days`. */
  readonly silences: ReadonlyMap<string | null, string | undefined>;
  /** Of the cards, epoch milliseconds UTC. */
  readonly period: { readonly since: number; readonly until: number };
}

export function figuresPage<T extends object>(page: StatsPage, fields: View<T>['fields']): View<T> {
  const { comparison, isDetailed, again, head } = page;
  const isOfAll = head.by === null && head.screener_type === null;
  return {
    fields,
    page: (_, render) => {
      if (comparison.groups.every(({ rows }) => rows === 0)) return render.paragraph(NO_CARDS);
      return render.sections([
        ...comparison.groups.map((group) => groupSection(group, page, render)),
        {
          body: [
            render.note(basisWords(page)),
            settingsWarning(page, render),
            isOfAll && render.offer('Which types are worth keeping:', `${again} --by type`),
            !isDetailed && !isOfAll && render.offer('Every figure:', `${again} --detail`),
          ],
        },
      ]);
    },
  };
}

/** The title is the finding. */
function groupSection(of: GroupFigures, page: StatsPage, render: RenderContext): Section {
  const { group, rows, horizons, settings_since: since } = of;
  const figures = horizons[page.horizon];
  const to = decidingOf(figures).to === 'others' ? 'your other cards' : 'BTC';
  const least = leastOf(page.horizon, page.comparison.least_percentage_points);
  const finding = verdictText(figures, least, to, page.silences.get(group));
  const { cards = 0, difference_percentage_points: later = null, interval_95: interval } = figures.since_then ?? {};
  const names = page.isDetailed ? Object.keys(HORIZON_TABLE) : MOST_TELLING;
  return {
    title: `${group === null ? 'All cards' : safeText(group)}: ${finding}`,
    body: [
      render.note(
        `${pluralize(rows, 'card')}, ${daysText(page.period, since)}; ${horizonOf(page.horizon).words} after the trigger.`,
        interval != null && `The ${pluralize(cards, 'card')} since that verdict: ${estimateText(later, interval)} pp.`,
      ),
      horizonTable(
        [...rowsOf(horizons, names as FigureName[]), ...(page.isDetailed ? [] : countRows(of))],
        horizons,
        render,
        ' (95 %)',
      ),
    ],
  };
}

type FigureName = keyof HorizonFigures;
type Cell = HorizonRow<HorizonFigures>[1];

const MOST_TELLING: readonly FigureName[] = [
  'median_vs_others_percentage_points',
  'median_vs_btc_percentage_points',
  'share_above_btc',
  'median_move_pct',
  'quartiles_move_pct',
];

const CELLS: { readonly [name in FigureName]?: Cell } = {
  clusters: ({ clusters, cluster_days: days }) => {
    const blocks = days === 1 ? '' : ` blocks of ${days} days`;
    return `${clusters}${blocks}${clusters < LEAST_CLUSTERS ? `, needs ${LEAST_CLUSTERS}` : ''}`;
  },
  shown_verdict: (horizon, styles) => verdictTint(horizon.shown_verdict, styles)(verdictText(horizon)),
  verdict: ({ verdict }, styles) => verdictWord(verdict, styles),
  verdict_vs_others: ({ verdict_vs_others: verdict }, styles) => verdictWord(verdict, styles),
};

/** The figures that have a label, without the rare ones that say nothing. */
function rowsOf(horizons: GroupFigures['horizons'], names: readonly FigureName[]): HorizonRow<HorizonFigures>[] {
  const table: Readonly<Record<FigureName, Figure<never>>> = HORIZON_TABLE;
  return names.flatMap((name): HorizonRow<HorizonFigures>[] => {
    const { label, unit, isRare } = table[name];
    if (label === undefined || (isRare && HORIZON_NAMES.every((horizon) => !horizons[horizon][name]))) return [];
    const cell: Cell = CELLS[name] ?? ((horizon) => figureText(horizon[name], unit));
    const intervalName = `${name.replace('_percentage_points', '')}_interval_95` as FigureName;
    return [
      [
        label,
        (horizon, styles) => {
          const interval = unit === undefined ? null : (horizon[intervalName] ?? null);
          const range = interval === null ? '' : ` (${figureText(interval, unit).replaceAll(/ pp|%/g, '')})`;
          return `${cell(horizon, styles)}${range}`;
        },
      ],
    ];
  });
}

/** What was bought adds up: an outcome may be missing, not settled yet, or not there at all. */
function countRows({ bought, horizons }: GroupFigures): HorizonRow<HorizonFigures>[] {
  const none = (one: HorizonFigures) => bought - one.sample - one.missing - one.pending - one.other_states;
  return [
    ['Measured', ({ sample }) => `${sample} of ${bought} bought`],
    ...rowsOf(horizons, ['missing', 'pending', 'other_states']),
    ...(none(horizons[MAIN_HORIZON]) === 0
      ? []
      : [['No outcome', (one) => `${none(one)}`] as HorizonRow<HorizonFigures>]),
  ];
}

function verdictWord(verdict: ShownVerdict | null, styles: Styles): string {
  return verdictTint(verdict, styles)(verdict === null ? NONE : VERDICT_WORDS[verdict]);
}

/** A change of settings mixes two regimes in one figure. Empty where there was none. */
export function settingsWarning({ head, again }: StatsPage, { offer }: RenderContext): string {
  const last = head.settings_changes.at(-1);
  if (last === undefined) return '';
  const types = [...new Set(head.settings_changes.flatMap((change) => change.types))].map(safeText).join(', ');
  const text = `These figures mix settings: ${types} changed on ${dayAndMonth(Date.parse(last.at))}. Cards since then:`;
  return offer(text, `${again} --since ${minuteFrom(last.at)}`);
}

/** What share of the due outcomes was bought; if that is all, only where days are to be said. @param days `, 25 Aug to 23 Nov` */
export function basisWords({ head, comparison: { groups } }: StatsPage, days = ''): Part {
  const { due, bought } = boughtOfDue(groups);
  const first = head.bought_first.map(safeText).join(', ');
  const how = first === '' ? 'a random sample' : `${first} first, so no fair sample of all types`;
  if (bought >= due) return days && `Based on all ${due} due outcomes${days}.`;
  return `Based on ${bought} of ${due} due outcomes${days} (${Math.round((100 * bought) / due)} %, ${how}).`;
}

export function boughtOfDue(groups: readonly GroupFigures[]): { readonly due: number; readonly bought: number } {
  const sum = (of: (group: GroupFigures) => number) => groups.reduce((total, group) => total + of(group), 0);
  return {
    due: sum(({ due }) => due),
    bought: sum(({ due, bought_share }) => Math.round(due * (bought_share ?? 0))),
  };
}
