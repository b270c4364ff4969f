import { durationInWords } from '../../runtime/durations.ts';
import { minuteTime, timeWithAge } from '../format.ts';
import type { Field, Pair, RenderContext, View } from '../types.ts';
import { type AccessExtra, machineSections } from './access.ts';

/** What this machine knows of the account while the service asks to stay away. Nothing was asked. */
interface BlockedAccess {
  readonly blocked_until: string;
  /** 429 or 503: the answer that asked to stay away. */
  readonly blocked_status: number;
  /** As `/access` last said; null where it was never asked. */
  readonly credits: {
    readonly used: number;
    readonly limit: number;
    readonly remaining: number;
    readonly resets_at: string;
  } | null;
  readonly per_minute: number | null;
  readonly known_at: string | null;
  /** Credits that this machine has spent, or may have, since then. */
  readonly spent_since: number | null;
}

export const blockedAccessFields: readonly Field[] = [
  { name: 'blocked_until', kind: 'time', about: 'until when the service asked to stay away, UTC' },
  { name: 'blocked_status', kind: 'integer', about: 'the status that said so, 429 or 503' },
  { name: 'credits', kind: 'object', about: 'as /access last said; null where it was never asked' },
  { name: 'credits.used', kind: 'integer', about: 'credits used this month' },
  { name: 'credits.limit', kind: 'integer', about: 'credits of a month' },
  { name: 'credits.remaining', kind: 'integer', about: 'credits left this month' },
  { name: 'credits.resets_at', kind: 'time', about: 'when they reset, UTC' },
  { name: 'per_minute', kind: 'integer', about: 'requests allowed per minute, as last said' },
  { name: 'known_at', kind: 'time', about: 'when /access was last asked, UTC' },
  { name: 'spent_since', kind: 'integer', about: 'credits this machine has spent since then' },
];

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
  const { styles, now } = render;
  const blocked: Pair[] = [
    [
      'Service',
      styles.warn(
        `asked to stay away (${blocked_status}) until ${minuteTime(blocked_until)} UTC, in ${durationInWords(Date.parse(blocked_until) - now)}`,
      ),
    ],
  ];
  if (credits === null) return [...blocked, ['Credits', 'not known yet']];
  const spent = spent_since ? `, less ${spent_since} spent here since` : '';
  return [
    ...blocked,
    ['Credits', `${credits.remaining} of ${credits.limit} left as of ${timeWithAge(known_at, now)}${spent}`],
    ['Reset', timeWithAge(credits.resets_at, now)],
  ];
}
