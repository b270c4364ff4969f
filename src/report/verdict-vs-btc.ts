/** The colour of a type's dot in the pictures that compare with BTC. */
import type { Standing } from '../outcomes/standing.ts';
import type { Word } from '../statistics/rule.ts';

/** The verdict that colours the dot; null if it has no colour. */
export function colourWordVsBtc(standing: Standing): Word | null {
  const { word, comparedWith, wordVsBtc, withdrawn, base, toDo } = standing;
  if (comparedWith === 'btc') return word;
  // A verdict on the type was withdrawn. Its figure vs BTC is also of the time in which that held: it is not to be relied on.
  if (withdrawn !== undefined) return null;
  if (base.source === 'bought') return wordVsBtc;
  // The dot is the service's median, without an interval: nobody sees how sure it is. So it gets the colour of `wordVsBtc`
  // only if the heading of its row says the same in words: every heading of something to do says it, but that of "keep".
  const isInHeading = toDo !== undefined && toDo !== 'keep';
  return isInHeading ? wordVsBtc : null;
}
