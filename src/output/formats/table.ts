import type { Context } from '../../runtime/context.ts';
import { jsonText } from '../../runtime/json-text.ts';
import type { Notes } from '../../runtime/notes.ts';
import { leafFields, openFields } from '../fields.ts';
import { isoTime, NONE } from '../format.ts';
import { read } from '../paths.ts';
import type { PlainObject } from '../plain.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import { cellsOf, type FittedColumns, fitColumns } from '../table/fit-columns.ts';
import { createRenderContext } from '../table/render-context.ts';
import { renderTable } from '../table/render-table.ts';
import type { Column, List, RenderContext, View, Writer } from '../types.ts';
import { ListReader } from './list-reader.ts';

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
  const render = await createRenderContext(options.context, options.color);
  if (options.fields !== undefined || view.page === undefined) {
    const names = options.fields ?? [...leafFields(view), ...openFields(view)];
    const cell = (name: string) => fieldCell(view, name, value as PlainObject, render);
    return write(`${render.pairs(names.map((name) => [safeText(name), cell(name)]))}\n`);
  }
  const footer = view.footer?.([value], render);
  await write(`${view.page(value, render)}\n${footer === undefined ? '' : `\n${render.paragraph(footer)}\n`}`);
}

// A local list may be larger than memory: its table is laid out by the first rows and then goes on block by block.
const LOCAL_BLOCK = 500;

/** A list: what costs credits is collected and laid out at once, also when a later page fails. */
export async function writeTableList<T extends object>(
  view: View<T>,
  list: List<T>,
  options: TableOptions,
  write: Writer,
): Promise<void> {
  const render = await createRenderContext(options.context, options.color);
  const { page } = view;
  if (view.columns === undefined && page !== undefined && options.fields === undefined) {
    return writePages(list, (item) => page(item, render), write);
  }
  const columns = chooseColumns(view, options.fields);
  if (list.live === true) return writeLiveTable(columns, list, render, write);
  const table = new GrowingTable(columns, render, write);
  const reader = new ListReader(list);
  let block: T[] = [];
  let first: readonly T[] | undefined;
  const flush = async () => {
    if (block.length === 0) return;
    first ??= block;
    await table.add(block);
    block = [];
  };
  for await (const { items } of reader.batches()) {
    for (const item of items) {
      block.push(item);
      if (list.local === true && block.length >= LOCAL_BLOCK) await flush();
    }
  }
  await flush();
  if (first !== undefined) {
    const footer = options.fields === undefined ? view.footer?.(first, render) : undefined;
    if (footer !== undefined) await write(`\n${render.paragraph(footer)}\n`);
  } else if (!reader.failed && view.empty !== undefined) {
    options.notes.note(view.empty);
  }
  reader.rethrow();
}

/** A list that comes over hours: each batch as it arrives, below one header. */
async function writeLiveTable<T extends object>(
  columns: readonly Column<T>[],
  list: List<T>,
  render: RenderContext,
  write: Writer,
): Promise<void> {
  const table = new GrowingTable(columns, render, write, true);
  for await (const { items } of list.batches) await table.add(items);
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

function chooseColumns<T extends object>(view: View<T>, asked: readonly string[] | undefined): readonly Column<T>[] {
  if (asked === undefined && view.columns !== undefined) return view.columns;
  return (asked ?? leafFields(view)).map((name) => ({
    header: safeText(name),
    align: ['integer', 'number'].includes(kindOf(view, name) ?? '') ? 'right' : 'left',
    // What was asked for is shown: narrowed at worst, never dropped.
    priority: 0,
    cell: (item, render) => fieldCell(view, name, item as PlainObject, render),
  }));
}

function kindOf<T>(view: View<T>, name: string): string | undefined {
  return view.fields.find((field) => field.name === name)?.kind;
}

/**
 * A field asked for by name, as the API gives it, made safe: times become `2026-11-20 18:05:00`, everything else stays
 * exact, because the user asked for this very field.
 */
function fieldCell<T>(view: View<T>, name: string, item: PlainObject, { styles }: RenderContext): string {
  const value = read(item, name);
  if (value === null || value === undefined) return styles.dim(NONE);
  if (kindOf(view, name) === 'time' && typeof value === 'string') return isoTime(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) {
    return value.map(safeText).join(', ');
  }
  return typeof value === 'object' ? escapeJson(jsonText(value)) : safeText(value);
}

/**
 * A table whose rows come in blocks below one header: the first block and the usual widths of the columns decide what is
 * shown. In a pipe a later block may widen a column; on a terminal the columns stay where they are, until the terminal
 * itself gets another width: then they are fitted anew, below a new header.
 */
class GrowingTable<T> {
  readonly #columns: readonly Column<T>[];
  readonly #render: RenderContext;
  readonly #write: Writer;
  readonly #live: boolean;
  #shown: FittedColumns<T> | undefined;
  #width: number | undefined;

  constructor(columns: readonly Column<T>[], render: RenderContext, write: Writer, live = false) {
    this.#columns = columns;
    this.#render = render;
    this.#write = write;
    this.#live = live;
  }

  async add(items: readonly T[]): Promise<void> {
    const { width } = this.#render;
    const before = width === this.#width ? this.#shown : undefined;
    const columns = before?.columns ?? this.#columns;
    const cells = items.map((item) => cellsOf(columns, item, this.#render));
    const shown = this.#fitted(before, cells, columns);
    this.#shown = shown;
    this.#width = width;
    const places = shown.columns.map((column) => columns.indexOf(column));
    const rows = cells.map((row) => places.map((i) => row[i] ?? ''));
    await this.#write(`${renderTable(shown, rows, this.#render, before === undefined)}\n`);
  }

  #fitted(
    before: FittedColumns<T> | undefined,
    cells: readonly (readonly string[])[],
    columns: readonly Column<T>[],
  ): FittedColumns<T> {
    if (before !== undefined && this.#render.width !== undefined) return before;
    const fitted = fitColumns(columns, cells, this.#render, this.#live);
    if (before === undefined) return fitted;
    return { columns, widths: before.widths.map((width, i) => Math.max(width, fitted.widths[i] ?? 0)) };
  }
}
