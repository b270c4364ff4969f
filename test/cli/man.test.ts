import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { manPages } from '../../src/cli/man-pages.ts';

describe('the manual pages', () => {
  it('begin no line with what roff takes for a request', async () => {
    for (const [file, text] of await manPages()) {
      for (const line of text.split('\n'))
        expect(line, file).not.toMatch(/^(?:\.(?!TH |SH |in 0$|nf$|fi$|nh$|ad l$)|')/);
      expect(text, file).not.toMatch(/(^|[^\\])\\(?![-e&])/);
    }
  });

  it('are shown by man without a complaint, no line wider than the terminal', async (context) => {
    const pages = await manPages();
    for (const width of ['80', '120']) {
      for (const [file, input] of pages) {
        const shown = spawnSync('man', ['--warnings', '-l', '-'], {
          input,
          encoding: 'utf8',
          env: { ...process.env, MANWIDTH: width, MAN_KEEP_FORMATTING: '', LC_ALL: 'C.UTF-8' },
        });
        if (shown.error !== undefined) context.skip('man is not here');
        expect(shown.stderr, file).toBe('');
        expect(shown.stdout, file).toMatch(/SEE ALSO\n(.*\n)* .*screener-sandbox\(1\)/);
        const wide = shown.stdout.split('\n').filter((line) => line.length > Number(width));
        expect(wide, file).toEqual([]);
        expect(shown.stdout, file).toMatch(/EXIT CODES\n +0 +done/);
        if (file === 'screener.1') expect(shown.stdout).toMatch(/ENVIRONMENT\n +SCREENER_API_KEY /);
      }
    }
  });
});
