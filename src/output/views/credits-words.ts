/** Credits in words, the same on every page: those that are only possibly charged are told apart. */
import type { SpentOfDay } from '../../credits/usage.ts';

/**
 * `148 of 150 used (2 only possibly)`; `160 used, above the 150`; `160 used`.
 * @param limit of the day, credits; null if it is not known
 * @param verb what was done with them: `used`, `spent today`
 */
export function creditsOfDay(
  { spent, possiblySpent }: SpentOfDay,
  limit: number | null,
  verb: string,
): string {
  const unsure = possiblySpent === 0 ? '' : ` (${possiblySpent} only possibly)`;
  if (limit === null) return `${spent} ${verb}${unsure}`;
  if (spent > limit) return `${spent} ${verb}${unsure}, above the ${limit}`;
  return `${spent} of ${limit} ${verb}${unsure}`;
}

/** What `--json` says of the month. Credits. */
interface LeftOfMonth {
  /** Left for certain. */
  readonly left: number;
  /** Left, too, if failed requests were not charged. */
  readonly possiblySpent: number;
}

/**
 * `850`; `850 (1 of them possibly spent)`.
 * @param ofLimit words after the number, such as ` of 1000 left`
 */
export function creditsOfMonth({ left, possiblySpent }: LeftOfMonth, ofLimit = ''): string {
  const unsure = possiblySpent === 0 ? '' : ` (${possiblySpent} of them possibly spent)`;
  return `${left + possiblySpent}${ofLimit}${unsure}`;
}

/** The limits that a user sets, as they are typed. */
export const LIMITS_OF_USER = {
  max_credits: '--max-credits',
  daily: 'SCREENER_DAILY',
  keep: '--keep',
} as const;
