import type { SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { isCompleteCard, type StoredCard, startOfMonth } from '../history/store/layout.ts';
import { historyCardView } from '../output/views/card-lists.ts';
import { sortByField } from './parts/history-list.ts';
import { explainEmpty } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { checkWhere, type OfHistory } from './parts/where.ts';

type LsLocalOptions = OfHistory &
  Readonly<{ limit?: number | undefined; sort?: string | undefined }>;

/** `screener signals ls --local`: newest first. `--since` and `--until` are both inclusive. */
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
  await output.list(
    { ...historyCardView, sorted: sort },
    { batches: batches(invocation, options), head },
  );
}

async function* batches(
  invocation: Invocation,
  options: LsLocalOptions,
): AsyncGenerator<readonly SignalDetail[]> {
  const { context, output, notes } = invocation;
  let { limit: left = Number.POSITIVE_INFINITY } = options;
  let isEmpty = true;
  for await (const found of storedCards(options)) {
    context.signal.throwIfAborted();
    const shown = output.isForPeople ? found.filter(isCompleteCard) : found;
    if (shown.length < found.length)
      notes.warn("Some lines lack a card's fields: the table leaves them out.");
    const items = shown.slice(0, left);
    left -= items.length;
    isEmpty &&= items.length === 0;
    // A line is a SignalDetail once bought, else a SignalCard: the view knows both.
    if (items.length > 0) yield items as unknown as SignalDetail[];
    if (left < 1) return;
  }
  if (isEmpty) await explainEmpty(invocation, options);
}

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
  if (sort !== undefined) yield sortByField(all, sort);
}
