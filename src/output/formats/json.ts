import { jsonText } from '../../runtime/json-text.ts';
import type { PlainObject } from '../plain.ts';
import { escapeJson } from '../safe-text.ts';
import type { List, Writer } from '../types.ts';
import { ListReader } from './list-reader.ts';

/** One pretty document with a newline at its end. */
export function jsonDocument(value: unknown): string {
  return `${escapeJson(jsonText(value, 2))}\n`;
}

/**
 * Writes a list as one document. What costs credits is collected and written at the end, also when a later page fails:
 * what was paid for comes out as a valid document. A local list is written as it is read.
 */
export async function writeJsonList<T extends object>(
  list: List<T>,
  project: (item: T) => PlainObject,
  write: Writer,
): Promise<void> {
  if (list.local === true) return writeLocal(list, project, write);
  const reader = new ListReader(list);
  const items: PlainObject[] = [];
  let arrived = false;
  for await (const batch of reader.batches()) {
    arrived = true;
    for (const item of batch.items) items.push(project(item));
  }
  if (arrived || !reader.failed) {
    await write(jsonDocument(list.shape === 'array' ? items : assemble(list.head(), items)));
  }
  reader.rethrow();
}

/** Puts `items` where the API has them: where `head` has a key of that name, else after `scope`, else last. */
function assemble(head: PlainObject, items: readonly unknown[]): PlainObject {
  const { before, after } = split(head);
  return Object.fromEntries([...before, ['items', items], ...after]);
}

function split(head: PlainObject): { before: [string, unknown][]; after: [string, unknown][] } {
  const entries = Object.entries(head);
  const keys = entries.map(([key]) => key);
  const own = keys.indexOf('items');
  if (own >= 0) return { before: entries.slice(0, own), after: entries.slice(own + 1) };
  const at = keys.includes('scope') ? keys.indexOf('scope') + 1 : entries.length;
  return { before: entries.slice(0, at), after: entries.slice(at) };
}

async function writeLocal<T extends object>(
  list: List<T>,
  project: (item: T) => PlainObject,
  write: Writer,
): Promise<void> {
  const page = list.shape === 'page';
  const indent = page ? '    ' : '  ';
  const open = () => {
    const fields = page ? split(list.head()).before.map(member) : [];
    return page ? `{\n${fields.map((field) => `${field},\n`).join('')}  "items": [` : '[';
  };
  const close = (some: boolean) => {
    const bracket = some ? `\n${page ? '  ' : ''}]` : ']';
    const fields = page ? split(list.head()).after.map(member) : [];
    return page ? `${[bracket, ...fields].join(',\n')}\n}\n` : `${bracket}\n`;
  };
  const reader = new ListReader(list);
  let some = false;
  for await (const { items } of reader.batches()) {
    if (items.length === 0) continue;
    const texts = items.map((item) => indented(project(item), indent));
    const start = some ? ',' : open();
    some = true;
    await write(`${start}\n${texts.join(',\n')}`);
  }
  if (some || !reader.failed) await write(some ? close(true) : `${open()}${close(false)}`);
  reader.rethrow();
}

/** Strings hold no raw newline in JSON, so every newline is one of the layout. */
function indented(value: unknown, indent: string): string {
  return indent + escapeJson(jsonText(value, 2)).replaceAll('\n', `\n${indent}`);
}

function member([key, value]: [string, unknown]): string {
  return `  ${escapeJson(JSON.stringify(key))}: ${indented(value, '  ').trimStart()}`;
}
