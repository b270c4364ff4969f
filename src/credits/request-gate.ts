import type { Answer, Gate, GateRequest, Turn } from '../api/gate.ts';
import { isRefusal, secondsToStayAway } from '../api/retry.ts';
import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { durationInWords } from '../runtime/durations.ts';
import type { Lock } from '../runtime/lock.ts';
import type { Notes, Progress } from '../runtime/notes.ts';
import { DAY, HOUR, SECOND } from '../runtime/units.ts';
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
/** Milliseconds: a longer Retry-After is a mistake. */
const LONGEST_HOLD = 31 * DAY;
const SILENT_WAIT = 1_000;
const LONGEST_JITTER = 250;
const WORTH_SHOWING = 1_500;

interface Asking {
  readonly id: string;
  readonly request: GateRequest;
  readonly since: number;
  hasWaited: boolean;
}

export class RequestGate implements Gate {
  readonly #options: GateOptions;
  /** Begins the ids of this process's requests: a process id comes again. */
  readonly #name = Math.random().toString(36).slice(2);
  #waiting: Asking[] = [];
  #serial = 0;
  #shown: { asking: Asking; reason: string; until: number; progress: Progress } | undefined;
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
    const asking: Asking = { id, request, since: clock.now(), hasWaited: false };
    try {
      await this.#waitForRetry(asking, signal);
      this.#waiting.push(asking);
      for (let pause = this.#leave(asking); pause !== undefined; pause = this.#leave(asking)) {
        await clock.sleep(pause, signal);
      }
    } catch (error) {
      ceiling.giveBack(request.cost);
      throw error;
    } finally {
      this.#waiting = this.#waiting.filter((other) => other !== asking);
      this.#hideWait(asking);
    }
    return {
      check: () => this.lock?.check(),
      cancel: () => {
        ceiling.giveBack(request.cost);
        ledger.update((usage) => recordNotSent(usage, id));
      },
      settle: (answer) => {
        ceiling.spend(request.cost, answer.status);
        this.#recordAnswer(asking, answer);
      },
    };
  }

  /** Epoch milliseconds UTC, of requests answered with 200. */
  lastSent({ requests }: Usage, path: string): number | undefined {
    const own = requests.filter(({ id, status }) => id.startsWith(`${this.#name}.`) && status === 200);
    return own.findLast(({ operation }) => operation === path)?.sent;
  }

  /** The hold on an operation, if it is longer than --max-wait. */
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
  async #waitForRetry(asking: Asking, signal: AbortSignal): Promise<void> {
    const { context, maxWait } = this.#options;
    const { after } = asking.request;
    if (after === undefined) return;
    const wait = after.until - context.clock.now();
    if (wait > maxWait) throw new ScreenerError('unavailable', `Too long a wait: ${after.reason}.`);
    this.#showWait(asking, after.reason, after.until);
    // Jitter keeps machines from coming back in the same instant.
    await context.clock.sleep(wait + Math.ceil(context.random() * LONGEST_JITTER), signal);
    this.#hideWait(asking);
  }

  /** Takes the turn if it has come. @returns milliseconds until it may have come; undefined if it was taken */
  #leave(asking: Asking): number | undefined {
    if (this.#waiting[0] !== asking) return LOOK_SOON;
    const { context, ledger, ceiling } = this.#options;
    const { operation, cost, timeout, despiteHold } = asking.request;
    const check = (usage: Usage, now: number) => {
      this.#refuseBlocked(asking.request, usage);
      ceiling.checkReserve(usage, cost, now);
      return this.#pauseOf(asking, usage, now);
    };
    let pause = check(ledger.usage(), context.clock.now());
    if (pause !== undefined) return pause;
    ledger.update((usage) => {
      const sent = context.clock.now();
      pause = check(usage, sent);
      if (pause !== undefined) return false;
      recordSent(usage, {
        ...{ id: asking.id, operation, cost, sent },
        timeout: Math.ceil(timeout),
        ...(this.isFirstExport ? { firstExport: true } : {}),
        ...(despiteHold === undefined ? {} : { despiteHold }),
      });
      return true;
    });
    return pause;
  }

  #pauseOf(asking: Asking, usage: Usage, now: number): number | undefined {
    const { operation, despiteHold } = asking.request;
    const turn = { operation, despiteHold: despiteHold !== undefined, hasWaited: asking.hasWaited };
    const { due, answerAlone, expected, sentence } = nextTurn(usage, now, turn);
    if (due <= now) return undefined;
    if (!answerAlone) asking.hasWaited = true;
    if (!answerAlone || now - asking.since > SILENT_WAIT) this.#showWait(asking, sentence, expected);
    return Math.min(Math.ceil(due - now), answerAlone ? LOOK_SOON : LOOK_EVERY);
  }

  #showWait(asking: Asking, reason: string, until: number): void {
    const shown = this.#shown;
    if (shown !== undefined && shown.asking !== asking) return;
    if (shown?.reason === reason && Math.abs(shown.until - until) < WORTH_SHOWING) return;
    shown?.progress.stop();
    this.#shown = { asking, reason, until, progress: this.#options.notes.waiting(reason, until) };
  }

  #hideWait(asking: Asking): void {
    if (this.#shown?.asking !== asking) return;
    this.#shown.progress.stop();
    this.#shown = undefined;
  }

  #recordAnswer({ id, request }: Asking, { status, retryAfter }: Answer): void {
    const { context, ledger } = this.#options;
    const at = context.clock.now();
    const asked = isRefusal(status) ? secondsToStayAway(status, retryAfter, request.attempt - 1) : undefined;
    const stayAway = asked === undefined ? undefined : Math.min(Math.max(0, asked) * SECOND, LONGEST_HOLD);
    ledger.update((usage) => recordOutcome(usage, id, { at, status, stayAway }));
  }
}

function blockedError(blocked: { readonly until: number; readonly status: number }, now: number): ScreenerError {
  const wait = blocked.until - now;
  const retryAfter = Math.ceil(wait / SECOND);
  const until = timeOf(blocked.until);
  const [code, why] =
    blocked.status === 429
      ? (['quota_exhausted', "The account's quota (or the service's capacity) was exhausted"] as const)
      : (['unavailable', 'The service was unavailable'] as const);
  return new ScreenerError(
    code,
    `${why} (${blocked.status}): this request may not be sent until ${until}, in ${durationInWords(wait)}.`,
    {
      hint:
        wait <= HOUR
          ? `Nothing was sent. --max-wait ${retryAfter}s allows the wait; \`screener access --recheck\` asks whether it still holds.`
          : 'Nothing was sent. `screener access --recheck` asks the service once whether it still holds.',
      status: blocked.status,
      retryAfter,
      retryAt: blocked.until,
    },
  );
}
