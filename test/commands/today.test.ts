import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it as test } from 'vitest';
import { byHorizon, OUTCOME_MILLIS } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR, MINUTE } from '../../src/base/units.ts';
import { itemsOfNews, type UnjudgedHistory, unusual } from '../../src/commands/parts/today-news.ts';
import { summarizeToday } from '../../src/commands/parts/today-summary.ts';
import { lockHistory } from '../../src/history/export/working-history.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import type { News } from '../../src/outcomes/findings.ts';
import { type HistoryCard, historyCardOf } from '../../src/outcomes/history-card.ts';
import { DEFAULT_QUESTION } from '../../src/outcomes/question.ts';
import { type Standing, standingsOf } from '../../src/outcomes/standing.ts';
import { evidenceOf, knownScreeners } from '../outcomes/support.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import { writeCards, writeListed } from '../support/history.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, ok } from '../support/server.ts';
import { judged } from '../support/standing.ts';

/** A card every six hours for three days, with settled outcomes. */
function prepare(server: ApiServer): void {
  const now = NOW;
  server.holds(
    Array.from({ length: 12 }, (_, n) => samples.nthSettled(n, now - (n * 6 + 1) * HOUR)),
  );
}

describe.concurrent('today', () => {
  it('is one screen of 80x24, and sends nothing, also where nobody could answer', async ({
    server,
    here,
    home,
  }) => {
    prepare(server);
    await here(['access', '--quiet', '--json']);
    await here(['signals', 'export', '--quiet']);
    server.requests.length = 0;
    await server.close();
    const ran = await here(['today'], { tty: 80, env: { NO_COLOR: '1' } });
    expect(ran.code).toBe(0);
    const lines = ran.stdout.trimEnd().split(/\r?\n/);
    expect(lines.length, 'lines of the page').toBeLessThanOrEqual(23);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(ran.stdout).toMatch(
      /^Last 24 h +4 cards, usually \d\.\d, until 1 hour ago \(--refresh updates\)$/m,
    );
    // --refresh and --from exclude each other.
    const named = await here(['today', '--from', path.join(home.folder, 'data', 'history')]);
    expect(named.stdout).toMatch(/^Last 24 h +4 cards, usually \d\.\d, until 1 hour ago$/m);
    expect(ran.stdout).toMatch(/^Outcomes +4 measured in that time$/m);
    expect(ran.stdout).toMatch(
      /^No verdict yet +needs 12 days of outcomes; run daily: `screener signals export`$/m,
    );
    expect(ran.stdout).toMatch(/^NEWEST CARDS \(UTC\) +SYMBOL +TYPE +ID$/m);
    expect(ran.stdout).toMatch(/^\d\d:\d\d, 1h ago +\S+ +\S+ +9000$/m);
    expect(ran.stdout).toMatch(
      /^BIGGEST VS BTC +24H MOVE +SYMBOL +TYPE +ID\n\+6\.00 pp +\+7\.00% /m,
    );
    expect(ran.stdout).toMatch(/of 1000 left, reset /);
    // Nothing is wrong: no second paragraph.
    expect(ran.stdout).not.toMatch(/last export|switched on|no card|Credits: /);
    const document = JSON.parse((await here(['today', '--json'])).stdout);
    // Of so few outcomes a median would be chance.
    expect(document.settled['24h']).toMatchObject({ sample: 4, median_move_pct: null });
    expect(document.newest.map(({ id }: { id: number }) => id)).toEqual([9000, 8999, 8998, 8997]);
    expect(server.requests).toEqual([]);
  });

  it('has a notebook from the first export on, even if nothing could be judged yet', async ({
    server,
    here,
  }) => {
    server.holds([{ ...samples.nthDetail(0), created_at: samples.at(NOW - HOUR) }]);
    await here(['signals', 'export', '--no-stats', '--quiet']);
    for (const words of [['today'], ['stats', '--local', '--by', 'type'], ['screeners', '--local']])
      expect((await here(words)).stdout, words.join(' ')).not.toMatch(/findings|their dates/);
    const firstDue = 'the first outcome is due on \\d+ \\w+\\n(?!.*(measured yet|No outcome))';
    for (const { words, title } of [
      { words: 'stats', title: 'price: ' },
      { words: 'screeners', title: 'price\nVerdict +' },
    ])
      expect((await here([words, 'price', '--local'])).stdout, words).toMatch(
        new RegExp(`^${title}${firstDue}`, 's'),
      );
    expect((await here(['stats', 'price', '--local'])).stdout).toMatch(
      /^Measured +0 of 1 card\nNot due +1$/m,
    );
    // One day says nothing of what is usual.
    expect((await here(['today'])).stdout).toMatch(/^Last 24 h +1 card, until /m);
  });

  it('--refresh exports first; if that fails, it is told, and what is there shown', async ({
    server,
    here,
  }) => {
    prepare(server);
    const fresh = await here(['today', '--refresh', '--json']);
    expect(JSON.parse(fresh.stdout).history.cards).toBe(12);
    expect(fresh.stderr).toContain('(12 new)');
    server.always('/signals', failure(503, 3600));
    const away = await here(['today', '--refresh', '--json', '--max-wait', '0']);
    expect(away.code).toBe(8);
    expect(JSON.parse(away.stdout).history.cards).toBe(12);
    const alone = await here(['today', '--json'], { env: { SCREENER_API_KEY: undefined } });
    expect({ code: alone.code, credits: JSON.parse(alone.stdout).credits }).toEqual({
      code: 0,
      credits: null,
    });
  });

  it('--refresh beside another export shows what is there, and says so', async ({
    server,
    here,
    home,
  }) => {
    prepare(server);
    const directory = path.join(home.folder, 'data', 'history');
    mkdirSync(directory, { recursive: true });
    const exporting = lockHistory(directory);
    const first = await here(['today', '--refresh']);
    expect(first).toMatchObject({ code: 1, stdout: '' });
    expect(first.stderr).toMatch(/^error: Another run is exporting into /m);
    exporting.release();
    await here(['signals', 'export', '--quiet']);
    const again = lockHistory(directory);
    const beside = await here(['today', '--refresh', '--json']);
    again.release();
    const note = 'Another export is under way: this is what the history holds so far.\n';
    expect(beside).toMatchObject({ code: 0, stderr: note });
    expect(JSON.parse(beside.stdout).history.cards).toBe(12);
  });

  it('--changes tells each finding and withdrawal once, again if it was not printed', async ({
    server,
    here,
  }) => {
    prepare(server);
    const directory: string = JSON.parse(
      (await here(['signals', 'export', '--json'])).stdout,
    ).directory;
    const file = path.join(directory, 'findings.ndjson');
    const line = (
      verdict: string | null,
      minutes: number,
      set: string | null = null,
      vs_btc = 'unclear',
    ) => {
      const figures = { vs_btc, difference_percentage_points: 2.31, interval_95: null, sample: 9 };
      const rest = { source: 'bought', settings_since: set, least: 1, weak: false };
      const at = new Date(NOW + HOUR - minutes * 60_000).toISOString();
      return `${JSON.stringify({ at, about: 'type', type: 'pump', verdict, to: 'others', ...figures, ...rest })}\n`;
    };
    const later = (words: string[]) => here(words, { clock: new TestClock(NOW + HOUR) });
    const changes = async () => (await later(['today', '--changes'])).stdout;
    appendFileSync(file, line('unclear', 60 * 24) + line('above', 9));
    const news =
      /^pump: above your other cards since \d+ \w{3} \(\+2\.31 pp then, perhaps nearer to 0\)\. Worth keeping\.\n$/;
    expect(await changes()).toMatch(news);
    expect(await later(['today', '--changes'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    appendFileSync(file, line('unclear', 1));
    const [gone] = JSON.parse((await later(['today', '--changes', '--json'])).stdout).items;
    expect(gone).toMatchObject({ kind: 'verdict', screener_type: 'pump' });
    expect(gone.message).toMatch(/no longer above/);
    expect(JSON.parse((await later(['today', '--changes', '--json'])).stdout)).toEqual({
      items: [],
    });
    expect((await later(['today'])).stdout).toMatch(
      /^pump: since \d+ \w{3} no longer above \(\+2\.31 pp then\)\. That alone is no reason to drop it\.$/m,
    );
    appendFileSync(file, line('below', 0.98, null, 'unclear'));
    expect(await changes()).toMatch(
      /Not sure yet whether it is below BTC, too: keep it for now\.$/m,
    );
    appendFileSync(file, line('below', 0.95, null, 'below'));
    expect(await changes()).toMatch(/^pump: below BTC, too, since \d.*: worth dropping\.$/m);
    // Later lines of few days withdraw nothing a second time.
    const set = samples.at(NOW);
    appendFileSync(
      file,
      line('above', 0.9) + line(null, 0.5, set) + line('too_few_days', 0.4, set),
    );
    expect(await changes()).toMatch(/no longer counts as above: its settings changed on \d/);
    expect((await later(['today'])).stdout).toMatch(
      /^pump: no longer counts as above: its settings changed on .*\n\n/,
    );
  });

  it('--refresh without a history says why the export failed', async ({ here, home, server }) => {
    const env = { SCREENER_API_KEY: undefined };
    const { code, stdout, stderr } = await here(['today', '--refresh'], { env });
    const { code: exportCode, stderr: exportStderr } = await here(['signals', 'export'], { env });
    expect({ exportCode, error: exportStderr.split('\n')[0] }).toEqual({
      exportCode: 3,
      error: `error: There is no API key: SCREENER_API_KEY is not set, and ${home.saved} does not exist.`,
    });
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: exportStderr });
    expect(server.requests).toEqual([]);
  });

  it('--changes tells lines of the notebook that are dated ahead of now once', async ({
    server,
    here,
  }) => {
    server.holds([{ ...samples.nthDetail(0), created_at: samples.at(NOW - HOUR) }]);
    const notebook = await notebookOfExport(here);
    const write = (type: string, verdict: string, at: number) =>
      appendFileSync(notebook, verdictLine(type, verdict, at));
    const toldAt = async (now: number) => {
      const words = ['today', '--changes', '--json'];
      const { stdout } = await here(words, { clock: new TestClock(now) });
      const items: readonly Record<'kind' | 'screener_type' | 'verdict', string>[] =
        JSON.parse(stdout).items;
      const verdicts = items.filter(({ kind }) => kind === 'verdict');
      return verdicts.map(({ screener_type, verdict }) => `${screener_type} ${verdict}`);
    };
    write('pump', 'above', NOW + 3 * DAY);
    write('dump', 'above', NOW + 3 * DAY + HOUR);
    const first = await toldAt(NOW + HOUR);
    const again = await toldAt(NOW + 2 * HOUR);
    // The next lines have the right time: the lines above them are then read as of that time.
    write('oi', 'above', NOW + 3 * HOUR);
    const later = await toldAt(NOW + 4 * HOUR);
    write('pump', 'unclear', NOW + 2 * DAY);
    const withdrawn = await toldAt(NOW + 2 * DAY + HOUR);
    const whenClockIsThere = await toldAt(NOW + 3 * DAY + 30 * MINUTE);
    const afterwards = await toldAt(NOW + 4 * DAY);
    expect({ first, again, later, withdrawn, whenClockIsThere, afterwards }).toEqual({
      first: ['pump above_others', 'dump above_others'],
      again: [],
      later: ['oi above_others'],
      withdrawn: ['pump unclear'],
      whenClockIsThere: [],
      afterwards: [],
    });
  });

  it('--changes tells what comes after a first look at an empty notebook, and nothing older', async ({
    server,
    here,
  }) => {
    server.holds([{ ...samples.nthDetail(0), created_at: samples.at(NOW - HOUR) }]);
    const notebook = await notebookOfExport(here);
    const write = (type: string, at: number) =>
      appendFileSync(notebook, verdictLine(type, 'above', at));
    const typesToldAt = async (now: number) => {
      const words = ['today', '--changes', '--json'];
      const { stdout } = await here(words, { clock: new TestClock(now) });
      const items: readonly { screener_type: string }[] = JSON.parse(stdout).items;
      return items.map(({ screener_type }) => screener_type);
    };
    expect(await typesToldAt(NOW), 'told at the first look').toEqual([]);
    write('old', NOW - 2 * DAY);
    write('new', NOW + HOUR);
    expect(await typesToldAt(NOW + 2 * HOUR), 'told at the second look').toEqual(['new']);
  });

  it.for([
    { days: 3, message: 'PRO ends in 3 days: exports stop then, the history stays.' },
    { days: 8, message: undefined },
  ])('of an account whose PRO ends in $days days', async (one, { here, home, server }) => {
    const { days, message } = one;
    const expires_at = samples.at(NOW + days * DAY);
    server.always('/access', ok({ ...samples.access(), expires_at }));
    await here(['access', '--quiet', '--json']);
    const card = samples.nthSettled(1, NOW - 30 * HOUR);
    const from = writeListed(writeCards(path.join(home.folder, 'history'), [card]), NOW);
    const page = await here(['today', '--from', from]);
    const json = JSON.parse((await here(['today', '--from', from, '--json'])).stdout);
    const ofPlan = ({ kind }: samples.Json) => kind === 'plan';
    expect({
      code: page.code,
      line: /^PRO ends .*$/m.exec(page.stdout)?.[0],
      news: json.news.find(ofPlan)?.message,
      unusual: json.unusual.find(ofPlan),
      stderr: page.stderr,
      requests: server.requests.map((request) => request.path),
    }).toEqual({
      code: 0,
      line: message,
      news: message,
      unusual: message && { kind: 'plan', screener_type: null, message, command: null },
      stderr: '',
      requests: ['/access'],
    });
  });

  it('--demo lists as many cards in a pipe as on a high terminal', async ({ here }) => {
    const cardsIn = (page: string) => /^NEWEST CARDS .*\n((?:\d\d:\d\d,? .*\n)*)/m.exec(page)?.[1];
    const clock = new TestClock();
    const env = { NO_COLOR: '1', SCREENER_PAGER: 'cat' };
    const onTerminal = await here(['--demo', 'today'], { tty: 100, rows: 80, clock, env });
    const piped = await here(['--demo', 'today'], { clock, env });
    expect(cardsIn(piped.stdout)).toBe(cardsIn(onTerminal.stdout.replaceAll('\r', '')));
    expect(cardsIn(piped.stdout)?.split('\n').length).toBe(6);
  });

  it('--demo shows what it is for, within a screen', async ({ here }) => {
    const ran = await here(['--demo', 'today'], {
      tty: 80,
      rows: 24,
      clock: new TestClock(),
      env: { NO_COLOR: '1', SCREENER_PAGER: 'cat' },
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout.trimEnd().split(/\r?\n/).length, 'lines of the page').toBeLessThanOrEqual(24);
    const lines = ran.stdout.replaceAll('\r', '').split('\n');
    const head = lines.slice(lines.findIndex((line) => line.startsWith('Keep ')));
    expect(head.join(' ').replaceAll(/\s+/g, ' ')).toMatch(
      /^Keep oi_growth \(\+\d\.\d pp vs your other cards\); for now also price_spike and volume_burst Drop funding_extreme \(-\d\.\d pp vs your other cards, -\d\.\d vs BTC\) Change oi_growth: oi_change_pct at \d\.\d or more \(probably oi min, now 2\.8\)\. Expect about \+\d\.\d pp more per card, with \d+\.\d cards a day instead of \d+\.\d\. breakout sends no cards\. Check its settings: loosen them, or switch it off\. TYPE /,
    );
    expect(ran.stdout).toMatch(/^breakout +0 +was \d\.\d +no card for \d+ days$/m);
    expect(ran.stdout).toMatch(/^oi_growth +\d+ +\d+\.\d +above since /m);
    expect(ran.stdout).toMatch(/^funding_extreme +\d+ +\d+\.\d +below since .*, below BTC, too/m);
    expect(ran.stdout).toMatch(
      /^Last 24 h +\d+ cards, usually \d+, until 1 hour ago \(--refresh updates\)$/m,
    );
    expect(await here(['--demo', 'today', '--refresh', '--quiet', '--json'])).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});

describe('what is not as it should be', () => {
  const NOW = Date.UTC(2026, 10, 20, 18);
  const card = (daysAgo: number, type = 'price') =>
    historyCardOf({ id: 1, source_symbol: 'BTCUSDT', source_bot_type: type }, NOW - daysAgo * DAY);
  const steady = Array.from({ length: 56 }, (_, n) => card(0.4 + n / 2));
  const gap = (days: number) => [...steady, card(days, 'funding')];
  const silentOf = (rows: readonly HistoryCard[], active: boolean, until = NOW) => {
    const screeners = [{ type: 'funding', active, conditions: {} }];
    const known = knownScreeners(screeners, rows, until);
    const evidence = evidenceOf(rows, { now: NOW });
    return standingsOf(figuresOf(evidence, DEFAULT_QUESTION), evidence, known);
  };
  /** @param hours since the last export; null: none has succeeded @param old hours since the history ends */
  const today = (hours: number | null, standings = silentOf(steady, false), old = 0) => ({
    lastExport: {
      updated_at: hours === null ? null : samples.at(NOW - hours * HOUR),
      covered_until: samples.at(NOW - old * HOUR),
    },
    unjudged: undefined as UnjudgedHistory | undefined,
    credits: null,
    standings,
  });
  const commands = { exportCommand: 'export', typeCommand: (type: string) => `page of ${type}` };

  interface Expected {
    readonly kind: string;
    readonly message: string;
    readonly command: string | null;
  }
  const exported = (message: string): Expected => ({ kind: 'export', message, command: 'export' });
  const silent = (days: number): Expected => ({
    kind: 'screener',
    message: `funding: switched on, but no card for ${days} days. Check its settings: loosen them, or switch it off.`,
    command: 'page of funding',
  });

  test.each<[string, ReturnType<typeof today>, Expected | undefined]>([
    [
      'nothing, if all is as ever',
      today(1, silentOf([card(0, 'funding'), ...steady], true)),
      undefined,
    ],
    ['nothing, if one night was missed', today(35, [], 35), undefined],
    ['two nights', today(40, [], 40), exported('Nothing exported for 40 hours.')],
    [
      'for as long as it lasts',
      today(15 * 24, [], 15 * 24),
      exported('Nothing exported for 15 days.'),
    ],
    [
      'exports that fail though cards come',
      today(50, [], 1),
      exported('The last successful export was 2 days ago.'),
    ],
    [
      'a list that ends though exports succeed',
      today(1, [], 50),
      { ...exported('No card listed for 2 days, though exports run.'), command: null },
    ],
    ['none at all', today(null), exported('No export has succeeded yet.')],
    ['a type that used to speak', today(1, silentOf(gap(16), true)), silent(16)],
    ['not after a week of it', today(1, silentOf(gap(22), true)), undefined],
    ['not one that is switched off', today(1, silentOf(gap(16), false)), undefined],
    [
      'nor what came since the end of an old history',
      today(1, silentOf(gap(16), true, NOW - 10 * DAY)),
      undefined,
    ],
    ['one that never spoke', today(1, silentOf(steady.slice(0, 40), true)), silent(19)],
    ['nor in a history of two days', today(1, silentOf(steady.slice(0, 4), true)), undefined],
  ])('%s', (_, known, expected) => {
    const [first] = unusual(NOW, known, commands);
    if (expected === undefined) expect(first).toBeUndefined();
    else expect(first).toMatchObject(expected);
  });

  test('verdicts of an earlier day, because month files lack cards', () => {
    const messageOf = (unjudged: UnjudgedHistory) => {
      const [first] = unusual(NOW, { ...today(1), unjudged }, commands);
      return first;
    };
    const ofAccount = { kind: 'lost', screener_type: null, command: 'export' };
    expect({
      one: messageOf({ judgedAt: '2026-11-14T06:00:00Z', files: ['october'], cards: 1 }),
      two: messageOf({ judgedAt: null, files: ['september', 'october'], cards: 21 }),
    }).toEqual({
      one: {
        ...ofAccount,
        message:
          'Verdicts are of 14 Nov: october lacks 1 card. Append a backup to it. Without one, daily exports list the cards again.',
      },
      two: {
        ...ofAccount,
        message:
          'There are no verdicts yet: september, october lack 21 cards. Append a backup to them. Without one, daily exports list the cards again.',
      },
    });
  });

  test('a silent type that is worth dropping is not to be loosened', () => {
    const standings = [
      judged('funding', 'below', {
        verdictVsBtc: 'below',
        silentDays: 16,
        isNewlySilent: true,
      }),
    ];
    expect(unusual(NOW, today(1, standings), commands)).toMatchObject([
      {
        message:
          'funding: switched on, but no card for 16 days. It is worth dropping: switch it off.',
      },
    ]);
  });

  test('a pause at least twice as long as any before is silence', () => {
    const daily = Array.from({ length: 60 }, (_, n) => card(n, 'funding'));
    const messagesOf = (pause: number, active = true, historyDays = 60) => {
      const until = NOW + pause * DAY;
      const known = {
        screeners: [{ type: 'funding', active, conditions: {} }],
        offSince: new Map<string, number>(),
        firstCardAt: NOW - historyDays * DAY,
        until,
        isListed: true,
        dueAfter: OUTCOME_MILLIS,
      };
      const rows = daily.filter(({ at }) => at >= known.firstCardAt);
      const evidence = evidenceOf(rows, { now: until });
      const standings = standingsOf(figuresOf(evidence, DEFAULT_QUESTION), evidence, known);
      const items = unusual(NOW, today(1, standings), commands);
      return items.map(({ kind, message }) => `${kind}: ${message}`);
    };
    const told = (days: number) => [
      `screener: funding: switched on, but no card for ${days} days. Check its settings: loosen them, or switch it off.`,
    ];
    expect({
      short: messagesOf(2.5),
      long: messagesOf(3.5),
      longer: messagesOf(9),
      off: messagesOf(5, false),
      young: messagesOf(5, true, 20),
    }).toEqual({ short: [], long: told(3), longer: told(9), off: [], young: [] });
    // It was news for a week.
    expect(messagesOf(11)).toEqual([]);
  });

  test('where no type sends cards any more, one line says so', () => {
    const sending = judged('a', 'small');
    const paused = judged('a', 'small', { silentDays: 4, isNewlySilent: true });
    const silentType = judged('b', 'small', { silentDays: 16, isNewlySilent: true });
    const off = judged('c', 'small', { off: { since: NOW, isRemoved: false } });
    const messagesOf = (standings: readonly Standing[]) => {
      const facts = { standings, credits: null, lastExport: undefined, unjudged: undefined };
      const items = unusual(NOW, facts, commands).filter(({ kind }) => kind === 'screener');
      return items.map(({ message }) => message);
    };
    expect(messagesOf([paused, silentType, off])).toEqual([
      'All types: no card for 4 days. Perhaps the service sends none: check your account there.',
    ]);
    expect(messagesOf([sending, silentType])).toHaveLength(1);
    expect(messagesOf([paused])).toEqual([
      'a: switched on, but no card for 4 days. Check its settings: loosen them, or switch it off.',
    ]);
  });

  test('the usual number of cards is of types that send some', () => {
    const off = { since: NOW, isRemoved: true };
    const types = [judged('a', 'above'), judged('gone', 'above', { off })];
    const usualOf = (standings: readonly Standing[]) =>
      summarizeToday(steady, NOW, standings).cards.usual;
    expect(usualOf(types)).toBe(usualOf(types.slice(0, 1)));
  });

  test('types stand by their cards of the last 24 h, most first', () => {
    const cards = [...gap(0.1), card(0.2, 'oi'), card(0.3, 'oi'), card(0.4, 'oi')];
    const types = summarizeToday(cards, NOW, []).by_type;
    expect(types.map(({ screener_type: type, cards: count }) => ({ type, count }))).toEqual([
      { type: 'oi', count: 3 },
      { type: 'price', count: 2 },
      { type: 'funding', count: 1 },
    ]);
  });

  test('each type that is or was above or below has whether that still holds', () => {
    const until = NOW - DAY;
    const withdrawn = {
      verdict: 'above',
      comparedWith: 'others',
      from: until - 50 * DAY,
      until,
    } as const;
    const standings = [
      judged('oi', 'above'),
      judged('price', 'unclear', { withdrawn }),
      judged('funding', 'unclear'),
    ];
    const cards = [...gap(0.1), card(0.2, 'oi')];
    const types = summarizeToday(cards, NOW, standings).by_type;
    const stillHolds = Object.fromEntries(
      types.map((type) => [type.screener_type, type.still_holds]),
    );
    expect(stillHolds).toEqual({ oi: 'too_few', price: 'withdrawn', funding: null });
  });

  test('the biggest moves are shown if half of the settled cards are measured, or more', () => {
    const settled = (hours: number) => card(1 + hours / 24);
    const measured = (hours: number): HistoryCard => ({
      ...settled(hours),
      isBought: true,
      outcomes: byHorizon(() => ({ state: 'available', move: 2, btc: 0 })),
    });
    const movesOf = (rows: readonly HistoryCard[]) =>
      summarizeToday(rows, NOW, []).biggest_moves.length;
    expect({
      half: movesOf([measured(1), settled(2)]),
      fewer: movesOf([measured(1), settled(2), settled(3)]),
    }).toEqual({ half: 1, fewer: 0 });
  });

  test('after each horizon there is a figure of the outcomes that fell due in the last 24 h', () => {
    const fellDue: HistoryCard = {
      ...card((OUTCOME_MILLIS + HOUR) / DAY),
      isBought: true,
      outcomes: byHorizon(() => ({ state: 'available', move: 2, btc: 0 })),
    };
    const { settled } = summarizeToday([fellDue], NOW, []);
    const samples = byHorizon((name) => settled[name].sample);
    expect(samples).toEqual(byHorizon(() => 1));
  });
});

test('a number is news only where a stricter setting is of use', () => {
  const line: News['line'] = {
    at: samples.at(NOW),
    about: 'number',
    type: 'pump',
    number: 'oi_change_pct',
    absolute: false,
    verdict: 'higher',
    cut: { at_least: 4.7 },
    cards_per_day: 6,
    kept_vs_btc: 1,
    kept_vs_dropped: 2,
    settings_since: null,
  };
  const off = { since: undefined, isRemoved: false };
  const told = (standing: Standing) => {
    const context = { standings: [standing], notebook: [line], tuneOf: () => 'tune' };
    const items = itemsOfNews([{ line, before: undefined }], context);
    return items.map(({ message, command }) => [
      message.slice(message.indexOf('). ') + 3),
      command,
    ]);
  };
  expect({
    ofUse: told(judged('pump', 'small')),
    behind: told(judged('pump', 'below')),
    isOff: told(judged('pump', 'small', { off })),
    isRemoved: told(judged('pump', 'small', { off: { ...off, isRemoved: true } })),
    silent: told(judged('pump', 'small', { silentDays: 21 })),
  }).toEqual({
    ofUse: [['Act only on cards with oi_change_pct at 4.7 or more.', 'tune']],
    behind: [],
    isOff: [],
    isRemoved: [],
    silent: [],
  });
});

/** A line of the notebook on a type. @param at epoch milliseconds UTC */
function verdictLine(type: string, verdict: string, at: number): string {
  const line = {
    at: samples.at(at),
    about: 'type',
    type,
    verdict,
    to: 'others',
    vs_btc: 'unclear',
    difference_percentage_points: 2.31,
    interval_95: null,
    sample: 9,
    source: 'bought',
    settings_since: null,
    least: 1,
    weak: false,
  };
  return `${JSON.stringify(line)}\n`;
}

/** Exports without asking for medians. @returns the path of the history's notebook */
async function notebookOfExport(
  here: (words: readonly string[]) => Promise<{ readonly stdout: string }>,
): Promise<string> {
  const { stdout } = await here(['signals', 'export', '--no-stats', '--json']);
  return path.join(JSON.parse(stdout).directory, 'findings.ndjson');
}
