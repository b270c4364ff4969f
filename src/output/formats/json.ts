import { jsonText } from '../../runtime/json-text.ts';
import { type PlainObject, project } from '../fields.ts';
import { type Exporter, takeEach } from '../formats.ts';
import { escapeJson } from '../safe-text.ts';

/** One indented document. A list is an object with the fields of `head` and `items`, or, without a head, an array. */
export const json: Exporter = {
  one: (_, value, { context, fields }) =>
    context.stdout.write(jsonDocument(project(value as PlainObject, fields))),
  /** If the head is known beforehand, items are written as they are read: cards of ten years do not fill the memory. */
  async list(_, { batches, head }, { context: { stdout }, fields }) {
    const isKnown = typeof head === 'object';
    const [before, after] = isKnown ? around(head) : [];
    let items: PlainObject[] = [];
    let isBegun = false;
    const take = async (batch: readonly object[]) => {
      for (const item of batch) items.push(project(item as PlainObject, fields));
      if (!isKnown || items.length === 0) return;
      const text = escapeJson(jsonText([items], 2)).slice('[\n  ['.length, -'\n  ]\n]'.length);
      await stdout.write((isBegun ? ',' : before) + text);
      isBegun = true;
      items = [];
    };
    await takeEach(batches, take, async (isWhole) => {
      if (isBegun) await stdout.write(`\n  ${after}`);
      else if (isKnown && isWhole) await stdout.write(`${before}${after}`);
      else if (items.length > 0 || isWhole)
        await stdout.write(jsonDocument(typeof head === 'function' ? { ...head(), items } : items));
    });
  },
};

/** The text of a document before its first item and after its last. A string of JSON never has a line break in it. */
function around(head: object): [before: string, after: string] {
  const opening = '\n  "items": [';
  const whole = jsonDocument({ ...head, items: [] });
  const at = whole.indexOf(opening) + opening.length;
  return [whole.slice(0, at), whole.slice(at)];
}

function jsonDocument(value: unknown): string {
  return `${escapeJson(jsonText(value, 2))}\n`;
}

export const ndjson: Exporter = {
  one: (_, value, { context, fields }) => context.stdout.write(jsonLine(value, fields)),
  async list(_, { batches }, { context, fields }) {
    for await (const items of batches) {
      if (items.length > 0)
        await context.stdout.write(items.map((item) => jsonLine(item, fields)).join(''));
    }
  },
};

function jsonLine(value: object, fields: readonly string[] | undefined): string {
  return `${escapeJson(jsonText(project(value as PlainObject, fields)))}\n`;
}
