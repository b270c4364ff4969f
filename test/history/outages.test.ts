/** The parts of an export are independent: one that is refused for two days costs nothing for good. */
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { MINUTE } from '../../src/base/units.ts';
import { type ApiResponse, failure } from '../../src/sandbox/response.ts';
import { parseLines } from '../support/fixtures.ts';
import { type Cron, startCron } from './cron.ts';
import { liveThrough, OPERATIONS_ASKED, type Outage, REFUSALS, type Refusal } from './outage.ts';
import { cardOf, cardsFrom, DAY, HOUR, NOW } from './support.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';

/** Credits that the service has charged. */
const creditsOf = ({ heard }: Cron) => heard.reduce((total, { credits }) => total + credits, 0);

/** With and without Retry-After, alternately; both if everything was asked for. */
function headersOf(operation: number, refusal: number): readonly (number | undefined)[] {
  if (HEAVY) return [undefined, 3600];
  return [(operation + refusal) % 2 === 0 ? undefined : 3600];
}

/** Two days without an operation, within some of cron. */
const all: Outage[] = OPERATIONS_ASKED.flatMap((operation, i) =>
  Object.keys(REFUSALS).flatMap((refusal, j) =>
    headersOf(i, j).map((retryAfter): Outage => {
      // Medians are asked for in one sitting, once the listed cards go back 15 days: here on the first day.
      const isStats = operation === 'stats';
      return {
        operation,
        refusal: refusal as Refusal,
        retryAfter,
        runs: HEAVY ? 4 : 1,
        days: HEAVY ? [isStats ? 0 : 5, 2, 5] : [isStats ? 0 : 1, 2, 1],
        cardsPerDay: HEAVY ? 12 : 2,
        past: isStats || HEAVY ? 20 : 1,
      };
    }),
  ),
);

it.each(all)(
  '$operation refused by $refusal (Retry-After $retryAfter): all is here a day later',
  async (outage) => {
    const result = await liveThrough(outage);
    const { runs, missingCards, missingOutcomes, twice, medians } = result;
    const wrong = runs.filter(({ isOut, refused, code }) => {
      // Without `/access` an export goes on by what this machine knows.
      if (outage.operation === 'access') return !isOut && code !== 0;
      return refused > 0 !== (code !== 0);
    });
    const isStats = outage.operation === 'stats';
    const isKeyRefused = outage.operation === 'access' && Number(outage.refusal) === 401;
    const mayWait = outage.operation === 'signal' || isKeyRefused || isStats;
    // What is known to be due is bought while the list, or another part, is refused.
    const idle = runs.filter(({ isOut, waiting }) => isOut && waiting > 0 && !mayWait);
    const falselyComplete = runs.filter(
      ({ isOut, isComplete }) => isOut && isComplete && outage.operation !== 'access',
    );
    expect({
      wrong,
      idle,
      falselyComplete,
      missingCards,
      missingOutcomes: isStats ? 0 : missingOutcomes,
      twice,
      medians: isStats ? medians : 2,
    }).toEqual({
      wrong: [],
      idle: [],
      falselyComplete: [],
      missingCards: 0,
      missingOutcomes: 0,
      twice: 0,
      medians: 2,
    });
  },
);

it.each([
  { refusal: '500', answer: () => failure(500), minutes: 10, codes: [8] },
  { refusal: '429 without Retry-After', answer: () => failure(429), minutes: 10, codes: [7] },
])(
  'a list refused by $refusal for hours does not use up the day: exports go on with the service',
  async ({ answer, minutes, codes }) => {
    const details = Array.from({ length: 3 }, (_, i) => cardOf(i + 1, i + 24));
    const cron = await startCron({ details, start: Math.floor(NOW / DAY) * DAY + HOUR });
    // Of the day's 150 credits 140 are spent: what the refusals may have cost is more than the rest within an hour.
    for (let time = 0; time < 28; time += 1)
      expect((await cron.command('stats', 'pump', '--yes')).code).toBe(0);
    expect(creditsOf(cron), 'credits that were charged').toBe(140);
    cron.answerInstead(({ operation }) => (operation === 'signals' ? answer() : undefined));
    const codesSeen = new Set<number>();
    const until = cron.clock.now() + 2 * HOUR;
    while (cron.clock.now() < until) {
      codesSeen.add((await cron.export('--no-stats')).code);
      await cron.clock.sleep(minutes * MINUTE);
    }
    cron.answerInstead(undefined);
    const { code, stderr } = await cron.export('--no-stats');
    expect({ codes: [...codesSeen], code, cards: cron.cards().length > 0 }, stderr).toEqual({
      codes,
      code: 0,
      cards: true,
    });
  },
);

it('a first export without /access tells what the day leaves, and says nothing of the month', async () => {
  const details = Array.from({ length: 3 }, (_, i) => cardOf(i + 1, i + 1));
  const cron = await startCron({ details, start: NOW });
  cron.answerInstead(({ operation }) => (operation === 'access' ? failure(500) : undefined));
  const { code, stderr } = await cron.export();
  expect({ code, cards: cron.cards().length }, stderr).toEqual({ code: 0, cards: 3 });
  expect(stderr).toMatch(
    /^This first export may cost up to 150 of the 150 credits left today; limit it with --max-credits N\.$/m,
  );
});

describe('failed requests that are charged, where `/access` tells so once an hour', () => {
  const details = Array.from({ length: 30 }, (_, i) => cardOf(i + 1, i + 1));

  /** Exports each ten minutes, while the list fails. @returns credits used on that day, and the codes of the exports */
  async function exportFor(hours: number, env: Readonly<Record<string, string>>, isCharged = true) {
    const start = Math.floor(NOW / DAY) * DAY + HOUR;
    const cron = await startCron({ details, start, monthCredits: 100 });
    Object.assign(cron.env, env);
    let hourly: { readonly hour: number; readonly answer: ApiResponse } | undefined;
    cron.answerInstead(({ operation, at }, real) => {
      if (operation === 'access') {
        const hour = Math.floor(at / HOUR);
        if (hourly?.hour !== hour) hourly = { hour, answer: real() };
        return hourly.answer;
      }
      return { ...failure(500), credits: isCharged ? real().credits : 0 };
    });
    const codes = new Set<number>();
    const end = start + hours * HOUR;
    while (cron.clock.now() < end) {
      codes.add((await cron.export('--no-stats')).code);
      await cron.clock.sleep(10 * MINUTE);
    }
    return { cron, used: creditsOf(cron), codes: [...codes] };
  }

  it('SCREENER_DAILY is kept', async () => {
    const { used, codes } = await exportFor(3, { SCREENER_DAILY: '10' });
    expect({ used, codes }).toEqual({ used: 10, codes: [8, 0] });
  });

  it('--keep is kept', async () => {
    const { used, codes } = await exportFor(3, { SCREENER_KEEP: '90' });
    expect({ used, codes }).toEqual({ used: 10, codes: [8, 0] });
  });

  it('what was not charged is given back within little more than an hour', async () => {
    const { cron } = await exportFor(2, { SCREENER_DAILY: '10' }, false);
    cron.answerInstead(undefined);
    await cron.clock.sleep(HOUR + 5 * MINUTE);
    const { code, stderr } = await cron.export('--no-stats');
    expect({ code, hasCards: cron.cards().length > 0 }, stderr).toEqual({
      code: 0,
      hasCards: true,
    });
  });
});

describe('details', () => {
  const details = Array.from({ length: 18 }, (_, i) => cardOf(i + 1, 48 - i));

  it.each([404, 422, 500])(
    'Retry-After on the %i of one card says nothing of the others',
    async (status) => {
      const cron = await startCron({ details, start: NOW });
      cron.answerInstead(({ operation, query }) =>
        operation === 'signal' && query.id === '5' ? failure(status, undefined, 3600) : undefined,
      );
      const { code, stderr } = await cron.export('--no-stats');
      expect({ code, had: cron.bought().size }).toEqual({ code: 0, had: 17 });
      expect(stderr).toContain('No outcome for card 5; a later run asks again: ');
      expect(stderr).not.toContain('Complete');
      expect(cron.manifest()).toMatchObject({
        complete: false,
        last_run: { stopped_by: 'refused' },
      });
    },
  );

  it.each([undefined, 20])(
    'a 503 of one card for good (Retry-After %s) says nothing of the others',
    async (retryAfter) => {
      const cron = await startCron({ details, start: NOW });
      cron.answerInstead(({ operation, query }) =>
        operation === 'signal' && query.id === '5'
          ? failure(503, undefined, retryAfter)
          : undefined,
      );
      const shown = await cron.command('signals', 'show', '4', '5', '6', '--ndjson');
      expect({
        code: shown.code,
        had: parseLines(shown.stdout).map(({ id }) => id),
      }).toEqual({ code: 8, had: [4, 6] });
      const { code, stderr } = await cron.export('--no-stats');
      expect({ code, had: cron.bought().size }).toEqual({ code: 0, had: 17 });
      expect(stderr).toContain('No outcome for card 5; a later run asks again: ');
    },
  );

  it('a 503 that asks for more time than the user waits ends the others, unasked', async () => {
    const cron = await startCron({ details, start: NOW });
    cron.answerInstead(({ operation, query }) =>
      operation === 'signal' && query.id === '5' ? failure(503, undefined, 3600) : undefined,
    );
    const { code, stdout, requests } = await cron.command('signals', 'show', '4', '5', '6', '7');
    const asked = requests.filter(({ operation }) => operation === 'signal');
    expect({ code, asked: asked.map(({ query }) => query.id) }).toEqual({
      code: 8,
      asked: ['4', '5'],
    });
    expect(stdout).not.toBe('');
  });

  it('refused for days at two cards a day: no run is complete, and each that asks fails', async () => {
    const few = Array.from({ length: 14 }, (_, i) => cardOf(i + 1, 48 - 12 * i));
    const cron = await startCron({ details: few, start: NOW });
    expect((await cron.export('--no-stats')).code).toBe(0);
    cron.answerInstead(({ operation }) => (operation === 'signal' ? failure(503) : undefined));
    const runs = [];
    for (let day = 0; day < 4; day += 1) {
      await cron.clock.sleep(DAY);
      const { code, stderr, requests } = await cron.export('--no-stats');
      const asked = requests.filter(({ operation }) => operation === 'signal').length;
      expect(stderr, `day ${day}`).toMatch(
        /Details refused since 21 Nov \(503\): \d outcomes wait\./,
      );
      expect(cron.manifest().parts, `day ${day}`).toMatchObject({
        list: { complete: true, failure: null },
        details: {
          complete: false,
          failure: { since: expect.stringMatching(/^2026-11-21/), status: 503 },
        },
        settings: { complete: true, failure: null },
      });
      runs.push({ code, asked });
    }
    // Three in a row, counted across runs, are the operation: then one card is asked for.
    expect(runs).toEqual([
      { code: 8, asked: 2 },
      { code: 8, asked: 1 },
      { code: 8, asked: 1 },
      { code: 8, asked: 1 },
    ]);
    cron.answerInstead(undefined);
    await cron.clock.sleep(DAY);
    const { code } = await cron.export('--no-stats');
    expect(code).toBe(0);
    await cron.clock.sleep(DAY);
    expect((await cron.export('--no-stats')).stderr).toContain('Complete.');
    const due = few.filter(
      ({ created_at }) => Date.parse(created_at) < cron.clock.now() - 25 * HOUR,
    );
    expect(cron.bought().size).toBe(due.length);
  });
});

describe('the verdicts', () => {
  const details = Array.from({ length: 18 }, (_, i) => cardOf(i + 1, 48 - i));

  it.each([
    { operation: 'screeners', isJudged: true },
    { operation: 'signal', isJudged: true },
    { operation: 'signals', isJudged: false },
  ] as const)(
    'are asked for while $operation fails with 500: $isJudged',
    async ({ operation, isJudged }) => {
      const cron = await startCron({ details, start: NOW });
      cron.answerInstead((heard) => (heard.operation === operation ? failure(500) : undefined));
      const { code, stderr } = await cron.export();
      expect({ code, isJudged: cron.manifest().judged_at !== null }, stderr).toEqual({
        code: 8,
        isJudged,
      });
    },
  );

  describe('while a part of the list fails in each run', () => {
    const older = cardsFrom(NOW - 40 * DAY, 50 * 10, 10);

    /** Pages with a card of that part are answered otherwise. */
    function failWhere(cron: Cron, isOfPart: (time: number) => boolean) {
      cron.answerInstead(({ operation, query }, real) => {
        if (operation !== 'signals') return undefined;
        const page = real();
        const { items } = JSON.parse(page.body).response;
        const times = items.map(({ created_at }: SignalDetail) => Date.parse(created_at));
        const isAsked = isOfPart(Date.parse(query.until ?? '')) || times.some(isOfPart);
        return isAsked ? failure(500) : page;
      });
    }

    /** The body of a page, without its cards, and with a cursor. */
    function withoutCards(body: string): string {
      const { response, ...rest } = JSON.parse(body);
      return JSON.stringify({ ...rest, response: { ...response, items: [], next_cursor: 'next' } });
    }

    const judgedOn = (cron: Cron) => cron.manifest().judged_at?.slice(0, 10);

    it('that is older than twenty days: they are asked for as soon as all that is new is listed', async () => {
      const cron = await startCron({ details: older, start: NOW });
      failWhere(cron, (time) => time < NOW - 20 * DAY);
      const runs = [];
      for (let day = 0; day < 3; day += 1) {
        const { code, stderr } = await cron.export('--no-stats', '--no-outcomes');
        expect(stderr).toContain('to list');
        runs.push({ code, complete: cron.manifest().complete, judgedOn: judgedOn(cron) });
        await cron.clock.sleep(DAY);
      }
      expect(runs).toEqual([
        { code: 8, complete: false, judgedOn: undefined },
        { code: 8, complete: false, judgedOn: '2026-11-21' },
        { code: 8, complete: false, judgedOn: '2026-11-22' },
      ]);
    });

    it('that is new: they are not asked for until it is older than what is new', async () => {
      const cron = await startCron({ details: older, start: NOW });
      await cron.export('--no-stats', '--no-outcomes');
      expect(judgedOn(cron)).toBe('2026-11-20');
      await cron.clock.sleep(5 * DAY);
      failWhere(cron, (time) => time > NOW + DAY && time < NOW + 2 * DAY);
      expect((await cron.export('--no-stats', '--no-outcomes')).code).toBe(8);
      expect(judgedOn(cron)).toBe('2026-11-20');
      await cron.clock.sleep(DAY);
      expect((await cron.export('--no-stats', '--no-outcomes')).code).toBe(8);
      expect(judgedOn(cron)).toBe('2026-11-26');
    });

    it('that failed some hours ago: they are not asked for until it is a day old', async () => {
      // A page has the cards of ten hours.
      const cron = await startCron({ details: cardsFrom(NOW - DAY, 60 * 4, 60), start: NOW });
      await cron.export('--no-stats', '--no-outcomes');
      await cron.clock.sleep(20 * HOUR);
      failWhere(cron, (time) => time > NOW + 2 * HOUR && time < NOW + 8 * HOUR);
      const runs = [];
      for (let hour = 20; hour <= 40; hour += 4) {
        const { code } = await cron.export('--no-stats', '--no-outcomes');
        runs.push({ hour, code, judgedOn: judgedOn(cron) });
        await cron.clock.sleep(4 * HOUR);
      }
      expect(runs).toEqual([
        { hour: 20, code: 8, judgedOn: '2026-11-20' },
        { hour: 24, code: 8, judgedOn: '2026-11-20' },
        { hour: 28, code: 8, judgedOn: '2026-11-20' },
        { hour: 32, code: 8, judgedOn: '2026-11-20' },
        { hour: 36, code: 8, judgedOn: '2026-11-20' },
        { hour: 40, code: 8, judgedOn: '2026-11-22' },
      ]);
    });

    it.each([
      { what: 'a 503 after a page without a card', fullPages: 0, fails: true },
      { what: 'pages without an end', fullPages: 1, fails: false },
    ])('that is new, by $what: they are not asked for', async ({ fullPages, fails }) => {
      const cron = await startCron({ details: older, start: NOW });
      await cron.export('--no-stats', '--no-outcomes');
      await cron.clock.sleep(5 * DAY);
      let pages = 0;
      let emptyPage: ApiResponse | undefined;
      cron.answerInstead(({ operation }, real) => {
        if (operation !== 'signals') return undefined;
        pages += 1;
        if (fails && pages > fullPages + 1) return failure(503);
        const page = emptyPage ?? real();
        emptyPage ??= { ...page, body: withoutCards(page.body) };
        return pages > fullPages ? emptyPage : page;
      });
      const { code, stderr } = await cron.export('--no-stats', '--no-outcomes', '--max-wait', '1s');
      expect({ isFailed: code !== 0, judgedOn: judgedOn(cron) }, stderr).toEqual({
        isFailed: true,
        judgedOn: '2026-11-20',
      });
    });

    it('because a card of each page is bad: they are asked for all the same', async () => {
      const cron = await startCron({ details: older, start: NOW - DAY });
      await cron.export('--no-stats', '--no-outcomes');
      await cron.clock.sleep(DAY);
      cron.answerInstead(({ operation }, real) => {
        const page = real();
        const body = page.body.replace(/"source_symbol":"[^"]*"/, '"source_symbol":5');
        return operation === 'signals' ? { ...page, body } : page;
      });
      expect((await cron.export('--no-stats', '--no-outcomes')).code).toBe(9);
      expect(judgedOn(cron)).toBe('2026-11-20');
    });
  });
});
