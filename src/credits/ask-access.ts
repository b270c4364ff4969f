/**
 * Decides when a command asks `/access`, which is free. If a reserve (--keep) is set, no billable request leaves before the
 * remaining credits are known. Without a reserve a command goes on if only `/access` fails. A hold is a time in which the
 * service wants no requests, because it refused one.
 */
import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import { NoAnswer } from '../api/no-answer.ts';
import { OPERATIONS } from '../api/operations.ts';
import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/context.ts';
import type { Account, Connection } from './account.ts';
import { UNANSWERED } from './record-usage.ts';

/**
 * A client that passes every answer of `/access` on to the account. Before another request it asks `/access` itself, if it needs
 * the answer for one of four reasons: a reserve, a hold that may be lifted, the price check, or a day whose credits seem to be
 * spent.
 */
export function guarded(client: Client, account: Account): Client {
  const guard: Client = {
    ...client,
    async call(name, params, options) {
      const { path, cost } = OPERATIONS[name];
      const mayLiftHold = account.gate.canBeLiftedByAccess(path);
      if (name === 'access') {
        // `/access` may be held by refusals of other operations. A probe is sent in spite of these holds, to find out whether the
        // service still refuses.
        const probe = mayLiftHold ? { despiteHold: 'probe' as const } : {};
        const access = await client.call(name, params, { ...probe, ...options });
        account.observe(access as Access, client.dateHeaderTime());
        return access;
      }
      await askAccessIfNeeded(mayLiftHold, cost);
      return client.call(name, params, options);
    },
  };

  /**
   * @param mayLiftHold whether an answer of `/access` may lift the holds on the operation
   * @param cost of the operation, credits
   */
  async function askAccessIfNeeded(mayLiftHold: boolean, cost: number): Promise<void> {
    const needsCredits = account.keep > 0 && !account.knowsCreditsLeft();
    const isUseful = mayLiftHold || account.isPriceCheckDue() || account.isDayInDoubt(cost);
    if (!needsCredits && !isUseful) return;
    try {
      await guard.call('access', {});
    } catch (error) {
      if (needsCredits) throw reserveUnknown(error, account.keep);
      if (!mightOthersSucceed(error)) throw error;
      // The command goes on. A hold that was to be lifted still holds: the gate stops the request.
    }
  }

  return guard;
}

/**
 * Asks `/access` how many credits are left. If only `/access` fails, a command without --keep goes on by the ledger, and the
 * user is told. Later commands ask `/access` again after growing waits.
 * @throws ScreenerError of the client. With --keep it is any failure. Without --keep it is a failure from which other operations
 *   would suffer, too.
 */
export async function askAccess(
  { client, account }: Connection,
  { warn }: Pick<Notes, 'warn'>,
): Promise<void> {
  const isReserveKept = account.keep > 0;
  const refusalBefore = account.accessRefusal();
  if (isReserveKept || refusalBefore === null || refusalBefore.isDue) {
    // If `/access` was refused before, a lost answer is not asked for again, unless a reserve needs it.
    const noRetryOfLostAnswer = refusalBefore !== null && !isReserveKept;
    try {
      await client.call('access', {}, { noRetryOfLostAnswer });
      return;
    } catch (error) {
      if (isReserveKept) throw reserveUnknown(error, account.keep);
      const areAllOperationsHeld = account.gate.longHoldOn() !== undefined;
      if (areAllOperationsHeld || !mightOthersSucceed(error)) throw error;
    }
  }
  // Here `/access` failed just now, or earlier and is not due yet. The ledger has its HTTP refusal. If it has none, no answer
  // came, or an undocumented one.
  const status = account.accessRefusal()?.status ?? UNANSWERED;
  const what =
    status === UNANSWERED ? 'does not answer /access as it should' : `refuses /access (${status})`;
  warn(`The service ${what}: the credits left are as this machine knows them.`);
}

/**
 * Whether other operations may still be answered, although `/access` failed. They are not if the account, this machine or the
 * network is at fault.
 */
function mightOthersSucceed(error: unknown): error is ScreenerError {
  if (!(error instanceof ScreenerError)) return false;
  const { scope, cause } = error;
  const isUnreachable = cause instanceof NoAnswer && !cause.wasSent;
  return scope !== 'account' && scope !== 'local' && !isUnreachable;
}

/** The error to throw if a reserve is set, and `/access` did not say what is left. */
function reserveUnknown(error: unknown, keep: number): unknown {
  if (!mightOthersSucceed(error)) return error;
  const why = `--keep ${keep} needs the credits left, and /access does not tell them`;
  const { message, retryAt } = error;
  const when = retryAt === undefined ? 'Try again later' : `Try again after ${timeOf(retryAt)}`;
  return new ScreenerError(error.code, `${why}. ${message}`, {
    // Status, scope and time to try again stay those of the failure.
    ...error,
    hint: `Nothing billable was sent. ${when}, or leave out --keep (SCREENER_KEEP).`,
    cause: error,
  });
}
