import type { Outcome, SignalDetail } from '../../api/contract/resources.ts';
import type { Column, View } from '../types.ts';
import { cardOutcomeView } from './card-outcome.ts';

/** Words in place of figures that were not bought; never leaves the table. */
const NOT_BOUGHT: Outcome = {
  entry_at: '',
  entry_price: 0,
  state_1h: 'not bought',
  move_1h_pct: null,
  btc_move_1h_pct: null,
  state_24h: 'not bought',
  move_24h_pct: null,
  btc_move_24h_pct: null,
};

function withWords(column: Column<SignalDetail>): Column<SignalDetail> {
  return {
    ...column,
    cell: (card, look) => column.cell('outcome' in card ? card : Object.assign({ outcome: NOT_BOUGHT }, card), look),
  };
}

/** Cards of a local history: with outcomes where they were bought, which may be not yet. */
export const historyCardView: View<SignalDetail> = {
  ...cardOutcomeView,
  columns: (cardOutcomeView.columns ?? []).map(withWords),
  empty: 'No cards in this history match.',
};
