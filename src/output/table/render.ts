/** What pages and tables are drawn with. This file loads cli-table3, so that it is imported only if something is drawn. */
import Table from 'cli-table3';
import { strlen } from 'cli-table3/src/utils.js';
import type { Context } from '../../runtime/context.ts';
import { UTC, zoneNamed } from '../../runtime/zone.ts';
import { type Styles, stylesOf, terminalWidth, usesColor, usesUnicode } from '../terminal.ts';
import { cap, measure, PLAIN, pad, shorten, wrap } from './measure.ts';

export interface Column<T> {
  readonly header: string | ((render: RenderContext) => string);
  readonly field?: string;
  readonly align: 'left' | 'right';
  /** The text of an item's cell: one line, already made safe and coloured. */
  readonly cell: (item: T, render: RenderContext) => string;
  /** Columns of the terminal that a cell usually takes. A list that grows for hours keeps them free, so that later rows fit. */
  readonly usualWidth?: number;
  /** If a terminal is too narrow, columns with the highest number are dropped first; 0 is never dropped. */
  readonly priority: number;
  /** A sign in some cells: `*`. If a row has it, a line below the table says what it means. */
  readonly mark?: {
    readonly isOn: (item: T, render: RenderContext) => boolean;
    readonly words: string;
  };
  /** Whether a cell has a value: if none has, a page's table leaves the column out. */
  readonly has?: (item: T) => boolean;
  /**
   * Whether on a terminal its cells go below their rows, over as many lines as they need. They go there on a wide terminal,
   * too: otherwise their place would change with the texts of the day.
   */
  readonly below?: boolean;
}

/** Parts of a page stand one below the other; a part that is empty or false is left out. */
export type Part = string | false;

/** A part of a page, maybe with a title. It is left out if its body is empty. */
export interface Section {
  readonly title?: string;
  readonly body: Part | readonly Part[];
}

/** Rows of a table below a heading of their own, which is already safe and coloured. */
export interface RowSection<T> {
  readonly heading: string;
  readonly rows: readonly T[];
}

/** A label and its value. A pair without a value is left out. */
export type Pair = readonly [label: string, value: Part | undefined];

/** Blank columns between two texts that stand side by side. */
const BESIDE = 5;

/**
 * Draws pages and tables for the terminal of one run. Texts that are handed in are safe and coloured already. Texts that are
 * returned have lines of at most `width` columns, and no line break at the end.
 */
export class RenderContext {
  readonly now: number;
  readonly zone;
  readonly styles: Styles;
  readonly unicode: boolean;
  /** Columns of the terminal; undefined when piped: then nothing is dropped or shortened. */
  readonly width: number | undefined;
  /** Lines of the terminal; undefined when piped, and with --no-pager: then nothing is left out. */
  readonly height: number | undefined;

  constructor(to: {
    readonly context: Pick<Context, 'stdout' | 'env' | 'clock'>;
    readonly color?: boolean | undefined;
    readonly pager?: boolean | undefined;
  }) {
    const { stdout, env, clock } = to.context;
    this.now = clock.now();
    this.zone = zoneNamed(env.SCREENER_TZ ?? '') ?? UTC;
    this.styles = stylesOf(usesColor(stdout.isTTY, env, to.color));
    this.unicode = usesUnicode(env);
    this.width = stdout.isTTY ? terminalWidth(env, stdout.columns) : undefined;
    this.height = stdout.isTTY && to.pager !== false ? stdout.rows : undefined;
  }

  // Arrow functions, because views take them out of the object: `const { pairs, note } = render`.

  readonly table = <T>(columns: readonly Column<T>[], rows: readonly T[]): string => {
    if (rows.length === 0) return '';
    return this.#tableOf(columns, rows).text();
  };

  /** One table with several sections of rows: the columns have the same widths in all sections. */
  readonly tableOfSections = <T>(
    columns: readonly Column<T>[],
    sections: readonly RowSection<T>[],
  ): string => {
    const allRows = sections.flatMap(({ rows }) => rows);
    const table = new TableOf(columnsWithValues(columns, allRows), this);
    for (const { heading, rows } of sections) table.add(rows, heading);
    return table.text();
  };

  /** Columns of the terminal that are free beside a table of these columns and rows. */
  readonly roomBeside = <T>(columns: readonly Column<T>[], rows: readonly T[]): number => {
    if (this.width === undefined) return Number.POSITIVE_INFINITY;
    return this.width - this.#tableOf(columns, rows).width - GAP;
  };

  /** Whether a table of these columns and rows has room for all of its columns. */
  readonly fits = <T>(columns: readonly Column<T>[], rows: readonly T[]): boolean =>
    this.width === undefined || this.#tableOf(columns, rows).width <= this.width;

  #tableOf<T>(columns: readonly Column<T>[], rows: readonly T[]): TableOf<T> {
    const table = new TableOf(columnsWithValues(columns, rows), this);
    table.add(rows);
    return table;
  }

  /** Two texts side by side if the terminal has room for both, otherwise one below the other. */
  readonly beside = (left: string, right: string): string => {
    const leftLines = left.split('\n');
    const rightLines = right.split('\n');
    const leftWidth = Math.max(...leftLines.map(measure)) + BESIDE;
    const rightWidth = Math.max(...rightLines.map(measure));
    const hasRoom = this.width !== undefined && leftWidth + rightWidth <= this.width;
    if (!hasRoom) return `${left}\n\n${right}`;
    const height = Math.max(leftLines.length, rightLines.length);
    const lines: string[] = [];
    for (let row = 0; row < height; row += 1) {
      const start = pad(leftLines[row] ?? '', leftWidth);
      const end = rightLines[row] ?? '';
      lines.push(`${start}${end}`.trimEnd());
    }
    return lines.join('\n');
  };

  /** Labels and values in two columns. A long value goes on in the same column, line below line. */
  readonly pairs = (pairs: readonly Pair[]): string => {
    const { width = Number.POSITIVE_INFINITY, styles } = this;
    const facts: { readonly label: string; readonly value: string }[] = [];
    for (const [label, value] of pairs) {
      if (value) facts.push({ label: cap(label), value: cap(value) });
    }
    const longestLabel = Math.max(0, ...facts.map(({ label }) => measure(label)));
    const labelWidth = Math.min(longestLabel, Math.floor(width / 2));
    const valueWidth = Math.max(1, width - labelWidth - GAP);
    const gap = ' '.repeat(GAP);
    const indent = ' '.repeat(labelWidth) + gap;
    const lines: string[] = [];
    for (const { label, value } of facts) {
      const [firstLine = '', ...furtherLines] = wrap(value, { width: valueWidth, cut: true });
      const labelCell = pad(shorten(label, labelWidth), labelWidth);
      lines.push(styles.dim(labelCell) + gap + firstLine);
      for (const line of furtherLines) lines.push(indent + line);
    }
    return lines.map((line) => line.trimEnd()).join('\n');
  };

  /** A text broken into lines. @param tint colours each line */
  readonly paragraph = (text: string, tint: (line: string) => string = (line) => line): string => {
    const lines = cap(text)
      .split('\n')
      .flatMap((line) => wrap(line, { width: this.width, cut: true }));
    return lines.map(tint).join('\n');
  };

  /** Dim paragraphs, one below the other. */
  readonly note = (...parts: readonly Part[]): string => {
    const paragraphs = parts.filter(isShown).map((text) => this.paragraph(text, this.styles.dim));
    return paragraphs.join('\n');
  };

  /** Dim words, and command lines below them, never broken. */
  readonly offer = (words: string, ...commands: readonly string[]): string => {
    const commandLines = commands.map((command) => `  ${command}`);
    return [this.note(words), ...commandLines].join('\n');
  };

  /**
   * `[████░░░░]`; `[####----]` if block characters cannot be shown. Only 0 is drawn empty, and only 1 is drawn full.
   * @param fraction NaN (the share of a budget of 0) is shown as 0
   */
  readonly bar = (fraction: number): string => {
    const share = fraction || 0;
    const cells = 20;
    const least = share > 0 ? 1 : 0;
    const most = share < 1 ? cells - 1 : cells;
    const filled = Math.max(least, Math.min(most, Math.round(share * cells)));
    const fullCell = this.unicode ? '█' : '#';
    const emptyCell = this.unicode ? '░' : '-';
    return `[${fullCell.repeat(filled)}${emptyCell.repeat(cells - filled)}]`;
  };

  /** Sections one below the other, with a blank line between. */
  readonly sections = (sections: readonly Section[]): string => {
    const texts: string[] = [];
    for (const { title, body } of sections) {
      const bodyText = below([body].flat());
      if (bodyText === '') continue;
      const heading = title === undefined ? '' : this.paragraph(title, this.styles.bold);
      texts.push(below([heading, bodyText]));
    }
    return texts.join('\n\n');
  };
}

/** The columns in which a row has a value. */
function columnsWithValues<T>(columns: readonly Column<T>[], rows: readonly T[]): Column<T>[] {
  return columns.filter(({ has }) => has === undefined || rows.some(has));
}

function isShown(part: Part): part is string {
  return part !== false && part !== '';
}

function below(parts: readonly Part[]): string {
  return parts.filter(isShown).join('\n');
}

/** Blank columns between two columns of a table. */
const GAP = 2;

/** Blank columns before what stands below a row. */
const INDENT = 2;

/**
 * How many rows cli-table3 draws at once. For each cell it looks through all cells above: 10,000 rows at once would take too
 * long.
 */
const PART = 50;

/** A column of a table with the cells of its rows so far. */
interface MeasuredColumn<T> {
  readonly column: Column<T>;
  readonly header: string;
  /** One text for each `PART` rows. In it, one line for each cell, cut to a length that people read. */
  readonly parts: string[];
  /** Columns of the terminal that it takes. */
  width: number;
  /** Whether it keeps its width although a cell is wider. */
  readonly isFixed: boolean;
  /** Whether a cell bears the column's mark. */
  isMarked: boolean;
}

/**
 * A table whose rows come one after another. It keeps the texts of their cells, but not the cards: those of ten years would
 * fill the memory.
 */
export class TableOf<T> {
  readonly #render: RenderContext;
  readonly #columns: readonly MeasuredColumn<T>[];
  /** Headings by the number of the part that stands below them. */
  readonly #headings = new Map<number, string>();

  /** @param isLive whether more rows come later: columns of text then have exactly their `usualWidth` */
  constructor(
    columns: readonly Column<T>[],
    render: RenderContext,
    { isLive = false }: { readonly isLive?: boolean } = {},
  ) {
    this.#render = render;
    this.#columns = columns.map((column) => {
      const header = typeof column.header === 'string' ? column.header : column.header(render);
      const usualWidth = isLive ? (column.usualWidth ?? 0) : 0;
      return {
        column,
        header,
        parts: [],
        width: Math.max(measure(header), usualWidth),
        isFixed: usualWidth > 0 && column.align === 'left' && render.width !== undefined,
        isMarked: false,
      };
    });
  }

  /** @param heading stands above these rows; a long one is broken at the terminal's width */
  add(rows: readonly T[], heading?: string): void {
    if (heading !== undefined && rows.length > 0)
      this.#headings.set(this.#columns[0]?.parts.length ?? 0, heading);
    for (let start = 0; start < rows.length; start += PART) {
      const rowsOfPart = rows.slice(start, start + PART);
      for (const measured of this.#columns) this.#addTo(measured, rowsOfPart);
    }
  }

  #addTo(measured: MeasuredColumn<T>, rowsOfPart: readonly T[]): void {
    const { cell, mark } = measured.column;
    const cells = rowsOfPart.map((row) => cap(cell(row, this.#render)));
    measured.parts.push(cells.join('\n'));
    if (!measured.isFixed) measured.width = Math.max(measured.width, ...cells.map(measure));
    if (mark !== undefined && rowsOfPart.some((row) => mark.isOn(row, this.#render)))
      measured.isMarked = true;
  }

  get isEmpty(): boolean {
    return this.#columns.every(({ parts }) => parts.length === 0);
  }

  /** Columns of the terminal that it takes if no column is dropped or narrowed. */
  get width(): number {
    return totalWidth(this.#columns);
  }

  text(withHeader = true): string {
    return [...this.texts(withHeader)].join('\n');
  }

  /**
   * A text for each `PART` rows, with the columns that fit; last, a text for each mark. On a terminal a column that goes
   * `below` stands below the rows.
   */
  *texts(withHeader = true): Generator<string> {
    const { width = Number.POSITIVE_INFINITY, styles, note } = this.#render;
    const isOnTerminal = Number.isFinite(width);
    const columnBelow = isOnTerminal ? this.#columns.find(({ column }) => column.below) : undefined;
    const columnsBeside = this.#columns.filter((column) => column !== columnBelow);
    const fitting = fitColumns(columnsBeside, width);
    // If the texts of one column go below the rows, and only one other column is left, that column needs no header.
    const isColumnAlone = columnBelow !== undefined && columnsBeside.length === 1;
    const hasHeader = withHeader && !isColumnAlone;
    for (const part of this.#columns[0]?.parts.keys() ?? []) {
      const { header, rows } = drawPart(fitting, part);
      const cellsBelow = columnBelow?.parts[part]?.split('\n') ?? [];
      const lines: string[] = [];
      if (hasHeader && part === 0) lines.push(styles.dim(header));
      const heading = this.#headings.get(part);
      if (heading !== undefined) lines.push(this.#render.paragraph(heading));
      for (const [i, row] of rows.entries()) {
        lines.push(row);
        const cell = cellsBelow[i];
        if (cell !== undefined && cell.trim() !== '') lines.push(...this.#linesBelow(cell));
      }
      yield lines.join('\n');
    }
    for (const { column, isMarked } of fitting) {
      if (isMarked && column.mark !== undefined) yield note(column.mark.words);
    }
  }

  /** A cell that stands below its row, over as many lines as it needs. */
  #linesBelow(cell: string): string[] {
    const { width, styles } = this.#render;
    const indented = ' '.repeat(INDENT) + cell;
    return wrap(indented, { width, indent: INDENT, cut: true }).map(styles.dim);
  }
}

function totalWidth(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width + GAP, -GAP);
}

/**
 * The columns that have room. Columns with the lowest priority numbers stay, and columns of the same number stay or go
 * together. If the columns of number 0 alone are too wide, the widest of them are narrowed, text before figures.
 */
function fitColumns<T>(columns: readonly MeasuredColumn<T>[], width: number): MeasuredColumn<T>[] {
  const upTo = (priority: number) => columns.filter(({ column }) => column.priority <= priority);
  const priorities = columns.map(({ column }) => column.priority).sort((a, b) => b - a);
  const highest = priorities.find((priority) => totalWidth(upTo(priority)) <= width) ?? 0;
  const fitting = upTo(highest).map((column) => ({ ...column }));
  while (totalWidth(fitting) > width) {
    const column = columnToNarrow(fitting);
    if (column === undefined) break;
    column.width -= 1;
  }
  return fitting;
}

/** Columns of the terminal. Text is narrowed down to these before figures are narrowed. */
const LEAST_TEXT = 4;

/** The widest text, down to LEAST_TEXT, then the widest of all; undefined if each is one terminal column wide. */
function columnToNarrow<T>(columns: readonly MeasuredColumn<T>[]): MeasuredColumn<T> | undefined {
  const widestFirst = columns.toSorted((a, b) => b.width - a.width);
  const text = widestFirst.find(
    ({ column, width }) => column.align === 'left' && width > LEAST_TEXT,
  );
  return text ?? widestFirst.find(({ width }) => width > 1);
}

/** No lines around the cells, and a gap between them. */
const CHARS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

/** A part of a table as lines: the header, and one line for each row. */
interface DrawnPart {
  readonly header: string;
  readonly rows: readonly string[];
}

function drawPart<T>(columns: readonly MeasuredColumn<T>[], part: number): DrawnPart {
  const cellsOfColumns = columns.map(({ header, parts, width }) => {
    const cells = [header, ...(parts[part]?.split('\n') ?? [])];
    return cells.map((cell) => shorten(cell, width));
  });
  const widths = columns.map(({ width }) => width);
  const aligns = columns.map(({ column }) => column.align);
  const count = cellsOfColumns[0]?.length ?? 0;
  const lines: string[] = [];
  let rowsAlike: string[][] = [];
  const drawRowsAlike = () => {
    if (rowsAlike.length > 0) lines.push(...drawRows(rowsAlike, widths, aligns));
    rowsAlike = [];
  };
  for (let row = 0; row < count; row += 1) {
    const cells = cellsOfColumns.map((texts) => texts[row] ?? '');
    const widthsOfRow = cells.map((cell, i) => (widths[i] ?? 0) - unseenColumns(cell));
    if (widthsOfRow.every((width, i) => width === widths[i])) {
      rowsAlike.push(cells);
      continue;
    }
    drawRowsAlike();
    lines.push(...drawRows([cells], widthsOfRow, aligns));
  }
  drawRowsAlike();
  const [header = '', ...rows] = lines.map((line) => line.trimEnd());
  return { header, rows };
}

/**
 * How many columns of the terminal a text takes that cli-table3 does not count; negative if it counts more than there are. Its table of
 * characters is of 2019, and it counts the marks of Hindi and Thai letters.
 */
function unseenColumns(cell: string): number {
  return PLAIN.test(cell) ? 0 : measure(cell) - strlen(cell);
}

type Align = Column<never>['align'];

function drawRows(
  rows: readonly string[][],
  colWidths: number[],
  colAligns: Align[],
): readonly string[] {
  const table = new Table({
    chars: CHARS,
    colWidths,
    colAligns,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows);
  return table.toString().split('\n');
}
