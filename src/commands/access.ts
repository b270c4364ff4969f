import { byAllowance } from '../api/limits.ts';
import { formatApiTime } from '../api/time.ts';
import type { Connection } from '../credits/account.ts';
import { type AccessExtra, accessView, blockedAccessView } from '../output/views/access.ts';
import { type Invocation, withProgress } from './invocation.ts';

/** `screener access`: free. While the service asks to stay away, what this machine knows is all, and no failure. */
export async function run(invocation: Invocation, { recheck }: { readonly recheck: boolean }): Promise<void> {
  const { output } = invocation;
  const connection = await invocation.connect();
  const { client, account } = connection;
  const blocked = account.blocked();
  if (!recheck && blocked !== undefined) return printKnown(invocation, connection, blocked);
  const asked = client.call('access', {}, undefined, recheck ? 'recheck' : undefined);
  const access = await withProgress(invocation, 'Asking for access and credits', asked);
  const elsewhere = account.observe(access);
  await output.one(accessView(extraOf(connection, elsewhere)), access);
}

function extraOf({ account }: Connection, elsewhere?: AccessExtra['elsewhere']): AccessExtra {
  return {
    today: account.today(),
    windows: account.windows(),
    elsewhere,
    forecast: account.forecast(),
    days: account.days(),
  };
}

async function printKnown(
  { output }: Invocation,
  connection: Connection,
  blocked: { readonly until: number; readonly status: number },
): Promise<void> {
  const { account } = connection;
  const known = account.known();
  const remaining = known?.credits.remaining ?? 0;
  await output.one(blockedAccessView(extraOf(connection)), {
    blocked_until: formatApiTime(Math.ceil(blocked.until / 1000) * 1000),
    blocked_status: blocked.status,
    credits: known?.credits ?? null,
    ...byAllowance((field) => known?.allowances[field] ?? null),
    known_at: known === undefined ? null : formatApiTime(known.at),
    spent_since: known === undefined ? null : remaining - (account.monthLeft() ?? remaining),
  });
}
