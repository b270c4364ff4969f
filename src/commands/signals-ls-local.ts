/** `screener signals ls` of a history: its cards, newest first unless sorted. `--since` and `--until` are both inclusive. */
import type { SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { isCompleteCard, type StoredCard, startOfMonth } from '../history/store/layout.ts';
import { historyCardView } from '../output/views/card-lists.ts';
import { sortByField } from './parts/history-list.ts';
import { checkThatFieldHasNumbers, explainEmpty } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { exportCommand } from './parts/next-command.ts';
import { checkWhere, conditionsOfList, type OfHistory } from './parts/where.ts';

interface LsLocalOptions extends OfHistory {
  /** How many cards at most; undefined for all. */
  readonly limit?: number | undefined;
  /** The dotted name of a field, with `-` before it for the smallest first; undefined for the newest first. */
  readonly sort?: string | undefined;
}

export async function run(invocation: Invocation, options: LsLocalOptions): Promise<void> {
  const { context, output } = invocation;
  const { history, since, until, sort } = options;
  await checkWhere(options.where);
  const [oldestMonth = '1970-01'] = await history.months();
  const head = {
    scope: 'own_recorded_notifications',
    // The cards are printed in this place.
    items: [],
    next_cursor: null,
    since: formatApiTime(since ?? startOfMonth(oldestMonth)),
    until: formatApiTime(until ?? context.clock.now()),
  };
  // If there are no cards, the table names the command that lists new ones.
  const exporting = exportCommand(invocation, options.from);
  const view = historyCardView(exporting, until);
  await output.list({ ...view, sorted: sort }, { batches: batches(invocation, options), head });
}

async function* batches(
  invocation: Invocation,
  options: LsLocalOptions,
): AsyncGenerator<readonly SignalDetail[]> {
  const { context, output, notes } = invocation;
  let cardsLeft = options.limit ?? Number.POSITIVE_INFINITY;
  let isEmpty = true;
  for await (const cards of storedCards(options)) {
    context.signal.throwIfAborted();
    const printable = output.isForPeople ? cards.filter(isCompleteCard) : cards;
    // Notes write a warning once, however often it comes.
    if (printable.length < cards.length)
      notes.warn("Some lines lack a card's fields: the table leaves them out.");
    const items = printable.slice(0, cardsLeft);
    cardsLeft -= items.length;
    if (items.length > 0) {
      isEmpty = false;
      // A card that was not bought has only the fields of a SignalCard: the view takes both.
      yield items as unknown as SignalDetail[];
    }
    if (cardsLeft < 1) return;
  }
  if (isEmpty) await explainEmpty(invocation, options);
}

/** The cards in parts as they are read, newest first; with --sort in one part, when all have been read. */
async function* storedCards({
  history,
  sort,
  where,
  ...filter
}: LsLocalOptions): AsyncGenerator<StoredCard[]> {
  const all: StoredCard[] = [];
  for await (const datedCards of history.cards({
    ...filter,
    where: await conditionsOfList(where),
  })) {
    const cards = datedCards.map(({ card }) => card);
    if (sort === undefined) yield cards;
    else all.push(...cards);
  }
  if (sort === undefined) return;
  const sortedField = sort.replace(/^-/, '');
  await checkThatFieldHasNumbers(history, sortedField, all);
  yield sortByField(all, sort);
}
