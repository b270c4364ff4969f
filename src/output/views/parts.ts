/** Columns and texts that several views have. */
import { HORIZON_NAMES, type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import { DAY } from '../../base/units.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { dayAndMonth, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { shorten } from '../table/measure.ts';
import type { Column, RenderContext, Styles } from '../types.ts';

/** What few columns have: a name of their own as a field, a usual width, a mark, cells below their rows, or cells without a value. */
type RareProperties<T> = Pick<Column<T>, 'field' | 'usualWidth' | 'mark' | 'below' | 'has'>;

/** @param priority the larger, the sooner the column is left out on a narrow terminal; 0 stays longest */
export function textColumn<T>(
  header: Column<T>['header'],
  priority: number,
  cell: Column<T>['cell'],
  rare: RareProperties<T> = {},
): Column<T> {
  return { header, align: 'left', priority, cell, ...rare };
}

/** @param priority as for `textColumn` */
export function figureColumn<T>(
  header: Column<T>['header'],
  priority: number,
  cell: Column<T>['cell'],
  rare: RareProperties<T> = {},
): Column<T> {
  return { header, align: 'right', priority, cell, ...rare };
}

/** Characters. The long symbol of a single card would widen the column for all. */
const WIDEST_SYMBOL = 16;

/** The symbol, on a terminal cut to `WIDEST_SYMBOL`. */
export function symbolText(symbol: string, { width }: RenderContext): string {
  const text = safeText(symbol);
  return width === undefined ? text : shorten(text, WIDEST_SYMBOL);
}

/**
 * Cards a day: `11.0`; `was 2.9` if the type fell silent. On the day on which its settings changed it is `19.4 before`: the rate
 * before that day.
 */
export function rateText(rate: Standing['rate'] | undefined): string {
  if (rate === undefined || rate.now === null) return NONE;
  if (rate.beforeSilence !== undefined) return `was ${rate.beforeSilence.toFixed(1)}`;
  const perDay = rate.now.toFixed(1);
  return rate.isFromBeforeChange ? `${perDay} before` : perDay;
}

/** A row of `horizonTable`: its label, and what makes the text of its cell for a horizon. */
export type HorizonRow<H> = readonly [
  label: string,
  textOf: (figures: H, styles: Styles, horizon: HorizonName) => string,
];

/**
 * A table with a column for each horizon, the longest first. On a narrow terminal the last columns are left out.
 * @param headerEnd stands behind the name of each horizon: ` (95 %)`
 * @param first a horizon that comes before the longest one; undefined for the usual order
 * @param shown the horizons that have a column
 */
export function horizonTable<H>(
  rows: readonly HorizonRow<H>[],
  horizons: Readonly<Record<HorizonName, H>>,
  { table, styles }: RenderContext,
  {
    headerEnd = '',
    first,
    shown = HORIZON_NAMES,
  }: {
    readonly headerEnd?: string;
    readonly first?: HorizonName;
    readonly shown?: readonly HorizonName[];
  } = {},
): string {
  // HORIZON_NAMES begins with the shortest.
  const longestFirst = shown.toReversed();
  const inOrder = [
    ...longestFirst.filter((name) => name === first),
    ...longestFirst.filter((name) => name !== first),
  ];
  const columns = inOrder.map((name, place) => {
    const header = `${horizonOf(name).words.toUpperCase()}${headerEnd}`;
    // The place of a column serves as its priority: the last column is left out first.
    return figureColumn<HorizonRow<H>>(header, place, ([, textOf]) =>
      textOf(horizons[name], styles, name),
    );
  });
  return table([textColumn<HorizonRow<H>>('', 0, ([label]) => label), ...columns], rows);
}

/** What happened, and what to do about it. */
export interface Message {
  /** Sentences. */
  readonly message: string;
  /** What to type; null, as in JSON, if no command helps. */
  readonly command: string | null;
}

/** Milliseconds. If a history ended longer ago, its page says that it may no longer hold. */
const STALE_AFTER = 7 * DAY;

/**
 * `This page is as of 8 Oct.`; after a week `This page is as of 8 Oct: it may no longer hold.`
 * @param until when the history ends, epoch milliseconds UTC
 */
export function asOfSentence(until: number, now: number): string {
  const day = dayAndMonth(until);
  if (now - until < STALE_AFTER) return `This page is as of ${day}.`;
  return `This page is as of ${day}: it may no longer hold.`;
}

/** Words that lead to a command line, and below them that line; the words alone if there is none. */
export function offerPart(
  { text, command }: { readonly text: string; readonly command: string | undefined },
  { offer, paragraph }: RenderContext,
): string {
  return command === undefined ? paragraph(text) : offer(text, command);
}

/** The sentences, and below them the command on a line of its own. */
export function messagePart(
  { message, command }: Message,
  render: RenderContext,
  tint: (text: string) => string,
): string {
  const sentences = render.paragraph(message, tint);
  return command === null ? sentences : `${sentences}\n  ${command}`;
}
