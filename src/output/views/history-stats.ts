/** `stats` of a local history: the finding of a group and its figures, and what all its screens say besides. */
import { sum } from 'd3-array';
import { HORIZON_NAMES, type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { decidingOf, isBelow } from '../../outcomes/deciding.ts';
import type { Figure } from '../../outcomes/figure.ts';
import { type Comparison, type GroupFigures, HORIZON_TABLE, type HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, daysText, estimateText, figureText, minuteFrom, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, View } from '../types.ts';
import { groupStats, groupsHead, type HistoryStats, historyStats, type StatsHead } from './history-stats-fields.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { IF_SHORT, type Silences, VERDICT_WORDS, verdictText, verdictTint } from './verdict.ts';

export const historyStatsView: View<HistoryStats> = { fields: fieldsOf(historyStats) };
export const groupView: View<GroupFigures> = { fields: fieldsOf(groupStats) };
export const statsHeadFields = fieldsOf(groupsHead);

export const CHOSEN = '--where finds bought outcomes only: other cards have no numbers at the trigger.';

export const NO_CARDS = 'No cards in this history match.';

export interface StatsPage extends Pick<Silences, 'silenceOf'> {
  readonly head: StatsHead;
  readonly comparison: Comparison;
  /** The one that the verdict is of. */
  readonly horizon: HorizonName;
  /** The smallest difference that matters then, percentage points. */
  readonly least: number;
  /** Whether `--where` chose the cards. */
  readonly isChosen: boolean;
  /** Every figure, instead of those that matter most. */
  readonly isDetailed: boolean;
  /** The command line that asks the same, to which options can be added. */
  readonly again: string;
  /** The same without `--since`. */
  readonly anew: string;
  /** The command line that buys outcomes of this history. */
  readonly gather: string;
  /** Of the cards, epoch milliseconds UTC. */
  readonly period: { readonly since: number; readonly until: number };
}

export function figuresPage<T extends object>(page: StatsPage, fields: View<T>['fields']): View<T> {
  const { comparison, horizon, isDetailed, again, head } = page;
  const isOfAll = head.by === null && head.screener_type === null;
  return {
    fields,
    page: (_, render) => {
      if (comparison.groups.every(({ rows }) => rows === 0)) return render.paragraph(NO_CARDS);
      return render.sections([
        ...comparison.groups.map((group) => groupSection(group, page, render)),
        {
          body: [
            render.note(
              ...(page.isChosen ? [CHOSEN] : basisWords(comparison, horizon, head.bought_first).slice(1)),
              comparison.groups.some(({ horizons }) => isBelow(horizons[horizon].shown_verdict)) && IF_SHORT,
            ),
            settingsWarning(page, render),
            isOfAll
              ? render.offer('Which types are worth keeping:', `${again} --by type`)
              : !isDetailed && render.offer('Every figure:', `${again} --detail`),
          ],
        },
      ]);
    },
  };
}

/** The title is the finding. */
function groupSection(of: GroupFigures, page: StatsPage, render: RenderContext): Section {
  const { group, rows, horizons, settings_since: since } = of;
  const { head, horizon, least, isDetailed, silenceOf, period } = page;
  const figures = horizons[horizon];
  const to = decidingOf(figures).to === 'others' ? 'your other cards' : 'BTC';
  const finding = verdictText(figures, least, silenceOf(group ?? ''));
  const { cards = 0, difference_percentage_points: later, interval_95: interval } = figures.since_then ?? {};
  const names = isDetailed ? (Object.keys(HORIZON_TABLE) as FigureName[]) : MOST_TELLING;
  const table = [...rowsOf(horizons, names), ...countRows(of)];
  return {
    title: `${group === null ? 'All cards' : safeText(group)}${head.symbol ? ` on ${safeText(head.symbol)}` : ''}: ${finding === NONE ? 'nothing measured yet' : finding}`,
    body: [
      render.note(
        `${pluralize(rows, 'card')}, ${daysText(period, since)}; after ${horizonOf(horizon).words}, against ${to}.`,
        interval != null &&
          figures.shown_verdict !== 'none' &&
          `The ${pluralize(cards, 'outcome')} since that verdict: ${estimateText(later, interval)} pp.`,
      ),
      horizonTable(table, horizons, render, ' (95 %)'),
    ],
  };
}

type FigureName = keyof HorizonFigures;
type Row = HorizonRow<HorizonFigures>;

const MOST_TELLING: readonly FigureName[] = [
  'median_vs_others_percentage_points',
  'median_vs_btc_percentage_points',
  'share_above_btc',
  'median_move_pct',
  'quartiles_move_pct',
];

/** The figures that have a label, without the rare ones that say nothing. */
function rowsOf(horizons: GroupFigures['horizons'], names: readonly FigureName[]): Row[] {
  const table: Readonly<Record<FigureName, Figure<never>>> = HORIZON_TABLE;
  return names.flatMap((name): Row[] => {
    const { label, unit, isRare } = table[name];
    if (label === undefined || (isRare && HORIZON_NAMES.every((horizon) => !horizons[horizon][name]))) return [];
    const intervalName = `${name.replace('_percentage_points', '')}_interval_95` as FigureName;
    const cell: Row[1] = (horizon, styles) => {
      const { [name]: value, [intervalName]: interval, shown_verdict: shown, clusters, cluster_days: days } = horizon;
      if (name === 'clusters') {
        const blocks = days === 1 ? '' : ` blocks of ${days} days`;
        return `${clusters}${blocks}${clusters < LEAST_CLUSTERS ? `, needs ${LEAST_CLUSTERS}` : ''}`;
      }
      // The one that is shown is kept longer than its comparison alone would say.
      const isShown = shown !== null && name.endsWith('_others') === (decidingOf(horizon).to === 'others');
      const word = isShown ? shown : (value as ShownVerdict | null);
      // Without an interval it may be of a card or two.
      if (name.startsWith('median_vs_others') && !(interval && horizon.sample)) return NONE;
      if (name.startsWith('verdict')) return verdictTint(word, styles)(word === null ? NONE : VERDICT_WORDS[word]);
      const range = unit && interval ? ` (${figureText(interval, unit).replaceAll(/ pp|%/g, '')})` : '';
      return `${figureText(value, unit)}${range}`;
    };
    return [[label, cell]];
  });
}

/** They add up to all cards. */
function countRows({ rows, bought }: GroupFigures): Row[] {
  return [
    ['Measured', ({ sample }) => `${sample} of ${pluralize(rows, 'card')}`],
    ['Bought, but no figure', ({ sample }) => String(bought - sample)],
    ['Not bought', () => String(rows - bought)],
  ];
}

/** A change of settings mixes two regimes in one figure. Empty where there was none. */
export function settingsWarning({ head, anew }: StatsPage, { offer }: RenderContext): string {
  const last = head.settings_changes.at(-1);
  // A type is judged by its present settings, if no --since is given.
  const isOfTypes = head.by === 'type' || (head.by === null && head.screener_type !== null);
  if (last === undefined || (isOfTypes && head.since === null)) return '';
  const types = [...new Set(head.settings_changes.flatMap((change) => change.types))].map(safeText).join(', ');
  const text = `These figures mix settings: ${types} changed on ${dayAndMonth(Date.parse(last.at))}. Cards since then:`;
  return offer(text, `${anew} --since ${minuteFrom(last.at)}`);
}

/** Sentences on how many outcomes there are. @param days `, 25 Aug to 23 Nov` */
export function basisWords(
  { groups, uneven: unevenOf }: Pick<Comparison, 'groups' | 'uneven'>,
  horizon: HorizonName,
  boughtFirst: readonly string[],
  days = '',
): string[] {
  const due = sum(groups, (group) => group.due);
  const bought = sum(groups, (group) => Math.round(group.due * (group.bought_share ?? 0)));
  const measured = sum(groups, ({ horizons }) => horizons[horizon].sample);
  const without = sum(groups, (group) => group.bought) - measured;
  const uneven = unevenOf(groups.map(({ group }) => group));
  const sample = uneven ? `most of them ${uneven.side} ${dayAndMonth(uneven.at)}` : 'a random sample';
  const first = boughtFirst.map(safeText).join(', ');
  const how = first === '' ? sample : `${first} first, so no random sample of all types`;
  const share = bought === 0 || bought >= due ? '' : ` (${Math.round((100 * bought) / due)} %, ${how})`;
  return [
    `Based on ${measured} outcomes${days}${without > 0 ? `; another ${without} had no figure` : ''}.`,
    `Bought: ${bought} of ${due} due outcomes${share}.`,
  ];
}
