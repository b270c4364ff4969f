import { byAllowance } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { accessView, blockedAccessView } from '../output/views/access.ts';
import { exportOutlook, type Invocation, withProgress } from './parts/invocation.ts';

/** `screener access`: free. While the service asks to stay away, what this machine knows is all, and no failure. */
export async function run(
  invocation: Invocation,
  { recheck }: { readonly recheck: boolean },
): Promise<void> {
  const { output, globals } = invocation;
  const connection = await invocation.connect();
  const { client, account } = connection;
  const blocked = account.gate.blocked(OPERATIONS.access.path);
  if (recheck || blocked === undefined) {
    const asked = client.call('access', {}, recheck ? { despiteHold: 'recheck' } : {});
    const answer = await withProgress(invocation, 'Asking for access and credits', asked);
    // The demo allows more a minute than the service.
    const outlook = await exportOutlook(invocation, connection);
    return output.one(
      accessView({ ...account.known(), outlook, ...(globals.demo && { windows: [] }) }),
      answer,
    );
  }
  const known = { ...account.known(), outlook: await exportOutlook(invocation, connection) };
  const { access, allowances, monthLeft } = known;
  const remaining = access?.credits.remaining ?? 0;
  await output.one(blockedAccessView(known), {
    blocked_until: formatApiTime(Math.ceil(blocked.until / 1000) * 1000),
    blocked_status: blocked.status,
    credits: access?.credits ?? null,
    ...byAllowance((field) => (access && allowances[field]) ?? null),
    known_at: access === undefined ? null : formatApiTime(access.at),
    spent_since: access === undefined ? null : remaining - (monthLeft ?? remaining),
  });
}
