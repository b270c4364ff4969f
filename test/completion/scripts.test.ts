import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../src/cli/catalogue.ts';
import { screener } from '../../src/cli/screener.ts';
import { flat, valuePatterns } from '../../src/completion/model.ts';
import { completionScript } from '../../src/completion/scripts.ts';
import { SHELLS } from '../../src/completion/shells.ts';
import { runScreener } from '../support/run.ts';
import { SCRIPTS } from './support.ts';

const catalogue = () => catalogueOf(screener);

describe('the scripts', () => {
  for (const shell of SHELLS) {
    it(`for ${shell}: completions/ is what the tree of commands gives, and what the program prints`, async () => {
      const text = completionScript(await catalogue(), shell);
      expect(readFileSync(SCRIPTS[shell], 'utf8'), 'run `npm run generated`').toBe(text);
      expect(await runScreener(['completion', shell])).toMatchObject({ code: 0, stdout: text, stderr: '' });
    });
  }

  it('an unknown shell is wrong usage', async () => {
    const { code, stderr, stdout } = await runScreener(['completion', 'fihs']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/SHELL takes bash, zsh, fish, not 'fihs'\.\nhint: Did you mean 'fish'\?/);
  });
});

describe('the model', () => {
  it('tells options of one name and two meanings apart by their command', async () => {
    const patterns = valuePatterns(await catalogue()).flatMap(([, all]) => all);
    expect(patterns).toContain('*:--output');
    expect(patterns).toContain('/signals/export:--outcomes');
    expect(patterns).not.toContain('*:--outcomes');
    expect(new Set(patterns).size).toBe(patterns.length);
  });

  it('holds nothing that a shell would read as anything but a word', async () => {
    for (const { path, names, fields } of flat(await catalogue())) {
      for (const text of [...path, ...names, ...fields.map(({ name }) => name)]) expect(text).toMatch(/^[\w.-]+$/);
    }
  });
});
