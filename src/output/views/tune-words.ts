/** What a key tells, in sentences: the page of `tune`, a screener's own page and the report say the same. */
import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import type { Cut, Question } from '../../outcomes/tune-types.ts';
import type { Interval } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { figureText } from '../format.ts';
import { safeText } from '../safe-text.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function keyName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export function isClear({ verdict }: Question): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

/** Where no key tells; undefined where one does. */
export function noneTells(questions: readonly Question[]): string | undefined {
  const asked = questions.filter(({ p }) => p !== null).length;
  if (asked === 0) return 'No key has enough cards to be tested.';
  if (questions.some(isClear)) return undefined;
  return `None of ${pluralize(asked, 'key')} tells cards apart; an unclear one may do so all the same.`;
}

/** Of a key that tells. @param asked how many keys were tested beside each other */
export function findingSentence(question: Question, asked: number): string {
  const { verdict, horizon, correlation, p_holm } = question;
  const p = p_holm === null ? '' : p_holm < 0.001 ? 'p below 0.001' : `p ${p_holm.toFixed(3)}`;
  return `The higher ${keyName(question)} at the trigger, the ${verdict} the move after ${horizon} against BTC's, among cards of one day (rank correlation ${signed(correlation)}, ${p} after Holm for ${pluralize(asked, 'key')}).`;
}

/** Of each key of one type that tells, at one horizon. */
export function findingSentences(questions: readonly Question[], horizon: HorizonName): string[] {
  const asked = questions.filter((one) => one.horizon === horizon && one.p !== null);
  return asked.filter(isClear).map((question) => findingSentence(question, asked.length));
}

/** The cuts at a key, at its horizon. */
export function cutsOf({ key, absolute, horizon }: Question, cuts: readonly Cut[]): Cut[] {
  return cuts.filter((cut) => cut.horizon === horizon && cut.key === key && cut.absolute === absolute);
}

export function signed(value: number | null): string {
  if (value === null) return '';
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && text !== '0.00' ? '-' : '+'}${text}`;
}

/** `at or above 0.0002`. */
export function cutName({ direction, value }: Cut): string {
  return `${direction === 'at_least' ? 'at or above' : 'at or below'} ${Number(value.toPrecision(4))}`;
}

/** `+0.20 to +1.90 pp`. */
export function rangeText(interval: Interval | null): string | undefined {
  return interval === null ? undefined : figureText(interval, 'percentage points').replace(' pp', '');
}

/** Why a key could not be tested, in two or three words. */
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
