/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import type { ScreenerItem } from '../../api/contract/resources.ts';
import { pluralize } from '../../base/units.ts';
import { hindranceOf } from '../../outcomes/focus.ts';
import type { Standing } from '../../outcomes/standing.ts';
import {
  type AdviceCheck,
  bringsEnough,
  type Cut,
  checkOfAdvice,
  leastGainOf,
  type NumberQuestion,
} from '../../outcomes/tune-types.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { asSentence, dayAndMonth, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Suggestion } from './actions.ts';
import { numberName, phrasesOf, valueText } from './cut-words.ts';
import type { HeadLine } from './head-lines.ts';
import { IF_LESS_LATELY } from './last-30-days.ts';
import { likelySetting, partNaming } from './settings-text.ts';
import { NOT_AMONG_SCREENERS } from './verdict.ts';
import { WHOM } from './verdict-names.ts';
import { silenceText } from './verdict-wait.ts';

export function isTested({ p }: NumberQuestion): boolean {
  return p !== null;
}

/** The cuts that were tried by one number of one type, after one horizon. */
export function cutsOf(question: NumberQuestion, cuts: readonly Cut[]): Cut[] {
  const same = ['type', 'key', 'absolute', 'horizon'] as const;
  return cuts.filter((cut) => same.every((name) => cut[name] === question[name]));
}

/** The stricter setting that a number advises; undefined if it advises none. */
export function advisedCut(question: NumberQuestion, cuts: readonly Cut[]): Cut | undefined {
  return cutsOf(question, cuts).find(isAdvice);
}

/**
 * Which setting to change for an advice: `Probably oi min, now 2.8: set it to 3.9.` If no setting is known to be the number, the
 * user can check each card by hand instead. Empty while nothing is to be tried.
 * @param screeners those of the type, as last looked at
 * @param how words behind `look at its oi`: ` (`signals show ID`, 1 credit)`
 */
export function settingWords(advice: Cut, screeners: readonly ScreenerItem[], how = ''): string {
  if (!isToTry(advice)) return '';
  const likely = likelySetting(screeners, advice);
  const limit = valueText(advice.value);
  if (likely !== undefined)
    return `Probably ${likely.name}, now ${likely.now}: set it to ${limit}.`;
  const key = safeText(advice.key);
  const byHand = `before you act on a card, look at its ${numberName(advice)}${how}`;
  if (screeners.length === 0)
    return `If your screener has a setting for ${key}, set it to ${limit}. If not, ${byHand}.`;
  const part = partNaming(screeners, advice.key);
  if (part === undefined) {
    // A setting of the size, as `price abs >= 3`, would let every card through at 0 or below.
    if (advice.value <= 0)
      return `None of your settings seems to ask for this: leave them as they are. ${asSentence(byHand)}`;
    return `None of your settings names ${key}. If one limits it under another name, set that to ${limit}. If not, ${byHand}.`;
  }
  const { wanted } = phrasesOf(advice);
  const settings = `Your settings name ${key} (${part})`;
  return `${settings}: change that so that ${wanted}. If you cannot, ${byHand}.`;
}

/**
 * Why no page advises a stricter setting of a type, though a number of it may tell: `worth dropping`, `no card for 21 days`.
 * @param standing undefined if the type has none
 * @returns undefined if one may be shown
 */
export function whyNoAdvice(standing: Standing | null | undefined): string | undefined {
  if (standing === undefined || standing === null) return undefined;
  const hindrance = hindranceOf(standing);
  switch (hindrance?.why) {
    case undefined:
      return undefined;
    case 'switched_off':
      return 'switched off';
    case 'removed':
      return NOT_AMONG_SCREENERS;
    case 'silent':
      return silenceText(hindrance.days);
    case 'to_drop':
      return 'worth dropping';
    case 'may_be_below_btc':
      return 'first it must be known whether it is below BTC, too';
    case 'may_have_stopped':
      return IF_LESS_LATELY.above;
    case 'change_hurt':
      return `undo the change of ${dayAndMonth(hindrance.changedAt)} first`;
  }
}

/**
 * What a page says in the place of an advice on a number that tells, of a type for which none is given: `none: no card for 21
 * days.` Of a type that is to be dropped it says what the number means for it:
 * `Drop it: even cards with oi at 6.1 or more are not surely better than your other cards (+0.1 pp, 95 %: -0.8 to +1.3).`
 * `Drop it, or act only on cards with oi at 6.1 or more: +1.2 pp vs your other cards (partly luck).`
 * Of a type that may have to be dropped it says the same behind the reason:
 * `none: first it must be known whether it is below BTC, too. Cards with oi at 6.1 or more: +1.2 pp vs your other cards …`
 * @returns undefined if advice is given
 */
export function adviceInstead(
  standing: Standing | undefined,
  cut: Cut | undefined,
): string | undefined {
  const whyNot = whyNoAdvice(standing);
  if (standing === undefined || whyNot === undefined) return undefined;
  const { kept_vs_others: median = null, kept_vs_others_interval_95: interval = null } = cut ?? {};
  const none = `none: ${whyNot}.`;
  const why = hindranceOf(standing)?.why;
  const isToDrop = why === 'to_drop';
  if (!isToDrop && why !== 'may_be_below_btc') return none;
  if (cut === undefined || median === null || interval === null) return none;
  const whom = WHOM[standing.comparedWith];
  const { act, kept } = phrasesOf(cut);
  const difference = `${signed(median, 1)} pp`;
  if (interval.low > 0) {
    const better = `${difference} vs ${whom} (partly luck)`;
    if (isToDrop) return `Drop it, or ${act}: ${better}.`;
    return `${none} ${asSentence(`${kept}: ${better}`)}`;
  }
  const comparison = interval.high < 0 ? `are below ${whom}` : `are not surely better than ${whom}`;
  const figures = `${difference}, ${intervalWords(interval)}`;
  const notBetter = `even ${kept} ${comparison} (${figures})`;
  return isToDrop ? `Drop it: ${notBetter}.` : `${none} ${asSentence(notBetter)}`;
}

/** `95 %: -0.8 to +1.3` */
function intervalWords({ low, high }: Interval): string {
  return `95 %: ${signed(low, 1)} to ${signed(high, 1)}`;
}

export function isAdvice({ is_advice }: Cut): boolean {
  return is_advice;
}

/**
 * Whether an advice is to be tried: unless newer cards surely disagree. What it is expected to bring decided when it was chosen.
 * If that decided each morning, an advice near the limit would come and go.
 */
export function isToTry(cut: Cut): boolean {
  return checkOfAdvice(cut.since_then) !== 'opposite';
}

/** What an advice is shown with. */
export interface AdviceContext {
  /** The setting that it probably is: `probably oi min, now 2.8`; empty if none is known. */
  readonly setting: string;
  /** The cards that the type sends a day with its present settings; null if that is not known. */
  readonly cardsPerDayNow: number | null;
}

/**
 * What to try, and what would change: `Act only on cards with funding at 0.0002 or more: expect about +0.9 pp more per card, with
 * 7.8 cards a day instead of 11.0.` Or `Do not act only on cards with funding at 0.0002 or more for now: newer cards disagree so far.`
 * @param cardsPerDayNow with the present settings; null if that is not known
 */
export function adviceWords(
  question: NumberQuestion,
  cuts: readonly Cut[],
  cardsPerDayNow: number | null,
): string {
  const cut = advisedCut(question, cuts);
  if (cut === undefined) return `No stricter setting by ${numberName(question)} is clearly better.`;
  const { act } = phrasesOf(cut);
  if (!isToTry(cut)) return asSentence(`do not ${act} for now: ${DISAGREES}`);
  return asSentence(`${act}: expect ${gainWords(cut, cardsPerDayNow)}`);
}

/**
 * The same advice where its place says already that it is to be tried: `funding at 0.0002 or more (probably funding min, now
 * 0.0001). Expect about +0.9 pp more per card, with 7.8 cards a day instead of 11.0.`
 * Where no setting is known to be that number, the user can only choose among the cards: `act only on cards with funding at 0.0002
 * or more. …`
 */
export function suggestionWords(cut: Cut, { setting, cardsPerDayNow }: AdviceContext): string {
  const { act, plain } = phrasesOf(cut);
  if (!isToTry(cut)) return `do not ${act} for now: ${DISAGREES}.`;
  const advice = setting === '' ? act : `${plain} (${setting})`;
  return `${advice}. Expect ${gainWords(cut, cardsPerDayNow)}.`;
}

/**
 * What is left to say of an advice where the news on the page tell which cards to act on: `probably oi min, now 2.8; expect about
 * +0.9 pp more per card, with 2.1 cards a day instead of 4.1`
 * @param cut an advice that is to be tried
 */
export function expectedWords(cut: Cut, { setting, cardsPerDayNow }: AdviceContext): string {
  const expected = `expect ${gainWords(cut, cardsPerDayNow)}`;
  return setting === '' ? expected : `${setting}; ${expected}`;
}

/** Why an advice is not to be tried. */
const DISAGREES = 'newer cards disagree so far';

/**
 * `about +0.9 pp more per card, with 7.8 cards a day instead of 11.0`. Every page tells this gain and no median: the median of
 * a type on the same page may be the service's, of other outcomes, and would give another gain. The gain is lowered to what can
 * be expected, because the advice was chosen as the best of several. A gain that is too small by now is told as a limit.
 */
function gainWords(cut: Cut, cardsPerDayNow: number | null): string {
  const { gain_lowered: gain, cards_per_day: cardsPerDay, horizon } = cut;
  const insteadOf = cardsPerDayNow === null ? '' : ` instead of ${cardsPerDayNow.toFixed(1)}`;
  const rate = `${cardsPerDay.toFixed(1)} cards a day${insteadOf}`;
  if (gain === null) return rate;
  const size = bringsEnough(cut)
    ? `about ${signed(gain, 1)} pp`
    : `little, under ${leastGainOf(horizon)} pp`;
  return `${size} more per card, with ${rate}`;
}

/** Above the tables of a chosen cut. If they show a larger figure than is to be expected of it, it says why. */
export function measuredWords(advice: Cut | undefined): string {
  const { kept_vs_btc: measured = null, kept_vs_btc_lowered: expected = null } = advice ?? {};
  if (measured === null || expected === null || signed(measured, 1) === signed(expected, 1))
    return 'Measured so far:';
  return 'Measured so far. Expect less: the best of several settings is partly luck.';
}

/** The same for bars, which have no figure of the advice. */
export function luckOfBars(advice: Cut | undefined): string {
  const expected = advice?.kept_vs_btc_lowered ?? null;
  return expected === null ? '' : ' The bars look better than that: they are partly luck.';
}

/** Behind the word `Checked`: what the cards since an advice say of it, which had no part in its choice. Empty for no advice. */
export function checkedWords(cut?: Cut): string {
  if (cut === undefined) return '';
  const { verdict_since: since, since_then: then } = cut;
  if (since === null) return 'Not yet: it was found on these same cards.';
  const date = dayAndMonth(Date.parse(since));
  const { difference_percentage_points: difference = null, interval_95: interval = null } =
    then ?? {};
  if (then === null || difference === null || interval === null)
    return `Not yet: too few newer cards (since ${date}).`;
  const newer = `${pluralize(then.cards, 'newer card')} (since ${date})`;
  const did = `${Math.abs(difference).toFixed(1)} pp ${difference < 0 ? 'worse' : 'better'}`;
  const { kept } = phrasesOf(cut);
  const sides = `${kept} did ${did} than the others (${intervalWords(interval)})`;
  const findings: Readonly<Record<AdviceCheck, string>> = {
    holds: `So far ${newer} agree: ${sides}.`,
    open: `Not sure yet. Of ${newer}, ${sides}.`,
    opposite: `So far ${newer} disagree: ${sides}.`,
  };
  return findings[checkOfAdvice(then)];
}

/**
 * `pump by price_pct: +2.40 vs your other cards where it is above 0, -2.60 below 0 (partly luck).`: why a type that fires
 * both ways is nothing much as a whole. One sentence for each advice to cut at 0, of types that are small or unclear.
 */
export function twoSidesNotes(
  suggestions: readonly Suggestion[],
  standings: readonly Standing[],
): string[] {
  const standingOf = new Map(standings.map((standing) => [standing.group, standing]));
  const sentences: string[] = [];
  for (const { cut } of suggestions) {
    const standing = standingOf.get(cut.type);
    const isNothingMuch = standing?.verdict === 'small' || standing?.verdict === 'unclear';
    const { kept_vs_others: kept, dropped_vs_others: dropped } = cut;
    if (cut.value !== 0 || !isNothingMuch || kept === null || dropped === null) continue;
    const keepsAbove = cut.direction === 'at_least';
    const above = signed(keepsAbove ? kept : dropped);
    const below = signed(keepsAbove ? dropped : kept);
    const whom = WHOM[standing.comparedWith];
    const number = `${safeText(cut.type)} by ${numberName(cut)}`;
    sentences.push(
      `${number}: ${above} vs ${whom} where it is above 0, ${below} below 0 (partly luck).`,
    );
  }
  return sentences;
}

/** A line for each stricter setting to try. @param suggestions those that `actionsOf` leaves */
export function worthTrying(
  suggestions: readonly Suggestion[],
  standings: readonly Standing[],
): HeadLine[] {
  const standingOf = new Map(standings.map((standing) => [standing.group, standing]));
  const lines: HeadLine[] = [];
  for (const { cut, setting, command } of suggestions) {
    const standing = standingOf.get(cut.type);
    if (standing === undefined || !isToTry(cut)) continue;
    const cardsPerDayNow = standing.groupFigures?.cards_per_day ?? null;
    const change = suggestionWords(cut, { setting, cardsPerDayNow });
    const text = command === '' ? change : `${change} \`${command}\``;
    lines.push({ label: 'Worth trying', text: `${safeText(cut.type)}: ${text}` });
  }
  return lines;
}
