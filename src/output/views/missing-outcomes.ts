/** What screens say of outcomes that have no figure. */

import type { Standing } from '../../outcomes/standing.ts';
import { safeText } from '../safe-text.ts';

/** `4 %`: how many of its outcomes have no figure. */
export function shareLost({ figures }: Standing): string {
  return `${Math.round(100 * (figures?.missing_share ?? 0))} %`;
}

/** `4 %`, of its own outcomes. If all of these have a figure, `other types' outcomes`: it is compared with them. */
export function whoseAreLost(standing: Standing): string {
  return isLostByOthers(standing) ? "other types' outcomes" : shareLost(standing);
}

/** Whether all of its own outcomes have a figure: then those of other types, which it is compared with, lack one. */
export function isLostByOthers(standing: Standing): boolean {
  return shareLost(standing) === '0 %';
}

/** Whether only outcomes without a figure keep it unclear, and no verdict is expected. */
function staysUnclearByMissing(standing: Standing): boolean {
  const { word, isUnclearByMissing, silentDays, wordExpected } = standing;
  const isAwaited = silentDays === undefined && wordExpected === undefined;
  return word === 'unclear' && isUnclearByMissing && isAwaited;
}

/** From this share of outcomes without a figure on, the page names the type. */
const MANY_MISSING = 0.1;

/** With fewer bought outcomes the share is not named: it says nothing. */
const LEAST_BOUGHT = 20;

function hasManyMissing({ figures, groupFigures }: Standing): boolean {
  const share = figures?.missing_share ?? 0;
  return share >= MANY_MISSING && (groupFigures?.bought ?? 0) >= LEAST_BOUGHT;
}

/**
 * Two sentences: that types are unclear only because outcomes lack a figure; and which other types have many such outcomes.
 * @param isFirstElsewhere whether the page says the first sentence elsewhere
 */
export function missingNotes(standings: readonly Standing[], isFirstElsewhere = false): string[] {
  const saysFirst = !isFirstElsewhere && standings.some(staysUnclearByMissing);
  const others = standings
    .filter((standing) => hasManyMissing(standing) && !staysUnclearByMissing(standing))
    .map((standing) => `${safeText(standing.group) || 'all cards'} (${shareLost(standing)})`);
  const beginning = saysFirst ? 'Also' : 'Outcomes';
  return [
    saysFirst ? 'Outcomes without a figure could decide either way.' : '',
    others.length === 0 ? '' : `${beginning} without a figure: ${others.join(', ')}.`,
  ];
}
