import { csv } from './formats/csv.ts';
import { json, ndjson } from './formats/json.ts';
import { type Destination, type Exporter, FORMATS, type Format } from './formats.ts';
import type { Output } from './types.ts';

/** What draws tables is loaded for them alone. */
const EXPORTERS: Readonly<Record<Format, () => Exporter | Promise<Exporter>>> = {
  table: async () => (await import('./formats/table.ts')).table,
  json: () => json,
  ndjson: () => ndjson,
  csv: () => csv,
};

export function createOutput({ format, ...to }: Destination & { readonly format: Format }): Output {
  const exporter = EXPORTERS[format];
  return {
    isForPeople: FORMATS[format].isForPeople,
    page: async (draw) => (await import('./formats/table.ts')).writePage(draw, to),
    one: async (view, value) => (await exporter()).one(view, value, to),
    list: async (view, list) => (await exporter()).list(view, list, to),
  };
}
