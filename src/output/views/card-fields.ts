import * as v from 'valibot';
import { described, time } from '../../api/contract/primitives.ts';
import { SignalCard, SignalDetail, SignalPage } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import type { Field } from '../types.ts';

export const cardFields = fieldsOf(SignalCard);

export const pageFields = fieldsOf(SignalPage).filter(({ name }) => name !== 'items');

export const detailFields = fieldsOf(SignalDetail);

/** A card of a list: the rest is there where its outcome was bought. */
export const listedFields: readonly Field[] = [
  ...cardFields,
  ...detailFields.slice(cardFields.length).map((field) => ({ ...field, optional: !field.name.includes('.') })),
];

/** What an answer from a history says of the cards that were asked for: the first fields of its schema. */
export const askedForFields = {
  scope: described(v.literal('local_history'), 'local_history'),
  screener_type: described(v.nullable(v.string()), 'screener type asked for; null for all'),
  symbol: described(v.nullable(v.string()), 'symbol asked for; null for all'),
  since: described(v.nullable(time), 'start asked for, UTC; null for none'),
  until: described(v.nullable(time), 'end asked for, UTC; null for none'),
};
