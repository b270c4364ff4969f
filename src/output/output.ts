import { csv } from './formats/csv.ts';
import { json, ndjson } from './formats/json.ts';
import { type Destination, type Exporter, FORMATS, type Format } from './formats.ts';
import type { List, RenderContext, View } from './types.ts';

/** The exporter of each format. Only a table loads what draws tables. */
const EXPORTERS: Readonly<Record<Format, () => Exporter | Promise<Exporter>>> = {
  table: async () => (await import('./formats/table.ts')).table,
  json: () => json,
  ndjson: () => ndjson,
  csv: () => csv,
};

/** Writes resources in the format that the user chose. */
export interface Output {
  /** Whether people read the format. */
  readonly isForPeople: boolean;
  /** Writes a page for people, which may be made of more than one resource. */
  page(draw: (render: RenderContext) => string): Promise<void>;
  one<T extends object>(view: View<T>, value: T): Promise<void>;
  list<T extends object>(view: View<T>, list: List<T>): Promise<void>;
}

export function createOutput({ format, ...to }: Destination & { readonly format: Format }): Output {
  const exporter = EXPORTERS[format];
  return {
    isForPeople: FORMATS[format].isForPeople,
    async page(draw) {
      const { writePage } = await import('./formats/table.ts');
      await writePage(draw, to);
    },
    async one(view, value) {
      const { one } = await exporter();
      await one(view, value, to);
    },
    async list(view, list) {
      const { list: writeList } = await exporter();
      await writeList(view, list, to);
    },
  };
}
