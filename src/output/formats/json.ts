import { jsonText } from '../../runtime/json-text.ts';
import type { PlainObject } from '../paths.ts';
import { escapeJson } from '../safe-text.ts';

/** One pretty document with a newline at its end. */
export function jsonDocument(value: unknown): string {
  return `${escapeJson(jsonText(value, 2))}\n`;
}

/**
 * A list as one document: a bare array, or, where there is a `head`, the page object around the items. They stand where
 * the API has them: where `head` has a key `items`, else after `scope`, else last.
 */
export function jsonList(items: readonly PlainObject[], head: PlainObject | undefined): string {
  if (head === undefined) return jsonDocument(items);
  const { items: _, ...rest } = head;
  const keys = Object.keys(head);
  const at = keys.includes('items')
    ? keys.indexOf('items')
    : keys.includes('scope')
      ? keys.indexOf('scope') + 1
      : keys.length;
  return jsonDocument(Object.fromEntries(Object.entries(rest).toSpliced(at, 0, ['items', items])));
}
