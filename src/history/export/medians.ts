/**
 * Which types' medians (`/signal-stats`) are asked for, and how often. All types with enough outcomes are asked for every 30
 * days. With what remains of a tenth of the month's credits, the commonest are asked for every 15 days.
 */
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { DAY, HOUR, nextDay } from '../../base/units.ts';
import {
  LEAST_FOR_MEDIANS,
  RUN_MAY_BE_EARLY,
  type ServiceAnswer,
  STATS_WINDOW,
} from '../../outcomes/service-answers.ts';
import { isFinal } from '../store/final.ts';
import type { ExportManifest, MediansOfType } from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import type { Budget } from './budget.ts';
import type { ExportOptions } from './export-run.ts';
import type { Survey } from './survey.ts';

const { cost } = OPERATIONS.stats;

/** The share of the month's credits that medians may take. */
const SHARE = 1 / 10;

/** Days between two answers of a type. */
const OFTEN = 15;
const SELDOM = 30;

/** How long a type that was refused waits, milliseconds: less than a day, so that a daily run asks again. */
const AGAIN_AFTER_REFUSAL = 20 * HOUR;

/**
 * How long after the first answer that does not fit the type is asked again, and once more, milliseconds. Each is four hours
 * less than whole days, because a daily run may be early. After that only the next sitting asks.
 */
const AGAIN_AFTER_UNFIT = [DAY - 4 * HOUR, 3 * DAY - 4 * HOUR];

/** The length of a sitting, milliseconds: answers of a type that are no further apart belong to one sitting. */
export const SITTING = 4 * DAY;

/** Days: an answer of the last sitting counts no older cards. */
export const FITTING_DAYS = (STATS_WINDOW + SITTING) / DAY;

/** What medians are to be asked for. */
export interface MediansPlan {
  /** Types to ask for now, in this order. */
  readonly due: readonly string[];
  /** Credits for the answers that come due later, until the reset. */
  readonly creditsLater: number;
  /** Credits a day, on average. */
  readonly creditsPerDay: number;
  /** Every type with a card, for `export.json`. */
  readonly types: Readonly<Record<string, MediansOfType>>;
}

/** What the plan is made from. */
export interface MediansEvidence {
  readonly survey: Pick<Survey, 'at' | 'dueByType' | 'mediansFrom'>;
  /** Oldest first. */
  readonly answers: readonly ServiceAnswer[];
  /** The cards of the last `FITTING_DAYS`, in any order. */
  readonly cards: readonly Pick<KnownCard, 'at' | 'type'>[];
  readonly refused: ExportManifest['refused'];
  /** Whether nearly all due outcomes are bought, or will be in this run. */
  readonly isAllBought: boolean;
}

interface TypeSchedule {
  readonly type: string;
  readonly everyDays: number;
  /** When the next answer is due, epoch milliseconds UTC. */
  readonly next: number;
  /** When the type was last refused, epoch milliseconds UTC; undefined if it never was. */
  readonly refusedAt: number | undefined;
}

/** Why no type is asked for, or one is not. */
type WhyNone = Exclude<MediansOfType['why_not'], null>;

export function planMedians(
  evidence: MediansEvidence,
  { limit, resetsAt }: Pick<Budget, 'limit' | 'resetsAt'>,
  options: Pick<ExportOptions, 'stats' | 'focus'>,
): MediansPlan {
  const now = evidence.survey.at;
  const whyNone = reasonForNone(evidence, options);
  const schedules = whyNone === undefined ? schedulesOf(evidence, limit) : [];
  const answersLater = schedules.map((schedule) => answersUntil(schedule, resetsAt, now));
  const ratesPerDay = schedules.map(({ everyDays }) => 1 / everyDays);
  return {
    due: dueTypes(schedules, now, options.focus),
    creditsLater: cost * sum(answersLater),
    creditsPerDay: cost * sum(ratesPerDay),
    types: typesInManifest(evidence, schedules, whyNone ?? 'few_outcomes'),
  };
}

/** @returns undefined if medians are asked for */
function reasonForNone(
  { isAllBought }: MediansEvidence,
  { stats }: Pick<ExportOptions, 'stats'>,
): WhyNone | undefined {
  if (!stats) return 'switched_off';
  return isAllBought ? 'all_bought' : undefined;
}

/** The commonest type first. */
function byOutcomes({ survey }: MediansEvidence): (readonly [type: string, outcomes: number])[] {
  return [...survey.dueByType].sort(([, a], [, b]) => b - a);
}

/** Types with enough outcomes, the commonest first: as many of them often as a tenth of the month's credits allows. */
function schedulesOf(evidence: MediansEvidence, limit: number): TypeSchedule[] {
  const enough = byOutcomes(evidence).filter(([, outcomes]) => outcomes >= LEAST_FOR_MEDIANS);
  const answersAMonth = Math.floor((limit * SHARE) / cost);
  // A type takes one answer a month, or two if it is asked for often. The answers left over are for so many types.
  const oftenAsked = Math.max(0, answersAMonth - enough.length);
  const answersOf = groupBy(evidence.answers, ({ type }) => type);
  return enough.map(([type], rank) => {
    const everyDays = rank < oftenAsked ? OFTEN : SELDOM;
    const next = nextAnswer(answersOf.get(type) ?? [], everyDays, evidence);
    const refused = evidence.refused[`stats ${type}`];
    return { type, everyDays, next, refusedAt: parseApiTime(refused ?? '') };
  });
}

/** The types that are due. Those never refused come first, then those refused longest ago; among equals those of --focus. */
function dueTypes(
  schedules: readonly TypeSchedule[],
  now: number,
  focus: readonly string[] = [],
): string[] {
  const isDue = ({ next, refusedAt }: TypeSchedule) =>
    next <= now && (refusedAt === undefined || now - refusedAt >= AGAIN_AFTER_REFUSAL);
  const refusal = ({ refusedAt = 0 }: TypeSchedule) => refusedAt;
  const isInFocus = ({ type }: TypeSchedule) => focus.length === 0 || focus.includes(type);
  return schedules
    .filter(isDue)
    .sort((a, b) => refusal(a) - refusal(b) || Number(isInFocus(b)) - Number(isInFocus(a)))
    .map(({ type }) => type);
}

/** @param whyNot why a type without a schedule is not asked for */
function typesInManifest(
  evidence: MediansEvidence,
  schedules: readonly TypeSchedule[],
  whyNot: WhyNone,
): Readonly<Record<string, MediansOfType>> {
  const answersOf = groupBy(evidence.answers, ({ type }) => type);
  const types = new Map<string, MediansOfType>();
  for (const [type, outcomes] of byOutcomes(evidence)) {
    const last = answersOf.get(type)?.at(-1);
    const asked_at = last === undefined ? null : formatApiTime(last.at);
    const schedule = schedules.find((candidate) => candidate.type === type);
    if (schedule === undefined) {
      types.set(type, { outcomes, every_days: null, why_not: whyNot, asked_at, next_at: null });
      continue;
    }
    const next_at = formatApiTime(Math.max(evidence.survey.at, schedule.next));
    const { everyDays: every_days } = schedule;
    types.set(type, { outcomes, every_days, why_not: null, asked_at, next_at });
  }
  return Object.fromEntries(types);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How many answers of a type come due after now and until the reset; times in epoch milliseconds UTC. */
function answersUntil({ everyDays, next }: TypeSchedule, resetsAt: number, now: number): number {
  const first = next <= now ? now + everyDays * DAY : next;
  if (first >= resetsAt) return 0;
  return 1 + Math.floor((resetsAt - first) / (everyDays * DAY));
}

/**
 * When a type is asked for the next time.
 * @param answers of one type, oldest first
 * @returns epoch milliseconds UTC
 */
function nextAnswer(
  answers: readonly ServiceAnswer[],
  everyDays: number,
  { cards, survey }: MediansEvidence,
): number {
  const last = answers.at(-1);
  if (last === undefined) return survey.mediansFrom;
  // The run on that day may begin some seconds earlier than this one: it is not to leave the answer to the next day.
  const nextSitting = last.at + everyDays * DAY - RUN_MAY_BE_EARLY;
  const unfit = latestUnfit(answers, last, cards);
  const [firstUnfit] = unfit;
  const isSittingOver = survey.at - last.at > SITTING;
  if (firstUnfit === undefined || isSittingOver) return nextSitting;
  const wait = AGAIN_AFTER_UNFIT[unfit.length - 1];
  if (wait !== undefined) return firstUnfit.at + wait;
  // After these waits the sitting is over, unless all answers came on one day, because the user asked for some.
  const observations = { first: formatApiTime(firstUnfit.at), last: formatApiTime(last.at) };
  return isFinal('medians_unfit', observations) ? nextSitting : nextDay(firstUnfit.at);
}

/** The answers of the last sitting that do not fit the list, and came after the last one that fits. Oldest first. */
function latestUnfit(
  answers: readonly ServiceAnswer[],
  last: ServiceAnswer,
  cards: MediansEvidence['cards'],
): readonly ServiceAnswer[] {
  const sitting = answers.filter(({ at }) => last.at - at <= SITTING);
  const lastFitting = sitting.findLastIndex((answer) => fitsList(answer, cards));
  return sitting.slice(lastFitting + 1);
}

/** Whether an answer is fresh, and counts about as many outcomes as the list has cards of its type in its 30 days. */
export function fitsList(
  { at, type, stats }: ServiceAnswer,
  cards: readonly Pick<KnownCard, 'at' | 'type'>[],
): boolean {
  if (stats.stale) return false;
  const listed = cards.filter(
    (card) => card.type === type && card.at > at - STATS_WINDOW && card.at <= at,
  ).length;
  const expected = stats.sample_limited ? Math.min(listed, stats.sampled_rows) : listed;
  const { sample, pending, missing } = stats.horizons[MAIN_HORIZON];
  // A tenth of a small answer is a card or two, which may be missing by chance: the root allows for more.
  const tolerance = Math.max(expected / 10, Math.sqrt(expected));
  return Math.abs(sample + pending + missing - expected) <= tolerance;
}
