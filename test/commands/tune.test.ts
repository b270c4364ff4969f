import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { DAY } from '../../src/base/units.ts';
import { appendScreeners } from '../../src/history/store/answers.ts';
import { dayAndMonth } from '../../src/output/format.ts';
import type { Tune } from '../../src/output/views/tune.ts';
import { bare } from '../history/support.ts';
import { detailOf } from '../outcomes/support.ts';
import { TestClock } from '../support/context.ts';
import { parseCsv } from '../support/csv.ts';
import { it } from '../support/fixtures.ts';
import { normalOf, randomOf, writeCards, writeListed } from '../support/history.ts';

const FIRST = Date.UTC(2026, 8, 21);

interface Told {
  readonly days?: number;
  readonly type?: string;
  /** Percentage points that one standard deviation of `telling` adds. */
  readonly effect?: number;
  /** What it adds, percentage points, in the place of `effect`. */
  readonly move?: (telling: number) => number;
  readonly context?: (telling: number, day: number) => Record<string, number>;
}

/** Fifteen cards a day whose moves share the day's market. */
function cardsOf({
  days = 60,
  type = 'told',
  effect = 0,
  move: moveOf = (telling) => effect * telling,
  context = (telling, day) => ({ telling, of_day: day }),
}: Told): SignalDetail[] {
  const random = randomOf(type.length * 101 + 7);
  const normal = normalOf(random);
  return Array.from({ length: days }, (_, day) => {
    const market = normal();
    return Array.from({ length: 15 }, (_, i) => {
      const telling = normal();
      const move = 2 * market + 4 * normal() + moveOf(telling);
      const outcome = { state: 'available', move, btc: market };
      const card = detailOf({
        id: type.length * 100_000 + day * 100 + i + 1,
        symbol: `S${Math.floor(random() * 20)}USDT`,
        type,
        at: FIRST + day * DAY + Math.floor(random() * DAY),
        isBought: true,
        outcomes: byHorizon(() => outcome),
      });
      return { ...card, entry_context: context(telling, day) };
    });
  }).flat();
}

const parsed = (text: string): Tune => JSON.parse(text);

describe.concurrent('tune', () => {
  it('says what a telling key goes with, and what stricter settings had kept', async ({
    home,
    here,
    server,
  }) => {
    const dir = writeCards(home.folder, [
      ...cardsOf({ effect: 2 }),
      ...cardsOf({ type: 'placebo' }),
    ]);
    const { code, stdout } = await here(['tune', 'told', '--from', dir]);
    expect({ code, requests: server.requests }).toEqual({ code: 0, requests: [] });
    const text = stdout.replace(/\s+/g, ' ');
    const detail = (await here(['tune', 'told', '--from', dir, '--detail'])).stdout;
    const detailText = detail.replace(/\s+/g, ' ');
    expect(detailText).toMatch(
      /KEEP telling A DAY VS OTHERS, 95 % KEPT MINUS DROPPED all, as set now +\d+\.\d \S+ \(\S+ to \S+\) not below -0\.\d+ +\d+\.\d .* \+\d\.\d\d \(\+\d\.\d\d to \+\d\.\d\d\)/,
    );
    expect(text).toMatch(
      /Advice Act only on cards with telling at 0 or more: expect about \+\d\.\d pp more per card, with \d+\.\d cards a day instead of \d+\.\d\. Setting If your screener has a setting for telling, set it to 0\. If not, before you act on a card, look at its telling \(`screener signals show ID`, 1 credit\)\. Checked Not yet: it was found on these same cards\. Measured so far\. Expect less: the best of several settings is partly luck\. telling .* VS OTHERS, 95 % all, as set now .* \S+ \(.*\) 0 or more .* \+\d\.\d\d \(.*\) below 0 .* -\d\.\d\d \(.*\) ━ 95 %, ─ 99\.7 % interval, ░ within ±0\.1 pp --detail shows the other settings that were tested, and every number\. Only stricter settings can be tested: /,
    );
    expect(text.match(/pp more per card/g), 'one figure to expect').toHaveLength(1);
    for (const other of [/KEPT MINUS DROPPED/, /was chosen/, /Holm/])
      expect(text, 'nothing about other settings').not.toMatch(other);
    expect(detail).toMatch(
      /^CORR\.: correlation of ranks among cards of the same day: 0 is no link, 1 a perfect one$/m,
    );
    expect(detail).toMatch(
      /^Found +The higher telling, the better the moves vs BTC \(correlation of ranks \+0\.\d\d, p below 0\.001\)\.$/m,
    );
    expect(detail).toMatch(/^NUMBER +N +CORR\. +95 % INTERVAL +RESULT +LIMIT$/m);
    expect(detail).toMatch(
      /^of_day +900 +– +– +cannot be tested: hardly a day has two cards that differ +–$/m,
    );
    expect(detailText).toMatch(/ 0 or more was chosen as the better side of 0\./);
    const { questions, cuts } = parsed((await here(['tune', '--from', dir, '--json'])).stdout);
    const higher = questions.filter(({ verdict }) => verdict === 'higher');
    expect(higher.map(({ type, key }) => ({ type, key }))).toContainEqual({
      type: 'told',
      key: 'telling',
    });
    // The clear ones first.
    expect(questions[0]).toMatchObject({ type: 'told', key: 'telling', verdict: 'higher' });
    const cutsOfDay = cuts.filter(({ horizon }) => horizon === '24h');
    expect(
      cutsOfDay.map(({ direction, quantile, is_advice }) => ({ direction, quantile, is_advice })),
    ).toEqual([
      { direction: 'at_least', quantile: 0.3, is_advice: false },
      { direction: 'at_least', quantile: expect.closeTo(0.5, 1), is_advice: true },
      { direction: 'at_least', quantile: 0.7, is_advice: false },
    ]);
    for (const {
      kept_vs_btc,
      kept_vs_btc_lowered,
      kept_vs_dropped,
      kept_vs_dropped_interval,
      ...cut
    } of cutsOfDay) {
      const { cards_per_day, quantile, value } = cut;
      const { low = Number.NaN, high = Number.NaN } = kept_vs_dropped_interval ?? {};
      expect(low, `the lower end at ${value}`).toBeGreaterThan(0);
      expect(kept_vs_dropped, `at ${value}`).toBeCloseTo((low + high) / 2, 3);
      expect(kept_vs_btc_lowered, `kept_vs_btc_lowered at ${value}`).toBeLessThan(
        kept_vs_btc ?? Number.NaN,
      );
      expect(value, 'is rounded to two digits').toBe(Number(value.toPrecision(2)));
      expect(detailText, `the cut at ${value}`).toContain(
        value < 0 ? ` not below ${value} ` : ` ${value} or more `,
      );
      // Typed again by the name that is printed, it says the same.
      const typed = ['--where', `telling>=${value}`, '--json'];
      const { horizons } = JSON.parse(
        (await here(['stats', '--from', dir, '--type', 'told', ...typed])).stdout,
      );
      expect(
        horizons['24h'].median_vs_btc_percentage_points,
        `median vs BTC, typed as telling>=${value}`,
      ).toBe(kept_vs_btc);
      expect(
        cards_per_day / (cutsOfDay[0]?.cards_per_day ?? 0),
        `cards a day at ${value}, of those at the first cut`,
      ).toBeCloseTo((1 - quantile) / 0.7, 1);
    }
  });

  it('of all types names the keys that tell, and says of the others of a type together', async ({
    home,
    here,
  }) => {
    const dir = writeCards(home.folder, [
      ...cardsOf({ effect: 2 }),
      ...cardsOf({
        type: 'placebo',
        context: (telling) => ({ telling, other: Math.sin(telling * 99) }),
      }),
    ]);
    const { stdout } = await here(['tune', '--from', dir]);
    expect(stdout).toMatch(
      /^told +Act only on cards with telling at 0 or more: expect about \+\d\.\d pp more per card, with /m,
    );
    expect(stdout).toMatch(/^More about told:\n {2}screener tune told --from /m);
    expect(stdout).toMatch(
      /^TYPE +RESULT\n(?:.*\n)*placebo +nothing found; \d+(?:\.5)? pp would show$/m,
    );
    const confirmed = (await here(['--demo', 'tune', 'oi_growth'])).stdout;
    expect(confirmed).toMatch(/^Setting +Probably oi min, now 2\.8: set it to \d\.\d\.$/m);
    expect(confirmed).toMatch(/^Checked +So far \d+ newer cards \(since .*\) agree: /m);
    expect(stdout.match(/^placebo/gm)).toHaveLength(1);
    const placebo = (await here(['tune', 'placebo', '--from', dir])).stdout;
    expect(placebo).toMatch(
      /^Nothing to change yet: no number .* bad\. `screener today --from \S+` tells you when that changes\.\n\nNothing found +other, \|other\|, telling, \|telling\|\n\|x\|: the size of x, whether up or down\nA difference of \d+(?:\.5)? pp between cards with high and cards with low numbers \(half each\) would likely have been found\.\n--detail lists every number\.$/m,
    );
    expect(placebo).not.toContain('KEEP');
    const hour = (await here(['tune', 'placebo', '--from', dir, '--horizon', '1h'])).stdout;
    expect(hour).toContain(' tells good cards from bad.\n');
  });

  it('of a type that fires both ways draws both sides, and the ranking names them and the gain of the page', async ({
    home,
    here,
  }) => {
    const twice = (telling: number) => Math.sign(telling) * (2 + Math.abs(telling));
    const bothWays = cardsOf({
      move: (telling) => 2.4 * Math.sign(telling),
      context: (telling) => ({ change: twice(telling) }),
    });
    const others = ['placebo', 'plain'].flatMap((type) => cardsOf({ type }));
    const dir = writeCards(home.folder, [...bothWays, ...others]);
    const page = (await here(['tune', 'told', '--from', dir])).stdout;
    expect(page).toMatch(
      /^change +[-+\d. 0]+ +VS OTHERS, 95 %\nall, as set now .*●.* {2}[+-]\d\.\d\d \(.*\)\n0 or more .*●.* {2}\+2\.\d\d \(.*\)\nbelow 0 .*●.* {2}-\d\.\d\d \(.*\)\n━ 95 %, ─ 99\.7 % interval, ░ within ±0\.1 pp\n/m,
    );
    expect(page).toMatch(/^Advice +Act only on cards with change at 0 or more: /m);
    const [gain = 'no gain'] =
      /about [+-]\S+ pp more per card, with \S+ cards a day/.exec(page.replace(/\s+/g, ' ')) ?? [];
    const ranking = (await here(['stats', '--by', 'type', '--from', dir])).stdout;
    expect(ranking).toContain(gain);
    expect(ranking).toMatch(
      /^Change +told: act only on cards with change at 0 or more\. Expect about \+\d\.\d pp more per card, with \d+\.\d cards a day instead of \d+\.\d\. `screener tune told --from .*`$/m,
    );
    expect(ranking).toMatch(
      /^told by change: \+2\.\d\d vs your other cards where it is above 0, -\d\.\d\d below 0 \(partly luck\)\.$/m,
    );
  });

  it('compares the cards of the only type with BTC, in the picture and in the table', async ({
    home,
    here,
  }) => {
    const dir = writeCards(home.folder, cardsOf({ effect: 2 }));
    const page = (await here(['tune', 'told', '--from', dir, '--detail'])).stdout;
    expect(page.match(/VS BTC, 95 %$/m)).toHaveLength(1);
    expect(page).toMatch(/^KEEP telling +A DAY +VS BTC, 95 % +KEPT MINUS DROPPED$/m);
    expect(page).not.toContain('VS OTHERS');
  });

  it('adjusts for all keys of all types, also where one or one horizon is shown', async ({
    home,
    here,
  }) => {
    const context = (telling: number, day: number) => ({
      telling,
      a: Math.sin(telling * 99),
      b: (telling * day) % 1,
    });
    const cards = [...cardsOf({ effect: 0.5, context }), ...cardsOf({ type: 'placebo', context })];
    const dir = writeCards(home.folder, cards);
    const all = parsed((await here(['tune', '--from', dir, '--json'])).stdout).questions;
    const args = ['tune', 'told', '--from', dir, '--json', '--key', 'telling', '--horizon', '1h'];
    const { questions } = parsed((await here(args)).stdout);
    expect(questions.map(({ key, horizon }) => `${key} ${horizon}`)).toEqual([
      'telling 1h',
      'telling 1h',
    ]);
    for (const question of questions) expect(all, question.key).toContainEqual(question);
    expect(questions[0]?.p_holm, 'p after Holm, and p before').toBeGreaterThan(
      questions[0]?.p ?? 1,
    );
  });

  it('gives a row of CSV a question, and the cuts where they are named', async ({ here }) => {
    // The demo's data are those of a moment.
    const clock = new TestClock();
    const json = JSON.parse((await here(['--demo', 'tune', '--json'], { clock })).stdout);
    const textsOf = (csv: string) => parseCsv(csv).map((row) => row.map(({ text }) => text));
    const rows = textsOf((await here(['--demo', 'tune', '--csv'], { clock })).stdout);
    expect(rows[0]).toEqual(
      expect.arrayContaining(['type', 'key', 'horizon', 'p_holm', 'verdict']),
    );
    expect(rows.slice(1).map(([type, key]) => ({ type, key }))).toEqual(
      json.questions.map(({ type, key }: { type: string; key: string }) => ({ type, key })),
    );
    const three = ['--demo', 'tune', '--csv', '--fields', 'type,key,verdict'];
    const some = textsOf((await here(three, { clock })).stdout);
    expect({ lines: some.length, header: some[0] }).toEqual({
      lines: rows.length,
      header: ['type', 'key', 'verdict'],
    });
    const [, [cuts = ''] = []] = textsOf(
      (await here(['--demo', 'tune', '--csv', '--fields', 'cuts'], { clock })).stdout,
    );
    expect(JSON.parse(cuts)).toHaveLength(json.cuts.length);
  });

  it('says which type to buy first, and by when its numbers can be tested', async ({
    home,
    here,
  }) => {
    const clock = new TestClock(FIRST + 62 * DAY);
    const rare = cardsOf({ type: 'rare' }).map((card, i) => (i % 30 === 0 ? card : bare(card)));
    const unbought = cardsOf({ type: 'unbought', days: 20 }).map(bare);
    // Of so many cards a sample has few of `rare`.
    const crowd = ['crowd', 'crowds', 'crowd_two', 'crowd_four', 'crowd_three'].flatMap((type) =>
      cardsOf({ type }).map(bare),
    );
    const cards = [...rare, ...unbought, ...crowd, ...cardsOf({ type: 'placebo' })];
    const dir = writeCards(home.folder, cards);
    const { stdout } = await here(['tune', '--from', dir], { clock });
    expect(stdout).toMatch(/^rare +too few outcomes yet: 30 of about 250$/m);
    // Two numbers of `placebo` are tested, and two of `rare` wait.
    expect(stdout).toContain(
      'Nothing to change yet: so far no number at the trigger clearly tells good cards from bad.',
    );
    expect(stdout).toMatch(
      /^To learn what to change in rare, `tune` needs more of its outcomes\. If you buy them first, older cards included, there are enough by the end of Dec:\n {2}screener signals export .* --focus rare$/m,
    );
    expect(stdout).toMatch(/^unbought +no outcome bought yet$/m);
    const ofType = await here(['tune', 'unbought', '--from', dir], { clock });
    expect(ofType.stdout).toMatch(/^unbought +no outcome bought yet$/m);
    expect(ofType.stdout).not.toMatch(/rare|placebo/);
    const { questions } = parsed((await here(['tune', '--from', dir, '--json'], { clock })).stdout);
    expect(questions.find(({ type }) => type === 'rare')).toMatchObject({
      too_little: 'few_cards',
      needs: 'outcomes',
      needed: 250,
      enough_by: null,
      focus_brings_by: '2026-12-07T00:00:00Z',
    });
  });

  it('takes the pace from what exports bought on each day, where they bought older cards first', async ({
    home,
    here,
  }) => {
    const now = FIRST + 62 * DAY;
    const firstDays = FIRST + 6 * DAY;
    const old = cardsOf({ type: 'old' }).map((card) =>
      Date.parse(card.created_at) < firstDays ? card : bare(card),
    );
    const dir = writeCards(home.folder, old);
    const time = new Date(now).toISOString();
    const writeDays = (count: number) => {
      const days = Array.from({ length: count }, (_, i) => {
        const day = new Date(now - (count - 1 - i) * DAY).toISOString().slice(0, 10);
        return { day, runs: 1, outcomes: 5, settled: 5, credits: 7, backlog: 0 };
      });
      const last_run = { started_at: time, finished_at: time, stopped_by: null };
      const manifest = { version: 1, account: '', last_run, focus_at: { old: time }, days };
      return writeFile(path.join(dir, 'export.json'), JSON.stringify(manifest));
    };
    const needOfOld = async () => {
      const clock = new TestClock(now);
      const { stdout } = await here(['tune', '--from', dir, '--json'], { clock });
      const need = parsed(stdout).questions.find(({ type }) => type === 'old');
      return { needed: need?.needed, enough_by: need?.enough_by };
    };
    // No outcome of the last 28 days is bought.
    await writeDays(7);
    const ofSixDays = await needOfOld();
    await writeDays(19);
    expect({ ofSixDays, ofEighteenDays: await needOfOld() }).toEqual({
      ofSixDays: { needed: 100, enough_by: null },
      ofEighteenDays: { needed: 150, enough_by: '2026-12-05T00:00:00Z' },
    });
  });

  it('has a line for each type that waits for outcomes of its own', async ({ home, here }) => {
    const clock = new TestClock(FIRST + 62 * DAY);
    const rare = ['rare', 'scant', 'scarce'].flatMap((type) =>
      cardsOf({ type }).map((card, i) => (i % 30 === 0 ? card : bare(card))),
    );
    const dir = writeCards(home.folder, [...rare, ...cardsOf({ type: 'placebo' })]);
    const { stdout } = await here(['tune', '--from', dir], { clock });
    const waiting =
      /^(?:rare|scant|scarce) +too few outcomes yet: 30 of about 250, likely enough by the end of Jan$/gm;
    expect(stdout.match(waiting)).toHaveLength(3);
    const { focus } = parsed((await here(['tune', '--from', dir, '--json'], { clock })).stdout);
    const types = ['rare', 'scant', 'scarce'];
    for (const type of types) {
      const page = (await here(['tune', type, '--from', dir], { clock })).stdout;
      const isFirst = type === focus?.screener_type;
      expect(page, `${type} has the command`).toMatch(
        new RegExp(`^ {2}screener signals export .* --focus ${focus?.screener_type}$`, 'm'),
      );
      const order = `First buy the outcomes of ${focus?.screener_type}; later those of ${type}:`;
      expect(page.includes(order), `${type} says which comes first`).toBe(!isFirst);
    }
    const { screener_type: first } = focus ?? { screener_type: '' };
    const other = types.find((type) => type !== first) ?? '';
    const ofOther = ['tune', other, '--from', dir, '--json'];
    expect(parsed((await here(ofOther, { clock })).stdout).focus, `page of ${other}`).toEqual(
      focus,
    );
    const now = new Date(clock.now()).toISOString();
    const last_run = { started_at: now, finished_at: now, stopped_by: null };
    const manifest = { version: 1, account: '', last_run, focus_at: { [first]: now } };
    await writeFile(path.join(dir, 'export.json'), JSON.stringify(manifest));
    for (const type of ['', first, other]) {
      const words = ['tune', type, '--from', dir].filter(Boolean);
      const { stdout: underWay } = await here(words, { clock });
      const sentence =
        type === '' || type === first
          ? `Exports buy ${first} first, to learn what to change in it.`
          : `Exports buy ${first} before ${type}: \`screener tune --from ${dir}\` says why.`;
      expect(underWay, `${type} while exports buy ${first} first`).toContain(`\n${sentence}\n`);
      expect(underWay, `${type} has no command`).not.toContain('signals export');
    }
    await rm(path.join(dir, 'export.json'));
    const inAnHour = ['tune', '--from', dir, '--horizon', '1h', '--json'];
    expect(parsed((await here(inAnHour, { clock })).stdout).focus).toEqual(focus);
    const own = ['tune', '--from', dir, '--since', '7d', '--json'];
    expect(parsed((await here(own, { clock })).stdout).focus, 'of a question of your own').toBe(
      null,
    );
  });

  it('lists the types in the order of the ranking, whatever came of them, and says what a size means', async ({
    home,
    here,
  }) => {
    const clock = new TestClock(FIRST + 32 * DAY);
    const rare = ['rare', 'scant'].flatMap((type) =>
      cardsOf({ type, days: 30 }).map((card, i) => (i % 30 === 0 ? card : bare(card))),
    );
    const others = [
      ...cardsOf({ type: 'placebo', days: 30 }),
      ...cardsOf({ type: 'behind', days: 30, move: () => -6 }),
      ...cardsOf({ type: 'unbought', days: 20 }).map(bare),
    ];
    const dir = writeCards(home.folder, [...rare, ...others]);
    const { stdout } = await here(['tune', '--from', dir], { clock });
    const [, table = ''] = stdout.split('TYPE      RESULT\n');
    const rows = table.split('\n').slice(0, 5);
    const resultOf: Record<string, RegExp> = {
      rare: /^too few outcomes yet: 15 of about \d+, likely enough by the end of Nov$/,
      scant: /^too few outcomes yet: 15 of about \d+, likely enough by the end of Nov$/,
      placebo: /^nothing found; \d+(?:\.5)? pp would show$/,
      behind: /^(?:worth dropping|first it must be known whether it is below BTC, too)$/,
      unbought: /^no outcome bought yet$/,
    };
    for (const row of rows) {
      const [type = '', result = ''] = row.split(/ {2,}/);
      expect(result, type).toMatch(resultOf[type] ?? /^no such type$/);
    }
    const ranking = (await here(['stats', '--by', 'type', '--from', dir], { clock })).stdout;
    const namesIn = (text: string) =>
      text.split('\n').flatMap((line) => /^ *(\w+) {2,}\S/.exec(line)?.[1] ?? []);
    const types = new Set(Object.keys(resultOf));
    const inRanking = namesIn(ranking).filter((name) => types.has(name));
    expect(namesIn(rows.join('\n'))).toEqual([...new Set(inRanking)]);
    expect(table).toContain(
      '\nwould show: a difference of this size between cards with high and cards with low numbers ',
    );
  });

  it('says how many outcomes a type lacks, on the list and on its page', async ({ home, here }) => {
    const clock = new TestClock(FIRST + 62 * DAY);
    const some = cardsOf({ type: 'some' }).map((card, i) => (i % 8 === 0 ? card : bare(card)));
    const few = cardsOf({ type: 'few' }).map((card, i) => (i % 30 === 0 ? card : bare(card)));
    const dir = writeCards(home.folder, [...some, ...few, ...cardsOf({ type: 'placebo' })]);
    const list = (await here(['tune', '--from', dir], { clock })).stdout;
    expect(list).toMatch(/^some +too few outcomes yet: 113 of about \d+/m);
    expect(list).toMatch(/^few +too few outcomes yet: 30 of about \d+/m);
    const page = (await here(['tune', 'some', '--from', dir], { clock })).stdout;
    expect(page).toMatch(/^Too few outcomes yet +telling, \|telling\|: 113 of about \d+/m);
    const pageOfFew = (await here(['tune', 'few', '--from', dir], { clock })).stdout;
    expect(pageOfFew).toMatch(
      /^Too few outcomes yet +30 of about \d+, likely enough by the end of Dec$/m,
    );
    expect(list + pageOfFew, 'of types with a date').not.toContain('Without a date');
  });

  it('promises no outcomes of a type whose cards have stopped', async ({ home, here }) => {
    const clock = new TestClock(FIRST + 62 * DAY);
    const ended = cardsOf({ type: 'ended', days: 44 }).filter((_, i) => i % 20 === 0);
    const dir = writeCards(home.folder, [...ended, ...cardsOf({ type: 'placebo' })]);
    const { stdout } = await here(['tune', '--from', dir], { clock });
    expect(stdout).toMatch(/^ended +too few cards a day to tell$/m);
    const { questions } = parsed((await here(['tune', '--from', dir, '--json'], { clock })).stdout);
    expect(questions.find(({ type }) => type === 'ended')).toMatchObject({
      too_little: 'few_cards',
      needs: 'cards_a_day',
      enough_by: null,
      focus_brings_by: null,
    });
  });

  it('says of a type that left your screeners so, and nowhere that it is switched off', async ({
    home,
    here,
  }) => {
    const folder = writeListed(
      writeCards(path.join(home.folder, 'h'), [
        ...cardsOf({ days: 9, type: 'gone' }),
        ...cardsOf({ days: 20, type: 'stays' }),
      ]),
      FIRST + 20 * DAY,
    );
    const clock = new TestClock(FIRST + 20 * DAY);
    for (const { day, types } of [
      { day: 8, types: ['gone', 'stays'] },
      { day: 10, types: ['stays'] },
      { day: 12, types: ['stays'] },
    ]) {
      const items = types.map((type) => ({ type, active: true, conditions: { level: 3 } }));
      const screeners = { scope: 'current_settings' as const, items };
      await appendScreeners(folder, screeners, FIRST + day * DAY, null);
    }
    const report = path.join(home.folder, 'report.html');
    const screens: Record<string, string> = {};
    for (const command of ['tune', 'tune gone', 'today', 'screeners', 'screeners gone']) {
      const { stdout } = await here([...command.split(' '), '--from', folder], { clock });
      screens[command] = stdout;
    }
    await here(['report', report, '--from', folder], { clock });
    screens.report = await readFile(report, 'utf8');
    for (const [command, text] of Object.entries(screens)) {
      expect(text, command).toMatch(/no longer among your\s+screeners/i);
      expect(text, command).not.toMatch(/switched off|\(off/);
    }
    expect(screens['tune gone']).toMatch(/\nNo longer among your screeners\.\n/);
    expect(screens['tune gone']?.match(/no longer among/gi), 'said once').toHaveLength(1);
  });

  it('tells no stricter setting of a type that gets none elsewhere, but why', async ({
    home,
    here,
  }) => {
    const now = FIRST + 61 * DAY;
    const cards = [
      ...cardsOf({ type: 'gone', effect: 2 }),
      ...cardsOf({ type: 'behind', move: (telling) => 2 * telling - 6 }),
      ...cardsOf({ type: 'placebo' }),
      ...cardsOf({ type: 'another' }),
    ];
    const folder = writeListed(writeCards(path.join(home.folder, 'h'), cards), now);
    for (const { day, types } of [
      { day: 8, types: ['gone', 'behind', 'placebo', 'another'] },
      { day: 61, types: ['behind', 'placebo', 'another'] },
    ]) {
      const items = types.map((type) => ({ type, active: true, conditions: { level: 3 } }));
      const screeners = { scope: 'current_settings' as const, items };
      await appendScreeners(folder, screeners, FIRST + day * DAY, null);
    }
    const clock = new TestClock(now);
    const screenOf = async (command: string) =>
      (await here([...command.split(' '), '--from', folder], { clock })).stdout;
    const whyNot = {
      gone: 'no longer among your screeners',
      behind: 'worth dropping',
    };
    const adviceOf = {
      gone: 'none: no longer among your screeners\\.',
      behind:
        'Drop it: even cards with telling at 0 or more are below your other cards \\(.+ to .+\\)\\.',
    };
    const all = await screenOf('tune');
    const ofNoType = [all, await screenOf('today'), await screenOf('report -')];
    for (const [type, why] of Object.entries(whyNot)) {
      expect(all).toMatch(new RegExp(`^${type} +${why}$`, 'm'));
      const page = await screenOf(`tune ${type}`);
      const advice = adviceOf[type as keyof typeof whyNot];
      expect(page).toMatch(
        new RegExp(`^Advice +${advice}\n\nMeasured so far\\. Expect less: `, 'm'),
      );
      for (const screen of [page, await screenOf(`screeners ${type}`), ...ofNoType])
        expect(screen, type).not.toMatch(/Act only|^Setting |^Checked|false tip|More about /m);
    }
  });

  it('gives advice on a type below the others once it is known not to be below BTC, too', async ({
    home,
    here,
  }) => {
    const clock = new TestClock(FIRST + 62 * DAY);
    const others = ['placebo', 'another'].flatMap((type) => cardsOf({ type, move: () => 6 }));
    const behind = cardsOf({ type: 'behind' });
    const few = behind.map((card, i) => (i % 30 === 0 ? card : bare(card)));
    const pagesOf = async (name: string, cards: Parameters<typeof writeCards>[1]) => {
      const dir = writeCards(path.join(home.folder, name), [...others, ...cards]);
      const list = (await here(['tune', '--from', dir], { clock })).stdout;
      const page = (await here(['tune', 'behind', '--from', dir], { clock })).stdout;
      return { list, page };
    };
    const unknown = await pagesOf('few', few);
    expect(unknown.list).toMatch(/^behind +first it must be known whether it is below BTC, too$/m);
    expect(unknown.page).toContain('\nFirst it must be known whether it is below BTC, too.\n');
    expect(unknown.page, 'it waits for no outcomes').not.toMatch(/nothing found|of about/i);
    const within1 = await pagesOf('known', behind);
    expect(within1.list).toMatch(/^behind +nothing found; \d+(?:\.5)? pp would show$/m);
    expect(within1.page).toMatch(/^Nothing found +telling/m);
  });

  it('says of a type whose change hurt to undo it before its outcomes are bought', async ({
    home,
    here,
  }) => {
    const now = FIRST + 61 * DAY;
    const told = cardsOf({}).map((card, i) => (i % 30 === 0 ? card : bare(card)));
    const cards = [...told, ...cardsOf({ type: 'placebo' }), ...cardsOf({ type: 'another' })];
    const dir = writeListed(writeCards(path.join(home.folder, 'h'), cards), now);
    for (const { day, level } of [
      { day: 0, level: 1 },
      { day: 8, level: 2 },
      { day: 61, level: 2 },
    ]) {
      const items = [
        { type: 'told', active: true, conditions: { level } },
        ...['placebo', 'another'].map((type) => ({ type, active: true, conditions: {} })),
      ];
      const screeners = { scope: 'current_settings' as const, items };
      await appendScreeners(dir, screeners, FIRST + day * DAY, null);
    }
    const settings_since = new Date(FIRST + 8 * DAY).toISOString();
    const line = {
      at: new Date(FIRST + 50 * DAY).toISOString(),
      about: 'change',
      type: 'told',
      settings_since,
      verdict: 'lower',
      difference_percentage_points: -2.4,
      interval_95: { low: -4, high: -0.8 },
      shows_at: null,
    };
    await writeFile(path.join(dir, 'findings.ndjson'), `${JSON.stringify(line)}\n`);
    const clock = new TestClock(now);
    const day = dayAndMonth(Date.parse(settings_since));
    const page = (await here(['tune', 'told', '--from', dir], { clock })).stdout;
    expect(page).toContain(`\nUndo the change of ${day} first.\n`);
    expect(page).not.toMatch(/--focus|too few outcomes yet/i);
    const list = (await here(['tune', '--from', dir], { clock })).stdout;
    expect(list).toMatch(new RegExp(`^told +undo the change of ${day} first$`, 'm'));
  });

  it('says of a number which advice on it stands no longer', async ({ home, here }) => {
    const now = FIRST + 61 * DAY;
    const cards = [
      ...cardsOf({}),
      ...cardsOf({ type: 'placebo' }),
      ...cardsOf({ type: 'another' }),
    ];
    const dir = writeListed(writeCards(path.join(home.folder, 'h'), cards), now);
    const lineOf = (day: number, cut: number | null) => ({
      at: new Date(FIRST + day * DAY).toISOString(),
      about: 'number',
      type: 'told',
      number: 'telling',
      absolute: false,
      verdict: cut === null ? 'unclear' : 'higher',
      cut: cut === null ? null : { at_least: cut },
      cards_per_day: null,
      kept_vs_btc: null,
      kept_vs_dropped: null,
      settings_since: null,
    });
    const pageWith = async (...lines: readonly object[]) => {
      const notebook = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      await writeFile(path.join(dir, 'findings.ndjson'), notebook);
      const { stdout } = await here(['tune', 'told', '--from', dir], {
        clock: new TestClock(now),
      });
      return stdout.replace(/\s+/g, ' ');
    };
    const advised = lineOf(40, 0);
    const withdrawn = lineOf(50, null);
    expect(await pageWith(advised)).not.toContain('Before ');
    const [from, until] = [40, 50].map((day) => dayAndMonth(FIRST + day * DAY));
    const times = `advised on ${from}, withdrawn on ${until}.`;
    expect(await pageWith(advised, withdrawn)).toContain(
      `Before telling at 0 or more: ${times} There is no reason to leave cards out any more.`,
    );
    const another = await pageWith(advised, withdrawn, lineOf(55, -0.5));
    expect(another).toContain(`Before telling at 0 or more: ${times}`);
    expect(another).toContain('Advice Skip cards with telling below -0.5: expect ');
  });

  it('says of a silent type that it is, and waits for no outcomes of it', async ({
    home,
    here,
  }) => {
    const ended = cardsOf({ type: 'ended', days: 40 }).map((card, i) =>
      i % 30 === 0 ? card : bare(card),
    );
    const now = FIRST + 61 * DAY;
    const cards = [...ended, ...cardsOf({ type: 'placebo' })];
    const dir = writeListed(writeCards(path.join(home.folder, 'h'), cards), now);
    const items = ['ended', 'placebo'].map((type) => ({ type, active: true, conditions: {} }));
    for (const time of [FIRST, now])
      await appendScreeners(dir, { scope: 'current_settings', items }, time, null);
    const clock = new TestClock(now);
    const page = (await here(['tune', 'ended', '--from', dir], { clock })).stdout;
    expect(page).toMatch(/\nNo card for \d\d days\.\n\n--detail lists every number\.\n$/);
    const list = (await here(['tune', '--from', dir], { clock })).stdout;
    expect(list).toMatch(/^ended +no card for \d\d days$/m);
  });

  it('says first and once of a type that is worth dropping that it is', async ({ here }) => {
    const { stdout } = await here(['--demo', 'tune', 'funding_extreme']);
    expect(stdout).toContain('\nWorth dropping.\n');
    expect(stdout.match(/dropping/g), 'said once').toHaveLength(1);
  });

  it('says that older cards are left out, as the ranking does', async ({ home, here }) => {
    const dir = writeCards(home.folder, cardsOf({ days: 30, effect: 3 }));
    const clock = new TestClock(FIRST + 185 * DAY);
    const leftOut = 'These are the last 180 days; --since all takes every card.';
    const pages = [['tune'], ['tune', 'told'], ['stats', '--by', 'type']];
    for (const words of pages) {
      const { stdout } = await here([...words, '--from', dir], { clock });
      expect({ words, stdout }).toEqual({ words, stdout: expect.stringContaining(leftOut) });
    }
    const all = await here(['tune', '--from', dir, '--since', 'all'], { clock });
    expect(all.stdout).not.toContain('180 days');
  });

  it('says why nothing can be asked', async ({ home, here }) => {
    const few = writeCards(`${home.folder}/few`, cardsOf({ days: 3 }));
    expect((await here(['tune', 'told', '--from', few])).stdout).toMatch(
      /\n\nToo few outcomes yet +45 of about \d+\nWithout a date: more than two months, at the present pace\.\n--detail lists every number\.\n$/,
    );
    const none = writeCards(`${home.folder}/none`, cardsOf({ days: 3, context: () => ({}) }));
    expect((await here(['tune', '--from', none])).stdout).toContain(
      `Nothing to change yet. \`screener today --from ${none}\` tells you when that changes.\n`,
    );
    const context = (telling: number, day: number) => ({ seldom: day < 3 ? telling : 0 });
    const seldom = writeCards(`${home.folder}/seldom`, cardsOf({ days: 30, context }));
    expect((await here(['tune', '--from', seldom, '--detail'])).stdout).toMatch(
      /^seldom +450 .* cannot be tested: hardly a day has two cards that differ/m,
    );
    expect((await here(['tune', '--from', seldom])).stdout).toMatch(
      /^told +cannot be tested: hardly a day has two cards that differ$/m,
    );
    const unknown = await here(['tune', 'tolt', '--from', none]);
    expect({ code: unknown.code, stderr: unknown.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("Did you mean 'told'?"),
    });
    const key = await here(['tune', '--from', few, '--key', 'teling']);
    expect({ code: key.code, stderr: key.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("called 'teling'. Did you mean 'telling'?"),
    });
  });
});
