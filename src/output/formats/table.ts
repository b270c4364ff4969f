import type { Context } from '../../runtime/context.ts';
import type { Notes } from '../../runtime/notes.ts';
import { leafFields, openFields } from '../fields.ts';
import { kindCell } from '../generic-cells.ts';
import { read } from '../paths.ts';
import type { PlainObject } from '../plain.ts';
import { safeText } from '../safe-text.ts';
import { cellsOf, GAP, type Layout, layout } from '../table/layout.ts';
import { createRenderContext } from '../table/render-context.ts';
import { renderTable } from '../table/render-table.ts';
import type { Column, List, RenderContext, View } from '../types.ts';
import type { Writer } from './writer.ts';

export interface TableOptions {
  readonly context: Context;
  readonly color: boolean | undefined;
  readonly fields: readonly string[] | undefined;
  readonly notes: Pick<Notes, 'note'>;
}

/** One resource: the view's page, or the asked fields one below the other. */
export async function writeTablePage<T extends object>(
  view: View<T>,
  value: T,
  options: TableOptions,
  write: Writer,
): Promise<void> {
  const look = await createRenderContext(options.context, options.color);
  const { page } = view;
  const text =
    page !== undefined && options.fields === undefined
      ? page(value, look)
      : pairsPage(view, value, options.fields, look);
  const footer = options.fields === undefined ? view.footer?.([value], look) : undefined;
  await write(footer === undefined ? `${text}\n` : `${text}\n\n${look.draw.paragraph(footer)}\n`);
}

function pairsPage<T extends object>(
  view: View<T>,
  value: T,
  asked: readonly string[] | undefined,
  look: RenderContext,
): string {
  const names = asked ?? [...leafFields(view), ...openFields(view)];
  return look.draw.pairs(
    names.map((name) => [safeText(name), kindCell(view, name, read(value as PlainObject, name), look)]),
  );
}

// A local list may be larger than memory: its table is laid out by the first rows and then goes on row by row.
const LOCAL_BLOCK = 500;

/** A list: what costs credits is collected and laid out at once, also when a later page fails. */
export async function writeTableList<T extends object>(
  view: View<T>,
  list: List<T>,
  options: TableOptions,
  write: Writer,
): Promise<void> {
  const look = await createRenderContext(options.context, options.color);
  const { page } = view;
  if (view.columns === undefined && page !== undefined && options.fields === undefined) {
    return writePages(list, (item) => page(item, look), write);
  }
  const columns = chooseColumns(view, options.fields);
  if (list.live === true) return writeLiveTable(columns, list, look, write);
  const table = new GrowingTable(columns, look, write);
  const first: T[] = [];
  let waiting: T[] = [];
  let failure: { error: unknown } | undefined;
  for await (const item of flattened(list, (error) => {
    failure = { error };
  })) {
    waiting.push(item);
    if (first.length < LOCAL_BLOCK) first.push(item);
    if (list.local === true && waiting.length >= LOCAL_BLOCK) {
      await table.add(waiting);
      waiting = [];
    }
  }
  if (waiting.length > 0) await table.add(waiting);
  if (table.rows > 0) {
    const seen = list.local === true ? first : waiting;
    const footer = options.fields === undefined ? view.footer?.(seen, look) : undefined;
    if (footer !== undefined) await write(`\n${look.draw.paragraph(footer)}\n`);
  } else if (failure === undefined && view.empty !== undefined) {
    options.notes.note(view.empty);
  }
  if (failure !== undefined) throw failure.error;
}

// Enough rows to find the widths that most of the coming ones need.
const LIVE_ROWS = 50;

/** A list that comes over hours: each batch at once, below a new header only where the columns have to change. */
async function writeLiveTable<T extends object>(
  columns: readonly Column<T>[],
  list: List<T>,
  look: RenderContext,
  write: Writer,
): Promise<void> {
  const recent: T[] = [];
  let shown: Layout<T> | undefined;
  for await (const { items } of list.batches) {
    recent.push(...items);
    recent.splice(0, recent.length - Math.max(LIVE_ROWS, items.length));
    const cells = (item: T) => cellsOf(columns, item, look);
    const current = grown(shown, layout(columns, recent.map(cells), look), look);
    const indexes = current.columns.map((column) => columns.indexOf(column));
    const rows = items.map((item) => indexes.map((i) => cells(item)[i] ?? ''));
    await write(`${renderTable(current, rows, look, current.columns !== shown?.columns)}\n`);
    shown = current;
  }
}

/** The columns as they were, wider where that is needed and there is room; else as they fit now. */
function grown<T>(before: Layout<T> | undefined, fitted: Layout<T>, look: RenderContext): Layout<T> {
  if (before === undefined || !sameColumns(before, fitted)) return fitted;
  const widths = before.widths.map((width, i) => Math.max(width, fitted.widths[i] ?? 0));
  const total = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  return total <= (look.width ?? total) ? { columns: before.columns, widths } : fitted;
}

function sameColumns<T>(a: Layout<T>, b: Layout<T>): boolean {
  return a.columns.length === b.columns.length && a.columns.every((column, i) => column === b.columns[i]);
}

/** A list of what is shown as pages: each as it arrives, with two blank lines between. */
async function writePages<T extends object>(list: List<T>, page: (item: T) => string, write: Writer): Promise<void> {
  let between = '';
  for await (const { items } of list.batches) {
    for (const item of items) {
      await write(`${between}${page(item)}\n`);
      between = '\n\n';
    }
  }
}

/** The items of all batches; an error of the list ends them and is reported, so that what arrived can be written. */
async function* flattened<T>(list: List<T>, failed: (error: unknown) => void): AsyncGenerator<T> {
  const batches = list.batches[Symbol.asyncIterator]();
  let done = false;
  try {
    while (true) {
      const next = await batches.next().catch((error: unknown) => {
        failed(error);
        return undefined;
      });
      if (next === undefined || next.done === true) {
        done = true;
        return;
      }
      yield* next.value.items;
    }
  } finally {
    if (!done) await batches.return?.();
  }
}

function chooseColumns<T extends object>(view: View<T>, asked: readonly string[] | undefined): readonly Column<T>[] {
  if (asked === undefined && view.columns !== undefined) return view.columns;
  const names = asked ?? leafFields(view);
  return names.map((name) => ({
    header: safeText(name),
    align: ['integer', 'number'].includes(view.fields.find((field) => field.name === name)?.kind ?? '')
      ? 'right'
      : 'left',
    // What was asked for is shown: narrowed at worst, never dropped.
    priority: 0,
    cell: (item, look) => kindCell(view, name, read(item as PlainObject, name), look),
  }));
}

/** A table whose rows come in blocks: the first block decides on the columns, later ones may only widen them. */
class GrowingTable<T> {
  rows = 0;
  readonly #columns: readonly Column<T>[];
  readonly #look: RenderContext;
  readonly #write: Writer;
  #layout: Layout<T> | undefined;

  constructor(columns: readonly Column<T>[], look: RenderContext, write: Writer) {
    this.#columns = columns;
    this.#look = look;
    this.#write = write;
  }

  async add(items: readonly T[]): Promise<void> {
    const shown = this.#layout?.columns ?? this.#columns;
    const cells = items.map((item) => cellsOf(shown, item, this.#look));
    const fitted = layout(shown, cells, this.#look);
    const before = this.#layout;
    // On a terminal the widths stay as they were, so that the columns stay below their headers.
    const kept: Layout<T> =
      before === undefined
        ? fitted
        : {
            columns: before.columns,
            widths:
              this.#look.width === undefined
                ? before.widths.map((width, i) => Math.max(width, fitted.widths[i] ?? 0))
                : before.widths,
          };
    this.#layout = kept;
    const indexes = kept.columns.map((column) => shown.indexOf(column));
    const rows = cells.map((row) => indexes.map((i) => row[i] ?? ''));
    await this.#write(`${renderTable(kept, rows, this.#look, before === undefined)}\n`);
    this.rows += items.length;
  }
}
