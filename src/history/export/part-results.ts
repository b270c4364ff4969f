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
  /** The limit that the error means (`limitBehind`); undefined if it means none. */
  readonly limit: LimitName | undefined;
  /** Credits that the run had been charged when it failed. */
  readonly charged: number;
}

/** A Retry-After means a moment if it ends this near to it: clocks differ, and servers round. */
const NEAR = 10 * MINUTE;

/**
 * The limit that an error means. A Retry-After that ends at the reset, or at midnight UTC, says that other programs used up
 * the month's credits, or the day's.
 * @param now epoch milliseconds UTC
 * @returns undefined if the error means no limit
 */
export function limitBehind(error: unknown, account: Account, now: number): LimitName | undefined {
  if (!(error instanceof ScreenerError)) return undefined;
  // The program's own gate refused.
  if (error.code === 'budget_reached') return account.left().limit;
  if (error.code !== 'quota_exhausted' || error.retryAfter === undefined) return undefined;
  const retryAt = now + error.retryAfter * SECOND;
  const endsAt = (moment: number) => Math.abs(retryAt - moment) <= NEAR;
  const reset = account.known().access?.credits.resets_at;
  if (reset !== undefined && endsAt(at(reset))) return 'month';
  return endsAt((dayNumber(now) + 1) * DAY) ? 'day' : undefined;
}

export class PartResults {
  readonly #session: Pick<Session, 'account' | 'client' | 'history'>;
  readonly #failures: RunFailure[] = [];
  /** Parts that have a turn in this run which has not ended; before a plan is made, any may have one. */
  readonly #unfinished = new Set<PartName>(PART_NAMES);
  /** Whether `/access` was answered in this run: then a key that an operation refuses is good. */
  isKeyGood = false;

  constructor(session: Pick<Session, 'account' | 'client' | 'history'>) {
    this.#session = session;
  }

  /**
   * Does the work of a part. If it fails by itself, that is written down and the others go on.
   * @throws what the other parts would meet, too: budgets, this machine's failures, a key that is refused, no network
   */
  async attempt(part: PartName, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ScreenerError) || this.#concernsAllParts(error)) throw error;
      this.fail(part, error);
    }
  }

  /** Writes down that the part failed in this run; that a limit was reached is no fault of the part. */
  fail(part: PartName, error: ScreenerError): void {
    const { account, client } = this.#session;
    const limit = limitBehind(error, account, client.now());
    // A refusal of the list stands: bad cards on the pages before it are said beside it.
    const isLess = this.hasFailed(part) && error.code === 'bad_answer';
    this.#failures.push({ part, error, limit, charged: account.gate.spent.charged });
    if (limit === undefined && !isLess)
      this.#write(part, failedAgain(this.failureOf(part), error, client.now()));
  }

  /** The limit that others used up, if every failure means one and nothing was charged after the first. */
  get usedUp(): LimitName | undefined {
    const [first] = this.#failures;
    if (first === undefined) return undefined;
    const wasAnsweredSince = this.#session.account.gate.spent.charged > first.charged;
    if (wasAnsweredSince) return undefined;
    return this.#failures.every(({ limit }) => limit !== undefined) ? first.limit : undefined;
  }

  /**
   * Leaves out a part whose operation the service holds, and writes down why it is not finished. This run did not fail.
   * @returns whether the part is left out
   */
  skipIfHeld(part: PartName, operation: string): boolean {
    const { account, client } = this.#session;
    const hold = account.gate.firmHoldOn(operation);
    if (hold === undefined) return false;
    const now = client.now();
    this.#write(part, this.failureOf(part) ?? failedAgain(null, heldError(hold, now), now));
    return true;
  }

  /** Says whether a part has a turn in this run. */
  setTurn(part: PartName, hasTurn: boolean): void {
    if (hasTurn) this.#unfinished.add(part);
    else this.#unfinished.delete(part);
  }

  /** Says that nothing more of the part is to be had in this run. */
  finish(part: PartName): void {
    this.#unfinished.delete(part);
  }

  /** Whether the part had a turn in this run, and credits or the network ended before it. */
  isUnfinished(part: PartName): boolean {
    return this.#unfinished.has(part);
  }

  /** Writes down that the part is well. */
  succeed(part: PartName): void {
    if (this.failureOf(part) !== null) this.#write(part, null);
  }

  /** The failure that a part has had since it was well last; null if it is well. */
  failureOf(part: PartName): PartFailure | null {
    return this.#session.history.manifest.parts[part].failure;
  }

  /** Whether the part failed in this run. */
  hasFailed(part: PartName): boolean {
    return this.#failures.some((failure) => failure.part === part);
  }

  /** Failures of this run, that of the first part first. */
  get failures(): readonly RunFailure[] {
    return this.#failures.toSorted(
      (a, b) => PART_NAMES.indexOf(a.part) - PART_NAMES.indexOf(b.part),
    );
  }

  #concernsAllParts({ scope, cause }: ScreenerError): boolean {
    const isUnreachable = cause instanceof NoAnswer && !cause.hasLeft;
    if (scope === 'local' || isUnreachable) return true;
    return scope === 'account' && !this.isKeyGood;
  }

  /** @param failure null: the part is well */
  #write(part: PartName, failure: PartFailure | null): void {
    const { history } = this.#session;
    const { parts } = history.manifest;
    history.manifest = {
      ...history.manifest,
      parts: { ...parts, [part]: { ...parts[part], failure } },
    };
  }
}
