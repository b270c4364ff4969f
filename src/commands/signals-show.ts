import { safeParse } from 'valibot';
import type { SignalDetail } from '../api/contract/resources.ts';
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import { ScreenerError, usageError } from '../errors.ts';
import type { History } from '../history/store/history.ts';
import { isCompleteCard } from '../history/store/layout.ts';
import { detailView } from '../output/views/card-page.ts';
import type { Context } from '../runtime/context.ts';
import { requests } from './parts/declaration.ts';
import type { Invocation } from './parts/invocation.ts';
import { readPipedIds } from './parts/prompt.ts';
import { cardId } from './parts/values.ts';

/** `history` is undefined for the service. */
type ShowOptions = Readonly<{ id: readonly (number | '-')[]; fresh: boolean; history?: History }>;

/** `screener signals show`: 1 credit each, free from a history. What succeeded is printed, then the first failure. */
export async function run(
  invocation: Invocation,
  { id, fresh, history }: ShowOptions,
): Promise<void> {
  const ids = await readIds(invocation, id);
  if (history !== undefined)
    return print(invocation, ids, await storedIn(history, ids, invocation.output.isForPeople));
  const { openDetails } = await import('./parts/details.ts');
  const { confirmCost, printPlan } = await import('./parts/plan.ts');
  const details = await openDetails(invocation, await invocation.connect(), fresh);
  const unknown = await details.lookUp(ids);
  const work = [requests('signal', unknown.length)];
  if (invocation.globals.plan) return printPlan(invocation, work);
  await confirmCost(invocation, work);
  try {
    await print(invocation, ids, (one) => details.get(one));
  } finally {
    details.finish();
  }
}

/** For `-` reads standard input. A repeated id is asked for, and paid, once. @throws ScreenerError usage */
async function readIds(
  { context, notes }: Invocation,
  given: ShowOptions['id'],
): Promise<number[]> {
  const typed = given.includes('-') ? await idsOfInput(context) : [];
  const ids = new Set(given.flatMap((id) => (id === '-' ? typed : id)));
  if (ids.size === 0) notes.note('Standard input contains no ids.');
  return [...ids];
}

async function idsOfInput(context: Context): Promise<number[]> {
  const input = await readPipedIds(context, 'Pipe the ids in, or give them as arguments.');
  const lines = input.split('\n');
  const words = lines.flatMap((line) =>
    line.trim().startsWith('{') ? idOf(line) : (line.match(/\S+/g) ?? []),
  );
  return words.map((word) => {
    const { success, output } = safeParse(cardId, word);
    if (success) return output;
    throw usageError(
      `A card's id is a whole number from 1, not '${word}'.`,
      '`screener signals ls` shows the ids.',
    );
  });
}

/** A line that is broken JSON is no id either. */
function idOf(line: string): string {
  try {
    return String((JSON.parse(line) as { id?: unknown }).id);
  } catch {
    return line;
  }
}

type Find = (id: number) => SignalDetail | ScreenerError | Promise<SignalDetail | ScreenerError>;

async function storedIn(
  history: History,
  ids: readonly number[],
  isForPeople: boolean,
): Promise<Find> {
  const found = await history.find(ids);
  const hint = '`signals ls` with the same --local or --from lists its cards.';
  return (id) => {
    const card = found.get(id);
    // A line is a SignalDetail once bought, else a SignalCard: the view knows both.
    if (card !== undefined && (!isForPeople || isCompleteCard(card)))
      return card as unknown as SignalDetail;
    return new ScreenerError('not_found', `Card ${id} is not in the history.`, { hint });
  };
}

async function print(invocation: Invocation, ids: readonly number[], find: Find): Promise<void> {
  const { output } = invocation;
  const batches = detailsOf(ids, find, invocation);
  if (ids.length === 1)
    for await (const [detail] of batches) await output.one(detailView, detail as SignalDetail);
  else await output.list(detailView, { batches });
}

/** @throws the first failure, behind all that succeeded, with the cards that failed after it */
async function* detailsOf(ids: readonly number[], find: Find, { notes }: Invocation) {
  const failures: { readonly id: number; readonly error: ScreenerError }[] = [];
  const progress = notes.progress(`Asking for ${pluralize(ids.length, 'card')}`);
  try {
    for (const [i, id] of ids.entries()) {
      const found = await find(id);
      progress.update(`Asking for cards: ${i + 1} of ${ids.length}`);
      if (found instanceof ScreenerError) failures.push({ id, error: found });
      else yield [found];
    }
  } finally {
    progress.stop();
  }
  const [first, ...others] = failures;
  if (first === undefined) return;
  const { error } = first;
  const also = [...groupBy(others, (other) => other.error.code)].map(([code, own]) => {
    const why = code === error.code ? '.' : `: ${own[0]?.error.message}`;
    return ` Also missing: ${own.map(({ id }) => id).join(', ')}${why}`;
  });
  throw new ScreenerError(error.code, error.message + also.join(''), error);
}
