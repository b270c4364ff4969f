import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import { errorLine, it, parseLines } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, KEY, listing, ok } from '../support/server.ts';

/** Cards two days old and older, with settled outcomes; the newest is half an hour old. */
function prepare(server: ApiServer, count: number): number[] {
  const ages = Array.from({ length: count }, (_, n) => (n === 0 ? 1 / 2 : 48 + n));
  server.holds(ages.map((hours, n) => samples.nthSettled(n, NOW - hours * HOUR)));
  return ages.map((_, n) => 9000 - n);
}

const BY_TYPE = ['stats', '--by', 'type'];

const idsOf = (text: string) => parseLines(text).map(({ id }) => id);
const movesOf = (text: string) => parseLines(text).map(({ outcome }) => outcome.move_24h_pct);

describe('the default history', () => {
  it('no credit for what it holds: show, ls --outcomes; --fresh asks all the same', async ({
    server,
    here,
  }) => {
    const ids = prepare(server, 5);
    expect((await here(['signals', 'export', '--quiet'])).code).toBe(0);
    server.requests.length = 0;
    const words = ids.slice(1).map(String);
    const shown = await here(['signals', 'show', ...words, '--ndjson']);
    expect(idsOf(shown.stdout)).toEqual(ids.slice(1));
    expect(shown.stderr).toContain('4 outcomes from the history (free).');
    const plan = await here(['signals', 'show', ...words, '--plan', '--json']);
    expect(JSON.parse(plan.stdout).credits).toEqual({ least: 0, most: 0 });
    expect(server.requests).toEqual([]);
    const listed = await here(['signals', 'ls', '--outcomes', '--ndjson']);
    expect(idsOf(listed.stdout)).toEqual(ids);
    expect(server.requests.map(({ path }) => path)).toEqual(['/signals']);
    expect(listed.stderr).toContain('1 card from the last hour');
    await here(['signals', 'show', String(ids[1]), '--fresh', '--json']);
    expect(server.to('/signals/{id}')).toHaveLength(1);
  });

  it('cards that it holds do not count against --max-credits', async ({ server, here }) => {
    const ids = prepare(server, 30);
    server.always('/access', ok({ ...samples.access(), per_minute: 600 }));
    await here(['signals', 'export', '--quiet']);
    server.requests.length = 0;
    const ran = await here([
      'signals',
      'ls',
      '--all',
      '--outcomes',
      '--ndjson',
      '--max-credits',
      '28',
    ]);
    expect(ran.code).toBe(0);
    expect(idsOf(ran.stdout)).toEqual(ids);
    expect(server.requests.map(({ path }) => path)).toEqual(['/signals', '/signals']);
  });

  it('is made by what is bought before the first export: three times the same costs once', async ({
    server,
    here,
  }) => {
    const ids = prepare(server, 4);
    for (let time = 0; time < 3; time++) {
      const { code, stdout, stderr } = await here(['signals', 'show', String(ids[2]), '--json']);
      expect({ code, id: JSON.parse(stdout).id, stderr }).toMatchObject({ code: 0, id: ids[2] });
    }
    expect(server.credits).toBe(1);
    const listed = await here(['signals', 'ls', '--outcomes', '--ndjson']);
    expect({ code: listed.code, ids: idsOf(listed.stdout) }).toEqual({ code: 0, ids });
    expect(server.to('/signals/{id}')).toHaveLength(3);
    const exported = await here(['signals', 'export', '--json']);
    expect(JSON.parse(exported.stdout)).toMatchObject({ complete: true });
    expect(server.to('/signals/{id}')).toHaveLength(3);
  });

  it('that cannot be written is named once, and what was bought is printed', async ({
    server,
    here,
    home,
  }) => {
    const ids = prepare(server, 4);
    const file = path.join(home.folder, 'file');
    writeFileSync(file, '');
    const words = ids.slice(1).map(String);
    for (const place of [file, path.join(file, 'below')]) {
      const { code, stdout, stderr } = await here(['signals', 'show', ...words, '--ndjson'], {
        env: { SCREENER_HISTORY: place },
      });
      expect({ code, ids: idsOf(stdout) }).toEqual({ code: 0, ids: ids.slice(1) });
      expect(
        stderr.split('\n').filter((line) => line.includes('cannot be kept')),
        place,
      ).toHaveLength(1);
      expect(stderr, place).toContain(place);
    }
  });

  it.for([{ file: 'export.json', text: '{"version": 1, "account": "', remedy: 'makes it again' }])(
    'whose $file cannot be read: that is said before outcomes are bought again',
    async (one, { server, here, home }) => {
      const { file, text, remedy } = one;
      const words = prepare(server, 3).slice(1).map(String);
      await here(['signals', 'show', ...words, '--ndjson']);
      writeFileSync(path.join(home.folder, 'data', 'history', file), text);
      const warningsOf = (stderr: string) => stderr.match(/^warning: The history .*$/gm) ?? [];
      const plan = await here(['signals', 'show', ...words, '--plan', '--json']);
      const shown = await here(['signals', 'show', ...words, '--ndjson']);
      const listed = await here(['signals', 'ls', '--outcomes', '--ndjson']);
      for (const [command, { code, stderr }] of Object.entries({ plan, shown, listed })) {
        const warnings = warningsOf(stderr);
        expect({ command, code, warnings }).toEqual({
          command,
          code: 0,
          warnings: [
            expect.stringContaining('cannot be read, so outcomes in it are bought again: '),
          ],
        });
        const [warning] = warnings;
        expect(warning, command).toContain(file);
        expect(warning, command).toContain(remedy);
      }
    },
  );

  it.for([['stats', 'price'], BY_TYPE, ['screeners']])(
    'that cannot keep the answers of %j says so once',
    async (words, { here, home }) => {
      await here(['stats', 'price', '--json']);
      writeFileSync(path.join(home.folder, 'data', 'history', 'export.json'), '{');
      const { code, stderr } = await here([...words, '--json']);
      expect({ code, warnings: stderr.match(/^warning: .* cannot be kept in .*$/gm) }).toEqual({
        code: 0,
        warnings: [expect.any(String)],
      });
      expect(stderr).toContain('makes it again from the files beside it.');
    },
  );

  it('of another account keeps no statistics, and no export into it is offered', async ({
    here,
    home,
  }) => {
    await here(['stats', 'price', '--json']);
    const manifest = path.join(home.folder, 'data', 'history', 'export.json');
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace(/"account": "[^"]+"/, '"account": "another"'));
    const { code, stderr } = await here(['stats', 'price']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /What is bought cannot be kept in .*: it is the history of another account/,
      ),
    });
    expect(stderr).not.toContain('signals export');
  });

  it('of another account than yours is named in one line; none yet is its own code', async ({
    server,
    here,
  }) => {
    prepare(server, 6);
    const none = await here(['stats', '--local', '--json']);
    expect(none.code).toBe(1);
    expect(errorLine(none.stderr)).toMatchObject({ code: 'no_history', exit_code: 1 });
    const named = await here(['stats', '--from', 'signals 2', '--json']);
    expect(errorLine(named.stderr).hint).toMatch(
      /^Check the path.*\nscreener .*signals export 'signals 2'$/,
    );
    const bare = await here(['stats', '--local', '--json'], { env: { SCREENER_API_KEY: '' } });
    expect(errorLine(bare.stderr).hint).toMatch(
      /^Log in first.*\nscreener login\nscreener --demo today$/,
    );
    await here(['signals', 'export', '--quiet']);
    const withNote = [
      ['today'],
      ['stats', '--local'],
      ['signals', 'ls', '--local'],
      ['signals', 'export', '--check'],
    ];
    for (const command of withNote) {
      const ofAccount = await here(command);
      expect({ command, code: ofAccount.code, stderr: ofAccount.stderr }).toEqual({
        command,
        code: 0,
        stderr: expect.not.stringContaining('was exported with another'),
      });
      const other = await here(command, { env: { SCREENER_API_KEY: 'sk_other_0123456789abcdef' } });
      const said = other.stderr.match(/was exported with another account/g);
      expect({ command, code: other.code, times: said?.length }).toEqual({
        command,
        code: 0,
        times: 1,
      });
    }
  });

  it('of another account is refused by the plan of an export, as by the export', async ({
    server,
    here,
  }) => {
    prepare(server, 6);
    await here(['signals', 'export', '--quiet']);
    const asOther = (...options: string[]) =>
      here(['signals', 'export', ...options], {
        env: { SCREENER_API_KEY: 'sk_other_0123456789abcdef' },
      });
    const plan = await asOther('--plan');
    const run = await asOther();
    const refusal = /^error: .* holds the history of another account, .*\n/m;
    expect({ code: plan.code, stdout: plan.stdout, said: refusal.exec(plan.stderr)?.[0] }).toEqual({
      code: 2,
      stdout: '',
      said: refusal.exec(run.stderr)?.[0] ?? 'nothing',
    });
    expect(await asOther('--plan', '--adopt')).toMatchObject({ code: 0 });
    expect(await here(['signals', 'export', '--plan'])).toMatchObject({ code: 0 });
  });

  it('the first export that buys outcomes says what to do next, a later one does not', async ({
    server,
    here,
  }) => {
    prepare(server, 60);
    const onTerminal = (...words: string[]) =>
      here(['signals', 'export', '--no-stats', ...words], { tty: 100 });
    const offered = 'To look at your screeners, and to compare them (free):';
    const listed = await onTerminal('--no-outcomes');
    const first = await onTerminal('--max-credits', '10');
    const later = await onTerminal('--max-credits', '10');
    expect(first.stderr).toMatch(/ {2}screener today\S*\n.* {2}screener stats --local --by type/);
    const isOffered = [listed, first, later].map(({ stderr }) => stderr.includes(offered));
    expect(isOffered).toEqual([false, true, false]);
  });

  it('the first export says before what it costs at most, and how long the rest takes', async ({
    server,
    here,
  }) => {
    prepare(server, 60);
    const first = await here(['signals', 'export', '--no-stats', '--max-credits', '23']);
    expect(first.stderr).toMatch(
      /^This first export may cost up to 23 of the 150 credits left today \(900 this month\); limit it with --max-cr/,
    );
    expect(first.stderr).toMatch(
      /Buying \d+ of 59 due outcomes now; all are bought by \d+ \w{3}\./,
    );
    const second = await here(['signals', 'export', '--no-stats', '--max-credits', '3']);
    expect(second.stderr).not.toMatch(/first export|Buying/);
  });

  it('a card that breaks the contract is left out, named; what is due is bought, exit 9', async ({
    server,
    here,
  }) => {
    prepare(server, 6);
    const broken = samples.cards(6).map((card, n) => ({
      ...card,
      created_at: samples.at(NOW - (n === 0 ? HOUR / 2 : (48 + n) * HOUR)),
      last_seen_at: null,
      ...(n === 2 ? { url: null } : {}),
    }));
    const list = listing(broken);
    const now = samples.at(NOW);
    server.always('/signals', (asked) => list({ ...asked, query: { until: now, ...asked.query } }));
    const first = await here(['signals', 'export', '--json']);
    expect(first.code).toBe(9);
    expect(errorLine(first.stderr).message).toBe(
      'Card 8998 does not match the API document: url: expected string, got null.',
    );
    expect(JSON.parse(first.stdout)).toMatchObject({
      new_cards: 5,
      outcomes: 4,
      complete: false,
      stopped_by: 'error',
    });
    const spent = server.credits;
    const second = await here(['signals', 'export', '--json']);
    expect({
      code: second.code,
      stopped_by: JSON.parse(second.stdout).stopped_by,
      credits: server.credits - spent,
    }).toEqual({ code: 0, stopped_by: 'window', credits: 1 });
    const listed = await here(['signals', 'ls', '--ndjson']);
    expect({ code: listed.code, ids: idsOf(listed.stdout) }).toEqual({
      code: 9,
      ids: [9000, 8999, 8997, 8996, 8995],
    });
    expect(errorLine(listed.stderr).message).toContain('Card 8998');
  });

  it('lists are whole, sorted where asked, and cost nothing', async ({ server, here }) => {
    const ids = prepare(server, 40);
    await here(['signals', 'export', '--quiet', '--max-credits', '6']);
    server.requests.length = 0;
    const all = await here(['signals', 'ls', '--local', '--since', '30d', '--json']);
    expect(JSON.parse(all.stdout).items).toHaveLength(40);
    const fields = ['--fields', 'id,outcome.move_24h_pct'];
    const three = ['signals', 'ls', '--local', '-n', '3', '--ndjson', ...fields];
    const moves = movesOf((await here([...three, '--sort', 'outcome.move_24h_pct'])).stdout);
    expect(moves).toEqual([...moves].sort((a, b) => b - a));
    const oldest = await here([
      'signals',
      'ls',
      '--local',
      '--sort',
      '-created_at',
      '-n',
      '1',
      '--ndjson',
    ]);
    expect(idsOf(oldest.stdout)).toEqual([ids.at(-1)]);
    // Not taken for the global -o with the value utcome.move_24h_pct, nor for -h.
    const worst = await here([...three, '--sort', '-outcome.move_24h_pct']);
    expect(worst.stderr).toBe('');
    const falling = movesOf(worst.stdout);
    expect(falling).toEqual([...falling].sort((x, y) => x - y));
    const plan = await here(['signals', 'ls', '--local', '--plan', '--json'], {
      env: { SCREENER_API_KEY: undefined },
    });
    expect(JSON.parse(plan.stdout).credits).toEqual({ least: 0, most: 0 });
    expect(server.requests).toEqual([]);
  });

  it('an unknown type or symbol is named with what there is', async ({ server, here }) => {
    prepare(server, 3);
    await here(['signals', 'export', '--quiet', '--no-outcomes']);
    const known = "no card of type 'prize'. Did you mean 'price'? It has: open_interest, price.";
    const commands = [
      ['signals', 'ls', '--local'],
      ['stats', '--local'],
      ['tune'],
      ['screeners', '--local'],
    ];
    for (const words of commands) {
      const ran = await here([...words, 'prize', '--json']);
      expect(ran, words.join(' ')).toMatchObject({ code: 2, stdout: '' });
      expect(errorLine(ran.stderr).message, words.join(' ')).toContain(known);
      expect(ran.stderr, words.join(' ')).not.toContain('signals export');
    }
    const symbol = await here(['signals', 'ls', '--local', '--symbol', 'BTCUSD', '--json']);
    expect({ code: symbol.code, items: JSON.parse(symbol.stdout).items }).toEqual({
      code: 0,
      items: [],
    });
    expect(symbol.stderr).toContain("no card of symbol 'BTCUSD'. Did you mean 'BTCUSDT'?");
  });

  it('an unknown type is named by the screeners, too, where there is no card yet', async ({
    server,
    here,
  }) => {
    server.holds([]);
    await here(['signals', 'export', '--quiet']);
    const message =
      "The history has no card yet, and no screener of type 'prize'. Did you mean 'price'? It has: funding, price.";
    for (const line of [
      'signals ls --local --type',
      'stats --local --type',
      'stats --local --by type --type',
      'stats --local --by settings --type',
      'report - --type',
      'tune',
      'screeners --local',
    ]) {
      const ran = await here([...line.split(' '), 'prize', '--json']);
      expect(ran, line).toMatchObject({ code: 2, stdout: '' });
      expect(errorLine(ran.stderr).message, line).toBe(message);
      expect((await here([...line.split(' '), 'price'])).code, line).toBe(0);
    }
  });

  it('the page of a type of which nothing is there says so', async ({ server, here }) => {
    const told = (type: string) =>
      expect.stringContaining(
        `This history has no settings of '${type}', and no card of it in the last 180 days.\n`,
      );
    server.holds([]);
    await here(['signals', 'export', '--quiet', '--no-screeners']);
    const empty = await here(['screeners', 'price', '--local']);
    expect(empty).toEqual({ code: 0, stdout: '', stderr: told('price') });
    server.holds([samples.nthSettled(1, NOW - 200 * DAY)]);
    await here(['signals', 'export', '--quiet', '--no-screeners', '--since', '300d']);
    const old = await here(['screeners', 'open_interest', '--local']);
    expect(old).toEqual({ code: 0, stdout: '', stderr: told('open_interest') });
  });

  it('a type is an argument or an option, and --local stands anywhere', async ({
    server,
    here,
  }) => {
    prepare(server, 6);
    await here(['signals', 'export', '--quiet']);
    for (const words of [['stats'], ['signals', 'ls'], ['tune'], ['screeners']]) {
      const answers = [];
      for (const type of [['price'], ['--type', 'price']]) {
        answers.push(await here(['--local', ...words, ...type, '--json']));
        answers.push(await here([...words, ...type, '--local', '--json']));
      }
      const withoutTime = (text: string) => text.replace(/"(generated_at|until)": .*/g, '');
      const [first, ...others] = answers.map(({ code, stdout }) => ({
        code,
        text: withoutTime(stdout),
      }));
      expect(first?.code, words.join(' ')).toBe(0);
      expect(others, words.join(' ')).toEqual([first, first, first]);
    }
    server.requests.length = 0;
    await here(['signals', 'ls', 'price', '--json']);
    expect(server.requests.map(({ query }) => query.screener_type)).toEqual(['price']);
    expect((await here(['signals', 'ls', 'price', '--next'])).code).toBe(2);
  });

  it('~/ that no shell expanded is the home folder', async ({ server, screener, home }) => {
    prepare(server, 2);
    await screener(['signals', 'export', '~/kept', '--quiet', '--no-outcomes']);
    const ran = await screener(['signals', 'ls', '--from', `${home.folder}/kept`, '--ndjson']);
    expect(idsOf(ran.stdout)).toHaveLength(2);
  });
});

it('a type is taken as it is where no type is known', async ({ server, here }) => {
  server.holds(samples.cards(5));
  const ran = await here(['signals', 'ls', '--type', 'OI'], { tty: 100 });
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('No cards of type OI. Check the name'),
  });
});

it('--type and --symbol need no home folder', async ({ server, screener, home }) => {
  server.holds(samples.cards(5));
  const { state } = home;
  for (const words of [
    ['signals', 'ls', '--type', 'price'],
    ['signals', 'ls', '--symbol', 'BTCUSDT'],
    ['stats', '--type', 'price'],
  ]) {
    const env = { HOME: 'nowhere', XDG_DATA_HOME: undefined, SCREENER_STATE_DIR: state };
    const { code, stderr } = await screener(words, { env });
    expect({ words, code, stderr }).toEqual({
      words,
      code: 0,
      stderr: expect.not.stringContaining('error'),
    });
  }
});

it('a symbol as a type, or a slip away, is refused on a terminal; a script gets one warning', async ({
  server,
  here,
  home,
}) => {
  server.holds(samples.cards(5));
  await here(['signals', 'ls', '--quiet', '--json']);
  for (const [words, meant] of [
    ['signals ls --symbol BTCUSD', 'BTCUSDT'],
    ['signals ls --symbol BTCUSTD', 'BTCUSDT'],
    ['signals ls --symbol btc', 'BTCUSDT'],
    ['stats --type pirce', 'price'],
    ['signals watch --type pric', 'price'],
    ['signals export --focus prices', 'price'],
  ] as const) {
    const ran = await here(words.split(' '), { tty: 100 });
    expect({ words, code: ran.code, stderr: ran.stderr }).toEqual({
      words,
      code: 2,
      stderr: expect.stringContaining(`did you mean ${meant}?`),
    });
  }
  for (const line of ['signals ls btcusdt', 'signals watch BTCUSDT', '--demo signals ls BTCUSDT']) {
    const ran = await here(line.split(' '), { tty: 100 });
    expect(ran.code, line).toBe(2);
    expect(ran.stderr, line).toMatch(/looks like a symbol[\s\S]*signals ls --symbol BTCUSDT$/m);
  }
  // Neither is near a symbol that was seen: two letters of BTCUSXX are wrong, not exchanged.
  for (const symbol of ['SOLUSDC', 'BTCUSXX']) {
    const { code, stderr } = await here(['signals', 'ls', '--symbol', symbol], { tty: 100 });
    expect({ symbol, code, stderr }).toEqual({
      symbol,
      code: 0,
      stderr: expect.stringContaining(`No cards of symbol ${symbol}. Check the name`),
    });
  }
  for (const options of [{ args: ['--json'] }, { args: ['--yes'], tty: 100 }]) {
    const sent = await here(['signals', 'ls', '--symbol', 'BTCUSD', ...options.args], {
      tty: options.tty,
    });
    const warnings = sent.stderr.match(/warning: .*did you mean BTCUSDT/g);
    expect({ ...options, code: sent.code, warnings: warnings?.length }).toEqual({
      ...options,
      code: 0,
      warnings: 1,
    });
  }
  expect(server.requests).toHaveLength(5);
  // The history's last look at the screeners knows the types, too.
  await here(['signals', 'export', '--max-credits', '4', '--no-stats']);
  rmSync(home.state, { recursive: true });
  const known = await here(['stats', 'pirce'], { tty: 100 });
  expect({ code: known.code, stderr: known.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('did you mean price?'),
  });
});

it('a name of the history is no slip, and a type in capitals no symbol', async ({
  server,
  here,
  home,
}) => {
  const seenCard = samples.card({ source_symbol: 'SUIUSDC', source_bot_type: 'price' });
  server.holds([seenCard]);
  await here(['signals', 'ls', '--quiet', '--json']);
  writeCards(path.join(home.folder, 'data', 'history'), [
    samples.card({ id: 7, source_symbol: 'SUIUSDT', source_bot_type: 'prices' }),
  ]);
  const sentenceOf = async (words: string) => {
    const { stderr } = await here(words.split(' '), { tty: 100, env: { NO_COLOR: '1' } });
    return stderr.split('\n').find((line) => line.includes('No card'));
  };
  expect({
    symbol: await sentenceOf('signals ls --symbol SUIUSDT'),
    type: await sentenceOf('signals ls --type prices'),
    slip: await sentenceOf('signals ls --symbol SUIUSDD'),
    capitals: await sentenceOf('signals ls --type PRICE'),
    demo: await sentenceOf('--demo signals ls --type BREAKOUT'),
  }).toEqual({
    symbol: 'No cards of symbol SUIUSDT. Check the name, for example BTCUSDT.',
    type: 'No cards of type prices. Check the name: `screener screeners`.',
    slip: 'error: No card of yours so far has the symbol SUIUSDD; did you mean SUIUSDC?',
    capitals: 'error: No card of yours so far has the type PRICE; did you mean price?',
    demo: 'error: No card of yours so far has the type BREAKOUT; did you mean breakout?',
  });
});

it('--next on a terminal goes on with the last list, its filters and its cursor', async ({
  home,
  here,
}) => {
  const none = await here(['signals', 'ls', '--next']);
  expect({ code: none.code, stderr: none.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('No list of this account has a next page.'),
  });
  const first = await here(['signals', 'ls', '-n', '3', '--symbol', 'BTCUSDT'], { tty: 100 });
  expect(first.stderr).toContain('  screener signals ls --next -n 3');
  const second = await here(['signals', 'ls', '--next', '--all', '--json'], { home });
  const cards = samples.cards(60).filter((card) => card.source_symbol === 'BTCUSDT');
  expect(JSON.parse(second.stdout).items).toEqual(cards.slice(3));
  const changed = await here(['signals', 'ls', '--next', '--symbol', 'ETHUSDT']);
  expect({ code: changed.code, stderr: changed.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--next and --symbol exclude each other.'),
  });
});

it('--next has nothing to go on with once the list came to its end', async ({ here }) => {
  const list = ['signals', 'ls', '--symbol', 'BTCUSDT'];
  const part = await here([...list, '-n', '3'], { tty: 100 });
  expect(part.stderr).toContain('signals ls --next');
  const whole = await here([...list, '--all', '--yes'], { tty: 100 });
  const next = await here(['signals', 'ls', '--next']);
  expect({ part: part.code, whole: whole.code, next: next.code, stderr: next.stderr }).toEqual({
    part: 0,
    whole: 0,
    next: 2,
    stderr: expect.stringContaining('No list of this account has a next page.'),
  });
});

it('--all says since when the service lists cards, if no time was asked for', async ({ here }) => {
  const saysSince = async (...words: string[]) => {
    const { code, stderr } = await here(['signals', 'ls', '--all', ...words]);
    expect(code, stderr).toBe(0);
    return stderr.includes('an earlier --since may show more.');
  };
  expect({ withoutTime: await saysSince(), since: await saysSince('--since', '2d') }).toEqual({
    withoutTime: true,
    since: false,
  });
});

describe('--plan', () => {
  it('of a logout removes nothing', async ({ here, home }) => {
    expect((await here(['login'], { stdin: `${KEY}\n` })).code).toBe(0);
    const plan = await here(['logout', '--plan', '--json']);
    expect({ code: plan.code, credits: JSON.parse(plan.stdout).credits }).toEqual({
      code: 0,
      credits: { least: 0, most: 0 },
    });
    expect(existsSync(home.saved), 'there are saved settings').toBe(true);
    await here(['logout']);
    expect(existsSync(home.saved), 'there are saved settings').toBe(false);
  });

  it.for([
    { line: 'signals ls', paths: ['/access'], left: 900 },
    { line: 'access', paths: [], left: null },
    { line: 'stats --local', paths: [], left: null },
  ])('of $line', async ({ line, paths, left }, { server, here }) => {
    const { code, stdout, stderr } = await here([...line.split(' '), '--plan', '--json']);
    expect({
      code,
      left: JSON.parse(stdout).credits_left,
      stderr,
      requests: server.requests.map((request) => request.path),
      credits: server.credits,
    }).toEqual({ code: 0, left, stderr: '', requests: paths, credits: 0 });
  });

  it('of stats --by type names the most once the types were seen, none that is off', async ({
    server,
    here,
  }) => {
    const plan = async () =>
      JSON.parse((await here(['stats', '--by', 'type', '--plan', '--json'])).stdout).credits;
    expect(await plan()).toEqual({ least: 1, most: null });
    await here(['screeners', '--quiet']);
    expect(await plan()).toEqual({ least: 1, most: 11 });
    const before = server.credits;
    await here(['stats', '--by', 'type', '--json']);
    expect(server.credits - before).toBe(6);
  });

  it('of an export takes the fields of the export, and is printed whole', async ({ here }) => {
    const plan = await here([
      '--demo',
      'signals',
      'export',
      '--plan',
      '--json',
      '--fields',
      'pages',
    ]);
    expect(plan.code, plan.stderr).toBe(0);
    expect(JSON.parse(plan.stdout)).toHaveProperty('credits_at_most');
  });
});

it('an export asks first what is left, which is free, and then for the cards', async ({
  here,
  server,
}) => {
  const { code } = await here(['signals', 'export', '--quiet', '--no-screeners', '--no-stats']);
  const [first, second] = server.requests.map((request) => request.path);
  expect({ code, first, second }).toEqual({ code: 0, first: '/access', second: '/signals' });
});
