import type { SignalDetail } from '../api/contract/resources.ts';
import { ScreenerError } from '../errors.ts';
import type { History } from '../history/store/history.ts';
import { isCompleteCard } from '../history/store/layout.ts';
import { isDetail } from '../outcomes/row.ts';
import { detailView } from '../output/views/card-page.ts';
import { pluralize } from '../runtime/pluralize.ts';
import type { DetailFailure, DetailResult } from './details.ts';
import { readIds } from './ids.ts';
import type { Invocation } from './invocation.ts';

interface Options {
  readonly id: readonly (number | '-')[];
  readonly fresh?: boolean;
  /** Undefined for the service. */
  readonly history?: History;
}

/** `screener signals show`: 1 credit each, free from a history. What succeeded is printed, then the first failure. */
export async function run(invocation: Invocation, { id, fresh = false, history }: Options): Promise<void> {
  const ids = await readIds(invocation, id);
  if (history !== undefined) return print(invocation, ids, stored(invocation, history, ids));
  // Commands on a local history never load this.
  const { buyDetails } = await import('./details.ts');
  const details = await buyDetails(invocation, ids, fresh);
  if (details === undefined) return;
  try {
    await print(invocation, ids, details.all(ids));
  } finally {
    await details.finish();
  }
}

/** A history's cards; a table shows no damaged one. */
async function* stored(
  { notes, output, globals }: Invocation,
  history: History,
  ids: readonly number[],
): AsyncGenerator<DetailResult> {
  const found = await history.find(ids);
  const unbought = [...found.values()].filter((card) => !isDetail(card)).length;
  // A page says so itself.
  if (unbought > 0 && !output.isForPeople) {
    notes.note(`No outcome yet of ${pluralize(unbought, 'card')}: \`signals export\` buys it when it is due.`);
  }
  const [place, hint] = globals.demo
    ? ["the demo's history", '`screener --demo signals ls --local` lists its cards.']
    : [history.directory, '`screener signals export` updates the history.'];
  for (const id of ids) {
    const card = found.get(id);
    if (card === undefined) {
      yield { id, error: new ScreenerError('not_found', `Card ${id} is not in ${place}.`, { hint }) };
    } else if (output.isForPeople && !isCompleteCard(card)) {
      const lacks = `Card ${id} lacks fields of a card in ${place}.`;
      yield {
        id,
        error: new ScreenerError('storage', lacks, { hint: 'Its line was damaged. `--json` shows it as it is.' }),
      };
    } else {
      // A line is a SignalDetail once bought, else a SignalCard: the view knows both.
      yield { id, detail: card as unknown as SignalDetail };
    }
  }
}

async function print(invocation: Invocation, ids: readonly number[], results: AsyncIterable<DetailResult>) {
  const { output } = invocation;
  const failures: DetailFailure[] = [];
  const batches = succeeded(invocation, ids, results, failures);
  if (ids.length === 1) for await (const [detail] of batches) await output.one(detailView, detail as SignalDetail);
  else await output.list(detailView, { batches: ids.length === 0 ? [] : batches });
  throwFirst(failures);
}

async function* succeeded(
  invocation: Invocation,
  ids: readonly number[],
  results: AsyncIterable<DetailResult>,
  failures: DetailFailure[],
): AsyncGenerator<readonly SignalDetail[]> {
  const { context, notes, closing } = invocation;
  const progress = notes.progress(`Asking for ${pluralize(ids.length, 'card')}`);
  let done = 0;
  try {
    for await (const result of results) {
      done += 1;
      progress.update(`Asking for cards: ${done} of ${ids.length}`);
      if ('detail' in result) yield [result.detail];
      else failures.push(result);
    }
    // Not an empty document: there is no result.
    if (failures.length === ids.length) throwFirst(failures);
  } finally {
    progress.stop();
    const stopped = failures.filter(({ error }) => error.code === 'interrupted').map((one) => one.id);
    const left = [...stopped, ...ids.slice(done)];
    if (context.signal.aborted && done > 0 && left.length > 0) {
      // Without paying again for what was shown.
      const { commandLine } = await import('./next-command.ts');
      closing.push(`The rest:\n${commandLine(invocation, ['signals', 'show', ...left])}`);
    }
  }
}

/** @throws the first failure, with the cards that failed after it */
function throwFirst([first, ...others]: readonly DetailFailure[]): void {
  if (first === undefined) return;
  const { error } = first;
  if (others.length === 0) throw error;
  const list = others.map((other) => `${other.id} (${other.error.code})`).join(', ');
  throw new ScreenerError(error.code, `${error.message} Also missing: ${list}.`, error);
}
