import { checkFields } from '../output/fields.ts';
import { screenersView } from '../output/views/screeners.ts';
import type { Invocation } from './invocation.ts';
import { exactly, planned } from './plan.ts';
import { withProgress } from './with-progress.ts';

/** `screener screeners`: the caller's screeners as configured now, for 1 credit. */
export async function run(invocation: Invocation): Promise<void> {
  checkFields(screenersView, invocation.globals.fields);
  if (await planned(invocation, [{ operation: 'screeners', requests: exactly(1) }])) return;
  const { client } = await invocation.connect();
  const { items, ...head } = await withProgress(invocation, 'Asking for your screeners', client.call('screeners', {}));
  await invocation.output.list(screenersView, {
    batches: once(items),
    head: () => head,
    shape: 'page',
  });
}

async function* once<T>(items: readonly T[]) {
  yield { items, more: false };
}
