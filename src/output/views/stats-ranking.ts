/** `stats --by` for people: one line a group. The comparison that decides is drawn on an axis, the same for all lines. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { at } from '../../api/time.ts';
import { pluralize } from '../../base/units.ts';
import { isClear, type Standing, type SwitchedOff } from '../../outcomes/standing.ts';
import { last30DaysAndBefore } from '../../outcomes/still-holds.ts';
import type { ComparedWith, GroupBy } from '../../outcomes/types.ts';
import { isSide } from '../../statistics/rule.ts';
import { dayAndMonth, daysText, figureText, NONE, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, Part, RenderContext, RowSection } from '../types.ts';
import type { Actions } from './actions.ts';
import { actionLines, actionPairs } from './actions-words.ts';
import { type HeadLine, headlineText, nothingFound } from './head-lines.ts';
import {
  basisWords,
  noGroupsText,
  type StatsPage,
  settingsWarning,
  WHERE_FINDS,
} from './history-stats.ts';
import {
  axisOf,
  goesOnWords,
  type IntervalAxis,
  intervalLine,
  intervalWords,
  isDrawn,
  marksOf,
  marksShown,
  scaleLine,
} from './interval-axis.ts';
import { inLast30Days, last30DaysAndBeforeText } from './last-30-days.ts';
import { figureColumn, offerPart, symbolText, textColumn } from './parts.ts';
import type { FocusAdvice } from './prospect-words.ts';
import {
  comparisonOfAll,
  fewDaysNotes,
  isNothingKnown,
  rankingVerdict,
  sectionsOf,
  waitNotes,
} from './sections.ts';
import { differenceColumns } from './standing-columns.ts';
import { standingNotes } from './standing-notes.ts';
import { statsByTypeView } from './stats.ts';
import { twoSidesNotes } from './tune-words.ts';
import { isTooEarly, WHOM } from './verdict-names.ts';
import { LINES_IN_WORDS, pictureRules } from './verdict-rule.ts';
import { saysWithdrawn } from './withdrawn-verdict.ts';

/** Characters of an axis: a narrower one is not drawn, and a wider one tells no more. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
/** Characters of an axis that is easily read: none is made narrower for the sake of more columns. */
const READABLE_AXIS = 12;
/** Columns of a terminal from which on the intervals are drawn. */
const TERMINAL_FOR_PICTURE = 60;
/** Columns of a terminal from which on a line has a further column (`furtherColumn`). */
const TERMINAL_FOR_MORE = 100;
/** Columns of a terminal from which on the intervals have a column of figures, too. */
const TERMINAL_FOR_INTERVALS = 120;

export interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** The newest answer of the service for each type. */
  readonly answers: readonly SignalStats[];
  /** The command line that shows what new settings of a type did. */
  readonly beforeAndAfter: (type: string) => string;
  /** What to keep, to drop and to change; undefined where the groups are no types, or only some cards of them. */
  readonly actions: Actions | undefined;
  /** How to learn whether a type that is below the others is below BTC, too; undefined if that is no question. */
  readonly focus: FocusAdvice | undefined;
  /** Headlines that say from which difference on an account with so many cards can get a verdict. */
  readonly prospects: readonly HeadLine[];
  /** Whether the user asked for an order: then there are no sections. */
  readonly isSorted: boolean;
}

export function rankingPage(ranking: Ranking, render: RenderContext): string {
  const { paragraph, sections, table } = render;
  const withFigures = ranking.standings.filter(({ groupFigures }) => groupFigures !== null);
  if (withFigures.length === 0) return paragraph(noGroupsText(ranking));
  const selection = selectLines(ranking, withFigures);
  const drawing = drawingOf(ranking, selection.lines, render);
  const title = rankingTitle(ranking, selection.lines, drawing);
  const head = headTexts(ranking, withFigures, render);
  const body = rankingBody(ranking, selection, drawing, render);
  return sections([
    { title, body: head },
    // The title is printed once: above the headlines; if there are none, above the table.
    head.length > 0 ? { body } : { title, body },
    {
      title: "The service's medians over all outcomes of 30 days, without intervals",
      body: table(statsByTypeView.columns ?? [], answersShown(ranking, selection.lines)),
    },
  ]);
}

/** The headlines: what to do, and below it what an account with so many cards can find out at all. */
function headTexts(
  { actions, exportCommand, prospects }: Ranking,
  withFigures: readonly Standing[],
  render: RenderContext,
): string[] {
  const lines: Pair[] = [];
  if (actions === undefined) lines.push(...nothingKnown(withFigures, exportCommand));
  else lines.push(...actionPairs(actionLines(actions, { exportCommand }), render.styles));
  // The prospects are a block of their own: their long labels would make the texts of the first block narrower.
  return [render.pairs(lines), headlineText(prospects, render)].filter((text) => text !== '');
}

/** `BTCUSDT: 24 h after the trigger, in pp. Picture and verdict: against BTC`. Without a picture only the verdict is named. */
function rankingTitle(
  { horizon, head }: Ranking,
  lines: readonly Standing[],
  { axis }: Pick<Drawing, 'axis'>,
): string {
  const symbol = head.symbol === null ? '' : `${safeText(head.symbol)}: `;
  const { shortWords } = horizonOf(horizon);
  const what = axis === undefined ? 'Verdict' : 'Picture and verdict';
  return `${symbol}${shortWords} after the trigger, in pp. ${what}: against ${againstWords(lines)}`;
}

/**
 * `your other cards`, or `BTC`. If most lines are compared with one of them and some with the other, these are named: `BTC
 * (DOGEUSDT: your other cards)`. As long as no line has an interval, none is named.
 */
function againstWords(lines: readonly Standing[]): string {
  const { others, btc } = linesByComparison(lines);
  const isNoneNamed = others.length === 0 || btc.length === 0 || !lines.some(isDrawn);
  if (isNoneNamed) return btc.length > others.length ? WHOM.btc : WHOM.others;
  const namesIn = (groups: readonly Standing[]) =>
    groups.map(({ group }) => safeText(group)).join(', ');
  if (btc.length > others.length) return `${WHOM.btc} (${namesIn(others)}: ${WHOM.others})`;
  return `${WHOM.others} (${namesIn(btc)}: ${WHOM.btc})`;
}

/** The lines whose interval is drawn, by what they are compared with; all lines if none is drawn. */
function linesByComparison(
  lines: readonly Standing[],
): Readonly<Record<ComparedWith, readonly Standing[]>> {
  const drawn = lines.filter(isDrawn);
  const compared = drawn.length > 0 ? drawn : lines;
  return {
    others: compared.filter(({ comparedWith }) => comparedWith === 'others'),
    btc: compared.filter(({ comparedWith }) => comparedWith === 'btc'),
  };
}

/** The table of the groups, and what is said below it. */
function rankingBody(
  ranking: Ranking,
  selection: Selection,
  drawing: Drawing,
  render: RenderContext,
): Part[] {
  const { isSorted, commandAgain, beforeAndAfter, focus } = ranking;
  const { lines, hidden } = selection;
  const { note, offer, table, tableOfSections } = render;
  const { columns } = drawing;
  const changed = lines.filter(hasChanged);
  // If nothing is measured yet in any hidden group, no command is offered that would show them.
  const isMoreWorthSeeing = hidden.some(({ verdict }) => verdict !== null);
  return [
    isSorted ? table(columns, lines) : tableOfSections(columns, rowSections(lines, render)),
    note(...notesBelow(ranking, lines, render, drawing)),
    focus !== undefined && offerPart(focus, render),
    isMoreWorthSeeing && offer(`${hidden.length} more:`, commandAgain('--sort', '-group')),
    changed.length > 0 &&
      offer(
        `${changedText(changed)}. To compare before and after:`,
        ...changed.map(({ group }) => beforeAndAfter(group)),
      ),
    settingsWarning(ranking, render),
  ];
}

/** The service's medians have no intervals: once a line has a verdict, they would compete with it and are not shown. */
function answersShown({ answers }: Ranking, lines: readonly Standing[]): readonly SignalStats[] {
  return lines.every(isTooEarly) ? answers : [];
}

/** Whether the line has only the cards since the last change of settings. */
const hasChanged = ({ groupFigures }: Standing) =>
  groupFigures !== null && groupFigures.settings_since !== null;

/** The lines of the table. */
interface Selection {
  readonly lines: readonly Standing[];
  /** Groups that have cards, but no line. */
  readonly hidden: readonly Standing[];
}

function selectLines(
  { by, standings, isSorted }: Ranking,
  withFigures: readonly Standing[],
): Selection {
  if (isSorted) return { lines: withFigures, hidden: [] };
  if (by === 'type') {
    // A type that never had a card has no figures. Its line says that it is silent.
    const hasLine = ({ groupFigures, silentDays }: Standing) =>
      groupFigures !== null || silentDays !== undefined;
    return { lines: standings.filter(hasLine), hidden: [] };
  }
  const lines = clearFirst(withFigures);
  return { lines, hidden: withFigures.filter((group) => !lines.includes(group)) };
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

/** The headline as long as no group has a verdict. */
function nothingKnown(standings: readonly Standing[], exportCommand: string): Pair[] {
  if (!isNothingKnown(standings)) return [];
  const { label, text } = nothingFound(standings, exportCommand);
  return [[label, text]];
}

/** Groups beyond these lines are shown only if their verdict is clear. */
const USUAL_LINES = 8;

/** All groups with a clear verdict, then those with the most outcomes, until there are 8 lines. */
function clearFirst(standings: readonly Standing[]): Standing[] {
  const clear = standings.filter(isClear);
  const others = standings
    .filter((standing) => !isClear(standing))
    .sort((a, b) => b.base.sample - a.base.sample);
  return [...clear, ...others].slice(0, Math.max(USUAL_LINES, clear.length));
}

/** What a line of the ranking shows. */
interface Drawing {
  readonly columns: readonly Column<Standing>[];
  /** Undefined where the intervals are not drawn. */
  readonly axis: IntervalAxis | undefined;
  /** The further column of a wide terminal; undefined if there is none. */
  readonly further: Column<Standing> | undefined;
}

function drawingOf(ranking: Ranking, lines: readonly Standing[], render: RenderContext): Drawing {
  const { width = Number.POSITIVE_INFINITY } = render;
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Standing>(
    (line) => line,
    verdictInRanking(!ranking.isSorted),
  );
  const group = groupColumn(ranking, render);
  const differences = comparisonOfAll(lines) === 'btc' ? [vsBtc] : [vsBtc, vsOthers];
  const withSize = [group, size, ...differences];
  const withoutSize = [group, ...differences];
  const givesWay = doesSizeGiveWay(
    [...withSize, verdict],
    [...withoutSize, verdict],
    lines,
    render,
  );
  const always = givesWay ? withoutSize : withSize;
  const further = furtherColumn(ranking.by);
  const isFurtherShown =
    width >= TERMINAL_FOR_MORE &&
    render.roomBeside([...always, further, verdict], lines) >= READABLE_AXIS;
  const right = isFurtherShown ? [further, verdict] : [verdict];
  const shown = isFurtherShown && lines.some((line) => further.has?.(line)) ? further : undefined;
  const axis = axisBeside([...always, ...right], lines, render);
  if (axis === undefined) return { columns: [...always, ...right], axis, further: shown };
  const picture = textColumn<Standing>(scaleLine(axis), 3, (line) =>
    intervalLine(line, axis, render),
  );
  const intervals = width >= TERMINAL_FOR_INTERVALS ? [INTERVAL] : [];
  // If there is no room left beside the axis, the table leaves out INTERVAL, which has a low priority.
  return { columns: [...always, picture, ...intervals, ...right], axis, further: shown };
}

/**
 * The column that wide terminals have. It depends on nothing that changes from day to day: of types the last 30 days, and of other
 * groups, which have no verdict to keep, the share that beat BTC.
 */
function furtherColumn(by: GroupBy): Column<Standing> {
  return by === 'type' ? LAST_30_DAYS : SHARE;
}

/** The name of a line's group, with its marks. */
function groupColumn({ by, isSorted }: Ranking, render: RenderContext): Column<Standing> {
  return textColumn<Standing>(by.toUpperCase(), 0, (line) => {
    const name = by === 'symbol' ? symbolText(line.group, render) : safeText(line.group);
    const indent = isSorted ? '' : INDENT;
    const off = line.off === undefined ? '' : offMark(line.off);
    const changed = hasChanged(line) ? '*' : '';
    return `${indent}${name}${changed}${off}`;
  });
}

/** Whether the column N gives way: if the axis fits only without it, or is easily read only without it. */
function doesSizeGiveWay(
  withSize: readonly Column<Standing>[],
  withoutSize: readonly Column<Standing>[],
  lines: readonly Standing[],
  { width = Number.POSITIVE_INFINITY, roomBeside }: RenderContext,
): boolean {
  if (width < TERMINAL_FOR_PICTURE || !lines.some(isDrawn)) return false;
  const room = roomBeside(withSize, lines);
  const roomWithoutSize = roomBeside(withoutSize, lines);
  const fitsOnlyWithout = room < NARROWEST_AXIS && roomWithoutSize >= NARROWEST_AXIS;
  const isReadableOnlyWithout = room < READABLE_AXIS && roomWithoutSize >= READABLE_AXIS;
  return fitsOnlyWithout || isReadableOnlyWithout;
}

/** ` (off)`; ` (removed)`, because a ranking has no room for a sentence. */
function offMark({ isRemoved }: SwitchedOff): string {
  return isRemoved ? ' (removed)' : ' (off)';
}

/** The axis that such a table leaves room for. @returns undefined if nothing is to be drawn, or there is too little room */
function axisBeside(
  columns: readonly Column<Standing>[],
  lines: readonly Standing[],
  render: RenderContext,
): IntervalAxis | undefined {
  const { width = Number.POSITIVE_INFINITY, roomBeside } = render;
  const bases = lines.filter(isDrawn).map(({ base }) => base);
  const room = roomBeside(columns, lines);
  const hasRoom = width >= TERMINAL_FOR_PICTURE && room >= NARROWEST_AXIS;
  if (!hasRoom || bases.length === 0) return undefined;
  // On a wide terminal the interval's column stays, if a readable axis fits beside it; else the axis takes its room.
  const roomWithInterval = roomBeside([...columns, INTERVAL], lines);
  const isIntervalBeside = width >= TERMINAL_FOR_INTERVALS && roomWithInterval >= READABLE_AXIS;
  const axisRoom = isIntervalBeside ? roomWithInterval : room;
  return axisOf(bases, Math.min(WIDEST_AXIS, axisRoom));
}

/** Stands before a name below the heading of its section. */
const INDENT = '  ';

const INTERVAL = figureColumn<Standing>('95 % INTERVAL', 6, ({ base }) => rangeText(base.interval));

/** The share of the outcomes that beat BTC. */
const SHARE = figureColumn<Standing>(
  'BEAT BTC',
  4,
  (line) => figureText(shareAboveBtc(line), 'fraction'),
  { has: (line) => shareAboveBtc(line) !== null },
);

/** Of fewer outcomes a share says nothing: of one it would be 0 or 100 %. */
const LEAST_FOR_SHARE = 8;

/** A fraction; null of few outcomes. */
function shareAboveBtc({ base, figures }: Standing): number | null {
  return base.sample < LEAST_FOR_SHARE ? null : (figures?.share_above_btc ?? null);
}

/**
 * The difference that decides, in the last 30 days and before. It shows whether a group still does what its verdict says. Only
 * of groups whose verdict is above or below, or was so until it was withdrawn.
 */
const LAST_30_DAYS = figureColumn<Standing>('LAST 30 D', 5, lastAndBefore, {
  has: hasLastAndBefore,
});

function hasLastAndBefore(line: Standing): boolean {
  return lastAndBefore(line) !== NONE;
}

/** What the further column shows, and of which lines. */
function furtherColumnWords(lines: readonly Standing[], column: Column<Standing>): string {
  if (column === LAST_30_DAYS) return last30DaysWords(lines);
  const isEachFilled = lines.every((line) => SHARE.has?.(line));
  return isEachFilled ? '' : `BEAT BTC: of ${LEAST_FOR_SHARE} outcomes and more.`;
}

function last30DaysWords(lines: readonly Standing[]): string {
  const { others, btc } = linesByComparison(lines);
  const columns: string[] = [];
  if (others.length > 0) columns.push('VS OTHERS');
  if (btc.length > 0) columns.push('VS BTC');
  const deciding = columns.length === 1 ? columns[0] : 'what the verdict is against';
  const shown = lines.filter(hasLastAndBefore);
  return `LAST 30 D: of types above or below, ${deciding} ${when30DaysWere(shown)}; was: before them.`;
}

/** `in the last 30 days`, `in the 30 days to 2 Sep`; `in the last 30 days that are known` if they ended on several days. */
function when30DaysWere(lines: readonly Standing[]): string {
  const [time, ...otherTimes] = new Set(lines.map(inLast30Days));
  if (time === undefined || otherTimes.length > 0) return 'in the last 30 days that are known';
  return time;
}

function lastAndBefore(standing: Standing): string {
  const parts = last30DaysAndBefore(standing);
  const hasOrHadSide = isSide(standing.verdict) || saysWithdrawn(standing);
  if (!hasOrHadSide || parts === undefined) return NONE;
  const last = signed(parts.last30Days.percentage_points, 1);
  return `${last}, was ${signed(parts.earlier.percentage_points, 1)}`;
}

/** What gives the text in the column VERDICT. */
function verdictInRanking(hasHeadings: boolean) {
  return (line: Standing | null) => (line === null ? NONE : rankingVerdict(line, hasHeadings));
}

/** `* only cards since the last change of settings: pump 19 Sep, dump 29 Sep`. The headlines say what the change did. */
function changedText(changed: readonly Standing[]): string {
  const changes = changed.map(({ group, groupFigures }) => {
    const day = dayAndMonth(at(groupFigures?.settings_since ?? ''));
    return `${safeText(group)} ${day}`;
  });
  return `* only cards since the last change of settings: ${changes.join(', ')}`;
}

/** What is said below the table. */
function notesBelow(
  ranking: Ranking,
  lines: readonly Standing[],
  { unicode }: RenderContext,
  { axis, further }: Pick<Drawing, 'axis' | 'further'>,
): Part[] {
  const { by, groups, head } = ranking;
  const groupsLeftOut = head.groups_left_out;
  const basis = basisWords(groups, head.bought_first, `, ${daysText(ranking.period)}`);
  const suggestions = ranking.actions?.settings?.suggestions ?? [];
  return [
    axis !== undefined && pictureText(lines, axis, unicode),
    ...waitNotes(lines, !ranking.isSorted),
    ...fewDaysNotes(lines),
    ...twoSidesNotes(suggestions, lines),
    further === LAST_30_DAYS ? '' : latelyNote(lines),
    further !== undefined && furtherColumnWords(lines, further),
    ranking.hasWhere ? WHERE_FINDS : basis,
    ranking.caveats,
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

/**
 * `momentum_break: +0.50 in the last 30 days, +2.20 before.`, of types that are less bad lately, or no longer sure.
 */
function latelyNote(lines: readonly Standing[]): string {
  const sentences: string[] = [];
  for (const line of lines) {
    // Wait tells the figures of a type that may have stopped working.
    const isLessBad = line.verdict === 'below' && line.lessLately !== undefined;
    const differsLately = isLessBad || saysWithdrawn(line);
    const parts = last30DaysAndBefore(line);
    if (differsLately && parts !== undefined)
      sentences.push(`${safeText(line.group)}: ${last30DaysAndBeforeText(parts, line)}.`);
  }
  return sentences.join(' ');
}

/**
 * What the marks of the picture are, and when a verdict starts and ends: `● median; ━ 95 % interval; ─ 99.7 %; ░ within ±0.1 pp; ◂ goes
 * on. Above or below: the thin line is outside the band, until the thick line reaches 0.`
 */
function pictureText(lines: readonly Standing[], axis: IntervalAxis, unicode: boolean): string {
  const has = marksShown(lines, axis);
  const marks = has.intervals ? intervalWords(unicode) : [];
  const legend = [...marks, ...goesOnWords(has, unicode)].join('; ');
  const { inner, outer, band } = marksOf(unicode);
  // ASCII lines are not thick or thin. Without quotation marks their signs would be read as punctuation.
  const quoted = { inner: `"${inner}"`, outer: `"${outer}"`, band: `"${band}"` };
  const rules = pictureRules(lines, unicode ? LINES_IN_WORDS : quoted);
  return rules.length === 0 ? legend : `${legend}. ${rules.join(' ')}`;
}
