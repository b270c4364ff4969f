/** When the list is read: in scarce months only when it is worth a credit. */
import { LIMITS } from '../../api/limits.ts';
import { DAY, HOUR } from '../../base/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { ExportOptions } from './session.ts';
import { newestHole, spansOf } from './spans.ts';

/** The longest time between two lists, milliseconds. */
const LONGEST_BETWEEN_LISTS = 6 * HOUR;

/** Lists a day where few cards come. */
export const LISTS_A_DAY = DAY / LONGEST_BETWEEN_LISTS;

/**
 * When a page of new cards is to be expected at the present rate, or six hours after the last list, whichever is sooner.
 * @returns epoch milliseconds UTC; undefined where a run reads the list whatever it costs: the first one, one that asks
 *   further back, and one that spends all credits
 */
export function listTurn(
  manifest: ExportManifest,
  { since, allCredits = false }: Pick<ExportOptions, 'since' | 'allCredits'>,
  cardsPerDay: number,
): number | undefined {
  const [newest] = spansOf(manifest.spans);
  if (newest === undefined || allCredits) return undefined;
  if (newestHole(manifest, since) !== undefined) return undefined;
  const untilFullPage = (LIMITS.cardsPerPage / cardsPerDay) * DAY;
  return newest.until + Math.min(LONGEST_BETWEEN_LISTS, untilFullPage);
}
