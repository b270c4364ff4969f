/** What the credits allow a run, so that the list and every day until the reset have theirs. */
import { CREDITS_A_DAY, LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { parseApiTime } from '../../api/time.ts';
import { DAY, dayNumber, HOUR, utcDay } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { atMost, type DaySpending, resetOf, spentIn, usualPerDay } from '../../credits/usage.ts';
import {
  areApart,
  LEAST_OUTCOMES,
  lastSittings,
  type ServiceAnswer,
  STATS_WINDOW,
} from '../../outcomes/service-answers.ts';
import { readStatsLog } from '../store/answers.ts';
import { dueAfter, type ExportManifest } from '../store/manifest.ts';
import { foresee, MONTH_DAYS } from './outlook.ts';
import type { ExportOptions } from './session.ts';
import { type Survey, surveyCards } from './survey.ts';
import type { WorkingHistory } from './working-history.ts';

/** With fewer outcomes the error of a median cannot be told, so that medians would be asked for in vain. */
const FIRST_OUTCOMES = 40;

/** The share of the month's credits for medians. */
const SHARE = 1 / 20;

/** Lets a daily run ask again for a type that was refused. */
const TRY_AGAIN_AFTER = 20 * HOUR;

const { cost } = OPERATIONS.stats;

export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/** @returns `others`: asked for beside cards; `outlook`: if `/access` was ever asked @throws ScreenerError storage */
export async function planRun(
  account: Account,
  history: WorkingHistory,
  options: ExportOptions,
  now: number,
) {
  const { directory, manifest } = history;
  const survey = await surveyCards(history, now);
  const { access, daily, dailyLeft, days, monthByLedger, monthLeft } = account.known();
  const isKnown = access !== undefined && monthLeft !== undefined;
  const { left, resetsAt } = isKnown
    ? { left: monthLeft, resetsAt: resetOf(access.credits, now) }
    : monthByLedger;
  const limit = access?.credits.limit ?? LIMITS.creditsPerMonth;
  const mostADay = Math.min(daily ?? CREDITS_A_DAY, CREDITS_A_DAY);
  const daysLeft = Math.max(0, resetsAt - now) / DAY;
  const wholeDays = Math.max(0, Math.ceil(resetsAt / DAY) - dayNumber(now) - 1);
  const forList = listPerDay(survey, manifest);
  const elsewhere = othersPerDay(days, manifest.days, now);
  const answers = await readStatsLog(directory, now);
  const beyondList =
    Math.min(left - account.keep, dailyLeft + wholeDays * mostADay) - Math.ceil(daysLeft * forList);
  const medians = mediansOf(survey, options, {
    answers,
    refused: manifest.refused,
    limit,
    resetsAt,
  });
  const isFirstSitting =
    options.stats && options.outcomes && answers.every(({ at }) => at > now - DAY);
  const first = isFirstSitting
    ? Math.min(survey.due.length, Math.max(0, FIRST_OUTCOMES - survey.share.bought))
    : 0;
  const forMedians = Math.min(account.left().credits, beyondList) - first;
  const types = medians.due.slice(0, Math.max(0, Math.floor(forMedians / cost)));
  const looks = [manifest.screeners_at, manifest.refused.screeners];
  const screeners =
    options.screeners === true && !looks.some((time) => time?.startsWith(utcDay(now)));
  const others = { screeners, types, credits: cost * types.length + Number(screeners) };
  const credits = Math.max(0, beyondList - others.credits - medians.later);
  // Since that answer they have gone on, too.
  const daysOfOthers = Math.max(0, resetsAt - (isKnown ? Math.min(access.at, now) : now)) / DAY;
  const forOutcomes = Math.max(0, credits - Math.ceil(daysOfOthers * elsewhere));
  const pace = options.allCredits
    ? UNPACED
    : paceOf(survey, manifest, { credits, forOutcomes, first, resetsAt });
  const besides = forList + medians.perDay;
  const mostPerDay = mostADay - besides - elsewhere;
  const afterwards = limit - account.keep - MONTH_DAYS * (besides + elsewhere);
  const boughtToday = outcomesOf(manifest, now);
  const outlook =
    access &&
    foresee(survey, { resetsAt, forOutcomes, boughtToday, afterwards, mostPerDay, besides });
  return { survey, others, pace, outlook };
}

/** @returns types with most outcomes first, those refused last; credits until the reset, and usually a day */
function mediansOf(
  { dueByType, at: now }: Survey,
  { stats }: Pick<ExportOptions, 'stats'>,
  given: Pick<ExportManifest, 'refused'> & {
    answers: readonly ServiceAnswer[];
    limit: number;
    resetsAt: number;
  },
) {
  const { answers, refused, limit, resetsAt } = given;
  const last = lastSittings(answers, now);
  const failed = (type: string) => parseApiTime(refused[`stats ${type}`] ?? '') ?? 0;
  const isRunning = (type: string) => !areApart(last.get(type) ?? 0, now);
  const most = Math.floor((limit * SHARE) / cost);
  const running = [...last.keys()].filter(isRunning).length;
  const types = [...(stats ? dueByType : [])]
    .filter(([, outcomes]) => outcomes >= LEAST_OUTCOMES)
    .sort(([, a], [, b]) => b - a);
  const wanted = types.map(([type]) => type).slice(0, most);
  const due = wanted
    .filter((type) => !isRunning(type) && now - failed(type) >= TRY_AGAIN_AFTER)
    .sort((a, b) => failed(a) - failed(b));
  const later = wanted.filter(
    (type) => isRunning(type) && (last.get(type) ?? 0) + STATS_WINDOW < resetsAt,
  );
  return {
    due: due.slice(0, Math.max(0, most - running)),
    later: cost * later.length,
    perDay: (cost * wanted.length) / MONTH_DAYS,
  };
}

const UNPACED = { now: Number.POSITIVE_INFINITY, perDay: null };

/**
 * @param given `forOutcomes`: without what others usually spend; `first`: outcomes that do not wait
 * @returns outcomes `now`, and a day until the reset; UNPACED if the credits cover everything
 */
function paceOf(
  { due, later, cardsPerDay, at: now }: Survey,
  { lateness, days }: ExportManifest,
  given: Readonly<Record<'credits' | 'forOutcomes' | 'first' | 'resetsAt', number>>,
) {
  const { credits, forOutcomes, first, resetsAt } = given;
  const until = Math.max(0, resetsAt - now);
  const known = later.filter((at) => at < resetsAt).length;
  const expected = Math.round((Math.max(0, until - dueAfter(lateness)) / DAY) * cardsPerDay);
  if (due.length + known + expected <= forOutcomes) return UNPACED;
  const bought = outcomesOf({ days }, now);
  const daysLeft = Math.max(1, Math.ceil(resetsAt / DAY) - dayNumber(now));
  const perDay = (forOutcomes + bought) / daysLeft;
  // Fewer credits than days, or others who usually spend all: one a day while they last.
  const most = Math.max(Math.floor(perDay), Math.min(1, credits + bought));
  return { now: Math.max(0, most - bought, Math.min(first, credits)), perDay };
}

/** How many were bought on this UTC day. */
function outcomesOf({ days }: Pick<ExportManifest, 'days'>, now: number): number {
  return days.find(({ day }) => day === utcDay(now))?.outcomes ?? 0;
}

function listPerDay({ cardsPerDay, at: now }: Survey, { days }: ExportManifest): number {
  const runs = days.filter(({ day }) => day !== utcDay(now)).map((one) => one.runs);
  const runsPerDay = Math.max(1, runs.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 1);
  return cardsPerDay / LIMITS.cardsPerPage + runsPerDay + 1;
}

/** What is usually spent on a day beside the exports into this history, here and elsewhere. */
function othersPerDay(
  spending: readonly DaySpending[],
  done: ExportManifest['days'],
  now: number,
): number {
  const exported = new Map(
    done.map(({ day, credits, outcomes, runs }) => [day, Math.max(credits, outcomes + runs)]),
  );
  const besideExports = ({ day, operations, elsewhere }: DaySpending) => {
    const own = atMost(spentIn(operations)) - (exported.get(utcDay(day * DAY)) ?? 0);
    return elsewhere + Math.max(0, own);
  };
  return usualPerDay(spending, dayNumber(now), besideExports) ?? 0;
}
