import { SignalCard, SignalDetail, SignalPage } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import type { Field } from '../types.ts';

export const cardFields = fieldsOf(SignalCard);

/** What a page of cards says besides them. */
export const pageFields = fieldsOf(SignalPage).filter(({ name }) => name !== 'items');

export const detailFields = fieldsOf(SignalDetail);

/** A card of a list: the rest is there where its outcome was bought. */
export const listedFields: readonly Field[] = [
  ...cardFields,
  ...detailFields.slice(cardFields.length).map((field) => ({ ...field, optional: !field.name.includes('.') })),
];
