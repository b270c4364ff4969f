import { checkFields } from '../output/fields.ts';
import { accessView } from '../output/views/access.ts';
import type { Invocation } from './invocation.ts';
import { exactly, planned } from './plan.ts';
import { withProgress } from './with-progress.ts';

/** `screener access`: plan, credits, allowance and operations, for 0 credits; and what this machine knows of them. */
export async function run(invocation: Invocation): Promise<void> {
  checkFields(accessView(), invocation.globals.fields);
  if (await planned(invocation, [{ operation: 'access', requests: exactly(1) }])) return;
  const { client, account } = await invocation.connect();
  const access = await withProgress(invocation, 'Asking for access and credits', client.call('access', {}));
  const elsewhere = account.observe(access);
  await invocation.output.one(accessView({ today: account.today(), elsewhere }), access);
}
