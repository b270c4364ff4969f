/** One account lived with: the sandbox's service without a socket, an export each morning, and what is said then. */

import { createClient } from '../../src/api/client.ts';
import { MAIN_HORIZON } from '../../src/api/contract/horizons.ts';
import type { Transport } from '../../src/api/transport.ts';
import type { Invocation } from '../../src/commands/parts/invocation.ts';
import { run as printReport } from '../../src/commands/report.ts';
import { run as listScreeners } from '../../src/commands/screeners-local.ts';
import { run as runExport } from '../../src/commands/signals-export.ts';
import { run as compare } from '../../src/commands/stats-local.ts';
import { run as showToday } from '../../src/commands/today.ts';
import { run as tune } from '../../src/commands/tune.ts';
import { Account } from '../../src/credits/account.ts';
import { guarded } from '../../src/credits/ask-access.ts';
import { foreseeExports } from '../../src/history/export/quote.ts';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import { History } from '../../src/history/store/history.ts';
import type { GroupFigures } from '../../src/outcomes/figure-table.ts';
import type { LocalScreener } from '../../src/output/views/local-screeners.ts';
import type { Today } from '../../src/output/views/today-fields.ts';
import type { Tune } from '../../src/output/views/tune.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { DAY, directory, invocationOf } from '../history/support.ts';
import { aMinute } from '../support/allowances.ts';
import { TestClock, testContext } from '../support/context.ts';
import { createApi } from '../support/sandbox.ts';

/** Fewer than the document's, for fewer cards: ninety mornings take seconds. */
export const CREDITS = 500;

/** The account has one in so many of the market's cards, on the first morning those of `listed` days. */
export interface Season {
  /** The first morning, epoch milliseconds UTC. */
  readonly start: number;
  readonly oneIn: number;
  readonly listed: number;
  /** Mornings of exports. */
  readonly mornings: number;
  /** The morning on which a type's settings change; 25 mornings later another type falls silent. */
  readonly change: number;
  /** Credits that another machine spends on a day. */
  readonly neighbour?: (at: number) => number;
  readonly hasAllScreens?: boolean;
}

export type Morning = Awaited<ReturnType<typeof live>>[number];

/** Days before it begins on which the invented market changes settings. */
const CHANGED_BEFORE = 45;

/** Lives with one account, and asks what the screens say on each morning. */
export async function live({
  start,
  oneIn,
  listed,
  mornings: days,
  change,
  neighbour = () => 0,
  hasAllScreens = false,
}: Season) {
  const clock = new TestClock(start);
  const now = () => clock.now();
  const history = { since: start - listed * DAY };
  const market = createMarketWorld(2, start + (change + CHANGED_BEFORE) * DAY, history);
  const world = {
    ...market,
    index: (at: number) => market.index(at).filter(({ id }) => id % oneIn === 0),
  };
  const api = createApi({ world, now, monthCredits: CREDITS, allowances: aMinute(1_000_000) });
  const dir = directory();
  const baseUrl = 'https://service.example/api/external/v1';
  const context = testContext({
    clock,
    env: { SCREENER_BASE_URL: baseUrl, SCREENER_API_KEY: api.key },
  });
  const limits = {
    baseUrl,
    key: api.key,
    context,
    directory: undefined,
    timeout: 30_000,
    maxWait: 60_000,
  };
  const account = new Account({ ...limits, notes: invocationOf({}).notes });

  const transport = async ({ target, onLeaving }: Parameters<Transport>[0]) => {
    onLeaving();
    const headers = { authorization: `Bearer ${api.key}` };
    const answer = api.handle({ method: 'GET', url: `/api/external/v1${target}`, headers });
    const date = new Date(now()).toUTCString();
    return {
      status: answer.status,
      headers: { ...answer.headers, date },
      body: Buffer.from(answer.body),
    };
  };
  /** What a command prints. */
  const ask = async <T>(work: (own: Invocation, of: { history: History }) => Promise<void>) => {
    const { said, ...invocation } = invocationOf({});
    const { notes } = invocation;
    const { stdout } = testContext();
    const client = guarded(
      createClient({ ...limits, transport, gate: account.gate, notes }),
      account,
    );
    const connect = async () => ({ client, account });
    await work(
      { ...invocation, context: { ...context, stdout }, connect },
      { history: new History(dir, notes, context.clock) },
    );
    return (said.results[0] ?? stdout.text) as T;
  };
  const exporting = { outcomes: true, screeners: true, stats: true };
  const mornings = [];
  for (let day = 0; day < days; day += 1) {
    await clock.sleep(start + day * DAY - now());
    api.spend(Math.min(neighbour(now()), CREDITS - api.quota.month));
    const summary = await ask<ExportSummary>((own, of) => runExport(own, { ...of, ...exporting }));
    const today = await ask<Today>((own, of) => showToday(own, { ...of, refresh: false }));
    const stats = await ask<{ items: GroupFigures[] }>((own, of) =>
      compare(own, { ...of, by: 'type' }),
    );
    const outlook = await foreseeExports(account, dir, now());
    const left = CREDITS - api.quota.month;
    // They are dear: every fifth morning they say what all others show.
    const screens = hasAllScreens &&
      day % 5 === 0 && {
        screeners: await ask<{ items: LocalScreener[] }>(listScreeners),
        tune: await ask<Tune>((own, of) =>
          tune(own, { ...of, key: undefined, horizon: MAIN_HORIZON, detail: false }),
        ),
        // The dearest.
        report:
          day % 15 > 0
            ? ''
            : await ask<string>((own, of) => printReport(own, { ...of, file: '-', open: false })),
      };
    mornings.push({
      day,
      at: now(),
      left,
      summary,
      today,
      stats,
      outlook,
      ...(screens && { screens }),
    });
  }
  return mornings;
}
