import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { manPages } from '../../src/cli/man-pages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = path.join(ROOT, 'man');

describe('the manual pages', () => {
  it('in man/ are what the declarations give, and the package installs each', async () => {
    const pages = await manPages();
    expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort());
    for (const [file, text] of pages) {
      expect(readFileSync(path.join(FOLDER, file), 'utf8'), `${file}: run \`npm run generated\``).toBe(text);
    }
    const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(manifest.man).toEqual([...pages.keys()].sort().map((file) => `man/${file}`));
    expect(manifest.files).toContain('man');
  });

  it('begin no line with what roff takes for a request', async () => {
    for (const [file, text] of await manPages()) {
      for (const line of text.split('\n'))
        expect(line, file).not.toMatch(/^(?:\.(?!TH |SH |TP$|B |BR |PP$|nf$|fi$)|')/);
      expect(text, file).not.toMatch(/(^|[^\\])\\(?![-e&])/);
    }
  });

  it('are shown by man without a complaint', async (context) => {
    let shown = '';
    try {
      const page = path.join(FOLDER, 'screener-signals-ls.1');
      shown = execFileSync('man', ['--warnings', '-l', page], {
        encoding: 'utf8',
        env: { ...process.env, MANWIDTH: '80' },
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') context.skip('man is not here');
      throw error;
    }
    expect(shown).toMatch(/--since <time>/);
  });
});
