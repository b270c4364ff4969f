import { jsonText } from '../../runtime/json-text.ts';
import type { Exporter } from '../exporter.ts';
import { project } from '../fields.ts';
import type { PlainObject } from '../paths.ts';
import { escapeJson } from '../safe-text.ts';

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
