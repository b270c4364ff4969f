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
}

/** What a command hands its result to. Each format is loaded when the first result is there: JSON needs no table. */
export function createOutput({ context, format, fields, notes, color }: OutputOptions): Output {
  const write: Writer = (text) => {
    const hand = () => context.stdout.write(text);
    return context.stdout.isTTY && notes.aside !== undefined ? notes.aside(hand) : hand();
  };
  const pick = (value: object) => project(value as PlainObject, fields);
  const tableOptions = { context, color, fields, notes };

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
          return (await import('./formats/table.ts')).writeTablePage(view, value, tableOptions, write);
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
          return (await import('./formats/table.ts')).writeTableList(view, list, tableOptions, write);
      }
    },
  };
}
