import type { Answer, Gate, GateRequest, Turn } from '../api/gate.ts';
import { secondsToStayAway } from '../api/retry.ts';
import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { durationInWords } from '../runtime/durations.ts';
import { processPlace } from '../runtime/process-life.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import type { CreditCeiling } from './credit-ceiling.ts';
import type { Ledger } from './ledger.ts';
import type { StepRecord } from './ledger-records.ts';
import { allowance, blockedUntil, standing } from './schedule.ts';
import type { WaitNote } from './wait-note.ts';

interface GateOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly ledger: Ledger;
  readonly ceiling: CreditCeiling;
  /**
   * Longest cooldown that is waited out, milliseconds. DECISION: the wait for a turn is not bounded by it, not even before
   * a retry: at a service that takes one request at a time, cards would be lost that only had to wait.
   */
  readonly maxWait: number;
  readonly waits: WaitNote;
}

/** Milliseconds: something has just changed. */
const AT_ONCE = 1;
/** Longest time between two looks at what other processes wrote: one that gave up lets others go earlier. */
const LOOK_EVERY = 500;
/** Who only waits for an answer to another request looks sooner, because it may come at any moment. */
const LOOK_FOR_ANSWER = 50;
/** A Retry-After beyond this (seconds) is a server's mistake and must not lock its user out for ever. */
const LONGEST_COOLDOWN = (31 * DAY) / SECOND;
/** Requests wait for answers all the time; only one that takes longer is worth a word. */
const SILENT_WAIT = 1_000;
const LONGEST_JITTER = 250;

/** A request between `enter` and its sending. Its nonce changes where a turn lapsed and another was taken. */
interface Asking {
  nonce: string;
  readonly request: GateRequest;
  readonly since: number;
}

/** Says when a request may leave, by the ledger's rules and this invocation's ceiling, and writes what became of it. */
export class RequestGate implements Gate {
  readonly #options: GateOptions;
  readonly #place = processPlace();
  #serial = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async enter(request: GateRequest): Promise<Turn> {
    const { context, ledger, ceiling, waits } = this.#options;
    const { clock } = context;
    const signal = request.signal ?? context.signal;
    signal.throwIfAborted();
    ledger.refresh();
    this.#refuseBlocked(request);
    ceiling.reserve(request.cost);
    const asking: Asking = { nonce: '', request, since: clock.now() };
    try {
      await this.#waitForRetry(asking, signal);
      this.#askForPermit(asking);
      for (let pause = this.#takeTurn(asking); pause !== undefined; pause = this.#takeTurn(asking)) {
        await clock.sleep(pause, signal);
      }
    } catch (error) {
      ceiling.giveBack(request.cost);
      if (asking.nonce !== '') this.#write('cancel', asking.nonce);
      throw error;
    } finally {
      waits.stop(asking);
    }
    return {
      cancel: () => {
        ceiling.giveBack(request.cost);
        this.#write('cancel', asking.nonce);
      },
      settle: (answer) => {
        ceiling.spend(request.cost, answer.status);
        this.#recordAnswer(asking, answer);
      },
    };
  }

  /** @throws ScreenerError where the wait is longer than --max-wait; nobody sees its words, but the failure's before it */
  async #waitForRetry(asking: Asking, signal: AbortSignal): Promise<void> {
    const { context, maxWait, waits } = this.#options;
    const { after } = asking.request;
    if (after === undefined) return;
    const wait = after.until - context.clock.now();
    if (wait > maxWait) throw new ScreenerError('unavailable', `Too long a wait: ${after.reason}.`);
    waits.show(asking, after.reason, after.until);
    // The jitter keeps several machines from coming back in the same instant.
    await context.clock.sleep(wait + Math.ceil(context.random() * LONGEST_JITTER), signal);
    waits.stop(asking);
  }

  #askForPermit(asking: Asking): void {
    const { context, ledger, ceiling } = this.#options;
    const { clock, pid, random } = context;
    const { operation, cost, timeout, recheck } = asking.request;
    this.#serial += 1;
    asking.nonce = `${pid}.${this.#serial}.${Math.floor(random() * 2 ** 40).toString(36)}`;
    ledger.append([
      {
        is: 'permit',
        at: clock.now(),
        nonce: asking.nonce,
        pid,
        place: this.#place,
        operation,
        cost,
        timeout: Math.ceil(timeout),
        ...(ceiling.keep > 0 ? { keep: ceiling.keep } : {}),
        ...(recheck ? { recheck } : {}),
      },
    ]);
  }

  /**
   * Takes the turn if it has come: writes that the request leaves.
   * @returns milliseconds until it may have come; undefined where it was taken
   * @throws ScreenerError where a cooldown or the reserve forbids it
   */
  #takeTurn(asking: Asking): number | undefined {
    const { context, ledger, ceiling, waits } = this.#options;
    ledger.refresh();
    this.#refuseBlocked(asking.request);
    const now = context.clock.now();
    ceiling.checkReserve(ledger.usage, asking.nonce, now);
    const stand = standing(ledger.usage, asking.nonce, now);
    if (stand === undefined || stand.lapsed) {
      // This process was suspended, or taken for dead: others no longer reckon with its turn.
      this.#write('cancel', asking.nonce);
      this.#askForPermit(asking);
      return AT_ONCE;
    }
    const { due, flightAlone, sentence, expected } = stand;
    if (due <= now) {
      ledger.append([{ is: 'sent', at: now, nonce: asking.nonce }]);
      return undefined;
    }
    if (this.#recordDeaths(asking)) return AT_ONCE;
    if (!flightAlone) waits.show(asking, sentence, expected);
    else if (now - asking.since > SILENT_WAIT) waits.show(asking, sentence, due);
    return Math.min(Math.ceil(due - now), flightAlone ? LOOK_FOR_ANSWER : LOOK_EVERY);
  }

  #refuseBlocked({ recheck }: GateRequest): void {
    const { context, ledger, maxWait } = this.#options;
    const now = context.clock.now();
    const blocked = blockedUntil(ledger.usage, now);
    if (blocked !== undefined && !recheck && blocked.until - now > maxWait) throw blockedError(blocked, now);
  }

  /**
   * A process that was killed answers no more: whoever waits behind its permits says so for all.
   * @returns whether there was one
   */
  #recordDeaths({ nonce }: Asking): boolean {
    const { context, ledger } = this.#options;
    const { permits } = ledger.usage;
    const own = permits.findIndex((permit) => permit.nonce === nonce);
    const dead = permits
      .slice(0, own)
      .filter(({ ended, place, pid }) => ended === null && place === this.#place && pid !== context.pid)
      .filter(({ pid }) => context.alive?.(pid) === false);
    for (const permit of dead) this.#write('died', permit.nonce);
    return dead.length > 0;
  }

  #write(is: StepRecord['is'], nonce: string): void {
    this.#options.ledger.append([{ is, at: this.#options.context.clock.now(), nonce }]);
  }

  #recordAnswer({ nonce, request }: Asking, { status, retryAfter }: Answer): void {
    const { context, ledger } = this.#options;
    const at = context.clock.now();
    const answer = { is: 'answer', at, nonce, status: status ?? null } as const;
    if (status !== 429 && status !== 503) {
      ledger.append([answer]);
      return;
    }
    // The stand-in for a missing Retry-After holds for everybody, too: nobody is to try again immediately.
    const asked = secondsToStayAway(status, retryAfter, request.attempt - 1);
    const cooldown = Math.min(Math.max(0, asked), LONGEST_COOLDOWN);
    // A refusal for longer than a minute is about a day's or a month's credits: it says nothing of the pace.
    const aboutPace = status === 429 && (retryAfter ?? 0) <= MINUTE / SECOND;
    const spacing = aboutPace ? { spacing: retryAfter ?? MINUTE / SECOND / allowance(ledger.usage) } : {};
    ledger.append([{ ...answer, cooldown, ...spacing }]);
  }
}

/** Nothing is sent: what Retry-After said, to whichever process of the account, has not passed. */
function blockedError(blocked: { readonly until: number; readonly status: number }, now: number): ScreenerError {
  const wait = blocked.until - now;
  const retryAfter = Math.ceil(wait / SECOND);
  const until = timeOf(Math.ceil(blocked.until / SECOND) * SECOND);
  const [code, why] =
    blocked.status === 429
      ? (['quota_exhausted', "The account's quota (or the service's capacity) was exhausted"] as const)
      : (['unavailable', 'The service was unavailable'] as const);
  return new ScreenerError(
    code,
    `${why} (${blocked.status}): no request may be sent until ${until}, in ${durationInWords(wait)}.`,
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
