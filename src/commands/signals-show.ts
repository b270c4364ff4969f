import type { SignalDetail } from '../api/contract/resources.ts';
import { ScreenerError } from '../errors.ts';
import { detailView } from '../output/views/card-page.ts';
import { confirmCost } from './confirm-cost.ts';
import { requests } from './declaration.ts';
import { type DetailFailure, Details } from './details.ts';
import { readIds } from './ids.ts';
import { type Invocation, withProgress } from './invocation.ts';
import { showCommand } from './next-command.ts';
import { printPlan } from './plan.ts';

interface Options {
  readonly id: readonly (number | '-')[];
  readonly fresh: boolean;
}

/**
 * `screener signals show`: cards with entry context and outcome, 1 credit each; nothing for an outcome that the default
 * history has. One id gives the resource itself, several a list in the order asked for. What succeeded is printed; the
 * first failure is the command's.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const ids = await readIds(invocation, options.id);
  const details = new Details(invocation, await invocation.connect());
  const unknown = options.fresh ? ids : await details.lookUp(ids);
  if (invocation.globals.plan) return printPlan(invocation, [requests('signal', unknown.length)]);
  await confirmCost(invocation, [requests('signal', unknown.length)]);
  try {
    await show(invocation, details, ids);
  } finally {
    await details.finish();
  }
}

async function show(invocation: Invocation, details: Details, ids: readonly number[]): Promise<void> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    const detail = await withProgress(invocation, `Asking for card ${only}`, details.one(only));
    await invocation.output.one(detailView, detail);
    return;
  }
  const failures: DetailFailure[] = [];
  await invocation.output.list(detailView, {
    batches: ids.length === 0 ? [] : cards(invocation, details, ids, failures),
  });
  throwMissing(failures);
}

async function* cards(
  invocation: Invocation,
  details: Details,
  ids: readonly number[],
  failures: DetailFailure[],
): AsyncGenerator<readonly SignalDetail[]> {
  const progress = invocation.notes.progress(`Asking for ${ids.length} cards`);
  let done = 0;
  try {
    for await (const result of details.all(ids)) {
      done += 1;
      progress.update(`Asking for cards: ${done} of ${ids.length}`);
      if ('detail' in result) yield [result.detail];
      else failures.push(result);
    }
    // Not an empty document: there is no result.
    if (failures.length === ids.length) throwMissing(failures);
  } finally {
    progress.stop();
    if (invocation.context.signal.aborted && done > 0) sayLeft(invocation, failures, ids.slice(done));
  }
}

/** After an interrupt: how to go on without paying again for what was shown. */
function sayLeft(invocation: Invocation, failures: readonly DetailFailure[], unasked: readonly number[]): void {
  const stopped = failures.filter(({ error }) => error.code === 'interrupted').map(({ id }) => id);
  const left = [...stopped, ...unasked];
  if (left.length === 0) return;
  invocation.closing.push(`The rest:\n${showCommand(left, invocation)}`);
}

/** @throws the first failure, with the cards that failed after it */
function throwMissing([first, ...others]: readonly DetailFailure[]): void {
  if (first === undefined) return;
  const { error } = first;
  if (others.length === 0) throw error;
  const list = others.map((other) => `${other.id} (${other.error.code})`).join(', ');
  throw new ScreenerError(error.code, `${error.message} Also missing: ${list}.`, error);
}
