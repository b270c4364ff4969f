/** The report as a browser shows it: nothing is asked for, nothing runs, and what is drawn is what `stats` says. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { runScreener } from '../support/run.ts';
import { axeFindings, lacksBrowser, look, openBrowser } from './browser.ts';
import { card, type Outcome, writeHistory } from './histories.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 7, 3);

let home: Home;
beforeAll(() => {
  home = createHome();
});
afterAll(() => home.remove());

/** A report of these cards: the page's file. */
async function report(name: string, cards: readonly object[], ...more: string[]): Promise<string> {
  const directory = path.join(home.folder, name);
  mkdirSync(directory, { recursive: true });
  writeHistory(directory, cards);
  const file = path.join(home.folder, `${name}.html`);
  const ran = await runScreener(['report', file, '--from', directory, ...more], { home });
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  return file;
}

/** Days that share a move, and a type that has an effect of its own. */
function world(days: number, perDay: number): object[] {
  let seed = 11;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const types = ['price_breakout', 'oi_surge', 'volume_spike'];
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
  return Array.from({ length: days * perDay }, (_, index) => {
    const day = Math.floor(index / perDay);
    const btc = Math.sin(day * 1.7) * 2;
    const type = types[index % 3] ?? '';
    const move = btc + (random() - 0.5) * 6 + (type === 'price_breakout' ? 3 : 0);
    const outcome: Outcome = { '1h': [move / 4, btc / 4], '24h': [move, btc] };
    const at = FIRST + day * DAY + Math.floor(random() * DAY);
    return card(index + 1, at, { type, symbol: symbols[Math.floor(random() * 4)] ?? '', outcome });
  });
}

describe('screener report', () => {
  it('is the same file every time', async () => {
    const cards = world(10, 9);
    const first = withoutTime(readFileSync(await report('same', cards), 'utf8'));
    const second = withoutTime(readFileSync(await report('same', cards), 'utf8'));
    // As a boolean: a difference of two pages would fill the screen.
    expect(first === second).toBe(true);
  });

  it('writes to standard output with -', async () => {
    const file = await report('dash', world(3, 3));
    const ran = await runScreener(['report', '-', '--from', path.join(home.folder, 'dash')], { home });
    expect(ran.code).toBe(0);
    expect(withoutTime(ran.stdout) === withoutTime(readFileSync(file, 'utf8'))).toBe(true);
  });

  it('says so where there is nothing to draw', async () => {
    for (const [name, cards] of [
      ['none', []],
      ['one', world(1, 1)],
      ['five', world(1, 5)],
    ] as const) {
      const text = readFileSync(await report(name, cards), 'utf8');
      expect(text).toContain('How the figures are made');
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
      expect(text).toMatch(name === 'none' ? /no cards in this window/ : /takes six to say anything/);
    }
  });

  it('stays small for a year of outcomes', async () => {
    const file = await report('year', world(365, 33));
    expect(statSync(file).size).toBeLessThan(1_000_000);
  });

  it('holds no script, and a policy that forbids everything', async () => {
    const text = readFileSync(await report('policy', world(8, 4)), 'utf8');
    expect(text).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(text).not.toMatch(/<script|\son\w+=|https?:|url\(|@import/i);
  });

  it('refuses a folder in place of the file', async () => {
    mkdirSync(path.join(home.folder, 'folder'), { recursive: true });
    await report('plain', world(2, 2));
    const ran = await runScreener(
      ['report', path.join(home.folder, 'folder'), '--from', path.join(home.folder, 'plain')],
      { home },
    );
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('A directory lies where a file should be');
  });
});

describe.skipIf(lacksBrowser())('the report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('asks for nothing and says nothing, and axe-core finds nothing serious', async () => {
    const file = await report('quiet', world(14, 6));
    for (const scheme of ['light', 'dark'] as const) {
      await look(browser, file, { width: 900, scheme }, async ({ page, requests, messages }) => {
        await page.evaluate('unfold()');
        expect(await axeFindings(page)).toEqual([]);
        expect({ requests, messages }).toEqual({ requests: [], messages: [] });
      });
    }
  });

  it('fits a phone, a window and paper', async () => {
    const file = await report('fits', world(14, 12));
    for (const [width, media] of [
      [390, 'screen'],
      [900, 'screen'],
      [1400, 'screen'],
      [700, 'print'],
    ] as const) {
      await look(browser, file, { width, media }, async ({ page }) => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      });
    }
  });

  it('draws what stats says', async () => {
    const file = await report('drawn', world(40, 12));
    const { stdout } = await runScreener(
      ['stats', '--from', path.join(home.folder, 'drawn'), '--by', 'type', '--json'],
      { home },
    );
    const { items } = JSON.parse(stdout) as { items: Group[] };
    const drawn = await look(browser, file, { width: 900 }, ({ page }) => page.evaluate<Drawn[]>('readForest()'));
    for (const { group, horizons } of items) {
      for (const [title, figures] of [
        ['By type, after 24 h', horizons['24h']],
        ['By type, after 1 h', horizons['1h']],
      ] as const) {
        const row = drawn.find(({ part, name }) => part === title && name === group);
        const { low, high } = figures.median_vs_btc_interval_95;
        // The browser rounds places to a fraction of a pixel.
        expect(row?.estimate).toBeCloseTo(figures.median_vs_btc_percentage_points, 1);
        expect(row?.low).toBeCloseTo(low, 1);
        expect(row?.high).toBeCloseTo(high, 1);
        expect(row?.verdict.replaceAll(' ', '_').toLowerCase()).toBe(figures.verdict);
      }
    }
    expect(items).toHaveLength(3);
    expect(drawn.find(({ name }) => name === 'price_breakout')?.verdict).toBe('above BTC');
  });

  it('shows the texts of the service and runs none of them', async () => {
    const nasty = [
      '<script>document.title="x"</script>',
      '"><img src=x onerror=alert(1)>',
      "'onmouseover='alert(1)",
      '\u202eTDSU\u2066',
      'x'.repeat(10_000),
      '</style></title><svg onload=alert(1)>',
    ];
    const cards = world(20, 12).map((one, index) => ({
      ...one,
      source_symbol: nasty[index % nasty.length],
      source_bot_type: nasty[(index + 1) % nasty.length],
    }));
    const file = await report('nasty', cards);
    await look(browser, file, { width: 390 }, async ({ page, requests, messages }) => {
      const found = await page.evaluate('whatIsForeign()');
      expect(found).toEqual({
        title: 'Outcomes of your screeners',
        foreign: 0,
        handlers: 0,
        width: 390,
        turned: false,
      });
      expect({ requests, messages }).toEqual({ requests: [], messages: [] });
    });
  });
});

/** A line of the forest plot, read back from the page. */
interface Drawn {
  readonly part: string;
  readonly name: string;
  readonly verdict: string;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

interface Group {
  readonly group: string;
  readonly horizons: Record<
    '1h' | '24h',
    {
      median_vs_btc_percentage_points: number;
      median_vs_btc_interval_95: { low: number; high: number };
      verdict: string;
    }
  >;
}

function withoutTime(text: string): string {
  return text.replace(/, \d{4}-\d\d-\d\d \d\d:\d\d UTC\./g, '');
}
