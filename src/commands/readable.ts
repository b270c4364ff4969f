import { is } from 'valibot';
import { SignalCard, SignalDetail } from '../api/contract/resources.ts';
import { isDetail, type StoredCard } from '../history/layout.ts';

/**
 * Whether a stored card is what the API document says, so that it can be laid out for people. Lines are read with a
 * look at id and time alone, because that is quick; the other formats pass on whatever is there.
 */
export function isReadable(card: StoredCard): boolean {
  return isDetail(card) ? is(SignalDetail, card) : is(SignalCard, card);
}
