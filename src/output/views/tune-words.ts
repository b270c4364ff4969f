/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import type { Cut, Question } from '../../outcomes/tune-types.ts';
import type { Interval } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { figureText } from '../format.ts';
import { safeText } from '../safe-text.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export function isClear({ verdict }: Question): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

export const isTested = ({ p }: Question): boolean => p !== null;

/** Where no number tells; undefined where one does. */
export function noneTells(questions: readonly Question[]): string | undefined {
  if (!questions.some(isTested)) return 'No number has enough cards to be tested.';
  return questions.some(isClear) ? undefined : 'No number is shown to matter yet; more data may change that.';
}

/** Of a number that tells. @param tested how many numbers were tested beside each other */
export function findingSentence(question: Question, tested: number): string {
  const { verdict, horizon, correlation, p_holm } = question;
  const p = p_holm === null ? '' : p_holm < 0.001 ? 'p below 0.001' : `p ${p_holm.toFixed(3)}`;
  return `Higher ${numberName(question)} goes with ${verdict === 'higher' ? 'larger' : 'smaller'} moves against BTC after ${horizon}, among cards of the same day (rank correlation ${signed(correlation)}, ${p} after Holm for ${pluralize(tested, 'number')}).`;
}

/** Of each number of one type that tells, at one horizon. */
export function findingSentences(questions: readonly Question[], horizon: HorizonName): string[] {
  const tested = questions.filter((one) => one.horizon === horizon && isTested(one));
  return tested.filter(isClear).map((question) => findingSentence(question, tested.length));
}

/** The cuts at a number, at its horizon. */
export function cutsOf({ key, absolute, horizon }: Question, cuts: readonly Cut[]): Cut[] {
  return cuts.filter((cut) => cut.horizon === horizon && cut.key === key && cut.absolute === absolute);
}

export function signed(value: number | null): string {
  if (value === null) return '';
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && text !== '0.00' ? '-' : '+'}${text}`;
}

/** `0.0002 or more`. */
export function cutName({ direction, value }: Cut): string {
  return `${Number(value.toPrecision(4))} or ${direction === 'at_least' ? 'more' : 'less'}`;
}

/** `+0.20 to +1.90 pp`. */
export function rangeText(interval: Interval | null): string | undefined {
  return interval === null ? undefined : figureText(interval, 'percentage points').replace(' pp', '');
}

/** A correlation that large is hardly ever there: short of it nothing can be told. */
const HARDLY_ANY = 0.5;

/** Of numbers that are unclear: what would have shown. */
export function unclearWords(questions: readonly Question[]): string {
  const sizes = questions.flatMap(({ would_show }) => would_show ?? []);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (sizes.length === 0 || least >= HARDLY_ANY) return 'cannot tell yet';
  if (most >= HARDLY_ANY) return `a correlation of ${least.toFixed(2)} or more would have shown`;
  const [low, high] = [least.toFixed(2), most.toFixed(2)];
  return `a correlation of ${low === high ? low : `${low} to ${high}`} would have shown`;
}

/** Why a number could not be tested, in two or three words. */
export function untestedReason({ verdict, too_little, horizon, days, symbols }: Question): string {
  if (verdict === 'constant_within_days') return 'same all day';
  const leastDays = 12 * horizonOf(horizon).clusterDays[0];
  switch (too_little) {
    case 'few_cards':
      return 'needs 60 cards';
    case 'few_days':
      return days < leastDays ? `needs ${leastDays} days` : 'few days differ';
    case 'few_symbols':
      return symbols < 8 ? 'needs 8 symbols' : 'few symbols';
    case 'one_outweighs':
      return 'one outweighs';
    default:
      return 'rarely given';
  }
}
