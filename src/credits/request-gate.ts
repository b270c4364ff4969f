import type { Gate, GateRequest, Turn } from '../api/gate.ts';
import { isRefusal, secondsToStayAway } from '../api/retry.ts';
import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { durationInWords } from '../runtime/durations.ts';
import type { Lock } from '../runtime/lock.ts';
import type { Notes, Progress } from '../runtime/notes.ts';
import { DAY, SECOND } from '../runtime/units.ts';
import type { CreditCeiling } from './credit-ceiling.ts';
import type { Ledger } from './ledger.ts';
import { recordNotSent, recordOutcome, recordSent } from './record-usage.ts';
import { blockedUntil, nextTurn } from './schedule.ts';
import type { Usage } from './usage.ts';

interface GateOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'random'>;
  readonly ledger: Ledger;
  readonly ceiling: CreditCeiling;
  /** Milliseconds, for what the service asked; waits for a turn are not bounded. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'waiting'>;
}

/** Poll interval while we wait for the service or for other processes, milliseconds. */
const LOOK_EVERY = 500;
/** Poll interval while we wait for an answer, or for one of our own requests. */
const LOOK_SOON = 50;
const LONGEST_HOLD = 31 * DAY;
const SILENT_WAIT = 1_000;
const LONGEST_JITTER = 250;

export class RequestGate implements Gate {
  readonly #options: GateOptions;
  readonly #name = Math.random().toString(36).slice(2);
  #waiting: string[] = [];
  #serial = 0;
  #shown: { readonly reason: string; readonly progress: Progress } | undefined;
  /** Leaves what is spent out of forecasts. */
  isFirstExport = false;
  /** Nothing leaves once this is lost. */
  lock: Pick<Lock, 'check'> | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async enter(request: GateRequest): Promise<Turn> {
    const { context, ledger, ceiling } = this.#options;
    const { clock } = context;
    const signal = request.signal ?? context.signal;
    signal.throwIfAborted();
    this.#refuseBlocked(request, ledger.usage());
    ceiling.reserve(request.cost);
    this.#serial += 1;
    const id = `${this.#name}.${this.#serial}`;
    const since = clock.now();
    try {
      await this.#waitForRetry(request, signal);
      this.#waiting.push(id);
      for (;;) {
        const pause = this.#waiting[0] === id ? this.#leave(id, request, since) : LOOK_SOON;
        if (pause === undefined) break;
        await clock.sleep(pause, signal);
      }
    } catch (error) {
      ceiling.giveBack(request.cost);
      throw error;
    } finally {
      if (this.#waiting[0] === id) this.#hideWait();
      this.#waiting = this.#waiting.filter((other) => other !== id);
    }
    return {
      check: () => this.lock?.check(),
      cancel: () => {
        ceiling.giveBack(request.cost);
        ledger.update((usage) => recordNotSent(usage, id));
      },
      settle: ({ status, retryAfter }) => {
        ceiling.spend(request.cost, status);
        const asked = isRefusal(status) ? secondsToStayAway(status, retryAfter, request.attempt - 1) : undefined;
        const stayAway = asked === undefined ? undefined : Math.min(asked * SECOND, LONGEST_HOLD);
        ledger.update((usage) => recordOutcome(usage, id, { at: clock.now(), status, stayAway }));
      },
    };
  }

  /** Epoch milliseconds UTC, of requests answered with 200. */
  lastSent({ requests }: Usage, path: string): number | undefined {
    const own = requests.filter(({ id, status }) => id.startsWith(`${this.#name}.`) && status === 200);
    return own.findLast(({ operation }) => operation === path)?.sent;
  }

  blocked(usage: Usage, operation: string) {
    const { context, maxWait } = this.#options;
    const now = context.clock.now();
    const blocked = blockedUntil(usage, now, operation);
    return blocked !== undefined && blocked.until - now > maxWait ? blocked : undefined;
  }

  #refuseBlocked({ operation, despiteHold }: GateRequest, usage: Usage): void {
    const blocked = this.blocked(usage, operation);
    if (blocked !== undefined && despiteHold === undefined)
      throw blockedError(blocked, this.#options.context.clock.now());
  }

  /** @throws ScreenerError beyond --max-wait; the user sees the failure before it instead */
  async #waitForRetry({ after }: GateRequest, signal: AbortSignal): Promise<void> {
    const { context, maxWait } = this.#options;
    if (after === undefined) return;
    const wait = after.until - context.clock.now();
    if (wait > maxWait) throw new ScreenerError('unavailable', `Too long a wait: ${after.reason}.`);
    this.#showWait(after.reason, after.until);
    // Jitter keeps machines from coming back in the same instant.
    await context.clock
      .sleep(wait + Math.ceil(context.random() * LONGEST_JITTER), signal)
      .finally(() => this.#hideWait());
  }

  /** Takes the turn if it has come. @returns milliseconds until it may have come; undefined if it was taken */
  #leave(id: string, request: GateRequest, since: number): number | undefined {
    const { context, ledger, ceiling } = this.#options;
    const { operation, cost, timeout, despiteHold } = request;
    const check = (usage: Usage) => {
      const now = context.clock.now();
      this.#refuseBlocked(request, usage);
      ceiling.checkReserve(usage, cost, now);
      const { due, answerAlone, sentence } = nextTurn(usage, now, despiteHold === undefined ? operation : undefined);
      if (due <= now) return undefined;
      if (!answerAlone || now - since > SILENT_WAIT) this.#showWait(sentence, due);
      return Math.min(Math.ceil(due - now), answerAlone ? LOOK_SOON : LOOK_EVERY);
    };
    let pause = check(ledger.usage());
    if (pause !== undefined) return pause;
    ledger.update((usage) => {
      pause = check(usage);
      if (pause !== undefined) return false;
      recordSent(usage, {
        ...{ id, operation, cost, sent: context.clock.now() },
        timeout: Math.ceil(timeout),
        ...(this.isFirstExport ? { firstExport: true } : {}),
        ...(despiteHold === undefined ? {} : { despiteHold }),
      });
      return true;
    });
    return pause;
  }

  #showWait(reason: string, until: number): void {
    if (this.#shown?.reason === reason) return;
    this.#hideWait();
    this.#shown = { reason, progress: this.#options.notes.waiting(reason, until) };
  }

  #hideWait(): void {
    this.#shown?.progress.stop();
    this.#shown = undefined;
  }
}

function blockedError({ until, status }: { readonly until: number; readonly status: number }, now: number) {
  const retryAfter = Math.ceil((until - now) / SECOND);
  const [code, why] =
    status === 429
      ? (['quota_exhausted', "The account's quota (or the service's capacity) was exhausted"] as const)
      : (['unavailable', 'The service was unavailable'] as const);
  const wait = `until ${timeOf(until)}, in ${durationInWords(until - now)}`;
  return new ScreenerError(code, `${why} (${status}): this request may not be sent ${wait}.`, {
    hint: 'Nothing was sent. `screener access --recheck` asks the service once whether it still holds.',
    status,
    retryAfter,
    retryAt: until,
  });
}
