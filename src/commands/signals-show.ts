/** `screener signals show`: single cards by their ids, from the service or from a history. */
import { safeParse } from 'valibot';
import { OUTCOME_MILLIS } from '../api/contract/horizons.ts';
import type { SignalDetail } from '../api/contract/resources.ts';
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import { ScreenerError, usageError } from '../errors.ts';
import type { History } from '../history/store/history.ts';
import { isCompleteCard } from '../history/store/layout.ts';
import { dueAfterIn } from '../history/store/manifest.ts';
import type { View } from '../output/types.ts';
import { detailViewOf } from '../output/views/card-page.ts';
import { requests } from './parts/declaration.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand } from './parts/next-command.ts';
import { readPipedIds } from './parts/prompt.ts';
import { cardId } from './parts/values.ts';

interface ShowOptions {
  /** Ids of cards; `-` stands for those on standard input. */
  readonly id: readonly (number | '-')[];
  /** Whether the service is asked even for what the default history has. */
  readonly fresh: boolean;
  /** Absent if the service is asked. */
  readonly history?: History;
  /** The folder of the history as the user typed it; undefined for the default one. */
  readonly from?: string | undefined;
}

/** 1 credit a card, free from a history. The cards that succeed are printed, then the first failure is thrown. */
export async function run(
  invocation: Invocation,
  { id, fresh, history, from }: ShowOptions,
): Promise<void> {
  const ids = await readIds(invocation, id);
  if (history !== undefined) {
    const findStored = await storedIn(history, ids, invocation.output.isForPeople);
    const dueAfter = dueAfterIn(await history.manifest());
    return print(
      invocation,
      ids,
      findStored,
      detailViewOf(exportCommand(invocation, from), dueAfter),
    );
  }
  const { openDetails } = await import('./parts/details.ts');
  const { confirmCost, printPlan } = await import('./parts/plan.ts');
  const details = await openDetails(invocation, await invocation.connect(), fresh);
  const idsToBuy = await details.lookUp(ids);
  const work = [requests('signal', idsToBuy.length)];
  if (invocation.globals.plan) return printPlan(invocation, work);
  await confirmCost(invocation, work);
  try {
    const view = detailViewOf(exportCommand(invocation), OUTCOME_MILLIS);
    await print(invocation, ids, (idOfCard) => details.get(idOfCard), view);
  } finally {
    details.finish();
  }
}

/** The typed ids, with the ids of standard input in the place of `-`. Each id comes once, so that its card is paid for once. */
async function readIds(invocation: Invocation, typedIds: ShowOptions['id']): Promise<number[]> {
  const pipedIds = typedIds.includes('-') ? await idsOfInput(invocation) : [];
  const ids = new Set(typedIds.flatMap((id) => (id === '-' ? pipedIds : id)));
  if (ids.size === 0) invocation.notes.note('Standard input contains no ids.');
  return [...ids];
}

/** How many characters of a wrong word the error repeats: a line may be a whole document. */
const MOST_REPEATED = 60;

/** Each line of standard input has ids with blanks between, or is a card as NDJSON. @throws ScreenerError usage */
async function idsOfInput(invocation: Invocation): Promise<number[]> {
  const { context } = invocation;
  const input = await readPipedIds(context, 'Pipe the ids in, or give them as arguments.');
  const words: string[] = [];
  for (const line of input.split('\n')) {
    const isCard = line.trim().startsWith('{');
    const wordsOfLine = isCard ? [idOf(line)] : (line.match(/\S+/g) ?? []);
    for (const word of wordsOfLine) words.push(word);
  }
  return words.map((word) => {
    const { success, output } = safeParse(cardId, word);
    if (success) return output;
    const list = commandLine(invocation, 'signals ls', { '--ndjson': true });
    const show = commandLine(invocation, 'signals show');
    throw usageError(
      `A card's id is a whole number from 1, not '${word.slice(0, MOST_REPEATED)}'.`,
      `Pipe in ids, or cards a line each, for example:\n${list} | ${show} -`,
    );
  });
}

/** The id of a card as NDJSON. A line that is no such card is returned as it is, so that the error repeats it. */
function idOf(line: string): string {
  try {
    const { id } = JSON.parse(line) as { readonly id?: unknown };
    return id === undefined ? line : String(id);
  } catch {
    return line;
  }
}

/** Finds the card of an id. An error that is returned does not keep the other cards from being printed. */
type Find = (id: number) => SignalDetail | ScreenerError | Promise<SignalDetail | ScreenerError>;

async function storedIn(
  history: History,
  ids: readonly number[],
  isForPeople: boolean,
): Promise<Find> {
  const storedCards = await history.find(ids);
  const hint = '`screener signals ls` with the same --local or --from lists its cards.';
  return (id) => {
    const card = storedCards.get(id);
    const isPrintable = card !== undefined && (!isForPeople || isCompleteCard(card));
    // A card that was not bought has only the fields of a SignalCard: the view takes both.
    if (isPrintable) return card as unknown as SignalDetail;
    return new ScreenerError('not_found', `Card ${id} is not in the history.`, { hint });
  };
}

async function print(
  invocation: Invocation,
  ids: readonly number[],
  find: Find,
  view: View<SignalDetail>,
): Promise<void> {
  const { output } = invocation;
  const batches = detailsOf(ids, find, invocation);
  if (ids.length === 1)
    for await (const [detail] of batches) await output.one(view, detail as SignalDetail);
  else await output.list(view, { batches });
}

/** @throws the first failure, after all cards that succeeded have been passed on. Its message names the other cards that failed. */
async function* detailsOf(ids: readonly number[], find: Find, { notes }: Invocation) {
  const failures: { readonly id: number; readonly error: ScreenerError }[] = [];
  const progress = notes.progress(`Asking for ${pluralize(ids.length, 'card')}`);
  try {
    for (const [i, id] of ids.entries()) {
      const answer = await find(id);
      progress.update(`Asking for cards: ${i + 1} of ${ids.length}`);
      if (answer instanceof ScreenerError) failures.push({ id, error: answer });
      else yield [answer];
    }
  } finally {
    progress.stop();
  }
  const [first, ...others] = failures;
  if (first === undefined) return;
  const { error } = first;
  const failuresByCode = groupBy(others, (failure) => failure.error.code);
  const sentences = [...failuresByCode].map(([code, failuresOfCode]) => {
    const why = code === error.code ? '.' : `: ${failuresOfCode[0]?.error.message}`;
    const otherIds = failuresOfCode.map(({ id }) => id).join(', ');
    return ` Also missing: ${otherIds}${why}`;
  });
  throw new ScreenerError(error.code, error.message + sentences.join(''), error);
}
