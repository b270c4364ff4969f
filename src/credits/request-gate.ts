import type { Answer, Gate, GateRequest, Turn } from '../api/gate.ts';
import { secondsToStayAway } from '../api/retry.ts';
import { formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { inWords } from '../runtime/distance.ts';
import { HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import type { CreditCeiling } from './credit-ceiling.ts';
import type { Ledger } from './ledger.ts';
import { allowance, blockedUntil, type Standing, standing, unfinishedAbove } from './schedule.ts';
import { LONGEST_COOLDOWN } from './usage.ts';
import type { WaitNote } from './wait-note.ts';

export interface GateOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly ledger: Ledger;
  readonly ceiling: CreditCeiling;
  /** Longest cooldown that is waited out, milliseconds. */
  readonly maxWait: number;
  readonly waits: WaitNote;
  /** See `processPlace`. */
  readonly place: string;
}

/** Longest time between two looks at what other processes wrote: one that gave up lets others go earlier. */
const LOOK_EVERY = 500;
/** Who only waits for an answer to another request looks sooner, because it may come at any moment. */
const LOOK_FOR_ANSWER = 50;
/** After a cooldown nobody needs to come back in the same instant as every other machine. */
const JITTER = 250;
/** Requests wait for answers all the time; only one that takes longer is worth a word. */
const SILENT_WAIT = 1_000;

/** A request between `enter` and its sending. Its nonce changes where a turn lapsed and another was taken. */
interface Asking {
  nonce: string;
  readonly request: GateRequest;
  readonly since: number;
}

/** Says when a request may leave, by the ledger's rules and this invocation's ceiling, and writes what became of it. */
export class RequestGate implements Gate {
  readonly #options: GateOptions;
  /** Sleeps of waiting requests: ended where something of this process changed. */
  readonly #sleeps = new Set<AbortController>();
  #serial = 0;
  /** When this process's latest answered `/access` left: what it said is as old as that. */
  accessSentAt: number | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async enter(request: GateRequest): Promise<Turn> {
    const { context, ledger, ceiling, waits } = this.#options;
    context.signal.throwIfAborted();
    request.signal?.throwIfAborted();
    ledger.refresh();
    this.#refuseBlocked(request);
    ceiling.reserve(request.cost);
    const asking: Asking = { nonce: '', request, since: context.clock.now() };
    try {
      this.#askForPermit(asking);
      for (;;) {
        const sentAt = this.#takeTurn(asking);
        if (sentAt !== undefined) return this.#turn(asking, sentAt);
        await this.#sleep(asking);
      }
    } catch (error) {
      ceiling.giveBack(request.cost);
      this.#giveUp(asking);
      throw error;
    } finally {
      waits.stop(asking);
    }
  }

  #askForPermit(asking: Asking): void {
    const { context, ledger, place, ceiling } = this.#options;
    const { operation, cost, timeout, recheck } = asking.request;
    this.#serial += 1;
    asking.nonce = `${context.pid}.${this.#serial}.${Math.floor(context.random() * 2 ** 40).toString(36)}`;
    ledger.append([
      {
        is: 'permit',
        at: context.clock.now(),
        nonce: asking.nonce,
        pid: context.pid,
        place,
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
   * @returns when it leaves, or undefined where it has to wait
   * @throws ScreenerError where a cooldown or the reserve forbids it
   */
  #takeTurn(asking: Asking): number | undefined {
    const { context, ledger, ceiling } = this.#options;
    ledger.refresh();
    this.#refuseBlocked(asking.request);
    ceiling.checkReserve(ledger.usage, asking.nonce, context.clock.now());
    const at = context.clock.now();
    const stand = standing(ledger.usage, asking.nonce, at);
    if (stand === undefined || stand.lapsed) {
      // This process was suspended, or taken for dead: others no longer reckon with its turn.
      this.#giveUp(asking);
      this.#askForPermit(asking);
      return undefined;
    }
    if (stand.due > at) {
      this.#recordDeaths(asking);
      this.#show(asking, stand, at);
      return undefined;
    }
    ledger.append([{ is: 'sent', at, nonce: asking.nonce }]);
    return at;
  }

  /** Until the turn may have come, at most half a second. @throws the reason of whichever signal was aborted */
  async #sleep(asking: Asking): Promise<void> {
    const { context, ledger } = this.#options;
    const { clock } = context;
    const now = clock.now();
    const stand = standing(ledger.usage, asking.nonce, now);
    const due = stand?.due ?? now;
    const jitter = blockedUntil(ledger.usage, now)?.until === due ? context.random() * JITTER : 0;
    const longest = stand?.flightAlone ? LOOK_FOR_ANSWER : LOOK_EVERY;
    const sleep = new AbortController();
    this.#sleeps.add(sleep);
    const signals = [context.signal, asking.request.signal].filter((signal) => signal !== undefined);
    const wake = () => sleep.abort();
    for (const signal of signals) signal.addEventListener('abort', wake, { once: true });
    try {
      await clock.sleep(Math.min(Math.max(1, Math.ceil(due - now + jitter)), longest), sleep.signal);
    } catch (error) {
      if (!sleep.signal.aborted) throw error;
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', wake);
      this.#sleeps.delete(sleep);
    }
    for (const signal of signals) signal.throwIfAborted();
  }

  #show(asking: Asking, { flightAlone, sentence, expected, due }: Standing, now: number): void {
    if (!flightAlone) this.#options.waits.show(asking, sentence, expected);
    else if (now - asking.since > SILENT_WAIT) this.#options.waits.show(asking, sentence, due);
  }

  #giveUp({ nonce }: Asking): void {
    const { context, ledger } = this.#options;
    if (nonce !== '') ledger.append([{ is: 'cancel', at: context.clock.now(), nonce }]);
  }

  #refuseBlocked({ recheck }: GateRequest): void {
    const { context, ledger, maxWait } = this.#options;
    const now = context.clock.now();
    const blocked = blockedUntil(ledger.usage, now);
    if (blocked !== undefined && !recheck && blocked.until - now > maxWait) throw blockedError(blocked, now);
  }

  /** A process that was killed answers no more: whoever waits behind its permits says so for all. */
  #recordDeaths({ nonce }: Asking): void {
    const { context, ledger, place } = this.#options;
    const { alive } = context;
    if (alive === undefined) return;
    const dead = unfinishedAbove(ledger.usage, nonce)
      .filter((permit) => permit.place === place && permit.pid !== context.pid && !alive(permit.pid))
      .map((permit) => permit.nonce);
    if (dead.length > 0) ledger.append([{ is: 'died', at: context.clock.now(), nonces: dead }]);
  }

  #turn(asking: Asking, sentAt: number): Turn {
    const { ceiling } = this.#options;
    const { cost, operation } = asking.request;
    let open = true;
    const once = (action: () => void) => {
      if (!open) return;
      open = false;
      action();
      for (const sleep of this.#sleeps) sleep.abort();
    };
    return {
      cancel: () =>
        once(() => {
          ceiling.giveBack(cost);
          this.#giveUp(asking);
        }),
      settle: (answer) =>
        once(() => {
          ceiling.spend(cost, answer.status);
          if (operation === '/access' && answer.status === 200) this.accessSentAt = sentAt;
          this.#recordAnswer(asking, answer);
        }),
    };
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
    const cooldown = Math.min(Math.max(0, asked), LONGEST_COOLDOWN / SECOND);
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
  const until = formatApiTime(Math.ceil(blocked.until / SECOND) * SECOND);
  const [code, why] =
    blocked.status === 429
      ? (['quota_exhausted', "The account's quota (or the service's capacity) was exhausted"] as const)
      : (['unavailable', 'The service was unavailable'] as const);
  return new ScreenerError(
    code,
    `${why} (${blocked.status}): no request may be sent until ${until}, ${inWords(wait)}.`,
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
