/** Which medians of the service are due: of each screener type over its outcomes of 30 days, once in 30 days. Pure. */
import { OPERATIONS } from '../../api/operations.ts';
import { parseApiTime } from '../../api/time.ts';
import { areApart, inSuccession, type ServiceAnswer, STATS_WINDOW } from '../../outcomes/service-answers.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { BillingMonth } from './pace.ts';

/** A median of fewer outcomes in 30 days says too little for its price. */
const LEAST_OUTCOMES = 20;

/** No more of the month's credits than this share. */
const SHARE = 1 / 20;

/** A type that was refused is asked for again a day later: a daily run is seldom exactly 24 hours later. */
const TRY_AGAIN_AFTER = 20 * HOUR;

const { cost } = OPERATIONS.stats;

/** Screener types whose medians are to be asked for. */
interface Medians {
  /** Now; types with most outcomes first, those that were refused last. */
  readonly due: readonly string[];
  /** Credits of those that become due before the month's credits are reset. */
  readonly later: number;
}

/**
 * @param byType outcomes due of the last 30 days' cards
 * @param answers that were kept, oldest first
 */
export function mediansOf(
  byType: ReadonlyMap<string, number>,
  answers: readonly ServiceAnswer[],
  { stats_failed }: Pick<ExportManifest, 'stats_failed'>,
  { limit, resetsAt, now }: BillingMonth,
): Medians {
  // A clock that was ahead made those of later days.
  const kept = answers.filter(({ at }) => at <= now + DAY);
  const last = new Map([...inSuccession(kept)].map(([type, all]) => [type, Math.min(now, all.at(-1)?.at ?? 0)]));
  const failed = (type: string) => Math.min(now, parseApiTime(stats_failed[type] ?? '') ?? 0);
  const isRunning = (type: string) => !areApart(last.get(type) ?? 0, now);
  const most = Math.floor((limit * SHARE) / cost);
  const running = [...last.keys()].filter(isRunning).length;
  const types = [...byType].filter(([, outcomes]) => outcomes >= LEAST_OUTCOMES).sort(([, a], [, b]) => b - a);
  const wanted = types.map(([type]) => type).slice(0, most);
  const due = wanted
    .filter((type) => !isRunning(type) && now - failed(type) >= TRY_AGAIN_AFTER)
    .sort((a, b) => failed(a) - failed(b));
  const later = wanted.filter((type) => isRunning(type) && (last.get(type) ?? 0) + STATS_WINDOW < resetsAt);
  return { due: due.slice(0, Math.max(0, most - running)), later: cost * later.length };
}
