/** The columns of a ranking, which has one line a group, and the picture of the intervals between them. */
import type { Standing, SwitchedOff } from '../../outcomes/standing.ts';
import { last30DaysAndBefore } from '../../outcomes/still-holds.ts';
import type { ComparedWith, GroupBy } from '../../outcomes/types.ts';
import { isSide } from '../../statistics/rule.ts';
import { figureText, NONE, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext } from '../types.ts';
import { axisOf, type IntervalAxis, intervalLine, isDrawn, scaleLine } from './interval-axis.ts';
import { inLast30Days } from './last-30-days.ts';
import { figureColumn, symbolText, textColumn } from './parts.ts';
import { comparisonOfAll, rankingVerdict } from './sections.ts';
import { differenceColumns } from './standing-columns.ts';
import { saysWithdrawn } from './withdrawn-verdict.ts';

/** Characters of an axis: a narrower one is not drawn, and a wider one tells no more. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
/** Characters of an axis that is easily read: none is made narrower for the sake of more columns. */
const READABLE_AXIS = 12;
/** The intervals are drawn in terminals of at least this width, in characters. */
const TERMINAL_FOR_PICTURE = 60;
/** A line has the wide column in terminals of at least this width. */
const TERMINAL_FOR_WIDE_COLUMN = 100;
/** The intervals have a column of figures, too, in terminals of at least this width. */
const TERMINAL_FOR_INTERVALS = 120;

/** The larger, the sooner a column is left out in a narrow terminal; 0 stays longest. `differenceColumns` has its own, 0 to 3. */
const PRIORITY = { group: 0, picture: 3, shareAboveBtc: 4, last30Days: 5, interval: 6 } as const;

/** Which groups are ranked, and in which order. */
export interface RankedGroups {
  readonly by: GroupBy;
  /** Whether the user asked for an order: then there are no sections. */
  readonly isSorted: boolean;
}

/** What a line of the ranking shows. */
export interface Drawing {
  readonly columns: readonly Column<Standing>[];
  /** The axis of the picture; undefined if the intervals are not drawn. */
  readonly axis: IntervalAxis | undefined;
  /** The wide column; undefined if no line has it. */
  readonly wideColumn: Column<Standing> | undefined;
}

/**
 * Chooses the columns that have room. From a narrow terminal to a wide one a line gets:
 * 1. the group, the differences and the verdict,
 * 2. N,
 * 3. the picture of the interval, from 60 columns on,
 * 4. the wide column (the last 30 days, for example), from 100 columns on,
 * 5. the figures of the interval, from 120 columns on.
 *
 * N gives way to the picture. The last two are left out if they would leave too little room for the picture.
 */
export function drawingOf(
  ranked: RankedGroups,
  lines: readonly Standing[],
  render: RenderContext,
): Drawing {
  const { sampleSize, vsBtc, vsOthers, verdict } = differenceColumns((line) =>
    verdictCell(line, ranked),
  );
  const group = groupColumn(ranked, render);
  const differences = comparisonOfAll(lines) === 'btc' ? [vsBtc] : [vsBtc, vsOthers];
  const withN = [group, sampleSize, ...differences];
  const withoutN = [group, ...differences];
  const isNLeftOut = isPictureBetterWithout(
    [...withN, verdict],
    [...withoutN, verdict],
    lines,
    render,
  );
  const left = isNLeftOut ? withoutN : withN;
  const wideColumn = wideColumnBeside([...left, verdict], ranked.by, lines, render);
  const right = wideColumn === undefined ? [verdict] : [wideColumn, verdict];
  const picture = pictureBeside([...left, ...right], lines, render);
  return { columns: [...left, ...picture.columns, ...right], axis: picture.axis, wideColumn };
}

/** Columns of the terminal. If the output is piped, there is room for everything. */
function widthOf({ width = Number.POSITIVE_INFINITY }: Pick<RenderContext, 'width'>): number {
  return width;
}

/** Whether the picture has room only without the column N, or is easily read only without it. */
function isPictureBetterWithout(
  withN: readonly Column<Standing>[],
  withoutN: readonly Column<Standing>[],
  lines: readonly Standing[],
  render: RenderContext,
): boolean {
  if (widthOf(render) < TERMINAL_FOR_PICTURE || !lines.some(isDrawn)) return false;
  const room = render.roomBeside(withN, lines);
  const roomWithoutN = render.roomBeside(withoutN, lines);
  const fitsOnlyWithout = room < NARROWEST_AXIS && roomWithoutN >= NARROWEST_AXIS;
  const isReadableOnlyWithout = room < READABLE_AXIS && roomWithoutN >= READABLE_AXIS;
  return fitsOnlyWithout || isReadableOnlyWithout;
}

/**
 * The wide column. Types show the last 30 days, by which one sees whether the verdict still holds. Other groups have no lasting
 * verdict: they show the share that beat BTC. The choice never changes from day to day.
 * @returns undefined if no line has a value in it, or if it would leave too little room for the picture
 */
function wideColumnBeside(
  others: readonly Column<Standing>[],
  by: GroupBy,
  lines: readonly Standing[],
  render: RenderContext,
): Column<Standing> | undefined {
  if (widthOf(render) < TERMINAL_FOR_WIDE_COLUMN) return undefined;
  const column = by === 'type' ? LAST_30_DAYS : SHARE;
  const hasValue = lines.some((line) => column.has?.(line));
  const roomForPicture = render.roomBeside([...others, column], lines);
  return hasValue && roomForPicture >= READABLE_AXIS ? column : undefined;
}

interface Picture {
  /** The lines of the intervals, then their figures; empty if nothing is drawn. */
  readonly columns: readonly Column<Standing>[];
  readonly axis: IntervalAxis | undefined;
}

const NO_PICTURE: Picture = { columns: [], axis: undefined };

/** The picture of the intervals, and their figures, in the room that other columns leave. */
function pictureBeside(
  others: readonly Column<Standing>[],
  lines: readonly Standing[],
  render: RenderContext,
): Picture {
  const width = widthOf(render);
  const bases = lines.filter(isDrawn).map(({ base }) => base);
  const room = render.roomBeside(others, lines);
  const hasRoom = width >= TERMINAL_FOR_PICTURE && room >= NARROWEST_AXIS;
  if (!hasRoom || bases.length === 0) return NO_PICTURE;
  const roomBesideFigures = render.roomBeside([...others, INTERVAL], lines);
  const hasFigures = width >= TERMINAL_FOR_INTERVALS && roomBesideFigures >= READABLE_AXIS;
  const axis = axisOf(bases, Math.min(WIDEST_AXIS, hasFigures ? roomBesideFigures : room));
  const column = textColumn<Standing>(scaleLine(axis), PRIORITY.picture, (line) =>
    intervalLine(line, axis, render),
  );
  return { columns: hasFigures ? [column, INTERVAL] : [column], axis };
}

/** Stands before a name below the heading of its section. */
const INDENT = '  ';

/** The name of a line's group, with its marks. */
function groupColumn({ by, isSorted }: RankedGroups, render: RenderContext): Column<Standing> {
  return textColumn<Standing>(by.toUpperCase(), PRIORITY.group, (line) => {
    const name = by === 'symbol' ? symbolText(line.group, render) : safeText(line.group);
    const indent = isSorted ? '' : INDENT;
    const off = line.off === undefined ? '' : offMark(line.off);
    const changed = hasChanged(line) ? '*' : '';
    return `${indent}${name}${changed}${off}`;
  });
}

/** Whether the line has only the cards since the last change of settings. */
export function hasChanged({ groupFigures }: Standing): boolean {
  return groupFigures !== null && groupFigures.settings_since !== null;
}

/** ` (off)`; ` (removed)`, because a ranking has no room for a sentence. */
function offMark({ isRemoved }: SwitchedOff): string {
  return isRemoved ? ' (removed)' : ' (off)';
}

/** The text in the column VERDICT. */
function verdictCell(line: Standing, { isSorted }: RankedGroups): string {
  const hasHeadings = !isSorted;
  return rankingVerdict(line, hasHeadings);
}

const INTERVAL = figureColumn<Standing>('95 % INTERVAL', PRIORITY.interval, ({ base }) =>
  rangeText(base.interval),
);

/** The share of the outcomes that beat BTC. */
const SHARE = figureColumn<Standing>(
  'BEAT BTC',
  PRIORITY.shareAboveBtc,
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
 * groups have it whose verdict is above or below, or was so until it was withdrawn.
 */
export const LAST_30_DAYS = figureColumn<Standing>(
  'LATEST 30 D',
  PRIORITY.last30Days,
  lastAndBefore,
  {
    has: hasLastAndBefore,
  },
);

function hasLastAndBefore(line: Standing): boolean {
  return lastAndBefore(line) !== NONE;
}

/** `+0.5, was +2.2`. */
function lastAndBefore(standing: Standing): string {
  const parts = last30DaysAndBefore(standing);
  const hasOrHadSide = isSide(standing.verdict) || saysWithdrawn(standing);
  if (!hasOrHadSide || parts === undefined) return NONE;
  const last = signed(parts.last30Days.percentage_points, 1);
  return `${last}, was ${signed(parts.earlier.percentage_points, 1)}`;
}

/** What the wide column shows, and of which lines. */
export function wideColumnWords(lines: readonly Standing[], column: Column<Standing>): string {
  if (column === LAST_30_DAYS) return last30DaysWords(lines);
  const isEachFilled = lines.every((line) => SHARE.has?.(line));
  return isEachFilled ? '' : `BEAT BTC: of ${LEAST_FOR_SHARE} outcomes and more.`;
}

function last30DaysWords(lines: readonly Standing[]): string {
  const { others, btc } = linesByComparison(lines);
  const columns: string[] = [];
  if (others.length > 0) columns.push('VS OTHERS');
  if (btc.length > 0) columns.push('VS BTC');
  const deciding = columns.length === 1 ? columns[0] : 'the difference that decides,';
  const shown = lines.filter(hasLastAndBefore);
  return `LATEST 30 D: ${deciding} ${when30DaysWere(shown)} (was: before that), for types above or below.`;
}

/** `in the last 30 days`, `in the 30 days to 2 Sep`; `in the last 30 days that are known` if they ended on several days. */
function when30DaysWere(lines: readonly Standing[]): string {
  const [time, ...otherTimes] = new Set(lines.map(inLast30Days));
  if (time === undefined || otherTimes.length > 0) return 'in the last 30 days that are known';
  return time;
}

/** The lines whose interval is drawn, by what they are compared with; all lines if none is drawn. */
export function linesByComparison(
  lines: readonly Standing[],
): Readonly<Record<ComparedWith, readonly Standing[]>> {
  const drawn = lines.filter(isDrawn);
  const compared = drawn.length > 0 ? drawn : lines;
  return {
    others: compared.filter(({ comparedWith }) => comparedWith === 'others'),
    btc: compared.filter(({ comparedWith }) => comparedWith === 'btc'),
  };
}
