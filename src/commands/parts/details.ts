import type { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { HOUR, pluralize } from '../../base/units.ts';
import type { Account, Connection } from '../../credits/account.ts';
import { ScreenerError } from '../../errors.ts';
import { createdAt } from '../../history/store/layout.ts';
import { type Invocation, ownHistory } from './invocation.ts';

/** Whether every other card would fail in the same way. */
function concernsAllCards(
  { scope, code }: ScreenerError,
  { gate }: Pick<Account, 'gate'>,
): boolean {
  switch (scope) {
    case 'card':
      return false;
    case 'moment':
      // Used-up credits concern all cards. So does a failure that holds the operation for longer than --max-wait, because no request
      // waits that long.
      return code === 'quota_exhausted' || gate.longHoldOn(OPERATIONS.signal.path) !== undefined;
    default:
      return true;
  }
}

/** Gets the outcomes of cards for one command, and pays for no card twice. */
export interface Details {
  /** Looks for settled outcomes in the history. @returns the cards of which it has none */
  lookUp(ids: readonly number[]): Promise<readonly number[]>;
  /** Gets a card's detail from the history, otherwise from the service. @returns the detail, or why there is none */
  get(id: number): Promise<SignalDetail | ScreenerError>;
  /** Whether a failure came that concerns all cards: then nothing more is bought. */
  readonly isOver: boolean;
  /** Says how many outcomes came from the history. To be called once at the end, also after a failure. */
  finish(): void;
}

/**
 * Opens `Details` for one command. What they buy is added to the default history.
 * @param isFresh whether the service is asked even for what the history has
 */
export async function openDetails(
  invocation: Invocation,
  connection: Connection,
  isFresh = false,
): Promise<Details> {
  const { account, client } = connection;
  const history = await ownHistory(invocation, connection);
  const startedAt = invocation.context.clock.now();
  /** Details that the history has: they are not paid for again. */
  const inHistory = new Map<number, SignalDetail>();
  /** A failure that every other card would meet, too. */
  let failureOfAll: ScreenerError | undefined;

  async function buy(id: number): Promise<SignalDetail> {
    return account.buyingCard(id, async (lock) => {
      // Another command may have bought the outcome since this one looked it up.
      const bought = isFresh ? undefined : await history?.findAgain(id, startedAt);
      if (bought !== undefined) {
        inHistory.set(id, bought);
        return bought;
      }
      const detail = await client.call('signal', { id }, { lock });
      await history?.keepDetail(detail);
      return detail;
    });
  }

  return {
    async lookUp(ids) {
      if (isFresh) return ids;
      for (const [id, detail] of (await history?.usableDetails(ids)) ?? [])
        inHistory.set(id, detail);
      return ids.filter((id) => !inHistory.has(id));
    },

    async get(id) {
      const detail = inHistory.get(id);
      if (detail !== undefined) return detail;
      if (failureOfAll !== undefined) return failureOfAll;
      try {
        return await buy(id);
      } catch (error) {
        if (!(error instanceof ScreenerError)) throw error;
        if (concernsAllCards(error, account)) failureOfAll = error;
        return error;
      }
    },

    get isOver() {
      return failureOfAll !== undefined;
    },

    finish() {
      if (inHistory.size > 0)
        invocation.notes.note(`${pluralize(inHistory.size, 'outcome')} from the history (free).`);
    },
  };
}

/**
 * The cards of a list with their details. A card stays as it was listed if it is younger than an hour, or if asking for its detail
 * failed.
 * @param unbought gets the ids of the cards for which asking failed
 * @throws the first failure of a page, after all cards of the page have been passed on
 */
export async function* withDetails(
  pages: AsyncIterable<readonly SignalCard[]>,
  details: Details,
  unbought: number[],
  { context, notes }: Invocation,
): AsyncGenerator<SignalCard[]> {
  for await (const cards of pages) {
    const hourAgo = context.clock.now() - HOUR;
    const oldCards = cards.filter((card) => createdAt(card) <= hourAgo);
    const oldIds = new Set(oldCards.map(({ id }) => id));
    if (oldIds.size < cards.length) {
      const young = pluralize(cards.length - oldIds.size, 'card');
      notes.note(`${young} from the last hour: too young for an outcome, none bought.`);
    }
    await details.lookUp([...oldIds]);
    let firstFailure: ScreenerError | undefined;
    for (const card of cards) {
      const answer = oldIds.has(card.id) ? await details.get(card.id) : card;
      if (!(answer instanceof ScreenerError)) {
        yield [answer];
        continue;
      }
      yield [card];
      firstFailure ??= answer;
      unbought.push(card.id);
      // A failure that concerns all cards is thrown below: a warning for each card would repeat it.
      if (!details.isOver) notes.warn(`No outcome for card ${card.id}: ${answer.message}`);
    }
    if (firstFailure !== undefined) throw firstFailure;
  }
}
