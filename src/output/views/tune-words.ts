/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import type { HorizonName } from '../../api/contract/horizons.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { Advice, Cut, Question } from '../../outcomes/tune-types.ts';
import { signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { FindingLine } from './verdict.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export const isTested = ({ p }: Question): boolean => p !== null;

export function cutsOf(question: Question, cuts: readonly Cut[]): Cut[] {
  const same = ['type', 'key', 'absolute', 'horizon'] as const;
  return cuts.filter((cut) => same.every((name) => cut[name] === question[name]));
}

export function cutName({ direction, value }: Pick<Cut, 'direction' | 'value'>): string {
  return `${Number(value.toPrecision(6))} or ${direction === 'at_least' ? 'more' : 'less'}`;
}

export const isAdvice = ({ is_advice }: Cut): boolean => is_advice;

interface AsSetNow {
  readonly cards_per_day: number | null;
  readonly horizons: {
    readonly [name in HorizonName]: { median_vs_btc_percentage_points: number | null } | null;
  };
}

/** What to try, and what to expect then. @param isBesideService whether the service's medians stand on the same page */
export function adviceWords(
  question: Question,
  cuts: readonly Cut[],
  all?: AsSetNow,
  isBesideService = false,
): string {
  const cut = cutsOf(question, cuts).find(isAdvice);
  const name = numberName(question);
  if (cut === undefined) return `No stricter setting by ${name} is clearly better.`;
  const instead = (of: number | null | undefined, text: (value: number) => string) =>
    of == null ? '' : ` instead of ${text(of)}`;
  const points = (value: number) => signed(value, 1);
  const bought = (value: number) =>
    isBesideService ? `the ${points(value)} of what you bought` : points(value);
  const vsBtc = instead(all?.horizons[question.horizon]?.median_vs_btc_percentage_points, bought);
  const perDay = instead(all?.cards_per_day, (value) => value.toFixed(1));
  return `Try ${name} at ${cutName(cut)}: expect ${points(cut.kept_vs_btc_lowered ?? 0)} pp vs BTC${vsBtc}, and ${cut.cards_per_day.toFixed(1)} cards a day${perDay}.`;
}

/** None for a type that is behind: what a stricter setting keeps of it mostly is, too. */
export function worthTrying(
  advices: readonly Advice[],
  standings: readonly Standing[],
  more: (advice: Advice) => string,
): FindingLine[] {
  const behind = standings.filter(({ word }) => word === 'below').map(({ group }) => group);
  const kept = advices.filter(({ type }) => !behind.includes(type));
  return kept.map((one) => {
    const told = more(one);
    const text = `${safeText(one.type)}: ${numberName(one)} ${cutName(one)}${told ? ` (${told})` : ''}`;
    return { label: 'Worth trying', text };
  });
}
