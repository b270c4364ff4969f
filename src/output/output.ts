import { csv } from './formats/csv.ts';
import { json, ndjson } from './formats/json.ts';
import { type Destination, type Exporter, FORMATS, type Format } from './formats.ts';
import type { List, RenderContext, View } from './types.ts';

/** What draws tables is loaded for them alone. */
const EXPORTERS: Readonly<Record<Format, () => Exporter | Promise<Exporter>>> = {
  table: async () => (await import('./formats/table.ts')).table,
  json: () => json,
  ndjson: () => ndjson,
  csv: () => csv,
};

/** Writes resources in the format that the user chose. */
export interface Output {
  /** The format is for people: notes may stand beside it. */
  readonly isForPeople: boolean;
  /** A page for people, made of more than one resource. */
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
