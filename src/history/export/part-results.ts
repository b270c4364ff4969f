/** How the parts of a run end. A failure that concerns one part alone lets the others run. */
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
  /** The limit that the error means (`limitBehind`); undefined if it means none. */
  readonly limit: LimitName | undefined;
  /** Credits that the run had been charged when it failed. */
  readonly charged: number;
}

/** A Retry-After that ends within this time of the reset or of midnight means that moment, milliseconds: clocks differ, and servers round. */
const NEAR = 10 * MINUTE;

/**
 * The limit that an error means. A Retry-After that ends at the reset means that the month's credits are used up; one that ends
 * at midnight UTC, that the day's are. This program may not know it yet, because other programs spend, too.
 * @param now epoch milliseconds UTC
 * @returns undefined if the error means no limit
 */
export function limitBehind(error: unknown, account: Account, now: number): LimitName | undefined {
  if (!(error instanceof ScreenerError)) return undefined;
  // This program's own limits refused the request.
  if (error.code === 'budget_reached') return account.left().limit;
  if (error.code !== 'quota_exhausted' || error.retryAfter === undefined) return undefined;
  const retryAt = now + error.retryAfter * SECOND;
  const endsAt = (moment: number) => Math.abs(retryAt - moment) <= NEAR;
  const reset = account.known().access?.credits.resets_at;
  if (reset !== undefined && endsAt(at(reset))) return 'month';
  return endsAt(nextDay(now)) ? 'day' : undefined;
}

export class PartResults {
  readonly #run: Pick<ExportRun, 'account' | 'client' | 'history'>;
  readonly #failures: RunFailure[] = [];
  /** Parts that have something to do in this run, and have not finished. Before there is a plan, any part may have. */
  readonly #unfinished = new Set<PartName>(PART_NAMES);
  /** Whether `/access` was answered in this run. Then the key is good, even if an operation refuses it. */
  isKeyGood = false;

  constructor(run: Pick<ExportRun, 'account' | 'client' | 'history'>) {
    this.#run = run;
  }

  /**
   * Does the work of a part. A failure that concerns this part alone is written down, and the other parts go on.
   * @throws a failure that the other parts would meet, too: a budget, this machine, the key, or no network
   */
  async attempt(part: PartName, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ScreenerError) || this.#concernsAllParts(error)) throw error;
      this.fail(part, error);
    }
  }

  /** Writes down that the part failed in this run. A limit that was reached is not written into the manifest. */
  fail(part: PartName, error: ScreenerError): void {
    const { account, client } = this.#run;
    const limit = limitBehind(error, account, client.now());
    // The manifest keeps an earlier, worse failure of this run: the summary tells of bad cards by itself.
    const keepsEarlier = this.hasFailed(part) && error.code === 'bad_answer';
    this.#failures.push({ part, error, limit, charged: account.gate.spent.charged });
    if (limit === undefined && !keepsEarlier)
      this.#write(part, withFailure(this.failureOf(part), error, client.now()));
  }

  /** The limit that other programs have reached; undefined if none, or if the run failed for another reason, too. */
  get limitReachedByOthers(): LimitName | undefined {
    const [first] = this.#failures;
    if (first === undefined) return undefined;
    if (this.#failures.some(({ limit }) => limit === undefined)) return undefined;
    // A charge after the first failure: the service answered again, so that the credits cannot be used up.
    const wasChargedSince = this.#run.account.gate.spent.charged > first.charged;
    return wasChargedSince ? undefined : first.limit;
  }

  /**
   * Leaves out a part if a refusal still holds its operation, and writes down why. That is no failure of this run.
   * @returns whether the part is left out
   */
  skipIfHeld(part: PartName, operation: string): boolean {
    const { account, client } = this.#run;
    const hold = account.gate.firmHoldOn(operation);
    if (hold === undefined) return false;
    const now = client.now();
    this.#write(part, this.failureOf(part) ?? withFailure(null, heldError(hold, now), now));
    return true;
  }

  /** Says whether a part still has something to do in this run. */
  setUnfinished(part: PartName, isUnfinished: boolean): void {
    if (isUnfinished) this.#unfinished.add(part);
    else this.#unfinished.delete(part);
  }

  /** Whether the part had something to do in this run, and did not finish it. */
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

  /** Failures of this run, that of the first part first. */
  get failures(): readonly RunFailure[] {
    return this.#failures.toSorted(
      (a, b) => PART_NAMES.indexOf(a.part) - PART_NAMES.indexOf(b.part),
    );
  }

  #concernsAllParts({ scope, cause }: ScreenerError): boolean {
    const isUnreachable = cause instanceof NoAnswer && !cause.wasSent;
    if (scope === 'local' || isUnreachable) return true;
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
