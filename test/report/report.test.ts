/** The report as a file and as a browser shows it: nothing is asked for, nothing runs. */
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFolder } from '../support/demo.ts';
import { createHome, type Home } from '../support/home.ts';
import { NOW, runHere } from '../support/in-process.ts';
import { runScreener } from '../support/run.ts';
import { axeFindings, lacksBrowser, look, openBrowser } from './browser.ts';
import { FIRST, report, world } from './histories.ts';
import { repeatedSentences } from './repeated.ts';

let home: Home;
let history: string;
let file: string;
beforeAll(async () => {
  home = createHome();
  history = path.join(home.folder, 'fortnight');
  file = await report(home, 'fortnight', world(14, 6));
});
afterAll(() => home.remove());
const demo = demoFolder(NOW);
const here = (...args: string[]) => runHere(args, { home });

describe('screener report', () => {
  it('is the same every time, as a file and on standard output', async () => {
    const ran = await runScreener(['report', '-', '--from', history], { home });
    expect(ran.code).toBe(0);
    // As a boolean: a difference of two pages would fill the screen.
    expect(
      withoutTime(ran.stdout) === withoutTime(readFileSync(file, 'utf8')),
      'the file is what standard output is',
    ).toBe(true);
  });

  it('has its finding as title, says it on the terminal, and draws what tells and what a change did', async () => {
    const page = path.join(home.folder, 'demo.html');
    const { stderr, stdout } = await here('--demo', 'report', page);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /\nKeep +oi_growth \(\+\d\.\d pp vs your other cards\); for now also price_spike and volume_burst\nDrop +funding_extreme \(-\d\.\d pp vs your other cards, -\d\.\d vs BTC\)\nChange +oi_growth: oi_change_pct at .*\n +breakout sends no cards\. /,
    );
    const text = readFileSync(page, 'utf8');
    expect(repeatedSentences(text), 'sentences that stand twice').toEqual([]);
    const [, title] = /<h1>(.*)<\/h1>/.exec(text) ?? [];
    expect(title).toMatch(/^Drop funding_extreme, keep oi_growth$/);
    expect(actionsOf(text)).toEqual({
      Keep: [
        expect.stringMatching(/^oi_growth \(\+\d\.\d pp vs your other cards\)$/),
        'for now also price_spike and volume_burst',
      ],
      Drop: [
        expect.stringMatching(
          /^funding_extreme \(−\d\.\d pp vs your other cards, −\d\.\d vs BTC\)$/,
        ),
      ],
      Change: [
        expect.stringMatching(
          /^oi_growth: oi_change_pct at [\d.]+ or more \(probably oi min, now 2\.8\)\. Expect about \+\d\.\d pp more per card, with \d+\.\d cards a day instead of \d+\.\d\.$/,
        ),
        'breakout sends no cards. Check its settings: loosen them, or switch it off.',
      ],
    });
    expect(text).toContain(`<title>${title}</title>`);
    const titles = [...text.matchAll(/<h2[^>]*>(.*)<\/h2>/g)].map(([, words]) => words);
    expect(titles.slice(1, 4)).toEqual([
      'Do these verdicts still hold? Both: yes',
      'oi_growth: cards with oi_change_pct at 3.9 or more did better',
      expect.stringMatching(/^Your change of price_spike on \d+ \w+: helped$/),
    ]);
    expect(text, 'another type did worse before').not.toContain('worst type');
    // Beside the service's medians, shares of the bought outcomes would be of other cards.
    expect(text).not.toContain('beat BTC');
    expect(text).toMatch(/: even of oi_growth, \d+\u00a0% of the cards fell behind BTC\.</);
    expect(text).toMatch(/<li class="above">\s*<div class="name"><b>oi_<wbr>growth/);
    expect(text).toMatch(/<span>no card for \d+ days<\/span>[\s\S]*?<div class="size">silent /);
    const receipt = JSON.parse(
      (await here('--demo', 'report', page, '--from', demo(), '--json')).stdout,
    );
    expect(receipt).toEqual({ file: page, bytes: statSync(page).size });
    const one = (await here('--demo', 'report', '-', '--from', demo(), '--type', 'oi_growth'))
      .stdout;
    expect(one).toContain('compared with BTC, in percentage points');
    expect(one).not.toContain('vs other cards');
    expect(one).not.toContain('no card for');
    const stats = (await here('--demo', 'stats', '--from', demo(), '--by', 'type')).stdout;
    for (const line of stats.match(/^You bought .*$/gm) ?? ['no basis']) {
      // The days are said elsewhere on the page.
      const words = line.replace(/, \d+ \w+ to \d+ \w+/, '');
      expect(text.replaceAll('\u00a0', ' '), 'what statistics say was bought').toContain(words);
    }
  });

  it.for([
    { line: ['--where', 'oi_change_pct>=0'], isSaid: false },
    { line: ['--symbol', 'DOGEUSDT'], isSaid: false },
    { line: ['--since', 'all'], isSaid: true },
    { line: ['--type', 'oi_growth'], isSaid: true },
  ])('$line says what to do with types: $isSaid', async ({ line, isSaid }) => {
    const page = path.join(home.folder, 'some.html');
    const { code, stderr } = await here('--demo', 'report', page, '--from', demo(), ...line);
    const text = readFileSync(page, 'utf8');
    const labels = Object.keys(actionsOf(text));
    const isLabel = (label: string) => ['Keep', 'Drop', 'Change', 'To do'].includes(label);
    const [, title = ''] = /<h1>(.*)<\/h1>/.exec(text) ?? [];
    expect({
      code,
      onPage: labels.some(isLabel),
      onTerminal: /^(Keep|Drop|Change|To do) /m.test(stderr),
      isTitleDecision: /^(Keep|Drop)/.test(title) && !isSaid,
    }).toEqual({ code: 0, onPage: isSaid, onTerminal: isSaid, isTitleDecision: false });
  });

  it('writes to a pipe and through a link, and refuses a folder and an unknown type', async () => {
    const unknown = await here(
      'report',
      path.join(home.folder, 'x'),
      '--from',
      history,
      '--type',
      'oi',
    );
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no card of type 'oi'"),
    });
    const [target, link, pipe, folder] = ['target', 'link', 'pipe', 'folder'].map((name) =>
      path.join(home.folder, name),
    );
    if (!target || !link || !pipe || !folder) throw new Error('four paths');
    writeFileSync(target, 'old', { mode: 0o640 });
    symlinkSync(target, link);
    execFileSync('mkfifo', [pipe]);
    mkdirSync(folder);
    const read = readFile(pipe, 'utf8');
    for (const place of [link, pipe, '/dev/null', folder]) {
      const { code, stderr } = await here('report', place, '--from', history);
      expect({ place, code }).toEqual({ place, code: place === folder ? 1 : 0 });
      if (place === folder)
        expect(stderr, place).toMatch(
          /folder is a folder\.[\s\S]*Name a file, such as \S+folder\/report\.html/,
        );
    }
    for (const text of [readFileSync(target, 'utf8'), await read])
      expect(text).toMatch(/^<!doctype html>/);
    expect({
      isSymbolicLink: lstatSync(link).isSymbolicLink(),
      isFIFO: lstatSync(pipe).isFIFO(),
    }).toEqual({ isSymbolicLink: true, isFIFO: true });
    expect(statSync('/dev/null').isCharacterDevice(), '/dev/null is still a device').toBe(true);
    // As the one that it replaces, and private if it is new.
    expect([target, file].map((one) => statSync(one).mode & 0o777)).toEqual([0o640, 0o600]);
  });

  it('offers the export into its own history where that has no card', async () => {
    const page = await report(home, 'empty', []);
    const folder = path.join(home.folder, 'empty');
    expect(readFileSync(page, 'utf8')).toContain(
      `This history has no such cards yet: \`screener signals export ${folder}\` lists new ones.`,
    );
  });

  it.each([
    ['none', [], /This history has no such cards yet/],
    ['five', world(1, 5), /Your screeners so far/],
  ])('says so where there is nothing to draw: %s', async (name, cards, words) => {
    const text = readFileSync(await report(home, name, cards), 'utf8');
    expect(text).not.toMatch(/NaN|undefined|Infinity|<circle|class="value"><b/);
    expect(text).toMatch(words);
  });

  it.each([
    {
      effects: { price_breakout: 3, oi_surge: 3, volume_spike: -3 },
      title: /^Drop volume_spike, keep 2 types$/,
    },
    {
      effects: { price_breakout: 3, oi_surge: -3, volume_spike: -3 },
      title: /^Drop (oi_surge and volume_spike|volume_spike and oi_surge), keep 1 type$/,
    },
    {
      effects: { volume_spike: 4 },
      title: /^Keep volume_spike; nothing to drop yet$/,
    },
    { effects: {}, title: /^No screener type differs by 1 pp or more from your other cards$/ },
  ])('has the finding as title: $title', async ({ effects, title }) => {
    const text = readFileSync(await report(home, 'titled', world(40, 12, effects)), 'utf8');
    expect(/<h1>(.*)<\/h1>/.exec(text)?.[1]).toMatch(title);
  });

  it('says whose cards it is of, and of which', async () => {
    const headOf = async (...words: string[]) => {
      const { stdout } = await here(...words);
      const text = stdout.split('<section')[0]?.replace(/<[^>]*>/g, ' ') ?? '';
      return {
        isDemo: text.includes('Demo: invented data.'),
        type: /Only (\w+)\./.exec(text)?.[1],
        isDated: /Last export: 20\d\d-\d\d-\d\d \d\d:\d\d UTC\./.test(text),
      };
    };
    const demo = ['--demo', 'report', '-'];
    expect({
      all: await headOf(...demo),
      ofType: await headOf(...demo, '--type', 'oi_growth'),
      ofSymbol: await headOf(...demo, '--symbol', 'BTCUSDT'),
      ofOwn: await headOf('report', '-', '--from', history),
    }).toEqual({
      all: { isDemo: true, type: undefined, isDated: true },
      ofType: { isDemo: true, type: 'oi_growth', isDated: true },
      ofSymbol: { isDemo: true, type: 'BTCUSDT', isDated: true },
      ofOwn: { isDemo: false, type: undefined, isDated: false },
    });
  });

  it('names the days that statistics name: an outcome is of no later day than the newest card', async () => {
    // The last card is of the day before the last export.
    const cards = world(20, 6);
    const folder = path.join(home.folder, 'quiet');
    const page = readFileSync(await report(home, 'quiet', cards), 'utf8');
    const until = '2026-08-23T06:00:00Z';
    const spans = [{ since: '2026-08-01T00:00:00Z', until }];
    const manifest = { version: 1, account: '', last_success: until, spans };
    writeFileSync(path.join(folder, 'export.json'), JSON.stringify(manifest));
    const { stdout } = await here('stats', '--from', folder, '--by', 'type');
    expect({
      report: /Cards of (.*?)\./.exec(page)?.[1],
      stats: /^You bought .* outcomes, (.*?)\.$/m.exec(stdout)?.[1],
    }).toEqual({ report: '3 Aug to 22 Aug', stats: '3 Aug to 22 Aug' });
  });

  it('counts the days on which there was no card', async () => {
    const cards = world(12, 6);
    const isOn = (days: readonly number[]) => (card: { created_at: string }) =>
      days.includes(Math.floor((Date.parse(card.created_at) - FIRST) / 86_400_000));
    const sectionOf = async (name: string, some: readonly object[]) =>
      readFileSync(await report(home, name, some), 'utf8').split('<section id="cards"')[1];
    const all = await sectionOf('each-day', cards);
    expect(all).toMatch(/>72 cards in 12 days</);
    expect(all).not.toContain('there was no card');
    const fewer = await sectionOf(
      'two-silent',
      cards.filter((card) => !isOn([4, 7])(card)),
    );
    expect(fewer).toMatch(/>60 cards in 12 days<[\s\S]* On 2 days there was no card\./);
  });

  /** The report of a history in which the settings of these types changed on that day. */
  async function changedOn(name: string, day: number, types = ['oi_surge']): Promise<string> {
    const look = (on: number, value: number) => {
      const items = types.map((type, i) => ({
        type,
        active: true,
        conditions: { min_oi_pct: value + 10 * i },
      }));
      const at = new Date(FIRST + on * 86_400_000).toISOString();
      return JSON.stringify({ at, screeners: { scope: 'current_settings', items } });
    };
    mkdirSync(path.join(home.folder, name));
    writeFileSync(
      path.join(home.folder, name, 'screeners.ndjson'),
      `${look(1, 3)}\n${look(day, 4)}\n`,
    );
    return readFileSync(await report(home, name, world(28, 6)), 'utf8');
  }

  it('counts where few outcomes are bought, and makes no percentage of them', async () => {
    const text = readFileSync(await report(home, 'few', world(26, 3)), 'utf8');
    expect(text).toContain('Keep price_breakout; nothing to drop yet');
    expect(text).toMatch(/>\d+ of 2\d beat BTC</);
    expect(text).toMatch(/<b>price_<wbr>breakout<\/b> 2\d bought, the middle half: /);
    expect(text).toContain('Single cards differ far more than types do.');
  });

  it('says nothing of luck where too few days tell of a change', async () => {
    const text = await changedOn('late', 25);
    expect(text).toMatch(/Your change of oi_surge on 28 Aug: too early to say/);
    expect(text).not.toContain('worst type');
    // Without a difference there is no dot to speak of.
    expect(text).toContain(
      'Nothing is known yet: it needs 12 days of outcomes or more before and after',
    );
    expect(text).not.toContain('Each dot is');
  });

  it('says what a type is set to, and draws a line where that changed', async () => {
    const text = (await changedOn('changed', 6)).replaceAll('\u00a0', ' ');
    expect(text).toContain('<dt>oi_<wbr>surge</dt><dd>oi at least 4 %, since 9 Aug</dd>');
    expect(text).toMatch(
      /Your change of oi_surge on 9 Aug: [\s\S]*<dt>Before<\/dt><dd>[^<:]*<\/dd>\s*<dt>After<\/dt><dd>[^<]*: oi at least 4 % instead of 3 %<\/dd>/,
    );
    // One in the legend.
    expect(text.match(/class="change"/g)).toHaveLength(2);
  });

  it('says nothing twice of two types whose settings changed', async () => {
    const text = await changedOn('both', 12, ['oi_surge', 'volume_spike']);
    expect(text).toContain('What your changes of settings did</h2>');
  });

  it('stays small for a year of outcomes, holds no script, and a policy that forbids everything', async () => {
    const text = readFileSync(await report(home, 'year', world(365, 33)), 'utf8');
    expect(text.length, 'characters of the page').toBeLessThan(1_000_000);
    expect(text).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(text).not.toMatch(/<script|\son\w+=|https?:|url\(|@import/i);
  });

  it('is shown by its whole path: a desktop would take another for an option', async () => {
    const opened = path.join(home.folder, 'opened');
    execFileSync('mkfifo', [opened]);
    const script = `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`;
    for (const name of ['open', 'xdg-open'])
      writeFileSync(path.join(home.folder, name), script, { mode: 0o755 });
    const shown = readFile(opened, 'utf8');
    const env = { PATH: `${home.folder}:${process.env.PATH}` };
    const words = ['report', '--open', '--from', history, '--', '-x.html'];
    expect((await runScreener(words, { home, env })).code).toBe(0);
    expect(await shown).toBe(path.join(realpathSync(home.folder), '-x.html'));
  });
});

it('on standard output cannot be opened: a usage error, before anything is written', async () => {
  const ran = await here('report', '-', '--open', '--from', history);
  expect(ran).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'error: --open needs a file, and - is standard output.\nhint: Name a file, or leave out --open.\n',
  });
});

it('that no desktop shows says so', async () => {
  for (const name of ['open', 'xdg-open'])
    writeFileSync(path.join(home.folder, name), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const env = { PATH: `${home.folder}:${process.env.PATH}` };
  const words = ['report', 'page.html', '--open', '--from', history];
  const ran = await runScreener(words, { home, env });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('No desktop found: open the file in a browser.\n');
});

describe.skipIf(lacksBrowser())('the report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('asks for nothing and says nothing, and axe-core finds nothing serious', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await look(browser, file, { width: 900, scheme }, async ({ page, requests, messages }) => {
        expect(await axeFindings(page), scheme).toEqual([]);
        expect({ requests, messages }).toEqual({ requests: [], messages: [] });
      });
    }
  });

  it('fits a phone, a window and paper', async () => {
    await look(browser, file, { width: 900 }, async ({ page }) => {
      for (const width of [390, 900, 1400, 700]) {
        const media = width === 700 ? 'print' : 'screen';
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ media });
        expect(
          await page.evaluate('document.documentElement.scrollWidth'),
          `columns scrolled at ${width}`,
        ).toBeLessThanOrEqual(width);
        expect(await page.evaluate('scalesOfForest()'), `${width}`).toBe(1);
      }
    });
  });

  it('keeps what each figure is compared with for who hears the page, and shows it on a phone', async () => {
    const page = await report(home, 'compared', world(40, 12));
    const widthAt = (width: number) =>
      look(browser, page, { width }, ({ page }) =>
        page.evaluate("document.querySelector('#answer .whom').offsetWidth"),
      );
    const ofDemo = path.join(home.folder, 'of-demo.html');
    await here('--demo', 'report', ofDemo, '--from', demo());
    const widthOfOneComparison = () =>
      look(browser, ofDemo, { width: 390 }, ({ page }) =>
        page.evaluate("document.querySelector('#lately .whom').offsetWidth"),
      );
    await look(browser, page, { width: 900 }, async ({ page }) => {
      const text = await page.locator('#answer li').first().ariaSnapshot();
      expect(text).toMatch(/pp vs other cards [\s\S]* pp vs BTC /);
    });
    expect({
      window: await widthAt(900),
      phone: await widthAt(390),
      // A picture of one comparison has its name above it.
      phoneOfOne: await widthOfOneComparison(),
    }).toEqual({ window: 1, phone: expect.closeTo(128, -2), phoneOfOne: 1 });
  });

  it('shows the texts of the service and runs none of them', async () => {
    const nasty = [
      '<script>document.title="x"</script>',
      '"><img src=x onerror=alert(1)>',
      "'onmouseover='alert(1)",
      '\u202eTDSU\u2066\u115f\u3164',
      'x'.repeat(10_000),
      '</style></title><svg onload=alert(1)>',
    ];
    const text = (index: number) => nasty[index % nasty.length];
    const cards = world(20, 12).map((one, i) => ({
      ...one,
      source_symbol: text(i),
      source_bot_type: text(i + 1),
    }));
    const page = await report(home, 'nasty', cards);
    await look(browser, page, { width: 390 }, async ({ page, requests, messages }) => {
      const found = await page.evaluate('whatIsForeign()');
      const title = 'Keep 2 types; nothing to drop yet';
      expect(found).toMatchObject({ title, foreign: 0, handlers: 0, turned: false });
      expect((found as { width: number }).width, 'pixels of the page').toBeLessThanOrEqual(390);
      expect({ requests, messages }).toEqual({ requests: [], messages: [] });
    });
  });
});

/** The lines below the title: what to keep, to drop and to change, a part each. */
function actionsOf(page: string): Record<string, string[]> {
  const header = page.split('</header>')[0]?.replaceAll('\u00a0', ' ') ?? '';
  const lines = [...header.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)];
  return Object.fromEntries(
    lines.map(([, label = '', parts = '']) => [
      label,
      parts.split('<br>').map((part) => part.replace(/<[^>]*>/g, '')),
    ]),
  );
}

function withoutTime(text: string): string {
  return text.replace(/, \d{4}-\d\d-\d\d \d\d:\d\d UTC\./g, '');
}
