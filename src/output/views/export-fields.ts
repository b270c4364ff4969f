/**
 * Fields that several JSON documents about exports share. This file imports nothing that talks to the service, because receipts
 * must load without that code.
 */
import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { objectKeys } from '../../base/collections.ts';
import { REASONS } from '../../history/export/not-asked.ts';
import { PART_NAMES } from '../../history/store/part-states.ts';

/** For some cards: how many outcomes are due, and how many of these were bought. */
export const dueAndBought = {
  due: described(count, 'outcomes due'),
  bought: described(count, 'outcomes bought'),
};

/** How many outcomes there are of each kind. */
export const counts = {
  ...dueAndBought,
  pending: described(count, 'bought without a figure: asked for again later'),
  to_buy: described(count, 'due outcomes that are still to be bought'),
  not_due: described(count, 'outcomes of cards that are too young'),
  gone: described(count, 'due outcomes that the service no longer has'),
};

const notAskedPart = v.object({
  part: described(v.picklist(PART_NAMES), 'list, details, settings or medians'),
  reason: described(v.picklist(objectKeys(REASONS)), Object.keys(REASONS).join(', ')),
  cards: described(v.nullable(count), 'cards that it concerns; null if not known'),
  since: described(v.nullable(time), 'start of that part of the list, UTC'),
  until: described(v.nullable(time), 'its end, UTC'),
  again_at: described(
    v.nullable(time),
    'from when on a run asks again, UTC; null if not known, if none does, or only one with an older --since',
  ),
});

/** The list of what exports do not ask for at present. */
export const notAskedList = described(
  v.array(notAskedPart),
  'what runs do not ask for now, and why; again_at says when one does',
);
