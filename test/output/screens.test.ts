/**
 * What each screen says is what its --json says, line by line, in the same order. All of the demo, at a date that stands
 * still; `stats` and its options: `test/outcomes`.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { HORIZON_NAMES } from '../../src/api/contract/horizons.ts';
import { dayAndMonth } from '../../src/base/units.ts';
import type { Figure } from '../../src/outcomes/figure.ts';
import { HORIZON_TABLE } from '../../src/outcomes/figure-table.ts';
import { points, rangeText } from '../../src/output/format.ts';
import type { Interval } from '../../src/statistics/quantile.ts';
import { demoFolder } from '../support/demo.ts';
import { createHome } from '../support/home.ts';
import { NOW, runHere } from '../support/in-process.ts';
import { type RankedLine, rankedLines } from '../support/ranking.ts';
import type { Json } from '../support/samples.ts';

const home = createHome();
afterAll(() => home.remove());

interface Both {
  /** As in a pipe. */
  readonly page: string;
  // biome-ignore lint/suspicious/noExplicitAny: its fields are named where they are read.
  readonly json: any;
}

/** By their words: the demo does not change. */
const printed = new Map<string, Promise<Both>>();

/** What a command prints of the demo: the whole page, and the document. */
function bothOf(...words: string[]): Promise<Both> {
  const line = words.join(' ');
  const both = printed.get(line) ?? printBoth(words);
  printed.set(line, both);
  return both;
}

const demo = demoFolder(NOW);

async function printBoth(words: readonly string[]): Promise<Both> {
  const [command = ''] = words;
  const isOfHistory = words.includes('--local') || ['today', 'tune'].includes(command);
  const place = isOfHistory ? ['--from', demo()] : [];
  const line = ['--demo', ...words.filter((word) => word !== '--local'), ...place];
  const page = await runHere(line, { home });
  const json = await runHere([...line, '--json'], { home });
  expect({ words, page: page.code, json: json.code }).toEqual({ words, page: 0, json: 0 });
  return { page: page.stdout, json: JSON.parse(json.stdout) };
}

type Line = Readonly<Record<string, string>>;

/** The rows of the table whose header begins with that word, each cell by its column's header. */
function tableOf(page: string, first: string): Line[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.trimStart().startsWith(`${first} `));
  if (start === -1) throw new Error(`No table that begins with ${first}:\n${page}`);
  const headers = cellsOf(lines[start]).filter((cell) => !/^[-+]?\d+(\.\d+)?$/.test(cell));
  const rows: Line[] = [];
  for (const line of lines.slice(start + 1)) {
    const cells = cellsOf(line);
    // The heading of a section.
    if (cells.length === 1 && line === line.trimStart() && !/[.;]/.test(line)) continue;
    if (cells.length !== headers.length) break;
    rows.push(Object.fromEntries(headers.map((header, i) => [header, cells[i] ?? ''])));
  }
  return rows;
}

/** The cells of a line, without drawn intervals and their axis. */
function cellsOf(line = ''): string[] {
  const cells = line.trim().split(/ {2,}/);
  return cells.filter((cell) => !/^[─━●│┼┿◂▸░]+$/.test(cell));
}

/** A verdict without what one screen says beside it, and another elsewhere: how much would show, what a change did. */
function wordIn(verdict = ''): string {
  // The ranking says in a heading that a type is below BTC, too.
  return verdict
    .replace(/^(unclear)( \(|: [\d.]+ pp|; by).*$|; change .*$/, '$1')
    .replace(', below BTC, too', '');
}

/** The verdict of a line of the ranking with what its heading says: `above since 20 Aug`, `unclear`. */
function wholeVerdict({ heading, verdict }: RankedLine): string {
  if (verdict.startsWith('since ')) return `${heading.split(' ')[0]?.toLowerCase()} ${verdict}`;
  if (heading.startsWith('Within 1 pp')) return 'within 1 pp';
  return heading === 'Not known yet' ? 'unclear' : verdict;
}

/** Only these columns of each row. */
function columns(rows: readonly Line[], ...names: string[]): Line[] {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? ''])));
}

const signed = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '-' : ''}${Math.abs(value).toFixed(2)}`;

describe('today', () => {
  it('has a line a type, in the order of stats, with its verdict', async () => {
    const { page, json } = await bothOf('today');
    const ranking = await bothOf('stats', '--local', '--by', 'type');
    const rows = tableOf(page, 'TYPE');
    const ranked = rankedLines(ranking.page).map(({ group }) => group.replace('*', ''));
    expect(rows.map(({ TYPE }) => TYPE)).toEqual(ranked);
    const typesInOrder = (json.by_type as Json[]).toSorted(
      (one, other) =>
        ranked.indexOf(String(one.screener_type)) - ranked.indexOf(String(other.screener_type)),
    );
    expect(columns(rows, 'TYPE', 'CARDS')).toEqual(
      typesInOrder.map((line) => ({ TYPE: line.screener_type, CARDS: String(line.cards) })),
    );
    const silent = new Set(json.silent.map((type: Json) => type.screener_type));
    const speaking = rows.filter((row) => !silent.has(row.TYPE));
    expect(columns(speaking, 'TYPE', 'USUAL')).toEqual(
      typesInOrder
        .filter((line) => !silent.has(line.screener_type))
        .map((line) => ({ TYPE: line.screener_type, USUAL: Number(line.usual).toFixed(1) })),
    );
    // A silence stands instead of the word there.
    const verdicts = (lines: readonly Line[], column: string) =>
      Object.fromEntries(lines.map((row) => [row.TYPE?.replace('*', ''), wordIn(row[column])]));
    const isSpeaking = ({ TYPE = '' }: Line) => !silent.has(TYPE.replace('*', ''));
    const inRanking = Object.fromEntries(
      rankedLines(ranking.page)
        .map((line) => ({ type: line.group.replace('*', ''), verdict: wholeVerdict(line) }))
        .filter(({ type }) => !silent.has(type))
        .map(({ type, verdict }) => [type, verdict]),
    );
    // The heading of the ranking says that a type is below BTC, too.
    expect(verdicts(rows.filter(isSpeaking), 'VERDICT (24 H, VS YOUR OTHER CARDS)')).toEqual(
      inRanking,
    );
  });

  it('says how many cards there were, what was measured, and what is left', async () => {
    const { page, json } = await bothOf('today');
    const { cards, settled, credits } = json;
    const measured = settled['24h'];
    expect(page).toContain(
      `Last 24 h  ${cards.last_24h} cards, usually ${Math.round(cards.usual)}, `,
    );
    expect(measured.sample).toBeGreaterThan(0);
    // They are fewer than half of those due: they say nothing of the day.
    expect(page).not.toMatch(/^Outcomes /m);
    expect(page).toContain(
      `Credits    ${credits.remaining} of ${credits.limit} left, reset in 4 days; ${credits.spent_today} of 150 spent today\n`,
    );
  });

  it('lists the newest cards, and no biggest moves where few are measured', async () => {
    const { page, json } = await bothOf('today');
    const cardLine = (card: Json) => ({
      SYMBOL: card.source_symbol,
      TYPE: card.source_bot_type,
      ID: String(card.id),
    });
    const newest = tableOf(page, 'NEWEST CARDS (UTC)');
    expect(columns(newest, 'SYMBOL', 'TYPE', 'ID')).toEqual(
      json.newest.slice(0, newest.length).map(cardLine),
    );
    expect(newest.length, 'how many new cards there are').toBeGreaterThan(0);
    // Of the demo's cards of a day fewer than half are bought.
    expect(json.settled['24h'].sample, 'outcomes bought').toBeLessThan(json.cards.usual / 2);
    expect({ moves: json.biggest_moves, page }).toEqual({
      moves: [],
      page: expect.not.stringContaining('BIGGEST'),
    });
  });
});

describe('screeners --local', () => {
  it('has a line a screener: how often it fires, the verdict of today, and its settings', async () => {
    const { page, json } = await bothOf('screeners', '--local');
    const today = await bothOf('today');
    const rows = tableOf(page, 'TYPE');
    expect(columns(rows, 'TYPE')).toEqual(
      json.items.map((item: Json) => ({ TYPE: `${item.type}${item.active ? '' : ' (off)'}` })),
    );
    const verdictOfToday = new Map(
      tableOf(today.page, 'TYPE').map((row) => [
        row.TYPE,
        row['VERDICT (24 H, VS YOUR OTHER CARDS)'],
      ]),
    );
    for (const [i, one] of json.items.entries()) {
      const row = rows[i];
      const rate = one.silent || !one.active ? row?.['A DAY'] : one.cards_per_day.toFixed(1);
      const verdict = one.silent
        ? expect.stringMatching(/^no card for \d+ days: check its settings$/)
        : wordIn(verdictOfToday.get(one.type) ?? 'no cards').replace(
            // Beside what to do there is room for one day.
            /, below BTC since .*$/,
            ', below BTC, too',
          );
      expect({
        type: one.type,
        rate: row?.['A DAY'],
        // What to do stands beside the word, which today says above its lines.
        verdict: wordIn(row?.['VERDICT (VS YOUR OTHER CARDS)']).replace(
          /^worth \w+: |: no reason to drop$/g,
          '',
        ),
      }).toEqual({ type: one.type, rate, verdict });
      for (const number of numbersIn(one.conditions))
        expect(row?.SETTINGS, one.type).toContain(
          number.toLocaleString('en', { maximumFractionDigits: 9 }),
        );
      expect({
        type: one.type,
        isDated: / \(since \d+ \w{3}\)$/.test(row?.SETTINGS ?? ''),
      }).toEqual({
        type: one.type,
        isDated: one.configured_at !== null,
      });
    }
    expect(
      rows.some(({ 'A DAY': rate = '' }) => rate.startsWith('was ')),
      'a type that lists no more has its old rate',
    ).toBe(true);
  });
});

describe('screeners TYPE --local', () => {
  it('gives the interval of the comparison that decides, and vs BTC that of what was bought', async () => {
    const { page } = await bothOf('screeners', 'oi_growth', '--local');
    const ranking = await bothOf('stats', '--local', '--by', 'type');
    const row = tableOf(ranking.page, 'TYPE').find(({ TYPE }) => TYPE === 'oi_growth');
    const { bought, horizons } = ranking.json.items.find(
      ({ group }: Json) => group === 'oi_growth',
    );
    const value = (label: string) => new RegExp(`^${label} +(.*)$`, 'm').exec(page)?.[1];
    const { median_vs_btc_percentage_points: vsBtc, median_vs_btc_interval_95: range } =
      horizons['24h'];
    // The service says nothing of the error of its medians vs BTC: what was bought has one.
    expect({
      others: value('vs others'),
      btc: value('vs BTC'),
      n: value('Outcomes')?.replace(/, counted by the service in \d+ days up to \d+ \w{3}$/, ''),
      bought: value('Bought'),
    }).toEqual({
      others: `${row?.['VS OTHERS']} pp after 24 h (95 %: ${row?.['95 % INTERVAL']})`,
      btc: `${row?.['VS BTC']} pp after 24 h (no interval), or ${points(vsBtc)} of those you bought (95 %: ${rangeText(range)})`,
      n: row?.N,
      bought: `${bought} up to now`,
    });
  });

  it('says that a change of settings was for the better, and its own page by how much', async () => {
    const { page, json } = await bothOf('screeners', 'price_spike', '--local');
    const [change] = json.changes;
    const { difference_percentage_points: difference } = change.horizons['24h'];
    expect(page).toMatch(/^Change +\d+ \w{3}: .* instead of .* \(helped\)$/m);
    const settings = await bothOf('stats', '--local', '--by', 'settings', 'price_spike');
    expect(settings.page).toMatch(/help\? Yes$/m);
    expect(settings.page).toContain(`its cards did ${difference.toFixed(2)} pp better than before`);
  });
});

/** The numbers in settings of any shape. */
function numbersIn(settings: unknown): number[] {
  if (typeof settings === 'number') return [settings];
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.values(settings).flatMap(numbersIn);
}

describe('tune', () => {
  it('has a line a type: why it gets no advice, the advice, or what came of its numbers', async () => {
    const { page, json } = await bothOf('tune');
    const { json: screeners } = await bothOf('screeners', '--local');
    const questions = json.questions.filter((question: Json) => question.horizon === '24h');
    const types: string[] = [...new Set<string>(questions.map((question: Json) => question.type))];
    const isTelling = (question: Json) =>
      question.verdict === 'higher' || question.verdict === 'lower';
    const isTested = ({ would_show, needs }: Json) =>
      would_show !== null && Number(would_show) < 0.5 && needs === null;
    for (const type of types) {
      const questionsOfType = questions.filter((question: Json) => question.type === type);
      const { silent, horizons } = screeners.items.find((item: Json) => item.type === type);
      const isBelow = horizons['24h'].verdict_vs_others === 'below_others';
      const lines = page.split('\n').filter((text) => text.startsWith(`${type} `));
      const [line = ''] = lines;
      const isHindered = silent || isBelow;
      const isAdvised = !isHindered && questionsOfType.some(isTelling);
      expect({
        type,
        lines: lines.length,
        isSilent: /^\w+ +no card for \d+ days$/.test(line),
        isBelow: /^\w+ +(?:worth dropping|below your other cards)$/.test(line),
        isAdvised: /^\w+ +Act only on /.test(line),
        isLookedFor: /^\w+ +nothing found(?: so far)?; \d+(?:\.5)? pp would show$/.test(line),
      }).toEqual({
        type,
        lines: 1,
        isSilent: silent,
        isBelow: isBelow && !silent,
        isAdvised,
        isLookedFor: !isHindered && !isAdvised && questionsOfType.some(isTested),
      });
    }
  });

  it('has the cuts of one type, the loosest first, below all cards', async () => {
    const { page, json } = await bothOf('tune', 'oi_growth', '--detail');
    const cuts = json.cuts.filter((cut: Json) => cut.horizon === '24h');
    const [, all, ...rows] = page.split('\nKEEP oi_change_pct')[1]?.split('\n') ?? [];
    expect(all).toMatch(/^all, as set now /);
    const range = ({ low, high }: Interval) => `(${signed(low)} to ${signed(high)})`;
    const expected: string[][] = [];
    for (const cut of cuts as Cut[]) {
      expected.push([
        `${cut.value} or more`,
        cut.cards_per_day.toFixed(1),
        `${signed(cut.kept_vs_others)} ${range(cut.kept_vs_others_interval_95)}`,
        `${signed(cut.kept_vs_dropped)} ${range(cut.kept_vs_dropped_interval)}`,
      ]);
      // The cards since the advice was chosen stand below it.
      const { verdict_since: since, since_then: then } = cut;
      if (since !== null && then !== null)
        expected.push([
          `since ${dayAndMonth(Date.parse(since))}`,
          `${signed(then.difference_percentage_points)} ${range(then.interval_95)}`,
        ]);
    }
    const shown = rows.slice(0, expected.length);
    expect(shown.map((line) => cellsOf(line))).toEqual(expected);
    const advice = cuts.filter((cut: Json) => cut.is_advice);
    expect(page).toContain(
      `Act only on cards with oi_change_pct at ${advice[0].value} or more: expect `,
    );
  });
});

interface Cut {
  readonly value: number;
  readonly cards_per_day: number;
  readonly kept_vs_others: number;
  readonly kept_vs_others_interval_95: Interval;
  readonly kept_vs_dropped: number;
  readonly kept_vs_dropped_interval: Interval;
  readonly verdict_since: string | null;
  readonly since_then: {
    readonly difference_percentage_points: number;
    readonly interval_95: Interval;
  } | null;
}

describe('stats --detail', () => {
  it('says the median, and counts each card once: measured or not, bought or not, not due', async () => {
    const { page, json } = await bothOf('stats', '--local', '--detail');
    const { rows, bought, due, horizons } = json;
    const { sample, median_vs_btc_percentage_points: median } = horizons['24h'];
    expect(page).toMatch(new RegExp(`^Median vs BTC +\\${signed(median)} pp `, 'm'));
    const countIn = (label: string) =>
      Number(new RegExp(`^${label} +(\\d+)\\b`, 'm').exec(page)?.[1]);
    const counts = {
      measured: countIn('Measured'),
      withoutFigure: countIn('Bought, but no figure'),
      notBought: countIn('Not bought'),
      notDue: countIn('Not due'),
    };
    expect(counts).toEqual({
      measured: sample,
      withoutFigure: bought - sample,
      notBought: due - bought,
      notDue: rows - due,
    });
  });

  it.each([
    { of: 'all cards, those of BTC among them', words: [] },
    { of: 'cards of another symbol', words: ['--symbol', 'ETHUSDT'] },
    { of: 'a type beside others', words: ['oi_growth'] },
  ])('has the rare figures where they say anything: $of', async ({ words }) => {
    const { page, json } = await bothOf('stats', ...words, '--local', '--detail');
    const figures: [string, Figure<never>][] = Object.entries(HORIZON_TABLE);
    const labels = figures
      .filter(([, { isRare }]) => isRare === true)
      .map(([name, { label = name }]) => ({
        label,
        isSaid: HORIZON_NAMES.some((horizon) => Boolean(json.horizons[horizon][name])),
      }));
    const shown = labels.map(({ label }) => ({ label, isSaid: page.includes(`\n${label}  `) }));
    expect(shown).toEqual(labels);
    expect(labels.map(({ label }) => label)).toEqual([
      'Share without a figure',
      "BTC's own cards",
      'Compared with others',
      'Median vs others',
      'Verdict vs others',
      'Outcomes at the service',
    ]);
  });
});

describe('stats --by symbol', () => {
  it('shows what is known first, then what has most outcomes, and how many more there are', async () => {
    const { page, json } = await bothOf('stats', '--local', '--by', 'symbol');
    const rows = tableOf(page, 'SYMBOL');
    const isClear = ({ VERDICT = '' }: Line) => !/^(unclear|too few)/.test(VERDICT);
    const open = rows.filter((row) => !isClear(row));
    expect(
      rows.slice(0, rows.length - open.length).every(isClear),
      'lines before the open ones are clear',
    ).toBe(true);
    const outcomes = open.map((row) => Number(row.N));
    expect(outcomes).toEqual([...outcomes].sort((a, b) => b - a));
    // The command that is offered lists BTC, too, which is compared with nothing.
    expect({ rows: rows.length, more: /^(\d+) more:$/m.exec(page)?.[1] }).toEqual({
      rows: 8,
      more: String(json.items.length - rows.length),
    });
    const byType = await bothOf('stats', '--local', '--by', 'type');
    expect(byType.page).not.toContain(' more:');
  });
});

describe('screeners of a history', () => {
  it('explains A DAY only where the terminal has room for the column', async () => {
    const isShownAt: Record<number, boolean> = {};
    for (const tty of [60, 160]) {
      const { stdout } = await runHere(['--demo', 'screeners', '--from', demo()], { home, tty });
      const isShown = /TYPE .*A DAY/.test(stdout);
      expect({ tty, isExplained: /A DAY: cards a day/.test(stdout) }).toEqual({
        tty,
        isExplained: isShown,
      });
      isShownAt[tty] = isShown;
    }
    expect(isShownAt).toEqual({ 60: false, 160: true });
  });
});

describe('signals ls', () => {
  it.each([
    { words: ['-n', '7'] },
    { words: ['-n', '5', '--outcomes', '--until', '3d'] },
    { words: ['--local', '-n', '9'] },
  ])('$words has a line a card', async ({ words }) => {
    const { page, json } = await bothOf('signals', 'ls', ...words);
    expect(columns(tableOf(page, 'ID'), 'ID', 'SYMBOL', 'TYPE')).toEqual(
      json.items.map((item: Json) => ({
        ID: String(item.id),
        SYMBOL: item.source_symbol,
        TYPE: item.source_bot_type,
      })),
    );
  });
});

describe('--plan', () => {
  it.each([
    { words: ['signals', 'ls', '-n', '60'], stops: undefined },
    {
      words: ['signals', 'show', '1', '2', '3', '--max-credits', '2'],
      stops: 'at --max-credits, which is too low',
    },
    { words: ['snapshot', '--keep', '1000'], stops: 'at --keep; more from 2026-12-01 00:00 UTC' },
  ])('$words says what it costs, and what would stop it', async ({ words, stops }) => {
    const { page, json } = await bothOf(...words, '--plan');
    const { least, most } = json.credits;
    const value = (label: string) => new RegExp(`^${label} +(.*)$`, 'm').exec(page)?.[1];
    expect({ words, credits: value('Credits'), stops: value('Would stop') }).toEqual({
      words,
      credits: expect.stringMatching(least === most ? `^${least}\\b` : `^${least} to ${most}\\b`),
      stops: stops === undefined ? undefined : expect.stringMatching(`^${stops}`),
    });
    expect(json.stops_at === null).toBe(stops === undefined);
  });
});
