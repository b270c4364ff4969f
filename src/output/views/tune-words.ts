/** What a key tells, in sentences: the page of `tune`, a screener's own page and the report say the same. */
import type { Cut, Question } from '../../outcomes/tune-types.ts';
import type { HorizonName, Interval } from '../../outcomes/types.ts';
import { safeText } from '../safe-text.ts';

/** `funding`, or `the size of funding`. */
export function keyName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

/** `p 0.010 after Holm for 6 keys`. @param asked how many keys were tested beside each other */
function howSure({ p_holm }: Question, asked: number): string {
  const p = p_holm === null ? '' : p_holm < 0.001 ? 'p below 0.001' : `p ${p_holm.toFixed(3)}`;
  return `${p} after Holm for ${asked} ${asked === 1 ? 'key' : 'keys'}`;
}

/** Of a key that tells. */
export function findingSentence(question: Question, asked: number): string {
  const { verdict, horizon, correlation } = question;
  const end = verdict === 'higher' ? 'higher' : 'lower';
  return `The higher ${keyName(question)} at the trigger, the ${end} the move after ${horizon} against BTC's, among cards of one day (rank correlation ${signedCorrelation(correlation)}, ${howSure(question, asked)}).`;
}

/** Of each key of one type that tells, at one horizon. */
export function findingSentences(questions: readonly Question[], horizon: HorizonName): string[] {
  const asked = questions.filter((one) => one.horizon === horizon && one.p !== null);
  const clear = asked.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower');
  return clear.map((question) => findingSentence(question, asked.length));
}

export function signedCorrelation(value: number | null): string {
  if (value === null) return '';
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && text !== '0.00' ? '-' : '+'}${text}`;
}

/** `at or above 0.0002`. */
export function cutName({ direction, value }: Cut): string {
  return `${direction === 'at_least' ? 'at or above' : 'at or below'} ${Number(value.toPrecision(4))}`;
}

/** `+0.2 to +1.9 pp`. */
export function rangeText(interval: Interval | null): string | undefined {
  if (interval === null) return undefined;
  const text = (value: number) =>
    `${value < 0 && value.toFixed(2) !== '-0.00' ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
  return `${text(interval.low)} to ${text(interval.high)} pp`;
}

/** Why a key could not be asked. */
export function notAskedReason({ verdict, too_little, horizon, cards, days, symbols }: Question): string {
  if (verdict === 'constant_within_days') return 'equal for all cards of a day';
  // Blocks of two days after 24 h.
  const leastDays = horizon === '1h' ? 12 : 24;
  switch (too_little) {
    case 'few_cards':
      return `needs 60 cards, has ${cards}`;
    case 'few_days':
      return days < leastDays ? `needs ${leastDays} days, has ${days}` : 'differs on too few days';
    case 'few_symbols':
      return symbols < 8 ? `needs 8 symbols, has ${symbols}` : 'differs on too few symbols';
    case 'one_outweighs':
      return 'one block of days, or one symbol, outweighs all others';
    default:
      return 'on fewer than half of the bought cards';
  }
}
