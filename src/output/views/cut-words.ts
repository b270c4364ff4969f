/**
 * The limit of a stricter setting in words. Below 0 "-3.5 or more" reads backwards: is -4 more? So of such a limit every page says
 * what is skipped: `skip cards with price_change_pct below -3.5`.
 */
import type { EarlierAdvice } from '../../outcomes/judge-numbers.ts';
import type { Advice, Cut, NumberQuestion } from '../../outcomes/tune-types.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<NumberQuestion, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

/** The cards that a cut keeps: `0.0002 or more`; below 0 `not below -3.5` */
export function cutName({ direction, value }: Pick<Cut, 'direction' | 'value'>): string {
  if (value < 0) return `not ${droppedName({ direction, value })}`;
  const side = direction === 'at_least' ? 'more' : 'less';
  return `${valueText(value)} or ${side}`;
}

/** The cards that a cut drops: `below 0.0002` */
export function droppedName({ direction, value }: Pick<Cut, 'direction' | 'value'>): string {
  const side = direction === 'at_least' ? 'below' : 'above';
  return `${side} ${valueText(value)}`;
}

/** The value of a cut, with at most six significant digits. */
export function valueText(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** One advice, as sentences need it. */
interface AdvicePhrases {
  /** What to do card by card: `act only on cards with funding at 0.0002 or more`. */
  readonly act: string;
  /** Where no verb leads to it: `funding at 0.0002 or more`, `skip cards with price_change_pct below -3.5`. */
  readonly plain: string;
  /** Behind `instead of`: `0.0002 or more`, `skipping those below -3.5`. */
  readonly asNoun: string;
  /** The cards that it keeps: `cards with funding at 0.0002 or more`. */
  readonly kept: string;
  /** What a setting is to do: `only 0.0002 or more comes`. */
  readonly wanted: string;
  /** What was found: `cards with funding at 0.0002 or more did better`. */
  readonly finding: string;
}

export function phrasesOf(advice: Advice): AdvicePhrases {
  const name = numberName(advice);
  if (advice.value < 0) {
    const cards = `cards with ${name} ${droppedName(advice)}`;
    const skip = `skip ${cards}`;
    return {
      act: skip,
      plain: skip,
      asNoun: `skipping those ${droppedName(advice)}`,
      kept: `cards with ${name} ${cutName(advice)}`,
      wanted: `none ${droppedName(advice)} comes`,
      finding: `${cards} did worse`,
    };
  }
  const plain = `${name} at ${cutName(advice)}`;
  // Beside the name of a setting a second pair of brackets would be read twice.
  const explained = `${plain}${meaningOfCut(advice)}`;
  return {
    act: `act only on cards with ${explained}`,
    plain,
    asNoun: cutName(advice),
    kept: `cards with ${plain}`,
    wanted: `only ${cutName(advice)} comes`,
    finding: `cards with ${plain} did better`,
  };
}

/** `advised on 13 Aug, withdrawn on 24 Aug` */
export function timesOfAdvice({ from, until }: EarlierAdvice): string {
  return `advised on ${dayAndMonth(from)}, withdrawn on ${dayAndMonth(until)}`;
}

/** What a cut at 0 of a change means, by the name of the number: ` (the price rose)`. Empty of any other cut. */
function meaningOfCut({ key, absolute, value, direction }: Advice): string {
  const [, what] = /^(.+)_change(_pct)?$/.exec(key) ?? [];
  if (what === undefined || value !== 0 || absolute) return '';
  const did = direction === 'at_least' ? 'rose' : 'fell';
  return ` (the ${safeText(what).replaceAll('_', ' ')} ${did})`;
}
