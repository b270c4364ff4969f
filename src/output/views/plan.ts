import * as v from 'valibot';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { durationInWords, SECOND } from '../../base/units.ts';
import { LIMIT_NAMES } from '../../credits/credit-ceiling.ts';
import { fieldsOf } from '../described-fields.ts';
import { timeWithAge, waitingText } from '../format.ts';
import type { RenderContext, View } from '../types.ts';
import { creditsOfDay, creditsOfMonth, LIMITS_OF_USER } from './credits-words.ts';

/** A number between bounds. */
const range = named(
  'Range',
  v.object({
    least: described(count, 'at least'),
    most: described(v.nullable(count), 'at most; null if this cannot be known'),
  }),
);

export type Range = ReadonlyDeep<v.InferOutput<typeof range>>;

const STOPS = ['refusal', ...LIMIT_NAMES] as const;

const plan = v.object({
  credits: described(range, 'what it costs'),
  requests: described(range, 'what it sends'),
  pages: described(range, 'pages of /signals among them'),
  pacing_seconds: described(range, 'seconds of waiting'),
  max_credits: described(v.nullable(count), '--max-credits'),
  credits_left: described(
    v.nullable(count),
    'left this month for certain, as last known; null: not known',
  ),
  possibly_spent: described(count, 'left besides, unless failed requests were charged'),
  credits_left_at: described(v.nullable(time), 'when that was known, UTC'),
  spent_today: described(v.nullable(count), 'spent here today (UTC day assumed); null: no account'),
  possibly_spent_today: described(count, 'of these: only possibly charged, as requests failed'),
  day_limit: described(v.nullable(count), 'allowed a day; null: not known'),
  daily_budget: described(v.nullable(count), 'SCREENER_DAILY: what programs here may spend a day'),
  stops_at: described(
    v.nullable(v.picklist(STOPS)),
    'what would stop it before it has done the least; null: nothing',
  ),
  more_from: described(v.nullable(time), 'when that has passed, UTC; null if waiting is of no use'),
});
export type Plan = ReadonlyDeep<v.InferOutput<typeof plan>>;

export const planView: View<Plan> = {
  fields: fieldsOf(plan),
  page: (plan, render) => {
    const { pacing_seconds: pacing, stops_at: stop, more_from: moreFrom } = plan;
    return render.pairs([
      ['Credits', creditsText(plan)],
      ['Requests', requestsText(plan)],
      ['Pacing', stop === null && pacing.most !== 0 && pacingText(pacing)],
      ['Would stop', stop !== null && stopText(stop, moreFrom, render)],
      ['Left this month', leftText(plan, render)],
      ['Spent today', spentText(plan)],
    ]);
  },
};

function creditsText({ credits, pages, max_credits: ceiling }: Plan): string {
  const price = leastToMost(credits);
  if (ceiling !== null) return `${price} (--max-credits ${ceiling})`;
  const isKnownAtEnd = credits.most === null && pages.most === null;
  return isKnownAtEnd ? `${price}, known only at the last page` : price;
}

function requestsText({ requests, pages }: Plan): string {
  const all = leastToMost(requests);
  const forPages = leastToMost(pages);
  if (pages.most === 0 || all === forPages) return all;
  return `${all}, of these ${forPages} for pages of cards`;
}

/** Empty without an account. */
function leftText(plan: Plan, render: RenderContext): string {
  const { spent_today: spent, credits_left: left, credits_left_at: knownAt } = plan;
  if (spent === null) return '';
  if (left === null) return 'not known yet: `screener access` asks (free)';
  const ofMonth = creditsOfMonth({ left, possiblySpent: plan.possibly_spent });
  return `${ofMonth}, as of ${timeWithAge(knownAt, render)}`;
}

/** Empty without an account. */
function spentText(plan: Plan): string {
  const { spent_today: spent, possibly_spent_today: possiblySpent, daily_budget: budget } = plan;
  if (spent === null) return '';
  const budgetText = budget === null ? '' : ` (SCREENER_DAILY: ${budget})`;
  const ofDay = creditsOfDay({ spent, possiblySpent }, plan.day_limit, 'used');
  return `${ofDay}${budgetText}, as recorded on this machine`;
}

type Stop = (typeof STOPS)[number];

/** The limits at which a command would stop, in words; a limit that has none is a period's. */
const LIMIT_WORDS: Partial<Record<Stop, string>> = {
  ...LIMITS_OF_USER,
  max_credits: `${LIMITS_OF_USER.max_credits}, which is too low`,
};

/**
 * `at SCREENER_DAILY; more from …`: where the command would stop with an error. It does not wait until there are more
 * credits.
 */
function stopText(stop: Stop, moreFrom: string | null, render: RenderContext): string {
  if (stop === 'refusal')
    return `at once: the service refuses requests until ${timeWithAge(moreFrom, render)}`;
  const limit = LIMIT_WORDS[stop] ?? `the end of the ${stop}'s credits`;
  const more = moreFrom === null ? '' : `; more from ${timeWithAge(moreFrom, render)}`;
  return `at ${limit}${more}`;
}

/** `3`, `3 to 10`, `3 or more`. */
function leastToMost({ least, most }: Range): string {
  if (most === null) return `${least} or more`;
  return least === most ? String(least) : `${least} to ${most}`;
}

/**
 * `up to 3 minutes of waiting`; if it is not known how many requests there are, `1 minute, then as fast as the allowance
 * permits`.
 */
function pacingText({ least, most }: Range): string {
  if (most !== null) return waitingText({ least, most });
  const firstWait = least === 0 ? '' : `${durationInWords(least * SECOND)}, then `;
  return `${firstWait}as fast as the allowance permits`;
}
