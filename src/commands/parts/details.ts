import type { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { HOUR, pluralize } from '../../base/units.ts';
import type { Account, Connection } from '../../credits/account.ts';
import { ScreenerError } from '../../errors.ts';
import { createdAt } from '../../history/store/layout.ts';
import { type Invocation, ownHistory } from './invocation.ts';

/**
 * Whether every other card would fail alike. What Retry-After said is when to come back: it ends the others only where that
 * is longer than the user waits.
 */
function concernsAll({ scope, status }: ScreenerError, { gate }: Pick<Account, 'gate'>): boolean {
  if (scope === 'card') return false;
  if (scope !== 'moment') return true;
  return status === 429 || gate.blocked(OPERATIONS.signal.path) !== undefined;
}

export type Details = Awaited<ReturnType<typeof openDetails>>;

/**
 * Pays for no card twice: settled ones come from the default history, and what is bought is added to it.
 * @param isFresh whether the service is asked for all, whatever the history has
 */
export async function openDetails(invocation: Invocation, connection: Connection, isFresh = false) {
  const { account, client } = connection;
  const history = await ownHistory(invocation, connection);
  const started = invocation.context.clock.now();
  const settled = new Map<number, SignalDetail>();
  let fatal: ScreenerError | undefined;
  return {
    /** @returns those of which the history has no settled outcome */
    async lookUp(ids: readonly number[]): Promise<readonly number[]> {
      if (isFresh) return ids;
      for (const [id, detail] of (await history?.settled(ids)) ?? []) settled.set(id, detail);
      return ids.filter((id) => !settled.has(id));
    },

    /** @returns if it could not be had, why */
    async get(id: number): Promise<SignalDetail | ScreenerError> {
      const known = settled.get(id) ?? fatal;
      if (known !== undefined) return known;
      try {
        return await account.buyingCard(id, async (lock) => {
          // Another command may have bought it meanwhile.
          const bought = isFresh ? undefined : await history?.findAgain(id, started);
          if (bought !== undefined) {
            settled.set(id, bought);
            return bought;
          }
          const detail = await client.call('signal', { id }, { lock });
          await history?.keepDetail(detail);
          return detail;
        });
      } catch (error) {
        if (!(error instanceof ScreenerError)) throw error;
        if (concernsAll(error, account)) fatal = error;
        return error;
      }
    },

    /** Whether no more can be had. */
    get isOver(): boolean {
      return fatal !== undefined;
    },

    /** Says what came from the history. To be called once, after a failure too. */
    finish(): void {
      if (settled.size > 0)
        invocation.notes.note(`${pluralize(settled.size, 'outcome')} from the history (free).`);
    },
  };
}

/**
 * A card stays as it was listed if it is younger than an hour, or its detail could not be had.
 * @param unbought gets the ids of the latter
 * @throws the first failure of a page, when the page's cards have been passed on
 */
export async function* withDetails(
  pages: AsyncIterable<readonly SignalCard[]>,
  details: Details,
  unbought: number[],
  { context, notes }: Invocation,
): AsyncGenerator<SignalCard[]> {
  for await (const cards of pages) {
    const old = new Set(
      cards.filter((card) => createdAt(card) <= context.clock.now() - HOUR).map(({ id }) => id),
    );
    const young = pluralize(cards.length - old.size, 'card');
    if (old.size < cards.length)
      notes.note(`${young} from the last hour: too young for an outcome, none bought.`);
    await details.lookUp([...old]);
    let failure: ScreenerError | undefined;
    for (const card of cards) {
      const found = old.has(card.id) ? await details.get(card.id) : card;
      const isFailure = found instanceof ScreenerError;
      yield [isFailure ? card : found];
      if (!isFailure) continue;
      failure ??= found;
      unbought.push(card.id);
      // The command's own error says what concerns all.
      if (!details.isOver) notes.warn(`No outcome for card ${card.id}: ${found.message}`);
    }
    if (failure !== undefined) throw failure;
  }
}
