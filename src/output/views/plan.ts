import * as v from 'valibot';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { durationInWords } from '../../base/units.ts';
import { LIMIT_NAMES } from '../../credits/credit-ceiling.ts';
import { fieldsOf } from '../described-fields.ts';
import { timeWithAge, waitingText } from '../format.ts';
import type { RenderContext, View } from '../types.ts';

/** A number between bounds; `most` null where nobody can know it. */
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
  pages: described(range, 'pages of /signals among the requests'),
  pacing_seconds: described(range, 'seconds of waiting, to keep the pace'),
  max_credits: described(v.nullable(count), 'the ceiling of --max-credits'),
  credits_left: described(
    v.nullable(count),
    'left this month, as last known; null if /access was never asked',
  ),
  credits_left_at: described(v.nullable(time), 'when that was known, UTC'),
  spent_today: described(
    v.nullable(count),
    'credits spent here today (UTC day assumed); null without an account',
  ),
  day_limit: described(count, 'credits allowed a day'),
  daily_budget: described(
    v.nullable(count),
    'SCREENER_DAILY: the most that programs here may spend a day',
  ),
  stops_at: described(
    v.nullable(v.picklist(STOPS)),
    'what would stop it before it has done the least; null: nothing',
  ),
  more_from: described(v.nullable(time), 'when that has passed, UTC; null if waiting is of no use'),
});
export type Plan = ReadonlyDeep<v.InferOutput<typeof plan>>;

export const planView: View<Plan> = {
  fields: fieldsOf(plan),
  page: ({ credits, requests, pages, pacing_seconds: pacing, ...plan }, render) => {
    const ceiling = plan.max_credits === null ? '' : ` (--max-credits ${plan.max_credits})`;
    const unknown =
      ceiling === '' && credits.most === null && pages.most === null
        ? ', known only at the last page'
        : '';
    const [all, ofPages] = [rangeText(requests), rangeText(pages)];
    const budget = plan.daily_budget === null ? '' : ` (SCREENER_DAILY: ${plan.daily_budget})`;
    const left = `${plan.credits_left}, as of ${timeWithAge(plan.credits_left_at, render)}`;
    const { spent_today: spent, day_limit: limit } = plan;
    return render.pairs([
      ['Credits', `${rangeText(credits)}${ceiling}${unknown}`],
      [
        'Requests',
        pages.most === 0 || all === ofPages
          ? all
          : `${all}, of these ${ofPages} for pages of cards`,
      ],
      plan.stops_at === null
        ? ['Pacing', pacing.most !== 0 && pacingText(pacing)]
        : ['Would stop', stopText(plan.stops_at, plan.more_from, render)],
      [
        'Left this month',
        spent !== null &&
          (plan.credits_left === null ? 'not known yet: `screener access` asks (free)' : left),
      ],
      [
        'Spent today',
        spent !== null &&
          `${Math.min(spent, limit)} of ${limit}${budget}, as recorded on this machine`,
      ],
    ]);
  },
};

/** A run does not wait so long: it ends with an error. */
function stopText(by: (typeof STOPS)[number], until: string | null, render: RenderContext): string {
  if (by === 'refusal')
    return `at once: the service refuses requests until ${timeWithAge(until, render)}`;
  const ofUser: Partial<Record<typeof by, string>> = {
    max_credits: '--max-credits, which is too low',
    daily: 'SCREENER_DAILY',
    keep: '--keep',
  };
  const where = ofUser[by] ?? `the end of the ${by}'s credits`;
  return `at ${where}${until === null ? '' : `; more from ${timeWithAge(until, render)}`}`;
}

function rangeText({ least, most }: Range): string {
  if (most === null) return `${least} or more`;
  return least === most ? String(least) : `${least} to ${most}`;
}

function pacingText({ least, most }: Range): string {
  if (most !== null) return waitingText({ least, most });
  return `${least === 0 ? '' : `${durationInWords(least * 1000)}, then `}as fast as the allowance permits`;
}
