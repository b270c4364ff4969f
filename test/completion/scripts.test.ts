import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { SHELLS } from '../../src/completion/values.ts';
import { it } from '../support/fixtures.ts';
import { runScreener } from '../support/run.ts';
import { CASES, expectCases } from './cases.ts';
import { quoted, runIn, SCRIPTS } from './support.ts';

describe('the scripts', () => {
  for (const shell of SHELLS) {
    it(`for ${shell}: what stands in completions/`, async () => {
      const text = readFileSync(SCRIPTS[shell], 'utf8');
      expect(await runScreener(['completion', shell])).toMatchObject({ code: 0, stdout: text, stderr: '' });
    });
  }

  it('PowerShell, which hands on no empty word, says the last one first', async ({ home }) => {
    const complete = async (...words: string[]) => (await runScreener(['complete', ...words], { home })).stdout;
    const words = ['signals', 'ls', '--output'];
    expect(await complete('--last=', ...words)).toBe(await complete(...words, ''));
    expect(await complete('--last=js', ...words)).toMatch(/^json\t/);
    expect(await complete('--last=sig')).toMatch(/^signals\t/);
  });

  it.skipIf(spawnSync('pwsh', ['--version']).error !== undefined)(
    'PowerShell offers what the others offer',
    ({ home }) => {
      const calls = CASES.map(({ line }) => {
        const asked = `(TabExpansion2 ${quoted(line)} ${line.length}).CompletionMatches`;
        return `Write-Output (@(${asked} | ForEach-Object { $_.ListItemText }) -join '|')`;
      });
      const offered = runIn(home, [
        'pwsh',
        '-NoProfile',
        '-Command',
        `. ${quoted(SCRIPTS.powershell)}\n${calls.join('\n')}`,
      ]);
      // Where nothing is offered PowerShell offers files.
      expectCases((one, index) => (one.all?.length === 0 ? [] : (offered[index] ?? '').split('|')));
    },
  );
});
