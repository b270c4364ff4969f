import type { SignalDetail } from '../api/contract/resources.ts';
import { inOrder } from '../api/ordered.ts';
import type { Connection } from '../credits/account.ts';
import { endsEverything, ScreenerError } from '../errors.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { type Invocation, ownHistory } from './invocation.ts';

/** Enough to use the allowance; the gate sets the pace. */
const CONCURRENCY = 6;

/** A 503 with a time to come back holds for every request until then. */
function concernsAll(error: ScreenerError): boolean {
  return endsEverything(error) || (error.code === 'unavailable' && error.retryAfter !== undefined);
}

/** A card whose detail could not be had. */
export interface DetailFailure {
  readonly id: number;
  readonly error: ScreenerError;
  /** For a reason that concerns every card and was told with an earlier one. */
  readonly skipped: boolean;
}

type DetailResult = { readonly id: number; readonly detail: SignalDetail } | DetailFailure;

/**
 * Cards with entry context and outcome, 1 credit each. None is paid for twice: settled ones come from the default history,
 * and what is bought is added to it. The demo has nothing to do with the user's history.
 */
export class Details {
  readonly #invocation: Invocation;
  readonly #connection: Connection;
  readonly #settled = new Map<number, SignalDetail>();
  readonly #bought: SignalDetail[] = [];
  #history: ReturnType<typeof ownHistory> | undefined;

  constructor(invocation: Invocation, connection: Connection) {
    this.#invocation = invocation;
    this.#connection = connection;
  }

  /**
   * Looks up which of these cards the history has settled outcomes of.
   * @param since epoch milliseconds UTC: what none of them is older than
   * @returns those that it has not
   */
  async lookUp(ids: readonly number[], since?: number): Promise<readonly number[]> {
    if (ids.length === 0) return ids;
    this.#history ??= ownHistory(this.#invocation, this.#connection);
    for (const [id, detail] of (await (await this.#history)?.settled(ids, since)) ?? []) this.#settled.set(id, detail);
    return ids.filter((id) => !this.#settled.has(id));
  }

  async one(id: number, signal?: AbortSignal): Promise<SignalDetail> {
    const known = this.#settled.get(id);
    if (known !== undefined) return known;
    const detail = await this.#connection.client.call('signal', { id }, signal);
    this.#bought.push(detail);
    return detail;
  }

  /**
   * In the order of `ids`. What is under way when one fails is still yielded: it is paid for.
   * @throws whatever is no ScreenerError; the signal's reason when interrupted
   */
  async *all(ids: readonly number[]): AsyncGenerator<DetailResult> {
    let fatal: ScreenerError | undefined;
    const results = inOrder(ids, CONCURRENCY, this.#invocation.context.signal, async (id, signal) => {
      if (fatal !== undefined) throw fatal;
      try {
        return await this.one(id, signal);
      } catch (error) {
        if (error instanceof ScreenerError && concernsAll(error)) fatal ??= error;
        throw error;
      }
    });
    let told = false;
    for await (const { item: id, result } of results) {
      if (result.status === 'fulfilled') {
        yield { id, detail: result.value };
        continue;
      }
      const error: unknown = result.reason;
      if (!(error instanceof ScreenerError)) throw error;
      yield { id, error, skipped: told && concernsAll(error) };
      told ||= concernsAll(error);
    }
  }

  /** Says what came from the history, and adds to it what was bought. To be called once, after a failure too. */
  async finish(): Promise<void> {
    const { size } = this.#settled;
    if (size > 0) this.#invocation.notes.note(`${pluralize(size, 'outcome')} from the history (free).`);
    if (this.#bought.length === 0) return;
    this.#history ??= ownHistory(this.#invocation, this.#connection);
    await (await this.#history)?.keepDetails(this.#bought);
  }
}
