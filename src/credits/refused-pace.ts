/**
 * What a 429 changes that came although every known limit was kept ("up to 15" may mean fewer, or no bursts): one
 * request at a time, spaced by what the refusal asked for, and faster again only as answers succeed.
 *
 * A pace is `burst` requests within `burst × spacing`: what a service accepts that lets `burst` requests through at
 * once and one more every `spacing`. Each faster pace is tried after `needed` successes, eight times as many after
 * each that failed: a service that stays strict refuses a request in a hundred, then in a thousand.
 */
import { windowsOf } from '../api/limits.ts';
import { isRefusal } from '../api/retry.ts';
import { MINUTE } from '../runtime/units.ts';
import type { SentRequest, Usage } from './usage.ts';

const FIRST_NEEDED = 15;
const NEEDED_FACTOR = 8;
const MOST_NEEDED = FIRST_NEEDED * NEEDED_FACTOR ** 2;

/** Of the requests that were sent in the minute before a refusal, so many say nothing of the pace. */
const HARDLY_ANY = 1;
/** Refusals further apart have nothing to do with each other. */
const LATELY = 10 * MINUTE;

/**
 * Whether the refusal of a request says that requests come too fast, by the usage before it. Not where hardly anything
 * else was sent in the last minute: the service may have been busy. Where the same happens again, though, it may let
 * fewer through than that.
 */
export function isAboutPace({ refusedPace, requests, refusals, cooldown }: Usage, refused: SentRequest): boolean {
  const from = refused.sent - MINUTE;
  const others = requests.filter((one) => one !== refused && one.sent > from && one.sent <= refused.sent);
  const accepted = others.filter(({ status }) => !isRefusal(status)).length;
  if (refusedPace !== null || accepted > HARDLY_ANY || refusals > 1) return true;
  return accepted > 0 && refusals === 0 && cooldown !== null && cooldown.at > refused.sent - LATELY;
}

type Limits = Pick<Usage, 'refusedPace' | 'allowances'>;

/**
 * A request that was sent at `sent` was refused at `at`.
 * @param asked how long the refusal asked to stay away, milliseconds. Where the service did not say, the pace begins at
 *   its allowance and is found in larger steps.
 */
export function recordRefused(
  limits: Limits,
  sent: number,
  at: number,
  { millis, said }: { readonly millis: number; readonly said: boolean },
): void {
  const even = evenSpacing(limits);
  const asked = said ? millis : even;
  const { refusedPace: pace } = limits;
  if (pace === null) {
    limits.refusedPace = {
      since: at,
      refusedAt: at,
      burst: 1,
      spacing: Math.max(even, Math.min(asked, MINUTE)),
      leastSpacing: even,
      successes: 0,
      needed: FIRST_NEEDED,
    };
    return;
  }
  pace.refusedAt = at;
  if (sent <= pace.since) {
    // It left together with the one that was refused first: nothing new, but how long to stay away.
    pace.spacing = Math.max(pace.spacing, Math.min(asked, MINUTE));
    return;
  }
  if (pace.burst === 1)
    pace.leastSpacing = Math.min((said && pace.needed === FIRST_NEEDED ? 2 : 4) * pace.spacing, MINUTE);
  pace.burst = 1;
  pace.spacing = Math.max(pace.leastSpacing, Math.min(asked, MINUTE));
  pace.since = at;
  pace.successes = 0;
  pace.needed = Math.min(pace.needed * NEEDED_FACTOR, MOST_NEEDED);
}

/** A request that was sent at `sent` was accepted at `at`: one step towards the pace that `/access` promised. */
export function recordAccepted(limits: Limits, sent: number, at: number): void {
  const { refusedPace: pace } = limits;
  if (pace === null || sent <= pace.since) return;
  if (pace.spacing > pace.leastSpacing) {
    pace.spacing = Math.max(pace.leastSpacing, pace.spacing / 2);
    return;
  }
  pace.successes += 1;
  if (pace.successes < pace.needed) return;
  const even = evenSpacing(limits);
  pace.since = at;
  pace.successes = 0;
  if (pace.leastSpacing > even) pace.leastSpacing = Math.max(even, pace.leastSpacing / 2);
  else if (pace.burst < leastAllowance(limits)) pace.burst *= 2;
  else limits.refusedPace = null;
}

/** Milliseconds between requests that are spread evenly over each window. */
function evenSpacing({ allowances }: Limits): number {
  return Math.max(...windowsOf(allowances).map(({ millis, allowance }) => millis / Math.max(1, allowance)));
}

function leastAllowance({ allowances }: Limits): number {
  return Math.min(...windowsOf(allowances).map(({ allowance }) => allowance));
}
