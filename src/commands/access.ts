import { byAllowance } from '../api/limits.ts';
import { formatApiTime } from '../api/time.ts';
import { accessView, blockedAccessView } from '../output/views/access.ts';
import { type Invocation, withProgress } from './invocation.ts';

/** `screener access`: free. While the service asks to stay away, what this machine knows is all, and no failure. */
export async function run(invocation: Invocation, { recheck }: { readonly recheck: boolean }): Promise<void> {
  const { output } = invocation;
  const { client, account } = await invocation.connect();
  const blocked = account.blocked();
  if (recheck || blocked === undefined) {
    const asked = client.call('access', {}, undefined, recheck ? 'recheck' : undefined);
    const access = await withProgress(invocation, 'Asking for access and credits', asked);
    const elsewhere = account.observe(access);
    return output.one(accessView(account, elsewhere), access);
  }
  const known = account.known();
  const remaining = known?.credits.remaining ?? 0;
  await output.one(blockedAccessView(account), {
    blocked_until: formatApiTime(Math.ceil(blocked.until / 1000) * 1000),
    blocked_status: blocked.status,
    credits: known?.credits ?? null,
    ...byAllowance((field) => known?.allowances[field] ?? null),
    known_at: known === undefined ? null : formatApiTime(known.at),
    spent_since: known === undefined ? null : remaining - (account.monthLeft() ?? remaining),
  });
}
