/**
 * Nothing becomes final from one moment: what cannot be taken back needs two observations on different UTC days. Lost cards are in
 * `damage.test.ts` and `lost-cards.test.ts`, changes of settings in `effects.test.ts`, days that only a wrong clock of this machine
 * sees in `wrong-clock.test.ts`.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { type ApiResponse, failure, reply } from '../../src/sandbox/response.ts';
import { stats } from '../support/samples.ts';
import { type Cron, cronWithRefusedDays, type Heard, startCron } from './cron.ts';
import { cardOf, cardsAnHourApart, DAY, HOUR, NOW } from './support.ts';

/** A page without a card, and a cursor that leads to the next one. */
const emptyPage = (): ApiResponse =>
  reply(
    200,
    JSON.stringify({
      hasError: false,
      errors: null,
      response: {
        scope: 'own_recorded_notifications',
        items: [],
        next_cursor: 'empty',
        since: '2026-10-01T00:00:00Z',
        until: '2026-11-20T18:00:00Z',
      },
    }),
  );

/** Windows of the list that were asked for twice in a row. */
function repeatedWindows(requests: readonly Heard[]): readonly Heard[] {
  return requests.filter(
    ({ operation, query }, i) =>
      operation === 'signals' &&
      query.cursor === undefined &&
      isDeepStrictEqual(query, requests[i - 1]?.query),
  );
}

const listOnly = ['--no-outcomes', '--no-screeners', '--no-stats'];

/** A service whose list answers so from a page on, until it is mended. */
async function brokenList(
  details: readonly SignalDetail[],
  isBroken: (page: number, cursor: string | undefined) => boolean,
  answer: () => ApiResponse,
) {
  const cron = await startCron({ details, start: NOW });
  let pages = 0;
  cron.answerInstead(({ operation, query }) => {
    if (operation !== 'signals') return undefined;
    pages += 1;
    return isBroken(pages, query.cursor) ? answer() : undefined;
  });
  return cron;
}

/** A day later the service is as it should be. */
async function mend(cron: Cron) {
  cron.answerInstead(undefined);
  await cron.clock.sleep(DAY);
}

describe('a list that is broken for a moment, in a first export', () => {
  const details = cardsAnHourApart(240);

  it.each([
    { what: 'a 404', answer: () => failure(404), code: 5, requests: 2 },
    { what: 'a 422', answer: () => failure(422), code: 0, requests: 4 },
    { what: 'a 500', answer: () => failure(500), code: 8, requests: 2 },
    { what: 'pages without a card', answer: emptyPage, code: 9, requests: 5 },
  ])(
    '$what: nothing is lost, and a day later every card is there',
    async ({ answer, code, requests }) => {
      const cron = await brokenList(details, (page) => page > 3, answer);
      const first = await cron.export(...listOnly);
      expect(first).toMatchObject({ code });
      expect(first.stderr).toContain('cards before 2026-11-17 to list');
      expect(first.stderr).not.toContain('Complete');
      expect(repeatedWindows(first.requests), 'asked for twice in a row').toEqual([]);
      expect(first.requests).toHaveLength(1 + 3 + requests);
      expect(cron.manifest()).toMatchObject({ complete: false, begins_at: null });
      await mend(cron);
      const next = await cron.export(...listOnly);
      expect(next.code).toBe(0);
      expect(cron.manifest().complete).toBe(true);
      expect(cron.cards()).toHaveLength(details.length);
    },
  );

  it('more cards of one moment than a page holds, while cursors are refused: the rest comes at once', async () => {
    const burst = Array.from({ length: 120 }, (_, i) => cardOf(1000 + i, 30));
    const others = Array.from({ length: 60 }, (_, i) => cardOf(2000 - i, 27 + i / 10));
    const cards = [...others, ...burst];
    const cron = await brokenList(
      cards,
      (_, cursor) => cursor !== undefined,
      () => failure(422),
    );
    const first = await cron.export(...listOnly);
    expect(first.code).toBe(0);
    expect(first.stderr).not.toContain('Complete');
    // A page of that moment, and all the others.
    expect(cron.cards().length, 'cards after the first run').toBeGreaterThanOrEqual(
      others.length + 20,
    );
    await mend(cron);
    expect((await cron.export(...listOnly)).code).toBe(0);
    expect(cron.cards()).toHaveLength(cards.length);
    expect(cron.manifest()).toMatchObject({ complete: true, gaps: [] });
  });
});

it('an unread part that the service refuses is a gap until a later day: nothing is said to begin there', async () => {
  const cron = await cronWithRefusedDays();
  const { code, stderr } = await cron.export(...listOnly, '--since', '7d');
  const { gaps, begins_at, complete } = cron.manifest();
  expect({ code, begins_at, complete, gaps: gaps.length }, stderr).toEqual({
    code: 0,
    begins_at: null,
    complete: false,
    gaps: 1,
  });
  await mend(cron);
  await cron.export(...listOnly);
  expect(cron.manifest()).toMatchObject({ complete: true, gaps: [] });
});

it('the list begins where the service refuses on two days what is older than all that is listed', async () => {
  const cron = await startCron({ details: cardsAnHourApart(240), start: NOW });
  await cron.export(...listOnly, '--since', '3d');
  const [{ since: end = '' } = {}] = cron.manifest().spans;
  cron.answerInstead(({ operation, query }) =>
    operation === 'signals' && Date.parse(query.since ?? '') < Date.parse(end) - 2 * HOUR
      ? failure(422)
      : undefined,
  );
  const first = await cron.export(...listOnly);
  expect(first.stderr).not.toContain('Complete');
  expect(cron.manifest()).toMatchObject({ complete: false, begins_at: null });
  await cron.clock.sleep(DAY);
  const second = await cron.export(...listOnly);
  expect(second.stderr).toContain(`The service lists nothing before ${end}.`);
  expect(cron.manifest()).toMatchObject({ complete: true, gaps: [], begins_at: end });
});

describe('a card whose details are not there', () => {
  it('is gone once the service says so on two days', async () => {
    const details = cardsAnHourApart(40);
    const cron = await startCron({ details, start: NOW });
    let bought = 0;
    let lost: string | undefined;
    // The second that is asked for: a 404 says that a card is gone only where others are there.
    cron.answerInstead(({ operation, query }) => {
      if (operation !== 'signal') return undefined;
      bought += 1;
      if (bought === 2) lost = query.id;
      return query.id === lost ? failure(404) : undefined;
    });
    const goneIn = async () => {
      const { code, stdout } = await cron.export('--no-stats', '--json');
      return { code, gone: JSON.parse(stdout).gone, counted: cron.manifest().counts?.gone };
    };
    expect(await goneIn(), 'first look').toEqual({ code: 0, gone: 0, counted: 0 });
    await cron.clock.sleep(2 * HOUR);
    expect(await goneIn(), 'the same day').toEqual({ code: 0, gone: 0, counted: 0 });
    await cron.clock.sleep(DAY);
    expect(await goneIn(), 'the next day').toEqual({ code: 0, gone: 1, counted: 1 });
  });

  it.each([2, 3])(
    'is not gone because the details of %i others are not there either on the later days',
    async (others) => {
      const details = [
        ...Array.from({ length: 8 }, (_, i) => cardOf(i + 1, 30 + i)),
        ...Array.from({ length: others }, (_, i) => cardOf(i + 11, 20 + i)),
      ];
      const cron = await startCron({ details, start: NOW });
      cron.answerInstead(({ operation, query }) =>
        operation === 'signal' && query.id === '3' ? failure(404) : undefined,
      );
      await cron.export('--no-stats');
      expect(cron.manifest().asked[3]).toMatchObject({ not_found: true });
      // From now on the service has no details at all.
      cron.answerInstead(({ operation }) => (operation === 'signal' ? failure(404) : undefined));
      for (let run = 1; run <= 8; run += 1) {
        await cron.clock.sleep(25 * HOUR);
        await cron.export('--no-stats');
        expect(cron.manifest().counts?.gone, `run ${run}`).toBe(0);
      }
      cron.answerInstead(undefined);
      await cron.clock.sleep(8 * DAY);
      await cron.export('--no-stats');
      expect(cron.manifest().counts).toMatchObject({ bought: details.length, to_buy: 0 });
    },
  );
});

describe('two looks an hour apart, at 23:30 and 00:30 UTC', () => {
  const LATE = Date.parse('2026-11-21T23:30:00Z');
  const details = Array.from({ length: 40 }, (_, day) => cardOf(40 - day, 30 + day * 24));

  /** Exports at 23:30, at 00:30 and at 23:30 again. @returns for each run its hour, and what `seen` says of it */
  async function lookThrice<Seen>(
    cron: Cron,
    seen: (run: Awaited<ReturnType<Cron['export']>>) => Seen,
  ) {
    const looks = [];
    for (const hour of [0, 1, 24]) {
      await cron.clock.sleep(LATE + hour * HOUR - cron.clock.now());
      looks.push({ hour, seen: seen(await cron.export('--no-stats')) });
    }
    return looks;
  }

  it('do not make the list begin where it is refused', async () => {
    const cron = await startCron({ details, start: LATE - DAY });
    await cron.export(...listOnly, '--since', '10d');
    cron.answerInstead(({ operation, query }) => {
      const isOld = Date.parse(query.since ?? '') < LATE - 12 * DAY;
      return operation === 'signals' && isOld ? failure(422) : undefined;
    });
    const looks = await lookThrice(cron, ({ requests }) => ({
      begins: cron.manifest().begins_at !== null,
      pages: requests.filter(({ operation }) => operation === 'signals').length > 1,
    }));
    expect(looks).toEqual([
      { hour: 0, seen: { begins: false, pages: true } },
      { hour: 1, seen: { begins: false, pages: false } },
      { hour: 24, seen: { begins: true, pages: true } },
    ]);
  });

  it('do not make a card gone', async () => {
    const cron = await startCron({ details, start: LATE });
    cron.answerInstead(({ operation, query }) =>
      operation === 'signal' && query.id === '30' ? failure(404) : undefined,
    );
    const looks = await lookThrice(cron, ({ requests }) => ({
      gone: cron.manifest().counts?.gone,
      asked: requests.some(({ query }) => query.id === '30'),
    }));
    expect(looks).toEqual([
      { hour: 0, seen: { gone: 0, asked: true } },
      { hour: 1, seen: { gone: 0, asked: false } },
      { hour: 24, seen: { gone: 1, asked: true } },
    ]);
  });

  it('do not show that a month file lost its cards', async () => {
    const cron = await startCron({ details, start: LATE - DAY });
    await cron.export('--no-stats');
    rmSync(join(cron.dir, 'signals-2026-10.ndjson'));
    const looks = await lookThrice(cron, ({ stderr }) => ({
      isMissing: cron.manifest().months['2026-10']?.missing !== undefined,
      isListedAgain: stderr.includes(' Exports list the month again'),
    }));
    expect(looks).toEqual([
      { hour: 0, seen: { isMissing: true, isListedAgain: false } },
      { hour: 1, seen: { isMissing: true, isListedAgain: false } },
      { hour: 24, seen: { isMissing: false, isListedAgain: true } },
    ]);
  });
});

describe('an outcome with a state that the document does not list', () => {
  it('is asked for again at the growing intervals, and is never settled', async () => {
    const odd = cardOf(1, 25);
    const outcome = odd.outcome && { ...odd.outcome, state_24h: 'revised', move_24h_pct: null };
    const details = [{ ...odd, outcome } as SignalDetail, cardOf(2, 25)];
    const cron = await startCron({ details, start: NOW });
    const hours: number[] = [];
    // A run at each hour that may bring it, and at one before.
    for (const hour of [0, 0.9, 1, 6, 7, 30, 31, 102, 103, 200, 400]) {
      await cron.clock.sleep(NOW + hour * HOUR - cron.clock.now());
      const { requests } = await cron.export('--no-stats');
      const asked = requests.filter(
        ({ operation, query }) => operation === 'signal' && query.id === '1',
      );
      if (asked.length > 0) hours.push(hour);
      expect(cron.bought().get(2), 'the settled one').toBe(1);
    }
    expect(hours).toEqual([0, 1, 7, 31, 103]);
    // It stays open: who asks for it gets what the service has by then.
    expect(cron.manifest().asked['1']).toMatchObject({ times: 5 });
    const mended = cardOf(1, 25);
    cron.details = [mended, cardOf(2, 25)];
    const { stdout } = await cron.command('signals', 'show', '1', '--json');
    expect(JSON.parse(stdout).outcome).toEqual(mended.outcome);
  });
});

describe('an outcome that is available, but has no move', () => {
  it('is asked for again, and settled once it has one', async () => {
    const measured = cardOf(1, 25);
    const outcome = measured.outcome && { ...measured.outcome, move_24h_pct: null };
    const details = [{ ...measured, outcome } as SignalDetail, cardOf(2, 25)];
    const cron = await startCron({ details, start: NOW });
    await cron.export('--no-stats');
    cron.details = [measured, cardOf(2, 25)];
    await cron.clock.sleep(HOUR);
    await cron.export('--no-stats');
    await cron.clock.sleep(DAY);
    await cron.export('--no-stats');
    expect(Object.fromEntries(cron.bought())).toEqual({ 1: 2, 2: 1 });
    expect(cron.cards().find(({ id }) => id === 1)?.outcome).toEqual(measured.outcome);
  });
});

describe("answers of the service's medians that do not fit", () => {
  it('three on one day: asked for again on the next', async () => {
    const details = cardsAnHourApart(24 * 20);
    const cron = await startCron({ details, start: NOW, monthCredits: 300 });
    const stale = { ...stats({ screener_type: 'pump' }), stale: true };
    cron.answerInstead(({ operation, query }) =>
      operation === 'stats' && query.screener_type === 'pump'
        ? reply(200, JSON.stringify({ hasError: false, errors: null, response: stale }))
        : undefined,
    );
    const askedIn = async () => {
      const { requests } = await cron.export();
      return requests.filter(({ query }) => query.screener_type === 'pump').length;
    };
    expect(await askedIn()).toBe(1);
    // What the user's own `stats` got on that day.
    const [line = ''] = readFileSync(join(cron.dir, 'stats.ndjson'), 'utf8')
      .split('\n')
      .filter((text) => text.includes('"pump"'));
    appendFileSync(join(cron.dir, 'stats.ndjson'), `${line}\n${line}\n`);
    await cron.clock.sleep(HOUR);
    expect(await askedIn(), 'the same day').toBe(0);
    await cron.clock.sleep(DAY);
    expect(await askedIn(), 'the next day').toBe(1);
    await cron.clock.sleep(DAY);
    expect(await askedIn(), 'two days later').toBe(0);
  });
});

describe('a verdict of the notebook', () => {
  const START = NOW - 36 * DAY;

  /** Half of the cards of a day are of a type that moves by so much more than the other, in percent. */
  const cardsOfTwoTypes = (
    perDay: (day: number) => number,
    moreOfGood: (day: number) => number,
  ): readonly SignalDetail[] =>
    Array.from({ length: 36 }, (_, day) => day).flatMap((day) =>
      Array.from({ length: perDay(day) }, (_unused, i) => {
        const card = cardOf(1 + day * 100 + i, 0);
        const isGood = i % 2 === 0;
        return {
          ...card,
          source_bot_type: isGood ? 'good' : 'plain',
          source_symbol: `S${(i * 31 + day) % 17}USDT`,
          created_at: new Date(START + day * DAY + i * 10 * 60_000).toISOString(),
          outcome: card.outcome && {
            ...card.outcome,
            move_24h_pct: ((card.id * 7919) % 101) / 25 - 2 + (isGood ? moreOfGood(day) : 0),
            btc_move_24h_pct: ((card.id * 13) % 7) / 10,
          },
        };
      }),
    );

  it('is withdrawn on the second day that does not say it', async () => {
    const cron = await startCron({
      // From day 30 on, fifteen cards a day are far below.
      details: cardsOfTwoTypes(
        (day) => (day < 30 ? 4 : 30),
        (day) => (day < 30 ? 6 : -40),
      ),
      start: START + 29 * DAY,
      monthCredits: 100_000,
      dayCredits: 100_000,
    });
    const exported = async () => {
      expect(await cron.export('--all-credits', '--no-stats')).toMatchObject({ code: 0 });
      const line = cron
        .notebook()
        .findLast((found) => found.about === 'type' && found.type === 'good');
      const verdict = line !== undefined && 'verdict' in line ? line.verdict : undefined;
      const isAwaiting = Object.keys(cron.manifest().awaiting).some((about) =>
        about.includes('good'),
      );
      return { verdict, isAwaiting };
    };
    const mornings = [];
    for (let morning = 29; morning < 36; morning += 1) {
      await cron.clock.sleep(START + (morning + 0.9) * DAY - cron.clock.now());
      const { verdict, isAwaiting } = await exported();
      mornings.push({ morning, verdict, isAwaiting });
      if (!isAwaiting) continue;
      // By this machine's clock, a run of the same day is on the next day.
      cron.machineAhead = 26 * HOUR;
      expect(await exported()).toEqual({ verdict, isAwaiting });
      cron.machineAhead = 0;
    }
    const first = mornings.findIndex(({ isAwaiting }) => isAwaiting);
    expect(mornings[0]?.verdict).toBe('above');
    expect(mornings[first]).toMatchObject({ verdict: 'above' });
    expect(mornings[first + 1]).toMatchObject({ isAwaiting: false });
    expect(mornings[first + 1]?.verdict, JSON.stringify(mornings)).not.toBe('above');
  });

  it('against the others gives way to the same one against BTC on the second day that says so', async () => {
    const details = cardsOfTwoTypes(
      () => 4,
      () => 6,
    );
    const cron = await startCron({
      details: details.filter(({ source_bot_type }) => source_bot_type === 'good'),
      start: START + 28.9 * DAY,
      monthCredits: 100_000,
      dayCredits: 100_000,
    });
    const morning = async () => {
      expect(await cron.export('--all-credits', '--no-stats')).toMatchObject({ code: 0 });
      await cron.clock.sleep(DAY);
      const line = cron.notebook().findLast(({ about }) => about === 'type');
      const { stdout } = await cron.command('stats', '--local', '--by', 'type', '--json');
      const [figures] = JSON.parse(stdout).items;
      return {
        to: line?.about === 'type' ? `${line.verdict} ${line.to}` : undefined,
        awaiting: Object.keys(cron.manifest().awaiting),
        shown: figures.horizons['24h'].shown_verdict,
      };
    };
    const vsBtc = { to: 'above btc', awaiting: [], shown: 'above_btc' };
    expect(await morning()).toEqual(vsBtc);
    const last = cron.notebook().findLast(({ about }) => about === 'type');
    appendFileSync(
      join(cron.dir, 'findings.ndjson'),
      `${JSON.stringify({ ...last, to: 'others' })}\n`,
    );
    expect(await morning(), 'the first day without others').toEqual({
      to: 'above others',
      awaiting: ['["type","good"]'],
      shown: 'above_others',
    });
    expect(await morning(), 'the second day').toEqual(vsBtc);
  });

  it('stays while a month file lacks its cards, and is judged again once they are listed again', async () => {
    const details = cardsOfTwoTypes(
      () => 4,
      () => 6,
    );
    const cron = await startCron({
      details,
      start: START + 29.9 * DAY,
      monthCredits: 100_000,
      dayCredits: 100_000,
    });
    const morning = async () => {
      expect(await cron.export('--all-credits', '--no-stats')).toMatchObject({ code: 0 });
      const line = cron
        .notebook()
        .findLast((found) => found.about === 'type' && found.type === 'good');
      const { judged_at, awaiting } = cron.manifest();
      const verdict = line?.about === 'type' ? line.verdict : undefined;
      await cron.clock.sleep(DAY);
      return { verdict, judgedOn: judged_at?.slice(0, 10), awaiting: Object.keys(awaiting) };
    };
    const whole = { verdict: 'above', judgedOn: '2026-11-14', awaiting: [] };
    expect(await morning()).toEqual(whole);
    rmSync(join(cron.dir, 'signals-2026-10.ndjson'));
    expect(await morning(), 'the first day without them').toEqual(whole);
    expect(await morning(), 'the second day').toEqual({ ...whole, judgedOn: '2026-11-16' });
    expect(cron.cards()).toHaveLength(4 * 32);
  });

  it('is withdrawn by the source that a new answer of the service made decide, on the day after it', async () => {
    const cron = await startCron({
      details: cardsOfTwoTypes(
        () => 12,
        () => 6,
      ),
      start: START + 28.5 * DAY,
    });
    const verdictOfGood = () => {
      const line = cron
        .notebook()
        .findLast((found) => found.about === 'type' && found.type === 'good');
      return line?.about === 'type' ? { verdict: line.verdict, source: line.source } : undefined;
    };
    // Far fewer than nine in ten are bought: the service decides where it has answered.
    await cron.export('--no-stats', '--all-credits');
    expect(verdictOfGood()).toEqual({ verdict: 'above', source: 'bought' });
    const counts = { sample: 176, pending: 0, missing: 0, btc_sample: 176 };
    cron.answerInstead(({ operation, query }) => {
      if (operation !== 'stats') return undefined;
      const type = query.screener_type ?? '';
      const median = type === 'good' ? -30 : 0;
      const figures = {
        ...counts,
        median_move_pct: median,
        median_vs_btc_percentage_points: median,
      };
      const answer = stats({
        screener_type: type,
        sampled_rows: 176,
        horizons: byHorizon(() => figures),
      });
      return reply(200, JSON.stringify({ hasError: false, errors: null, response: answer }));
    });
    await cron.clock.sleep(DAY);
    for (const type of ['good', 'plain'])
      expect(await cron.command('stats', '--type', type)).toMatchObject({ code: 0 });
    await cron.export('--no-stats', '--no-outcomes');
    expect(Object.keys(cron.manifest().awaiting)).toContain('["type","good"]');
    expect(verdictOfGood(), 'on the day of the answer').toEqual({
      verdict: 'above',
      source: 'bought',
    });
    await cron.clock.sleep(DAY);
    await cron.export('--no-stats', '--no-outcomes');
    expect(verdictOfGood(), 'on the day after it').toEqual({ verdict: 'below', source: 'service' });
  });
});

it('a gap before all that was read is no silence: the list does not begin there', async () => {
  const cards = Array.from({ length: 60 }, (_, i) => cardOf(60 - i, 48 + 96 * i));
  const cron = await startCron({ details: cards, start: NOW });
  const edge = NOW - 57 * DAY;
  let olderIs: 'empty' | 'refused' | 'listed' = 'empty';
  cron.answerInstead(({ operation, query }) => {
    const isOlder = query.until !== undefined && Date.parse(query.until) <= edge;
    if (operation !== 'signals' || olderIs === 'listed') return undefined;
    if (!isOlder && query.cursor !== 'empty') return undefined;
    return olderIs === 'refused' ? failure(422) : emptyPage();
  });
  await cron.export(...listOnly, '--since', '60d');
  await cron.clock.sleep(HOUR);
  // The service leads nowhere there: what is older becomes a gap of 140 days.
  await cron.export(...listOnly, '--since', '200d');
  await cron.clock.sleep(HOUR / 2);
  await cron.export(...listOnly);
  await cron.clock.sleep(DAY);
  olderIs = 'refused';
  await cron.export(...listOnly);
  olderIs = 'listed';
  for (let day = 0; day < 3; day += 1) {
    await cron.clock.sleep(DAY);
    await cron.export(...listOnly);
  }
  expect({ cards: cron.cards().length, begins: cron.manifest().begins_at }).toEqual({
    cards: cards.length,
    begins: null,
  });
});
