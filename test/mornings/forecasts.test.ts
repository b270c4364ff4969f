/** What is foreseen of credits each morning beside another machine on the account, held against what came. */
import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Transport } from '../../src/api/transport.ts';
import { run as runExport } from '../../src/commands/signals-export.ts';
import { Account } from '../../src/credits/account.ts';
import { guarded } from '../../src/credits/ask-access.ts';
import { foreseeExports } from '../../src/history/export/quote.ts';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import { History } from '../../src/history/store/history.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { DAY, directory, HOUR, invocationOf } from '../history/support.ts';
import { aMinute } from '../support/allowances.ts';
import { TestClock, testContext } from '../support/context.ts';
import { createApi } from '../support/sandbox.ts';

/** The morning of the 20th of September, and so many from it on: to the end of October. */
const START = Date.UTC(2026, 8, 20, 6);
const MORNINGS = 42;
/** A month's credits: fewer than the document's, for fewer cards. */
const CREDITS = 225;
/** What a forecast may be off by: a tenth of a month. */
const TENTH = { credits: CREDITS / 10, days: 3 };

interface Neighbour {
  /** Credits that another machine spends on the day of a morning. */
  readonly spends: (morning: number) => number;
  /** From which morning on its habit can be known. */
  readonly knownFrom?: number;
}

/** The tenth of October is so many mornings after the first one, which is a Sunday's. */
const TENTH_OF_OCTOBER = 20;
const NEIGHBOURS: Readonly<Record<string, Neighbour>> = {
  'nobody else': { spends: () => 0 },
  'one burst': { spends: (morning) => (morning === 8 ? 40 : 0), knownFrom: 9 },
  'a steady neighbour': { spends: () => 4 },
  'one from the 10th on, foreseen on the 12th': {
    spends: (morning) => (morning >= TENTH_OF_OCTOBER ? 18 : 0),
    knownFrom: TENTH_OF_OCTOBER + 2,
  },
  'one on every second day': { spends: (morning) => (morning % 2) * 6 },
  'one at weekends': { spends: (morning) => (morning % 7 < 2 ? 9 : 0) },
};

/** One morning: what an export did, what was foreseen then, and what was left in the evening. */
interface Morning {
  readonly at: number;
  readonly outcomes: number;
  readonly boughtByReset: number;
  readonly resetsAt: number;
  /** Undefined: not before the reset. */
  readonly goneAt: number | undefined;
  readonly leftInTheEvening: number;
}

async function live({ spends }: Neighbour): Promise<Morning[]> {
  const clock = new TestClock(START);
  const now = () => clock.now();
  const market = createMarketWorld(2, START + 80 * DAY, { since: START - 5 * DAY });
  const world = {
    ...market,
    index: (at: number) => market.index(at).filter(({ id }) => id % 6 === 0),
  };
  const api = createApi({ world, now, monthCredits: CREDITS, allowances: aMinute(1_000_000) });
  const dir = directory();
  const baseUrl = 'https://service.example/api/external/v1';
  const context = testContext({ clock });
  const limits = { baseUrl, key: api.key, context, timeout: 30_000, maxWait: 60_000 };
  const { notes } = invocationOf({});
  const account = new Account({ ...limits, directory: undefined, notes });
  const transport = async ({ target, onLeaving }: Parameters<Transport>[0]) => {
    onLeaving();
    const headers = { authorization: `Bearer ${api.key}` };
    const answer = api.handle({ method: 'GET', url: `/api/external/v1${target}`, headers });
    const date = new Date(now()).toUTCString();
    const body = Buffer.from(answer.body);
    return { status: answer.status, headers: { ...answer.headers, date }, body };
  };
  const client = guarded(
    createClient({ ...limits, transport, gate: account.gate, notes }),
    account,
  );

  const mornings: Morning[] = [];
  for (let morning = 0; morning < MORNINGS; morning += 1) {
    const at = START + morning * DAY;
    await clock.sleep(at - now());
    const { said, ...invocation } = invocationOf({});
    await runExport(
      { ...invocation, context, connect: async () => ({ client, account }) },
      { history: new History(dir, notes, clock), outcomes: true, screeners: true, stats: false },
    );
    const summary = said.results[0] as ExportSummary;
    await client.call('access', {});
    const { access, forecast } = account.known();
    const outlook = await foreseeExports(account, dir, now());
    await clock.sleep(8 * HOUR);
    api.spend(Math.min(spends(morning), CREDITS - api.quota.month));
    mornings.push({
      at,
      outcomes: summary.outcomes,
      boughtByReset: outlook?.bought_by_reset ?? 0,
      resetsAt: Date.parse(access?.credits.resets_at ?? ''),
      goneAt: forecast?.isGone ? at : forecast?.goneAt,
      leftInTheEvening: CREDITS - api.quota.month,
    });
  }
  return mornings;
}

/** @returns what of a morning's forecasts did not come true, until the reset */
function falseForecasts(morning: Morning, later: readonly Morning[]): string[] {
  const { at, resetsAt, goneAt = resetsAt, boughtByReset } = morning;
  const ofMonth = later.filter((morning) => morning.at < resetsAt);
  const bought = ofMonth.reduce((sum, one) => sum + one.outcomes, 0);
  const lastDay = [morning, ...ofMonth].find((one) => one.leftInTheEvening <= 0)?.at ?? resetsAt;
  const daysOff = Math.abs(goneAt - lastDay) / DAY;
  const said: string[] = [];
  if (daysOff > TENTH.days) said.push(`gone ${daysOff.toFixed(1)} days off`);
  if (Math.abs(bought - boughtByReset) > TENTH.credits)
    said.push(`${boughtByReset} outcomes, not ${bought}`);
  return said.map((text) => `${new Date(at).toISOString().slice(0, 10)}: ${text}`);
}

it.each(Object.entries(NEIGHBOURS))(
  'beside %s at most one forecast in ten is off by more than a tenth of the month',
  async (_, neighbour) => {
    const mornings = await live(neighbour);
    const end = START + MORNINGS * DAY;
    const judged = mornings.filter(
      ({ resetsAt }, morning) => resetsAt <= end && morning >= (neighbour.knownFrom ?? 4),
    );
    expect(judged.length, 'mornings that are judged').toBeGreaterThan(15);
    const wrong = judged.flatMap((morning) =>
      falseForecasts(
        morning,
        mornings.filter(({ at }) => at > morning.at),
      ),
    );
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual((2 * judged.length) / 10);
  },
);
