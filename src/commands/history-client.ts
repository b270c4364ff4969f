import type { Client } from '../api/client.ts';
import type { SignalDetail } from '../api/contract/resources.ts';
import type { OperationName, ParamsOf, ResourceOf } from '../api/operations.ts';
import type { Connection } from '../credits/account.ts';
import type { settledOutcomes } from '../history/default-history.ts';
import { pluralize } from '../runtime/pluralize.ts';
import type { Invocation } from './invocation.ts';

/**
 * A client that pays for no outcome twice: settled ones come from the default history, and the details it buys are added
 * to it. The demo has nothing to do with the user's history.
 */
export class HistoryClient implements Client {
  readonly #invocation: Invocation;
  readonly #connection: Connection;
  readonly #settled = new Map<number, SignalDetail>();
  readonly #bought: SignalDetail[] = [];
  #find: ReturnType<typeof settledOutcomes> | undefined;

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
    if (this.#invocation.globals.demo || ids.length === 0) return ids;
    const { settledOutcomes } = await import('../history/default-history.ts');
    this.#find ??= settledOutcomes(this.#user);
    for (const [id, detail] of await this.#find(ids, since)) this.#settled.set(id, detail);
    return ids.filter((id) => !this.#settled.has(id));
  }

  now(): number {
    return this.#connection.client.now();
  }

  knowsTime(): boolean {
    return this.#connection.client.knowsTime();
  }

  async call<N extends OperationName>(name: N, params: ParamsOf<N>, signal?: AbortSignal): Promise<ResourceOf<N>> {
    const known = name === 'signal' ? this.#settled.get((params as ParamsOf<'signal'>).id) : undefined;
    if (known !== undefined) return known as ResourceOf<N>;
    const resource = await this.#connection.client.call(name, params, signal);
    if (name === 'signal') this.#bought.push(resource as ResourceOf<'signal'>);
    return resource;
  }

  /** Says what came from the history, and adds to it what was bought. To be called once, after a failure too. */
  async finish(): Promise<void> {
    const { globals, notes } = this.#invocation;
    const { size } = this.#settled;
    if (size > 0) notes.note(`${pluralize(size, 'outcome')} from the history, for 0 credits.`);
    if (globals.demo || this.#bought.length === 0) return;
    const { keepDetails } = await import('../history/default-history.ts');
    await keepDetails(this.#user, this.#bought);
  }

  get #user() {
    const { context, notes } = this.#invocation;
    return { context, notes, account: this.#connection.account.id };
  }
}
