import type { Client } from '../api/client.ts';
import type { Access } from '../api/contract/resources.ts';
import { NoAnswer } from '../api/no-answer.ts';
import { OPERATIONS } from '../api/operations.ts';
import { timeOf } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import type { Notes } from '../runtime/context.ts';
import type { Account, Connection } from './account.ts';

/** A client whose account hears every answer of `/access`, which with --keep is asked anew before a request. */
export function guarded(client: Client, account: Account): Client {
  const guard: Client = {
    ...client,
    async call(name, params, how) {
      const canLift = account.gate.canAccessLift(OPERATIONS[name].path);
      if (name === 'access') {
        const access = await client.call(
          name,
          params,
          canLift ? { despiteHold: 'probe', ...how } : how,
        );
        account.observe(access as Access);
        return access;
      }
      await prepare(canLift);
      return client.call(name, params, how);
    },
  };

  /** Asks `/access` where a reserve needs the credits left, its answer may lift a hold, or prices are to be checked. */
  async function prepare(canLift: boolean): Promise<void> {
    const needsCredits = account.keep > 0 && !account.knowsCreditsLeft();
    if (!needsCredits && !canLift && !account.isPriceCheckDue()) return;
    try {
      await guard.call('access', {});
    } catch (error) {
      if (needsCredits) throw withoutReserve(error, account.keep);
      // Refused, it has lifted nothing: the gate says so.
      unlessAccessAlone(error);
    }
  }

  return guard;
}

/**
 * Asks `/access`. Where it fails alone, that is no reason to stop without a reserve; it is asked at growing intervals.
 * @throws ScreenerError, as the client
 */
export async function askAccess(
  { client, account }: Connection,
  { warn }: Pick<Notes, 'warn'>,
): Promise<void> {
  const before = account.keep > 0 ? null : account.accessRefusal();
  let status = before?.status;
  try {
    if (before?.isDue !== false) {
      await client.call('access', {}, { once: before !== null });
      return;
    }
  } catch (error) {
    if (account.keep > 0) throw withoutReserve(error, account.keep);
    if (account.gate.holdOn() !== undefined) throw error;
    status = unlessAccessAlone(error);
  }
  const what = status ? `refuses /access (${status})` : 'does not answer /access as it should';
  warn(`The service ${what}: the credits left are as this machine knows them.`);
}

/**
 * Whether other operations may be answered where `/access` was not.
 * @returns the status of the service's refusal; undefined if it was none (no answer, a web page, a broken contract)
 * @throws the error, if it is not of `/access` alone
 */
function unlessAccessAlone(error: unknown): number | undefined {
  if (!(error instanceof ScreenerError) || concernsAll(error)) throw error;
  const { status = 0, scope } = error;
  // A web page in the place of a refusal has its status, too, and is of the moment.
  const isRefusal = status >= 429 || (status >= 400 && scope === 'operation');
  return isRefusal ? status : undefined;
}

function concernsAll({ scope, cause }: ScreenerError): boolean {
  const isUnreachable = cause instanceof NoAnswer && !cause.hasLeft;
  return scope === 'account' || scope === 'local' || isUnreachable;
}

/** @returns what to throw where a reserve needs the credits left, and `/access` does not say them */
function withoutReserve(error: unknown, keep: number): unknown {
  if (!(error instanceof ScreenerError) || concernsAll(error)) return error;
  const why = `--keep ${keep} needs the credits left, and /access does not tell them`;
  const { message, retryAt } = error;
  const when = retryAt === undefined ? 'Try again later' : `Try again after ${timeOf(retryAt)}`;
  return new ScreenerError(error.code, `${why}. ${message}`, {
    ...error,
    hint: `Nothing billable was sent. ${when}, or leave out --keep (SCREENER_KEEP).`,
    cause: error,
  });
}
