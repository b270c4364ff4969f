import { byAllowance } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { apiTimeOrNull, formatApiTime, wholeSecond } from '../api/time.ts';
import { accessView, blockedAccessView } from '../output/views/access.ts';
import { exportOutlook, type Invocation, withProgress } from './parts/invocation.ts';
import { commandLine } from './parts/next-command.ts';

/**
 * `screener access`: free. While the service refuses requests for longer than --max-wait, it sends nothing, shows what this
 * machine knows, and succeeds. With --recheck it still asks.
 */
export async function run(
  invocation: Invocation,
  { recheck }: { readonly recheck: boolean },
): Promise<void> {
  const { output, globals } = invocation;
  const connection = await invocation.connect();
  const { client, account } = connection;
  const hold = account.gate.longHoldOn(OPERATIONS.access.path);
  if (recheck || hold === undefined) {
    const call = client.call('access', {}, recheck ? { despiteHold: 'recheck' } : {});
    const answer = await withProgress(invocation, 'Asking for access and credits', call);
    const outlook = await exportOutlook(invocation, connection);
    const creditsKnown = account.known();
    // The demo allows more requests a minute than the service. Its limits would mislead, so they are not shown.
    const windows = globals.demo ? [] : creditsKnown.windows;
    return output.one(accessView({ ...creditsKnown, outlook, windows }), answer);
  }
  const creditsKnown = account.known();
  const { access, allowances, spentSinceAccess } = creditsKnown;
  const outlook = await exportOutlook(invocation, connection);
  const recheckLine = commandLine(invocation, 'access', { '--recheck': true });
  await output.one(blockedAccessView({ ...creditsKnown, outlook }, recheckLine), {
    blocked_until: formatApiTime(wholeSecond(hold.until)),
    blocked_status: hold.status,
    credits: access?.credits ?? null,
    ...byAllowance((field) => (access === undefined ? null : (allowances[field] ?? null))),
    known_at: apiTimeOrNull(access?.at),
    spent_since: access === undefined ? null : spentSinceAccess,
  });
}
