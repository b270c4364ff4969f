/** The gate between a call and the network: the client goes through it, and `credits/` implements it. */
import { ScreenerError } from '../errors.ts';
import type { Lock } from '../runtime/lock.ts';

/** Says when a request may leave, and learns what became of it. */
export interface Gate {
  /**
   * Waits until the request may leave. No other place waits or checks --max-wait. (One exception: `Account.buyingCard` waits
   * for another command that is buying the same card.)
   * @throws WaitTooLong; ScreenerError quota_exhausted, budget_reached or budget_unknown; busy, if a lock was lost; the
   *   signal's reason. In each case nothing was sent.
   */
  enter(request: GateRequest): Promise<Turn>;
}

export interface GateRequest {
  /** The operation's path in part 4 of the API document. */
  readonly operation: string;
  /** Credits. */
  readonly cost: number;
  /** --timeout: how long the answer is waited for, milliseconds. */
  readonly timeout?: number;
  /** The wait before a retry; undefined for a first attempt. */
  readonly waitBefore?: Wait | undefined;
  /**
   * Set if the request leaves although an earlier Retry-After is not over. `recheck`: the user asks again. `probe`: the
   * request finds out whether other operations are refused, too.
   */
  readonly despiteHold?: 'recheck' | 'probe' | undefined;
  /**
   * The service's time by its last Date header, which may be wrong: epoch milliseconds UTC; undefined if this process has
   * seen none.
   */
  readonly dateHeaderTime?: number | undefined;
  /** For the purchase of a card: its lock. If it is lost, another process may buy the same card. */
  readonly lock?: Pick<Lock, 'check'> | undefined;
}

/** The request has to wait for longer than --max-wait. */
export class WaitTooLong extends ScreenerError {}

export interface Wait {
  /** Epoch milliseconds UTC. */
  readonly until: number;
  /** Why. It becomes part of a sentence, without a capital and a full stop: `the answer was lost`. */
  readonly reason: string;
}

/** Permission to send one request. It ends with `leave` and then `settle`, or with `cancel`. */
export interface Turn {
  /**
   * Called right before the request leaves, because the process may have been suspended since its turn came.
   * @returns whether the request may leave. If not, the caller cancels this turn, and enters for another one.
   * @throws ScreenerError as `enter`. Then, too, the caller cancels this turn.
   */
  leave(): boolean;
  /** The request never left: no credit was spent. */
  cancel(): void;
  /**
   * Records how the request ended.
   * @returns whether the request counts as an attempt. The 429 of a retry does not count if the service let another request of
   *   the account through after the retry's wait was over: that request used up the place that was meant for the retry.
   */
  settle(answer: Answer): boolean;
}

export interface Answer {
  /** Undefined if the answer was lost: the credit may be spent. */
  readonly status: number | undefined;
  /** Seconds in which no request is wanted, after a refusal (429 or 503); undefined after any other answer. */
  readonly holdSeconds?: number | undefined;
  /** Whether the body is no Envelope: a web page, for example, says nothing of the account. */
  readonly isForeign?: boolean;
}
