/** What more days of outcomes can show, which share of the outcomes is bought, and which type exports should buy first. */

import { andWords } from '../../base/words.ts';
import type { Focus } from '../../outcomes/focus.ts';
import type { Prospect, TypeProspect } from '../../outcomes/prospect.ts';
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import { RATE_DAYS } from '../../outcomes/rate.ts';
import type { Scarcity } from '../../outcomes/scarcity.ts';
import { shareText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { HeadLine } from './head-lines.ts';
import { monthEnd, roundedSize } from './verdict-wait.ts';

/** Of more types than this, the line has only the smallest and the largest size of a difference that can be seen. */
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
      text: better.some(staysTooLarge) ? `${seen}. ${LOOSEN}` : seen,
    });
  }
  return lines;
}

/** What a user can do if only large differences can be seen. */
const LOOSEN = 'Looser settings bring more cards, and answers sooner.';

/** Whether the smallest difference that can be seen stays larger than the smallest that matters, however long one waits. */
function staysTooLarge({ wouldShow }: TypeProspect): boolean {
  return printedSize(wouldShow) > DEFAULT_LEAST;
}

/**
 * Whether smaller differences can be seen later than now. The sizes are compared as they are printed, so that the page never has
 * the same size for both times.
 */
function showsMoreLater({ wouldShow, wouldShowNow }: TypeProspect): boolean {
  return wouldShowNow === undefined || printedSize(wouldShow) < roundedSize(wouldShowNow);
}

/**
 * The size as it is printed, percentage points. It is rounded to half of one, because the estimate may be wrong by a quarter of
 * itself, and it is never below what matters (`DEFAULT_LEAST`).
 */
function printedSize(size: number): number {
  return Math.max(DEFAULT_LEAST, Math.round(2 * size) / 2);
}

/** `3 pp (oi) and 3.5 pp (price)`, `2 pp (a, b)`; of many types `1.5 pp (b) to 5.5 pp (h)`. */
function sizesWords(types: readonly TypeProspect[]): string {
  const inOrder = types.toSorted((a, b) => a.wouldShow - b.wouldShow);
  const namesBySize = new Map<number, string[]>();
  for (const { type, wouldShow } of inOrder) {
    const size = printedSize(wouldShow);
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
 * `Bought  11 % of the outcomes of the last 28 days, at random`
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

/**
 * Which share of the latest outcomes is bought. It is no number a day: that would be read as purchases a day, and many purchases
 * are of older cards.
 */
function boughtWords(scarcity: Scarcity, boughtFirst: readonly string[]): string {
  const ofOutcomes = `of the outcomes of the last ${RATE_DAYS} days`;
  const { boughtPerDay, cardsPerDay } = scarcity;
  if (boughtPerDay === 0) return `none yet ${ofOutcomes}`;
  const share = `${shareText(boughtPerDay / cardsPerDay)} ${ofOutcomes}`;
  if (boughtFirst.length === 0) return `${share}, at random`;
  const first = boughtFirst.map(safeText).join(', ');
  return `${share}; ${first} first, so no random sample of all types`;
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
 * What `today` and `tune` say of the type that exports should buy first:
 * - it may be below BTC, too: "To know sooner whether to drop pump, buy its outcomes alone; that costs no more:";
 * - its numbers can be tested: "To learn what to change in pump, `tune` needs more of its outcomes. If you buy them first, older
 *   cards included, there are enough by the end of Nov:";
 * - the same, if enough outcomes come in any case: "… they come at least twice as fast:";
 * - exports buy it first already: see `underWayWords`.
 *
 * How many outcomes are needed, only `tune` says. When they would come without the advice is not said: such forecasts often
 * proved too late.
 */
export function focusAdvice(focus: Focus, command: string): FocusAdvice {
  const { type } = focus;
  const name = safeText(type);
  const purpose = PURPOSES[focus.why];
  if (focus.isUnderWay) return { type, purpose, text: underWayWords(focus), command: undefined };
  if (focus.why === 'vs_btc') {
    const text = `To know sooner whether to drop ${name}, buy its outcomes alone; that costs no more:`;
    return { type, purpose, text, command };
  }
  const need = `To learn what to change in ${name}, \`tune\` needs more of its outcomes.`;
  const { by, comesAnyway } = focus;
  // A type whose outcomes would come nearly as fast in any case is not proposed: see `isMuchLater` in `outcomes/test-needs.ts`.
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
 * - `Exports buy pump first, to learn whether it is below BTC, too: 41 of its 90 outcomes are bought.`
 * - `Exports buy pump first, to learn what to change in it.` How many outcomes there are, and when there are enough, another line
 *   of the page says.
 */
function underWayWords(focus: Focus): string {
  const first = `Exports buy ${safeText(focus.type)} first, to learn`;
  if (focus.why === 'tune') return `${first} what to change in it.`;
  const bought = `${focus.measured} of its ${focus.due} outcomes are bought`;
  return `${first} whether it is below BTC, too: ${bought}.`;
}
