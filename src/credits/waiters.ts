import type { Context } from '../runtime/context.ts';
import type { Notes, Progress } from '../runtime/notes.ts';
import type { Ledger } from './ledger.ts';
import type { Asked } from './paced-gate.ts';
import { activeHold, allowance, expectedDue, standing } from './schedule.ts';

export interface WaitersOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'random'>;
  readonly ledger: Ledger;
  readonly notes: Pick<Notes, 'waiting'>;
  /** Takes the turn if it has come; undefined where it has not. Throws where it will not be waited for. */
  readonly decide: (asked: Asked) => number | undefined;
  readonly giveUp: (asked: Asked) => void;
}

interface Waiter {
  readonly asked: Asked;
  readonly resolve: (sentAt: number) => void;
  readonly reject: (reason: unknown) => void;
}

/** Longest time between two looks at what other processes wrote: one that gave up lets others go earlier. */
const LOOK_EVERY = 500;
/** After a hold nobody needs to come back in the same instant as every other machine. */
const JITTER = 250;
/** A shown time that is off by less stays as it is. */
const WORTH_SHOWING = 1500;

/** The requests of this process that wait for their turn, in their order, with one loop for all of them. */
export class Waiters {
  readonly #options: WaitersOptions;
  #waiting: Waiter[] = [];
  #sleep: AbortController | undefined;
  #running = false;
  #shown: { readonly reason: string; readonly until: number; readonly progress: Progress } | undefined;

  constructor(options: WaitersOptions) {
    this.#options = options;
  }

  /**
   * @returns when the request leaves, once its turn has come
   * @throws the reason of whichever signal was aborted; the turn is given up then
   */
  wait(asked: Asked): Promise<number> {
    const { context } = this.#options;
    const wake = () => this.wake();
    const signals = [context.signal, asked.request.signal].filter((signal) => signal !== undefined);
    for (const signal of signals) signal.addEventListener('abort', wake, { once: true });
    const turn = new Promise<number>((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      if (!this.#running) void this.#run();
    });
    return turn.finally(() => {
      for (const signal of signals) signal.removeEventListener('abort', wake);
    });
  }

  /** Looks again now: something of this process changed. */
  wake(): void {
    this.#sleep?.abort();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      for (;;) {
        this.#waiting = this.#waiting.filter((waiter) => this.#remains(waiter));
        const first = this.#waiting[0];
        if (first === undefined) break;
        this.#show(first.asked);
        await this.#pause(first.asked);
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#hide();
      this.#running = false;
    }
  }

  /** Lets a waiter go whose turn has come, or who need not wait any longer. */
  #remains({ asked, resolve, reject }: Waiter): boolean {
    const { context, decide, giveUp } = this.#options;
    const stopped = [context.signal, asked.request.signal].find((signal) => signal?.aborted);
    try {
      if (stopped !== undefined) {
        giveUp(asked);
        reject(stopped.reason);
        return false;
      }
      const sentAt = decide(asked);
      if (sentAt === undefined) return true;
      resolve(sentAt);
    } catch (error) {
      reject(error);
    }
    return false;
  }

  async #pause({ nonce }: Asked): Promise<void> {
    const { context, ledger } = this.#options;
    const now = context.clock.now();
    const due = standing(ledger.state, nonce, now)?.due ?? now;
    const jitter = activeHold(ledger.state, now)?.until === due ? context.random() * JITTER : 0;
    const sleep = new AbortController();
    this.#sleep = sleep;
    try {
      await context.clock.sleep(Math.min(Math.max(1, Math.ceil(due - now + jitter)), LOOK_EVERY), sleep.signal);
    } catch (error) {
      if (!sleep.signal.aborted) throw error;
    } finally {
      this.#sleep = undefined;
    }
  }

  #show({ nonce }: Asked): void {
    const { context, ledger, notes } = this.#options;
    const now = context.clock.now();
    const hold = activeHold(ledger.state, now);
    const until = hold?.until ?? expectedDue(ledger.state, nonce, now);
    const reason =
      hold === undefined
        ? `the ${allowance(ledger.state)} requests of this minute are taken`
        : `the service asked to wait (${hold.status})`;
    const shown = this.#shown;
    if (shown?.reason === reason && Math.abs(shown.until - until) < WORTH_SHOWING) return;
    this.#hide();
    this.#shown = { reason, until, progress: notes.waiting(reason, until) };
  }

  #hide(): void {
    this.#shown?.progress.stop();
    this.#shown = undefined;
  }
}
