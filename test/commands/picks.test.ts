/** `stats --picked`: the cards that the user acted on, beside those that were let pass. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { parseCsv } from '../support/csv.ts';
import { NOW } from '../support/date.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { normalOf, randomOf, writeCards } from '../support/history.ts';
import { card, detail, measuredDetail } from '../support/samples.ts';

interface Wanted {
  readonly days?: number;
  /** Percentage points by which picked cards do better. */
  readonly edge?: number;
  readonly types?: readonly string[];
  /** Percent a day by which BTC rises; then picked symbols move four times as much as BTC, and the others as much. */
  readonly btcRise?: number;
}

interface Season {
  readonly cards: readonly { readonly id: number }[];
  readonly picked: readonly number[];
}

/** Eight cards a type and day, of which the first two are picked; types differ by 5 pp, which says nothing of picks. */
function season({ days = 60, edge = 0, types = ['breakout', 'pump'], btcRise }: Wanted): Season {
  const normal = normalOf(randomOf(5));
  const cards: { readonly id: number }[] = [];
  const picked: number[] = [];
  for (let day = 0; day < days; day += 1) {
    const market = normal();
    const btcOfDay = btcRise === undefined ? undefined : btcRise + normal();
    for (const [t, source_bot_type] of types.entries()) {
      for (let n = 0; n < 8; n += 1) {
        const id = 1 + cards.length;
        const isPicked = n < 2;
        if (isPicked) picked.push(id);
        const at = NOW - (days - day + 1) * DAY - n * HOUR;
        const made = card({
          id,
          created_at: formatApiTime(at),
          source_symbol: btcOfDay !== undefined && isPicked ? `P${id % 2}USDT` : `S${id % 23}USDT`,
          source_bot_type,
        });
        const slope = isPicked ? 4 : 1;
        const ofBtc = slope * (btcOfDay ?? 0);
        const move = 5 * t + market + ofBtc + 2 * normal() + (isPicked ? edge : 0);
        const detail = measuredDetail(made, () => ({
          state: 'available',
          move,
          btc: btcOfDay ?? 0.1 * normal(),
        }));
        cards.push({ ...detail, entry_context: { place: n } } as typeof detail);
      }
    }
  }
  return { cards, picked };
}

/** A card whose outcome is not bought. */
function listed(id: number, hours: number, source_bot_type = 'pump') {
  return card({
    id,
    created_at: formatApiTime(NOW - hours * HOUR),
    source_symbol: 'S1USDT',
    source_bot_type,
  });
}

function fileIn(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'picks.txt');
  writeFileSync(file, text);
  return file;
}

const linesOf = (ids: readonly (number | string)[]) => ids.map((id) => `${id}\n`).join('');

describe('stats --picked', () => {
  it('says that picks did better, of all and of each type, and sends nothing', async ({
    home,
    here,
    server,
  }) => {
    const { cards, picked } = season({ edge: 2.5 });
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const file = fileIn(home.folder, linesOf(picked));
    const page = await here(['stats', '--from', folder, '--picked', file]);
    const { stdout } = await here(['stats', '--from', folder, '--picked', file, '--json']);
    expect(page).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toEqual([]);
    const { items, picked: numbers, horizon } = JSON.parse(stdout);
    const [all, others, breakout, , pump] = items;
    expect({ horizon, ...numbers }).toEqual({
      horizon: '24h',
      ids: 240,
      in_history: 240,
      chosen: 240,
      with_outcome: 240,
      counts: {
        compared: 240,
        not_bought: 0,
        not_due: 0,
        no_match: 0,
        no_figure: 0,
        left_out: 0,
        unknown: 0,
        repeated: 0,
      },
      to_buy: [],
      purchase: [],
      unknown_ids: [],
    });
    const figures = all.horizons['24h'];
    const { low, high } = figures.median_vs_others_interval_95;
    expect(low, 'the lower end').toBeGreaterThan(1.2);
    expect(high, 'the upper end').toBeLessThan(3.8);
    expect(figures).toMatchObject({
      sample: 240,
      others_sample: 240,
      verdict_vs_others: 'above_others',
    });
    expect(others).toMatchObject({
      group: 'not_picked',
      screener_type: null,
      rows: 720,
      horizons: { '24h': { sample: 720, median_vs_others_percentage_points: null, weak: null } },
    });
    expect([breakout, pump].map(({ group, screener_type }) => ({ group, screener_type }))).toEqual([
      { group: 'picked', screener_type: 'breakout' },
      { group: 'picked', screener_type: 'pump' },
    ]);
    // Page and JSON say the same.
    const interval = `+${low.toFixed(2)} to +${high.toFixed(2)}`;
    const difference = figures.median_vs_others_percentage_points.toFixed(2);
    expect(
      page.stdout.startsWith(
        `Did you pick well? Yes\nYour picks did ${difference} pp better than the cards you let pass (95 %: ${interval}).\n\nTYPE `,
      ),
      page.stdout,
    ).toBe(true);
    expect(page.stdout).toMatch(
      /^TYPE +PICKS +LET PASS +VS BTC +VS LET PASS +95 % INTERVAL +VERDICT$/m,
    );
    expect(page.stdout).toMatch(
      /^Medians, 24 h after the trigger, in pp\. VS LET PASS: each pick less the cards of the same type and UTC day that you let pass\.$/m,
    );
    expect(page.stdout).toMatch(
      /^All +240 +720 +\+\d\.\d\d +\+\d\.\d\d +\+\d\.\d\d to \+\d\.\d\d +better$/m,
    );
    expect(page.stdout).toMatch(/^breakout +120 .* better$/m);
    // Each number stands once: the table has it.
    expect(page.stdout.match(/\b240\b/g)).toHaveLength(1);
    // Of what there is none there is no line.
    expect(page.stdout).not.toMatch(
      /^(Not bought|Not due|No match|No figure|Left out|Unknown|Repeated) /m,
    );
    expect(page.stdout).toMatch(
      /^Picks count only if you made them before the outcome was known\./m,
    );
  });

  it('says that picks did worse', async ({ home, here }) => {
    const { cards, picked } = season({ edge: -2 });
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const file = fileIn(home.folder, linesOf(picked));
    const { stdout } = await here(['stats', '--from', folder, '--picked', file]);
    expect(stdout).toMatch(
      /^Did you pick well\? No\nYour picks did \d\.\d\d pp worse than the cards you let pass \(95 %: -/,
    );
    expect(stdout).toMatch(/^All .* worse$/m);
  });

  it.for([
    {
      days: 60,
      says: /^Did you pick well\? Neither well nor badly: the difference is within 1 pp\nYour picks did 0\.\d\d pp \w+ than the cards you let pass \(95 %: /,
    },
    {
      days: 20,
      says: /^Did you pick well\? Not sure yet\nSo far your picks did 1\.13 pp worse than the cards you let pass\. For an answer it must be 99\.7 % sure; it is 95 % sure\.\n/,
    },
    {
      days: 14,
      says: /^Did you pick well\? Not known yet\nSo far only a difference of 2\.5 pp or more would likely show\.\n/,
    },
    // Of 7 days in a row there are at most 5 blocks of two.
    {
      days: 7,
      says: /^Did you pick well\? Not known yet\nYou have picks on [45] separate days \(2 days in a row count as one\); a figure takes 6\.\nAn answer needs some 200 compared picks, made over a month; you have 28\.\n\nPicks /,
    },
  ])(
    'tells no difference where there is none, after $days days',
    async ({ days, says }, { home, here }) => {
      const { cards, picked } = season({ days });
      const folder = writeCards(path.join(home.folder, 'season'), cards);
      const file = fileIn(home.folder, linesOf(picked));
      const { stdout } = await here(['stats', '--from', folder, '--picked', file]);
      expect(stdout).toMatch(says);
    },
  );

  it('says that no pick can be compared where none has an outcome beside it', async ({
    home,
    here,
  }) => {
    const { cards, picked } = season({ days: 1 });
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const file = fileIn(home.folder, linesOf(picked.slice(0, 1)));
    // Nothing is left to compare it with.
    const words = ['stats', '--from', folder, '--picked', file, '--symbol', 'NONE'];
    const { stdout } = await here(words);
    expect(stdout).toMatch(
      /^Did you pick well\? Not known yet\nNo pick can be compared yet\. A pick is compared with the cards of its type and day that you let pass; both need an outcome\.\n/,
    );
  });

  it('does not take the better type for better picks', async ({ home, here }) => {
    const { cards, picked } = season({ edge: 0 });
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    // Types take turns of eight cards: nearly all picks are of the one that is 5 pp better.
    const ids = picked.filter((id, i) => Math.floor((id - 1) / 8) % 2 === 1 || i % 20 === 0);
    const { stdout } = await here(['stats', '--from', folder, '--picked', '-', '--json'], {
      stdin: linesOf(ids),
    });
    const { verdict_vs_others: verdict, median_vs_others_percentage_points: difference } =
      JSON.parse(stdout).items[0].horizons['24h'];
    expect(verdict).not.toMatch(/_others/);
    expect(Math.abs(difference), 'difference of what was picked').toBeLessThan(0.5);
  });

  it('writes one line a group as CSV and NDJSON', async ({ home, here }) => {
    const { cards, picked } = season({ days: 20 });
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const file = fileIn(home.folder, linesOf(picked));
    const line = ['stats', '--from', folder, '--picked', file];
    const [csv, ndjson] = await Promise.all([
      here([...line, '--csv']),
      here([...line, '--ndjson']),
    ]);
    const ofGroup = ({ group, screener_type }: Record<string, unknown>) => ({
      group,
      screener_type,
    });
    const expected = ['', 'breakout', 'pump'].flatMap((screener_type) => [
      { group: 'picked', screener_type },
      { group: 'not_picked', screener_type },
    ]);
    const [, ...rows] = parseCsv(csv.stdout);
    const rowsOfCsv = rows.map(([group, type]) => ({
      group: group?.text,
      screener_type: type?.text,
    }));
    expect(rowsOfCsv).toEqual(expected);
    const items = ndjson.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(items.map(ofGroup)).toEqual(
      expected.map((group) => ({ ...group, screener_type: group.screener_type || null })),
    );
  });
});

it('a pick whose outcome never had a figure is not sold again once exports gave it up', async ({
  home,
  here,
}) => {
  const bought = [1, 2].map((id) => detail({ ...listed(id, 200), outcome: null }));
  const unpicked = measuredDetail(listed(3, 200), () => ({
    state: 'available',
    move: 1,
    btc: 0.5,
  }));
  const folder = writeCards(path.join(home.folder, 'tried'), [...bought, unpicked]);
  const at = formatApiTime(NOW - 30 * HOUR);
  const asked = { 1: { times: 5, at }, 2: { times: 4, at } };
  const manifest = { version: 1, account: '', asked };
  writeFileSync(path.join(folder, 'export.json'), JSON.stringify(manifest));
  const line = ['stats', '--from', folder, '--picked', fileIn(home.folder, linesOf([1, 2]))];
  const { stdout } = await here([...line, '--json']);
  expect(JSON.parse(stdout).picked).toMatchObject({ chosen: 2, with_outcome: 1, to_buy: [2] });
});

it('a pick that the service does not have any more is not sold once exports gave it up', async ({
  home,
  here,
}) => {
  const unpicked = measuredDetail(listed(3, 200), () => ({
    state: 'available',
    move: 1,
    btc: 0.5,
  }));
  const folder = writeCards(path.join(home.folder, 'gone'), [
    listed(1, 200),
    listed(2, 200),
    unpicked,
  ]);
  const hoursAgo = (hours: number) => formatApiTime(NOW - hours * HOUR);
  const last = hoursAgo(1);
  const notFound = { times: 0, failed: 2, not_found: true, at: last, not_found_at: last };
  const asked = {
    1: { ...notFound, not_found_since: hoursAgo(72) },
    // It may come back: both answers are of one day.
    2: { ...notFound, not_found_since: hoursAgo(2) },
  };
  const manifest = { version: 1, account: '', asked };
  writeFileSync(path.join(folder, 'export.json'), JSON.stringify(manifest));
  const line = ['stats', '--from', folder, '--picked', fileIn(home.folder, linesOf([1, 2]))];
  const { stdout } = await here([...line, '--json']);
  expect(JSON.parse(stdout).picked).toMatchObject({ chosen: 2, with_outcome: 1, to_buy: [2] });
  const page = await here(line);
  expect(page.stdout).toMatch(/^No figure +1: the outcome is missing or given up/m);
});

describe('the file of --picked', () => {
  it('holds ids or NDJSON, with a byte order mark, CRLF and blank lines', async ({
    home,
    here,
  }) => {
    const folder = writeCards(path.join(home.folder, 'season'), [listed(11, 30), listed(12, 31)]);
    const text = `\uFEFF11\r\n\r\n  {"id":12,"url":"x"}\r\n11\r\n9007199254740993\r\n{"id":9007199254740995}`;
    const file = fileIn(home.folder, text);
    const { stdout } = await here(['stats', '--from', folder, '--picked', file, '--json']);
    expect(stdout).toContain('9007199254740993');
    expect(stdout).toContain('9007199254740995');
    expect(JSON.parse(stdout).picked).toMatchObject({ ids: 4, in_history: 2, to_buy: [11, 12] });
  });

  it.for([
    { text: '11\n\nid\n', line: 3 },
    { text: '0\n', line: 1 },
    { text: '-5\n', line: 1 },
    { text: '1.5\n', line: 1 },
    { text: '11,12\n', line: 1 },
    { text: '{"id":\n', line: 1 },
    { text: '11\n{"name":"x"}\n', line: 2 },
    { text: '{"id":1.5}\n', line: 1 },
  ])('names a line that is no id: $text', async ({ text, line }, { home, here, server }) => {
    const file = fileIn(home.folder, text);
    const ran = await here(['stats', '--local', '--picked', file, '--json']);
    expect(errorLine(ran.stderr)).toMatchObject({
      code: 'usage',
      exit_code: 2,
      message: expect.stringContaining(`line ${line} of ${file} has no card id`),
    });
    expect({ code: ran.code, stdout: ran.stdout, requests: server.requests }).toEqual({
      code: 2,
      stdout: '',
      requests: [],
    });
  });

  it('may be empty, and must be there', async ({ home, here }) => {
    const folder = writeCards(path.join(home.folder, 'season'), [listed(11, 30)]);
    const empty = await here(['stats', '--from', folder, '--picked', '-'], { stdin: '\n' });
    expect(empty).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Did you pick well\? No picks yet\n[\s\S]*holds no id yet/),
    });
    const none = await here(['stats', '--from', folder, '--picked', `${home.folder}/none.txt`]);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toMatch(/There is no file .*none\.txt/);
    const typed = await here(['stats', '--from', folder, '--picked', '-'], { isTyped: true });
    expect(typed).toMatchObject({ code: 2, stdout: '' });
  });

  it('reads what signals ls prints', async ({ home, here }) => {
    const { cards, picked } = season({ days: 20 });
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const list = await here(['signals', 'ls', 'pump', '--from', folder, '--ndjson']);
    const line = ['stats', '--from', folder, '--picked', '-', '--json'];
    const { stdout } = await here(line, { stdin: list.stdout });
    expect(JSON.parse(stdout).picked).toMatchObject({
      ids: 160,
      in_history: 160,
      counts: { compared: 0 },
    });
    expect(picked).toHaveLength(80);
  });
});

describe('what --picked does not know yet', () => {
  it('names ids that the history does not have, and counts the rest', async ({ home, here }) => {
    const folder = writeCards(path.join(home.folder, 'season'), [listed(11, 30)]);
    const ids = Array.from({ length: 8 }, (_, i) => 900 + i);
    const { stdout } = await here(['stats', '--from', folder, '--picked', '-'], {
      stdin: linesOf([...ids, '9007199254740993']),
    });
    expect(stdout).toMatch(
      /^Unknown +9: this history does not have 900, 901, 902, 903, 904 and 4 more$/m,
    );
    const { stdout: ofFive } = await here(['stats', '--from', folder, '--picked', '-'], {
      stdin: linesOf(ids.slice(0, 5)),
    });
    expect(ofFive).toMatch(/^Unknown +5: this history does not have 900, 901, 902, 903, 904$/m);
  });

  it('buys what the JSON document names, and the picks have an outcome', async ({
    here,
    server,
  }) => {
    // Cards of the service are an hour apart, the newest of then.
    const now = Date.UTC(2026, 10, 20, 18);
    const clock = new TestClock(now);
    await here(['signals', 'export', '--no-outcomes', '--no-stats', '--quiet'], { clock });
    const { stdout: list } = await here(['signals', 'ls', '--local', '--ndjson'], { clock });
    const cards = list
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    const isOver = (card: { created_at: string }) => Date.parse(card.created_at) <= now - DAY;
    const due = cards.filter(isOver).slice(0, 3);
    const young = cards.filter((card) => !isOver(card)).slice(0, 2);
    expect({ due: due.length, young: young.length }).toEqual({ due: 3, young: 2 });
    const stdin = linesOf([...young, ...due].map(({ id }) => id));
    // After 24 h no outcome of this service is measured.
    const line = ['stats', '--local', '--picked', '-', '--horizon', '1h'];
    const { stdout } = await here(line, { clock, stdin });
    expect(stdout).toMatch(/^Not due +2: the 24 h after the trigger are not over$/m);
    expect(stdout).toMatch(
      /^Did you pick well\? Not known yet\nNo pick can be compared yet\. [^\n]*\n\d credits would let 3 more picks be compared; an answer needs some 200, made over a month, so buy nothing yet\.\n/,
    );
    const before = JSON.parse((await here([...line, '--json'], { clock, stdin })).stdout).picked;
    const ids: number[] = before.to_buy;
    const requests = server.requests.length;
    await here(['signals', 'show', ...ids.map(String)], { clock });
    expect(server.requests.length - requests, 'credits').toBe(ids.length);
    const after = await here([...line, '--json'], { clock, stdin });
    // Of some the service has no outcome yet: they may be asked for again.
    const { with_outcome, to_buy, counts } = JSON.parse(after.stdout).picked;
    expect(with_outcome, 'picks with an outcome').toBeGreaterThan(0);
    expect({ all: with_outcome + to_buy.length, not_due: counts.not_due }).toEqual({
      all: 3,
      not_due: 2,
    });
  });

  it('names those first that can be compared: others of their type and day are bought', async ({
    home,
    here,
  }) => {
    const { outcome, context_scope, entry_context } = season({ days: 1 }).cards[0] as SignalDetail;
    const bought = { ...listed(13, 60, 'breakout'), outcome, context_scope, entry_context };
    const cards = [listed(11, 30), listed(12, 60, 'breakout'), bought];
    const env = { SCREENER_HISTORY: writeCards(path.join(home.folder, 'season'), cards) };
    const words = ['stats', '--local', '--picked', '-'];
    const stdin = '11\n12\n';
    const { stdout } = await here(words, { env, stdin });
    expect(stdout).toMatch(/^Picks +2 ids, 0 compared\nNot bought +1: .*\nNo match +1: .*$/m);
    expect(stdout).not.toContain('signals show');
    const json = await here([...words, '--json'], { env, stdin });
    expect(JSON.parse(json.stdout).picked).toMatchObject({
      to_buy: [12, 11],
      purchase: [],
    });
  });

  it('offers one card for each type and day on which none is bought, and all picks are compared', async ({
    home,
    here,
  }) => {
    const { cards } = season({ days: 50 });
    const details = cards as readonly SignalDetail[];
    // Of each type and day two of eight cards are picked; of one day in four another card is bought.
    const picks = details.filter((_, i) => i % 8 < 2).map(({ id }) => id);
    const isBoughtFirst = (_: SignalDetail, i: number) => i % 64 === 5;
    const known = new Set(details.filter(isBoughtFirst).map(({ id }) => id));
    const historyOf = (bought: ReadonlySet<number>, name: string) => {
      const lines = details.map((one) => {
        const { id, created_at, source_symbol, source_bot_type } = one;
        return bought.has(id) ? one : card({ id, created_at, source_symbol, source_bot_type });
      });
      return { SCREENER_HISTORY: writeCards(path.join(home.folder, name), lines) };
    };
    const words = ['stats', '--local', '--picked', '-'];
    const stdin = linesOf(picks);
    const env = historyOf(known, 'before');
    const { stdout } = await here(words, { env, stdin });
    expect(stdout).toMatch(
      /^An answer needs some 200 compared picks, made over a month; you have 0\. 287 credits compare 200 more picks \(87 of the credits are for cards you let pass\)\. The first 50:\n {2}screener signals show (?:\d+ ?){50}$/m,
    );
    const { picked } = JSON.parse((await here([...words, '--json'], { env, stdin })).stdout);
    const purchase: number[] = picked.purchase;
    const partners = purchase.filter((id) => !picks.includes(id));
    expect(partners).toHaveLength(87);
    expect(new Set(purchase)).toEqual(new Set([...picks, ...partners]));
    expect(purchase).toHaveLength(287);
    // The picks that can be compared by themselves come first.
    const ofDayWithBought = (id: number) => Math.floor((id - 1) / 8) % 8 === 0;
    expect(purchase.slice(0, 26).filter(ofDayWithBought)).toHaveLength(26);
    // They are drawn: not the first card of a day that was let pass, nor the last.
    expect(new Set(partners.map((id) => (id - 1) % 8)).size).toBeGreaterThan(3);
    const bought = new Set([...known, ...picks, ...partners]);
    const after = await here([...words, '--json'], { env: historyOf(bought, 'after'), stdin });
    expect(JSON.parse(after.stdout).picked).toMatchObject({
      counts: { compared: 200 },
      purchase: [],
    });
  });

  it.for([
    { name: 'a measured card', beside: {}, isComparable: true },
    { name: 'a card whose outcome is missing', beside: { state: 'missing' }, isComparable: false },
    { name: 'a card that --where leaves out', beside: { place: 9 }, isComparable: false },
    { name: "BTC's own card", beside: { symbol: 'BTCUSDT' }, isComparable: false },
    { name: 'a measured card, for a pick of BTC itself', pick: 'BTCUSDT', isComparable: false },
  ])(
    'offers a pick first that can be compared: beside $name',
    async ({ beside = {}, pick = 'S1USDT', isComparable }, { home, here }) => {
      const { state = 'available', symbol = 'S2USDT', place = 0 } = beside;
      const outcomeOf = (source_symbol: string) => {
        const isBtc = source_symbol === 'BTCUSDT';
        const move = state === 'available' ? Number(!isBtc) : null;
        return () => ({ state, move, btc: 0 });
      };
      const besidePick = { ...listed(13, 60), source_symbol: symbol };
      const letPass = measuredDetail(besidePick, outcomeOf(symbol));
      const btc = measuredDetail({ ...listed(14, 90, 'far'), source_symbol: 'BTCUSDT' }, () => ({
        state: 'available',
        move: 0,
        btc: 0,
      }));
      const picked = { ...listed(11, 60), source_symbol: pick };
      const cards = [picked, { ...letPass, entry_context: { place } }, btc];
      const folder = writeCards(path.join(home.folder, 'season'), cards);
      const line = ['stats', '--from', folder, '--picked', '-', '--where', 'place<5', '--json'];
      const { stdout } = await here(line, { stdin: '11\n' });
      expect(JSON.parse(stdout).picked).toMatchObject({
        to_buy: [11],
        counts: { not_bought: isComparable ? 1 : 0 },
      });
    },
  );

  it('offers so many at a time that a line can be read', async ({ home, here }) => {
    const picks = Array.from({ length: 240 }, (_, i) => listed(i + 1, 30 + 6 * i));
    // A card of each of their days that was let pass is bought; so few that exports do not buy all.
    const { outcome, context_scope, entry_context } = season({ days: 1 }).cards[0] as SignalDetail;
    const letPass = Array.from({ length: 61 }, (_, i) => ({
      ...listed(1000 + i, 31 + 24 * i),
      outcome,
      context_scope,
      entry_context,
    }));
    const cards = [...picks, ...letPass];
    const env = { SCREENER_HISTORY: writeCards(path.join(home.folder, 'season'), cards) };
    const stdin = linesOf(picks.map(({ id }) => id));
    const { stdout } = await here(['stats', '--local', '--picked', '-'], { env, stdin });
    expect(stdout).toMatch(
      /^An answer needs [^\n]*; you have 0\. 200 credits compare 200 more picks\. The first 50:\n {2}screener signals show (\d+ ){49}\d+$/m,
    );
  });

  it('leaves a folder of its own to exports: signals show keeps outcomes elsewhere', async ({
    home,
    here,
  }) => {
    const cards = [listed(11, 30), listed(12, 30)];
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const { stdout } = await here(['stats', '--from', folder, '--picked', '-'], { stdin: '11\n' });
    expect(stdout).toMatch(
      /^Did you pick well\? Not known yet\nNo pick can be compared yet\. [^\n]*\nAn answer needs [^\n]*; you have 0\. Exports buy the outcomes that 1 pick waits for:\n {2}screener signals export \S+season$/m,
    );
  });
});

it('leaves picks to the next export where exports buy nearly all outcomes', async ({
  home,
  here,
}) => {
  const { cards, picked } = season({ days: 20 });
  const all = [...cards, listed(9001, 60), listed(9002, 60, 'breakout')];
  const env = { SCREENER_HISTORY: writeCards(path.join(home.folder, 'season'), all) };
  const stdin = linesOf([...picked, 9001, 9002]);
  const { stdout } = await here(['stats', '--local', '--picked', '-'], { env, stdin });
  expect(stdout).toMatch(
    /^An answer needs some 200 compared picks, made over a month; you have 80\. Exports buy the outcomes that 2 picks wait for:\n {2}screener signals export$/m,
  );
});

it.for([
  { what: 'has a verdict', edge: 6, isSaid: true },
  { what: 'has no verdict', edge: 0, isSaid: false },
])(
  'says what a line that BTC sways would be without the correction, if it $what',
  async ({ edge, isSaid }, { home, here }) => {
    const { cards, picked } = season({ days: 40, types: ['pump'], btcRise: 1, edge });
    const env = { SCREENER_HISTORY: writeCards(path.join(home.folder, 'season'), cards) };
    const words = ['stats', '--local', '--picked', '-'];
    const stdin = linesOf(picked);
    const page = (await here(words, { env, stdin })).stdout;
    const { items } = JSON.parse((await here([...words, '--json'], { env, stdin })).stdout);
    const { median_vs_others_percentage_points: difference, beta_percentage_points: beta } =
      items[0].horizons['24h'];
    expect(beta, 'what BTC explains').toBeGreaterThan(0.3);
    const correction = `\nSome symbols move more than BTC whenever BTC moves. VS LET PASS leaves that part out; with it: All +${(difference + beta).toFixed(2)}.\n`;
    expect(page.includes(correction), page).toBe(isSaid);
  },
);

it('has lines of types of which something is known, and with --detail of each', async ({
  home,
  here,
}) => {
  const typesOn = async (days: number, ...more: string[]) => {
    const { cards, picked } = season({ days });
    const from = writeCards(path.join(home.folder, `season-${days}`), cards);
    const words = ['stats', '--from', from, '--picked', '-', ...more];
    const { stdout } = await here(words, { stdin: linesOf(picked) });
    return {
      lines: stdout.match(/^(All|breakout|pump)(?= )/gm),
      note: /^.*--detail has a line.*$/m.exec(stdout)?.[0],
    };
  };
  expect({
    early: await typesOn(15),
    later: await typesOn(40),
    detailed: await typesOn(40, '--detail'),
  }).toEqual({
    early: { lines: ['All'], note: '--detail has a line for each type.' },
    later: {
      lines: ['All', 'pump'],
      note: '--detail has a line for each type.',
    },
    detailed: { lines: ['All', 'breakout', 'pump'], note: undefined },
  });
});

describe('where few outcomes are bought', () => {
  /**
   * A history of 80 days with 320 picks, in which of each type and day one card is bought, and of some days a second one.
   * @param picksBought so many picks, the first ones, are bought, too
   */
  function scarceSeason(folder: string, picksBought = 0) {
    const { cards, picked } = season({ days: 80 });
    const boughtPicks = new Set(picked.slice(0, picksBought));
    const scarce = (cards as readonly SignalDetail[]).map((one, i) => {
      const { id, created_at, source_symbol, source_bot_type } = one;
      const isBought = i % 8 === 4 || i % 80 === 5 || boughtPicks.has(id);
      return isBought ? one : card({ id, created_at, source_symbol, source_bot_type });
    });
    return { env: { SCREENER_HISTORY: writeCards(path.join(folder, 'scarce'), scarce) }, picked };
  }

  it('offers no purchase to an account whose picks are too few for an answer, and says so', async ({
    home,
    here,
  }) => {
    const { env, picked } = scarceSeason(home.folder);
    const words = ['stats', '--local', '--picked', '-'];
    const stdin = linesOf(picked.slice(0, 20));
    const { stdout } = await here(words, { env, stdin });
    expect(stdout).toMatch(
      /^An answer needs some 200 picks within 180 days that can be compared\. At your pace you make some 40: no answer will come, so buy nothing for it\.$/m,
    );
    expect(stdout).not.toContain('signals show');
    const { purchase } = JSON.parse(
      (await here([...words, '--json'], { env, stdin })).stdout,
    ).picked;
    expect(purchase).toEqual([]);
  });

  it('offers a purchase that may end in an answer, in one line', async ({ home, here }) => {
    const { env, picked } = scarceSeason(home.folder);
    const file = fileIn(home.folder, linesOf(picked));
    const words = ['stats', '--local', '--picked', file, '--least', '1.5'];
    const { stdout } = await here(words, { env });
    expect(stdout).toMatch(
      /^An answer needs [^\n]*; you have 0\. 200 credits compare 200 more picks\. A day has 150 credits: run it each day until all are bought:\n {2}screener stats --local --picked \S+picks\.txt --least 1\.5 --json \| jq '\.picked\.purchase\[\]' \| screener signals show -$/m,
    );
    const [line] = /^ {2}screener stats .*--json/m.exec(stdout) ?? [];
    const [, ...args] = line?.trim().split(' ') ?? [];
    expect(JSON.parse((await here(args, { env })).stdout).picked.purchase).toHaveLength(200);
  });

  it('says when to buy, where some picks are compared', async ({ home, here }) => {
    const { env, picked } = scarceSeason(home.folder, 60);
    const stdin = linesOf(picked.slice(0, 100));
    const { stdout } = await here(['stats', '--local', '--picked', '-'], { env, stdin });
    expect(stdout).toMatch(
      /^40 credits would let \d+ more picks be compared; an answer needs some 200, made over a month, so buy nothing yet\.$/m,
    );
  });

  it('offers nothing once there is an answer', async ({ home, here }) => {
    const { cards, picked } = season({ days: 60, edge: 2.5 });
    const all = [...cards, listed(9001, 60), listed(9002, 60)];
    const env = { SCREENER_HISTORY: writeCards(path.join(home.folder, 'season'), all) };
    const stdin = linesOf([...picked, 9001]);
    const { stdout } = await here(['stats', '--local', '--picked', '-'], { env, stdin });
    expect(stdout).toMatch(/^Did you pick well\? Yes\n/);
    expect(stdout).toMatch(/^Not bought +1: its outcome, /m);
    expect(stdout).not.toContain('screener signals');
  });
});

it('says of four times as many picks once as many as are needed first are compared', async ({
  home,
  here,
}) => {
  const neededAfter = async (days: number) => {
    const { cards, picked } = season({ days });
    const from = writeCards(path.join(home.folder, `season-${days}`), cards);
    // Half a percentage point is too little to be known.
    const words = ['stats', '--from', from, '--picked', '-', '--least', '0.5'];
    const { stdout } = await here(words, { stdin: linesOf(picked) });
    return /^An answer needs .*$/m.exec(stdout)?.[0];
  };
  expect({ days40: await neededAfter(40), days60: await neededAfter(60) }).toEqual({
    days40: 'An answer needs some 200 compared picks, made over a month; you have 160.',
    days60: 'An answer needs some 800 compared picks, made over a month; you have 240.',
  });
});

it('tells apart why a pick is not compared', async ({ home, here }) => {
  const outcomeOf = (state: string, move: number | null) => () => ({ state, move, btc: 0.5 });
  const measured = (id: number, type: string, symbol: string, move: number, place = 0) => ({
    ...measuredDetail(
      { ...listed(id, 60, type), source_symbol: symbol },
      outcomeOf('available', move),
    ),
    entry_context: { place },
  });
  const missing = {
    ...measuredDetail(listed(14, 61), outcomeOf('missing', null)),
    entry_context: { place: 0 },
  };
  const cards = [
    measured(11, 'pump', 'S1USDT', 2),
    measured(12, 'pump', 'S2USDT', 1),
    measured(13, 'breakout', 'S1USDT', 1),
    missing,
    measured(15, 'pump', 'BTCUSDT', 0.5),
    measured(16, 'pump', 'S3USDT', 1, 9),
  ];
  const folder = writeCards(path.join(home.folder, 'season'), cards);
  const stdin = linesOf([11, 13, 14, 15, 16]);
  const words = ['stats', '--from', folder, '--picked', '-'];
  const { stdout } = await here([...words, '--where', 'place<5'], { stdin });
  expect(stdout).toContain(
    [
      'Picks      5 ids, 1 compared',
      'No match   1: no card of its type and day to compare with',
      'No figure  2: the outcome is missing or given up, or the card is of BTC itself',
      'Left out   1: by the other options',
    ].join('\n'),
  );
});

describe('--picked with other options', () => {
  it.for([{ options: ['--by', 'type'], message: '--picked and --by exclude each other.' }])(
    'refuses $options',
    async ({ options, message }, { here }) => {
      const { code, stderr } = await here([
        'stats',
        '--local',
        '--picked',
        '-',
        '--json',
        ...options,
      ]);
      expect(code).toBe(2);
      expect(errorLine(stderr)).toMatchObject({
        message,
        hint: expect.stringMatching(/^Leave out /),
      });
    },
  );

  it('needs a history, as the others do', async ({ here }) => {
    const { code, stderr } = await here(['stats', '--picked', '-']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--picked needs --local or --from'),
    });
  });

  it.for([
    { options: ['pump'], chosen: 40, compared: 40, types: ['pump'] },
    { options: ['--since', '276h'], chosen: 40, compared: 40, types: ['breakout', 'pump'] },
    { options: ['--symbol', 'S1USDT'], chosen: 3, compared: 0, types: ['breakout', 'pump'] },
    { options: ['--where', 'place>=1'], chosen: 80, compared: 40, types: ['breakout', 'pump'] },
  ])(
    'takes the cards that $options choose, on both sides',
    async ({ options, chosen, compared, types }, { home, here }) => {
      const { cards, picked } = season({ days: 20 });
      const folder = writeCards(path.join(home.folder, 'season'), cards);
      const line = ['stats', '--from', folder, '--picked', '-', '--json', ...options];
      const { stdout } = await here(line, { stdin: linesOf(picked) });
      const answer = JSON.parse(stdout);
      const names = new Set(
        answer.items.map((item: { screener_type: string }) => item.screener_type),
      );
      expect({ ...answer.picked, types: [...names].filter((name) => name !== null) }).toMatchObject(
        {
          in_history: 80,
          chosen,
          counts: { compared },
          types,
        },
      );
    },
  );

  it('judges another horizon, and by another least', async ({ home, here }) => {
    const { cards, picked } = season({});
    const folder = writeCards(path.join(home.folder, 'season'), cards);
    const line = ['stats', '--from', folder, '--picked', '-'];
    const stdin = linesOf(picked);
    const { stdout } = await here([...line, '--horizon', '1h', '--least', '6'], { stdin });
    expect(stdout).toMatch(
      /^Did you pick well\? Neither well nor badly: the difference is within 1\.5 pp\n/,
    );
    expect(stdout).toMatch(/^Medians, 1 h after the trigger, in pp\./m);
  });
});
