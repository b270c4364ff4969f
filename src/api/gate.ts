/** Says when a request may leave, and hears what came of it. This room knows no more of credits; `credits/` implements it. */
export interface Gate {
  /**
   * Waits until one request may be sent: the one place that waits, and that holds a wait against --max-wait.
   * @throws ScreenerError (quota_exhausted, unavailable or budget_reached) where it may not be sent, and the signal's
   *   reason when interrupted; nothing was sent then.
   */
  enter(request: GateRequest): Promise<Turn>;
}

export interface GateRequest {
  /** Its path of part 4. */
  readonly operation: string;
  /** Credits it costs when it succeeds. */
  readonly cost: number;
  readonly attempt: number;
  /** Before a retry: not before then (epoch milliseconds UTC), and why, in words. */
  readonly after?: { readonly until: number; readonly reason: string } | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /** Ends the wait for this request alone. */
  readonly signal?: AbortSignal | undefined;
  /** Sent although the service asked to stay away: because the user wants to, or to learn whether it holds for all. */
  readonly despiteHold?: 'recheck' | 'probe' | undefined;
}

/** The right to send one request now. `cancel` or `settle` is called, once. */
export interface Turn {
  /** Called right before the request leaves. @throws ScreenerError busy, where it no longer may: it is cancelled then */
  check(): void;
  /** The request never left this machine: the turn is given back, no credit was spent. */
  cancel(): void;
  /** The request left: what came of it. */
  settle(answer: Answer): void;
}

export interface Answer {
  /** HTTP status; undefined when the answer was lost and the credit may be spent. */
  readonly status: number | undefined;
  /** Seconds, as Retry-After said; undefined when absent or unreadable. It counts with a 429 or 503. */
  readonly retryAfter?: number | undefined;
}
