import { jsonText } from '../../runtime/json-text.ts';
import { type PlainObject, project } from '../fields.ts';
import { type Destination, type Exporter, takeEach } from '../formats.ts';
import { escapeJson } from '../safe-text.ts';
import type { List } from '../types.ts';

/**
 * Writes one indented document. A list is an object with the fields of `head` and with `items`; without a head it is an array.
 */
export const json: Exporter = {
  one: (_, value, { context, fields }) =>
    context.stdout.write(jsonDocument(project(value as PlainObject, fields))),
  list: (_, { batches, head }, to) => {
    if (typeof head === 'object') return writeBelowHead(batches, head, to);
    return writeAtEnd(batches, head, to);
  },
};

/**
 * Writes items as they arrive, below a head that is known beforehand, so that the cards of ten years do not fill the memory.
 */
async function writeBelowHead(
  batches: List<object>['batches'],
  head: object,
  { context: { stdout }, fields }: Destination,
): Promise<void> {
  const { before, after } = textsAround(head);
  let hasItems = false;
  const take = async (batch: readonly object[]) => {
    if (batch.length === 0) return;
    const items = batch.map((item) => project(item as PlainObject, fields));
    await stdout.write(`${hasItems ? ',' : before}${textOfItems(items)}`);
    hasItems = true;
  };
  await takeEach(batches, take, async (isWhole) => {
    if (hasItems) await stdout.write(`\n  ${after}`);
    // If a list failed before its first item, nothing is written.
    else if (isWhole) await stdout.write(`${before}${after}`);
  });
}

/** Writes all items together, once the last one is here. @param head undefined for an array of the items alone */
async function writeAtEnd(
  batches: List<object>['batches'],
  head: (() => object) | undefined,
  { context: { stdout }, fields }: Destination,
): Promise<void> {
  const items: PlainObject[] = [];
  const take = (batch: readonly object[]) => {
    for (const item of batch) items.push(project(item as PlainObject, fields));
  };
  await takeEach(batches, take, async (isWhole) => {
    if (items.length === 0 && !isWhole) return;
    await stdout.write(jsonDocument(head === undefined ? items : { ...head(), items }));
  });
}

/** The items as they stand in a document: indented below `"items": [`, without the brackets of the list. */
function textOfItems(items: readonly PlainObject[]): string {
  const listInList = escapeJson(jsonText([items], 2));
  return listInList.slice('[\n  ['.length, -'\n  ]\n]'.length);
}

/** The text of a document before its first item and after its last. */
function textsAround(head: object): { readonly before: string; readonly after: string } {
  // Only the key `items` looks like this: a string within JSON has no line break.
  const opening = '\n  "items": [';
  const document = jsonDocument({ ...head, items: [] });
  const end = document.indexOf(opening) + opening.length;
  return { before: document.slice(0, end), after: document.slice(end) };
}

function jsonDocument(value: unknown): string {
  return `${escapeJson(jsonText(value, 2))}\n`;
}

/** Writes a line of JSON for each item. */
export const ndjson: Exporter = {
  one: (_, value, { context, fields }) => context.stdout.write(jsonLine(value, fields)),
  async list(_, { batches }, { context, fields }) {
    for await (const items of batches) {
      const lines = items.map((item) => jsonLine(item, fields));
      if (lines.length > 0) await context.stdout.write(lines.join(''));
    }
  },
};

function jsonLine(value: object, fields: readonly string[] | undefined): string {
  return `${escapeJson(jsonText(project(value as PlainObject, fields)))}\n`;
}
