import * as v from 'valibot';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { fieldsOf } from '../described-fields.ts';
import { timeWithAge, waitingText } from '../format.ts';
import type { Pair, RenderContext, View } from '../types.ts';

/** A number between bounds; `most` null where nobody can know it. */
const range = named(
  'Range',
  v.object({
    least: described(count, 'at least'),
    most: described(v.nullable(count), 'at most; null where nobody can know'),
  }),
);

export type Range = ReadonlyDeep<v.InferOutput<typeof range>>;

/** What `--plan` says: nothing billable was sent for it. */
const plan = v.object({
  credits: described(range, 'what it costs'),
  requests: described(range, 'what it sends'),
  pages: described(range, 'pages of /signals among the requests'),
  pacing_seconds: described(range, 'seconds that pacing makes it take'),
  max_credits: described(v.nullable(count), 'the ceiling of --max-credits'),
  credits_left: described(v.nullable(count), 'left this month, as last known; null where /access was never asked'),
  credits_left_at: described(v.nullable(time), 'when that was known, UTC'),
  spent_today: described(v.nullable(count), 'credits spent here today (UTC day assumed); null without an account'),
  day_limit: described(count, 'credits of a day'),
});
export type Plan = ReadonlyDeep<v.InferOutput<typeof plan>>;

export const planView: View<Plan> = {
  fields: fieldsOf(plan),
  page: (plan, render) =>
    render.pairs([
      ['Credits', creditsText(plan)],
      ['Requests', requestsText(plan)],
      ['Pacing', pacingText(plan.pacing_seconds)],
      ...accountPairs(plan, render),
    ]),
};

function accountPairs(plan: Plan, render: RenderContext): Pair[] {
  if (plan.spent_today === null) return [];
  return [
    ['Left this month', leftText(plan, render)],
    ['Spent today', `${plan.spent_today} of ${plan.day_limit}, as recorded on this machine`],
  ];
}

function requestsText({ requests, pages }: Plan): string {
  const [all, ofPages] = [rangeText(requests), rangeText(pages)];
  return pages.most === 0 || all === ofPages ? all : `${all}, of these ${ofPages} for pages of cards`;
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
  return `${least === 0 ? '' : `${durationInWords(least * 1000)}, then `}as many requests as the allowance lets through`;
}

function leftText({ credits_left, credits_left_at }: Plan, render: RenderContext): string {
  if (credits_left === null) return 'not known yet: `screener access` asks (free)';
  return `${credits_left}, as of ${timeWithAge(credits_left_at, render)}`;
}
