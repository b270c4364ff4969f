/** A month file is lost: exports warn, then list the month again, and are complete with what the service still lists. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayAndMonth } from '../../src/base/units.ts';
import { failure, reply } from '../../src/sandbox/response.ts';
import { type Awkward, awkwardList } from '../support/awkward.ts';
import { type Cron, livedOnce, startCron } from './cron.ts';
import { cardOf, cardsFrom, DAY, HOUR, NOW, stored } from './support.ts';

/** Cards of August to November, four days apart, the newest two days old. */
const CARDS = Array.from({ length: 28 }, (_, i) => cardOf(28 - i, 48 + 96 * i));

/** How a service may be that keeps only the last 30 days of its list. */
const KEEPS_30_DAYS = {
  'refuses older windows': { windows: 'only the last 30 days' },
  'cuts older windows off': { windows: 'cut to the last 30 days' },
  'lists nothing older': {},
} as const satisfies Readonly<Record<string, Awkward>>;

/** It answers about each window, however old. */
const KEEPS_ALL_WINDOWS = 'lists nothing older';

/** What a run says when it gives up cards that the service no longer lists. */
const GIVEN_UP = 'The service no longer lists the lost cards from ';

type Behaviour = keyof typeof KEEPS_30_DAYS;

/** A complete history. From now on the service keeps only the last 30 days of its list. */
async function historyOfLongerList(behaviour: Behaviour, start: typeof startCron): Promise<Cron> {
  let list = awkwardList({});
  const cron = await start({
    details: CARDS,
    start: NOW,
    list: (world, params, now) => list(world, params, now),
  });
  for (let day = 0; day < 2; day += 1) {
    expect((await cron.export()).code).toBe(0);
    await cron.clock.sleep(DAY);
  }
  expect({ complete: cron.manifest().complete, cards: cron.cards().length }).toEqual({
    complete: true,
    cards: CARDS.length,
  });
  const listKept = awkwardList(KEEPS_30_DAYS[behaviour]);
  list = (world, params, now) => {
    const isKept = ({ createdAt }: { readonly createdAt: number }) => now - createdAt < 30 * DAY;
    const index = (at: number) => world.index(at).filter(isKept);
    return listKept({ ...world, index }, params, now);
  };
  return cron;
}

const check = (cron: Cron) => cron.command('signals', 'export', '--check');

/** A run a day. @returns what each said and did */
async function exportDaily(cron: Cron, days: number) {
  const runs = [];
  for (let day = 1; day <= days; day += 1) {
    const { code, stdout, stderr, requests } = await cron.export('--json');
    const { complete, stopped_by, not_asked } = JSON.parse(stdout);
    const pages = requests.filter(({ operation }) => operation === 'signals').length;
    runs.push({ day, code, complete, stopped_by, not_asked, stderr, pages });
    await cron.clock.sleep(DAY);
  }
  return runs;
}

/** What a run says of a month that lacks cards. */
function saidOf(stderr: string): string | undefined {
  if (stderr.includes('If it still lacks cards after a day')) return 'warned';
  return stderr.includes(' Exports list the month again') ? 'listed again' : undefined;
}

/** Cuts a line of September off. @returns the path of the file, and what it had */
function damageSeptember({ dir }: Cron) {
  const path = join(dir, 'signals-2026-09.ndjson');
  const whole = readFileSync(path);
  const lines = whole.toString().split('\n');
  writeFileSync(path, lines.with(3, lines[3]?.slice(0, 200) ?? '').join('\n'));
  return { path, whole };
}

describe.each(Object.keys(KEEPS_30_DAYS) as Behaviour[])('a service that %s', (behaviour) => {
  const afterLongerList = livedOnce((start) => historyOfLongerList(behaviour, start));

  it.each([
    { what: 'in the middle of what is listed', month: '2026-09' },
    { what: 'the oldest', month: '2026-08' },
    { what: 'of which the newest days are listed', month: '2026-10' },
  ])(
    'a lost month, $what, is listed again on the second day, and then no word of it is said',
    async ({ month }) => {
      const cron = afterLongerList();
      const before = stored(cron.dir);
      const path = join(cron.dir, `signals-${month}.ndjson`);
      const whole = readFileSync(path);
      const ofMonth = before.filter(({ created_at }) => created_at.startsWith(month));
      rmSync(path);
      const runs = await exportDaily(cron, 6);
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
      const backAgain = stored(cron.dir).filter(({ created_at }) => created_at.startsWith(month));
      expect(backAgain.length).toBeLessThan(ofMonth.length);
      expect(
        runs.map(({ stderr }) => saidOf(stderr)),
        runs.map(({ stderr }) => stderr).join('\n'),
      ).toEqual(['warned', 'listed again', undefined, undefined, undefined, undefined]);
      const { stopped_by, not_asked, pages } = runs.at(-1) ?? {};
      expect({ stopped_by, not_asked, pages }).toEqual({
        stopped_by: null,
        not_asked: [],
        pages: 1,
      });
      // What the service refuses is given up on the second day.
      const givesUp = runs.filter(({ stderr }) => stderr.includes(GIVEN_UP));
      expect(givesUp.map(({ day }) => day)).toEqual(behaviour === KEEPS_ALL_WINDOWS ? [] : [3]);
      expect(await check(cron)).toMatchObject({ code: 0, stderr: '' });
      if (existsSync(path)) appendFileSync(path, whole);
      else writeFileSync(path, whole);
      await exportDaily(cron, 1);
      // A card that was listed again is in the file twice now, and counts once.
      const ids = new Set(stored(cron.dir).map(({ id }) => id));
      expect(ids).toEqual(new Set(before.map(({ id }) => id)));
      expect(await check(cron)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('a damaged line is asked for on two days, and then given up, which is said once', async () => {
    const cron = afterLongerList();
    damageSeptember(cron);
    const runs = await exportDaily(cron, 4);
    const isRefused = behaviour !== KEEPS_ALL_WINDOWS;
    expect(
      runs.map(({ stopped_by, stderr }) => ({
        stopped_by,
        isGivenUp: stderr.includes(GIVEN_UP),
      })),
    ).toEqual([
      { stopped_by: isRefused ? 'window' : null, isGivenUp: false },
      { stopped_by: null, isGivenUp: isRefused },
      { stopped_by: null, isGivenUp: false },
      { stopped_by: null, isGivenUp: false },
    ]);
    expect(cron.manifest()).toMatchObject({ gaps: [], lost: [] });
  });

  it('a damaged line that a backup brings back is not asked for again', async () => {
    const cron = afterLongerList();
    const before = stored(cron.dir);
    const { path, whole } = damageSeptember(cron);
    await exportDaily(cron, 1);
    appendFileSync(path, whole);
    const [run] = await exportDaily(cron, 1);
    expect({
      complete: run?.complete,
      pages: run?.pages,
      isGivenUp: run?.stderr.includes(GIVEN_UP),
    }).toEqual({ complete: true, pages: 1, isGivenUp: false });
    expect(new Set(stored(cron.dir).map(({ id }) => id))).toEqual(
      new Set(before.map(({ id }) => id)),
    );
    expect(cron.manifest()).toMatchObject({ gaps: [], lost: [] });
  });
});

describe('a lost month that the service lists', () => {
  let before: ReturnType<Cron['cards']>;
  let whole: Buffer;
  const october = ({ dir }: Cron) => join(dir, 'signals-2026-10.ndjson');
  /** A complete history of which October is lost, on the second day without it. */
  const onSecondDay = livedOnce(async (start) => {
    const cron = await start({ details: CARDS, start: NOW });
    await exportDaily(cron, 2);
    before = cron.cards();
    whole = readFileSync(october(cron));
    rmSync(october(cron));
    await exportDaily(cron, 1);
    return cron;
  });

  it('is in the quote of the day on which it is bought back, and of no other', async () => {
    const cron = onSecondDay();
    const quote = async () => {
      const { stdout } = await cron.command('signals', 'export', '--plan', '--json');
      const { lost_cards, credits_at_least, expected } = JSON.parse(stdout);
      return { lost_cards, credits_at_least, expected: expected.credits };
    };
    const page = await cron.command('signals', 'export', '--plan');
    expect(page.stdout).toContain('8 lost cards to list and buy again');
    const before = await quote();
    const { requests } = await cron.export();
    const spent = requests.reduce((sum, { credits }) => sum + credits, 0);
    expect(before).toEqual({ lost_cards: 8, credits_at_least: spent, expected: spent });
    expect(await quote()).toEqual({ lost_cards: 0, credits_at_least: 1, expected: 1 });
  });

  it('is why nothing is judged: today says since when, and what to do, until it is whole again', async () => {
    const cron = onSecondDay();
    const said = async () => {
      const { unusual } = JSON.parse((await cron.command('today', '--json')).stdout);
      const page = (await cron.command('today')).stdout;
      const lost = unusual.find(({ kind }: { readonly kind: string }) => kind === 'lost');
      return { message: lost?.message, times: page.split(String(lost?.message)).length - 1 };
    };
    const judgedAt = cron.manifest().judged_at ?? '';
    expect(await said()).toEqual({
      message: `Verdicts are of ${dayAndMonth(Date.parse(judgedAt))}: signals-2026-10.ndjson lacks 8 cards. Append a backup to it. Without one, daily exports list the cards again.`,
      times: 1,
    });
    await exportDaily(cron, 2);
    expect(cron.manifest().judged_at).not.toBe(judgedAt);
    expect(await said()).toEqual({ message: undefined, times: 0 });
  });

  it('is whole again, though each run has two credits', async () => {
    const cron = onSecondDay();
    for (let run = 1; run <= 30 && !cron.manifest().complete; run += 1) {
      const { code } = await cron.export('--max-credits', '2', '--no-screeners');
      expect({ run, code }).toEqual({ run, code: 0 });
      await cron.clock.sleep(HOUR / 2);
    }
    expect({ complete: cron.manifest().complete, cards: cron.cards() }).toEqual({
      complete: true,
      cards: before,
    });
    expect(cron.manifest().months['2026-10']?.missing).toBeUndefined();
  });

  it.each([422, 500])(
    'waits while the service answers %i, and is whole again when it lists',
    async (status) => {
      const cron = onSecondDay();
      cron.answerInstead(({ operation }) =>
        operation === 'signals' ? failure(status) : undefined,
      );
      for (let day = 0; day < 3; day += 1) {
        await cron.export('--max-wait', '1s');
        expect({ day, complete: cron.manifest().complete }).toEqual({ day, complete: false });
        await cron.clock.sleep(DAY);
      }
      cron.answerInstead(undefined);
      await exportDaily(cron, 3);
      expect({ complete: cron.manifest().complete, cards: cron.cards() }).toEqual({
        complete: true,
        cards: before,
      });
    },
  );

  it('is whole again where a backup comes while it is listed', async () => {
    const cron = onSecondDay();
    await cron.export('--max-credits', '2', '--no-screeners');
    expect(cron.manifest().complete).toBe(false);
    appendFileSync(october(cron), whole);
    await cron.clock.sleep(HOUR);
    const [run] = await exportDaily(cron, 1);
    expect({ complete: run?.complete, not_asked: run?.not_asked }).toEqual({
      complete: true,
      not_asked: [],
    });
    // Cards that came before the backup are in the file twice: the later line counts.
    const byId = new Map(cron.cards().map((card) => [card.id, card]));
    expect([...byId.values()]).toEqual(before);
  });

  it('is not listed again where --since leaves out what it had', async () => {
    const cron = onSecondDay();
    const runs = [];
    for (let day = 1; day <= 4; day += 1) {
      const { code, stderr } = await cron.export('--since', '20d');
      const isNamed = stderr.includes('lacks cards');
      runs.push({ code, complete: cron.manifest().complete, isNamed });
      await cron.clock.sleep(DAY);
    }
    const named = [true, false, false, false];
    expect(runs).toEqual(named.map((isNamed) => ({ code: 0, complete: true, isNamed })));
  });

  it('waits while runs have a --since that leaves it out, and is judged without it', async () => {
    const cron = onSecondDay();
    const { judged_at } = cron.manifest();
    // There is no credit left for the lost month.
    await cron.export('--max-credits', '1', '--no-screeners');
    expect({ lost: cron.manifest().lost.length, judged_at: cron.manifest().judged_at }).toEqual({
      lost: 1,
      judged_at,
    });
    await cron.clock.sleep(DAY);
    const { code } = await cron.export('--since', '20d');
    expect({ code, complete: cron.manifest().complete }).toEqual({ code: 0, complete: true });
    expect(cron.manifest().judged_at).not.toBe(judged_at);
    await cron.clock.sleep(DAY);
    await cron.export();
    expect({ complete: cron.manifest().complete, cards: cron.cards() }).toEqual({
      complete: true,
      cards: before,
    });
  });

  it('is asked for again where its pages lead nowhere', async () => {
    const cron = onSecondDay();
    cron.answerInstead(({ operation, query }) => {
      const isLost = operation === 'signals' && (query.until ?? '9').startsWith('2026-11-01T00');
      return isLost ? emptyPage(query) : undefined;
    });
    await cron.export();
    expect(cron.manifest()).toMatchObject({ complete: false, gaps: [{ times: 1 }] });
    cron.answerInstead(undefined);
    await cron.clock.sleep(DAY);
    await exportDaily(cron, 1);
    expect({ complete: cron.manifest().complete, cards: cron.cards() }).toEqual({
      complete: true,
      cards: before,
    });
  });
});

it('no date is told for a lost month until a run has heard the time of the service', async () => {
  const cron = await startCron({ details: CARDS, start: NOW });
  await exportDaily(cron, 1);
  rmSync(join(cron.dir, 'signals-2026-09.ndjson'));
  cron.answerInstead(({ operation }) => (operation === 'signals' ? failure(500) : undefined));
  const toldByBoth = async () => {
    const [run] = await exportDaily(cron, 1);
    const checked = JSON.parse(
      (await cron.command('signals', 'export', '--check', '--json')).stdout,
    );
    const lost = [run?.not_asked, checked.not_asked].map((told) =>
      told.find(({ reason }: { readonly reason: string }) => reason === 'lost'),
    );
    return lost.map(({ again_at }) => again_at);
  };
  expect(await toldByBoth()).toEqual([null, null]);
  cron.answerInstead(undefined);
  expect(await toldByBoth()).toEqual([
    expect.stringMatching('^2026-11-23T14:05:'),
    expect.stringMatching('^2026-11-23T18:05:'),
  ]);
});

it('a month older than 180 days is warned of once, though the list is refused', async () => {
  const cron = await startCron({ details: CARDS, start: NOW });
  await exportDaily(cron, 1);
  await cron.clock.sleep(120 * DAY);
  await exportDaily(cron, 1);
  rmSync(join(cron.dir, 'signals-2026-08.ndjson'));
  cron.answerInstead(({ operation }) => (operation === 'signals' ? failure(500) : undefined));
  const runs = await exportDaily(cron, 3);
  expect(runs.map(({ stderr }) => stderr.includes('lacks cards'))).toEqual([true, false, false]);
  expect(cron.manifest().months['2026-08']?.missing).toBeUndefined();
});

describe('a month of five pages that one run does not list again to its end', () => {
  const LIST_ONLY = ['--no-outcomes', '--no-screeners', '--no-stats'];
  const october = cardsFrom(Date.UTC(2026, 9, 1, 3), 120, 4);
  const isOfOctober = ({ query }: Cron['heard'][number]) =>
    (query.until ?? '9').slice(0, 10) <= '2026-11-01';

  /** The second day on which the file lacks a card. */
  const onSecondDay = livedOnce(async (start) => {
    const cron = await start({ details: october, start: NOW });
    await cron.export(...LIST_ONLY);
    await cron.clock.sleep(DAY);
    const path = join(cron.dir, 'signals-2026-10.ndjson');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines.splice(60, 1);
    writeFileSync(path, lines.join('\n'));
    await cron.export(...LIST_ONLY);
    await cron.clock.sleep(DAY);
    return cron;
  });

  it.each([
    // The third page has the card. When it is there, no more pages are read.
    { what: '--max-credits', options: ['--max-credits', '2'], fails: false, pages: 3 },
    { what: 'a 503 in its middle', options: ['--max-wait', '1s'], fails: true, pages: 5 },
  ])('is paid once, and whole again, though $what stops it', async (stop) => {
    const { options, fails, pages } = stop;
    const cron = onSecondDay();
    cron.answerInstead(({ operation, query }) => {
      const isSecondPage = operation === 'signals' && query.cursor !== undefined;
      return fails && isSecondPage ? failure(503) : undefined;
    });
    const before = cron.heard.length;
    for (let run = 1; run <= 12 && !cron.manifest().complete; run += 1) {
      await cron.export(...LIST_ONLY, ...options);
      await cron.clock.sleep(HOUR);
      cron.answerInstead(undefined);
    }
    const paid = cron.heard.slice(before).filter(({ status }) => status === 200);
    const ofOctober = paid.filter((heard) => heard.operation === 'signals' && isOfOctober(heard));
    expect({
      pages: ofOctober.length,
      isComplete: cron.manifest().complete,
      cards: cron.cards().length,
    }).toEqual({ pages, isComplete: true, cards: october.length });
  });
});

/** A page without a card, whose cursor leads to the same page. */
function emptyPage({ since, until }: Readonly<Record<string, string>>) {
  const response = {
    scope: 'own_recorded_notifications',
    items: [],
    next_cursor: 'empty',
    since,
    until,
  };
  return reply(200, JSON.stringify({ hasError: false, errors: null, response }));
}

/** A history in which the service refuses days in the middle of September. @returns its manifest before cards are lost, too */
async function historyWithGap() {
  const cron = await startCron({ details: CARDS, start: NOW - 62 * DAY });
  await exportDaily(cron, 2);
  await cron.clock.sleep(12 * DAY);
  const refused = { since: NOW - 59 * DAY, until: NOW - 54 * DAY };
  cron.answerInstead(({ operation, query }) => {
    if (operation !== 'signals') return undefined;
    const { since, until = '2026-12-01T00:00:00Z' } = query;
    const isRefused = Date.parse(since ?? '') < refused.until && Date.parse(until) > refused.since;
    return isRefused ? failure(422) : undefined;
  });
  await exportDaily(cron, 3);
  const before = cron.manifest();
  expect(before.gaps).toHaveLength(1);
  return { cron, before };
}

it('a month that is listed again takes no older gap with it', async () => {
  const { cron, before } = await historyWithGap();
  const path = join(cron.dir, 'signals-2026-09.ndjson');
  const [, ...lines] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.join('\n'));
  const runs = await exportDaily(cron, 3);
  expect(runs.map(({ stderr }) => saidOf(stderr))).toEqual(['warned', 'listed again', undefined]);
  const { complete, gaps } = cron.manifest();
  // Two windows of seven days, one after the other.
  const part = { since: gaps.at(-1)?.since, until: gaps[0]?.until };
  expect({ complete, part }).toEqual({
    complete: false,
    part: { since: before.gaps[0]?.since, until: before.gaps[0]?.until },
  });
  cron.answerInstead(undefined);
  await exportDaily(cron, 8);
  const expected = CARDS.filter(({ created_at }) => {
    return Date.parse(created_at) <= cron.clock.now() - DAY;
  });
  expect({ complete: cron.manifest().complete, cards: cron.cards().map(({ id }) => id) }).toEqual({
    complete: true,
    cards: expected.map(({ id }) => id).sort((a, b) => a - b),
  });
});

it('a lost month on both sides of a gap is whole again where a backup comes', async () => {
  const { cron, before } = await historyWithGap();
  const path = join(cron.dir, 'signals-2026-09.ndjson');
  const whole = readFileSync(path);
  writeFileSync(path, '');
  // The second day without the cards. The run has one credit, and so no page of the lost month.
  await exportDaily(cron, 1);
  await cron.export('--max-credits', '1', '--no-screeners', '--no-outcomes');
  expect(cron.manifest().lost.map(({ since, until }) => ({ since, until }))).toEqual([
    { since: expect.any(String), until: expect.any(String) },
    { since: expect.any(String), until: expect.any(String) },
  ]);
  appendFileSync(path, whole);
  await cron.clock.sleep(HOUR);
  await exportDaily(cron, 1);
  const { gaps, lost } = cron.manifest();
  const partsOf = (all: typeof gaps) => all.map(({ since, until }) => ({ since, until }));
  expect({ lost, gaps: partsOf(gaps) }).toEqual({ lost: [], gaps: partsOf(before.gaps) });
});
