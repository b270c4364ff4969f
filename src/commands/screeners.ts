/** `screener screeners`, if it asks the service. From a history `screeners-local.ts` answers. */
import { usageError } from '../errors.ts';
import { screenersView } from '../output/views/screeners.ts';
import { type Invocation, ownHistory, withProgress } from './parts/invocation.ts';
import { commandLine } from './parts/next-command.ts';

export async function run(
  invocation: Invocation,
  { type }: { readonly type: string | undefined },
): Promise<void> {
  if (type !== undefined) {
    const line = commandLine(invocation, 'screeners', { '--local': true }, type);
    throw usageError(
      "A single type's page needs a local history.",
      `With your history (free):\n${line}`,
    );
  }
  const connection = await invocation.connect();
  const call = connection.client.call('screeners', {});
  const screeners = await withProgress(invocation, 'Asking for your screeners', call);
  // The history keeps the settings, because outcomes are judged by the settings under which their cards came. It keeps them before
  // anything is printed, because printing may end the command (| head).
  const history = await ownHistory(invocation, connection);
  await history?.keepScreeners(screeners);
  const { items } = screeners;
  await invocation.output.list(screenersView, { batches: [items], head: screeners });
}
