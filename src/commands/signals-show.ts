import type { SignalDetail } from '../api/contract/resources.ts';
import { ScreenerError } from '../errors.ts';
import type { History } from '../history/store/history.ts';
import { isCompleteCard } from '../history/store/layout.ts';
import { groupBy } from '../outcomes/row.ts';
import { detailView } from '../output/views/card-page.ts';
import { pluralize } from '../runtime/units.ts';
import { requests } from './parts/declaration.ts';
import type { DetailFailure, DetailResult } from './parts/details.ts';
import { readIds } from './parts/ids.ts';
import type { Invocation } from './parts/invocation.ts';

interface ShowOptions {
  readonly id: readonly (number | '-')[];
  readonly fresh: boolean;
  /** Undefined for the service. */
  readonly history?: History;
}

/** `screener signals show`: 1 credit each, free from a history. What succeeded is printed, then the first failure. */
export async function run(invocation: Invocation, { id, fresh, history }: ShowOptions): Promise<void> {
  const ids = await readIds(invocation, id);
  if (history !== undefined) return print(invocation, ids, stored(invocation, history, ids));
  const { confirmCost } = await import('./parts/confirm-cost.ts');
  const { Details } = await import('./parts/details.ts');
  const { printPlan } = await import('./parts/plan.ts');
  const details = new Details(invocation, await invocation.connect(), fresh);
  const unknown = await details.lookUp(ids);
  const work = [requests('signal', unknown.length)];
  if (invocation.globals.plan) return printPlan(invocation, work);
  await confirmCost(invocation, work);
  try {
    await print(invocation, ids, details.all(ids));
  } finally {
    await details.finish();
  }
}

/** A history's cards; a table shows none whose line somebody edited. */
async function* stored({ output }: Invocation, history: History, ids: readonly number[]): AsyncGenerator<DetailResult> {
  const found = await history.find(ids);
  const hint = '`signals ls` with the same --local or --from lists its cards.';
  for (const id of ids) {
    const card = found.get(id);
    const isShown = card !== undefined && (!output.isForPeople || isCompleteCard(card));
    // A line is a SignalDetail once bought, else a SignalCard: the view knows both.
    if (isShown) yield { id, detail: card as unknown as SignalDetail };
    else yield { id, error: new ScreenerError('not_found', `Card ${id} is not in the history.`, { hint }) };
  }
}

async function print(invocation: Invocation, ids: readonly number[], results: AsyncIterable<DetailResult>) {
  const { output } = invocation;
  const failures: DetailFailure[] = [];
  const batches = succeeded(invocation, ids, results, failures);
  if (ids.length === 1) for await (const [detail] of batches) await output.one(detailView, detail as SignalDetail);
  else await output.list(detailView, { batches });
  throwFirst(failures);
}

async function* succeeded(
  { notes }: Invocation,
  ids: readonly number[],
  results: AsyncIterable<DetailResult>,
  failures: DetailFailure[],
): AsyncGenerator<readonly SignalDetail[]> {
  const progress = notes.progress(`Asking for ${pluralize(ids.length, 'card')}`);
  let done = 0;
  try {
    for await (const result of results) {
      done += 1;
      progress.update(`Asking for cards: ${done} of ${ids.length}`);
      if ('detail' in result) yield [result.detail];
      else failures.push(result);
    }
  } finally {
    progress.stop();
  }
  // Not an empty document: there is no result.
  if (failures.length === ids.length) throwFirst(failures);
}

/** @throws the first failure, with the cards that failed after it, and why where it is another reason */
function throwFirst([first, ...others]: readonly DetailFailure[]): void {
  if (first === undefined) return;
  const { error } = first;
  const also = [...groupBy(others, (other) => other.error.code)].map(([code, own]) => {
    const why = code === error.code ? '.' : `: ${own[0]?.error.message}`;
    return ` Also missing: ${own.map(({ id }) => id).join(', ')}${why}`;
  });
  throw new ScreenerError(error.code, error.message + also.join(''), error);
}
