/** What more days of outcomes can show, which share of the outcomes is bought, and which type exports should buy first. */

import { andWords } from '../../base/words.ts';
import type { Focus } from '../../outcomes/focus.ts';
import type { Prospect, TypeProspect } from '../../outcomes/prospect.ts';
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import { RATE_DAYS } from '../../outcomes/rate.ts';
import { outcomesPerPurchase, type Scarcity } from '../../outcomes/scarcity.ts';
import { safeText } from '../safe-text.ts';
import type { HeadLine } from './head-lines.ts';
import { monthEnd, sizeText } from './verdict-wait.ts';

/** Of more types than this, only the smallest and the largest size are told. */
const MOST_TYPES = 3;

/**
 * `Later  with 180 days of outcomes (older ones do not count), differences above about 3 pp (price) can be seen. Looser settings bring
 * more cards, and answers sooner.`
 */
export function prospectLines(prospect: Prospect | undefined): HeadLine[] {
  if (prospect === undefined) return [];
  const { days, types } = prospect;
  const lines: HeadLine[] = [];
  const better = types.filter(showsMoreLater);
  if (better.length > 0) {
    const sizes = sizesWords(better);
    const seen = `with ${days} days of outcomes (older ones do not count), differences above about ${sizes} can be seen`;
    lines.push({
      label: 'Later',
      text: better.some(isTooLargeToWaitFor) ? `${seen}. ${LOOSEN}` : seen,
    });
  }
  return lines;
}

/** What its owner can do about sizes that are too large. */
const LOOSEN = 'Looser settings bring more cards, and answers sooner.';

/** Whether a difference that matters is too small to be seen, however long one waits. */
function isTooLargeToWaitFor({ wouldShow }: TypeProspect): boolean {
  return lastingSize(wouldShow) > DEFAULT_LEAST;
}

/** Whether the size that is told is smaller than the one that can be seen by now, as the page prints both. */
function showsMoreLater({ wouldShow, wouldShowNow }: TypeProspect): boolean {
  return wouldShowNow === undefined || lastingSize(wouldShow) < Number(sizeText(wouldShowNow));
}

/** Percentage points, rounded to half of one: the size is known to a quarter of itself. None is told below what matters. */
function lastingSize(size: number): number {
  return Math.max(DEFAULT_LEAST, Math.round(2 * size) / 2);
}

/** `3 pp (oi) and 3.5 pp (price)`, `2 pp (a, b)`; of many types `1.5 pp (b) to 5.5 pp (h)`. */
function sizesWords(types: readonly TypeProspect[]): string {
  const inOrder = types.toSorted((a, b) => a.wouldShow - b.wouldShow);
  const namesBySize = new Map<number, string[]>();
  for (const { type, wouldShow } of inOrder) {
    const size = lastingSize(wouldShow);
    namesBySize.set(size, [...(namesBySize.get(size) ?? []), safeText(type)]);
  }
  const sizes = Array.from(namesBySize, ([size, names]) => ({ size, names }));
  const smallest = sizes[0];
  const largest = sizes.at(-1);
  if (inOrder.length <= MOST_TYPES || smallest === undefined || largest === undefined)
    return andWords(sizes.map(({ size, names }) => `${size} pp (${names.join(', ')})`));
  if (smallest === largest) return `${smallest.size} pp`;
  const from = `${smallest.size} pp (${smallest.names[0]})`;
  const to = `${largest.size} pp (${largest.names.at(-1)})`;
  return `${from} to ${to}`;
}

/**
 * `Bought  1 in 9 outcomes of the last 28 days, at random`
 * @param boughtFirst the types of --focus, also of earlier exports
 */
export function scarcityLines(
  scarcity: Scarcity | undefined,
  boughtFirst: readonly string[] = [],
): HeadLine[] {
  if (scarcity === undefined) return [];
  const lines: HeadLine[] = [{ label: 'Bought', text: boughtWords(scarcity, boughtFirst) }];
  const { withoutMedians } = scarcity;
  if (withoutMedians.length > 0)
    lines.push({
      label: 'No medians',
      text: `${withoutMedians.map(safeText).join(', ')} (exports do not ask the service for these)`,
    });
  return lines;
}

/** So few bought outcomes are no fault: a reader would look for what to do about them. */
const VERDICTS_REST_ON_MEDIANS = "verdicts rest on the service's medians, which count all outcomes";

/**
 * Which share of the latest outcomes is bought. Rates a day would be read as purchases a day, of which many are of older cards.
 */
function boughtWords(scarcity: Scarcity, boughtFirst: readonly string[]): string {
  const outcomes = outcomesPerPurchase(scarcity);
  const ofLatest = `of the last ${RATE_DAYS} days`;
  if (outcomes === undefined) return `none yet of the outcomes ${ofLatest}`;
  const share = `1 in ${Math.round(outcomes)} outcomes ${ofLatest}`;
  const enough = scarcity.isEachAsked ? `; ${VERDICTS_REST_ON_MEDIANS}` : '';
  if (boughtFirst.length === 0) return `${share}, at random${enough}`;
  const first = boughtFirst.map(safeText).join(', ');
  return `${share}; ${first} first, so no random sample of all types${enough}`;
}

/** The type that exports should buy first, as `today` and `tune` tell it. */
export interface FocusAdvice {
  readonly type: string;
  /** Why it comes before other types: `, to learn whether to drop it`; empty if there is no reason to name. */
  readonly purpose: string;
  /** Why, and what is bought of it: in sentences, the last of which leads to the command line, if there is one. */
  readonly text: string;
  /** The command line that buys its outcomes first; undefined if exports already buy them first. */
  readonly command: string | undefined;
}

/**
 * `Is pump below BTC, too? If exports buy its outcomes alone, that is known sooner:`, or
 * `To learn what to change in pump, `tune` needs more of its outcomes. If you buy them first, older cards included, there are
 * enough by the end of Nov:` (or `they come at least twice as fast`, if they come without it, too). `tune` says how many. No other
 * type is proposed. What exports buy without it is not told: such forecasts often proved too late.
 */
export function focusAdvice(focus: Focus, command: string): FocusAdvice {
  const { type } = focus;
  const name = safeText(type);
  const purpose = PURPOSES[focus.why];
  if (focus.isUnderWay) return { type, purpose, text: underWayWords(focus), command: undefined };
  if (focus.why === 'vs_btc') {
    const text = `Is ${name} below BTC, too? If exports buy its outcomes alone, that is known sooner:`;
    return { type, purpose, text, command };
  }
  const need = `To learn what to change in ${name}, \`tune\` needs more of its outcomes.`;
  const { by, comesAnyway } = focus;
  const when = comesAnyway
    ? 'they come at least twice as fast'
    : `there are enough by the ${monthEnd(by)}`;
  const rest = `If you buy them first, older cards included, ${when}:`;
  return { type, purpose, text: `${need} ${rest}`, command };
}

const PURPOSES: Readonly<Record<Focus['why'], string>> = {
  vs_btc: ', to learn whether to drop it',
  tune: '',
};

/**
 * `Exports buy pump first, to learn what to change in it.`: of its outcomes, and their date, the page has a line. Or `Exports
 * buy pump first, to learn whether it is below BTC, too: 41 of its 90 outcomes are bought.`
 */
function underWayWords(focus: Focus): string {
  const first = `Exports buy ${safeText(focus.type)} first, to learn`;
  if (focus.why === 'tune') return `${first} what to change in it.`;
  const bought = `${focus.bought} of its ${focus.due} outcomes are bought`;
  return `${first} whether it is below BTC, too: ${bought}.`;
}
