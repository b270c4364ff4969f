import type { SignalDetail } from '../../api/contract/resources.ts';
import type { Column, View } from '../types.ts';
import {
  ageColumn,
  idColumn,
  percentColumn,
  symbolColumn,
  timeColumn,
  typeColumn,
  wideColumns,
} from './card-columns.ts';
import { detailFields } from './card-fields.ts';
import { differenceCell, type HorizonName, moveCell, NOT_PROFIT } from './outcome.ts';

function moveColumn(header: string, horizon: HorizonName): Column<SignalDetail> {
  return { header, align: 'right', priority: 0, cell: ({ outcome }, { styles }) => moveCell(outcome, horizon, styles) };
}

function differenceColumn(horizon: HorizonName): Column<SignalDetail> {
  return {
    header: 'VS BTC',
    align: 'right',
    priority: 1,
    cell: ({ outcome }, { styles }) => differenceCell(outcome, horizon, styles),
  };
}

/** Cards with their outcomes, one a row. */
export const cardOutcomeView: View<SignalDetail> = {
  fields: detailFields,
  columns: [
    idColumn,
    timeColumn(2),
    ageColumn(4),
    symbolColumn,
    typeColumn(3),
    moveColumn('1H', '1h'),
    differenceColumn('1h'),
    moveColumn('24H', '24h'),
    differenceColumn('24h'),
    percentColumn('PRICE', 'fact_price_pct', 4),
    percentColumn('OI', 'fact_oi_pct', 5),
    percentColumn('VOL', 'fact_volume_pct', 5),
    ...wideColumns,
  ],
  footer: (items) => (items.length === 0 ? undefined : NOT_PROFIT),
  empty: 'No cards.',
};
