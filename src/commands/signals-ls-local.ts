import type { SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { isCompleteCard, type StoredCard } from '../history/store/layout.ts';
import { historyCardView } from '../output/views/card-lists.ts';
import { explainEmpty, type OfHistory } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { sortByField } from './sort-by-field.ts';
import { checkWhere } from './where.ts';

interface Options extends OfHistory {
  readonly limit?: number | undefined;
  readonly sort?: string | undefined;
}

/** `screener signals ls --local`: newest first. `--since` and `--until` are both inclusive. */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { context, output } = invocation;
  const { history, since, until, sort } = options;
  await checkWhere(options.where);
  const head = {
    scope: 'own_recorded_notifications',
    items: [],
    next_cursor: null,
    since: formatApiTime(since ?? monthStart((await history.months())[0]) ?? 0),
    until: formatApiTime(until ?? context.clock.now()),
  };
  const settings = output.isForPeople ? ((await history.looks()).at(-1)?.screeners.items ?? []) : [];
  await output.list(
    { ...historyCardView(settings), sorted: sort },
    { batches: batches(invocation, options), head: () => head },
  );
}

async function* batches(invocation: Invocation, options: Options): AsyncGenerator<readonly SignalDetail[]> {
  const { context, output, notes } = invocation;
  const { sort } = options;
  const most = options.limit ?? Number.POSITIVE_INFINITY;
  let left = most;
  const newest = newestCards(options);
  const inOrder = sort === undefined ? newest : [sortByField(await allOf(newest), sort)];
  for await (const found of inOrder) {
    context.signal.throwIfAborted();
    const shown = output.isForPeople ? found.filter(isCompleteCard) : found;
    if (shown.length < found.length) notes.warn("Some lines lack a card's fields: the table leaves them out.");
    const items = shown.slice(0, left);
    left -= items.length;
    if (items.length > 0) yield items.map(asDetail);
    if (left < 1) return;
  }
  if (left === most) await explainEmpty(invocation, options);
}

async function* newestCards({ history, ...filter }: OfHistory): AsyncGenerator<StoredCard[]> {
  for await (const dated of history.cards(filter)) yield dated.map(({ card }) => card);
}

async function allOf(batches: AsyncIterable<readonly StoredCard[]>): Promise<StoredCard[]> {
  const cards: StoredCard[] = [];
  for await (const batch of batches) cards.push(...batch);
  return cards;
}

/** What the view needs is checked there: a line is a SignalDetail once bought, else a SignalCard. */
function asDetail(card: StoredCard): SignalDetail {
  return card as unknown as SignalDetail;
}

function monthStart(month: string | undefined): number | undefined {
  return month === undefined ? undefined : Date.parse(`${month}-01T00:00:00Z`);
}
