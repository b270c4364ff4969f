import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { manPages } from '../../.config/man-pages.ts';
import { without } from '../support/programs.ts';

describe('the manual pages', () => {
  it.skipIf(without('man'))(
    'are shown by man without a complaint, no line wider than the terminal',
    async () => {
      const pages = await manPages('2026-11-20');
      const env = { ...process.env, MANWIDTH: '80', MAN_KEEP_FORMATTING: '', LC_ALL: 'C.UTF-8' };
      // One process for all of them: each takes four others to show a page.
      const input = [...pages.values()].join('\n');
      const { stdout, stderr } = spawnSync('man', ['--warnings', '-l', '-'], {
        input,
        encoding: 'utf8',
        env,
      });
      expect(stderr).toBe('');
      const shown = stdout.split(/^(?=SCREENER\S*\(1\) )/m);
      expect(shown).toHaveLength(pages.size);
      for (const [n, file] of [...pages.keys()].entries()) {
        const text = shown[n] ?? '';
        expect(text, file).toMatch(new RegExp(`^${file.slice(0, -2).toUpperCase()}\\(1\\) `));
        expect(text, file).toMatch(/SEE ALSO\n(.*\n)* .*screener-sandbox\(1\)/);
        expect(
          text.split('\n').filter((line) => line.length > 80),
          `lines of more than 80 columns in ${file}`,
        ).toEqual([]);
        expect(text, file).toMatch(
          /SYNOPSIS\n +screener[\s\S]+\nDESCRIPTION\n[\s\S]+\nOPTIONS\n[\s\S]+\nEXIT STATUS\n +0 +done/,
        );
        if (file === 'screener.1') expect(text, file).toMatch(/ENVIRONMENT\n +SCREENER_API_KEY /);
      }
    },
  );

  it.skipIf(without('mandoc'))('are what mandoc expects, to the style', async () => {
    for (const [file, input] of await manPages('2026-11-20')) {
      const { stdout } = spawnSync('mandoc', ['-T', 'lint'], { input, encoding: 'utf8' });
      expect(stdout, file).toBe('');
    }
  });
});
