/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { at } from '../../api/time.ts';
import { pluralize } from '../../base/units.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { isSide } from '../../statistics/rule.ts';
import { dayAndMonth, daysText, figureText, NONE, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, Part, RenderContext, RowSection } from '../types.ts';
import type { Actions } from './actions.ts';
import { actionLines, actionPairs } from './actions-words.ts';
import { noCardsText } from './card-lists.ts';
import { basisWords, CHOSEN, type StatsPage, settingsWarning } from './history-stats.ts';
import {
  type Axis,
  axisOf,
  goesOnWords,
  intervalLine,
  intervalWords,
  isDrawn,
  marksOf,
  marksShown,
  scaleLine,
} from './interval-axis.ts';
import { figureColumn, symbolText, textColumn } from './parts.ts';
import {
  besideBtcNotes,
  isNothingKnown,
  rankingVerdict,
  sectionsOf,
  waitNotes,
} from './sections.ts';
import { statsByTypeView } from './stats.ts';
import { twoSidesNotes } from './tune-words.ts';
import {
  differenceColumns,
  earlierNotes,
  type HeadLine,
  headlineText,
  isTooEarly,
  latelyText,
  nothingFound,
  ruleNote,
  standingNotes,
} from './verdict.ts';

/** Characters of an axis: a narrower one is not drawn, and a wider one tells no more. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
/** Characters of an axis that is easily read: none is made narrower for the sake of more columns. */
const READABLE_AXIS = 12;
/** Columns of a terminal from which on the intervals are drawn. */
const TERMINAL_FOR_PICTURE = 60;
/** Columns of a terminal from which on a line has more columns. */
const TERMINAL_FOR_MORE = 100;

export interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** The newest answer of the service for each type. */
  readonly answers: readonly SignalStats[];
  /** The command line that shows what new settings of a type did. */
  readonly beforeAndAfter: (type: string) => string;
  /** What to keep, to drop and to change; undefined where the groups are no types, or only some cards of them. */
  readonly actions: Actions | undefined;
  /** What the account can ever tell. */
  readonly prospects: readonly HeadLine[];
  /** Whether the user asked for an order: then there are no sections. */
  readonly isSorted: boolean;
}

export function rankingPage(ranking: Ranking, render: RenderContext): string {
  const { paragraph, sections, table } = render;
  const withFigures = ranking.standings.filter(({ groupFigures }) => groupFigures !== null);
  if (withFigures.length === 0) return paragraph(noCardsText(ranking.gather));
  const selection = selectLines(ranking, withFigures);
  const title = titleOf(ranking, selection.lines);
  const head = headTexts(ranking, withFigures, render);
  const body = rankingBody(ranking, selection, render);
  return sections([
    { title, body: head },
    // The title stands once: above the headlines, or without any above the table.
    head.length > 0 ? { body } : { title, body },
    {
      title: "The service's medians over all outcomes of 30 days, without intervals",
      body: table(statsByTypeView.columns ?? [], serviceMedians(ranking, selection.lines)),
    },
  ]);
}

/** What to do, then what the account can ever tell. */
function headTexts(
  { actions, gather, prospects }: Ranking,
  withFigures: readonly Standing[],
  render: RenderContext,
): string[] {
  const lines =
    actions === undefined
      ? nothingKnown(withFigures, gather)
      : actionPairs(actionLines(actions, { gather }), render.styles);
  // Apart, because the longer labels of these would take room from what matters most.
  return [render.pairs(lines), headlineText(prospects, render)].filter((text) => text !== '');
}

/** `BTCUSDT: 24 h after the trigger, in pp. Picture and verdict: against BTC`. */
function titleOf({ horizon, head }: Ranking, lines: readonly Standing[]): string {
  const symbol = head.symbol === null ? '' : `${safeText(head.symbol)}: `;
  const { shortWords } = horizonOf(horizon);
  const against = isAgainstOthers(lines) ? 'your other cards' : 'BTC';
  return `${symbol}${shortWords} after the trigger, in pp. Picture and verdict: against ${against}`;
}

/** Whether a group is compared with the other cards, and not only with BTC. */
function isAgainstOthers(lines: readonly Standing[]): boolean {
  return lines.some(({ comparedWith }) => comparedWith === 'others');
}

/** The table of the groups, and what is said below it. */
function rankingBody(ranking: Ranking, selection: Selection, render: RenderContext): Part[] {
  const { isSorted, again, beforeAndAfter } = ranking;
  const { lines, hiddenVerdicts } = selection;
  const { note, offer, table, tableOfSections } = render;
  const drawing = columnsOf(ranking, lines, render);
  const { columns } = drawing;
  const changed = lines.filter(hasChanged);
  return [
    isSorted ? table(columns, lines) : tableOfSections(columns, rowSections(lines, render)),
    note(...notes(ranking, lines, render, drawing)),
    hiddenVerdicts > 0 && offer(`${hiddenVerdicts} more:`, again('--sort', '-group')),
    changed.length > 0 &&
      offer(
        `${changedText(changed)}. To compare before and after:`,
        ...changed.map(({ group }) => beforeAndAfter(group)),
      ),
    settingsWarning(ranking, render),
  ];
}

/** The service's medians have no intervals: once a line has a verdict, they would compete with it and are not shown. */
function serviceMedians({ answers }: Ranking, lines: readonly Standing[]): readonly SignalStats[] {
  return lines.every(isTooEarly) ? answers : [];
}

/** Whether the line has only the cards since the last change of settings. */
const hasChanged = ({ groupFigures }: Standing) =>
  groupFigures !== null && groupFigures.settings_since !== null;

/** The lines of the table. */
interface Selection {
  readonly lines: readonly Standing[];
  /** How many groups that are not shown have a verdict. */
  readonly hiddenVerdicts: number;
}

function selectLines(
  { by, standings, isSorted }: Ranking,
  withFigures: readonly Standing[],
): Selection {
  if (isSorted) return { lines: withFigures, hiddenVerdicts: 0 };
  if (by === 'type') {
    // A type that never had a card has no figures, but its silence is told.
    const isTold = ({ groupFigures, silentDays }: Standing) =>
      groupFigures !== null || silentDays !== undefined;
    return { lines: standings.filter(isTold), hiddenVerdicts: 0 };
  }
  const lines = clearFirst(withFigures);
  const hidden = withFigures.filter((group) => group.word !== null && !lines.includes(group));
  return { lines, hiddenVerdicts: hidden.length };
}

function rowSections(
  lines: readonly Standing[],
  { styles }: RenderContext,
): RowSection<Standing>[] {
  return sectionsOf(lines).map(({ heading, tone, standings }) => ({
    heading: tone === 'dim' ? heading : styles[tone](heading),
    rows: standings,
  }));
}

/** The line before the first verdict. */
function nothingKnown(standings: readonly Standing[], gather: string): Pair[] {
  if (!isNothingKnown(standings)) return [];
  const { label, text } = nothingFound(standings, gather);
  return [[label, text]];
}

/** Groups beyond these lines are shown only if their verdict is clear. */
const USUAL_LINES = 8;

/** The groups with a clear verdict, then those with the most outcomes, up to 8 lines. */
function clearFirst(standings: readonly Standing[]): Standing[] {
  const clear = standings.filter(isClear);
  const open = standings
    .filter((standing) => !isClear(standing))
    .sort((a, b) => b.base.sample - a.base.sample);
  return [...clear, ...open].slice(0, Math.max(USUAL_LINES, clear.length));
}

/** What a line of the ranking shows. */
interface Drawing {
  readonly columns: readonly Column<Standing>[];
  /** Undefined where the intervals are not drawn. */
  readonly axis: Axis | undefined;
  /** Whether the last 30 days have a column. */
  readonly isLatelyShown: boolean;
}

function columnsOf(
  { by, isSorted }: Ranking,
  lines: readonly Standing[],
  render: RenderContext,
): Drawing {
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Standing>(
    (line) => line,
    verdictInRanking,
  );
  const group = textColumn<Standing>(by.toUpperCase(), 0, (line) => {
    const name = by === 'symbol' ? symbolText(line.group, render) : safeText(line.group);
    const indent = isSorted ? '' : INDENT;
    const off = line.off === undefined ? '' : ' (off)';
    return `${indent}${name}${hasChanged(line) ? '*' : ''}${off}`;
  });
  const always = [group, size, vsBtc];
  if (isAgainstOthers(lines)) always.push(vsOthers);
  const { width = Number.POSITIVE_INFINITY } = render;
  const isWide = width >= TERMINAL_FOR_MORE;
  const optional = isWide
    ? columnsThatFit([SHARE, LAST_30_DAYS], [...always, verdict], lines, render)
    : [];
  const isLatelyShown = optional.includes(LAST_30_DAYS) && lines.some(hasLastAndBefore);
  const axis = axisBeside([...always, ...optional, verdict], lines, render);
  if (axis === undefined)
    return { columns: [...always, ...optional, verdict], axis: undefined, isLatelyShown };
  const picture = textColumn<Standing>(scaleLine(axis), 3, (line) =>
    intervalLine(line, axis, render),
  );
  // The table drops INTERVAL by its priority if the axis took its room.
  return { columns: [...always, picture, INTERVAL, ...optional, verdict], axis, isLatelyShown };
}

/** The axis that such a table leaves room for. @returns undefined if nothing is to be drawn, or there is too little room */
function axisBeside(
  columns: readonly Column<Standing>[],
  lines: readonly Standing[],
  render: RenderContext,
): Axis | undefined {
  const { width = Number.POSITIVE_INFINITY, roomBeside } = render;
  const bases = lines.filter(isDrawn).map(({ base }) => base);
  const room = roomBeside(columns, lines);
  const hasRoom = width >= TERMINAL_FOR_PICTURE && room >= NARROWEST_AXIS;
  if (!hasRoom || bases.length === 0) return undefined;
  const roomWithInterval = roomBeside([...columns, INTERVAL], lines);
  const isIntervalBeside = width >= TERMINAL_FOR_MORE && roomWithInterval >= READABLE_AXIS;
  const axisRoom = isIntervalBeside ? roomWithInterval : room;
  return axisOf(bases, Math.min(WIDEST_AXIS, axisRoom));
}

/** Stands before a name below the heading of its section. */
const INDENT = '  ';

const INTERVAL = figureColumn<Standing>('95 % INTERVAL', 6, ({ base }) => rangeText(base.interval));

/**
 * The share of the bought outcomes that beat BTC. Beside a median of the service, over all outcomes, it could contradict it:
 * `+0.31`, and yet only `25 %` of the 4 bought beat BTC.
 */
const SHARE = figureColumn<Standing>(
  'BEAT BTC',
  4,
  (line) => figureText(shareOfBought(line), 'fraction'),
  { has: (line) => shareOfBought(line) !== null },
);

/** A fraction; null where the service's figures stand on the line. */
function shareOfBought({ base, figures }: Standing): number | null {
  return base.source === 'bought' ? (figures?.share_above_btc ?? null) : null;
}

/**
 * For a group that is above or below: the difference that decides, in the last 30 days, and before. It shows whether the
 * group still does what its verdict says.
 */
const LAST_30_DAYS = figureColumn<Standing>('30 D, BEFORE', 5, lastAndBefore, {
  has: hasLastAndBefore,
});

function hasLastAndBefore(line: Standing): boolean {
  return lastAndBefore(line) !== NONE;
}

/** What the column has, and that its difference alone is no finding. */
function last30DaysWords(lines: readonly Standing[]): string {
  const whom = isAgainstOthers(lines) ? 'VS OTHERS' : 'VS BTC';
  return `30 D, BEFORE: ${whom} in the last 30 days, and before. A sure fall is called "less lately".`;
}

function lastAndBefore({ word, figures, lately }: Standing): string {
  // The notebook's figures first: the verdict rests on them until the next export judges again.
  const last = lately?.last30Days ?? figures?.last_30_days;
  const before = lately?.earlier ?? figures?.before;
  if (!isSide(word) || last == null || before == null) return NONE;
  return `${signed(last.percentage_points, 1)}, ${signed(before.percentage_points, 1)}`;
}

/** The first columns of `optional`, the most important first, that still leave a readable axis beside `columns`. */
function columnsThatFit(
  optional: readonly Column<Standing>[],
  columns: readonly Column<Standing>[],
  lines: readonly Standing[],
  render: RenderContext,
): Column<Standing>[] {
  const chosen: Column<Standing>[] = [];
  for (const column of optional) {
    const room = render.roomBeside([...columns, ...chosen, column], lines);
    if (room < READABLE_AXIS) break;
    chosen.push(column);
  }
  return chosen;
}

/** The cell of a line. */
function verdictInRanking(standing: Standing | null): string {
  return standing === null ? NONE : rankingVerdict(standing);
}

/** `* only cards since the last change of settings: pump 19 Sep, dump 29 Sep`: what it did is said above the ranking. */
function changedText(changed: readonly Standing[]): string {
  const changes = changed.map(({ group, groupFigures }) => {
    const day = dayAndMonth(at(groupFigures?.settings_since ?? ''));
    return `${safeText(group)} ${day}`;
  });
  return `* only cards since the last change of settings: ${changes.join(', ')}`;
}

/** What is said below the table. */
function notes(
  ranking: Ranking,
  lines: readonly Standing[],
  { unicode }: RenderContext,
  { axis, isLatelyShown }: Pick<Drawing, 'axis' | 'isLatelyShown'>,
): Part[] {
  const { by, groups, head } = ranking;
  const groupsLeftOut = head.groups_left_out;
  const basis = basisWords(groups, head.bought_first, `, ${daysText(ranking.period)}`);
  return [
    axis !== undefined && marksText(lines, axis, unicode),
    ruleNote(lines, by, axis === undefined ? undefined : marksOf(unicode).band),
    ...waitNotes(lines),
    ...twoSidesNotes(ranking.actions?.settings?.suggestions ?? [], lines),
    ...besideBtcNotes(lines, ranking.actions !== undefined),
    isLatelyShown ? last30DaysWords(lines) : latelyNote(lines),
    ...earlierNotes(lines),
    ranking.isChosen ? CHOSEN : basis,
    ranking.why,
    groupsLeftOut > 0 &&
      `Not shown: ${pluralize(groupsLeftOut, 'group')} with fewer outcomes than --min-sample.`,
    ...coincidenceNotes(lines),
    ...standingNotes(lines, by, { hasSections: true }),
  ];
}

/** `pump: 45 % of its cards coincide with dump.`, of types that often fire together. */
function coincidenceNotes(lines: readonly Standing[]): string[] {
  const sentences: string[] = [];
  for (const { group, groupFigures } of lines) {
    for (const other of groupFigures?.coincides_with ?? []) {
      const percent = Math.round(100 * other.share);
      sentences.push(
        `${safeText(group)}: ${percent} % of its cards coincide with ${safeText(other.group)}.`,
      );
    }
  }
  return sentences;
}

/** `momentum_break: +0.50 in the last 30 days, +2.20 before.`, of types that do less lately. */
function latelyNote(lines: readonly Standing[]): string {
  const sentences: string[] = [];
  for (const { group, lately } of lines)
    if (lately !== undefined) sentences.push(`${safeText(group)}: ${latelyText(lately)}.`);
  return sentences.join(' ');
}

/** `● median; ━ 95 % interval; ─ 99.7 %; ░ the band, within ±0.1 pp; ◂ goes on`. */
function marksText(lines: readonly Standing[], axis: Axis, unicode: boolean): string {
  const has = marksShown(lines, axis);
  const parts: string[] = has.intervals ? intervalWords(unicode) : [];
  return [...parts, ...goesOnWords(has, unicode)].join('; ');
}
