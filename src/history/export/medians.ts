/**
 * The service's own medians of each screener type, over all its outcomes of 30 days: 5 credits a type, once in 30 days.
 */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { areApart, type ServiceAnswer, STATS_WINDOW } from '../../outcomes/service-medians.ts';
import { DAY } from '../../runtime/units.ts';
import type { ExportManifest } from '../store/manifest.ts';
import { appendStats, inSuccession, readStatsLog } from '../store/stats-log.ts';
import type { BillingMonth } from './pace.ts';
import { concernsOneAnswer } from './purchases.ts';
import type { ExportSession } from './session.ts';

/** Of fewer cards in 30 days a median says too little for its price. */
const LEAST_CARDS = 20;

/** No more of the month's credits than this share. */
const SHARE = 1 / 20;

/** A type whose statistics could not be had is left alone for so long. */
const TRY_AGAIN_AFTER = 3 * DAY;

const { cost } = OPERATIONS.stats;

/** Screener types whose medians are to be asked for. */
interface Medians {
  /** Now; types with most cards first. */
  readonly due: readonly string[];
  /** Credits of those that become due before the month's credits are reset. */
  readonly later: number;
}

/**
 * Which medians are due. Pure.
 * @param byType cards of the last 30 days
 * @param answers that were kept, oldest first
 */
export function mediansOf(
  byType: ReadonlyMap<string, number>,
  answers: readonly ServiceAnswer[],
  { stats_failed }: Pick<ExportManifest, 'stats_failed'>,
  { limit, resetsAt, now }: BillingMonth,
): Medians {
  // An answer that is more than a day ahead is a wrong clock's: to wait for it could take for ever.
  const kept = answers.filter(({ at }) => at <= now + DAY);
  const last = new Map([...inSuccession(kept)].map(([type, all]) => [type, Math.min(now, all.at(-1)?.at ?? 0)]));
  const failed = (type: string) => Math.min(now, parseApiTime(stats_failed[type] ?? '') ?? 0);
  const isRunning = (type: string) => !areApart(last.get(type) ?? 0, now);
  const most = Math.floor((limit * SHARE) / cost);
  const running = [...last.keys()].filter(isRunning).length;
  const types = [...byType].filter(([, cards]) => cards >= LEAST_CARDS).sort(([, a], [, b]) => b - a);
  const wanted = types.map(([type]) => type).slice(0, most);
  const due = wanted.filter((type) => !isRunning(type) && now - failed(type) >= TRY_AGAIN_AFTER);
  const later = wanted.filter((type) => isRunning(type) && (last.get(type) ?? 0) + STATS_WINDOW < resetsAt);
  return { due: due.slice(0, Math.max(0, most - running)), later: cost * later.length };
}

/**
 * Asks for the medians that are due, as far as the credits beyond the list's allow.
 * @param forList credits that the list needs until the reset
 * @returns credits that the medians to come before the reset will cost
 * @throws ScreenerError of the client or the disk
 */
export async function keepMedians(
  session: ExportSession,
  byType: ReadonlyMap<string, number>,
  forList: number,
): Promise<number> {
  const { directory, manifest } = session.history;
  const answers = await readStatsLog(directory);
  const { due, later } = mediansOf(byType, answers, manifest, session.month());
  for (const type of due) {
    if (session.account.left().credits < cost || session.month().credits - forList < cost) break;
    const at = session.clock.now();
    try {
      const stats = await session.callOnce('stats', { screener_type: type });
      await appendStats(directory, { at, type, stats });
      session.counts.medians += 1;
    } catch (error) {
      if (!concernsOneAnswer(error) || error.retryAfter !== undefined) throw error;
      await session.save({ kind: 'stats-failed', type, at: formatApiTime(at) });
      session.notes.note(`No statistics of ${type}, asked for again in some days: ${error.message}`);
      // The next ones might cost as much for nothing.
      break;
    }
  }
  return later;
}
