/**
 * Decides when a command asks `/access`, which is free. A reserve (--keep) can be kept only if the credits left are known
 * before each request. Without a reserve, a command goes on if only `/access` fails.
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
 * A client that passes every answer of `/access` on to the account. Before any other request it asks `/access` if a reserve,
 * a hold, the price check or a day whose credits are spent needs an answer.
 */
export function guarded(client: Client, account: Account): Client {
  const guard: Client = {
    ...client,
    async call(name, params, how) {
      const { path, cost } = OPERATIONS[name];
      const canLift = account.gate.canAccessLift(path);
      if (name === 'access') {
        const access = await client.call(
          name,
          params,
          canLift ? { despiteHold: 'probe', ...how } : how,
        );
        account.observe(access as Access, client.byDateHeader());
        return access;
      }
      await askAccessIfNeeded(canLift, cost);
      return client.call(name, params, how);
    },
  };

  /**
   * @param canLift whether an answer of `/access` may lift the hold on the operation
   * @param cost of the operation, credits
   */
  async function askAccessIfNeeded(canLift: boolean, cost: number): Promise<void> {
    const needsCredits = account.keep > 0 && !account.knowsCreditsLeft();
    const isAnswerUseful = canLift || account.isPriceCheckDue() || account.isDayInDoubt(cost);
    if (!needsCredits && !isAnswerUseful) return;
    try {
      await guard.call('access', {});
    } catch (error) {
      if (needsCredits) throw reserveUnknown(error, account.keep);
      if (!isOfAccessAlone(error)) throw error;
      // Goes on. If a hold was to be lifted, it still holds, and the gate stops the request.
    }
  }

  return guard;
}

/**
 * Asks `/access` how many credits are left. If only `/access` fails, a command without --keep goes on: the user is told, and the
 * ledger says what is left. `/access` is then asked again after growing waits.
 * @throws ScreenerError as the client: with --keep any failure, else one that concerns other operations, too
 */
export async function askAccess(
  { client, account }: Connection,
  { warn }: Pick<Notes, 'warn'>,
): Promise<void> {
  const isReserveKept = account.keep > 0;
  const refusalBefore = account.accessRefusal();
  if (isReserveKept || refusalBefore === null || refusalBefore.isDue) {
    // After a refusal one attempt is enough, unless a reserve needs the answer.
    const once = refusalBefore !== null && !isReserveKept;
    try {
      await client.call('access', {}, { once });
      return;
    } catch (error) {
      if (isReserveKept) throw reserveUnknown(error, account.keep);
      const isAllHeld = account.gate.holdOn() !== undefined;
      if (isAllHeld || !isOfAccessAlone(error)) throw error;
    }
  }
  // If `/access` answered, but not as documented, the ledger has no refusal.
  const status = account.accessRefusal()?.status ?? UNANSWERED;
  const what =
    status === UNANSWERED ? 'does not answer /access as it should' : `refuses /access (${status})`;
  warn(`The service ${what}: the credits left are as this machine knows them.`);
}

/** Whether only `/access` failed: other operations may still be answered. */
function isOfAccessAlone(error: unknown): error is ScreenerError {
  return error instanceof ScreenerError && !concernsAll(error);
}

/** Whether every other operation would fail in the same way: the account, this machine or the network is at fault. */
function concernsAll({ scope, cause }: ScreenerError): boolean {
  const isUnreachable = cause instanceof NoAnswer && !cause.wasSent;
  return scope === 'account' || scope === 'local' || isUnreachable;
}

/** @returns the error to throw if a reserve is to be kept, and `/access` did not say what is left */
function reserveUnknown(error: unknown, keep: number): unknown {
  if (!isOfAccessAlone(error)) return error;
  const why = `--keep ${keep} needs the credits left, and /access does not tell them`;
  const { message, retryAt } = error;
  const when = retryAt === undefined ? 'Try again later' : `Try again after ${timeOf(retryAt)}`;
  return new ScreenerError(error.code, `${why}. ${message}`, {
    ...error,
    hint: `Nothing billable was sent. ${when}, or leave out --keep (SCREENER_KEEP).`,
    cause: error,
  });
}
