import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run as runExport } from '../../src/commands/signals-export.ts';
import { interruptedError, ScreenerError } from '../../src/errors.ts';
import { History } from '../../src/history/store/history.ts';
import { type Heard, startCron } from './cron.ts';
import {
  cardOf,
  cardsAnHourApart,
  cardsFrom,
  codeOf,
  DAY,
  directory,
  exportInto,
  HOUR,
  inHashOrder,
  invocationOf,
  NOW,
  Service,
  setUp,
  started,
  stateOf,
  stored,
} from './support.ts';

const ids = (dir: string) => stored(dir).map(({ id }) => id);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('budgets', () => {
  it.each([
    { limit: 'max_credits', account: {}, options: { maxCredits: 5 }, most: 5 },
    { limit: 'month', account: { monthCredits: 7 }, options: { allCredits: true }, most: 7 },
    {
      limit: 'keep',
      account: { monthCredits: 12 },
      options: { allCredits: true, keep: 5 },
      most: 7,
    },
  ] as const)(
    'stops by itself at $limit: exit 0, complete: false, and goes on next time',
    async ({ limit, account, options, most }) => {
      const details = cardsAnHourApart(60);
      const { service, dir } = setUp({ details, ...account });
      const { error, credits, summary, closing } = await exportInto(dir, service, options);
      expect({ error, credits }).toEqual({ error: undefined, credits: most });
      expect(new Set(service.sent.map(({ status }) => status))).toEqual(new Set([200]));
      expect(summary).toMatchObject({
        complete: false,
        stopped_by: limit,
        outcomes: most - 3,
        parts: { list: { complete: true }, details: { complete: false } },
      });
      const due = details.filter(
        (card) => NOW - Date.parse(card.created_at) >= 24 * HOUR + 600_000,
      ).length;
      expect(summary.remaining).toEqual({
        list: false,
        outcomes_due: due - (most - 3),
        outcomes_later: 60 - due,
      });
      expect(stateOf(dir)).toMatchObject({ complete: false, remaining: summary.remaining });
      expect(closing[0]).toContain(`Still open: ${due - (most - 3)} outcomes to buy`);
      const bought = stored(dir).filter((card) => 'outcome' in card);
      expect(inHashOrder(bought.map(({ id }) => id))).toEqual(
        inHashOrder(range(1, due)).slice(0, most - 3),
      );
      if (limit !== 'max_credits') return;
      const next = await exportInto(dir, service);
      expect(next).toMatchObject({ summary: { complete: true } });
      expect(service.credits).toBe(3 + due + 1);
    },
  );

  it("stops at the day's 150 as the ledger knows it, in the middle of the list, and goes on the next day", async () => {
    const details = cardsAnHourApart(200);
    const { service, dir } = setUp({ details });
    await service.connect().client.call('access', {});
    for (let i = 0; i < 145; i += 1) await service.connect().client.call('snapshot', {});
    const first = await exportInto(dir, service);
    expect(first).toMatchObject({ credits: 5, error: undefined });
    expect(first.summary).toMatchObject({ stopped_by: 'day', remaining: { list: true } });
    expect(stored(dir)).toHaveLength(125);
    service.refill();
    const second = await exportInto(dir, service, { outcomes: false });
    // 75 cards more beside the last one before, and the newer window.
    expect(second.credits).toBe(4 + 1);
    expect(ids(dir)).toEqual(range(1, 200));
    expect(second).toMatchObject({ summary: { complete: true } });
  });
});

it.each([
  ['day', NOW + 6 * HOUR - 5 * 60_000],
  ['month', Date.UTC(2026, 11, 1)],
])(
  'a 429 until the end of the %s is its budget, used up by others: no failure',
  async (limit, until) => {
    const { service, dir } = setUp({ details: cardsAnHourApart(5), monthCredits: 1000 });
    service.intercept = (name) => {
      if (name === 'access') return undefined;
      const retryAfter = Math.round((until - NOW) / 1000);
      return new ScreenerError('quota_exhausted', 'Too many requests.', {
        status: 429,
        retryAfter,
      });
    };
    const { error, summary, closing } = await exportInto(dir, service);
    expect({ error, stoppedBy: summary.stopped_by, complete: summary.complete }).toEqual({
      error: undefined,
      stoppedBy: limit,
      complete: false,
    });
    expect(closing[0]).toMatch(
      limit === 'day'
        ? /day's 150 credits are spent\. .* 00:00:00 UTC, in /
        : /month's credits are spent/,
    );
    const { last_success, parts } = stateOf(dir);
    expect(last_success).not.toBeNull();
    // Else `--check` would say that the service refuses the list.
    expect(parts.list.failure).toBeNull();
  },
);

describe('failures in the middle', () => {
  it.each([429, 503, 500, 401])(
    'a %i in the list: saved, thrown on, and the next run goes on',
    async (status) => {
      const { service, dir } = setUp({ details: cardsAnHourApart(60) });
      service.intercept = (name, _, nth) => (name === 'signals' && nth === 2 ? status : undefined);
      const first = await exportInto(dir, service);
      expect(first.error).toMatchObject({ status });
      if (status === 429) expect(first.error).toMatchObject({ exitCode: 7, retryAfter: 3600 });
      expect(ids(dir)).toEqual(range(36, 60));
      const stopped = {
        complete: false,
        stopped_by: 'error',
        remaining: { list: true },
        new_cards: 25,
      };
      expect(first.summary).toMatchObject(stopped);
      service.intercept = undefined;
      const second = await exportInto(dir, service);
      // Two pages that were left, the newer window, the outcomes: nothing is bought twice.
      expect(second.sent.filter(({ name }) => name === 'signals')).toHaveLength(3);
      expect(ids(dir)).toEqual(range(1, 60));
      expect(second.summary).toMatchObject({ complete: true, new_cards: 35 });
    },
  );

  it.each(['quota_exhausted', 'interrupted'])(
    '%s among the outcomes: what was bought is kept',
    async (code) => {
      const { service, dir } = setUp({ details: cardsAnHourApart(60) });
      const controller = new AbortController();
      service.intercept = (name, _, nth) => {
        if (name !== 'signal') return undefined;
        if (code === 'interrupted' && nth === 5) controller.abort(interruptedError());
        return nth === 6 ? 429 : undefined;
      };
      const { error, summary, closing } = await exportInto(dir, service, {
        signal: controller.signal,
      });
      expect(codeOf(error)).toBe(code);
      expect(closing[0]).toContain(
        code === 'interrupted'
          ? 'Interrupted. Everything paid for is saved; the next run continues from here.'
          : 'Details refused since 20 Nov (429): 31 outcomes wait. All that came is saved; the next run continues from here.',
      );
      expect(summary.stopped_by).toBe(code === 'interrupted' ? code : 'error');
      const bought = stored(dir).filter((card) => 'outcome' in card);
      const order = inHashOrder(range(1, 36));
      expect(inHashOrder(bought.map(({ id }) => id))).toEqual(order.slice(0, 5));
      service.intercept = undefined;
      const { sent } = await exportInto(dir, service);
      expect(sent.filter(({ name }) => name === 'signal').map(({ params }) => params.id)).toEqual(
        order.slice(5),
      );
    },
  );
});

describe('whose directory it is', () => {
  it("refuses another account's", async () => {
    const { service, dir } = await started([cardOf(1, 30)]);
    const { error, sent } = await exportInto(dir, service, { account: 'account-b' });
    expect(error).toMatchObject({ code: 'usage', hint: expect.stringContaining('--adopt') });
    expect(sent).toEqual([]);
    expect(
      (await exportInto(dir, service, { account: 'account-b', adopt: true })).error,
    ).toBeUndefined();
    expect(stateOf(dir).account).toBe('account-b');
  });

  it('refuses month files without export.json, before anything is sent', async () => {
    const service = new Service({ details: [cardOf(1, 30)] });
    const dir = directory();
    mkdirSync(dir);
    writeFileSync(join(dir, 'signals-2026-11.ndjson'), '');
    const message = expect.stringContaining(dir);
    expect((await exportInto(dir, service)).error).toMatchObject({ code: 'storage', message });
    expect(service.sent).toEqual([]);
  });
});

describe('the first day of a history', () => {
  /** 60 days of cards, 24 a day: half of them are older than the 30 days that a first run lists. */
  const details = cardsAnHourApart(60 * 24);

  it('buys as much in several runs as in one: older cards wait for the next day', async () => {
    const whole = setUp({ details });
    const { summary } = await exportInto(whole.dir, whole.service, { maxCredits: 100 });
    expect(summary.outcomes, 'outcomes of one run').toBeGreaterThan(60);

    const parts = setUp({ details });
    let outcomes = 0;
    for (const maxCredits of [20, 30, 50]) {
      const run = await exportInto(parts.dir, parts.service, { maxCredits });
      outcomes += run.summary.outcomes;
    }
    // A later run asks once for what is new.
    expect(outcomes, 'outcomes of three runs').toBeGreaterThanOrEqual(summary.outcomes - 3);

    await parts.service.clock.sleep(DAY);
    const next = await exportInto(parts.dir, parts.service, { maxCredits: 60 });
    const oldest = stored(parts.dir).at(0)?.created_at ?? '';
    expect(next.summary.pages, 'pages of the next day').toBeGreaterThan(25);
    expect(Date.parse(oldest), 'the oldest card').toBeLessThan(NOW - 50 * DAY);
  });

  describe('whose list of 30 days takes more credits than two days have', () => {
    /** 250 cards a day: 300 pages, and ten more each day. */
    const busy = { details: cardsFrom(NOW - 30 * DAY, 33 * 250, 250), start: NOW };

    /** Billable requests of a run. */
    const sentBy = (requests: readonly Heard[]) => ({
      pages: requests.filter(({ operation }) => operation === 'signals').length,
      outcomes: requests.filter(({ operation }) => operation === 'signal').length,
      settings: requests.filter(({ operation }) => operation === 'screeners').length,
      medians: requests.filter(({ operation }) => operation === 'stats').length,
    });

    it('buys 40 outcomes and the settings first; medians are asked for when the list is here', async () => {
      const cron = await startCron(busy);
      const runs: unknown[] = [];
      for (let day = 0; day < 3; day += 1) {
        const { code, requests, stderr } = await cron.export();
        expect(code, stderr).toBe(0);
        runs.push(sentBy(requests));
        if (day === 0) expect(stderr).toMatch(/^Buying 40 of 2\d\d\d due outcomes now/m);
        await cron.clock.sleep(NOW + (day + 1) * DAY - cron.clock.now());
      }
      expect(runs).toEqual([
        { pages: 109, outcomes: 40, settings: 1, medians: 0 },
        { pages: 150, outcomes: 0, settings: 0, medians: 0 },
        { pages: expect.any(Number), outcomes: expect.any(Number), settings: 1, medians: 2 },
      ]);
      expect(cron.manifest().gaps).toEqual([]);
    });

    it('leaves half of --max-credits to the first outcomes, and once they are bought what is left of the day', async () => {
      const cron = await startCron(busy);
      const runs: unknown[] = [];
      for (const credits of ['60', '60', '60']) {
        const { code, requests, stderr } = await cron.export('--max-credits', credits);
        expect(code, stderr).toBe(0);
        runs.push(sentBy(requests));
      }
      expect(runs).toEqual([
        { pages: 30, outcomes: 29, settings: 1, medians: 0 },
        { pages: 30, outcomes: 30, settings: 0, medians: 0 },
        { pages: 30, outcomes: 0, settings: 0, medians: 0 },
      ]);
    });

    it.each([30, 41, 45])('lists with %i credits all the same', async (credits) => {
      const cron = await startCron({ ...busy, monthCredits: credits });
      const { code, requests, stderr } = await cron.export();
      expect(code, stderr).toBe(0);
      expect(sentBy(requests)).toEqual({
        pages: credits - 1,
        outcomes: 0,
        settings: 1,
        medians: 0,
      });
    });
  });
});

describe('what it says', () => {
  it.each([
    {
      credits: 'cover a part of the outcomes',
      perDay: 60,
      remark: ' (a random sample is enough)',
    },
    { credits: 'cover all in a few days', perDay: 12, remark: '' },
  ])('of the outcomes that are left to buy: credits that $credits', async ({ perDay, remark }) => {
    const details = cardsFrom(NOW - 20 * DAY, 21 * perDay, perDay);
    const cron = await startCron({ details, start: NOW });
    const { code, stdout, stderr } = await cron.export('--json');
    expect(code, stderr).toBe(0);
    const { counts, outlook } = JSON.parse(stdout);
    expect(outlook.all_bought_by === null, 'never all are bought').toBe(remark !== '');
    expect(stderr).toContain(`Still open: ${counts.to_buy} outcomes to buy${remark}, `);
  });

  it('of the outcomes that a first run buys is said once, also if it buys none', async () => {
    const cron = await startCron({ details: cardsAnHourApart(25), start: NOW });
    const { code, stderr } = await cron.export('--max-credits', '1');
    expect({ code, bought: cron.bought().size }, stderr).toEqual({ code: 0, bought: 0 });
    expect(stderr.match(/^Buying 0 of 1 due outcomes now/gm)).toHaveLength(1);
  });

  it('--plan quotes without sending anything', async () => {
    const { service, dir } = setUp({ details: cardsAnHourApart(60) });
    await exportInto(dir, service, { maxCredits: 10 });
    const sent = service.sent.length;
    const later = invocationOf({ service, plan: true, maxCredits: 100 });
    const history = new History(dir, later.notes, service.clock);
    await runExport(later, { history, outcomes: true, screeners: false, stats: false });
    expect(later.said.results).toEqual([
      {
        directory: dir,
        first_run: false,
        pacing_seconds: { least: 0, most: 0 },
        counts: { due: 36, bought: 7, pending: 0, to_buy: 29, not_due: 24, gone: 0 },
        outcomes_a_day: null,
        buys_outcomes: true,
        outlook: null,
        medians_due: 0,
        lost_cards: 0,
        credits_at_least: 30,
        credits_at_most: 100,
        credits_left: null,
        refused_until: null,
        stops_at: null,
        more_from: null,
        expected: { credits: 30, outcomes: 29, with_all_credits: 30 },
        day: { limit: 150, spent: 10 },
      },
    ]);
    expect(service.sent.length).toBe(sent);
    await exportInto(dir, service, { maxCredits: 100 });
    expect(service.billable()).toHaveLength(10 + 30);
  });

  it.each([
    { screeners: false, bar: '[######......]' },
    { screeners: true, bar: '[#####.......]' },
  ])(
    'the bar counts what is asked for after the outcomes: settings $screeners',
    async ({ screeners, bar }) => {
      // Two pages are read, two outcomes are due.
      const { said } = await started(cardsAnHourApart(26), { format: 'table', screeners });
      expect(said.progress).toContain(`Outcomes 0 of 2 ${bar} 1 min left  Ctrl-C keeps all`);
    },
  );

  it('in table format stdout stays empty: one sentence for stderr, progress for a terminal', async () => {
    const { said, closing } = await started(cardsAnHourApart(40), { format: 'table' });
    expect(said.results).toEqual([]);
    expect(closing).toEqual([
      '40 cards (40 new); 16 of 16 due outcomes bought (16 now). Still open: 24 outcomes not due yet. Complete. Run it again for new cards.',
    ]);
    expect(said.progress[2]).toBe('Cards 25  Ctrl-C keeps all');
    expect(said.progress.find((one) => one.startsWith('Outcomes'))).toContain(
      'Outcomes 0 of 16 [#...........]',
    );
    expect(said.progress.at(-1)).toBe(
      'Outcomes 15 of 16 [###########.] 1 min left  Ctrl-C keeps all',
    );
  });
});
