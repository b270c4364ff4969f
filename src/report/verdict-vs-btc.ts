/** The verdict vs BTC that pictures show by their colour. */
import type { Standing } from '../outcomes/standing.ts';
import type { Word } from '../statistics/rule.ts';

/** Null where the page gives no verdict vs BTC. */
export function wordBesideBtc(standing: Standing): Word | null {
  const { word, comparedWith, wordVsBtc, withdrawn, base, toDo } = standing;
  if (comparedWith === 'btc') return word;
  // What made the type unlike the others came to an end: vs BTC, its figure is of the time before, too.
  if (withdrawn !== undefined) return null;
  if (base.source === 'bought') return wordVsBtc;
  // The service's median has no interval, so that nobody sees how sure it is: it has the colour of the verdict on what was
  // bought only where the page says that verdict. Of a type to keep, the page says nothing vs BTC.
  const isSaid = toDo !== undefined && toDo !== 'keep';
  return isSaid ? wordVsBtc : null;
}
