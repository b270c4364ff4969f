/** `stats` of a local history: the finding of a group and its figures, and what all its screens say besides. */
import { sum } from 'd3-array';
import { HORIZON_NAMES, type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { pluralize } from '../../base/units.ts';
import { shareInWords } from '../../history/export/outlook.ts';
import type { Figure } from '../../outcomes/figure.ts';
import {
  type GroupFigures,
  HORIZON_TABLE,
  type HorizonFigures,
} from '../../outcomes/figure-table.ts';
import { leastOf } from '../../outcomes/question.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, daysText, figureText, minuteFrom, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, Styles, View } from '../types.ts';
import {
  groupStats,
  groupsHead,
  type HistoryStats,
  historyStats,
  type StatsHead,
} from './history-stats-fields.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import {
  sinceThenText,
  standingNotes,
  titleText,
  toDoTitle,
  toneOfVerdict,
  unclearNote,
  verdictName,
} from './verdict.ts';

export const historyStatsView: View<HistoryStats> = { fields: fieldsOf(historyStats) };
export const groupView: View<GroupFigures> = { fields: fieldsOf(groupStats) };
export const statsHeadFields = fieldsOf(groupsHead);

export const CHOSEN =
  '--where finds bought outcomes only: other cards have no numbers at the trigger.';

export const NO_CARDS =
  'This history has no such cards yet: `screener signals export` lists new ones.';

export interface StatsPage {
  readonly head: StatsHead;
  /** The groups that are shown, in their order. */
  readonly groups: readonly GroupFigures[];
  /** Also of types without cards. */
  readonly standings: readonly Standing[];
  readonly horizon: HorizonName;
  readonly isChosen: boolean;
  readonly isOfPresentSettings: boolean;
  readonly isDetailed: boolean;
  readonly again: string;
  readonly anew: string;
  readonly gather: string;
  readonly why: string;
  /** Epoch milliseconds UTC. */
  readonly period: { readonly since: number; readonly until: number };
}

export function figuresPage(page: StatsPage, render: RenderContext): string {
  const { groups, standings, horizon, isDetailed, again, head } = page;
  const { note, offer, paragraph, sections } = render;
  const shown = standings.filter(({ of }) => of !== null);
  const isOfAll = head.by === null && head.screener_type === null;
  if (groups.every(({ rows }) => rows === 0)) return paragraph(NO_CARDS);
  return sections([
    ...shown.map((standing) => groupSection(standing, page, render)),
    {
      body: [
        note(
          unclearNote(shown, true),
          page.isChosen
            ? CHOSEN
            : shown.some(({ dueAt }) => dueAt === undefined) &&
                basisWords(groups, head.bought_first),
          page.why,
          ...standingNotes(
            shown,
            'type',
            `Medians vs others and vs BTC after ${horizonOf(horizon).words}`,
          ),
        ),
        settingsWarning(page, render),
        isOfAll
          ? offer('Which types are worth keeping:', `${again} --by type`)
          : !isDetailed && offer('Every figure:', `${again} --detail`),
      ],
    },
  ]);
}

function groupSection(standing: Standing, page: StatsPage, render: RenderContext): Section {
  const { group, of, to } = standing;
  const { head, horizon, isDetailed, period } = page;
  if (of === null) return { body: '' };
  const names = isDetailed ? (Object.keys(HORIZON_TABLE) as FigureName[]) : MOST_TELLING;
  const leastAt = (name: HorizonName) => leastOf(name, head.least_percentage_points);
  const figures = of.bought === 0 ? [] : rowsOf(of.horizons, names, { horizon, leastAt });
  const table = [...figures, ...countRows(of)];
  // Of a horizon without any outcome there is nothing to say beside the one that is shown.
  const shown = HORIZON_NAMES.filter(
    (name) => name === horizon || of.horizons[name].without_outcome < of.rows,
  );
  const set = of.settings_since;
  const when =
    set === null
      ? `, ${daysText(period)}`
      : ` since its settings changed on ${dayAndMonth(Date.parse(set))}`;
  const name = group === '' ? 'All cards' : safeText(group);
  const where = head.symbol === null ? '' : ` on ${safeText(head.symbol)}`;
  const verdict = head.by === 'symbol' ? titleText(standing) : toDoTitle(standing);
  return {
    title: `${name}${where}: ${verdict}`,
    body: [
      render.note(
        `${pluralize(of.rows, 'card')}${when}; after ${horizonOf(horizon).words}, against ${to === 'others' ? 'your other cards' : 'BTC'}.`,
        sinceThenText(standing),
      ),
      horizonTable(table, of.horizons, render, { unit: ' (95 %)', first: horizon, shown }),
    ],
  };
}

type FigureName = keyof HorizonFigures;
type FiguresRow = HorizonRow<HorizonFigures>;

const MOST_TELLING: readonly FigureName[] = [
  'median_vs_others_percentage_points',
  'service_median_vs_btc_percentage_points',
  'median_vs_btc_percentage_points',
  'verdict',
  'verdict_vs_others',
  'share_above_btc',
  'median_move_pct',
  'quartiles_move_pct',
];

/** The figures that have a label, without the rare ones that say nothing. */
function rowsOf(
  of: GroupFigures['horizons'],
  names: readonly FigureName[],
  shown: ShownHorizon,
): FiguresRow[] {
  const isEmpty = (name: FigureName) => HORIZON_NAMES.every((horizon) => !of[horizon][name]);
  const isBeside = of[shown.horizon].service_median_vs_btc_percentage_points != null;
  return names.flatMap((name): FiguresRow[] => {
    const { label, isRare }: Figure<never> = HORIZON_TABLE[name];
    const words =
      isBeside && name === 'median_vs_btc_percentage_points' ? `${label}, bought` : label;
    const isOfService = name === 'service_median_vs_btc_percentage_points';
    const isLeftOut = words === undefined || (isOfService ? !isBeside : isRare && isEmpty(name));
    if (isLeftOut) return [];
    return [[words, (figures, styles, at) => cellOf(name, figures, styles, shown.leastAt(at))]];
  });
}

interface ShownHorizon {
  /** The horizon of the question. */
  readonly horizon: HorizonName;
  /** The smallest difference that matters after a horizon, percentage points. */
  readonly leastAt: (horizon: HorizonName) => number;
}

function cellOf(name: FigureName, figures: HorizonFigures, styles: Styles, least: number): string {
  const { unit, interval, word }: Figure<never> = HORIZON_TABLE[name];
  const { [name]: value, clusters, cluster_days: days } = figures;
  if (name === 'clusters') {
    const blocks = days === 1 ? '' : ` of ${days} days`;
    return `${clusters}${blocks}${clusters < LEAST_CLUSTERS ? `, needs ${LEAST_CLUSTERS}` : ''}`;
  }
  if (word !== undefined) {
    const verdict = value as ShownVerdict | null;
    return verdict === null ? NONE : styles[toneOfVerdict(verdict)](verdictName(verdict, least));
  }
  const range = interval && figures[interval.name as FigureName];
  if (interval?.required && !(range && figures.sample)) return NONE;
  return `${figureText(value, unit)}${range ? ` (${figureText(range, unit, true)})` : ''}`;
}

const boughtOfDue = ({ due, bought_share: share }: GroupFigures): number =>
  Math.round(due * (share ?? 0));

function countRows(group: GroupFigures): FiguresRow[] {
  const { rows, bought, due } = group;
  const left = due - boughtOfDue(group);
  const counts: readonly (readonly [...FiguresRow, isShown: boolean])[] = [
    ['Measured', ({ sample }) => `${sample} of ${pluralize(rows, 'card')}`, true],
    ['Bought, but no figure', ({ sample }) => String(bought - sample), bought > 0],
    ['Not bought', () => String(left), left > 0],
    ['Not due', () => String(rows - bought - left), rows > bought + left],
  ];
  return counts.flatMap(([label, cell, isShown]): FiguresRow[] => (isShown ? [[label, cell]] : []));
}

/** A change of settings mixes two regimes in one figure. Empty where there was none. */
export function settingsWarning(
  { head, anew, isOfPresentSettings }: StatsPage,
  { offer }: RenderContext,
): string {
  const last = head.settings_changes.at(-1);
  const isOfTypes = head.by === 'type' || (head.by === null && head.screener_type !== null);
  if (last === undefined || (isOfTypes && isOfPresentSettings)) return '';
  const types = [...new Set(head.settings_changes.flatMap((change) => change.types))]
    .map(safeText)
    .join(', ');
  const text = `These figures mix settings: ${types} changed on ${dayAndMonth(Date.parse(last.at))}. Cards since then:`;
  return offer(text, `${anew} --since ${minuteFrom(last.at)}`);
}

/** How many outcomes there are. @param days `, 25 Aug to 23 Nov` */
export function basisWords(
  groups: readonly GroupFigures[],
  boughtFirst: readonly string[],
  days = '',
): string {
  const due = sum(groups, (group) => group.due);
  if (due === 0) return 'No outcome is due yet.';
  const bought = sum(groups, boughtOfDue);
  const first = boughtFirst.map(safeText).join(', ');
  const how = first
    ? `${first} first, so no random sample of all types`
    : shareInWords(bought / due) || 'nearly all';
  const outcomes = `due outcomes${groups.some((one) => one.settings_since !== null) ? ' of present settings' : ''}${days}`;
  if (bought >= due) return `Bought: all ${due} ${outcomes}.`;
  return `Bought: ${bought} of ${due} ${outcomes}${bought === 0 ? '' : ` (${how})`}.`;
}
