/** What a run is to do with the credits there are: Budget -> Shares -> Pace. */
import { OPERATIONS } from '../../api/operations.ts';
import { DAY, utcDay } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { readStatsLog } from '../store/answers.ts';
import { monthOf } from '../store/layout.ts';
import type { ExportManifest } from '../store/manifest.ts';
import { type Budget, readBudget } from './budget.ts';
import { listTurn } from './list-turn.ts';
import {
  FITTING_DAYS,
  type MediansEvidence,
  type MediansPlan,
  NEARLY_ALL,
  planMedians,
  SITTING,
} from './medians.ts';
import { foresee, MONTH_DAYS, type Outlook } from './outlook.ts';
import { outcomesToday, type Pace, paceOf, UNPACED } from './pace.ts';
import type { ExportOptions } from './session.ts';
import { listPagesPerDay, type Shares, sharesOf } from './shares.ts';
import { type Due, type OutcomeShare, type Survey, surveyCards } from './survey.ts';
import type { WorkingHistory } from './working-history.ts';

/** With fewer outcomes the error of a median cannot be told, so that medians would be asked for in vain. */
const FIRST_OUTCOMES = 40;

/** What is asked for beside cards. */
export interface OtherRequests {
  readonly screeners: boolean;
  /** Types of which the medians are asked, in this order. */
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

/** What a plan is made from. */
interface Basis {
  readonly survey: Survey;
  readonly manifest: ExportManifest;
  readonly options: ExportOptions;
  readonly budget: Budget;
  /** Whether settings are asked for in this run. */
  readonly screeners: boolean;
  /** Outcomes that this run buys whatever the day's share is. */
  readonly firstOutcomes: number;
}

/** What is left for outcomes beside all else, and the pace that follows. */
interface OutcomesPlan {
  /** Credits a day. */
  readonly list: number;
  readonly shares: Shares;
  readonly pace: Pace;
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
  const answers = await readStatsLog(history.directory, now);
  const basis: Basis = {
    survey,
    manifest,
    options,
    budget: readBudget(account, manifest, now),
    screeners: isSettingsTurn(manifest, options, now),
    firstOutcomes: firstOutcomesOf(survey, answers, options),
  };
  const { budget, screeners, firstOutcomes } = basis;
  const withoutMedians = planOutcomes(basis, 0, false);
  // Answers of this sitting may have to be asked for again.
  const isSitting = answers.some(({ at }) => at >= now - SITTING);
  const evidence: MediansEvidence = {
    survey,
    answers,
    cards: isSitting ? await cardsSince(history, now - FITTING_DAYS * DAY) : [],
    refused: manifest.refused,
    isAllBought: isNearlyBought(survey, options, withoutMedians.pace, budget),
  };
  const medians = planMedians(evidence, budget, options);
  const types = affordable(medians, budget, firstOutcomes, withoutMedians.list);
  const creditsForTypes = OPERATIONS.stats.cost * types.length;
  const forMedians = creditsForTypes + medians.creditsLater;
  // The list is cheaper where the credits do not cover what is due.
  const isScarce = planOutcomes(basis, forMedians, false).pace.perDay !== null;
  const plan = planOutcomes(basis, forMedians, isScarce);
  const isKnown = account.known().access !== undefined;
  return {
    survey,
    others: { screeners, types, credits: creditsForTypes + Number(screeners) },
    medians,
    pace: plan.pace,
    listAt: isScarce ? listTurn(manifest, options, survey.cardsPerDay) : undefined,
    outlook: isKnown ? outlookOf(basis, plan, medians) : undefined,
  };
}

/** Before medians are asked for the first time: what is still missing of the outcomes that they need beside them. */
function firstOutcomesOf(
  { at: now, due, share }: Survey,
  answers: readonly ServiceAnswer[],
  { stats, outcomes }: ExportOptions,
): number {
  const isFirstSitting = stats && outcomes && answers.every(({ at }) => at > now - DAY);
  if (!isFirstSitting) return 0;
  return Math.min(due.length, Math.max(0, FIRST_OUTCOMES - share.bought));
}

/**
 * @param forMedians credits, now and until the reset
 * @param isScarce whether the list is read only when it is worth it
 */
function planOutcomes(
  { survey, manifest, options, budget, screeners, firstOutcomes }: Basis,
  forMedians: number,
  isScarce: boolean,
): OutcomesPlan {
  const list = listPagesPerDay(survey, manifest, isScarce);
  const forSettings = screeners ? OPERATIONS.screeners.cost : 0;
  const forSettingsAndMedians = forMedians + forSettings;
  const shares = sharesOf(budget, { listPerDay: list, forSettingsAndMedians, firstOutcomes });
  const pace = options.allCredits ? UNPACED : paceOf(survey, manifest, shares, budget.resetsAt);
  return { list, shares, pace };
}

/** After the reset a month has its whole limit, less the same list, medians and others. */
function outlookOf(
  { survey, manifest, budget }: Basis,
  { list, shares }: OutcomesPlan,
  { creditsPerDay }: MediansPlan,
): Outlook {
  const { othersPerDay, perDay, perMonth, resetsAt } = budget;
  const besides = list + creditsPerDay;
  return foresee(survey, {
    resetsAt,
    forOutcomes: shares.forOutcomes,
    boughtToday: outcomesToday(manifest.days, survey.at),
    afterwards: perMonth - MONTH_DAYS * (besides + othersPerDay),
    mostPerDay: perDay - besides - othersPerDay,
    besides,
  });
}

/** Settings are asked for once a UTC day, also where they were refused. */
function isSettingsTurn(
  { screeners_at, refused }: ExportManifest,
  { screeners }: ExportOptions,
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

/** How many outcomes there are to buy, and how many were bought. Times in epoch milliseconds UTC. */
interface BoughtEvidence {
  readonly at: number;
  readonly due: readonly Pick<Due, 'at' | 'isBought'>[];
  readonly share: Pick<OutcomeShare, 'days' | 'due' | 'bought'>;
}

/** Whether nine in ten of the outcomes that came due lately are bought, or will be at the end of this run. */
export function isNearlyBought(
  { due, share, at: now }: BoughtEvidence,
  { outcomes }: Pick<ExportOptions, 'outcomes'>,
  pace: Pick<Pace, 'now'>,
  { forThisRun }: Pick<Budget, 'forThisRun'>,
): boolean {
  const open = due.filter(({ at, isBought }) => !isBought && at >= now - share.days * DAY).length;
  const buys = outcomes ? Math.min(open, pace.now, forThisRun) : 0;
  return share.due > 0 && share.bought + buys >= NEARLY_ALL * share.due;
}

/** The types that the credits suffice for, once the first outcomes are bought. */
function affordable(
  { due }: MediansPlan,
  { forThisRun, untilReset, daysLeft }: Budget,
  firstOutcomes: number,
  list: number,
): readonly string[] {
  const credits = Math.min(forThisRun, untilReset - Math.ceil(daysLeft * list)) - firstOutcomes;
  return due.slice(0, Math.max(0, Math.floor(credits / OPERATIONS.stats.cost)));
}
