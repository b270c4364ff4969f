/** What screens say of outcomes that have no figure. */

import type { Standing } from '../../outcomes/standing.ts';
import { safeText } from '../safe-text.ts';

/** Of a type: the share of its bought outcomes that have no figure. */
function missingShare({ figures }: Standing): number {
  return figures?.missing_share ?? 0;
}

/** The same as printed: whole percent. */
function percentMissing(standing: Standing): number {
  return Math.round(100 * missingShare(standing));
}

/** `4 %`: how many of a type's outcomes have no figure. */
export function shareMissing(standing: Standing): string {
  return `${percentMissing(standing)} %`;
}

/**
 * Which outcomes without a figure keep a type unclear:
 * - `own`: its own. Their share can be printed;
 * - `others`: only those of the types that it is compared with;
 * - `some`: it is not known whose, or the share is below 1 %. If the service's medians decide, it is not known, because they also
 *   count outcomes that were not bought.
 */
export function whoseMissing(standing: Standing): 'own' | 'others' | 'some' {
  if (percentMissing(standing) > 0) return 'own';
  const hasNoneOfItsOwn = standing.base.source === 'bought' && missingShare(standing) === 0;
  return hasNoneOfItsOwn ? 'others' : 'some';
}

/** The outcomes without a figure that keep a type unclear: `4 %` of its own, `other types' outcomes`, or `some outcomes`. */
export function outcomesMissing(standing: Standing): string {
  switch (whoseMissing(standing)) {
    case 'own':
      return shareMissing(standing);
    case 'others':
      return "other types' outcomes";
    case 'some':
      return 'some outcomes';
  }
}

/** Whether only outcomes without a figure keep it unclear. For a silent type the page says that it is silent. */
function staysUnclearByMissing({ verdict, isUnclearByMissing, silentDays }: Standing): boolean {
  return verdict === 'unclear' && silentDays === undefined && isUnclearByMissing;
}

/** If this share of its outcomes has no figure, or more, the page names the type. */
const MANY_MISSING = 0.1;

/** With fewer bought outcomes the share says nothing, and is not named. */
const LEAST_BOUGHT = 20;

/** The share is of bought outcomes. Where the service's medians decide, other outcomes count, too, so the type is not named. */
function hasManyMissing(standing: Standing): boolean {
  const bought = standing.groupFigures?.bought ?? 0;
  const isOfBought = standing.base.source === 'bought';
  return isOfBought && missingShare(standing) >= MANY_MISSING && bought >= LEAST_BOUGHT;
}

/**
 * Two sentences: that types are unclear only because outcomes lack a figure; and which other types have many such outcomes.
 * @param isFirstElsewhere whether the page says the first sentence elsewhere
 */
export function missingNotes(standings: readonly Standing[], isFirstElsewhere = false): string[] {
  const saysFirst = !isFirstElsewhere && standings.some(staysUnclearByMissing);
  // The standing of all cards together has no name.
  const others = standings
    .filter((standing) => hasManyMissing(standing) && !staysUnclearByMissing(standing))
    .map((standing) => `${safeText(standing.group) || 'all cards'} (${shareMissing(standing)})`);
  const beginning = saysFirst ? 'Also' : 'Outcomes';
  return [
    saysFirst ? 'Outcomes without a figure could decide either way.' : '',
    others.length === 0 ? '' : `${beginning} without a figure: ${others.join(', ')}.`,
  ];
}
