/** The page of `today`: its parts in their order, nothing said twice, and the same news as its `--json`. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { dayAndMonth } from '../../src/output/format.ts';
import { FIRST, world } from '../report/histories.ts';
import { TestClock } from '../support/context.ts';
import { NOW } from '../support/date.ts';
import { writeCards } from '../support/history.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { rankedLines } from '../support/ranking.ts';
import type { Json } from '../support/samples.ts';

const END = FIRST + 60 * DAY;

const timeAt = (at: number) => new Date(at).toISOString();
const home = createHome();
afterAll(() => home.remove());

/** A history of sixty days, with a type that is above, whose last export was at its end. */
function accountWith(
  name: string,
  findings: readonly object[],
  cards: readonly object[] = world(60, 12),
): string {
  const directory = writeCards(path.join(home.folder, name), cards);
  if (cards.length === 0) writeFileSync(path.join(directory, 'signals-2026-08.ndjson'), '');
  const manifest = {
    version: 1,
    account: 'test',
    last_success: timeAt(END),
    judged_at: timeAt(END),
    spans: [{ since: timeAt(FIRST), until: timeAt(END) }],
  };
  writeFileSync(path.join(directory, 'export.json'), JSON.stringify(manifest));
  const lines = findings.map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(path.join(directory, 'findings.ndjson'), lines.join(''));
  return directory;
}

const typeLine = (daysAgo: number, type: string, verdict: string, vsBtc = 'unclear') => ({
  at: timeAt(END - daysAgo * DAY),
  about: 'type',
  type,
  verdict,
  to: 'others',
  vs_btc: vsBtc,
  difference_percentage_points: verdict === 'below' ? -1.2 : 2.31,
  interval_95: null,
  sample: 90,
  source: 'bought',
  settings_since: null,
  least: 1,
  weak: false,
});

const numberLine = {
  at: timeAt(END - 3 * DAY),
  about: 'number',
  type: 'volume_spike',
  number: 'oi_change_pct',
  absolute: false,
  verdict: 'higher',
  cut: { at_least: 3.9 },
  cards_per_day: 2,
  kept_vs_btc: 1,
  kept_vs_dropped: 2,
  settings_since: null,
};

const recent = { interval_95: null };
const latelyLine = {
  at: timeAt(END - 2 * DAY),
  about: 'lately',
  type: 'price_breakout',
  verdict: 'less',
  last_30_days: { percentage_points: 0.5, ...recent },
  before: { percentage_points: 2.2, ...recent },
};

const changeLine = {
  at: timeAt(END - DAY),
  about: 'change',
  type: 'oi_surge',
  settings_since: timeAt(END - 30 * DAY),
  verdict: 'higher',
  difference_percentage_points: 1.5,
  interval_95: { low: 0.4, high: 2.6 },
};

/** Words that were found a month ago, and nothing since. */
const STANDING = [
  typeLine(30, 'price_breakout', 'above'),
  typeLine(30, 'oi_surge', 'below', 'below'),
];
const NEWS = [
  typeLine(5, 'price_breakout', 'above'),
  typeLine(4, 'oi_surge', 'below', 'below'),
  numberLine,
  latelyLine,
  changeLine,
];

/** Cards with the number that the news are about: where it is high, a volume_spike moves more. */
const CARDS_WITH_NUMBER = world(60, 12).map((card, i) => {
  const number = i % 7;
  const { outcome } = card;
  if (card.source_bot_type === 'volume_spike' && outcome !== null)
    Object.assign(outcome, { move_24h_pct: Number(outcome.move_24h_pct) + number - 3 });
  const source_symbol = `COIN${i % 20}USDT`;
  return { ...card, source_symbol, outcome, entry_context: { oi_change_pct: number } };
});

/** An account whose volume_spike changed forty days ago, which has helped since. */
function accountWithChange(name: string, foundDaysAgo: number): string {
  const changedAt = END - 40 * DAY;
  const settings_since = timeAt(changedAt);
  const findings = [
    { ...typeLine(25, 'volume_spike', 'unclear'), settings_since },
    {
      ...changeLine,
      at: timeAt(END - foundDaysAgo * DAY),
      type: 'volume_spike',
      settings_since,
    },
  ];
  const cards = world(60, 12);
  for (const { source_bot_type: type, created_at, outcome } of cards) {
    const isHelped = type === 'volume_spike' && Date.parse(created_at) >= changedAt;
    if (isHelped && outcome !== null)
      Object.assign(outcome, { move_24h_pct: Number(outcome.move_24h_pct) + 3 });
  }
  const directory = accountWith(name, findings, cards);
  const looks = [
    { at: timeAt(FIRST), level: 3 },
    { at: settings_since, level: 4 },
  ].map(({ at, level }) => {
    const items = [{ type: 'volume_spike', active: true, conditions: { level } }];
    return `${JSON.stringify({ at, screeners: { scope: 'current_settings', items } })}\n`;
  });
  writeFileSync(path.join(directory, 'screeners.ndjson'), looks.join(''));
  return directory;
}

interface Account {
  readonly words: readonly string[];
  readonly at: number;
}

const ACCOUNTS: Readonly<Record<string, Account>> = {
  'the demo': { words: ['--demo', 'today'], at: NOW },
  'words that stand': {
    words: ['today', '--from', accountWith('standing', STANDING)],
    at: END + HOUR,
  },
  'all kinds of news': {
    words: ['today', '--from', accountWith('news', NEWS, CARDS_WITH_NUMBER)],
    at: END + HOUR,
  },
  'a change that helped': {
    words: ['today', '--from', accountWithChange('helped', 20)],
    at: END + HOUR,
  },
  'a change found this week': {
    words: ['today', '--from', accountWithChange('found', 2)],
    at: END + HOUR,
  },
  'an old history': { words: ['today', '--from', accountWith('old', NEWS)], at: END + 3 * DAY },
  'an empty history': { words: ['today', '--from', accountWith('empty', [], [])], at: END + HOUR },
  'an empty history of old': {
    words: ['today', '--from', accountWith('empty-old', [], [])],
    at: END + 40 * DAY,
  },
  'a history of one day': {
    words: ['today', '--from', writeCards(path.join(home.folder, 'day'), world(1, 12))],
    at: FIRST + DAY,
  },
};

async function look({ words, at }: Account, ...more: string[]) {
  const ran = await runHere([...words, ...more], { home, clock: new TestClock(at) });
  expect({ code: ran.code, errors: ran.stderr.replace(/^Demo: .*\n/, '') }).toEqual({
    code: 0,
    errors: '',
  });
  return ran.stdout;
}

describe.each(Object.entries(ACCOUNTS))('today of %s', (_, account) => {
  it('says nothing twice', async () => {
    const page = await look(account);
    const { by_type: types } = JSON.parse(await look(account, '--json'));
    const names: string[] = types.map((type: Json) => type.screener_type);
    const sentences = new Map<string, number>();
    for (const line of page.split('\n')) {
      const type = names.find((name) => line.includes(name)) ?? '';
      for (const clause of line.split(/[:;.,()] ?| {2,}/)) {
        // A number alone, a name, or one word of a table is no statement.
        if (!/[a-z].* [a-z\d]/i.test(clause) || /^\d+h ago$/.test(clause)) continue;
        const key = `${type} ${clause.trim().toLowerCase()}`;
        sentences.set(key, (sentences.get(key) ?? 0) + 1);
      }
    }
    expect([...sentences].filter(([, times]) => times > 1)).toEqual([]);
    for (const name of names) {
      const ofType = page.split('\n').filter((line) => line.includes(name));
      const toDo = ofType.join('\n').match(/worth (keeping|dropping)/gi) ?? [];
      expect({ name, times: toDo.length }).toEqual({ name, times: Math.min(1, toDo.length) });
    }
  });

  it('has its parts in their order', async () => {
    const page = await look(account);
    const parts = [
      /^Nothing exported/m,
      /^(Keep|To do|No verdict yet) /m,
      /^TYPE /m,
      /^Last 24 h /m,
      /^Credits /m,
      /^NEWEST CARDS /m,
    ];
    const places = parts.map((part) => page.search(part)).filter((place) => place >= 0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.length, 'how many places are named').toBeGreaterThan(1);
  });

  it('tells the news of its --json, in their order', async () => {
    const page = await look(account);
    const { news } = JSON.parse(await look(account, '--json'));
    const changes = JSON.parse(await look(account, '--changes', '--json')).items;
    const [beforeTypes = ''] = page.split(/^(?:Keep|To do|No verdict yet) /m);
    const told = news.map(({ message, command }: Json) =>
      command === null ? message : `${message}\n  ${command}`,
    );
    expect(beforeTypes).toContain(told.join('\n'));
    expect(changes.map(({ message }: Json) => message)).toEqual(
      expect.arrayContaining(news.map(({ message }: Json) => message)),
    );
  });
});

const PICKS = path.join(home.folder, 'picks.txt');
const idsPicked = world(60, 12).map(({ id }: Json) => id);
writeFileSync(PICKS, idsPicked.slice(0, 20).join('\n'));

const pageOf = (name: string) => look(ACCOUNTS[name] as Account);

it.each([
  { of: 'stats', words: ['stats', '--from', accountWith('old-stats', NEWS)] },
  {
    of: 'stats --by type',
    words: ['stats', '--from', accountWith('old-types', NEWS), '--by', 'type'],
  },
  {
    of: 'stats --by settings',
    words: [
      'stats',
      '--by',
      'settings',
      '--type',
      'oi_surge',
      '--from',
      accountWith('old-set', NEWS),
    ],
  },
  { of: 'screeners', words: ['screeners', '--from', accountWith('old-screeners', NEWS)] },
  { of: 'tune', words: ['tune', '--from', accountWith('old-tune', NEWS)] },
  {
    of: 'stats --picked',
    words: ['stats', '--picked', PICKS, '--from', accountWith('old-picks', NEWS)],
  },
  {
    of: 'the page of a type',
    words: ['screeners', 'oi_surge', '--from', accountWith('old-page', NEWS)],
  },
])('$of says first and once that nothing was exported of late', async ({ words }) => {
  const old = await runHere(words, { home, clock: new TestClock(END + 3 * DAY) });
  const directory = words.at(words.indexOf('--from') + 1);
  const asOf = `This page is as of ${dayAndMonth(END)}.`;
  const overdue = `Nothing exported for 3 days. ${asOf}\n  screener signals export ${directory}\n`;
  expect({ code: old.code, stderr: old.stderr, stdout: old.stdout }).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Nothing exported for 3 days\./),
  });
  expect(old.stdout.split(`${overdue}\n`)).toEqual(['', expect.not.stringContaining('exported')]);
  const json = await runHere([...words, '--json'], { home, clock: new TestClock(END + 3 * DAY) });
  const recent = await runHere(words, { home, clock: new TestClock(END + HOUR) });
  expect({ json: json.stderr, recent: recent.stderr }).toEqual({ json: '', recent: '' });
  expect(recent.stdout).not.toContain('Nothing exported');
});

it('beside a table of fields a note says that nothing was exported of late', async () => {
  const directory = accountWith('old-fields', NEWS);
  const words = ['stats', '--by', 'type', '--fields', 'group', '--from', directory];
  const { stdout, stderr } = await runHere(words, { home, clock: new TestClock(END + 3 * DAY) });
  expect({ stdout, stderr }).toEqual({
    stdout: expect.not.stringContaining('exported'),
    stderr: `Nothing exported for 3 days.\n  screener signals export ${directory}\n`,
  });
});

it('has the day of a verdict in the line of its type, unless the news say it in the same words', async () => {
  const notebook = [
    typeLine(40, 'oi_surge', 'below'),
    typeLine(3, 'volume_spike', 'above'),
    typeLine(2, 'oi_surge', 'below', 'below'),
  ];
  const directory = accountWith('days', notebook);
  const clock = new TestClock(END + HOUR);
  const { stdout } = await runHere(['today', '--from', directory], { home, clock });
  const dayOf = (daysAgo: number) => dayAndMonth(END - daysAgo * DAY);
  const lineOf = (type: string) =>
    stdout.split('\n').find((line) => new RegExp(`^${type} +\\d`).test(line));
  expect({ news: stdout, below: lineOf('oi_surge'), above: lineOf('volume_spike') }).toEqual({
    news: expect.stringContaining(`oi_surge: below BTC, too, since ${dayOf(2)}: worth dropping.`),
    below: expect.stringContaining(`  below since ${dayOf(40)}, below BTC, too`),
    above: expect.stringMatching(/ {2}above$/),
  });
});

it('says of a changed verdict since when the settings are in force, only if they took it', async () => {
  const before = timeAt(END - 40 * DAY);
  const since = timeAt(END - 5 * DAY);
  const directory = accountWith('settings-took', [
    { ...typeLine(20, 'price_breakout', 'above'), settings_since: before },
    { ...typeLine(20, 'oi_surge', 'above'), settings_since: before },
    { ...typeLine(20, 'volume_spike', 'below'), settings_since: before },
    // The settings as before, new ones, and new ones under which there is a verdict again.
    { ...typeLine(2, 'price_breakout', 'unclear'), settings_since: before },
    { ...typeLine(2, 'oi_surge', 'unclear'), settings_since: since },
    { ...typeLine(2, 'volume_spike', 'above'), settings_since: since },
  ]);
  const clock = new TestClock(END + HOUR);
  const ran = await runHere(['today', '--from', directory, '--json'], { home, clock });
  const changes: readonly Json[] = JSON.parse(ran.stdout).verdicts_changed;
  expect({
    code: ran.code,
    stderr: ran.stderr,
    changes: changes.map(({ screener_type: type, settings_since }) => ({ type, settings_since })),
  }).toEqual({
    code: 0,
    stderr: '',
    changes: [
      { type: 'price_breakout', settings_since: null },
      { type: 'oi_surge', settings_since: since },
      { type: 'volume_spike', settings_since: null },
    ],
  });
});

it('an end that the user typed is no end of the exports', async () => {
  const words = ['stats', '--by', 'type', '--from', accountWith('old-until', NEWS)];
  const clock = new TestClock(END + 3 * DAY);
  const typed = await runHere([...words, '--until', formatApiTime(END)], { home, clock });
  const open = await runHere(words, { home, clock });
  expect({ typed: typed.stdout, open: open.stdout }).toEqual({
    typed: expect.not.stringContaining('Nothing exported'),
    open: expect.stringMatching(/^Nothing exported/),
  });
});

it('report says on its page that nothing was exported of late, and of which day it is', async () => {
  const directory = accountWith('old-report', NEWS);
  const pageAt = async (at: number) => {
    const words = ['report', '-', '--from', directory];
    const ran = await runHere(words, { home, clock: new TestClock(at) });
    return /<p class="overdue">(.*?)<\/p>/.exec(ran.stdout)?.[1];
  };
  expect({ old: await pageAt(END + 3 * DAY), recent: await pageAt(END + HOUR) }).toEqual({
    old: expect.stringMatching(/^Nothing exported for 3 days\. This page is as of \d+ \w+\.$/),
    recent: undefined,
  });
});

it('lists five of the biggest moves at most, by their difference to BTC', async () => {
  const json = JSON.parse(await look(ACCOUNTS['words that stand'] as Account, '--json'));
  const moves: Json[] = json.biggest_moves;
  expect(moves.length, 'moves in JSON').toBeGreaterThan(5);
  const size = (card: Json) =>
    card.btc_move_24h_pct === null
      ? 0
      : Math.abs(Number(card.move_24h_pct) - Number(card.btc_move_24h_pct));
  const sorted = moves.toSorted((one, other) => size(other) - size(one)).slice(0, 5);
  const { words, at } = ACCOUNTS['words that stand'] as Account;
  const ran = await runHere(words, { home, clock: new TestClock(at), tty: 80, rows: 200 });
  const idsBelow = (header: string) => {
    const [, list = ''] = ran.stdout.split(header);
    const [rows = ''] = list.split(/\r?\n\r?\n/);
    return rows
      .trimEnd()
      .split(/\r?\n/)
      .slice(1)
      .map((row) => Number(row.trim().split(/ +/).at(-1)));
  };
  expect(idsBelow('BIGGEST VS BTC')).toEqual(sorted.map(({ id }) => id));
  expect(idsBelow('NEWEST CARDS')).toEqual(json.newest.slice(0, 5).map(({ id }: Json) => id));
});

it('begins with what to keep, to drop and to change, and has the verdicts below', async () => {
  const page = await pageOf('words that stand');
  const [head] = page.split('\n\n');
  expect(head?.split('\n')).toEqual([
    expect.stringMatching(
      /^Keep {4}price_breakout \(\+\d\.\d pp vs your other cards\); for now also volume_spike$/,
    ),
    expect.stringMatching(
      /^Drop {4}oi_surge \([+-]\d\.\d pp vs your other cards, [+-]\d\.\d vs BTC\)$/,
    ),
    'Change  nothing found yet',
  ]);
  expect(page).toMatch(/^price_breakout +\d+ +\d\.\d +above since 2 Sep$/m);
  expect(page).toMatch(/^oi_surge +\d+ +\d\.\d +below since 2 Sep, below BTC, too$/m);
});

it('lists its types in the order of the ranking', async () => {
  const page = await pageOf('words that stand');
  const ranking = await look({
    words: ['stats', '--by', 'type', '--from', path.join(home.folder, 'standing')],
    at: END + HOUR,
  });
  const [, table = ''] = page.split(/^TYPE .*\n/m);
  const [rows = ''] = table.split('\n\n');
  expect(rows.split('\n').map((row) => row.split(' ')[0])).toEqual(
    rankedLines(ranking).map(({ group }) => group),
  );
});

// The notebook's line is invented: the figures of the page are those of the cards.
it('calls no type worth keeping that does less lately', async () => {
  const directory = accountWith('lately', [
    ...STANDING,
    { ...latelyLine, at: timeAt(END - 20 * DAY) },
  ]);
  const page = await look({ words: ['today', '--from', directory], at: END + HOUR });
  expect(page).toMatch(
    /^Wait +price_breakout: do not act on its cards until newer ones show it again \(\+3\.2 pp in the last 30 days, \+2\.8 before\)\nKeep +for now volume_spike$/m,
  );
  expect(page).toMatch(/^price_breakout +\d+ +\d\.\d +may have stopped working$/m);
  const words = ['stats', '--from', directory, '--by', 'type'];
  const ranking = await look({ words, at: END + HOUR });
  expect(ranking).toMatch(/^Wait +price_breakout: /m);
  expect(ranking).toMatch(
    /^Above your other cards, but may have stopped working\n {2}price_breakout .* \+3\.2, was \+2\.8 {2}since 2 Sep$/m,
  );
  expect(page + ranking).not.toMatch(/worth keeping/i);
});

it('tells each kind of news with what to do, and leads to it from the words below', async () => {
  const page = await pageOf('all kinds of news');
  const [news, head, rest = ''] = page.split('\n\n');
  const tune = `screener tune volume_spike --from ${path.join(home.folder, 'news')}`;
  expect(news).toBe(
    [
      'price_breakout: above your other cards since 27 Sep (+2.31 pp then, perhaps nearer to 0).',
      'oi_surge: below your other cards since 28 Sep (-1.20 pp then, perhaps nearer to 0). It is below BTC, too: worth dropping.',
      'volume_spike: the higher oi_change_pct, the better (found on 29 Sep). Act only on cards with oi_change_pct at 3.9 or more.',
      `  ${tune}`,
      'price_breakout: +0.50 in the last 30 days, +2.20 before, vs your other cards (found on 30 Sep). It may have stopped working: do not act on its cards until newer ones show it again.',
      'oi_surge: your change of 2 Sep helped. Keep the new settings.',
    ].join('\n'),
  );
  // Which cards to act on stands in the news already.
  expect(head?.split('\n')).toEqual([
    'Wait    price_breakout',
    'Keep    for now volume_spike',
    'Drop    oi_surge',
    expect.stringMatching(
      /^Change {2}volume_spike: expect about \+\d\.\d pp more per card, with \d\.\d cards a day instead of \d\.\d$/,
    ),
  ]);
  expect(rest).toMatch(/^price_breakout +\d+ +\d\.\d +may have stopped working$/m);
  expect(rest).toMatch(/^oi_surge +\d+ +\d\.\d +below others and BTC$/m);
  const { news: items } = JSON.parse(
    await look(ACCOUNTS['all kinds of news'] as Account, '--json'),
  );
  expect(items.map(({ message, at, ...item }: Json) => item)).toEqual([
    // It may have stopped working.
    item('verdict', 'price_breakout', 'above_others', null),
    item('verdict', 'oi_surge', 'below_others', 'drop'),
    { ...item('number', 'volume_spike', 'higher', null), number: 'oi_change_pct', command: tune },
    item('lately', 'price_breakout', 'less', null),
    item('change', 'oi_surge', 'higher', 'drop'),
  ]);
});

it('breaks the news of --changes between words on a terminal, and nowhere else', async () => {
  const linesOf = async (tty?: number) => {
    const directory = accountWith(`news in ${tty ?? 'a pipe'}`, NEWS);
    const { stdout } = await runHere(['today', '--changes', '--from', directory], {
      home,
      ...(tty === undefined ? {} : { tty }),
      clock: new TestClock(END + HOUR),
    });
    return stdout.replaceAll('\r', '').trimEnd().split('\n');
  };
  const sentences = (lines: readonly string[]) =>
    lines.filter((line) => !line.startsWith('  screener'));
  const broken = sentences(await linesOf(80));
  const whole = sentences(await linesOf());
  expect(Math.max(...broken.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(whole).toHaveLength(NEWS.length);
  expect(broken.join(' ')).toBe(whole.join(' '));
});

function item(kind: string, screener_type: string, verdict: string, to_do: string | null) {
  return { kind, screener_type, number: null, verdict, to_do, command: null };
}

it('begins with the command that exports, where the history is old, and has no last 24 h', async () => {
  const page = await pageOf('an old history');
  expect(page).toMatch(
    /^Nothing exported for 3 days\. This page is as of \d+ \w+\.\n {2}screener signals export \S+\n\nvolume_spike: /,
  );
  expect(page).not.toMatch(/Last 24 h|last 24 h|CARDS +USUAL|BIGGEST/);
  expect(page).toMatch(/^Wait +price_breakout/m);
  expect(page).toMatch(/^price_breakout +\d\.\d +may have stopped working$/m);
});

it('says what the last change did while it is news, and once', async () => {
  const before = await pageOf('a change that helped');
  expect(before).not.toContain('helped');
  const page = await pageOf('a change found this week');
  expect(page).toMatch(/^volume_spike: your change of 23 Aug helped\. Keep the new settings\.$/m);
  expect(page.match(/volume_spike.*helped/g)).toHaveLength(1);
});

it('says so where there is no card', async () => {
  const empty = await pageOf('an empty history');
  expect(empty).toMatch(/^No verdict yet {2}needs 12 days of outcomes; /);
  expect(empty).toMatch(/^Last 24 h +0 cards, until 1 hour ago$/m);
  expect(await pageOf('an empty history of old')).toMatch(
    /^Nothing exported for 40 days\. This page is as of \d+ \w+: it may no longer hold\.\n {2}screener signals export \S+\n\n/,
  );
});
