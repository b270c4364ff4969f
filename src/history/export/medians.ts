/**
 * Which types' medians (`/signal-stats`) are asked for, and how often. All types with enough outcomes are asked for every 30
 * days. With what remains of a tenth of the month's credits, the commonest are asked for every 15 days.
 */
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { DAY, HOUR } from '../../base/units.ts';
import {
  LEAST_FOR_MEDIANS,
  RUN_MAY_BE_EARLY,
  type ServiceAnswer,
  SITTING,
  STATS_WINDOW,
} from '../../outcomes/service-answers.ts';
import { isFinal, secondObservationFrom } from '../store/final.ts';
import type { ExportManifest, MediansOfType } from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import type { Budget } from './budget.ts';
import type { ExportOptions } from './export-run.ts';
import type { Survey } from './survey.ts';

const { cost } = OPERATIONS.stats;

/** The share of the month's credits that medians may take. */
const MOST_OF_MONTH = 1 / 10;

/** Days between two answers about one of the commonest types. */
const DAYS_IF_COMMON = 15;

/** Days between two answers about any other type: as many as an answer covers. */
const DAYS_IF_RARE = 30;

/**
 * After a refusal a type is not asked for again for this time, milliseconds. It is under a day, so that a daily run asks again.
 */
const AGAIN_AFTER_REFUSAL = 20 * HOUR;

/**
 * An answer may not fit the cards of the list. The type is then asked for again a day after the first such answer, and three days
 * after it. Milliseconds: each is four hours less than whole days, because a daily run may be early. Later only the next sitting
 * asks.
 */
const AGAIN_AFTER_UNFIT = [DAY - 4 * HOUR, 3 * DAY - 4 * HOUR];

/** Days: answers of the present sitting count no cards that are older than this. */
export const FITTING_DAYS = (STATS_WINDOW + SITTING) / DAY;

/** What medians are to be asked for. */
export interface MediansPlan {
  /** Types to ask for now, in this order. */
  readonly due: readonly string[];
  /** Credits for the answers that come due after now, until the reset. */
  readonly creditsLater: number;
  /** Credits a day, on average. */
  readonly creditsPerDay: number;
  /** Every type with a card, for `export.json`. */
  readonly types: Readonly<Record<string, MediansOfType>>;
}

/** What the plan is made from. */
export interface MediansEvidence {
  readonly survey: Pick<Survey, 'now' | 'dueByType' | 'mediansFrom'>;
  /** Oldest first. */
  readonly answers: readonly ServiceAnswer[];
  /** The cards of the last `FITTING_DAYS`, in any order. */
  readonly cards: readonly Pick<KnownCard, 'at' | 'type'>[];
  readonly refused: ExportManifest['refused'];
  /** Whether nine in ten of the due outcomes are bought, or will be in this run. Medians of all outcomes then add nothing. */
  readonly isNearlyAllBought: boolean;
}

/** When the medians of a type are asked for. */
interface TypeSchedule {
  readonly type: string;
  /** Days between two answers. */
  readonly everyDays: number;
  /** When the next answer is due, epoch milliseconds UTC. */
  readonly next: number;
  /** When the type was last refused, epoch milliseconds UTC; undefined if it never was. */
  readonly refusedAt: number | undefined;
}

/** Why a type is not asked for. */
type WhyNot = Exclude<MediansOfType['why_not'], null>;

export function planMedians(
  evidence: MediansEvidence,
  { limit, resetsAt }: Pick<Budget, 'limit' | 'resetsAt'>,
  options: Pick<ExportOptions, 'stats' | 'focus'>,
): MediansPlan {
  const now = evidence.survey.now;
  const whyNone = whyNoType(evidence, options);
  const schedules = whyNone === undefined ? schedulesOf(evidence, limit) : [];
  const answersLater = schedules.map((schedule) => answersUntil(schedule, resetsAt, now));
  const answersPerDay = schedules.map(({ everyDays }) => 1 / everyDays);
  return {
    due: dueTypes(schedules, now, options.focus),
    creditsLater: cost * sum(answersLater),
    creditsPerDay: cost * sum(answersPerDay),
    types: typesInManifest(evidence, schedules, whyNone ?? 'few_outcomes'),
  };
}

/** Why no type at all is asked for; undefined if types are asked for. */
function whyNoType(
  { isNearlyAllBought }: MediansEvidence,
  { stats }: Pick<ExportOptions, 'stats'>,
): WhyNot | undefined {
  if (!stats) return 'switched_off';
  return isNearlyAllBought ? 'all_bought' : undefined;
}

/** How many outcomes of each type are due, the commonest type first. */
function commonestFirst({
  survey,
}: MediansEvidence): (readonly [type: string, outcomes: number])[] {
  return [...survey.dueByType].sort(([, a], [, b]) => b - a);
}

/**
 * The schedules of the types with enough outcomes, the commonest type first. As many types are asked for every 15 days as a tenth
 * of the month's credits allows. With 1,000 credits a month, this tenth pays for 20 answers: if 15 types have enough outcomes,
 * five of them get two answers a month.
 */
function schedulesOf(evidence: MediansEvidence, limit: number): TypeSchedule[] {
  const typesToAsk = commonestFirst(evidence).filter(
    ([, outcomes]) => outcomes >= LEAST_FOR_MEDIANS,
  );
  const answersAMonth = Math.floor((limit * MOST_OF_MONTH) / cost);
  const commonTypes = Math.max(0, answersAMonth - typesToAsk.length);
  const answersOf = groupBy(evidence.answers, ({ type }) => type);
  return typesToAsk.map(([type], rank) => {
    const everyDays = rank < commonTypes ? DAYS_IF_COMMON : DAYS_IF_RARE;
    const next = nextAnswer(answersOf.get(type) ?? [], everyDays, evidence);
    const refused = evidence.refused[`stats ${type}`];
    return { type, everyDays, next, refusedAt: parseApiTime(refused ?? '') };
  });
}

/**
 * The types that are due: first those that were never refused, then those that were refused longest ago. Among types that were
 * refused equally long ago, those of --focus come first.
 */
function dueTypes(
  schedules: readonly TypeSchedule[],
  now: number,
  focus: readonly string[] = [],
): string[] {
  const isDue = ({ next, refusedAt }: TypeSchedule) => {
    const mayAskAgain = refusedAt === undefined || now - refusedAt >= AGAIN_AFTER_REFUSAL;
    return next <= now && mayAskAgain;
  };
  // 0, long ago, puts a type that was never refused first.
  const lastRefusal = ({ refusedAt = 0 }: TypeSchedule) => refusedAt;
  const focusRank = ({ type }: TypeSchedule) => (focus.includes(type) ? 0 : 1);
  const due = schedules.filter(isDue);
  due.sort((a, b) => lastRefusal(a) - lastRefusal(b) || focusRank(a) - focusRank(b));
  return due.map(({ type }) => type);
}

/** @param whyNot why a type without a schedule is not asked for */
function typesInManifest(
  evidence: MediansEvidence,
  schedules: readonly TypeSchedule[],
  whyNot: WhyNot,
): Readonly<Record<string, MediansOfType>> {
  const answersOf = groupBy(evidence.answers, ({ type }) => type);
  const types = new Map<string, MediansOfType>();
  for (const [type, outcomes] of commonestFirst(evidence)) {
    const last = answersOf.get(type)?.at(-1);
    const asked_at = last === undefined ? null : formatApiTime(last.at);
    const schedule = schedules.find((candidate) => candidate.type === type);
    if (schedule === undefined) {
      types.set(type, { outcomes, every_days: null, why_not: whyNot, asked_at, next_at: null });
      continue;
    }
    const next_at = formatApiTime(Math.max(evidence.survey.now, schedule.next));
    const { everyDays: every_days } = schedule;
    types.set(type, { outcomes, every_days, why_not: null, asked_at, next_at });
  }
  return Object.fromEntries(types);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How many answers about a type come due after now and before the reset. Times in epoch milliseconds UTC. */
function answersUntil({ everyDays, next }: TypeSchedule, resetsAt: number, now: number): number {
  const first = next <= now ? now + everyDays * DAY : next;
  if (first >= resetsAt) return 0;
  return 1 + Math.floor((resetsAt - first) / (everyDays * DAY));
}

/**
 * When a type is next asked for.
 * @param answers about this type, oldest first
 * @returns epoch milliseconds UTC
 */
function nextAnswer(
  answers: readonly ServiceAnswer[],
  everyDays: number,
  { cards, survey }: MediansEvidence,
): number {
  const last = answers.at(-1);
  if (last === undefined) return survey.mediansFrom;
  // On the day of the next sitting, the run may begin some seconds earlier than it began on the day of this answer. It must still
  // ask.
  const nextSitting = last.at + everyDays * DAY - RUN_MAY_BE_EARLY;
  const unfit = unfitSinceFitting(answers, last, cards);
  const [firstUnfit] = unfit;
  const isSittingOver = survey.now - last.at > SITTING;
  if (firstUnfit === undefined || isSittingOver) return nextSitting;
  const wait = AGAIN_AFTER_UNFIT[unfit.length - 1];
  if (wait !== undefined) return firstUnfit.at + wait;
  // There were three unfit answers. If they came on two UTC days, the next sitting asks. The user may have asked for some of
  // them, so that all came on one day: then the next day asks.
  const observations = { first: formatApiTime(firstUnfit.at), last: formatApiTime(last.at) };
  if (isFinal(observations)) return nextSitting;
  return secondObservationFrom(firstUnfit.at);
}

/** The answers of the last sitting that came after its last fitting answer: none of them fits the list. Oldest first. */
function unfitSinceFitting(
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
  // The two counts may differ by some cards by chance. For 20 cards, a tenth allows a difference of 2; the square root allows 4.
  const tolerance = Math.max(expected / 10, Math.sqrt(expected));
  const counted = sample + pending + missing;
  return Math.abs(counted - expected) <= tolerance;
}
