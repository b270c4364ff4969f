import type { ErrorCode } from '../errors.ts';

/** Says when a request may leave, and learns what became of it; `credits/` implements it. */
export interface Gate {
  /**
   * The one place that waits, and that checks --max-wait.
   * @throws ScreenerError quota_exhausted, unavailable or budget_reached, or the signal's reason: nothing was sent
   */
  enter(request: GateRequest): Promise<Turn>;
}

export interface GateRequest {
  readonly operation: string;
  readonly cost: number;
  readonly attempt: number;
  /** A retry waits until then, epoch milliseconds UTC. */
  readonly after?: { readonly until: number; readonly reason: string } | undefined;
  /** Why no hold stops it: the user asks again, or it finds out whether the hold is for all. */
  readonly despiteHold?: 'recheck' | 'probe' | undefined;
}

/** `cancel` or `settle` is called, once. */
export interface Turn {
  /** Called right before the request leaves. @throws ScreenerError busy: then it is cancelled */
  check(): void;
  /** The request never left: no credit was spent. */
  cancel(): void;
  settle(answer: Answer): void;
}

export interface Answer {
  /** Undefined if the answer was lost: the credit may be spent. */
  readonly status: number | undefined;
  /** Seconds; undefined if Retry-After is absent or unreadable. */
  readonly retryAfter?: number | undefined;
  /** The code of the error that it became: a hold keeps it. */
  readonly code?: ErrorCode | undefined;
}
