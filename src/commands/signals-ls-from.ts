import type { SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import type { Filter } from '../history/filter.ts';
import { type History, newestCards, openHistory } from '../history/history.ts';
import { isCompleteCard } from '../history/is-complete-card.ts';
import type { StoredCard } from '../history/layout.ts';
import { checkFields } from '../output/fields.ts';
import type { Batch } from '../output/types.ts';
import { historyCardView } from '../output/views/card-lists.ts';
import { checkWindow } from './flags/moment.ts';
import type { Invocation } from './invocation.ts';

export interface ListFromOptions extends Filter {
  readonly directory: string;
  /** Cards in all; Infinity for --all. */
  readonly cards: number;
}

/**
 * `screener signals ls --from DIR`: cards of a local history, newest first, with their outcomes where they were bought;
 * 0 credits, no network. `--since` and `--until` are both inclusive.
 */
export async function run(invocation: Invocation, options: ListFromOptions): Promise<void> {
  const { since, until, symbol, type } = options;
  checkWindow(options);
  checkFields(historyCardView, invocation.globals.fields);
  const history = await openHistory(options.directory, invocation.notes);
  const head = {
    scope: 'own_recorded_notifications',
    items: [],
    next_cursor: null,
    since: formatApiTime(since ?? monthStart(history.months[0]) ?? 0),
    until: formatApiTime(until ?? invocation.context.clock.now()),
  };
  const filter = { since, until, symbol, type };
  await invocation.output.list(historyCardView, {
    batches: { [Symbol.asyncIterator]: () => batches(invocation, history, filter, options.cards) },
    head: () => head,
    shape: 'page',
    local: true,
  });
}

async function* batches(
  { context, output, notes }: Invocation,
  history: History,
  filter: Filter,
  cards: number,
): AsyncGenerator<Batch<SignalDetail>> {
  let left = cards;
  if (left < 1) return;
  for await (const found of newestCards(history, filter)) {
    context.signal.throwIfAborted();
    const shown = output.format === 'table' ? found.filter(isCompleteCard) : found;
    if (shown.length < found.length) notes.warn('Some lines lack fields of a card: the table leaves them out.');
    const items = shown.slice(0, left);
    left -= items.length;
    yield { items: items.map(asDetail), more: left > 0 };
    if (left < 1) return;
  }
}

/** What the view needs is checked there: a line is a SignalDetail once bought, else a SignalCard. */
function asDetail(card: StoredCard): SignalDetail {
  return card as unknown as SignalDetail;
}

function monthStart(month: string | undefined): number | undefined {
  return month === undefined ? undefined : Date.parse(`${month}-01T00:00:00Z`);
}
