/** The program's exit codes. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  /** No key, or one that the service does not accept. */
  auth: 3,
  /** The account has no PRO plan. */
  plan: 4,
  notFound: 5,
  /** The service rejected the arguments. */
  rejected: 6,
  /** Credits or requests are used up, or a limit of the user's is reached. */
  quota: 7,
  unavailable: 8,
  /** An answer does not match the API document. */
  contract: 9,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * What a failure is about, and therefore which other requests would fail, too:
 * - `moment`: this request at this moment (5xx, 429, no answer, a web page in the service's place). The same request may
 *   succeed later.
 * - `card`: one card (404, 422 or a `bad_answer` of one `/signals/{id}`, a bad card on a page). Other cards may be right.
 * - `operation`: every request of the operation (403, 404, 405, 422 or a `bad_answer` of a whole operation). Other
 *   operations may work.
 * - `account`: every request of the account (401; 403 of `/access` and of one more operation).
 * - `local`: this machine, this run or the user's own limits (a budget, the disk, a lock, usage). The service refused
 *   nothing.
 *
 * Retry-After has no influence on the scope: it says when to try again, not what fails.
 */
export type FailureScope = 'moment' | 'card' | 'operation' | 'account' | 'local';

interface ErrorMeaning {
  readonly exit: ExitCode;
  /** The scope, unless the error is made with another one. */
  readonly scope: FailureScope;
}

const ERROR_MEANINGS = {
  unexpected: { exit: EXIT.unexpected, scope: 'local' },
  usage: { exit: EXIT.usage, scope: 'local' },
  not_logged_in: { exit: EXIT.auth, scope: 'local' },
  unauthorized: { exit: EXIT.auth, scope: 'account' },
  pro_required: { exit: EXIT.plan, scope: 'operation' },
  not_found: { exit: EXIT.notFound, scope: 'operation' },
  invalid_arguments: { exit: EXIT.rejected, scope: 'operation' },
  quota_exhausted: { exit: EXIT.quota, scope: 'moment' },
  budget_reached: { exit: EXIT.quota, scope: 'local' },
  budget_unknown: { exit: EXIT.quota, scope: 'local' },
  overcharged: { exit: EXIT.quota, scope: 'local' },
  unavailable: { exit: EXIT.unavailable, scope: 'moment' },
  network: { exit: EXIT.unavailable, scope: 'moment' },
  timeout: { exit: EXIT.unavailable, scope: 'moment' },
  bad_answer: { exit: EXIT.contract, scope: 'operation' },
  busy: { exit: EXIT.unexpected, scope: 'local' },
  storage: { exit: EXIT.unexpected, scope: 'local' },
  stale: { exit: EXIT.unexpected, scope: 'local' },
  no_history: { exit: EXIT.unexpected, scope: 'local' },
  interrupted: { exit: EXIT.interrupted, scope: 'local' },
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof ERROR_MEANINGS;

interface ErrorDetails {
  /** Overrides the scope of the code. */
  scope?: FailureScope | undefined;
  /** What the user can do: a sentence. Further lines are command lines to copy. */
  hint?: string | undefined;
  /** The HTTP status, if an answer came. */
  status?: number | undefined;
  /** Retry-After, seconds. */
  retryAfter?: number | undefined;
  /** When to try again, epoch milliseconds UTC. */
  retryAt?: number | undefined;
  cause?: unknown;
}

/** Every failure that the program foresees. Only `main` turns a failure into text and an exit code. */
export class ScreenerError extends Error {
  override readonly name = 'ScreenerError';
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly scope: FailureScope;
  readonly hint: ErrorDetails['hint'];
  readonly status: ErrorDetails['status'];
  readonly retryAfter: ErrorDetails['retryAfter'];
  readonly retryAt: ErrorDetails['retryAt'];

  constructor(
    code: ErrorCode,
    message: string,
    { scope, hint, status, retryAfter, retryAt, cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.exitCode = ERROR_MEANINGS[code].exit;
    this.scope = scope ?? ERROR_MEANINGS[code].scope;
    Object.assign(this, { hint, status, retryAfter, retryAt });
  }

  /** @returns the same failure with another message, scope or hint */
  with({
    message = this.message,
    ...changes
  }: Pick<ErrorDetails, 'scope' | 'hint'> & { readonly message?: string }): ScreenerError {
    const { scope, hint, status, retryAfter, retryAt, cause } = this;
    const details = { scope, hint, status, retryAfter, retryAt, cause, ...changes };
    return new ScreenerError(this.code, message, details);
  }
}

export function usageError(message: string, hint?: string): ScreenerError {
  return new ScreenerError('usage', message, { hint });
}

export function interruptedError(hint?: string): ScreenerError {
  return new ScreenerError('interrupted', 'Interrupted.', { hint });
}

/**
 * The user stopped a watch, which ends in no other way, or a command that has already told the user that it was stopped. The
 * exit code is 130, and no message is printed.
 */
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
