/** `stats` of a local history: the verdict on a group with its figures, and notes that all screens of `stats` have. */
import { sum } from 'd3-array';
import { HORIZON_NAMES, type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { pluralize } from '../../base/units.ts';
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
import { dayAndMonth, daysText, figureText, minuteFrom, NONE, shareText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, Section, Styles, View } from '../types.ts';
import { noCardsText } from './card-lists.ts';
import {
  groupStats,
  groupsHead,
  type HistoryStats,
  historyStats,
  type StatsHead,
} from './history-stats-fields.ts';
import { type HorizonRow, horizonTable } from './parts.ts';
import { betaNotes, sinceThenText, standingNotes, unclearNote } from './standing-notes.ts';
import { toDoTitle } from './to-do-words.ts';
import { titleText } from './verdict.ts';
import { toneOfVerdict, verdictName, WHOM } from './verdict-names.ts';

export const historyStatsView: View<HistoryStats> = { fields: fieldsOf(historyStats) };
export const groupView: View<GroupFigures> = { fields: fieldsOf(groupStats) };
export const statsHeadFields = fieldsOf(groupsHead);

export const WHERE_FINDS =
  '--where finds bought outcomes only: other cards have no numbers at the trigger.';

export interface StatsPage {
  readonly head: StatsHead;
  /** The groups that are shown, in their order. */
  readonly groups: readonly GroupFigures[];
  /** The standing of each group, and of each type without cards. */
  readonly standings: readonly Standing[];
  readonly horizon: HorizonName;
  readonly hasWhere: boolean;
  /** Whether each type has only its cards under present settings here: it has, unless --since was typed. */
  readonly isOfPresentSettings: boolean;
  readonly isDetailed: boolean;
  /** The command line of this page, with further words: `stats --type oi --detail`. */
  readonly commandAgain: (...more: readonly string[]) => string;
  /** The command line of this page without its `--since`, with further words. */
  readonly commandWithoutSince: (...more: readonly string[]) => string;
  readonly exportCommand: string;
  readonly caveats: string;
  /** Epoch milliseconds UTC. */
  readonly period: { readonly since: number; readonly until: number };
}

export function figuresPage(page: StatsPage, render: RenderContext): string {
  const standings = page.standings.filter(({ groupFigures }) => groupFigures !== null);
  if (page.groups.every(({ rows }) => rows === 0)) return render.paragraph(noGroupsText(page));
  const groups = standings.map((standing) => groupSection(standing, page, render));
  return render.sections([...groups, closingSection(standings, page, render)]);
}

/** Why there is no group: --min-sample leaves out all, or there is no card. */
export function noGroupsText({
  head,
  exportCommand,
}: Pick<StatsPage, 'head' | 'exportCommand'>): string {
  const leftOut = head.groups_left_out;
  if (leftOut === 0) return noCardsText(exportCommand, head.until);
  if (leftOut === 1) return 'The only group has fewer outcomes than --min-sample.';
  return `All ${leftOut} groups have fewer outcomes than --min-sample.`;
}

/** What all groups have in common, and what to ask next. */
function closingSection(
  standings: readonly Standing[],
  page: StatsPage,
  render: RenderContext,
): Section {
  const { horizon, caveats, isDetailed } = page;
  const topic = `Medians vs others and vs BTC after ${horizonOf(horizon).words}`;
  return {
    body: [
      render.note(
        unclearNote(standings),
        basisNote(standings, page),
        caveats,
        ...standingNotes(standings, page.head.by ?? 'type', { figures: topic }),
        ...(isDetailed ? betaNotes(standings) : []),
      ),
      settingsWarning(page, render),
      nextOffer(page, render),
    ],
  };
}

/** Says how many outcomes were bought; empty before the first one is due. With `--where` it says that only bought outcomes are found. */
function basisNote(standings: readonly Standing[], { hasWhere, groups, head }: StatsPage): string {
  if (hasWhere) return WHERE_FINDS;
  // A group has `dueAt` only until its first outcome is due.
  const isAnyDue = standings.some(({ dueAt }) => dueAt === undefined);
  return isAnyDue ? basisWords(groups, head.bought_first) : '';
}

/** What to ask next: after a page of all cards, the types; after a page of one type, every figure of it. */
function nextOffer(
  { head, commandAgain, isDetailed }: StatsPage,
  { offer }: RenderContext,
): string {
  const isOfAll = head.by === null && head.screener_type === null;
  if (isOfAll) return offer('Which types are worth keeping:', commandAgain('--by', 'type'));
  return isDetailed ? '' : offer('Every figure:', commandAgain('--detail'));
}

function groupSection(standing: Standing, page: StatsPage, render: RenderContext): Section {
  const { groupFigures: figures } = standing;
  const { head, horizon, isDetailed } = page;
  if (figures === null) return { body: '' };
  const names = isDetailed ? (Object.keys(HORIZON_TABLE) as FigureName[]) : MOST_TELLING;
  const leastAt = (name: HorizonName) => leastOf(name, head.least_percentage_points);
  const rows = figures.bought === 0 ? [] : rowsOf(figures.horizons, names, { horizon, leastAt });
  // If no card has an outcome after a horizon, it has no column, unless the user asked for it.
  const horizons = HORIZON_NAMES.filter(
    (name) => name === horizon || figures.horizons[name].without_outcome < figures.rows,
  );
  return {
    title: groupTitle(standing, head),
    body: [
      render.note(cardsText(figures, standing, page), sinceThenText(standing)),
      horizonTable([...rows, ...countRows(figures)], figures.horizons, render, {
        headerEnd: ' (95 %)',
        first: horizon,
        shown: horizons,
      }),
    ],
  };
}

/** `TYPE on SOLUSDT: worth keeping, above since 24 Sep`. */
function groupTitle(standing: Standing, { by, symbol }: StatsHead): string {
  const { group } = standing;
  const name = group === '' ? 'All cards' : safeText(group);
  const where = symbol === null ? '' : ` on ${safeText(symbol)}`;
  // Symbols are neither kept nor dropped.
  const verdict = by === 'symbol' ? titleText(standing) : toDoTitle(standing);
  return `${name}${where}: ${verdict}`;
}

/** `380 cards since its settings changed on 5 Oct; after 24 hours, against your other cards.` */
function cardsText(
  { rows, settings_since: settingsSince }: GroupFigures,
  { comparedWith }: Standing,
  { horizon, period }: StatsPage,
): string {
  const cards = pluralize(rows, 'card');
  const compared = `after ${horizonOf(horizon).words}, against ${WHOM[comparedWith]}`;
  if (settingsSince === null) return `${cards}, ${daysText(period)}; ${compared}.`;
  const changedOn = dayAndMonth(Date.parse(settingsSince));
  return `${cards} since its settings changed on ${changedOn}; ${compared}.`;
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

/** A row for each figure that has a label. A figure that is called rare has one only if it is not 0. */
function rowsOf(
  horizons: GroupFigures['horizons'],
  names: readonly FigureName[],
  { horizon, leastAt }: ShownHorizon,
): FiguresRow[] {
  const isOfService = horizons[horizon].service_median_vs_btc_percentage_points != null;
  const hasRow = (name: FigureName): boolean => {
    if (name === 'service_median_vs_btc_percentage_points') return isOfService;
    const { isRare }: Figure<never> = HORIZON_TABLE[name];
    return isRare !== true || HORIZON_NAMES.some((each) => Boolean(horizons[each][name]));
  };
  const rows: FiguresRow[] = [];
  for (const name of names.filter(hasRow)) {
    const { label }: Figure<never> = HORIZON_TABLE[name];
    if (label === undefined) continue;
    // The service's median vs BTC stands in the row above: the two are told apart by `bought`.
    const isBesideService = isOfService && name === 'median_vs_btc_percentage_points';
    const words = isBesideService ? `${label}, bought` : label;
    rows.push([words, (figures, styles, at) => cellOf(name, figures, styles, leastAt(at))]);
  }
  return rows;
}

/** The horizon of the page, and what its verdicts need. */
interface ShownHorizon {
  /** The horizon of the question. */
  readonly horizon: HorizonName;
  /** The smallest difference that matters after a horizon, percentage points. */
  readonly leastAt: (horizon: HorizonName) => number;
}

/**
 * The text of a figure's cell. There are four kinds of figures:
 * - the number of blocks: `5 of 2 days, needs 6` (`blocksText`);
 * - a verdict: `above`;
 * - a figure without an interval: `12`;
 * - a figure with an interval: `+1.2 (0.3 to 2.1)`. If its interval is required and missing, the cell is `–`.
 * @param least the smallest difference that matters, percentage points
 */
function cellOf(name: FigureName, figures: HorizonFigures, styles: Styles, least: number): string {
  if (name === 'clusters') return blocksText(figures);
  const { unit, interval, verdictOf }: Figure<never> = HORIZON_TABLE[name];
  const value = figures[name];
  if (verdictOf !== undefined) {
    const verdict = value as ShownVerdict | null;
    return verdict === null ? NONE : styles[toneOfVerdict(verdict)](verdictName(verdict, least));
  }
  if (interval === undefined) return figureText(value, unit);
  const range = figures[interval.name as FigureName];
  // Without an interval, the figure may rest on a card or two.
  const hasInterval = Boolean(range) && figures.sample > 0;
  if (interval.required && !hasInterval) return NONE;
  const inBrackets = range ? ` (${figureText(range, unit, true)})` : '';
  return `${figureText(value, unit)}${inBrackets}`;
}

/** `5 of 2 days, needs 6`: there are 5 blocks of 2 days each, and a verdict needs 6 blocks. */
function blocksText({ clusters, cluster_days: days }: HorizonFigures): string {
  const length = days === 1 ? '' : ` of ${days} days`;
  const needed = clusters < LEAST_CLUSTERS ? `, needs ${LEAST_CLUSTERS}` : '';
  return `${clusters}${length}${needed}`;
}

/**
 * How many of the outcomes that were due at the last export were bought. The figure `bought` also counts outcomes that came due
 * later: therefore this is computed from `bought_share`, which does not.
 */
function boughtOfDue({ due, bought_share: share }: GroupFigures): number {
  return Math.round(due * (share ?? 0));
}

function countRows(group: GroupFigures): FiguresRow[] {
  const { rows, bought, due } = group;
  const notBought = due - boughtOfDue(group);
  const notDue = rows - bought - notBought;
  const counts: FiguresRow[] = [
    ['Measured', ({ sample }) => `${sample} of ${pluralize(rows, 'card')}`],
  ];
  if (bought > 0) counts.push(['Bought, but no figure', ({ sample }) => String(bought - sample)]);
  if (notBought > 0) counts.push(['Not bought', () => String(notBought)]);
  if (notDue > 0) counts.push(['Not due', () => String(notDue)]);
  return counts;
}

/**
 * Says that the figures mix cards under different settings, with a command for the cards since the last change. Empty if no settings
 * changed, or if the page is of types and has only their cards under present settings.
 */
export function settingsWarning(
  { head, commandWithoutSince, isOfPresentSettings }: StatsPage,
  { offer }: RenderContext,
): string {
  const last = head.settings_changes.at(-1);
  const isOfTypes = head.by === 'type' || (head.by === null && head.screener_type !== null);
  if (last === undefined || (isOfTypes && isOfPresentSettings)) return '';
  const text = `These figures mix settings: ${changesInWords(head.settings_changes)}. Cards since then:`;
  return offer(text, commandWithoutSince('--since', minuteFrom(last.at)));
}

/** `alpha, beta changed on 1 Aug, gamma on 5 Oct`: each type with the day of its last change. @param changes oldest first */
function changesInWords(changes: StatsHead['settings_changes']): string {
  const lastDays = new Map<string, string>();
  for (const { at, types } of changes) {
    for (const type of types) lastDays.set(type, dayAndMonth(Date.parse(at)));
  }
  const days = changes.map(({ at }) => dayAndMonth(Date.parse(at)));
  const parts: string[] = [];
  for (const day of new Set(days)) {
    const types = [...lastDays.keys()].filter((type) => lastDays.get(type) === day);
    const names = types.map(safeText).join(', ');
    const verb = parts.length === 0 ? ' changed' : '';
    if (types.length > 0) parts.push(`${names}${verb} on ${day}`);
  }
  return parts.join(', ');
}

/** `You bought 1994 of 2499 outcomes of present settings (80 %).` @param days `, 25 Aug to 23 Nov`, or empty */
export function basisWords(
  groups: readonly GroupFigures[],
  boughtFirst: readonly string[],
  days = '',
): string {
  const due = sum(groups, (group) => group.due);
  if (due === 0) return 'No outcome is due yet.';
  const bought = sum(groups, boughtOfDue);
  const areEarlierLeftOut = groups.some((group) => group.settings_since !== null);
  const settings = areEarlierLeftOut ? ' of present settings' : '';
  const outcomes = `outcomes${settings}${days}`;
  if (bought >= due) return `You bought all ${due} ${outcomes}.`;
  const choice = bought === 0 ? '' : ` (${choiceWords(bought / due, boughtFirst)})`;
  return `You bought ${bought} of ${due} ${outcomes}${choice}.`;
}

/** `80 %`, or which types were bought first. @param share bought outcomes among those that are due, a fraction */
function choiceWords(share: number, boughtFirst: readonly string[]): string {
  if (boughtFirst.length === 0) return shareText(share);
  return `${boughtFirst.map(safeText).join(', ')} first, so no random sample of all types`;
}
