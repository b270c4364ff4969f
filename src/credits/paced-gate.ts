import type { Answer, Gate, GateRequest, Turn } from '../api/gate.ts';
import { secondsToStayAway } from '../api/retry.ts';
import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import type { CreditCeiling } from './credit-ceiling.ts';
import type { Ledger } from './ledger.ts';
import { heldError } from './refusals.ts';
import { activeHold, standing, unfinishedBefore } from './schedule.ts';
import { Waiters } from './waiters.ts';

export interface GateOptions {
  readonly context: Pick<Context, 'clock' | 'signal' | 'pid' | 'random' | 'alive'>;
  readonly ledger: Ledger;
  readonly purse: CreditCeiling;
  /** Longest hold that is waited out, milliseconds. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'waiting'>;
  /** See `place` in identity.ts. */
  readonly place: string;
}

/** A request between `enter` and its sending. Its nonce changes where a turn lapsed and another was taken. */
export interface Asked {
  nonce: string;
  readonly request: GateRequest;
}

/** Says when a request may leave, by the ledger's rules and this invocation's budget, and writes what became of it. */
export class PacedGate implements Gate {
  readonly #options: GateOptions;
  readonly #waiters: Waiters;
  #serial = 0;
  /** When this process's latest answered `/access` left: what it said is as old as that. */
  accessSentAt: number | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#waiters = new Waiters({
      ...options,
      decide: (asked) => this.#decide(asked),
      giveUp: (asked) => this.#giveUp(asked),
    });
  }

  async enter(request: GateRequest): Promise<Turn> {
    const { context, ledger, purse } = this.#options;
    context.signal.throwIfAborted();
    request.signal?.throwIfAborted();
    ledger.refresh();
    this.#refuseHeld();
    purse.reserve(request.cost);
    const asked: Asked = { nonce: '', request };
    try {
      this.#reserve(asked);
      const sentAt = this.#decide(asked) ?? (await this.#waiters.wait(asked));
      return this.#turn(asked, sentAt);
    } catch (error) {
      purse.giveBack(request.cost);
      throw error;
    }
  }

  #reserve(asked: Asked): void {
    const { context, ledger, place } = this.#options;
    const { operation, cost, timeout } = asked.request;
    this.#serial += 1;
    asked.nonce = `${context.pid}.${this.#serial}.${Math.floor(context.random() * 2 ** 40).toString(36)}`;
    const { nonce } = asked;
    const at = context.clock.now();
    ledger.append([{ is: 'turn', at, nonce, pid: context.pid, place, operation, cost, timeout: Math.ceil(timeout) }]);
  }

  /**
   * Takes the turn if it has come: writes that the request leaves.
   * @returns when it leaves, or undefined where it has to wait
   * @throws ScreenerError where a hold forbids it; the turn is given up then
   */
  #decide(asked: Asked): number | undefined {
    const { context, ledger } = this.#options;
    ledger.refresh();
    const at = context.clock.now();
    try {
      this.#refuseHeld();
    } catch (error) {
      this.#giveUp(asked);
      throw error;
    }
    const stand = standing(ledger.state, asked.nonce, at);
    if (stand === undefined || stand.lapsed) {
      // This process was suspended, or taken for dead: others no longer reckon with its turn.
      this.#giveUp(asked);
      this.#reserve(asked);
      return undefined;
    }
    if (stand.due > at) {
      this.#buryTheDead(asked);
      return undefined;
    }
    ledger.append([{ is: 'sent', at, nonce: asked.nonce }]);
    return at;
  }

  #giveUp({ nonce }: Asked): void {
    const { context, ledger } = this.#options;
    ledger.append([{ is: 'cancel', at: context.clock.now(), nonce }]);
  }

  #refuseHeld(): void {
    const { context, ledger, maxWait } = this.#options;
    const now = context.clock.now();
    const hold = activeHold(ledger.state, now);
    if (hold !== undefined && hold.until - now > maxWait) throw heldError(hold, now);
  }

  /** A process that was killed answers no more: whoever waits behind its turns says so for all. */
  #buryTheDead(asked: Asked): void {
    const { context, ledger, place } = this.#options;
    const { alive } = context;
    if (alive === undefined) return;
    const dead = unfinishedBefore(ledger.state, asked.nonce)
      .filter((turn) => turn.place === place && turn.pid !== context.pid && !alive(turn.pid))
      .map((turn) => turn.nonce);
    if (dead.length > 0) ledger.append([{ is: 'gone', at: context.clock.now(), nonces: dead }]);
  }

  #turn(asked: Asked, sentAt: number): Turn {
    const { purse } = this.#options;
    const { cost, operation } = asked.request;
    let open = true;
    const once = (action: () => void) => {
      if (!open) return;
      open = false;
      action();
      this.#waiters.wake();
    };
    return {
      cancel: () =>
        once(() => {
          purse.giveBack(cost);
          this.#giveUp(asked);
        }),
      settle: (answer) =>
        once(() => {
          purse.spend(cost, answer.status);
          if (operation === '/access' && answer.status === 200) this.accessSentAt = sentAt;
          this.#settle(asked, answer);
        }),
    };
  }

  #settle({ nonce, request }: Asked, { status, retryAfter }: Answer): void {
    const { context, ledger } = this.#options;
    const held = status === 429 || status === 503;
    // The stand-in for a missing Retry-After holds for everybody, too: nobody is to try again immediately.
    const hold = held ? { hold: Math.max(0, secondsToStayAway(status, retryAfter, request.attempt - 1)) } : {};
    ledger.append([{ is: 'answer', at: context.clock.now(), nonce, status: status ?? null, ...hold }]);
  }
}
