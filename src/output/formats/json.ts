import { jsonText } from '../../runtime/json-text.ts';
import { type Exporter, writeAtEnd } from '../exporter.ts';
import type { PlainObject } from '../fields.ts';
import { project } from '../fields.ts';
import { escapeJson } from '../safe-text.ts';

/** One pretty document: of a list a bare array, or `head` around the items. */
export const json: Exporter = {
  one: (_, value, { context, fields }) => context.stdout.write(jsonDocument(project(value as PlainObject, fields))),
  list: (_, { batches, head }, { context, fields }) =>
    writeAtEnd(batches, async (all, isWhole) => {
      if (all.length === 0 && !isWhole) return;
      const items = all.map((item) => project(item as PlainObject, fields));
      await context.stdout.write(jsonDocument(head === undefined ? items : { ...head(), items }));
    }),
};

function jsonDocument(value: unknown): string {
  return `${escapeJson(jsonText(value, 2))}\n`;
}

/** One compact line an item, each batch as it arrives. */
export const ndjson: Exporter = {
  one: (_, value, { context, fields }) => context.stdout.write(jsonLine(value, fields)),
  async list(_, { batches }, { context, fields }) {
    for await (const items of batches) {
      if (items.length > 0) await context.stdout.write(items.map((item) => jsonLine(item, fields)).join(''));
    }
  },
};

function jsonLine(value: object, fields: readonly string[] | undefined): string {
  return `${escapeJson(jsonText(project(value as PlainObject, fields)))}\n`;
}
