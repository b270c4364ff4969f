import { snapshotView } from '../output/views/snapshot.ts';
import { type Invocation, withProgress } from './parts/invocation.ts';

/** `screener snapshot`: 1 credit. */
export async function run(invocation: Invocation): Promise<void> {
  const { client } = await invocation.connect();
  const snapshot = await withProgress(
    invocation,
    'Asking for the market snapshot',
    client.call('snapshot', {}),
  );
  await invocation.output.one(snapshotView, snapshot);
}
