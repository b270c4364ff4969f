import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SHELLS } from '../../src/completion/values.ts';
import { runScreener } from '../support/run.ts';
import { SCRIPTS } from './support.ts';

describe('the scripts', () => {
  for (const shell of SHELLS) {
    it(`for ${shell}: what stands in completions/`, async () => {
      const text = readFileSync(SCRIPTS[shell], 'utf8');
      expect(await runScreener(['completion', shell])).toMatchObject({ code: 0, stdout: text, stderr: '' });
    });
  }

  it('an unknown shell is wrong usage', async () => {
    const { code, stderr, stdout } = await runScreener(['completion', 'fihs']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/SHELL takes bash, zsh, fish, not 'fihs'\.\nhint: Did you mean 'fish'\?/);
  });
});
