import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { project } from './fields.ts';
import { csvDocument } from './formats/csv.ts';
import { jsonDocument, jsonList } from './formats/json.ts';
import { jsonLine, writeNdjsonList } from './formats/ndjson.ts';
import type { PlainObject } from './paths.ts';
import type { Format, List, Output } from './types.ts';

interface OutputOptions {
  readonly context: Context;
  readonly format: Format;
  /** From `--fields`: dotted names, checked before anything is sent. */
  readonly fields: readonly string[] | undefined;
  readonly notes: Pick<Notes, 'note' | 'flush'>;
  /** false for `--no-color`. */
  readonly color?: boolean | undefined;
  /** false for `--no-pager`. */
  readonly pager?: boolean | undefined;
}

/** What a command hands its result to. What draws tables is loaded for them alone. */
export function createOutput({ context, format, fields, notes, color, pager }: OutputOptions): Output {
  const write = (text: string) => context.stdout.write(text);
  const pick = (value: object) => project(value as PlainObject, fields);
  const tableOptions = { context, color, fields };
  const writeTable = async (text: string) => {
    if (pager === false || !context.stdout.isTTY) return write(text);
    await notes.flush();
    await (await import('./paged.ts')).writePaged(text, context);
  };

  return {
    format,
    async one(view, value) {
      switch (format) {
        case 'json':
          return write(jsonDocument(pick(value)));
        case 'ndjson':
          return write(jsonLine(pick(value)));
        case 'csv':
          return write(csvDocument(view.fields, [value], fields));
        case 'table':
          return writeTable((await import('./formats/table.ts')).tablePage(view, value, tableOptions));
      }
    },
    async list(view, { batches, head, live }) {
      if (format === 'ndjson') return writeNdjsonList(batches, pick, context);
      if (format === 'table') {
        const table = await import('./formats/table.ts');
        if (live === true) return table.writeLiveTable(view, batches, tableOptions);
        if (!context.stdout.isTTY && table.isPages(view, fields)) return table.writePages(view, batches, tableOptions);
      }
      const { items, failure } = await collect(batches);
      if (items.length === 0 && format === 'table') {
        if (failure === undefined && view.empty !== undefined) notes.note(view.empty);
      } else if (items.length > 0 || failure === undefined) {
        switch (format) {
          case 'json':
            await write(jsonList(items.map(pick), head?.()));
            break;
          case 'csv':
            await write(csvDocument(view.fields, items, fields));
            break;
          case 'table':
            await writeTable((await import('./formats/table.ts')).tableList(view, items, tableOptions));
        }
      }
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** Reads a list to its end or to its first error. What arrived is paid for: it is written before the error is thrown. */
async function collect<Item>(batches: List<Item>['batches']) {
  const collected: Item[] = [];
  try {
    for await (const { items } of batches) for (const item of items) collected.push(item);
  } catch (error) {
    return { items: collected, failure: { error } };
  }
  return { items: collected };
}
