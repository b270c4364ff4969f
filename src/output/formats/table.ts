import { jsonText } from '../../runtime/json-text.ts';
import { UTC } from '../../runtime/zone.ts';
import { type Destination, type Exporter, writeAtEnd } from '../exporter.ts';
import { leafFields, openFields } from '../fields.ts';
import { NONE, secondTime } from '../format.ts';
import { type PlainObject, read } from '../paths.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import { type FittedColumn, fitColumns, measureColumns, refill } from '../table/fit-columns.ts';
import { createRenderContext } from '../table/render-context.ts';
import { renderTable } from '../table/render-table.ts';
import { asciiSigns } from '../terminal.ts';
import type { Column, List, RenderContext, View } from '../types.ts';

type TableOptions = Pick<Destination, 'context' | 'color' | 'fields'>;

export const table: Exporter = {
  one: (view, value, to) => writePaged(tablePage(view, value, to), to),
  async list(view, { batches, live }, to) {
    if (live === true) return writeLiveTable(view, batches, to);
    if (!to.context.stdout.isTTY && isPages(view, to.fields)) return writePages(view, batches, to);
    return writeAtEnd(batches, async (items, isWhole) => {
      if (items.length > 0) await writePaged(tableList(view, items, to), to);
      else if (isWhole && view.empty !== undefined) to.notes.note(view.empty);
    });
  },
};

/** What fits the screen as it is, the rest through the pager, after the notes that came before it. */
async function writePaged(text: string, { context, notes, pager }: Destination): Promise<void> {
  if (pager === false || !context.stdout.isTTY) return context.stdout.write(text);
  await notes.flush();
  await (await import('../paged.ts')).writePaged(text, context);
}

function tablePage<T extends object>(view: View<T>, value: T, { context, color, fields }: TableOptions): string {
  const render = createRenderContext(context, color);
  if (fields !== undefined || view.page === undefined) {
    const names = fields ?? [...leafFields(view.fields), ...openFields(view.fields)];
    const cell = (name: string) => fieldCell(view, name, value as PlainObject, render);
    return signs(`${render.pairs(names.map((name) => [safeText(name), cell(name)]))}\n`, render);
  }
  return signs(`${view.page(value, render)}\n`, render);
}

function signs(text: string, { unicode }: RenderContext): string {
  return unicode ? text : asciiSigns(text);
}

/** Whether a list of such things is pages, one below the other, instead of a table. */
function isPages<T>(view: View<T>, fields: readonly string[] | undefined): boolean {
  return view.columns === undefined && view.page !== undefined && fields === undefined;
}

/** Pages for a pipe, each as it comes: where the reader leaves, nothing more is bought. */
async function writePages<T extends object>(
  view: View<T>,
  batches: List<T>['batches'],
  options: TableOptions,
): Promise<void> {
  let between = '';
  for await (const items of batches) {
    for (const item of items) {
      await options.context.stdout.write(`${between}${tablePage(view, item, options)}`);
      between = '\n\n';
    }
  }
}

function tableList<T extends object>(view: View<T>, items: readonly T[], options: TableOptions): string {
  const { context, color, fields } = options;
  if (isPages(view, fields)) return items.map((item) => tablePage(view, item, options)).join('\n\n');
  const render = createRenderContext(context, color);
  const table = `${render.table(chooseColumns(view, fields), items)}\n`;
  const below = fields === undefined ? view.footer?.(items, render) : undefined;
  return signs(below === undefined ? table : `${table}\n${render.paragraph(below)}\n`, render);
}

/**
 * A list that comes over hours: each batch as it arrives, below one header. The columns stay where the first batch and
 * their usual widths have put them, until the terminal gets another width: then they are fitted anew, below a new header.
 */
async function writeLiveTable<T extends object>(
  view: View<T>,
  batches: List<T>['batches'],
  { context, color, fields }: TableOptions,
): Promise<void> {
  let shown: readonly FittedColumn<T>[] | undefined;
  let width: number | undefined;
  for await (const items of batches) {
    const render = createRenderContext(context, color);
    if (render.width !== width) shown = undefined;
    width = render.width;
    const withHeader = shown === undefined;
    shown =
      shown === undefined
        ? fitColumns(measureColumns(chooseColumns(view, fields), items, render, true), width)
        : refill(shown, items, render);
    await context.stdout.write(signs(`${renderTable(shown, render, withHeader).join('\n')}\n`, render));
  }
}

function chooseColumns<T extends object>(view: View<T>, asked: readonly string[] | undefined): readonly Column<T>[] {
  const { columns, sorted } = view;
  const shown =
    asked === undefined && columns !== undefined
      ? columns
      : (asked ?? leafFields(view.fields)).map((name) => fieldColumn(view, name));
  if (sorted === undefined) return shown;
  const field = sorted.replace(/^-/, '');
  const isThere = asked !== undefined || shown.some((column) => column.field === field);
  const all = isThere ? shown : [...shown.slice(0, 1), fieldColumn(view, field), ...shown.slice(1)];
  return all.map((column) => (column.field === field ? marked(column, sorted.startsWith('-')) : column));
}

/** A column of a field that was named: it is narrowed at worst, never dropped. */
function fieldColumn<T extends object>(view: View<T>, name: string): Column<T> {
  const kind = kindOf(view, name) ?? '';
  return {
    header: ({ zone }) => `${safeText(name)}${kind === 'time' && zone !== UTC ? ` (${zone.name})` : ''}`,
    field: name,
    align: ['integer', 'number'].includes(kind) ? 'right' : 'left',
    priority: 0,
    cell: (item, render) => fieldCell(view, name, item as PlainObject, render),
  };
}

function marked<T>(column: Column<T>, isRising: boolean): Column<T> {
  const arrow = ({ unicode }: RenderContext) => (unicode ? (isRising ? '↑' : '↓') : isRising ? '^' : 'v');
  const header = (render: RenderContext) =>
    `${typeof column.header === 'string' ? column.header : column.header(render)} ${arrow(render)}`;
  return { ...column, header, priority: 0 };
}

function kindOf<T>(view: View<T>, name: string): string | undefined {
  return view.fields.find((field) => field.name === name)?.kind;
}

/**
 * A field asked for by name, as the API gives it, made safe: times become `2026-11-20 18:05:00`, everything else stays
 * exact, because the user asked for this very field.
 */
function fieldCell<T>(view: View<T>, name: string, item: PlainObject, { styles, zone }: RenderContext): string {
  const value = read(item, name);
  if (value === null || value === undefined) return styles.dim(NONE);
  if (kindOf(view, name) === 'time' && typeof value === 'string') return secondTime(value, zone);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) {
    return value.map(safeText).join(', ');
  }
  return typeof value === 'object' ? escapeJson(jsonText(value)) : safeText(value);
}
