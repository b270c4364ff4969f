import type { SignalCard } from '../../api/contract/resources.ts';
import type { View } from '../types.ts';
import {
  ageColumn,
  idColumn,
  percentColumn,
  symbolColumn,
  timeColumn,
  typeColumn,
  wideColumns,
} from './card-columns.ts';
import { cardFields } from './card-fields.ts';

/** Cards as `/signals` lists them. */
export const cardView: View<SignalCard> = {
  fields: cardFields,
  columns: [
    idColumn,
    timeColumn(1),
    ageColumn(5),
    symbolColumn,
    typeColumn(2),
    percentColumn('PRICE', 'fact_price_pct', 0),
    percentColumn('OI', 'fact_oi_pct', 3),
    percentColumn('VOL', 'fact_volume_pct', 4),
    ...wideColumns,
  ],
  empty: 'No cards.',
};
