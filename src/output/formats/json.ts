import { jsonText } from '../../runtime/json-text.ts';
import type { PlainObject } from '../paths.ts';
import { escapeJson } from '../safe-text.ts';

/** One pretty document with a newline at its end. */
export function jsonDocument(value: unknown): string {
  return `${escapeJson(jsonText(value, 2))}\n`;
}

/**
 * A list as one document: a bare array, or, where there is a `head`, the page object around the items. They stand where
 * `head` has a key `items`, else last.
 */
export function jsonList(items: readonly PlainObject[], head: PlainObject | undefined): string {
  return jsonDocument(head === undefined ? items : { ...head, items });
}
