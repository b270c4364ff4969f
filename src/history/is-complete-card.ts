import * as v from 'valibot';
import { SignalCard, SignalDetail } from '../api/contract/resources.ts';
import { isDetail, type StoredCard } from './layout.ts';

/**
 * Whether a line has all that a page for people shows. What `signals export` wrote always has; a file that somebody
 * edited may not, and the machine formats pass it on as it is.
 */
export function isCompleteCard(card: StoredCard): boolean {
  return v.is(isDetail(card) ? SignalDetail : SignalCard, card);
}
