import { checkFields } from '../output/fields.ts';
import { snapshotView } from '../output/views/snapshot.ts';
import type { Invocation } from './invocation.ts';
import { exactly, planned } from './plan.ts';
import { withProgress } from './with-progress.ts';

/** `screener snapshot`: the platform-wide market snapshot, for 1 credit. */
export async function run(invocation: Invocation): Promise<void> {
  checkFields(snapshotView, invocation.globals.fields);
  if (await planned(invocation, [{ operation: 'snapshot', requests: exactly(1) }])) return;
  const { client } = await invocation.connect();
  const snapshot = await withProgress(invocation, 'Asking for the market snapshot', client.call('snapshot', {}));
  await invocation.output.one(snapshotView, snapshot);
}
