import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { Credits } from '../../api/contract/resources.ts';
import { byAllowance } from '../../api/limits.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { fieldsOf } from '../described-fields.ts';
import { timeWithAge, zonedTime } from '../format.ts';
import type { Pair, RenderContext, View } from '../types.ts';
import { type AccessExtra, machineSections } from './access.ts';

/** What this machine knows of the account while the service asks to stay away. Nothing was asked. */
const blockedAccess = v.object({
  blocked_until: described(time, 'until when the service refuses requests, UTC'),
  blocked_status: described(count, 'the status that said so, 429 or 503'),
  credits: described(v.nullable(Credits), 'as /access last said; null where it was never asked'),
  ...byAllowance((field) => described(v.nullable(count), `${field} of /access, as last said`)),
  known_at: described(v.nullable(time), 'when /access was last asked, UTC'),
  spent_since: described(v.nullable(count), 'credits this machine has spent, or may have, since then'),
});
type BlockedAccess = ReadonlyDeep<v.InferOutput<typeof blockedAccess>>;

export const blockedAccessFields = fieldsOf(blockedAccess);

export function blockedAccessView(extra: AccessExtra): View<BlockedAccess> {
  return {
    fields: blockedAccessFields,
    page: (access, render) =>
      render.sections([
        { body: render.pairs(pairsOf(access, render)) },
        { body: 'To ask anyway, once:\n  screener access --recheck' },
        ...machineSections(extra, render),
      ]),
  };
}

function pairsOf(
  { blocked_until, blocked_status, credits, known_at, spent_since }: BlockedAccess,
  render: RenderContext,
): Pair[] {
  const { styles, now, zone } = render;
  const blocked: Pair[] = [
    [
      'Service',
      styles.warn(
        `is refusing requests (${blocked_status}) until ${zonedTime(blocked_until, zone)}, in ${durationInWords(Date.parse(blocked_until) - now)}`,
      ),
    ],
  ];
  if (credits === null) return [...blocked, ['Credits', 'not known yet']];
  const spent = spent_since ? `, less ${spent_since} spent here since` : '';
  return [
    ...blocked,
    ['Credits', `${credits.remaining} of ${credits.limit} left as of ${timeWithAge(known_at, render)}${spent}`],
    ['Reset', timeWithAge(credits.resets_at, render)],
  ];
}
