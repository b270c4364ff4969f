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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What failed: one request, its answer, the moment, a quota (it passes), the account, or this run. */
type Concern = 'request' | 'answer' | 'moment' | 'quota' | 'account' | 'run';

const ERRORS = {
  unexpected: { exit: EXIT.unexpected, concerns: 'request' },
  usage: { exit: EXIT.usage, concerns: 'request' },
  not_logged_in: { exit: EXIT.auth, concerns: 'account' },
  unauthorized: { exit: EXIT.auth, concerns: 'account' },
  pro_required: { exit: EXIT.plan, concerns: 'account' },
  not_found: { exit: EXIT.notFound, concerns: 'request' },
  invalid_arguments: { exit: EXIT.rejected, concerns: 'request' },
  quota_exhausted: { exit: EXIT.quota, concerns: 'quota' },
  budget_reached: { exit: EXIT.quota, concerns: 'run' },
  unavailable: { exit: EXIT.unavailable, concerns: 'moment' },
  network: { exit: EXIT.unavailable, concerns: 'moment' },
  timeout: { exit: EXIT.unavailable, concerns: 'moment' },
  bad_answer: { exit: EXIT.contract, concerns: 'answer' },
  busy: { exit: EXIT.unexpected, concerns: 'run' },
  storage: { exit: EXIT.unexpected, concerns: 'run' },
  stale: { exit: EXIT.unexpected, concerns: 'run' },
  no_history: { exit: EXIT.unexpected, concerns: 'run' },
  interrupted: { exit: EXIT.interrupted, concerns: 'run' },
} as const satisfies Record<string, { exit: ExitCode; concerns: Concern }>;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails {
  /** One sentence; its further lines are command lines that it offers. */
  hint?: string | undefined;
  status?: number | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  /** Epoch milliseconds UTC. */
  retryAt?: number | undefined;
  cause?: unknown;
}

/** Every failure the program foresees. `main` is the only place that turns one into text and an exit code. */
export class ScreenerError extends Error {
  override readonly name = 'ScreenerError';
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly concerns: Concern;
  readonly hint: ErrorDetails['hint'];
  readonly status: ErrorDetails['status'];
  readonly retryAfter: ErrorDetails['retryAfter'];
  readonly retryAt: ErrorDetails['retryAt'];

  constructor(
    code: ErrorCode,
    message: string,
    { hint, status, retryAfter, retryAt, cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.exitCode = ERRORS[code].exit;
    this.concerns = ERRORS[code].concerns;
    Object.assign(this, { hint, status, retryAfter, retryAt });
  }
}

/** Whether whatever is asked for next would fail alike, and not only for the moment. */
export function endsEverything({ concerns }: ScreenerError): boolean {
  return concerns === 'quota' || concerns === 'account' || concerns === 'run';
}

export function usageError(message: string, hint?: string): ScreenerError {
  return new ScreenerError('usage', message, { hint });
}

export function interruptedError(hint?: string): ScreenerError {
  return new ScreenerError('interrupted', 'Interrupted.', { hint });
}

/** The user ended a watch: exit code 130, and no message. */
export class StoppedByUser extends ScreenerError {
  constructor() {
    super('interrupted', 'Interrupted.');
  }
}

/** The reader of stdout went away (`| head -1`): a success, and a reason to stop spending. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
  constructor() {
    super('The reader of standard output has closed it.');
  }
}
