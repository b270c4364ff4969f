/** What a run is to do with the credits there are: Budget -> Shares -> Pace. */
import { OPERATIONS } from '../../api/operations.ts';
import { DAY, utcDay } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { readStatsLog } from '../store/answers.ts';
import { monthOf } from '../store/layout.ts';
import type { ExportManifest } from '../store/manifest.ts';
import { type Budget, readBudget } from './budget.ts';
import { listTurn } from './list-turn.ts';
import { FITTING_DAYS, type MediansPlan, NEARLY_ALL, planMedians, SITTING } from './medians.ts';
import { foresee, MONTH_DAYS, type Outlook } from './outlook.ts';
import { outcomesToday, type Pace, paceOf, UNPACED } from './pace.ts';
import type { ExportOptions } from './session.ts';
import { listPerDay, sharesOf } from './shares.ts';
import { type Survey, surveyCards } from './survey.ts';
import type { WorkingHistory } from './working-history.ts';

/** With fewer outcomes the error of a median cannot be told, so that medians would be asked for in vain. */
const FIRST_OUTCOMES = 40;

/** What is asked for beside cards. */
export interface OtherRequests {
  readonly screeners: boolean;
  /** Types of which the medians are asked, in that order. */
  readonly types: readonly string[];
  readonly credits: number;
}

export interface RunPlan {
  readonly survey: Survey;
  readonly others: OtherRequests;
  readonly medians: MediansPlan;
  readonly pace: Pace;
  /** When the list is worth reading, epoch milliseconds UTC; undefined: now. */
  readonly listAt: number | undefined;
  /** Undefined if `/access` was never asked. */
  readonly outlook: Outlook | undefined;
}

/** @param now epoch milliseconds UTC @throws ScreenerError storage */
export async function planRun(
  account: Account,
  history: WorkingHistory,
  options: ExportOptions,
  now: number,
): Promise<RunPlan> {
  const { manifest } = history;
  const survey = await surveyCards(history, now);
  const budget = readBudget(account, manifest, now);
  const screeners = isSettingsTurn(manifest, options, now);
  const { stats = false, outcomes, allCredits = false } = options;
  const answers = await readStatsLog(history.directory, now);
  // Answers of this sitting may have to be asked for again.
  const isSitting = answers.some(({ at }) => at >= now - SITTING);
  const isFirstSitting = stats && outcomes && answers.every(({ at }) => at > now - DAY);
  const missing = Math.max(0, FIRST_OUTCOMES - survey.share.bought);
  const firstOutcomes = isFirstSitting ? Math.min(survey.due.length, missing) : 0;

  /** @param creditsBeside for medians, now and until the reset */
  const plan = (creditsBeside: number, isScarce: boolean) => {
    const list = listPerDay(survey, manifest, isScarce);
    const beside = Number(screeners) + creditsBeside;
    const shares = sharesOf(budget, { listPerDay: list, beside, firstOutcomes });
    const pace = allCredits ? UNPACED : paceOf(survey, manifest, shares, budget.resetsAt);
    return { list, shares, pace };
  };
  const withoutMedians = plan(0, false);
  const medians = planMedians(
    {
      survey,
      answers,
      cards: isSitting ? await cardsSince(history, now - FITTING_DAYS * DAY) : [],
      refused: manifest.refused,
      isAllBought: isNearlyBought(survey, options, withoutMedians.pace, budget),
    },
    budget,
    options,
  );
  const types = affordable(medians, budget, firstOutcomes, withoutMedians.list);
  const creditsBeside = OPERATIONS.stats.cost * types.length + medians.creditsLater;
  // The list is cheaper where the credits do not cover what is due.
  const isScarce = plan(creditsBeside, false).pace.perDay !== null;
  const { list, shares, pace } = plan(creditsBeside, isScarce);
  const besides = list + medians.creditsPerDay;
  const { ofOthersPerDay, perDay, perMonth, resetsAt } = budget;
  const outlook = foresee(survey, {
    resetsAt,
    forOutcomes: shares.forOutcomes,
    boughtToday: outcomesToday(manifest.days, now),
    afterwards: perMonth - MONTH_DAYS * (besides + ofOthersPerDay),
    mostPerDay: perDay - besides - ofOthersPerDay,
    besides,
  });
  return {
    survey,
    others: {
      screeners,
      types,
      credits: OPERATIONS.stats.cost * types.length + Number(screeners),
    },
    medians,
    pace,
    listAt: isScarce ? listTurn(manifest, options, survey.cardsPerDay) : undefined,
    outlook: account.known().access === undefined ? undefined : outlook,
  };
}

/** Settings are asked for once a UTC day, also where they were refused. */
function isSettingsTurn(
  { screeners_at, refused }: ExportManifest,
  { screeners = false }: ExportOptions,
  now: number,
): boolean {
  const looks = [screeners_at, refused.screeners];
  return screeners && !looks.some((time) => time?.startsWith(utcDay(now)));
}

/** The cards listed from `since` on. @throws ScreenerError storage */
async function cardsSince({ months, manifest }: WorkingHistory, since: number) {
  for (const month of Object.keys(manifest.months))
    if (month >= monthOf(since)) await months.open(month);
  return months.cards.filter(({ at }) => at >= since);
}

/** Whether nine in ten of the outcomes that came due lately are bought, or will be at the end of this run. */
function isNearlyBought(
  { due, share, at: now }: Survey,
  { outcomes }: ExportOptions,
  pace: Pace,
  { ofRun }: Budget,
): boolean {
  const open = due.filter(({ at, isBought }) => !isBought && at >= now - share.days * DAY).length;
  const buys = outcomes ? Math.min(open, pace.now, ofRun) : 0;
  return share.due > 0 && share.bought + buys >= NEARLY_ALL * share.due;
}

/** The types that the credits suffice for, once the first outcomes are bought. */
function affordable(
  { due }: MediansPlan,
  { ofRun, untilReset, daysLeft }: Budget,
  firstOutcomes: number,
  list: number,
): readonly string[] {
  const credits = Math.min(ofRun, untilReset - Math.ceil(daysLeft * list)) - firstOutcomes;
  return due.slice(0, Math.max(0, Math.floor(credits / OPERATIONS.stats.cost)));
}
