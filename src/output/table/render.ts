/** What pages and tables are drawn with. This is what loads the table code. */
import Table from 'cli-table3';
import type { Context } from '../../runtime/context.ts';
import { UTC, zoneNamed } from '../../runtime/zone.ts';
import { type Styles, stylesOf, terminalWidth, usesColor, usesUnicode } from '../terminal.ts';
import { cap, measure, pad, shorten, wrap } from './measure.ts';

export interface Column<T> {
  readonly header: string | ((render: RenderContext) => string);
  readonly field?: string;
  readonly align: 'left' | 'right';
  /** The cell of an item, one line, already made safe and coloured. */
  readonly cell: (item: T, render: RenderContext) => string;
  /** How wide the cells usually are: a list that comes over hours makes no less room, so that later rows fit as well. */
  readonly usualWidth?: number;
  /** Columns with the highest number are dropped first where a terminal is too narrow; 0 is never dropped. */
  readonly priority: number;
  /** What a sign in some of its cells means: said below the table if one of those items is there. */
  readonly mark?: {
    readonly isOn: (item: T, render: RenderContext) => boolean;
    readonly words: string;
  };
  /** Whether a cell has a value: where none has, a page's table leaves the column out. */
  readonly has?: (item: T) => boolean;
  /** Where it does not fit beside the others, its cells go below their rows, over as many lines as they need. */
  readonly below?: boolean;
}

/** Parts of a page stand one below the other; what is empty or false is left out. */
export type Part = string | false;

export interface Section {
  readonly title?: string;
  readonly body: Part | readonly Part[];
}

export type Pair = readonly [label: string, value: Part | undefined];

const BESIDE = 5;

/**
 * Made for one run. Every text is several lines at most `width` wide, without a trailing newline. Texts handed in are
 * already safe and coloured.
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

  readonly table = <T>(columns: readonly Column<T>[], rows: readonly T[]): string =>
    rows.length === 0 ? '' : this.#tableOf(columns, rows).text();

  /** Columns of the terminal that such a table leaves. */
  readonly roomBeside = <T>(columns: readonly Column<T>[], rows: readonly T[]): number =>
    (this.width ?? Number.POSITIVE_INFINITY) - this.#tableOf(columns, rows).width - GAP;

  #tableOf<T>(columns: readonly Column<T>[], rows: readonly T[]): TableOf<T> {
    const table = new TableOf(
      columns.filter(({ has }) => has === undefined || rows.some(has)),
      this,
    );
    table.add(rows);
    return table;
  }

  /** Two texts side by side where the terminal has room for both, else one below the other. */
  readonly beside = (left: string, right: string): string => {
    const [ours, theirs] = [left.split('\n'), right.split('\n')];
    const wide = Math.max(...ours.map(measure)) + BESIDE;
    const hasRoom =
      this.width !== undefined && wide + Math.max(...theirs.map(measure)) <= this.width;
    if (!hasRoom) return `${left}\n\n${right}`;
    const longer = ours.length > theirs.length ? ours : theirs;
    return longer
      .map((_, i) => `${pad(ours[i] ?? '', wide)}${theirs[i] ?? ''}`.trimEnd())
      .join('\n');
  };

  /** Labels and values in two columns, those without a value left out; long values continue below themselves. */
  readonly pairs = (all: readonly Pair[]): string => {
    const { width = Number.POSITIVE_INFINITY, styles } = this;
    const pairs = all.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
    const longest = Math.max(0, ...pairs.map(([label]) => measure(cap(label))));
    const labels = Math.min(longest, Math.floor(width / 2));
    const room = Math.max(1, width - labels - 2);
    const lines = pairs.flatMap(([label, value]) =>
      wrap(cap(value), { width: room, cut: true }).map((part, i) => {
        const start =
          i === 0 ? styles.dim(pad(shorten(cap(label), labels), labels)) : ' '.repeat(labels);
        return `${start}  ${part}`.trimEnd();
      }),
    );
    return lines.join('\n');
  };

  readonly paragraph = (text: string, tint: (line: string) => string = (line) => line): string => {
    const lines = cap(text).split('\n');
    return lines
      .flatMap((line) => wrap(line, { width: this.width, cut: true }).map(tint))
      .join('\n');
  };

  readonly note = (...texts: readonly Part[]): string =>
    below(texts.map((text) => text && this.paragraph(text, this.styles.dim)));

  /** Dim words, and command lines below them, never broken. */
  readonly offer = (words: string, ...commands: readonly string[]): string =>
    [this.note(words), ...commands.map((command) => `  ${command}`)].join('\n');

  /** `[████░░░░]`, or `[####----]` where block characters cannot be shown. Only 0 is empty, and only 1 is full. */
  readonly bar = (share: number): string => {
    const cells = 20;
    const [least, most] = [share > 0 ? 1 : 0, share < 1 ? cells - 1 : cells];
    const filled = Math.max(least, Math.min(most, Math.round(share * cells)));
    const [full, empty] = this.unicode ? ['█', '░'] : ['#', '-'];
    return `[${full.repeat(filled)}${empty.repeat(cells - filled)}]`;
  };

  /** Sections one below the other, with a blank line between; those without a body are left out. */
  readonly sections = (parts: readonly Section[]): string => {
    const texts = parts.map(({ title, body }) => {
      const text = below([body].flat());
      return text && below([title !== undefined && this.paragraph(title, this.styles.bold), text]);
    });
    return texts.filter(Boolean).join('\n\n');
  };
}

const below = (parts: readonly Part[]) => parts.filter(Boolean).join('\n');

const GAP = 2;
const INDENT = 2;

/** Rows that are drawn together: cli-table3 looks for each cell through all cells above it. */
const PART = 50;

/** A column with the cells of the rows so far, none longer than anyone reads, and how many terminal columns it takes. */
interface Measured<T> {
  readonly column: Column<T>;
  readonly header: string;
  /** A text for each part of the rows, a line for each cell. */
  readonly parts: readonly string[];
  readonly width: number;
  /** Whether a cell bears the column's mark. */
  readonly isMarked: boolean;
}

/** Rows as they come, kept as the texts of their cells: cards of ten years would fill the memory. */
export class TableOf<T> {
  readonly #render: RenderContext;
  readonly #columns;

  /** @param isLive whether more rows are shown later: words then take their usual width, and no more */
  constructor(columns: readonly Column<T>[], render: RenderContext, isLive = false) {
    this.#render = render;
    this.#columns = columns.map((column) => {
      const header = typeof column.header === 'string' ? column.header : column.header(render);
      const usual = isLive ? (column.usualWidth ?? 0) : 0;
      const isFixed = usual > 0 && column.align === 'left' && render.width !== undefined;
      const width = Math.max(measure(header), usual);
      return { column, header, parts: [] as string[], width, isFixed, isMarked: false };
    });
  }

  add(rows: readonly T[]): void {
    for (let at = 0; at < rows.length; at += PART) {
      const part = rows.slice(at, at + PART);
      for (const one of this.#columns) {
        const cells = part.map((row) => cap(one.column.cell(row, this.#render)));
        one.parts.push(cells.join('\n'));
        if (!one.isFixed) one.width = Math.max(one.width, ...cells.map(measure));
        one.isMarked ||= part.some((row) => one.column.mark?.isOn(row, this.#render));
      }
    }
  }

  get isEmpty(): boolean {
    return this.#columns.every(({ parts }) => parts.length === 0);
  }

  get width(): number {
    return total(this.#columns);
  }

  text(withHeader = true): string {
    return [...this.texts(withHeader)].join('\n');
  }

  /** What fits of each part, then what its marks mean. Where not all fits, a column of `below` goes below the rows. */
  *texts(withHeader = true): Generator<string> {
    const { width = Number.POSITIVE_INFINITY, styles, note } = this.#render;
    const under = this.width > width ? this.#columns.find(({ column }) => column.below) : undefined;
    const beside = this.#columns.filter((column) => column !== under);
    const shown = fitColumns(beside, width);
    const isNamed = withHeader && !(under !== undefined && beside.length === 1);
    for (const i of this.#columns[0]?.parts.keys() ?? []) {
      const [header = '', ...lines] = linesOf(shown, i);
      const further = under?.parts[i]
        ?.split('\n')
        .map((cell) =>
          wrap(`${' '.repeat(INDENT)}${cell}`, { width, indent: INDENT, cut: true }).map(
            styles.dim,
          ),
        );
      const named = isNamed && i === 0 ? [styles.dim(header)] : [];
      yield [...named, ...lines.flatMap((line, row) => [line, ...(further?.[row] ?? [])])].join(
        '\n',
      );
    }
    for (const { column, isMarked } of shown)
      if (isMarked && column.mark) yield note(column.mark.words);
  }
}

function total(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width + GAP, -GAP);
}

/** The narrowest that text is made before figures are narrowed. */
const LEAST_TEXT = 4;

/**
 * As many columns as there is room for, the lowest priority numbers first, those of one number together; then the widest
 * are narrowed, text before figures.
 */
function fitColumns<T>(all: readonly Measured<T>[], width: number): Measured<T>[] {
  const upTo = (priority: number) => all.filter(({ column }) => column.priority <= priority);
  const priorities = all.map(({ column }) => column.priority).sort((a, b) => b - a);
  const most = priorities.find((priority) => total(upTo(priority)) <= width) ?? 0;
  const shown = upTo(most).map((one) => ({ ...one }));
  while (total(shown) > width) {
    const byWidth = shown.toSorted((a, b) => b.width - a.width);
    const text = byWidth.find((one) => one.column.align === 'left' && one.width > LEAST_TEXT);
    const widest = text ?? byWidth.find((one) => one.width > 1);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return shown;
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

/** The header, and the lines of a part. */
function linesOf<T>(columns: readonly Measured<T>[], part: number): string[] {
  const table = new Table({
    head: columns.map(({ header, width }) => shorten(header, width)),
    chars: CHARS,
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ column }) => column.align),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  const cells = columns.map(({ parts, width }) =>
    (parts[part] ?? '').split('\n').map((cell) => shorten(cell, width)),
  );
  const rows = cells[0]?.length ?? 0;
  for (let row = 0; row < rows; row += 1) table.push(cells.map((column) => column[row] ?? ''));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
