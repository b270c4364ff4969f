import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
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
  it('shows a table that is longer than the screen, and only such a one', async ({
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
    for (const args of [
      ['snapshot'],
      [...long, '--no-pager'],
      [...long, '--json'],
      ['signals', 'ls', '-n', '3'],
    ]) {
      const plain = await onTerminal(args, { home, env });
      expect({ code: plain.code, isPaged: plain.tty.includes('paged: ') }, String(args)).toEqual({
        code: 0,
        isPaged: false,
      });
    }
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

  it('gets a word that is quoted in part as one word', async ({ home }) => {
    const script = 'for word; do echo "word: $word."; done; cat > /dev/null';
    const env = { SCREENER_PAGER: `${pager(home, script)} --prompt="my pager" -P'a b'c` };
    const shown = await onTerminal(['help', 'figures'], { home, env });
    expect(shown.tty.match(/^word: .*\.$/gm)).toEqual([
      'word: --prompt=my pager.',
      'word: -Pa bc.',
    ]);
  });

  it('shows a help text that is longer than the screen', async ({ home }) => {
    const env = { SCREENER_PAGER: pager(home, PREFIXED) };
    for (const [args, isPaged] of [
      [['help', 'figures'], true],
      [['signals', 'ls', '--help'], false],
      [['help', 'exit-codes'], false],
      [['--no-pager', 'help', 'figures'], false],
    ] as const) {
      const shown = await onTerminal(args, { home, env });
      expect({ code: shown.code, isPaged: shown.tty.includes('paged: ') }, String(args)).toEqual({
        code: 0,
        isPaged,
      });
      expect(shown.tty, args.join(' ')).toMatch(/Usage|Figures|Exit/);
    }
  });

  it.for([
    { SCREENER_PAGER: '/nowhere/pager' },
    { SCREENER_PAGER: 'LC_ALL=C /nowhere/pager' },
    { SCREENER_PAGER: '' },
    { SCREENER_PAGER: undefined, PAGER: 'cat' },
    { SCREENER_PAGER: undefined, PAGER: undefined, TERM: 'dumb' },
  ])('is not missed: %j', async (env, { home }) => {
    const shown = await onTerminal(['help', 'figures'], { home, env });
    expect({ code: shown.code, text: shown.tty.replaceAll('\r', '') }).toEqual({
      code: 0,
      text: expect.stringContaining(topicText('figures', screener) ?? ''),
    });
  });

  it.for([
    { typed: undefined, LESS: 'FRX', LESSSECURE: '1' },
    { typed: { LESS: '', LESSSECURE: '' }, LESS: '', LESSSECURE: '' },
    { typed: { LESS: '-S', LESSSECURE: '0' }, LESS: '-S', LESSSECURE: '0' },
  ])(
    'gets options of less, and may write no files, unless the user says otherwise: $typed',
    async ({ typed, LESS, LESSSECURE }, { home }) => {
      const script = 'echo "less: [$LESS] [$LESSSECURE]"; cat > /dev/null';
      const env = { SCREENER_PAGER: pager(home, script), ...typed };
      const shown = await onTerminal(['help', 'figures'], { home, env });
      expect(shown.tty).toContain(`less: [${LESS}] [${LESSSECURE}]`);
    },
  );

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

  it('does not learn the key', async ({ server, home }) => {
    const env = { ...server.env, SCREENER_PAGER: pager(home, 'cat; env; echo end') };
    const shown = await onTerminal(['signals', 'ls', '-n', '40'], { home, env });
    expect(shown.tty).toMatch(/SCREENER_BASE_URL=[\s\S]*end/);
    expect(shown.tty).not.toContain(String(server.env.SCREENER_API_KEY));
  });

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
