/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { Cut, Question } from '../../outcomes/tune-types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { signed } from '../format.ts';
import { safeText } from '../safe-text.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export const isClear = ({ verdict }: Question): boolean => verdict === 'higher' || verdict === 'lower';
export const isTested = ({ p }: Question): boolean => p !== null;

export function noneTells(questions: readonly Question[]): string | undefined {
  if (!questions.some(isTested)) return 'No number has enough cards to be tested.';
  return questions.some(isClear) ? undefined : 'No number is shown to matter yet; more data may change that.';
}

export const sizeOfMoves = ({ verdict }: Question): string => `${verdict === 'higher' ? 'larger' : 'smaller'} moves`;

/** Of a number that tells. @param tested how many numbers were tested beside each other */
export function findingSentence(question: Question, tested: number): string {
  const { correlation, horizon, p_holm: p } = question;
  const chance = p === null || p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`;
  const evidence = `rank correlation ${signed(correlation ?? 0)}, ${chance} after Holm for ${pluralize(tested, 'number')}`;
  return `Higher ${numberName(question)} goes with ${sizeOfMoves(question)} against BTC after ${horizon}, among cards of the same day (${evidence}).`;
}

export function cutsOf({ type, key, absolute, horizon }: Question, cuts: readonly Cut[]): Cut[] {
  return cuts.filter(
    (cut) => cut.type === type && cut.horizon === horizon && cut.key === key && cut.absolute === absolute,
  );
}

/** `0.0002 or more`. */
export function cutName({ direction, value }: Cut): string {
  return `${Number(value.toPrecision(3))} or ${direction === 'at_least' ? 'more' : 'less'}`;
}

/** A correlation that large is hardly ever there: short of it nothing can be told. */
const HARDLY_ANY = 0.5;

export function unclearWords(questions: readonly Question[]): string {
  const sizes = questions.flatMap(({ would_show }) => would_show ?? []).filter((size) => size < HARDLY_ANY);
  if (sizes.length === 0) return 'cannot tell yet (too few cards)';
  const where = sizes.length < questions.length ? `in ${sizes.length} of ${questions.length} ` : '';
  return `nothing found; ${where}a correlation of ${Math.max(...sizes).toFixed(2)} or more would have shown`;
}

/** Why a number could not be tested, in two or three words. */
export function untestedReason({ verdict, too_little, horizon, days, symbols }: Question): string {
  if (verdict === 'constant_within_days') return 'same all day';
  const leastDays = 12 * horizonOf(horizon).clusterDays[0];
  const reasons = {
    few_cards: 'needs 60 cards',
    few_days: days < leastDays ? `needs ${leastDays} days` : 'few days differ',
    few_symbols: symbols < 8 ? 'needs 8 symbols' : 'few symbols',
    one_outweighs: 'one outweighs',
    rarely_given: 'rarely given',
  };
  return reasons[too_little ?? 'rarely_given'];
}
