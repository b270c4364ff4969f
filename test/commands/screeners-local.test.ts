import path from 'node:path';
import { describe, expect } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY } from '../../src/base/units.ts';
import { localScreeners } from '../../src/commands/screeners-local.ts';
import { appendScreeners } from '../../src/history/store/answers.ts';
import type { ScreenersLook } from '../../src/history/store/settings-periods.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { DEFAULT_QUESTION } from '../../src/outcomes/question.ts';
import type { LocalScreener } from '../../src/output/views/local-screeners.ts';
import { evidenceOf, knownScreeners } from '../outcomes/support.ts';
import { it } from '../support/fixtures.ts';
import { writeCards, writeListed } from '../support/history.ts';
import { NOW as HERE } from '../support/in-process.ts';
import { measuredDetail, nthCard, nthSettled } from '../support/samples.ts';

const NOW = Date.UTC(2026, 10, 20);

const outcome = { state: 'available', move: 2, btc: 0 };
const rows = (type: string, daysAgo: readonly number[]) =>
  daysAgo.map((days, id): HistoryCard => {
    return {
      id,
      symbol: 'BTCUSDT',
      type,
      at: NOW - days * DAY,
      isBought: true,
      outcomes: byHorizon(() => outcome),
    };
  });
const look = (...items: { type: string; active: boolean }[]): ScreenersLook[] => [
  {
    at: NOW - 30 * DAY,
    screeners: {
      scope: 'current_settings',
      items: items.map((item) => ({ ...item, conditions: { level: 3 } })),
    },
  },
];

const screenersOf = (cards: readonly HistoryCard[], looks: ScreenersLook[], until = NOW) => {
  const screeners = looks.at(-1)?.screeners.items ?? [];
  const known = knownScreeners(screeners, cards, until);
  const newestFirst = cards.toSorted((a, b) => b.at - a.at);
  const evidence = evidenceOf(newestFirst, { now: NOW, until });
  return localScreeners({ evidence, looks, known }, figuresOf(evidence, DEFAULT_QUESTION));
};
const halfDays = Array.from({ length: 56 }, (_, n) => n / 2);

describe('screeners --local', () => {
  it('counts cards a day and settled outcomes, and names an active screener silent for 14 days', () => {
    const cards = [
      ...rows('price', halfDays),
      ...rows('oi', [20, 21]),
      ...rows('off', [20]),
      ...rows('unset', [1]),
    ];
    const active = ['price', 'oi', 'never'].map((type) => ({ type, active: true }));
    const screeners = screenersOf(cards, look(...active, { type: 'off', active: false }));
    const states = screeners.map(({ type, active, cards_per_day, silent }) => {
      return { type, active, perDay: Math.round(cards_per_day), silent };
    });
    expect(states).toEqual([
      { type: 'price', active: true, perDay: 2, silent: false },
      { type: 'oi', active: true, perDay: 0, silent: true },
      { type: 'never', active: true, perDay: 0, silent: true },
      { type: 'off', active: false, perDay: 0, silent: false },
      { type: 'unset', active: null, perDay: 0, silent: false },
    ]);
    expect(screeners[0]?.horizons['24h']).toMatchObject({
      sample: 56,
      verdict: expect.any(String),
    });
    expect(screeners[0]?.conditions).toEqual({ level: 3 });
    expect(screeners[2]).toMatchObject({ last_card_at: null, horizons: { '24h': null } });
    expect(screeners[4]).toMatchObject({ conditions: null, configured_at: null });
    // What came since the end of an old history is no silence.
    const old = screenersOf(rows('oi', [50]), look({ type: 'oi', active: true }), NOW - 40 * DAY);
    expect(old[0]?.silent, 'the type is silent').toBe(false);
  });

  it('says since when a type is switched off, in words and as data', async ({ here, home }) => {
    const cards = [0, 1, 2].map((n) => ({
      ...nthSettled(n, HERE - (20 + n) * DAY),
      source_bot_type: n === 0 ? 'on' : 'off',
    }));
    const folder = writeListed(writeCards(path.join(home.folder, 'h'), cards), HERE);
    const itemsOf = (isOn: boolean) => [
      { type: 'on', active: true, conditions: { level: 3 } },
      { type: 'off', active: isOn, conditions: { level: 3 } },
    ];
    for (const { days, isOn } of [
      { days: 30, isOn: true },
      { days: 9, isOn: false },
      { days: 2, isOn: false },
    ]) {
      const screeners = { scope: 'current_settings' as const, items: itemsOf(isOn) };
      await appendScreeners(folder, screeners, HERE - days * DAY, null);
    }
    const json = await here(['screeners', '--from', folder, '--json']);
    const items: readonly Pick<LocalScreener, 'type' | 'off_since'>[] = JSON.parse(
      json.stdout,
    ).items;
    const times = items.map(({ type, off_since }) => ({ type, off_since }));
    expect(times).toEqual([
      { type: 'off', off_since: formatApiTime(HERE - 9 * DAY) },
      { type: 'on', off_since: null },
    ]);
    for (const command of ['screeners', 'today']) {
      const page = await here([command, '--from', folder]);
      expect(page.stdout, command).toMatch(/^off \(off since \d+ \w{3}\) /m);
      expect(page.stdout, command).not.toMatch(/^on \(/m);
    }
    const ranking = await here(['stats', '--from', folder, '--by', 'type']);
    expect(ranking.stdout).toMatch(/^ *off \(off\) /m);
    expect(ranking.stdout).not.toMatch(/^ *on \(/m);
  });

  it('counts cards that repeat their type on the symbol, and those beside another type', async ({
    home,
    here,
  }) => {
    const HOUR = DAY / 24;
    const first = HERE - 10 * DAY;
    const card = (type: string, symbol: string, createdAt: number, id: number) =>
      measuredDetail(
        {
          ...{ id, source_bot_type: type, source_symbol: symbol },
          created_at: new Date(createdAt).toISOString(),
        },
        () => outcome,
      );
    // Four times a day for ten days; every other time within an hour, every fourth, or a minute after it.
    const cards = Array.from({ length: 40 }, (_, n) => {
      const time = first + n * 6 * HOUR;
      const every = (step: number, ...some: object[]) => (n % step === 0 ? some : []);
      return [
        card('lonely', 'AUSDT', time, n * 10 + 1),
        ...every(2, card('beside', 'AUSDT', time + HOUR, n * 10 + 2)),
        card('repeating', 'BUSDT', time, n * 10 + 3),
        ...every(4, card('repeating', 'BUSDT', time + HOUR / 2, n * 10 + 4)),
        ...every(1, card('late', 'BUSDT', time + HOUR + 60_000, n * 10 + 5)),
      ];
    }).flat();
    const from = writeListed(writeCards(path.join(home.folder, 'company'), cards), HERE);
    const { stdout } = await here(['screeners', '--from', from, '--json']);
    const items: readonly LocalScreener[] = JSON.parse(stdout).items;
    const rates = items.map(({ type, ...item }) => ({
      type,
      cards: item.cards_per_day,
      repeats: item.repeats_per_day,
      overlaps: item.overlaps_per_day,
    }));
    expect(rates.sort((a, b) => a.type.localeCompare(b.type))).toEqual([
      { type: 'beside', cards: 2, repeats: 0, overlaps: 2 },
      // With the repetition half an hour before it.
      { type: 'late', cards: 4, repeats: 0, overlaps: 1 },
      { type: 'lonely', cards: 4, repeats: 0, overlaps: 2 },
      { type: 'repeating', cards: 5, repeats: 1, overlaps: 1 },
    ]);
  });

  it('takes all rates of a type over the same days, if its settings are older than the cards', async ({
    home,
    here,
  }) => {
    // A pair of cards on each of ten days: the second card of a pair repeats the first.
    const cards = Array.from({ length: 20 }, (_, n) => ({
      ...nthSettled(n, HERE - 10 * DAY + Math.floor(n / 2) * DAY + (n % 2) * 60_000),
      source_bot_type: 'pairs',
      source_symbol: 'BUSDT',
    }));
    const folder = writeListed(writeCards(path.join(home.folder, 'h'), cards), HERE);
    for (const { days, level } of [
      { days: 30, level: 3 },
      { days: 20, level: 4 },
    ]) {
      const items = [{ type: 'pairs', active: true, conditions: { level } }];
      const screeners = { scope: 'current_settings' as const, items };
      await appendScreeners(folder, screeners, HERE - days * DAY, null);
    }
    const { stdout } = await here(['screeners', '--from', folder, '--json']);
    const [pairs]: readonly LocalScreener[] = JSON.parse(stdout).items;
    expect(pairs).toMatchObject({ cards_per_day: 2, repeats_per_day: 1 });
  });

  it.for(['today', 'screeners', 'stats --by type'])(
    '%s offers an export into the history that it reads',
    async (command, { home, here }) => {
      const cards = halfDays.map((days, id) =>
        measuredDetail(
          { id, created_at: new Date(HERE - days * DAY).toISOString() },
          () => outcome,
        ),
      );
      const from = writeCards(path.join(home.folder, 'copied'), cards);
      const { stdout } = await here([...command.split(' '), '--from', from]);
      expect(stdout).toContain(
        `Verdicts get their dates from the next \`screener signals export ${from}\`.`,
      );
    },
  );

  it.for([
    { command: 'signals ls --symbol NOSUCH', what: 'lists new ones' },
    { command: 'stats --symbol NOSUCH', what: 'lists new ones' },
    { command: 'stats --by type --symbol NOSUCH', what: 'lists new ones' },
    { command: 'screeners', what: 'records them' },
    { command: 'signals show 9000', what: 'buys the outcome' },
  ])(
    '$command names the export into the history that it reads',
    async ({ command, what }, { home, here }) => {
      const card = { ...nthCard(0), created_at: new Date(HERE - 30 * DAY).toISOString() };
      const from = writeCards(path.join(home.folder, 'copied'), [card]);
      const { stdout, stderr } = await here([...command.split(' '), '--from', from]);
      expect(`${stdout}${stderr}`).toContain(`\`screener signals export ${from}\` ${what}.`);
    },
  );

  it('shows the page of one screener, and only from a history', async ({ here }) => {
    const ran = await here(['--demo', 'screeners', 'price_spike', '--local']);
    expect(ran.stdout).toMatch(/^price_spike\nVerdict vs others +unclear[;,:] .*; keep for now\n/);
    expect(ran.stdout).toMatch(/^Advice +none yet: \d+ of about \d+ outcomes$/m);
    // What each side of the change did is a page of its own.
    expect(ran.stdout).toMatch(
      /^Change +\d+ \w+: parts 1 price abs >= 1\.6 instead of 1\.2 \(helped\)$/m,
    );
    const command = 'screener --demo stats --local --type price_spike --by settings';
    expect(ran.stdout).toContain(`\n  ${command}\n`);
    const settings = await here(command.split(' ').slice(1));
    const text = settings.stdout.replace(/\s+/g, ' ');
    expect(text).toMatch(
      /^Did your change of price_spike help\? Yes \d+ \w+: parts 1 price abs >= 1\.6 instead of 1\.2\. It helped \(found on \d+ \w+\): its cards did \d\.\d\d pp better than before, compared with 4 other types \(95 %: [^)]+\)\. The answer is taken back if the 95 % range reaches 0 on two days\. Keep the new settings\. /,
    );
    expect(settings.stdout.match(/^SETTINGS +A DAY +N +VS BTC +VS 4 TYPES$/gm)).toHaveLength(1);
    expect(settings.stdout).toMatch(/^until \d+ \w+ [\s\S]*^since \d+ \w+ /m);
    expect(text).toMatch(
      / N, VS BTC, VS 4 TYPES: from what you bought so far \(\d+ left out: too few other cards on their days\)\. VS 4 TYPES: compared with breakout, funding_extreme, oi_growth and volume_burst on the same days\. /,
    );
    expect(ran.stdout).toMatch(/^ {2}screener --demo tune price_spike$/m);
    const { items, periods, changes, questions } = JSON.parse(
      (await here(['--demo', 'screeners', 'price_spike', '--local', '--json'])).stdout,
    );
    expect({
      screeners: items.length,
      periods: periods.length,
      changes: changes.length,
    }).toEqual({ screeners: 1, periods: 2, changes: 1 });
    expect(changes[0].horizons['24h'].verdict).toBe('higher');
    expect(questions.length, 'how many questions there are').toBeGreaterThan(0);
    const online = await here(['--demo', 'screeners', 'price_spike']);
    expect(online.code).toBe(2);
    expect(online.stderr).toContain('screener --demo screeners price_spike --local');
  });

  it('says on the page of each type that sent cards what to change, or why nothing', async ({
    here,
  }) => {
    const adviceOf = async (type: string) => {
      const { stdout } = await here(['--demo', 'screeners', type, '--local']);
      return /^Advice +(.*)$/m.exec(stdout)?.[1];
    };
    expect({
      tested: await adviceOf('volume_burst'),
      toDrop: await adviceOf('funding_extreme'),
      withoutCards: await adviceOf('liquidations'),
    }).toEqual({
      tested: 'none: no number at the trigger clearly tells good cards from bad',
      toDrop: 'none: worth dropping',
      withoutCards: undefined,
    });
  });

  it.for([80, 220])('has two lines of each in %i columns', async (columns, { here }) => {
    const words = ['--demo', 'screeners', '--local', '--no-color'];
    const { stdout } = await here(words, { tty: columns });
    expect(stdout).toMatch(/^TYPE +A DAY +VERDICT \(VS YOUR OTHER CARDS\)$/m);
    expect(stdout).toMatch(
      /^oi_growth +\d+\.\d +worth keeping: above since \d+ \w+\r?\n {2}oi min 2\.8; /m,
    );
  });

  it('says once settings that all screeners have, and lists types in the order of the ranking', async ({
    home,
    here,
  }) => {
    const cards = ['slow', 'pump'].flatMap((source_bot_type, type) =>
      Array.from({ length: 40 }, (_, n) =>
        measuredDetail(
          {
            id: 100 * type + n + 1,
            created_at: formatApiTime(HERE - (n + 2) * DAY),
            source_bot_type,
          },
          () => ({ state: 'available', move: 3 * type + (n % 5), btc: 0.1 }),
        ),
      ),
    );
    const from = writeCards(path.join(home.folder, 'alike'), cards);
    const screeners = (level: number) => ({
      scope: 'current_settings' as const,
      items: [
        { type: 'slow', active: true, conditions: { level: 1 } },
        { type: 'pump', active: true, conditions: { level } },
      ],
    });
    await appendScreeners(from, screeners(1), HERE - 45 * DAY, null);
    const alike = (await here(['screeners', '--from', from])).stdout;
    expect(alike).toMatch(
      /\nTYPE +A DAY +VERDICT \(VS BTC\)\npump .*\nslow .*\nSettings of all: level 1\nA DAY: /,
    );
    await appendScreeners(from, screeners(2), HERE - DAY, new Date(HERE - 2 * DAY).toISOString());
    const different = (await here(['screeners', '--from', from])).stdout;
    expect(different).toMatch(/^TYPE +A DAY .*SETTINGS$/m);
    expect(different).not.toContain('Settings of all');
  });

  it('of a silent type says when its last card came, and since when it has its settings', async ({
    here,
  }) => {
    const ran = await here(['--demo', 'screeners', 'breakout', '--local']);
    expect(ran.stdout.replace(/\s+/g, ' ')).toMatch(
      / Silent switched on, but no card for \d+ days\. The last card came on \d+ \w{3}\. Its settings have not changed since \d+ \w{3}, when they were first recorded\. Advice Check its settings: loosen them, or switch it off\. /,
    );
    // There is no change of its settings to compare.
    expect(ran.stdout).toMatch(/^ {2}screener --demo stats --local --type breakout$/m);
    expect(ran.stdout).not.toContain('--by settings');
  });

  it('says which is silent, and what to try, as the ranking does; figures are elsewhere', async ({
    here,
  }) => {
    const ran = await here(['--demo', 'screeners', '--local']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(
      /^A DAY: cards a day in the last 28 days, or since the last change of settings; was \d\.\d: until its last card$/m,
    );
    expect(ran.stdout).toMatch(/^breakout +was \d\.\d +no card for \d+ days: check its settings/m);
    expect(ran.stdout).toMatch(/^liquidations \(off\) +– +no cards /m);
    expect(ran.stdout).toMatch(
      /\nFigures and intervals:\n {2}screener --demo stats --local --by type\n$/,
    );
    expect(ran.stdout).not.toMatch(/VS BTC|%/);
    const ranking = await here(['--demo', 'stats', '--local', '--by', 'type']);
    const advice =
      /^(?:Worth trying|Change)? +oi_growth: oi_change_pct at (\d\.\d+) or more \(probably oi min, now 2\.8\)\. Expect about (\+\d\.\d) pp more per card, with (\d+\.\d) cards a day/m;
    const told = [ran, ranking].map(({ stdout }) => advice.exec(stdout)?.slice(1));
    expect(told[0]).toHaveLength(3);
    expect({ ofRanking: told[1] }).toEqual({ ofRanking: told[0] });
    const page = await here(['--demo', 'screeners', 'oi_growth', '--local']);
    expect(page.stdout.replace(/\s+/g, ' ')).toMatch(
      /Advice Act only on cards with .*: expect about \+\d\.\d pp more per card, with/,
    );
    expect(page.stdout).toMatch(
      /^Outcomes +\d+, counted by the service in \d+ days up to \d+ \w{3}$/m,
    );
    expect(page.stdout).toMatch(/\sIt is\s+asked\s+again\s+on\s+\d+\s+\w{3}\.$/m);
    expect(page.stdout).not.toMatch(/asked on/);
    expect((await here(['--demo', 'tune', 'oi_growth', '--detail'])).stdout).toMatch(
      / was chosen on \d+ \w+, as the loosest that clearly helped then\.\n/,
    );
    const figures = (await here(['--demo', 'stats', 'oi_growth', '--local', '--detail'])).stdout;
    const [, vsBtc] = /^ *oi_growth +\d+ +(\S+)/m.exec(ranking.stdout) ?? [];
    expect(/^Median vs BTC +(\S+) pp/m.exec(figures)?.[1]).toBe(vsBtc);
    expect(figures).toMatch(/^Median vs BTC +\S.*\nMedian vs BTC, bought +\S+ pp \(/m);
    expect(figures).toMatch(
      / come\s+from the service, which counts all outcomes of \d+ days, also\s+those you did not buy\.\s+It was asked on\s+\d+ \w+\.\s+Next:\s+\d/,
    );
    expect(ran.stderr).toBe('Demo: invented data, no key.\n');
  });
});
