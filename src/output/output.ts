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

export type Output = ReturnType<typeof createOutput>;

export function createOutput({ format, ...to }: Destination & { readonly format: Format }) {
  const exporter = EXPORTERS[format];
  return {
    isForPeople: FORMATS[format].isForPeople,
    /** A page for people, made of more than one resource. */
    page: async (draw: (render: RenderContext) => string) =>
      (await import('./formats/table.ts')).writePage(draw, to),
    one: async <T extends object>(view: View<T>, value: T) =>
      (await exporter()).one(view, value, to),
    list: async <T extends object>(view: View<T>, list: List<T>) =>
      (await exporter()).list(view, list, to),
  };
}
