/** How each part of a run (list, details, settings, medians) ends. If a failure concerns one part alone, the others run. */
import { heldError } from '../../api/failures.ts';
import { NoAnswer } from '../../api/no-answer.ts';
import { at } from '../../api/time.ts';
import { MINUTE, nextDay, SECOND } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { PART_NAMES, type PartFailure, type PartName, withFailure } from '../store/part-states.ts';
import type { ExportRun } from './export-run.ts';

/** A failure of this run. */
interface RunFailure {
  readonly part: PartName;
  readonly error: ScreenerError;
  /** The limit of credits that the error shows to be reached; undefined if it shows none. */
  readonly limit: LimitName | undefined;
  /** Credits that the run had been charged when it failed. */
  readonly charged: number;
}

/**
 * How far the end of a Retry-After may be from the reset, or from midnight, and still mean it. Milliseconds. Clocks differ, and
 * servers round.
 */
const TOLERANCE = 10 * MINUTE;

/**
 * The limit of credits that an error shows to be reached. After a 429, a Retry-After that ends at the reset means that the
 * month's credits are used up. A Retry-After that ends at midnight UTC means that the day's credits are used up. This program may
 * not have known that, because other programs spend, too.
 * @param now epoch milliseconds UTC
 * @returns undefined if the error shows no such limit
 */
export function limitBehind(error: unknown, account: Account, now: number): LimitName | undefined {
  if (!(error instanceof ScreenerError)) return undefined;
  // This program refused the request itself, so it knows the limit.
  if (error.code === 'budget_reached') return account.left().limit;
  if (error.code !== 'quota_exhausted' || error.retryAfter === undefined) return undefined;
  const retryAt = now + error.retryAfter * SECOND;
  const endsAt = (moment: number) => Math.abs(retryAt - moment) <= TOLERANCE;
  const reset = account.known().access?.credits.resets_at;
  if (reset !== undefined && endsAt(at(reset))) return 'month';
  return endsAt(nextDay(now)) ? 'day' : undefined;
}

/** What failed in this run, and what is not finished. The manifest has what failed since each part last succeeded. */
export class PartResults {
  readonly #run: Pick<ExportRun, 'account' | 'client' | 'history'>;
  readonly #failures: RunFailure[] = [];
  /** Parts with work that this run has not finished. Before there is a plan, any part may be one of them. */
  readonly #unfinished = new Set<PartName>(PART_NAMES);
  /** Whether `/access` was answered in this run. Then the key is good, even if an operation refuses it. */
  isKeyGood = false;

  constructor(run: Pick<ExportRun, 'account' | 'client' | 'history'>) {
    this.#run = run;
  }

  /**
   * Does the work of a part. A failure that concerns this part alone is written down, and the other parts go on.
   * @throws a failure that the other parts would meet, too: of a budget, of this machine, of the key before `/access` was
   *   answered, or of a request that could not be sent
   */
  async attempt(part: PartName, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ScreenerError) || this.#concernsAllParts(error)) throw error;
      this.fail(part, error);
    }
  }

  /** Writes down that the part failed in this run. If a limit of credits is reached, the manifest does not get the failure. */
  fail(part: PartName, error: ScreenerError): void {
    const { account, client } = this.#run;
    const limit = limitBehind(error, account, client.now());
    // An answer that is not as documented says less than an earlier failure of the part in this run, and does not replace it.
    const isLesser = this.hasFailed(part) && error.code === 'bad_answer';
    this.#failures.push({ part, error, limit, charged: account.gate.spent.charged });
    if (limit === undefined && !isLesser)
      this.#write(part, withFailure(this.failureOf(part), error, client.now()));
  }

  /**
   * The limit of credits behind every failure that is kept here: that of the first, if there are several. Other programs have
   * reached it: if this program had, `attempt` would have thrown, and ended the run.
   * @returns undefined if nothing failed, if a failure has another cause, or if the service charged for an answer since the first
   *   failure: then the credits were not used up
   */
  get limitReachedByOthers(): LimitName | undefined {
    const [first] = this.#failures;
    if (first === undefined) return undefined;
    if (this.#failures.some(({ limit }) => limit === undefined)) return undefined;
    const wasChargedSince = this.#run.account.gate.spent.charged > first.charged;
    return wasChargedSince ? undefined : first.limit;
  }

  /**
   * Leaves out a part if the operation that it needs was refused, and may not be asked for again yet. If the part has no failure
   * yet, the refusal is written down, which is no failure of this run.
   * @returns whether the part is left out
   */
  skipIfHeld(part: PartName, operation: string): boolean {
    const { account, client } = this.#run;
    const hold = account.gate.firmHoldOn(operation);
    if (hold === undefined) return false;
    const now = client.now();
    if (this.failureOf(part) === null)
      this.#write(part, withFailure(null, heldError(hold, now), now));
    return true;
  }

  /** Marks whether a part still has something to do in this run. */
  setUnfinished(part: PartName, isUnfinished: boolean): void {
    if (isUnfinished) this.#unfinished.add(part);
    else this.#unfinished.delete(part);
  }

  /** Whether the part has something to do in this run, and has not finished it. */
  isUnfinished(part: PartName): boolean {
    return this.#unfinished.has(part);
  }

  /** Writes down that the part succeeded. */
  succeed(part: PartName): void {
    if (this.failureOf(part) !== null) this.#write(part, null);
  }

  /** The failure that a part has had since it last succeeded; null if it succeeded last. */
  failureOf(part: PartName): PartFailure | null {
    return this.#run.history.manifest.parts[part].failure;
  }

  /** Whether the part failed in this run. */
  hasFailed(part: PartName): boolean {
    return this.#failures.some((failure) => failure.part === part);
  }

  /** Failures of this run, in the order of the parts. */
  get failures(): readonly RunFailure[] {
    return this.#failures.toSorted(
      (a, b) => PART_NAMES.indexOf(a.part) - PART_NAMES.indexOf(b.part),
    );
  }

  #concernsAllParts({ scope, cause }: ScreenerError): boolean {
    const couldNotBeSent = cause instanceof NoAnswer && !cause.wasSent;
    // `local`: of a budget, or of this machine.
    if (scope === 'local' || couldNotBeSent) return true;
    return scope === 'account' && !this.isKeyGood;
  }

  /** @param failure null if the part succeeded */
  #write(part: PartName, failure: PartFailure | null): void {
    const { history } = this.#run;
    const { parts } = history.manifest;
    history.manifest = {
      ...history.manifest,
      parts: { ...parts, [part]: { ...parts[part], failure } },
    };
  }
}
