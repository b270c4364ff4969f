/** `screener screeners` of the service; with --local or --from it is `screeners-local.ts` (`declarations/service.ts`). */
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
  const asked = connection.client.call('screeners', {});
  const screeners = await withProgress(invocation, 'Asking for your screeners', asked);
  await invocation.output.list(screenersView, {
    batches: [screeners.items],
    head: { ...screeners },
  });
  // Outcomes are judged by the settings they came under.
  await (await ownHistory(invocation, connection))?.keepScreeners(screeners);
}
