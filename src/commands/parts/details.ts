import type { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import type { Connection } from '../../credits/account.ts';
import { endsEverything, ScreenerError } from '../../errors.ts';
import { createdAt } from '../../history/store/layout.ts';
import { HOUR, pluralize } from '../../runtime/units.ts';
import { type Invocation, ownHistory } from './invocation.ts';

/** Whether every other card would fail alike: a 503 with a time to come back holds for all of them. */
function concernsAll(error: ScreenerError): boolean {
  return endsEverything(error) || (error.code === 'unavailable' && error.retryAfter !== undefined);
}

/** Pays for no card twice: settled ones come from the default history, and what is bought is added to it. */
export class Details {
  readonly #invocation: Invocation;
  readonly #connection: Connection;
  readonly #history: ReturnType<typeof ownHistory>;
  readonly #isFresh: boolean;
  readonly #settled = new Map<number, SignalDetail>();
  readonly #started: number;
  /** After it nothing is asked for. */
  #fatal: ScreenerError | undefined;

  /** @param isFresh whether the service is asked for all, whatever the history has */
  constructor(invocation: Invocation, connection: Connection, isFresh = false) {
    this.#isFresh = isFresh;
    this.#invocation = invocation;
    this.#connection = connection;
    this.#history = ownHistory(invocation, connection);
    this.#started = invocation.context.clock.now();
  }

  /** @returns those of which the history has no settled outcome */
  async lookUp(ids: readonly number[]): Promise<readonly number[]> {
    if (this.#isFresh) return ids;
    for (const [id, detail] of (await (await this.#history)?.settled(ids)) ?? []) this.#settled.set(id, detail);
    return ids.filter((id) => !this.#settled.has(id));
  }

  /** @returns if it could not be had, why */
  async get(id: number): Promise<SignalDetail | ScreenerError> {
    const known = this.#settled.get(id) ?? this.#fatal;
    if (known !== undefined) return known;
    const { account, client } = this.#connection;
    const history = await this.#history;
    const lock = await account.lockCard(id);
    try {
      // Another command may have bought it meanwhile.
      const found = this.#isFresh ? undefined : await history?.look(id, this.#started);
      if (found !== undefined) this.#settled.set(id, found);
      const detail = found ?? (await client.call('signal', { id }));
      if (found === undefined) await history?.keepDetail(detail);
      return detail;
    } catch (error) {
      if (!(error instanceof ScreenerError)) throw error;
      if (concernsAll(error)) this.#fatal = error;
      return error;
    } finally {
      lock.release();
    }
  }

  /**
   * A card stays as it was listed if it is younger than an hour, or its detail could not be had.
   * @throws the first failure of a page, when the page's cards have been passed on
   */
  async *ofList(pages: AsyncIterable<readonly SignalCard[]>): AsyncGenerator<SignalCard[]> {
    const { context, notes } = this.#invocation;
    for await (const cards of pages) {
      const old = new Set(cards.filter((card) => createdAt(card) <= context.clock.now() - HOUR).map(({ id }) => id));
      const young = pluralize(cards.length - old.size, 'card');
      if (old.size < cards.length) notes.note(`${young} from the last hour: too young for an outcome, none bought.`);
      await this.lookUp([...old]);
      let failure: ScreenerError | undefined;
      for (const card of cards) {
        const found = old.has(card.id) ? await this.get(card.id) : card;
        const isFailure = found instanceof ScreenerError;
        yield [isFailure ? card : found];
        if (!isFailure) continue;
        failure ??= found;
        // The command's own error says what concerns all.
        if (found !== this.#fatal) notes.warn(`No outcome for card ${card.id}: ${found.message}`);
      }
      if (failure !== undefined) throw failure;
    }
  }

  /** Says what came from the history, and what could not be kept there. To be called once, after a failure too. */
  async finish(): Promise<void> {
    const { size } = this.#settled;
    if (size > 0) this.#invocation.notes.note(`${pluralize(size, 'outcome')} from the history (free).`);
    (await this.#history)?.warnOfUnkept();
  }
}
