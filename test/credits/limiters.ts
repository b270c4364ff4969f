/**
 * Services that limit requests in the ways the document's "up to 15" leaves open, and processes of one account that buy
 * from them through the real gate and client, on one clock that only moves when told to.
 */
import { once } from 'node:events';
import { MINUTE } from '../../src/base/units.ts';
import { ScreenerError } from '../../src/errors.ts';
import { detail } from '../support/samples.ts';
import { clientOf, type ledgerHere } from './world.ts';

/** Seconds to stay away where a request of this moment is refused, else undefined. */
export type Limiter = (now: number) => number | undefined;

const seconds = (millis: number) => Math.max(1, Math.ceil(millis / 1000));

/** Lets `capacity` requests through at once and `perMinute` in the long run. */
export function tokenBucket(capacity: number, perMinute: number): Limiter {
  let tokens = capacity;
  let last = Number.NaN;
  return (now) => {
    if (!Number.isNaN(last))
      tokens = Math.min(capacity, tokens + ((now - last) * perMinute) / MINUTE);
    last = now;
    if (tokens < 1) return seconds(((1 - tokens) * MINUTE) / perMinute);
    tokens -= 1;
    return undefined;
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

export interface ServiceOptions {
  readonly limiter: Limiter;
  /** Whether a request is counted when it arrives or when it is answered. */
  readonly counted?: 'arrival' | 'answer';
  /** Whether a refusal says when to come back. */
  readonly says?: boolean;
  /** Milliseconds from leaving to answer. */
  readonly latency?: () => number;
  /** Milliseconds until a process begins. */
  readonly begins?: () => number;
  /** After how many requests a process dies in the midst of the next one; undefined: never. */
  readonly dies?: (index: number) => number | undefined;
  /** How many cards each process asks for at a time, as far as the gate lets it. */
  readonly atOnce?: number;
}

/** Runs processes that buy `cards[i]` cards each. */
export async function buy(
  here: ReturnType<typeof ledgerHere>,
  cards: readonly number[],
  options: ServiceOptions,
) {
  const {
    limiter,
    counted = 'arrival',
    says = true,
    latency = () => 80,
    begins = () => 0,
    dies,
    atOnce = 6,
  } = options;
  const { clock } = here;
  const began = clock.now();
  const seen = {
    /** Of each process: refusals, and the cards it got. */
    refusals: cards.map(() => 0),
    cards: cards.map(() => 0),
    /** Where refusals are charged, too. */
    credits: 0,
    mostInFlight: 0,
    /** When each request arrived, milliseconds after the beginning. */
    arrivals: [] as number[],
    /** Milliseconds until all had ended. */
    took: 0,
  };
  let inFlight = 0;
  let running = cards.length;

  const workOf = async (count: number, index: number) => {
    await clock.sleep(begins());
    const process = here.start();
    const { signal } = process.stop;
    const death = once(signal, 'abort');
    const lastRequest = dies?.(index) ?? Number.POSITIVE_INFINITY;
    let requests = 0;
    const client = clientOf(
      process,
      clock,
      async (target) => {
        requests += 1;
        seen.arrivals.push(clock.now() - began);
        inFlight += 1;
        seen.mostInFlight = Math.max(seen.mostInFlight, inFlight);
        let refusedFor = counted === 'arrival' ? limiter(clock.now()) : undefined;
        if (requests > lastRequest) process.stop.abort(new Error('dead'));
        await clock.sleep(latency());
        if (counted === 'answer') refusedFor = limiter(clock.now());
        inFlight -= 1;
        if (signal.aborted) return new Promise<never>(() => {});
        seen.credits += 1;
        if (refusedFor !== undefined) seen.refusals[index] = (seen.refusals[index] ?? 0) + 1;
        const id = Number(target.split('/').at(-1));
        return { response: refusedFor === undefined ? detail({ id }) : null, refusedFor };
      },
      says,
    );
    let next = 0;
    const worker = async () => {
      while (next < count && !signal.aborted) {
        next += 1;
        try {
          await client.call('signal', { id: next });
          seen.cards[index] = (seen.cards[index] ?? 0) + 1;
        } catch (error) {
          if (!(error instanceof ScreenerError) && !signal.aborted) throw error;
        }
      }
    };
    await Promise.race([death, Promise.all(Array.from({ length: atOnce }, worker))]);
    seen.took = Math.max(seen.took, clock.now() - began);
    running -= 1;
  };
  const all = Promise.all(cards.map(workOf));
  for (let minutes = 0; running > 0 && minutes < 600; minutes += 1) await clock.advance(MINUTE);
  await all;
  return seen;
}
