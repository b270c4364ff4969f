/** How a run divides its credits: first the budget, then the shares of list, settings, medians and outcomes, then the pace. */
import { OPERATIONS } from '../../api/operations.ts';
import { at } from '../../api/time.ts';
import { DAY, utcDay } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { NEARLY_ALL, type ServiceAnswer, SITTING } from '../../outcomes/service-answers.ts';
import { readStatsLog } from '../store/answers.ts';
import { monthOf } from '../store/layout.ts';
import { type ExportManifest, listedUntil } from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import { type Budget, readBudget } from './budget.ts';
import type { ExportOptions } from './export-run.ts';
import { listDueAt } from './list-due.ts';
import { FITTING_DAYS, type MediansEvidence, type MediansPlan, planMedians } from './medians.ts';
import { foresee, MONTH_DAYS, type Outlook } from './outlook.ts';
import { outcomesToday, type Pace, paceOf, UNPACED } from './pace.ts';
import { type CreditShares, creditSharesOf, listPagesPerDay } from './shares.ts';
import { type BoughtOutcomes, type BuyableCard, type Survey, surveyCards } from './survey.ts';
import type { WorkingHistory } from './working-history.ts';

/** How many outcomes are bought before medians are first asked for. With fewer, it is not known how exact a median is. */
const FIRST_OUTCOMES = 40;

/** What this run asks for beside cards. */
export interface OtherRequests {
  /** Whether the run asks for the screeners' settings. */
  readonly asksSettings: boolean;
  /** Types whose medians the run asks for, in this order. */
  readonly types: readonly string[];
  /** What these requests cost. */
  readonly credits: number;
}

/** What a run does. */
export interface RunPlan {
  readonly survey: Survey;
  readonly others: OtherRequests;
  readonly medians: MediansPlan;
  readonly pace: Pace;
  /** Credits that are kept back for outcomes and settings while the newest part of the list is read. */
  readonly setAside: number;
  /** When the list will be worth reading, epoch milliseconds UTC; undefined if it is worth reading now. */
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
  /** Whether this run asks for the screeners' settings. */
  readonly asksSettings: boolean;
  /** Outcomes that the first medians still need. This run buys them even if the day's share allows fewer. */
  readonly firstOutcomes: number;
}

/** What a plan for outcomes assumes. */
interface PlanAssumptions {
  /** Credits for medians, now and until the reset. */
  readonly forMedians: number;
  /** Whether credits are scarce: the list is then read only when it is worth a credit. */
  readonly isScarce: boolean;
}

/** What is left for outcomes, and the pace that follows from it. */
interface OutcomesPlan {
  /** Credits a day for the list. */
  readonly listPerDay: number;
  readonly shares: CreditShares;
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
  const lackingOutcomes = outcomesLackingForMedians(survey, answers, options);
  const budget = readBudget(account, manifest, now);
  const asksSettings =
    isSettingsTurn(manifest, options, now) && !doSettingsWait(manifest, options, survey, budget);
  const basis: Basis = {
    survey,
    manifest,
    options,
    budget,
    asksSettings,
    firstOutcomes: Math.min(survey.buyable.length, lackingOutcomes),
  };
  const planWithoutMedians = planOutcomes(basis, { forMedians: 0, isScarce: false });
  // Exports ask for the medians of all types within a few days, a sitting. Only answers of the present sitting are compared with
  // the cards.
  const isSitting = answers.some(({ at }) => at >= now - SITTING);
  const evidence: MediansEvidence = {
    survey,
    answers,
    cards: isSitting ? await cardsSince(history, now - FITTING_DAYS * DAY) : [],
    refused: manifest.refused,
    isNearlyAllBought: willNearlyAllBeBought(survey, options, planWithoutMedians.pace, budget),
  };
  const medians = planMedians(evidence, budget, options);
  const types = affordableTypes(medians, basis, planWithoutMedians.listPerDay);
  const forMediansNow = OPERATIONS.stats.cost * types.length;
  const forMedians = forMediansNow + medians.creditsLater;
  // A pace is set only if the credits do not cover all outcomes. The list is then read less often, so that more credits are left
  // for outcomes.
  const usualPlan = planOutcomes(basis, { forMedians, isScarce: false });
  const isScarce = usualPlan.pace.perDay !== null;
  const plan = isScarce ? planOutcomes(basis, { forMedians, isScarce }) : usualPlan;
  const isKnown = account.known().access !== undefined;
  return {
    survey,
    others: { asksSettings, types, credits: forMediansNow + creditsForSettings(asksSettings) },
    medians,
    pace: plan.pace,
    setAside: setAsideByList(basis, plan.pace, lackingOutcomes),
    listAt: isScarce ? listDueAt(manifest, options, survey.cardsPerDay) : undefined,
    outlook: isKnown ? outlookOf(basis, plan, medians) : undefined,
  };
}

/**
 * How many outcomes are still to be bought before medians are first asked for. There are none:
 * - if this run asks for no medians, or buys no outcomes;
 * - if an answer is older than a day: the first medians have been asked for.
 */
function outcomesLackingForMedians(
  { now, boughtOfDue }: Survey,
  answers: readonly ServiceAnswer[],
  { stats, outcomes }: ExportOptions,
): number {
  const isFirstSitting = stats && outcomes && answers.every(({ at }) => at > now - DAY);
  return isFirstSitting ? Math.max(0, FIRST_OUTCOMES - boughtOfDue.bought) : 0;
}

/**
 * Credits that are kept back for outcomes and settings while the newest part of the list is read:
 * - before the first medians, enough for the outcomes that medians need;
 * - if the user limits a run, enough for all outcomes that can be bought now. Otherwise the list might take all credits every day.
 *
 * Never more than half of the credits is kept back, because only the list makes outcomes known. An odd credit is kept back if the
 * list was read since outcomes were last bought: otherwise a run with a single credit would read the list each time.
 * @param lackingOutcomes how many are still to be bought before medians are first asked for
 * @returns credits
 */
function setAsideByList(
  { survey, manifest, budget, asksSettings }: Basis,
  pace: Pace,
  lackingOutcomes: number,
): number {
  const outcomesNow = Math.min(survey.buyable.length, pace.mostThisRun);
  const outcomes = budget.isLimitedByUser
    ? Math.max(lackingOutcomes, outcomesNow)
    : lackingOutcomes;
  const wanted = outcomes === 0 ? 0 : outcomes + creditsForSettings(asksSettings);
  const { forThisRun } = budget;
  const round = isOutcomesTurn(lastListAt(manifest, survey.now), manifest) ? Math.ceil : Math.floor;
  return Math.min(wanted, round(forThisRun / 2));
}

/**
 * When the list was last read. If its pages come in no order, nothing counts as read before the last page has come. Then the last UTC
 * day counts on which something other than outcomes cost a credit.
 * @returns epoch milliseconds UTC; undefined if the list was never read
 */
function lastListAt(manifest: ExportManifest, now: number): number | undefined {
  const until = listedUntil(manifest, now);
  if (until !== undefined) return until;
  const lastDay = manifest.days.findLast(({ credits, outcomes }) => credits > outcomes);
  return lastDay === undefined ? undefined : Date.parse(lastDay.day);
}

/**
 * Whether settings wait for the next run: the user leaves a single credit for them and for outcomes, and settings were asked for
 * since outcomes were last bought.
 */
function doSettingsWait(
  manifest: ExportManifest,
  { outcomes }: ExportOptions,
  { buyable }: Survey,
  { forThisRun, isLimitedByUser }: Budget,
): boolean {
  const isSingleCredit = isLimitedByUser && forThisRun <= OPERATIONS.screeners.cost;
  const hasOutcomes = outcomes && buyable.length > 0;
  const { screeners_at } = manifest;
  const settingsAt = screeners_at === null ? undefined : at(screeners_at);
  return isSingleCredit && hasOutcomes && isOutcomesTurn(settingsAt, manifest);
}

/**
 * Whether outcomes come before another request that needs the same credit. They do if the other request was last sent on the UTC
 * day on which outcomes were last bought, or on a later day.
 * @param time when the other request was last sent, epoch milliseconds UTC; undefined if it never was
 */
function isOutcomesTurn(time: number | undefined, { days }: Pick<ExportManifest, 'days'>): boolean {
  if (time === undefined) return false;
  const lastDay = days.findLast(({ outcomes }) => outcomes > 0)?.day ?? '';
  return lastDay <= utcDay(time);
}

function planOutcomes(
  { survey, manifest, options, budget, asksSettings, firstOutcomes }: Basis,
  { forMedians, isScarce }: PlanAssumptions,
): OutcomesPlan {
  const listPerDay = listPagesPerDay(survey, manifest, isScarce);
  const forSettingsAndMedians = forMedians + creditsForSettings(asksSettings);
  const shares = creditSharesOf(budget, { listPerDay, forSettingsAndMedians });
  const sharesOfRun = { ...shares, firstOutcomes };
  const pace = options.allCredits
    ? UNPACED
    : paceOf(survey, manifest, sharesOfRun, budget.resetsAt);
  return { listPerDay, shares, pace };
}

/**
 * What exports will do. In a month after the reset, outcomes get the whole limit less what the list, medians and other programs
 * take at their present rates.
 */
function outlookOf(
  { survey, manifest, budget }: Basis,
  { listPerDay, shares }: OutcomesPlan,
  { creditsPerDay: mediansPerDay }: MediansPlan,
): Outlook {
  const { othersPerDay: otherProgramsPerDay, perDay, leftToday, perMonth, resetsAt } = budget;
  const listAndMediansPerDay = listPerDay + mediansPerDay;
  return foresee(survey, {
    resetsAt,
    creditsForOutcomes: shares.outcomesIfOthersSpendAsUsual,
    boughtEarlierToday: outcomesToday(manifest.days, survey.now),
    leftToday,
    creditsForOutcomesAfterReset:
      perMonth - MONTH_DAYS * (listAndMediansPerDay + otherProgramsPerDay),
    mostPerDay: perDay - listAndMediansPerDay - otherProgramsPerDay,
    otherCreditsPerDay: listAndMediansPerDay,
  });
}

/** Whether settings are asked for: once a UTC day. A refusal counts as the day's request, too. */
function isSettingsTurn(
  { screeners_at, refused }: ExportManifest,
  { screeners }: ExportOptions,
  now: number,
): boolean {
  const requestTimes = [screeners_at, refused.screeners];
  const wasAskedToday = requestTimes.some((time) => time?.startsWith(utcDay(now)));
  return screeners && !wasAskedToday;
}

function creditsForSettings(asksSettings: boolean): number {
  return asksSettings ? OPERATIONS.screeners.cost : 0;
}

/** The cards listed from `since` on. @throws ScreenerError storage */
async function cardsSince(
  { months, manifest }: WorkingHistory,
  since: number,
): Promise<KnownCard[]> {
  for (const month of Object.keys(manifest.months)) {
    if (month >= monthOf(since)) await months.open(month);
  }
  return months.cards.filter(({ at }) => at >= since);
}

/** How many outcomes there are to buy, and how many were bought. Times in epoch milliseconds UTC. */
interface BoughtEvidence {
  readonly now: number;
  readonly buyable: readonly Pick<BuyableCard, 'at' | 'isBought'>[];
  readonly boughtOfDue: Pick<BoughtOutcomes, 'days' | 'due' | 'bought'>;
}

/**
 * Whether nearly all outcomes (`NEARLY_ALL`) that came due in the last `boughtOfDue.days` days are bought, or will be at the end of
 * this run.
 */
export function willNearlyAllBeBought(
  { buyable, boughtOfDue, now }: BoughtEvidence,
  { outcomes }: Pick<ExportOptions, 'outcomes'>,
  pace: Pick<Pace, 'mostThisRun'>,
  { forThisRun }: Pick<Budget, 'forThisRun'>,
): boolean {
  const since = now - boughtOfDue.days * DAY;
  const unbought = buyable.filter(({ at, isBought }) => !isBought && at >= since).length;
  const buys = outcomes ? Math.min(unbought, pace.mostThisRun, forThisRun) : 0;
  return boughtOfDue.due > 0 && boughtOfDue.bought + buys >= NEARLY_ALL * boughtOfDue.due;
}

/** The types whose medians the credits pay for, after the list, settings and the first outcomes. */
function affordableTypes(
  { due }: MediansPlan,
  { budget, asksSettings, firstOutcomes }: Pick<Basis, 'budget' | 'asksSettings' | 'firstOutcomes'>,
  listPerDay: number,
): readonly string[] {
  const { forThisRun, creditsUntilReset, daysLeft } = budget;
  const forSettings = creditsForSettings(asksSettings);
  const creditsWithoutList = creditsUntilReset - Math.ceil(daysLeft * listPerDay);
  const credits = Math.min(forThisRun, creditsWithoutList) - forSettings - firstOutcomes;
  return due.slice(0, Math.max(0, Math.floor(credits / OPERATIONS.stats.cost)));
}
