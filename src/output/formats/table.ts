import { jsonText } from '../../runtime/json-text.ts';
import { UTC } from '../../runtime/zone.ts';
import { type Destination, type Exporter, writeAtEnd } from '../exporter.ts';
import { leafFields, openFields, type PlainObject, read } from '../fields.ts';
import { minuteTime, NONE } from '../format.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import { createRenderContext } from '../table/render-context.ts';
import { fitColumns, measureColumns, renderTable } from '../table/table.ts';
import { asciiSigns } from '../terminal.ts';
import type { Column, List, RenderContext, View } from '../types.ts';

export const table: Exporter = {
  one: (view, value, to) => writePaged(pageText(view, value, to), to),
  async list(view, { batches, live }, to) {
    if (live === true) return writeLiveTable(view, batches, to);
    if (!to.context.stdout.isTTY && isPages(view, to)) return writePages(view, batches, to);
    return writeAtEnd(batches, async (items, isWhole) => {
      if (items.length > 0) await writePaged(listText(view, items, to), to);
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

function pageText<T extends object>(view: View<T>, value: T, to: Destination): string {
  const { context, color, fields, pager } = to;
  const whole = createRenderContext(context, color);
  const render = pager === false ? { ...whole, height: undefined } : whole;
  const names = fields ?? [...leafFields(view.fields), ...openFields(view.fields)];
  const text =
    fields === undefined && view.page !== undefined
      ? view.page(value, render)
      : render.pairs(names.map((name) => [safeText(name), fieldCell(view, name, value as PlainObject, render)]));
  return signs(`${text}\n`, render);
}

function signs(text: string, { unicode }: RenderContext): string {
  return unicode ? text : asciiSigns(text);
}

function isPages<T>(view: View<T>, { fields }: Destination): boolean {
  return view.columns === undefined && view.page !== undefined && fields === undefined;
}

/** Pages for a pipe, each as it comes: where the reader leaves, nothing more is bought. */
async function writePages<T extends object>(view: View<T>, batches: List<T>['batches'], to: Destination) {
  let between = '';
  for await (const items of batches) {
    for (const item of items) {
      await to.context.stdout.write(`${between}${pageText(view, item, to)}`);
      between = '\n\n';
    }
  }
}

function listText<T extends object>(view: View<T>, items: readonly T[], to: Destination): string {
  if (isPages(view, to)) return items.map((item) => pageText(view, item, to)).join('\n\n');
  const render = createRenderContext(to.context, to.color);
  const rows = view.order === undefined ? items : items.toSorted(view.order);
  const title = to.fields === undefined && view.title ? `${render.paragraph(view.title, render.styles.bold)}\n\n` : '';
  return signs(`${title}${explained(view, render.table(chooseColumns(view, to.fields), rows), to, render)}`, render);
}

function explained<T>({ mark }: View<T>, text: string, { fields }: Destination, { note }: RenderContext): string {
  return mark !== undefined && fields === undefined && text.includes('*')
    ? `${text}\n${note(`* ${mark}`)}\n`
    : `${text}\n`;
}

/** A list that comes over hours: each batch as it arrives, below a header for each width that the terminal has. */
async function writeLiveTable<T extends object>(view: View<T>, batches: List<T>['batches'], to: Destination) {
  const columns = chooseColumns(view, to.fields);
  let width: number | undefined | null = null;
  for await (const items of batches) {
    const render = createRenderContext(to.context, to.color);
    const shown = fitColumns(measureColumns(columns, items, render, true), render.width);
    const lines = renderTable(shown, render, render.width !== width).join('\n');
    await to.context.stdout.write(signs(explained(view, lines, to, render), render));
    width = render.width;
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
  return all.map((column) => (column.field === field ? { ...column, priority: 0 } : column));
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

function kindOf<T>(view: View<T>, name: string): string | undefined {
  return view.fields.find((field) => field.name === name)?.kind;
}

/** A field asked for by name, as exact as the API gives it, made safe; times become `2026-11-20 18:05:00`. */
function fieldCell<T>(view: View<T>, name: string, item: PlainObject, { styles, zone }: RenderContext): string {
  const value = read(item, name);
  if (value === null || value === undefined) return styles.dim(NONE);
  if (kindOf(view, name) === 'time' && typeof value === 'string') return minuteTime(value, zone, 19);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.map(safeText).join(', ');
  return typeof value === 'object' ? escapeJson(jsonText(value)) : safeText(value);
}
