/**
 * The exit codes users and scripts depend on. One number, one meaning.
 */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  auth: 3,
  plan: 4,
  notFound: 5,
  rejected: 6,
  quota: 7,
  unavailable: 8,
  contract: 9,
  interrupted: 130,
} as const;

type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Stable names for scripts, one or more per exit code. */
export const EXIT_OF = {
  unexpected: EXIT.unexpected,
  usage: EXIT.usage,
  not_logged_in: EXIT.auth,
  unauthorized: EXIT.auth,
  pro_required: EXIT.plan,
  not_found: EXIT.notFound,
  invalid_arguments: EXIT.rejected,
  quota_exhausted: EXIT.quota,
  budget_reached: EXIT.quota,
  unavailable: EXIT.unavailable,
  network: EXIT.unavailable,
  timeout: EXIT.unavailable,
  bad_answer: EXIT.contract,
  busy: EXIT.unexpected,
  storage: EXIT.unexpected,
  stale: EXIT.unexpected,
  no_history: EXIT.unexpected,
  interrupted: EXIT.interrupted,
} as const satisfies Record<string, ExitCode>;

export type ErrorCode = keyof typeof EXIT_OF;

interface ErrorDetails {
  /** What the user can do about it, one sentence; its lines after the first are command lines that it offers. */
  hint?: string | undefined;
  /** HTTP status, when the server answered. */
  status?: number | undefined;
  /** Seconds, as the server's Retry-After said (or its documented stand-in). */
  retryAfter?: number | undefined;
  /** When another attempt makes sense, epoch milliseconds UTC. */
  retryAt?: number | undefined;
  cause?: unknown;
}

/** Every failure the program foresees. `main` is the only place that turns one into text and an exit code. */
export class ScreenerError extends Error {
  override readonly name = 'ScreenerError';
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly retryAt: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.exitCode = EXIT_OF[code];
    this.hint = details.hint;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.retryAt = details.retryAt;
  }
}

/** Wrong usage: nothing was sent. */
export function usageError(message: string, hint?: string): ScreenerError {
  return new ScreenerError('usage', message, { hint });
}

/** The user pressed Ctrl-C, or the process was asked to stop. */
export function interruptedError(hint?: string): ScreenerError {
  return new ScreenerError('interrupted', 'Interrupted.', { hint });
}

/** The user ended what only ends that way (a watch): exit code 130, and no message. */
export class StoppedByUser extends ScreenerError {
  constructor() {
    super('interrupted', 'Interrupted.');
  }
}

/** The reader of standard output went away (`| head -1`): a success, and the reason to stop spending. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
  constructor() {
    super('The reader of standard output has closed it.');
  }
}
