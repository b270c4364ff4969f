/** What an account can ever tell, and what its credits leave out, for the first pages that its owner sees. */
import type { Prospect, TypeProspect } from '../../outcomes/prospect.ts';
import type { FocusProspect, Scarcity } from '../../outcomes/scarcity.ts';
import { dayAndMonth } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { type HeadLine, verdictText } from './verdict.ts';

/** More types than that are told as a range. */
const MOST_TYPES = 3;

/** `Would show  after 60 days of outcomes: price 2.8 pp or more`, `All vs BTC  under 1 pp`. */
export function prospectLines(prospect: Prospect | undefined): HeadLine[] {
  if (prospect === undefined) return [];
  const { days, types, all } = prospect;
  const lines: HeadLine[] = [];
  if (types.length > 0)
    lines.push({
      label: 'Would show',
      text: `after ${days} days of outcomes: ${sizesWords(types)} or more`,
    });
  // A question of its own has no memory, so that no date of it could be held against it.
  if (all !== undefined)
    lines.push({ label: 'All vs BTC', text: verdictText({ ...all, wordExpected: undefined }) });
  return lines;
}

/** `oi 2.7 pp, price 3.0 pp`; of many types `1.0 pp (b) to 5.1 pp (h)`. */
function sizesWords(types: readonly TypeProspect[]): string {
  const sizes = types
    .toSorted((one, other) => one.wouldShow - other.wouldShow)
    .map(({ type, wouldShow }) => ({ name: safeText(type), size: `${wouldShow.toFixed(1)} pp` }));
  const smallest = sizes[0];
  const largest = sizes.at(-1);
  if (sizes.length <= MOST_TYPES || smallest === undefined || largest === undefined)
    return sizes.map(({ name, size }) => `${name} ${size}`).join(', ');
  return `${smallest.size} (${smallest.name}) to ${largest.size} (${largest.name})`;
}

/** `Bought  28 of 250 outcomes a day, at random`, `List  Listing your 250 cards a day costs 330 credits a month or more`. */
export function scarcityLines(scarcity: Scarcity | undefined): HeadLine[] {
  if (scarcity === undefined) return [];
  const { cardsPerDay, boughtPerDay, listPerMonth, withoutMedians, withoutOutcomes } = scarcity;
  const perDay = Math.round(cardsPerDay);
  const lines: HeadLine[] = [
    {
      label: 'Bought',
      text: `${Math.round(boughtPerDay)} of ${perDay} outcomes a day, at random`,
    },
    {
      label: 'List',
      text: `Listing your ${perDay} cards a day costs ${listPerMonth} credits a month or more`,
    },
  ];
  if (withoutMedians.length > 0)
    lines.push({ label: 'No medians', text: withoutMedians.map(safeText).join(', ') });
  if (withoutOutcomes.length > 0)
    lines.push({ label: 'No outcomes', text: withoutOutcomes.map(safeText).join(', ') });
  return lines;
}

/** `Focus  pump: 28 of 60 outcomes. Exports that buy it first have them by 20 Nov:`, before their command line. */
export function focusLine({ type, bought, needed, by }: FocusProspect): HeadLine {
  const known = `${safeText(type)}: ${bought} of ${needed} outcomes`;
  const text = `${known}. Exports that buy it first have them by ${dayAndMonth(by)}:`;
  return { label: 'Focus', text };
}
