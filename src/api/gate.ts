/** What stands between a call and the network: `credits/` implements it, the client goes through it. */
import type { Lock } from '../runtime/lock.ts';

/** Says when a request may leave, and learns what became of it. */
export interface Gate {
  /**
   * The one place where a request waits until it may leave, and where --max-wait is checked. One wait comes before it: for
   * another command that is buying the same card (`Account.buyingCard`).
   * @throws ScreenerError quota_exhausted, unavailable, budget_reached, budget_unknown, or busy if a lock was lost; or the
   *   signal's reason. Nothing was sent
   */
  enter(request: GateRequest): Promise<Turn>;
}

export interface GateRequest {
  /** The operation's path in part 4 of the API document. */
  readonly operation: string;
  /** Credits. */
  readonly cost: number;
  /** From 1. */
  readonly attempt: number;
  /** What a retry waits for; undefined for a first attempt. */
  readonly after?: Wait | undefined;
  /**
   * Set where a refusal's Retry-After does not stop it: `recheck`, the user asks again; `probe`, it finds out whether
   * other operations are refused, too.
   */
  readonly despiteHold?: 'recheck' | 'probe' | undefined;
  /** The lock of the history that buys the card: without it another process may buy the same card. */
  readonly lock?: Pick<Lock, 'check'> | undefined;
}

export interface Wait {
  /** Epoch milliseconds UTC. */
  readonly until: number;
  /** Why, for whoever waits: without a capital, and without a full stop. */
  readonly sentence: string;
}

/** `cancel` or `settle` is called, once. */
export interface Turn {
  /**
   * Called right before the request leaves: since its turn came, the process may have been suspended for hours.
   * @returns whether it may leave; false: it is to be cancelled, and waits for a turn once more
   * @throws ScreenerError as `enter`: then it is cancelled
   */
  leave(): boolean;
  /** The request never left: no credit was spent. */
  cancel(): void;
  /**
   * @returns whether the request counts as an attempt. A 429 does not, if another request of the account was let through
   *   after this one's turn had come: that request took the place of this one.
   */
  settle(answer: Answer): boolean;
}

export interface Answer {
  /** Undefined if the answer was lost: the credit may be spent. */
  readonly status: number | undefined;
  /** Seconds; undefined if Retry-After is absent, 0 or unreadable. */
  readonly retryAfter?: number | undefined;
  /** Whether the body is no Envelope: a web page in its place says nothing of the account. */
  readonly isForeign?: boolean;
}
