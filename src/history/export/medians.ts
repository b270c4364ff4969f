/** Medians of the service: each screener type's over 30 days, asked for once in 30 days. Pure. */
import { OPERATIONS } from '../../api/operations.ts';
import { parseApiTime } from '../../api/time.ts';
import { areApart, inSuccession, type ServiceAnswer, STATS_WINDOW } from '../../outcomes/service-answers.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import type { BillingMonth } from './pace.ts';

const LEAST_OUTCOMES = 20;

const SHARE = 1 / 20;

/** Lets a daily run ask again for a type that was refused. */
const TRY_AGAIN_AFTER = 20 * HOUR;

const { cost } = OPERATIONS.stats;

interface Medians {
  /** Types with most outcomes first, those that were refused last. */
  readonly due: readonly string[];
  /** Credits of those due later, before the month's credits are reset. */
  readonly later: number;
}

/** @param answers that were kept, oldest first */
export function mediansOf(
  byType: ReadonlyMap<string, number>,
  answers: readonly ServiceAnswer[],
  { stats_failed }: Pick<ExportManifest, 'stats_failed'>,
  { limit, resetsAt, now }: BillingMonth,
): Medians {
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
