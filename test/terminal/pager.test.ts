import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { topicText } from '../../src/cli/topics.ts';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { without } from '../support/programs.ts';
import { CTRL_C, onTerminal } from './drive.ts';

/** A pager that says what it gets. The terminal has 40 lines. */
function pager(home: Home, script: string): string {
  const file = path.join(home.folder, 'a pager');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return `'${file}'`;
}

const PREFIXED = "sed 's/^/paged: /'";

describe.skipIf(without('python3'))('the pager', { concurrent: true }, () => {
  it('shows a table that is longer than the screen, but not to a pipe', async ({
    server,
    home,
  }) => {
    const env = { ...server.env, SCREENER_PAGER: pager(home, PREFIXED), PAGER: 'nobody' };
    const long = ['signals', 'ls', '-n', '40'];
    const paged = await onTerminal(long, { home, env });
    expect(paged.tty.match(/^paged: .*USDT/gm)).toHaveLength(40);
    // What is said beside the table waits until the user has left the pager.
    expect(
      paged.tty.indexOf('Go on with:'),
      'where the hint stands, and where the last page ends',
    ).toBeGreaterThan(paged.tty.lastIndexOf('paged: '));
    const piped = await onTerminal(long, { home, env, streams: { stdout: 'pipe' } });
    expect(piped.stdout.match(/^.*USDT/gm)).toHaveLength(40);
    expect(piped.stdout).not.toContain('paged');
  });

  it.for([`${PREFIXED} | cat`, `MARK=paged; sed "s/^/$MARK: /"`, `LC_ALL=C ${PREFIXED}`])(
    'may be a line for the shell: %s',
    async (line, { home }) => {
      const env = { SCREENER_PAGER: line };
      const shown = await onTerminal(['help', 'figures'], { home, env });
      expect(shown.code).toBe(0);
      expect(shown.tty).toMatch(/^paged: .*Figures/m);
    },
  );

  it('is not missed where the shell does not find it', async ({ home }) => {
    const env = { SCREENER_PAGER: 'LC_ALL=C /nowhere/pager' };
    const shown = await onTerminal(['help', 'figures'], { home, env });
    expect({ code: shown.code, text: shown.tty.replaceAll('\r', '') }).toEqual({
      code: 0,
      text: expect.stringContaining(topicText('figures', screener) ?? ''),
    });
  });

  it.skipIf(without('less'))(
    'writes no file if the next command line is typed into it',
    async ({ home }) => {
      const env = { SCREENER_PAGER: 'less', TERM: 'xterm' };
      const typed = 'screener --demo tune oi_growth\n';
      const steps = [
        { after: 'Figures', send: typed },
        { after: '', send: '\nq' },
      ];
      const shown = await onTerminal(['help', 'figures'], { home, env, steps });
      expect({
        code: shown.code,
        files: readdirSync(home.folder).filter((name) => name.startsWith('creener')),
      }).toEqual({
        code: 0,
        files: [],
      });
    },
  );

  it('keeps Ctrl-C for itself, also a second one', async ({ server, home }) => {
    // The second one ends it in the trap itself: between a look at a counter and a wait it could come unseen.
    const script = `n=0; trap 'n=$((n+1)); echo caught $n; if [ $n = 2 ]; then kill $!; exit; fi' INT; cat; sleep 9999 & echo ready; while :; do wait $!; done`;
    const env = { ...server.env, SCREENER_PAGER: pager(home, script) };
    const steps = ['ready', 'caught 1'].map((after) => ({ after, send: CTRL_C }));
    const result = await onTerminal(['signals', 'ls', '-n', '40'], { home, env, steps });
    expect(result.code).toBe(0);
    expect(result.tty).toMatch(/caught 2[\s\S]*credits spent/);
    expect(result.modes.after).toEqual(result.modes.before);
  });
});

/** What a pager gets needs no terminal of the system's: it writes to a file what it would show. */
describe.concurrent('what goes to the pager', () => {
  /** Of a terminal with 40 lines. */
  const SCREEN = { tty: 80, rows: 40 };

  /** A pager that runs a script, and what it wrote; undefined if it was not started. */
  function writingPager(home: Home, script: string) {
    const file = path.join(home.folder, 'shown');
    return {
      command: pager(home, `{ ${script}; } > '${file}'`),
      shown: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    };
  }

  const { PATH } = process.env;
  const LONG = ['signals', 'ls', '-n', '40'];

  it.for([
    { words: LONG, isPaged: true, says: /USDT/ },
    { words: ['snapshot'], isPaged: false, says: /Oversold/ },
    { words: [...LONG, '--no-pager'], isPaged: false, says: /USDT/ },
    { words: [...LONG, '--json'], isPaged: false, says: /USDT/ },
    { words: ['signals', 'ls', '-n', '3'], isPaged: false, says: /USDT/ },
    { words: ['help', 'figures'], isPaged: true, says: /Figures/ },
    { words: ['signals', 'ls', '--help'], isPaged: false, says: /Usage/ },
    { words: ['help', 'exit-codes'], isPaged: false, says: /Exit/ },
    { words: ['--no-pager', 'help', 'figures'], isPaged: false, says: /Figures/ },
  ])(
    'is what is longer than the screen: $words',
    async ({ words, isPaged, says }, { home, here }) => {
      const { command, shown } = writingPager(home, 'cat');
      const { code, stdout } = await here(words, {
        ...SCREEN,
        env: { PATH, SCREENER_PAGER: command },
      });
      const texts = { paged: shown() ?? '', printed: stdout };
      const none = '';
      const text = expect.stringMatching(says);
      expect({ code, ...texts }).toEqual({
        code: 0,
        paged: isPaged ? text : none,
        printed: isPaged ? none : text,
      });
    },
  );

  it('begins with its words: one that is quoted in part is one', async ({ home, here }) => {
    const script = 'for word; do echo "word: $word."; done; cat > /dev/null';
    const { command, shown } = writingPager(home, script);
    const SCREENER_PAGER = `${command} --prompt="my pager" -P'a b'c`;
    await here(['help', 'figures'], { ...SCREEN, env: { PATH, SCREENER_PAGER } });
    expect(shown()).toBe('word: --prompt=my pager.\nword: -Pa bc.\n');
  });

  it.for([
    { SCREENER_PAGER: '/nowhere/pager' },
    { SCREENER_PAGER: '' },
    { PAGER: 'cat' },
    { TERM: 'dumb' },
  ])('is printed without one: %j', async (env, { here }) => {
    const { code, stdout } = await here(['help', 'figures'], { ...SCREEN, env: { PATH, ...env } });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(topicText('figures', screener) ?? ''),
    });
  });

  it.for([
    { typed: undefined, LESS: 'FRX', LESSSECURE: '1' },
    { typed: { LESS: '', LESSSECURE: '' }, LESS: '', LESSSECURE: '' },
    { typed: { LESS: '-S', LESSSECURE: '0' }, LESS: '-S', LESSSECURE: '0' },
  ])(
    'goes with options of less that let it write no files, unless the user says otherwise: $typed',
    async ({ typed, LESS, LESSSECURE }, { home, here }) => {
      const script = 'echo "less: [$LESS] [$LESSSECURE]"; cat > /dev/null';
      const { command, shown } = writingPager(home, script);
      const env = { PATH, SCREENER_PAGER: command, ...typed };
      await here(['help', 'figures'], { ...SCREEN, env });
      expect(shown()).toBe(`less: [${LESS}] [${LESSSECURE}]\n`);
    },
  );

  it('is not the key', async ({ server, home, here }) => {
    const { command, shown } = writingPager(home, 'cat > /dev/null; env');
    await here(LONG, { ...SCREEN, env: { PATH, SCREENER_PAGER: command } });
    expect(shown()).toContain('SCREENER_BASE_URL=');
    expect(shown()).not.toContain(String(server.env.SCREENER_API_KEY));
  });
});
