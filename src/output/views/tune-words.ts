/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import type { Cut, Question, Tuning } from '../../outcomes/tune-types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { dayAndMonth, percentagePoints, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair } from '../types.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export const isClear = ({ verdict }: Question): boolean => verdict === 'higher' || verdict === 'lower';
export const isTested = ({ p }: Question): boolean => p !== null;

/** @param isSilent whether no more data will come */
export function noneTells(questions: readonly Question[], isSilent = false): string | undefined {
  if (!questions.some(isTested))
    return 'No number has enough cards to be tested: `screener signals export` buys outcomes that are due.';
  const yet = isSilent ? '' : ' yet; more data may change that';
  return questions.some(isClear) ? undefined : `No number is shown to matter${yet}.`;
}

const chanceText = (p: number | null) => (p === null || p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`);

/** Of a number that tells. @param tested how many numbers were tested beside each other */
export function evidenceOf({ correlation, p_holm: p }: Question, tested: number): string {
  return `rank correlation ${signed(correlation ?? 0)}, p ${chanceText(p)} after Holm for ${pluralize(tested, 'number')}`;
}

/** In simulations without any telling number one of a type's numbers was called clear in 1 to 4 % of cases. */
const CALLED_BY_CHANCE = 0.03;

/** Where a number tells. */
export function byChance(questions: readonly Question[]): string {
  const types = new Set(questions.map(({ type }) => type)).size;
  const runs = Math.round(1 / (1 - (1 - CALLED_BY_CHANCE) ** types));
  const p = Math.max(...questions.filter(isClear).map(({ p_holm }) => p_holm ?? 0));
  return `If no number mattered, 1 of ${runs} such ${types > 1 ? 'tables' : 'pages'} would still name one. Here p ${chanceText(p)}.`;
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
  return `Try ${name} at ${cutName(cut)}: ${cut.cards_per_day.toFixed(1)} cards a day${before}; the kept cards did ${better} pp better than the dropped ones.`;
}

/** What to try, in a line for each number. @param lineOf the command line that shows a type in full */
export function worthTrying({ questions, cuts }: Tuning, lineOf?: (type: string) => string): Pair[] {
  return questions.filter(isClear).flatMap((one): Pair[] => {
    const cut = bestCut(cutsOf(one, cuts));
    const line = lineOf ? ` (\`${lineOf(one.type)}\`)` : '';
    return cut ? [['Worth trying', `${safeText(one.type)}: ${numberName(one)} ${cutName(cut)}${line}`]] : [];
  });
}

/** Of the cards since the number was first found: no selection has touched them. */
export function checkedWords(cut?: Cut): string {
  const { verdict_since: since = null, since_then: then = null } = cut ?? {};
  if (since === null || !then?.interval_95) return '';
  const cards = `${pluralize(then.cards, 'card')} since ${dayAndMonth(Date.parse(since))}`;
  return `On the ${cards}, which it was not chosen from: kept minus dropped ${percentagePoints(then.difference_percentage_points)} (${rangeText(then.interval_95)}).`;
}

/** A correlation that large is hardly ever there: short of it nothing can be told. */
const HARDLY_ANY = 0.5;
const CANNOT_TELL = 'cannot tell';

const sizeThatShows = ({ would_show: size }: Question) => (size !== null && size < HARDLY_ANY ? [size] : []);

/** Of the largest: it would show whichever number has it. */
const wouldShow = (sizes: readonly number[]) => `${Math.max(...sizes).toFixed(2)} would show`;

/** `the higher oi_change_pct, the better (correlation +0.44)`, or what was looked for without a finding. */
export function resultOf(own: readonly Question[]): string {
  const clear = own.filter(isClear);
  const words = clear.map(
    (one) => `the ${one.verdict} ${numberName(one)}, the better (correlation ${signed(one.correlation ?? 0)})`,
  );
  if (clear.length > 0) return words.join('; ');
  const tested = own.filter(isTested);
  if (tested.length === 0) return `not testable: ${[...new Set(own.map(numberResult))].join(', ')}`;
  const sizes = tested.flatMap(sizeThatShows);
  const few = tested.length - sizes.length;
  if (sizes.length === 0) return `${pluralize(few, 'number')}: ${CANNOT_TELL}`;
  const rest = few > 0 ? `; ${few}: ${CANNOT_TELL}` : '';
  return `${pluralize(sizes.length, 'number')}: nothing found (${wouldShow(sizes)})${rest}`;
}

/** The same of one number, in two or three words. */
export function numberResult(one: Question): string {
  if (isClear(one)) return `${one.verdict} is better`;
  if (!isTested(one)) return one.too_little?.replace('_', ' ') ?? 'same all day';
  const sizes = sizeThatShows(one);
  return sizes.length > 0 ? wouldShow(sizes) : CANNOT_TELL;
}

/** What the words of these results mean. */
export function explained(results: string): string {
  const shows = results.includes('would show') && 'would show: a correlation found 4 times in 5';
  const cannot =
    results.includes(CANNOT_TELL) && `${CANNOT_TELL}: ${shows ? '' : 'a correlation of '}${HARDLY_ANY} may be missed`;
  return [shows, cannot].filter(Boolean).join('; ');
}
