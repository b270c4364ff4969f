/** What came of the parts of a run: one that fails by itself lets the others run. */

import { heldError } from '../../api/failures.ts';
import { NoAnswer } from '../../api/no-answer.ts';
import { at } from '../../api/time.ts';
import { DAY, dayNumber, MINUTE, SECOND } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { failedAgain, PART_NAMES, type PartFailure, type PartName } from '../store/part-states.ts';
import type { Session } from './session.ts';

/** A failure of this run. */
interface RunFailure {
  readonly part: PartName;
  readonly error: ScreenerError;
  /** The limit that it tells of, if it is a budget that others used up. */
  readonly limit: LimitName | undefined;
  /** Credits that the run had been charged by then. */
  readonly charged: number;
}

const NEAR = 10 * MINUTE;

/**
 * A refusal until midnight, or the reset, is a budget that others used up.
 * @param now epoch milliseconds UTC @returns undefined if it is no budget
 */
export function budgetOf(error: unknown, account: Account, now: number): LimitName | undefined {
  if (!(error instanceof ScreenerError)) return undefined;
  if (error.code === 'budget_reached') return account.left().limit;
  if (error.code !== 'quota_exhausted' || error.retryAfter === undefined) return undefined;
  const back = now + error.retryAfter * SECOND;
  const isAt = (moment: number) => Math.abs(back - moment) <= NEAR;
  const reset = account.known().access?.credits.resets_at;
  if (reset !== undefined && isAt(at(reset))) return 'month';
  return isAt((dayNumber(now) + 1) * DAY) ? 'day' : undefined;
}

export class PartResults {
  readonly #session: Pick<Session, 'account' | 'client' | 'history'>;
  readonly #failures: RunFailure[] = [];
  /** Whether `/access` was answered in this run: then a key that an operation refuses is good. */
  isKeyGood = false;

  constructor(session: Pick<Session, 'account' | 'client' | 'history'>) {
    this.#session = session;
  }

  /** @throws what the other parts would meet, too: budgets, this machine's failures, a key that is refused, no network */
  async attempt(part: PartName, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ScreenerError) || !this.#isOfPart(error)) throw error;
      this.fail(part, error);
    }
  }

  fail(part: PartName, error: ScreenerError): void {
    const { account, client } = this.#session;
    const limit = budgetOf(error, account, client.now());
    this.#failures.push({ part, error, limit, charged: account.gate.spent.charged });
    if (limit === undefined)
      this.#keep(part, failedAgain(this.failureOf(part), error, client.now()));
  }

  /** The limit that others used up: each part that failed says so, and none was answered since. */
  get usedUp(): LimitName | undefined {
    const [first] = this.#failures;
    if (first === undefined || this.#session.account.gate.spent.charged > first.charged)
      return undefined;
    return this.#failures.every(({ limit }) => limit !== undefined) ? first.limit : undefined;
  }

  /** Whether the service has said that the operation is to be left alone: then it is not asked, which is no failure. */
  isHeld(part: PartName, operation: string): boolean {
    const { account, client } = this.#session;
    const hold = account.gate.firmHoldOn(operation);
    if (hold === undefined) return false;
    const now = client.now();
    this.#keep(part, this.failureOf(part) ?? failedAgain(null, heldError(hold, now), now));
    return true;
  }

  succeed(part: PartName): void {
    if (this.failureOf(part) !== null) this.#keep(part, null);
  }

  /** The failure that a part has had since it was well last; null if it is well. */
  failureOf(part: PartName): PartFailure | null {
    return this.#session.history.manifest.parts[part].failure;
  }

  hasFailed(part: PartName): boolean {
    return this.#failures.some((failure) => failure.part === part);
  }

  /** Failures of this run, that of the first part first. */
  get failures(): readonly RunFailure[] {
    return this.#failures.toSorted(
      (a, b) => PART_NAMES.indexOf(a.part) - PART_NAMES.indexOf(b.part),
    );
  }

  #isOfPart({ scope, cause }: ScreenerError): boolean {
    const isUnreachable = cause instanceof NoAnswer && !cause.hasLeft;
    if (scope === 'local' || isUnreachable) return false;
    return scope !== 'account' || this.isKeyGood;
  }

  #keep(part: PartName, failure: PartFailure | null): void {
    const { history } = this.#session;
    const { parts } = history.manifest;
    history.manifest = {
      ...history.manifest,
      parts: { ...parts, [part]: { ...parts[part], failure } },
    };
  }
}
