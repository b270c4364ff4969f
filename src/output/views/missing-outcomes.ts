/** What screens say of outcomes that have no figure. */

import type { Standing } from '../../outcomes/standing.ts';
import { safeText } from '../safe-text.ts';

/** The share of a type's outcomes that have no figure, as printed: whole percent. */
function percentMissing({ figures }: Standing): number {
  const share = figures?.missing_share ?? 0;
  return Math.round(100 * share);
}

/** `4 %`: how many of a type's outcomes have no figure. */
export function shareMissing(standing: Standing): string {
  return `${percentMissing(standing)} %`;
}

/** The outcomes without a figure that keep a type unclear: `4 %` of its own, or `other types' outcomes`. */
export function outcomesMissing(standing: Standing): string {
  return isMissingOnlyInOthers(standing) ? "other types' outcomes" : shareMissing(standing);
}

/** A type is unclear because outcomes have no figure: whether all of these are outcomes of the types that it is compared with. */
export function isMissingOnlyInOthers(standing: Standing): boolean {
  return percentMissing(standing) === 0;
}

/** Whether only outcomes without a figure keep it unclear, and no date of a verdict is known. A silent type is called silent instead. */
function staysUnclearByMissing(standing: Standing): boolean {
  const { word, isUnclearByMissing, silentDays, wordExpected } = standing;
  if (word !== 'unclear' || silentDays !== undefined) return false;
  return isUnclearByMissing && wordExpected === undefined;
}

/** If this share of its outcomes has no figure, or more, the page names the type. */
const MANY_MISSING = 0.1;

/** Of fewer bought outcomes the share says nothing, and is not named. */
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
    .map((standing) => `${safeText(standing.group) || 'all cards'} (${shareMissing(standing)})`);
  const beginning = saysFirst ? 'Also' : 'Outcomes';
  return [
    saysFirst ? 'Outcomes without a figure could decide either way.' : '',
    others.length === 0 ? '' : `${beginning} without a figure: ${others.join(', ')}.`,
  ];
}
