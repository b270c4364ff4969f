/** What a number at the trigger tells, in sentences: `tune`, a screener's own page and the report say the same. */
import type { HorizonName } from '../../api/contract/horizons.ts';
import { pluralize } from '../../base/units.ts';
import type { Standing } from '../../outcomes/standing.ts';
import {
  type Advice,
  type AdviceCheck,
  type Cut,
  checkOfAdvice,
  type Question,
} from '../../outcomes/tune-types.ts';
import type { TwoSides } from '../../outcomes/two-sides.ts';
import { dayAndMonth, points, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { HeadLine } from './verdict.ts';

/** `funding`, or `|funding|` where its size is meant. */
export function numberName({ key, absolute }: Pick<Question, 'key' | 'absolute'>): string {
  return absolute ? `|${safeText(key)}|` : safeText(key);
}

export function isTested({ p }: Question): boolean {
  return p !== null;
}

/** The cuts by the number of a question. */
export function cutsOf(question: Question, cuts: readonly Cut[]): Cut[] {
  const same = ['type', 'key', 'absolute', 'horizon'] as const;
  return cuts.filter((cut) => same.every((name) => cut[name] === question[name]));
}

/** The stricter setting that a number advises; undefined if it advises none. */
export function adviceOf(question: Question, cuts: readonly Cut[]): Cut | undefined {
  return cutsOf(question, cuts).find(isAdvice);
}

/** `0.0002 or more` */
export function cutName({ direction, value }: Pick<Cut, 'direction' | 'value'>): string {
  const side = direction === 'at_least' ? 'more' : 'less';
  return `${Number(value.toPrecision(6))} or ${side}`;
}

/** What to do where no setting of the type is known to be the number. */
export function setItWords(advice: Cut): string {
  const setIt = `If your screener has a setting for ${safeText(advice.key)}, set it to ${cutName(advice)}.`;
  return `${setIt} If not, look at each card before you act`;
}

export function isAdvice({ is_advice }: Cut): boolean {
  return is_advice;
}

/** What a type does with its present settings. */
interface AsSetNow {
  readonly cards_per_day: number | null;
  readonly horizons: {
    readonly [name in HorizonName]: { median_vs_btc_percentage_points: number | null } | null;
  };
}

/**
 * What to try, and what would change: `Try funding at 0.0002 or more: expect +2.6 pp vs BTC instead of +1.7, and 7.8 cards
 * a day instead of 11.0.`
 * @param all undefined if the type's own figures are not known
 * @param isBesideService whether the service's medians stand on the same page
 */
export function adviceWords(
  question: Question,
  cuts: readonly Cut[],
  all?: AsSetNow,
  isBesideService = false,
): string {
  const cut = adviceOf(question, cuts);
  const name = numberName(question);
  if (cut === undefined) return `No stricter setting by ${name} is clearly better.`;
  const medianNow = all?.horizons[question.horizon]?.median_vs_btc_percentage_points;
  const whose = isBesideService ? ' of what you bought' : '';
  const insteadOfMedian =
    medianNow == null
      ? ''
      : ` instead of ${whose === '' ? '' : 'the '}${signed(medianNow, 1)}${whose}`;
  const rateNow = all?.cards_per_day;
  const insteadOfRate = rateNow == null ? '' : ` instead of ${rateNow.toFixed(1)}`;
  const median = `${signed(cut.kept_vs_btc_lowered ?? 0, 1)} pp vs BTC${insteadOfMedian}`;
  const rate = `${cut.cards_per_day.toFixed(1)} cards a day${insteadOfRate}`;
  return `Try ${name} at ${cutName(cut)}: expect ${median}, and ${rate}.`;
}

/** What the cards since an advice say of it: no selection has touched them. Empty for no advice. */
export function checkedWords(cut?: Cut): string {
  if (cut === undefined) return '';
  const { verdict_since: since, since_then: then } = cut;
  if (since === null) return 'Not confirmed yet: it was found on these same cards.';
  const date = dayAndMonth(Date.parse(since));
  if (!then?.interval_95) return `Not confirmed yet: too few newer cards (since ${date}).`;
  const newer = `${pluralize(then.cards, 'newer card')} (since ${date})`;
  const findings: Readonly<Record<AdviceCheck, string>> = {
    holds: `So far ${newer} agree: those it keeps did better than those it drops.`,
    open: `Not confirmed yet by ${newer}.`,
    opposite: `So far ${newer} disagree: those it keeps did worse than those it drops.`,
  };
  return findings[checkOfAdvice(then)];
}

/** Only a doubt is said: looked at each morning, a 95 % interval is clear of 0 by chance sooner or later. */
const DOUBTS: Readonly<Record<AdviceCheck, string>> = {
  holds: '',
  open: 'not confirmed yet',
  opposite: 'newer cards disagree so far',
};

/** ` Not confirmed yet.`: the doubt in an advice, for a page that says nothing else of what came since. */
export function doubtSentence(advice: Cut | undefined): string {
  const doubt = advice === undefined ? '' : DOUBTS[checkOfAdvice(advice.since_then)];
  return doubt === '' ? '' : ` ${doubt.charAt(0).toUpperCase()}${doubt.slice(1)}.`;
}

/** What stands behind a stricter setting to try. */
export interface TryWords {
  /** The setting that it probably is, or the command that shows more; empty if there is nothing to say. */
  readonly moreOf: (advice: Advice) => string;
  /** Both sides of a number that is cut at 0. */
  readonly sidesOf: (advice: Advice) => TwoSides | undefined;
  readonly checkOf: (advice: Advice) => AdviceCheck;
}

/** Where no number at the trigger clearly tells good cards from bad. */
export const NOTHING_TO_TRY: HeadLine = { label: 'Settings', text: 'nothing to change yet' };

/** None for a type that is behind: what a stricter setting keeps of it mostly is, too. */
export function worthTrying(
  advices: readonly Advice[],
  standings: readonly Standing[],
  { moreOf, sidesOf, checkOf }: TryWords,
): HeadLine[] {
  const wordOf = new Map(standings.map(({ group, word }) => [group, word]));
  return advices
    .filter(({ type }) => wordOf.get(type) !== 'below')
    .map((advice) => {
      const word = wordOf.get(advice.type);
      // Two sides explain why the type as a whole is nothing much.
      const sides = word === 'small' || word === 'unclear' ? sidesOf(advice) : undefined;
      const figures = sides === undefined ? '' : ` (${sidesWords(sides, advice)})`;
      const cards = `only cards with ${numberName(advice)} ${cutName(advice)}${figures}`;
      const doubt = DOUBTS[checkOf(advice)];
      const finding = doubt === '' ? cards : `${cards}, ${doubt}`;
      const more = moreOf(advice);
      const text = more === '' ? finding : `${finding}; ${more}`;
      return { label: 'Worth trying', text: `${safeText(advice.type)}: ${text}` };
    });
}

/** `+2.40 vs others; below 0: -2.60`: the side that an advice keeps, then the other one, percentage points. */
function sidesWords({ above, below }: TwoSides, { direction }: Advice): string {
  const keepsAbove = direction === 'at_least';
  const kept = keepsAbove ? above : below;
  const dropped = keepsAbove ? below : above;
  const otherSide = keepsAbove ? 'below 0' : 'above 0';
  return `${points(kept.vsOthers)} vs others; ${otherSide}: ${points(dropped.vsOthers)}`;
}
