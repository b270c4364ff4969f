import { formatApiTime } from '../../api/time.ts';
import type { StatsHead } from '../../output/views/history-stats-fields.ts';
import { askedFor } from './inquiry.ts';
import type { OfHistory } from './where.ts';

type CommonHead = Omit<
  StatsHead,
  'settings_changes' | 'least_percentage_points' | 'groups_left_out'
>;

/** What the pages of `stats` have in common: what was asked for, and when. @param now epoch milliseconds UTC */
export async function statsHeadOf(
  options: OfHistory,
  by: StatsHead['by'],
  now: number,
): Promise<CommonHead> {
  const manifest = await options.history.manifest();
  return {
    ...askedFor(options),
    by,
    generated_at: formatApiTime(now),
    bought_first: manifest?.focus ?? [],
  };
}
