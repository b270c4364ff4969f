import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { Access } from '../../api/contract/resources.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { fieldsOf, nullableObjectOf } from '../described-fields.ts';
import type { View } from '../types.ts';
import { counts, notAskedList } from './export-fields.ts';

/** What a receipt with these fields holds. */
type ReceiptOf<E extends v.ObjectEntries> = ReadonlyDeep<
  v.InferOutput<v.ObjectSchema<E, undefined>>
>;

function receipt<E extends v.ObjectEntries>(entries: E): View<ReceiptOf<E>> {
  return { fields: fieldsOf(v.object(entries)) };
}

export const reportReceipt = receipt({
  file: described(v.string(), 'the page that was written'),
  bytes: described(count, 'its size'),
});

export const loginReceipt = receipt({
  file: described(v.string(), 'where key and base URL are saved'),
  base_url: described(v.string(), 'the base URL'),
  access: described(Access, 'what /access answered'),
});

export const logoutReceipt = receipt({
  file: described(v.string(), 'where `screener login` saves key and base URL'),
  removed: described(v.boolean(), 'whether the file was there; it is removed'),
});

export const sandboxReceipt = receipt({
  base_url: described(v.string(), 'for SCREENER_BASE_URL'),
  key: described(v.string(), 'for SCREENER_API_KEY'),
});

export const checkReceipt = receipt({
  directory: described(v.string(), 'the export directory'),
  healthy: described(v.boolean(), 'whether the history is up to date and whole'),
  found: described(v.nullable(v.string()), 'what is wrong, in a sentence; null if healthy'),
  last_success: described(v.nullable(time), 'when a run last did its work, UTC'),
  outcomes_due: described(count, 'outcomes that could be bought after the last run'),
  counts: nullableObjectOf(
    'outcomes of all cards after the last run; null before the first',
    counts,
  ),
  files: described(
    v.array(v.string()),
    'the files that were read; after damage the rest is not read',
  ),
  not_asked: notAskedList,
});
