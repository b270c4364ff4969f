/** No damaged line of a month file is lost: it is set aside, and what it held is fetched again. */
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { failure } from '../../src/sandbox/response.ts';
import { type Cron, livedOnce, makeManifestNewest, startCron } from './cron.ts';
import { cardOf, cardsFrom, DAY, HOUR, NOW, stored } from './support.ts';

/** In the middle of a month of which no run needs anything: outcomes are bought, and judgements take 180 days. */
const LONG_AGO = 220 * 24;
const OLD_MONTH = 'signals-2026-04.ndjson';
const NEW_MONTH = 'signals-2026-11.ndjson';

/** Eight cards a day apart in each of the two months, each month's oldest first. */
const OLD_CARDS = [7, 6, 5, 4, 3, 2, 1, 0].map((day) => cardOf(8 - day, LONG_AGO + 24 * day));
const NEW_CARDS = [7, 6, 5, 4, 3, 2, 1, 0].map((day) => cardOf(108 - day, 48 + 24 * day));

/** An account whose history is complete: every card with its outcome. */
const completeHistory = livedOnce(async (start) => {
  const cron = await start({ details: [...OLD_CARDS, ...NEW_CARDS].reverse(), start: NOW });
  for (let day = 0; day < 3; day += 1) {
    expect((await cron.export()).code).toBe(0);
    await cron.clock.sleep(DAY);
  }
  expect(cron.cards()).toHaveLength(16);
  expect((await check(cron)).code).toBe(0);
  return cron;
});

const check = (cron: Cron) => cron.command('signals', 'export', '--check');

/** Cuts the third line of a month off, and makes `export.json` newer than the month, as after a bad sector. */
function damage(cron: Cron, month: string) {
  const path = join(cron.dir, month);
  const lines = readFileSync(path, 'utf8').split('\n');
  const fragment = lines[2]?.slice(0, 200) ?? '';
  writeFileSync(path, lines.with(2, fragment).join('\n'));
  makeManifestNewest(cron.dir);
  return { path, fragment, aside: `${path}.damaged` };
}

describe('a line that was damaged before the last export ended', () => {
  it.each([
    { month: NEW_MONTH, id: 103 },
    { month: OLD_MONTH, id: 3 },
  ])('of $month: the next export gets what --check says that it gets', async ({ month, id }) => {
    const cron = completeHistory();
    const whole = stored(cron.dir);
    const { path, fragment, aside } = damage(cron, month);
    expect(await check(cron)).toMatchObject({
      code: 1,
      stderr: `error: ${path}: line 3 is damaged (card ${id}). The next export gets what was lost again, for about 2 credits.\n`,
    });
    const { code, stderr } = await cron.export();
    expect({ code, aside: readFileSync(aside, 'utf8') }).toEqual({
      code: 0,
      aside: `${fragment}\n`,
    });
    expect(stderr).toContain(`${path}: 1 damaged line set aside in ${aside}; fetching them again.`);
    expect(stored(cron.dir)).toEqual(whole);
    expect(cron.bought().get(id)).toBe(2);
    expect(cron.manifest().look?.late_by, 'the card was not late').toBe(0);
    expect(await check(cron)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is found without --check, too, in a month that each export reads', async () => {
    const cron = completeHistory();
    const whole = stored(cron.dir);
    const { fragment, aside } = damage(cron, NEW_MONTH);
    expect((await cron.export()).code).toBe(0);
    expect(readFileSync(aside, 'utf8')).toBe(`${fragment}\n`);
    expect(stored(cron.dir)).toEqual(whole);
  });

  it('is noted by a run that the service refuses, too', async () => {
    let isRefused = false;
    const cron = await startCron({
      details: NEW_CARDS.toReversed(),
      start: NOW,
      instead: () => (isRefused ? failure(401) : undefined),
    });
    expect((await cron.export()).code).toBe(0);
    const whole = stored(cron.dir);
    damage(cron, NEW_MONTH);
    isRefused = true;
    expect((await cron.export()).code).toBe(3);
    const { remaining, lost } = cron.manifest();
    expect({ list: remaining.list, lost: lost.length }).toEqual({ list: true, lost: 1 });
    isRefused = false;
    expect((await cron.export()).code).toBe(0);
    expect(stored(cron.dir)).toEqual(whole);
  });

  it('is noted by a run that meets it only when it plans the next one', async () => {
    const start = Date.UTC(2026, 11, 3, 12);
    const cron = await startCron({ details: cardsFrom(start - 40 * DAY, 76, 2).reverse(), start });
    expect((await cron.export()).code).toBe(0);
    await cron.command('stats', 'pump', '--json');
    // Neither the judge nor the survey reads October again today. Only medians are compared with its last cards.
    damage(cron, 'signals-2026-10.ndjson');
    cron.answerInstead(() => failure(401));
    const { code, stderr } = await cron.export();
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('set aside'),
    });
    expect(cron.manifest().lost).toHaveLength(1);
  });

  it('is not lost when an older part of the list brings cards of its month', async () => {
    const details = [...OLD_CARDS, ...NEW_CARDS].reverse();
    const cron = await startCron({ details, start: NOW });
    const sinceFifth = ['--since', OLD_CARDS[4]?.created_at ?? ''];
    for (let day = 0; day < 3; day += 1) {
      expect((await cron.export(...sinceFifth)).code).toBe(0);
      await cron.clock.sleep(DAY);
    }
    expect(cron.cards()).toHaveLength(12);
    const { path, fragment, aside } = damage(cron, OLD_MONTH);
    const first = await cron.export();
    expect(first.code).toBe(0);
    expect(first.stderr).toContain(`${path}: 1 damaged line set aside in ${aside}`);
    expect(readFileSync(aside, 'utf8')).toBe(`${fragment}\n`);
    expect(first.stderr).not.toContain('Complete');
    expect((await cron.export()).stderr).toContain('Complete');
    expect(stored(cron.dir).map(({ id }) => id)).toEqual(
      [...OLD_CARDS, ...NEW_CARDS].map(({ id }) => id),
    );
    expect(await check(cron)).toMatchObject({ code: 0, stderr: '' });
  });
});

it.each([NEW_MONTH, OLD_MONTH])(
  'export.json and a line of %s, both damaged: the next export mends both, and says so',
  async (month) => {
    const cron = completeHistory();
    const whole = stored(cron.dir);
    const { path, fragment, aside } = damage(cron, month);
    writeFileSync(join(cron.dir, 'export.json'), '{');
    const { code, stderr } = await cron.export();
    expect(code).toBe(0);
    expect(stderr).toContain('export.json was damaged');
    expect(stderr).toContain(`${path}: 1 damaged line set aside in ${aside}; fetching them again.`);
    expect(readFileSync(aside, 'utf8')).toBe(`${fragment}\n`);
    await cron.clock.sleep(DAY);
    expect((await cron.export()).code).toBe(0);
    expect(stored(cron.dir)).toEqual(whole);
    expect([...cron.bought().values()].filter((times) => times > 1)).toEqual([2]);
    expect(await check(cron)).toMatchObject({ code: 0, stderr: '' });
  },
);

it('export.json, a line and the journal of a killed run: the journal covers nothing of what the line held', async () => {
  const cron = completeHistory();
  const whole = stored(cron.dir);
  const { spans, gaps, look, begins_at } = cron.manifest();
  const { fragment, aside } = damage(cron, NEW_MONTH);
  const entry = { kind: 'page', items: [], coverage: { spans, gaps, look, begins_at } };
  writeFileSync(join(cron.dir, '.journal.ndjson'), `${JSON.stringify(entry)}\n`);
  writeFileSync(join(cron.dir, 'export.json'), '{');
  expect((await cron.export()).code).toBe(0);
  expect(readFileSync(aside, 'utf8')).toBe(`${fragment}\n`);
  await cron.clock.sleep(DAY);
  expect((await cron.export()).code).toBe(0);
  expect(stored(cron.dir)).toEqual(whole);
});

it('a whole month of which nothing is needed is neither written nor set aside', async () => {
  const cron = completeHistory();
  const path = join(cron.dir, OLD_MONTH);
  const { ino, ctimeMs } = statSync(path);
  expect((await cron.export()).code).toBe(0);
  expect((await check(cron)).code).toBe(0);
  expect(statSync(path)).toMatchObject({ ino, ctimeMs });
  expect(existsSync(`${path}.damaged`)).toBe(false);
});

it.each([
  { part: 'newest', kept: (lines: readonly string[]) => lines.slice(0, 6) },
  { part: 'oldest', kept: (lines: readonly string[]) => lines.slice(2) },
])(
  'a month that lost whole lines (its $part) is named by --check, and by the next export',
  async ({ kept }) => {
    const cron = completeHistory();
    const path = join(cron.dir, OLD_MONTH);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${kept(lines).join('\n')}\n`);
    const sentence = `${path} lacks cards: it has 6 of 8. Append a backup to it: a card that is there twice counts once.`;
    expect(await check(cron)).toMatchObject({ code: 1, stderr: `error: ${sentence}\n` });
    const { code, stderr } = await cron.export();
    expect({ code, isNamed: stderr.includes(`warning: ${sentence}\n`) }).toEqual({
      code: 0,
      isNamed: true,
    });
  },
);

it.each([OLD_MONTH, NEW_MONTH])(
  'the file %s that is gone is named by --check, and by the next export before it forgets it',
  async (month) => {
    const cron = completeHistory();
    // What is due on this day is done: the next run has no other reason to open a month.
    await cron.export();
    const listed = async () => {
      const { stdout } = await cron.command('signals', 'ls', '--from', cron.dir, '--json');
      return JSON.parse(stdout).items;
    };
    const listedBefore = await listed();
    expect(listedBefore).toHaveLength(16);
    const path = join(cron.dir, month);
    const backup = readFileSync(path);
    rmSync(path);
    const sentence = `${path} lacks cards: it has 0 of 8. Append a backup to it: a card that is there twice counts once.`;
    expect(await check(cron)).toMatchObject({ code: 1, stderr: `error: ${sentence}\n` });
    const { code, stderr } = await cron.export();
    expect({ code, isNamed: stderr.includes(`warning: ${sentence}`) }, stderr).toEqual({
      code: 0,
      isNamed: true,
    });
    // Twice, as a user does who is not sure.
    appendFileSync(path, Buffer.concat([backup, backup]));
    expect(await listed()).toEqual(listedBefore);
    const { stderr: summary } = await cron.export();
    expect(summary).toContain(' 16 cards (8 new); 16 of 16 due outcomes bought.');
    expect(await listed()).toEqual(listedBefore);
  },
);

describe('cards of the last 180 days that a month file lost', () => {
  /** Leaves so many lines of the newest month. @returns what it had */
  function lose(cron: Cron, kept: number) {
    const path = join(cron.dir, NEW_MONTH);
    const whole = readFileSync(path);
    const lines = whole.toString().trimEnd().split('\n').slice(0, kept);
    if (kept === 0) rmSync(path);
    else writeFileSync(path, `${lines.join('\n')}\n`);
    return { path, whole };
  }
  const boughtAgain = (cron: Cron) => [...cron.bought().values()].filter((times) => times > 1);
  const missing = (cron: Cron) => cron.manifest().months['2026-11']?.missing;
  const tomorrow =
    'If it still lacks cards after a day, exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.';

  it('are listed and bought again by a run of the next day', async () => {
    for (const kept of [0, 6]) {
      const cron = completeHistory();
      const before = stored(cron.dir);
      const { path } = lose(cron, kept);
      const sentence = `${path} lacks cards: it has ${kept} of 8. Append a backup to it: a card that is there twice counts once.`;
      const first = formatApiTime(cron.clock.now());
      for (const run of [1, 2]) {
        const { code, stdout, stderr } = await cron.export('--json');
        expect({
          run,
          code,
          isNamed: stderr.includes(`warning: ${sentence} ${tomorrow}\n`),
        }).toEqual({
          run,
          code: 0,
          isNamed: true,
        });
        expect(JSON.parse(stdout)).toMatchObject({
          complete: false,
          stopped_by: 'lost',
          not_asked: [
            { part: 'list', reason: 'lost', cards: 8 - kept, again_at: '2026-11-24T14:05:00Z' },
          ],
        });
        expect(missing(cron)).toMatchObject({ first, cards: 8 - kept });
        expect({ run, boughtAgain: boughtAgain(cron), cards: cron.cards().length }).toEqual({
          run,
          boughtAgain: [],
          cards: 8 + kept,
        });
        expect(await check(cron)).toMatchObject({ code: 1, stderr: `error: ${sentence}\n` });
        const page = await cron.command('signals', 'ls', '--from', cron.dir);
        expect(page.stderr).toContain(
          kept === 0 ? `${path} is missing: its 8 cards` : `${path} has only 6 of its 8 cards.`,
        );
        await cron.clock.sleep(HOUR);
      }
      await cron.clock.sleep(DAY);
      const { code, stderr } = await cron.export();
      expect({ code, cards: cron.cards() }, stderr).toEqual({ code: 0, cards: before });
      expect(stderr).toContain(
        ' Exports list the month again, 1 credit a page, and buy the outcomes that it lost again, 1 credit each.\n',
      );
      expect(stderr).toContain(
        `16 of 16 due outcomes bought (${8 - kept} now). Still open: nothing.`,
      );
      const { complete, lost } = cron.manifest();
      expect({ complete, lost, missing: missing(cron) }).toEqual({ complete: true, lost: [] });
      const { stderr: next, requests } = await cron.export();
      expect(next).not.toContain('lacks cards');
      expect(requests.map(({ operation }) => operation)).toEqual(['access', 'signals']);
    }
  });

  it.each([
    { how: 'appended', restore: appendFileSync },
    { how: 'put in its place', restore: writeFileSync },
  ])(
    'are neither listed nor bought again if the file is back on the next day, $how',
    async ({ restore }) => {
      const cron = completeHistory();
      const before = stored(cron.dir);
      const { path, whole } = lose(cron, 0);
      expect((await cron.export()).code).toBe(0);
      restore(path, whole);
      await cron.clock.sleep(DAY);
      const { code, stderr, requests } = await cron.export();
      expect({ code, isNamed: stderr.includes('lacks cards') }).toEqual({
        code: 0,
        isNamed: false,
      });
      expect(requests.filter(({ operation }) => operation === 'signals')).toHaveLength(1);
      expect({ cards: cron.cards(), boughtAgain: boughtAgain(cron) }).toEqual({
        cards: before,
        boughtAgain: [],
      });
      const { complete } = cron.manifest();
      expect({ complete, missing: missing(cron) }).toEqual({ complete: true });
      expect(await check(cron)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('wait a day more if further ones are lost on the next day', async () => {
    const cron = completeHistory();
    const before = stored(cron.dir);
    lose(cron, 6);
    await cron.export();
    await cron.clock.sleep(DAY);
    lose(cron, 4);
    expect((await cron.export()).stderr).toContain(' it has 4 of 8. ');
    expect(boughtAgain(cron)).toEqual([]);
    await cron.clock.sleep(DAY);
    await cron.export();
    expect({ boughtAgain: boughtAgain(cron), cards: cron.cards() }).toEqual({
      boughtAgain: [2, 2, 2, 2],
      cards: before,
    });
  });

  it('are not listed again by a look back; it waits, and finds what came late', async () => {
    const hoursAgo = (time: string) => (NOW - Date.parse(time)) / HOUR;
    const recent = cardOf(201, hoursAgo('2026-11-23T13:00:00Z'));
    const late = cardOf(202, hoursAgo('2026-11-23T15:00:00Z'));
    const newest = cardOf(203, hoursAgo('2026-11-24T20:00:00Z'));
    const details = [newest, recent, ...NEW_CARDS.toReversed()];
    const cron = await startCron({ details, start: Date.parse('2026-11-24T00:10:00Z') });
    const exportAt = async (time: string) => {
      await cron.clock.sleep(Date.parse(time) - cron.clock.now());
      return cron.export();
    };
    await cron.export();
    await exportAt('2026-11-24T14:00:00Z');
    const { path, whole } = lose(cron, 0);
    cron.details = [newest, late, ...details.slice(1)];
    await exportAt('2026-11-25T00:10:00Z');
    expect(cron.cards().map(({ id }) => id)).toEqual([203]);
    appendFileSync(path, whole);
    const { stderr } = await exportAt('2026-11-25T16:00:00Z');
    expect(stderr).not.toContain('lacks cards');
    const ids = [...NEW_CARDS.map(({ id }) => id), 201, 202, 203];
    expect({ ids: cron.cards().map(({ id }) => id), boughtAgain: boughtAgain(cron) }).toEqual({
      ids,
      boughtAgain: [],
    });
    expect(missing(cron)).toBeUndefined();
  });
});

it('a damaged line that only a second judgement of the day reads is mended by that run, and keeps it from judging', async () => {
  const september = [7, 6, 5, 4, 3, 2, 1, 0].map((day) => cardOf(58 - day, 60 * 24 + 24 * day));
  const cron = await startCron({ details: [...september, ...NEW_CARDS].reverse(), start: NOW });
  for (let day = 0; day < 3; day += 1) {
    await cron.clock.sleep(DAY);
    expect((await cron.export('--no-stats')).code).toBe(0);
  }
  const { judged_at, complete } = cron.manifest();
  expect(complete).toBe(true);
  damage(cron, 'signals-2026-09.ndjson');
  await cron.clock.sleep(HOUR);
  // An answer of the service makes the next run judge once more, and read all months for it.
  expect((await cron.command('stats', '--type', 'pump')).code).toBe(0);
  const { stdout, stderr } = await cron.export('--no-stats', '--json');
  expect(stderr).toContain('set aside');
  const summary = JSON.parse(stdout);
  const after = cron.manifest();
  expect({
    complete: summary.complete,
    covered: summary.covered,
    lost: after.lost.length,
    judged_at: after.judged_at,
  }).toEqual({ complete: false, covered: after.spans[0], lost: 1, judged_at });
  expect((await cron.export('--no-stats')).code).toBe(0);
  expect({ complete: cron.manifest().complete, cards: cron.cards().length }).toEqual({
    complete: true,
    cards: september.length + NEW_CARDS.length,
  });
  expect(cron.manifest().judged_at).not.toBe(judged_at);
});

describe('a journal', () => {
  /** An entry that covers what is covered, with one card. */
  const entryOf = (cron: Cron, id: number) => {
    const { spans, gaps, look, begins_at } = cron.manifest();
    const items = NEW_CARDS.filter((card) => card.id === id);
    return JSON.stringify({ kind: 'page', items, coverage: { spans, gaps, look, begins_at } });
  };

  it('of which a line in the middle is damaged is taken in without it, and that is said', async () => {
    const cron = completeHistory();
    const path = join(cron.dir, '.journal.ndjson');
    const damaged = entryOf(cron, 102).slice(0, 100);
    const lines = [entryOf(cron, 101), damaged, entryOf(cron, 103)];
    writeFileSync(path, `${lines.join('\n')}\n`);
    const said = `${path}: line 2 is damaged, and left out: the purchase in it is lost.`;
    expect((await cron.command('signals', 'ls', '--from', cron.dir)).stderr).toContain(said);
    const { code, stderr } = await cron.export();
    expect({ code, isSaid: stderr.includes(said) }).toEqual({ code: 0, isSaid: true });
  });

  it('has files of purchases beside it, which are whole: damage of their only line is said', async () => {
    const cron = completeHistory();
    const path = join(cron.dir, '.bought-aaaaaaaaaaaa.ndjson');
    writeFileSync(path, `${entryOf(cron, 101).slice(0, 100)}\n`);
    const said = `${path}: line 1 is damaged, and left out: the purchase in it is lost.`;
    expect((await cron.command('signals', 'ls', '--from', cron.dir)).stderr).toContain(said);
    const { code, stderr } = await cron.export();
    expect({ code, isSaid: stderr.includes(said) }).toEqual({ code: 0, isSaid: true });
  });

  it('that a kill cut off in its last line is taken in without a word', async () => {
    const cron = completeHistory();
    const lines = [entryOf(cron, 101), entryOf(cron, 102).slice(0, 100)];
    writeFileSync(join(cron.dir, '.journal.ndjson'), lines.join('\n'));
    const { code, stderr } = await cron.export();
    expect({ code, isSaid: stderr.includes('damaged') }).toEqual({ code: 0, isSaid: false });
  });
});
