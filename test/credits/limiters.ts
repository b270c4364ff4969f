/**
 * Services that limit requests in the ways the document's "up to 15" leaves open, and processes of one account that buy
 * from them through the real gate and client, on one clock that only moves when told to.
 */
import { createClient } from '../../src/api/client.ts';
import { NotSent } from '../../src/api/transport-errors.ts';
import { ScreenerError } from '../../src/errors.ts';
import { MINUTE } from '../../src/runtime/units.ts';
import { detail } from '../support/resources.ts';
import { FakeClock, startProcess } from './world.ts';

/** Seconds to stay away where a request of this moment is refused, else undefined. */
export type Limiter = (now: number) => number | undefined;

const seconds = (millis: number) => Math.max(1, Math.ceil(millis / 1000));

/** Lets `capacity` requests through at once and `perMinute` in the long run. */
export function tokenBucket(capacity: number, perMinute: number): Limiter {
  let tokens = capacity;
  let last = Number.NaN;
  return (now) => {
    if (!Number.isNaN(last)) tokens = Math.min(capacity, tokens + ((now - last) * perMinute) / MINUTE);
    last = now;
    if (tokens < 1) return seconds(((1 - tokens) * MINUTE) / perMinute);
    tokens -= 1;
    return undefined;
  };
}

/** `perMinute` requests in each minute of the clock. */
export function fixedMinutes(perMinute: number): Limiter {
  let minute = 0;
  let count = 0;
  return (now) => {
    if (Math.floor(now / MINUTE) !== minute) {
      minute = Math.floor(now / MINUTE);
      count = 0;
    }
    count += 1;
    return count > perMinute ? seconds((minute + 1) * MINUTE - now) : undefined;
  };
}

/** `perMinute` requests in any 60 s; `countRefused`: refused ones are counted, too. */
export function slidingWindow(perMinute: number, countRefused = false): Limiter {
  let times: number[] = [];
  return (now) => {
    times = times.filter((at) => now - at < MINUTE);
    const refused = times.length >= perMinute;
    const wait = seconds((times[times.length - perMinute] ?? 0) + MINUTE - now);
    if (!refused || countRefused) times.push(now);
    return refused ? wait : undefined;
  };
}

/** The same, but a refusal does not say the truth about when to come back. */
export function asksForASecond(limiter: Limiter): Limiter {
  return (now) => (limiter(now) === undefined ? undefined : 1);
}

export interface ServiceOptions {
  readonly limiter: Limiter;
  /** Whether a request is counted when it arrives or when it is answered. */
  readonly counted?: 'arrival' | 'answer';
  readonly chargesRefusals?: boolean;
  /** Whether a refusal says when to come back. */
  readonly says?: boolean;
  /** Milliseconds from leaving to answer. */
  readonly latency?: number;
}

export interface Bought {
  readonly credits: number;
  /** Refusals of each process. */
  readonly refusals: readonly number[];
  /** Cards that each process got. */
  readonly cards: readonly number[];
  /** Milliseconds until all had ended. */
  readonly took: number;
  readonly mostInFlight: number;
  /** When each request arrived, milliseconds after the beginning. */
  readonly arrivals: readonly number[];
}

/** Runs processes that buy `cards[i]` cards each, as `signals show` does: six at a time as far as the gate lets them. */
export async function buy(directory: string, cards: readonly number[], options: ServiceOptions): Promise<Bought> {
  const { limiter, counted = 'arrival', chargesRefusals = false, says = true, latency = 80 } = options;
  const clock = new FakeClock();
  const began = clock.now();
  const refusals = cards.map(() => 0);
  const got = cards.map(() => 0);
  const arrivals: number[] = [];
  let credits = 0;
  let inFlight = 0;
  let mostInFlight = 0;
  let ended = clock.now();
  let running = cards.length;

  const one = async (count: number, index: number) => {
    const { account, stop } = startProcess(clock, directory);
    const get = async () => {
      arrivals.push(clock.now() - began);
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      let wait = counted === 'arrival' ? limiter(clock.now()) : undefined;
      await clock.sleep(latency);
      if (counted === 'answer') wait = limiter(clock.now());
      inFlight -= 1;
      if (wait === undefined || chargesRefusals) credits += 1;
      if (wait !== undefined) refusals[index] = (refusals[index] ?? 0) + 1;
      const status = wait === undefined ? 200 : 429;
      const headers = new Map(wait !== undefined && says ? [['retry-after', String(wait)]] : []);
      const response = wait === undefined ? detail({}) : null;
      const body = Buffer.from(JSON.stringify({ hasError: wait !== undefined, response, errors: null }));
      return { status, headers, body };
    };
    const client = createClient({
      transport: { get },
      conceal: (text) => text,
      gate: account.gate,
      timeout: 30_000,
      clock,
      signal: stop.signal,
      listener: { unlisted: () => {}, exchanged: () => {}, clockIsOff: () => {} },
    });
    let next = 0;
    const worker = async () => {
      while (next < count) {
        next += 1;
        try {
          await client.call('signal', { id: next });
          got[index] = (got[index] ?? 0) + 1;
        } catch (error) {
          if (!(error instanceof ScreenerError) || error instanceof NotSent) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    ended = Math.max(ended, clock.now());
    running -= 1;
  };
  const all = Promise.all(cards.map(one));
  for (let minutes = 0; running > 0 && minutes < 600; minutes += 1) await clock.advance(MINUTE);
  await all;
  return { credits, refusals, cards: got, took: ended - began, mostInFlight, arrivals };
}
