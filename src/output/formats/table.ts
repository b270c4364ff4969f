import { jsonText } from '../../runtime/json-text.ts';
import { UTC } from '../../runtime/zone.ts';
import { leafFields, openFields, type PlainObject, read } from '../fields.ts';
import { NONE, timePartText } from '../format.ts';
import { type Destination, type Exporter, takeEach } from '../formats.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import { type Column, RenderContext, TableOf } from '../table/render.ts';
import { asciiSigns } from '../terminal.ts';
import type { List, Pair, View } from '../types.ts';

export const table: Exporter = {
  one: (view, value, to) => writePage(drawingOf(view, value, to), to),
  async list(view, { batches, live }, to) {
    if (live === true) return writeLiveTable(view, batches, to);
    // A list is drawn as pages only if its view has no columns, and if no fields are named.
    const arePages =
      view.columns === undefined && view.page !== undefined && to.fields === undefined;
    return arePages ? writePages(view, batches, to) : writeTable(view, batches, to);
  },
};

/** Writes texts. On a terminal, texts longer than the screen go through the pager; notes that came before are written first. */
async function writeTexts(
  texts: () => Iterable<string>,
  { context, notes, pager }: Destination,
): Promise<void> {
  if (pager === false || !context.stdout.isTTY) {
    for (const text of texts()) await context.stdout.write(text);
    return;
  }
  await notes.flush();
  await (await import('../paged.ts')).writePaged(texts, context);
}

export function writePage(draw: (render: RenderContext) => string, to: Destination): Promise<void> {
  return writeTexts(() => [pageText(draw, to)], to);
}

function pageText(draw: (render: RenderContext) => string, to: Destination): string {
  const render = new RenderContext(to);
  return inTerminalSigns(`${draw(render)}\n`, render);
}

/** Makes a function that draws a resource: as its view's page, or, if fields are named or there is no page, as a list of its fields. */
function drawingOf<T extends object>(
  view: View<T>,
  value: T,
  { fields }: Destination,
): (render: RenderContext) => string {
  const { page } = view;
  if (fields === undefined && page !== undefined) return (render) => page(value, render);
  const names = fields ?? [...leafFields(view.fields), ...openFields(view.fields)];
  return (render) => {
    const pairs = names.map((name): Pair => {
      return [safeText(name), fieldCell(view, name, value as PlainObject, render)];
    });
    return render.pairs(pairs);
  };
}

/** The text in the signs that the terminal has. */
function inTerminalSigns(text: string, { unicode }: RenderContext): string {
  return unicode ? text : asciiSigns(text);
}

/**
 * Writes pages one below the other. A pipe gets each page as it comes, so that no further card is bought once the reader of the
 * pipe has left. A terminal gets all pages together at the end, because the pager takes one text.
 */
async function writePages<T extends object>(
  view: View<T>,
  batches: List<T>['batches'],
  to: Destination,
) {
  const { stdout } = to.context;
  let pages = '';
  let between = '';
  const take = async (items: readonly T[]) => {
    for (const item of items) {
      const page = `${between}${pageText(drawingOf(view, item, to), to)}`;
      if (stdout.isTTY) pages += page;
      else await stdout.write(page);
      between = '\n\n';
    }
  };
  await takeEach(batches, take, () => writeTexts(() => [pages], to));
}

/** Writes a table once its list has ended: only then are the widths of the columns known. */
async function writeTable<T extends object>(
  view: View<T>,
  batches: List<T>['batches'],
  to: Destination,
) {
  const render = new RenderContext(to);
  const rows = new TableOf(chooseColumns(view, to.fields), render);
  const ordered: T[] = [];
  const take = (items: readonly T[]) => {
    if (view.order === undefined) rows.add(items);
    else ordered.push(...items);
  };
  await takeEach(batches, take, async (isWhole) => {
    // Empty if the view has no order: then the rows are there already.
    rows.add(ordered.sort(view.order));
    if (!rows.isEmpty) await writeTexts(() => textsOf(view, rows, to, render), to);
    else if (isWhole && view.empty !== undefined) to.notes.note(view.empty);
  });
}

function* textsOf<T>(
  view: View<T>,
  rows: TableOf<T>,
  { fields }: Destination,
  render: RenderContext,
) {
  const { paragraph, styles } = render;
  if (fields === undefined && view.title)
    yield inTerminalSigns(`${paragraph(view.title, styles.bold)}\n\n`, render);
  for (const text of rows.texts()) yield inTerminalSigns(`${text}\n`, render);
}

/** Writes a list that grows for hours: each batch as it arrives, below a new header if the terminal's width has changed. */
async function writeLiveTable<T extends object>(
  view: View<T>,
  batches: List<T>['batches'],
  to: Destination,
) {
  const columns = chooseColumns(view, to.fields);
  let widthOfHeader: number | undefined | 'no header yet' = 'no header yet';
  for await (const items of batches) {
    const render = new RenderContext(to);
    const rows = new TableOf(columns, render, { isLive: true });
    rows.add(items);
    const needsHeader = render.width !== widthOfHeader;
    await to.context.stdout.write(inTerminalSigns(`${rows.text(needsHeader)}\n`, render));
    widthOfHeader = render.width;
  }
}

/**
 * The columns of a table: the named fields, otherwise the view's columns. Unless fields are named, the field by which a list is
 * sorted is shown, too: if the view has no column for it, it becomes the second column.
 * @param names from `--fields`
 */
function chooseColumns<T extends object>(
  view: View<T>,
  names: readonly string[] | undefined,
): readonly Column<T>[] {
  const { sorted } = view;
  const usualColumns = columnsAsked(view, names);
  if (sorted === undefined) return usualColumns;
  const field = sorted.replace(/^-/, '');
  const isAdded = names === undefined && !usualColumns.some((column) => column.field === field);
  const all = isAdded ? usualColumns.toSpliced(1, 0, fieldColumn(view, field)) : usualColumns;
  return all.map((column) => (column.field === field ? { ...column, priority: 0 } : column));
}

/**
 * The columns of the fields that `--fields` names; without `--fields`, the view's columns; if it has none, one for each field.
 */
function columnsAsked<T extends object>(
  view: View<T>,
  names: readonly string[] | undefined,
): readonly Column<T>[] {
  if (names === undefined && view.columns !== undefined) return view.columns;
  const shownNames = names ?? leafFields(view.fields);
  return shownNames.map((name) => fieldColumn(view, name));
}

/** A column for a field by its name. It may be narrowed, but is never dropped. */
function fieldColumn<T extends object>(view: View<T>, name: string): Column<T> {
  const kind = kindOf(view, name);
  return {
    header: ({ zone }) => {
      const hasZone = kind === 'time' && zone !== UTC;
      return hasZone ? `${safeText(name)} (${zone.name})` : safeText(name);
    },
    field: name,
    align: kind === 'number' ? 'right' : 'left',
    priority: 0,
    cell: (item, render) => fieldCell(view, name, item as PlainObject, render),
  };
}

function kindOf<T>(view: View<T>, name: string): string | undefined {
  return view.fields.find((field) => field.name === name)?.kind;
}

/** The value of a field, as exact as the API gives it, and made safe. A time is written as `2026-11-20 18:05:00`. */
function fieldCell<T>(
  view: View<T>,
  name: string,
  item: PlainObject,
  { styles, zone }: RenderContext,
): string {
  const value = read(item, name);
  if (value === null || value === undefined) return styles.dim(NONE);
  if (kindOf(view, name) === 'time' && typeof value === 'string')
    return timePartText(value, zone, 'up to the second');
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value.map(safeText).join(', ');
  return typeof value === 'object' ? escapeJson(jsonText(value)) : safeText(value);
}
