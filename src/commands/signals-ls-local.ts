/** `screener signals ls` of a history: its cards, newest first unless sorted. `--since` and `--until` are both inclusive. */
import type { SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { isCompleteCard, type StoredCard, startOfMonth } from '../history/store/layout.ts';
import { historyCardView } from '../output/views/card-lists.ts';
import { sortByField } from './parts/history-list.ts';
import { checkSortedNumber, explainEmpty } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { exportCommand } from './parts/next-command.ts';
import { checkWhere, type OfHistory } from './parts/where.ts';

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
  const [month = '1970-01'] = await history.months();
  const head = {
    scope: 'own_recorded_notifications',
    items: [],
    next_cursor: null,
    since: formatApiTime(since ?? startOfMonth(month)),
    until: formatApiTime(until ?? context.clock.now()),
  };
  const view = historyCardView(exportCommand(invocation, options.from));
  await output.list({ ...view, sorted: sort }, { batches: batches(invocation, options), head });
}

async function* batches(
  invocation: Invocation,
  options: LsLocalOptions,
): AsyncGenerator<readonly SignalDetail[]> {
  const { context, output, notes } = invocation;
  let { limit: left = Number.POSITIVE_INFINITY } = options;
  let isEmpty = true;
  for await (const cards of storedCards(options)) {
    context.signal.throwIfAborted();
    const printable = output.isForPeople ? cards.filter(isCompleteCard) : cards;
    if (printable.length < cards.length)
      notes.warn("Some lines lack a card's fields: the table leaves them out.");
    const items = printable.slice(0, left);
    left -= items.length;
    isEmpty &&= items.length === 0;
    // A card that was not bought is a SignalCard: the view takes both.
    if (items.length > 0) yield items as unknown as SignalDetail[];
    if (left < 1) return;
  }
  if (isEmpty) await explainEmpty(invocation, options);
}

/** The cards in parts as they are read, newest first; if they are to be sorted, in one part at the end. */
async function* storedCards({
  history,
  sort,
  ...filter
}: LsLocalOptions): AsyncGenerator<StoredCard[]> {
  const all: StoredCard[] = [];
  for await (const dated of history.cards(filter)) {
    const cards = dated.map(({ card }) => card);
    if (sort === undefined) yield cards;
    else all.push(...cards);
  }
  if (sort === undefined) return;
  await checkSortedNumber(history, sort.replace(/^-/, ''), all);
  yield sortByField(all, sort);
}
