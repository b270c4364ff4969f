/** Settings once a day, the service's medians of each screener type once in 30 days: what is due. Pure. */
import { OPERATIONS } from '../../api/operations.ts';
import { parseApiTime } from '../../api/time.ts';
import { areApart, inSuccession, type ServiceAnswer, STATS_WINDOW } from '../../outcomes/service-answers.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import { type ExportManifest, isScreenersDue } from '../store/manifest.ts';
import { type BillingMonth, listCredits } from './pace.ts';
import type { ExportOptions } from './session.ts';
import type { Survey } from './survey.ts';

const LEAST_OUTCOMES = 20;

const SHARE = 1 / 20;

/** Lets a daily run ask again for a type that was refused. */
const TRY_AGAIN_AFTER = 20 * HOUR;

const { cost } = OPERATIONS.stats;

export interface Others {
  readonly screeners: boolean;
  /** Types whose medians are asked for: with most outcomes first, those that were refused last. */
  readonly types: readonly string[];
  readonly credits: number;
  /** Credits of medians due later, before the month's credits are reset. */
  readonly later: number;
}

/**
 * Plans what the credits beyond the list's allow.
 * @param answers that were kept, oldest first
 * @param left credits that this run may spend
 */
export function planOthers(
  survey: Survey,
  manifest: ExportManifest,
  answers: readonly ServiceAnswer[],
  options: ExportOptions,
  { month, left }: { readonly month: BillingMonth; readonly left: number },
): Others {
  const screeners = options.screeners === true && isScreenersDue(manifest, month.now);
  const { due, later } = options.stats ? mediansOf(survey, answers, manifest, month) : { due: [], later: 0 };
  const beyondList = month.credits - listCredits(survey, manifest, month);
  const types = due.slice(0, Math.max(0, Math.floor(Math.min(left, beyondList) / cost)));
  return { screeners, types, credits: cost * types.length + Number(screeners), later };
}

function mediansOf(
  { dueByType }: Survey,
  answers: readonly ServiceAnswer[],
  { refused }: ExportManifest,
  { limit, resetsAt, now }: BillingMonth,
) {
  const kept = answers.filter(({ at }) => at <= now + DAY);
  const last = new Map([...inSuccession(kept)].map(([type, all]) => [type, Math.min(now, all.at(-1)?.at ?? 0)]));
  const failed = (type: string) => Math.min(now, parseApiTime(refused[`stats ${type}`] ?? '') ?? 0);
  const isRunning = (type: string) => !areApart(last.get(type) ?? 0, now);
  const most = Math.floor((limit * SHARE) / cost);
  const running = [...last.keys()].filter(isRunning).length;
  const types = [...dueByType].filter(([, outcomes]) => outcomes >= LEAST_OUTCOMES).sort(([, a], [, b]) => b - a);
  const wanted = types.map(([type]) => type).slice(0, most);
  const due = wanted
    .filter((type) => !isRunning(type) && now - failed(type) >= TRY_AGAIN_AFTER)
    .sort((a, b) => failed(a) - failed(b));
  const later = wanted.filter((type) => isRunning(type) && (last.get(type) ?? 0) + STATS_WINDOW < resetsAt);
  return { due: due.slice(0, Math.max(0, most - running)), later: cost * later.length };
}
