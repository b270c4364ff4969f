import { usageError } from '../errors.ts';
import { screenersView } from '../output/views/screeners.ts';
import { type Invocation, withProgress } from './invocation.ts';

/** `screener screeners`: the caller's screeners as configured now, for 1 credit. */
export async function run(invocation: Invocation, { type }: { readonly type: string | undefined }): Promise<void> {
  if (type !== undefined) {
    throw usageError("A single type's page needs a local history.", 'Add --local, or --from DIR.');
  }
  const { client, account } = await invocation.connect();
  const screeners = await withProgress(invocation, 'Asking for your screeners', client.call('screeners', {}));
  await invocation.output.list(screenersView, {
    batches: [{ items: screeners.items, more: false }],
    head: () => screeners,
  });
  const { context, globals, notes } = invocation;
  if (globals.demo) return;
  // Outcomes are judged by the settings they came under: the history keeps those that differ.
  const { keepScreeners } = await import('../history/default-history.ts');
  await keepScreeners({ context, notes, account: account.id }, screeners);
}
