import { durationInWords } from '../../runtime/durations.ts';
import { timeWithAge, waitingText } from '../format.ts';
import type { Field, Pair, View } from '../types.ts';

/** A number between bounds; `most` null where nobody can know it. */
export interface Range {
  readonly least: number;
  readonly most: number | null;
}

/** What `--plan` says: nothing billable was sent for it. */
export interface Plan {
  readonly credits: Range;
  readonly requests: Range;
  /** Pages of `/signals` among the requests. */
  readonly pages: Range;
  /** Seconds that the allowance per minute alone makes it take. */
  readonly pacing_seconds: Range;
  /** The ceiling given with --max-credits. */
  readonly max_credits: number | null;
  /** Credits left this month as `/access` last said, and when; null where it was never asked. */
  readonly credits_left: number | null;
  readonly credits_left_at: string | null;
  /** Credits this machine knows of today; null where no account was asked about. And the day's limit. */
  readonly spent_today: number | null;
  readonly day_limit: number;
}

const range = (name: string, about: string): Field[] => [
  { name: `${name}.least`, kind: 'integer', about: `${about}, at least` },
  { name: `${name}.most`, kind: 'integer', about: `${about}, at most; null where nobody can know` },
];

export const planView: View<Plan> = {
  fields: [
    ...range('credits', 'credits'),
    ...range('requests', 'requests'),
    ...range('pages', 'pages of cards'),
    ...range('pacing_seconds', 'seconds the allowance per minute makes it take'),
    { name: 'max_credits', kind: 'integer', about: 'the ceiling of --max-credits' },
    { name: 'credits_left', kind: 'integer', about: 'credits left this month, as last known' },
    { name: 'credits_left_at', kind: 'time', about: 'when that was known, UTC' },
    { name: 'spent_today', kind: 'integer', about: 'credits this machine knows of today (UTC day assumed)' },
    { name: 'day_limit', kind: 'integer', about: 'credits of a day' },
  ],
  page: (plan, { now, pairs }) =>
    pairs([
      ['Credits', creditsText(plan)],
      ['Requests', rangeText(plan.requests)],
      ...pagesPair(plan.pages),
      ['Pacing', pacingText(plan.pacing_seconds)],
      ...accountPairs(plan, now),
    ]),
};

/** Of no interest to a command that sends nothing. */
function accountPairs(plan: Plan, now: number): Pair[] {
  if (plan.spent_today === null) return [];
  return [
    ['Left this month', leftText(plan, now)],
    ['Spent today', `${plan.spent_today} of ${plan.day_limit}, as this machine knows it`],
  ];
}

function pagesPair(pages: Range): Pair[] {
  return pages.most === 0 ? [] : [['Pages', rangeText(pages)]];
}

function creditsText({ credits, max_credits }: Plan): string {
  if (max_credits !== null) return `${rangeText(credits)} (--max-credits ${max_credits})`;
  const unknown = credits.most === null ? ': the service gives no total, so nobody knows before the last page' : '';
  return `${rangeText(credits)}${unknown}`;
}

function rangeText({ least, most }: Range): string {
  if (most === null) return `${least} or more`;
  return least === most ? String(least) : `${least} to ${most}`;
}

function pacingText({ least, most }: Range): string {
  if (most !== null) return waitingText({ least, most });
  return `${least === 0 ? '' : `${durationInWords(least * 1000)}, then `}as many requests a minute as allowed`;
}

function leftText({ credits_left, credits_left_at }: Plan, now: number): string {
  if (credits_left === null) return 'not known yet: `screener access` asks, for 0 credits';
  return `${credits_left}, as of ${timeWithAge(credits_left_at, now)}`;
}
