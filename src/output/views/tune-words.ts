/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import type { Cut, Question, Tuning } from '../../outcomes/tune-types.ts';
import { safeText } from '../safe-text.ts';
import type { Pair } from '../types.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export const isClear = ({ verdict }: Question): boolean => verdict === 'higher' || verdict === 'lower';
export const isTested = ({ p }: Question): boolean => p !== null;

export function cutsOf(question: Question, cuts: readonly Cut[]): Cut[] {
  const same = ['type', 'key', 'absolute', 'horizon'] as const;
  return cuts.filter((cut) => same.every((name) => cut[name] === question[name]));
}

/** `0.0002 or more`. */
export function cutName({ direction, value }: Cut): string {
  return `${Number(value.toPrecision(6))} or ${direction === 'at_least' ? 'more' : 'less'}`;
}

/** The cut that keeps most cards, of those that are clear. */
export function bestCut(cuts: readonly Cut[]): Cut | undefined {
  const clear = cuts.filter(({ kept_vs_dropped_interval: interval }) => interval !== null && interval.low > 0);
  return clear.toSorted((a, b) => b.cards_per_day - a.cards_per_day)[0];
}

/** @param perDay cards a day without a cut */
export function adviceWords(question: Question, cuts: readonly Cut[], perDay?: number | null): string {
  const cut = bestCut(cutsOf(question, cuts));
  const name = numberName(question);
  if (cut === undefined) return `No stricter setting of ${name} is clearly better.`;
  const before = perDay == null ? '' : ` instead of ${perDay.toFixed(1)}`;
  const better = cut.kept_vs_dropped?.toFixed(1);
  return `Try ${name} at ${cutName(cut)}: ${cut.cards_per_day.toFixed(1)} cards a day${before}; the kept cards did ${better} pp better than the rest (a cautious figure).`;
}

/** What to try, in a line for each number. @param more of its type, in brackets */
export function worthTrying({ questions, cuts }: Tuning, more: (type: string) => string): Pair[] {
  return questions.filter(isClear).flatMap((one): Pair[] => {
    const [cut, told] = [bestCut(cutsOf(one, cuts)), more(one.type)];
    const text = cut && `${safeText(one.type)}: ${numberName(one)} ${cutName(cut)}${told ? ` (${told})` : ''}`;
    return text === undefined ? [] : [['Worth trying', text]];
  });
}
