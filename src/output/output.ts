import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { checkFields, project } from './fields.ts';
import type { PlainObject } from './plain.ts';
import type { Format, Output, Writer } from './types.ts';

export interface OutputOptions {
  readonly context: Context;
  readonly format: Format;
  /** From `--fields`: dotted names, checked by `checkFields` before anything is sent. */
  readonly fields: readonly string[] | undefined;
  readonly notes: Pick<Notes, 'note' | 'aside'>;
  /** false for `--no-color`. */
  readonly color?: boolean | undefined;
  /** false for `--no-pager`. */
  readonly pager?: boolean | undefined;
}

type TableFormat = typeof import('./formats/table.ts');

/** What a command hands its result to. Each format is loaded when the first result is there: JSON needs no table. */
export function createOutput({ context, format, fields, notes, color, pager }: OutputOptions): Output {
  const write: Writer = (text) => {
    const hand = () => context.stdout.write(text);
    return context.stdout.isTTY && notes.aside !== undefined ? notes.aside(hand) : hand();
  };
  const pick = (value: object) => project(value as PlainObject, fields);
  const tableOptions = { context, color, fields, notes };
  /** A table longer than the screen goes through the pager, unless it comes over hours. */
  const writeTable = async (work: (table: TableFormat, to: Writer) => Promise<void>, live = false) => {
    const table = await import('./formats/table.ts');
    if (!context.stdout.isTTY || context.stdout.rows === undefined || pager === false || live)
      return work(table, write);
    const { PagedWriter, pagerWords } = await import('./paged-writer.ts');
    if (pagerWords(context.env).length === 0) return work(table, write);
    const paged = new PagedWriter(context, notes, write);
    try {
      await work(table, paged.write);
    } finally {
      await paged.close();
    }
  };

  return {
    format,
    async one(view, value) {
      checkFields(view, fields);
      switch (format) {
        case 'json':
          return write((await import('./formats/json.ts')).jsonDocument(pick(value)));
        case 'ndjson':
          return write((await import('./formats/ndjson.ts')).jsonLine(pick(value)));
        case 'csv':
          return write((await import('./formats/csv.ts')).csvDocument(view, value as PlainObject, fields));
        case 'table':
          return writeTable(({ writeTablePage }, to) => writeTablePage(view, value, tableOptions, to));
      }
    },
    async list(view, list) {
      checkFields(view, fields);
      switch (format) {
        case 'json':
          return (await import('./formats/json.ts')).writeJsonList(list, pick, write);
        case 'ndjson':
          return (await import('./formats/ndjson.ts')).writeNdjsonList(list, pick, write, context);
        case 'csv':
          return (await import('./formats/csv.ts')).writeCsvList(view, list, fields, write);
        case 'table':
          return writeTable(({ writeTableList }, to) => writeTableList(view, list, tableOptions, to), list.live);
      }
    },
  };
}
