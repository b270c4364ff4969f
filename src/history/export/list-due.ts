/** When the list is read: in months in which credits are scarce, only when it is worth a credit. */
import { LIMITS } from '../../api/limits.ts';
import { DAY, HOUR } from '../../base/units.ts';
import { type ExportManifest, listedUntil } from '../store/manifest.ts';
import type { ExportOptions } from './export-run.ts';
import { newestToRead } from './spans.ts';

/** The list is read after this time at the latest, however few cards come. Milliseconds. */
const LONGEST_BETWEEN_LISTS = 6 * HOUR;

/** How often a day the list is read if few cards come. */
export const LISTS_A_DAY = DAY / LONGEST_BETWEEN_LISTS;

/**
 * When the list is next worth a credit: when a full page of new cards is expected at the present rate, or six hours after the
 * last list, whichever is earlier. At 200 cards a day, a page of 25 is full after three hours.
 * @returns epoch milliseconds UTC; undefined for a run that reads the list now: the first run, a run with --all-credits, and a
 *   run that has an unread part, because an earlier run left it or because --since is earlier than the first listed card
 */
export function listDueAt(
  manifest: ExportManifest,
  { since, allCredits = false }: Pick<ExportOptions, 'since' | 'allCredits'>,
  cardsPerDay: number,
): number | undefined {
  const lastListAt = listedUntil(manifest, Number.POSITIVE_INFINITY);
  if (lastListAt === undefined || allCredits) return undefined;
  if (newestToRead(manifest, since) !== undefined) return undefined;
  const untilFullPage = (LIMITS.cardsPerPage / cardsPerDay) * DAY;
  return lastListAt + Math.min(LONGEST_BETWEEN_LISTS, untilFullPage);
}
