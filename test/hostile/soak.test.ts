/**
 * Eight processes of mixed commands against one account, as terminals, scripts and cron jobs of one user would run them:
 * a small allowance, real time, and a service that counts.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountId } from '../../src/config/identity.ts';
import type { DaySpending } from '../../src/credits/usage.ts';
import { aMinute } from '../support/allowances.ts';
import { createHome } from '../support/home.ts';
import { type Ran, runScreener } from '../support/run.ts';
import { startSandbox } from '../support/sandbox.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
const WORKERS = 8;
/** Commands of each, one after another. */
const EACH = HEAVY ? 60 : 3;
/** In a short run there is no minute to wait for; in a long one the allowance is what slows everybody down. */
const PER_MINUTE = HEAVY ? 40 : 240;

const COMMANDS: readonly (readonly string[])[] = [
  ['access', '--json'],
  ['snapshot', '--json'],
  ['screeners', '--ndjson'],
  ['signals', 'ls', '--csv'],
  ['signals', 'ls', '-n', '30', '--json'],
  ['signals', 'ls', '-n', '60', '--max-credits', '2', '--ndjson'],
  ['stats', '--json'],
  ['signals', 'ls', '-n', '2', '--outcomes', '--json'],
];

describe('eight processes at once', () => {
  it('are never refused for pace, and the ledger knows what they spent', async () => {
    const sandbox = await startSandbox({
      allowances: aMinute(PER_MINUTE),
      dayCredits: 100_000,
      monthCredits: 100_000,
      cards: 80,
    });
    const home = createHome();
    const env = { SCREENER_BASE_URL: sandbox.baseUrl, SCREENER_API_KEY: sandbox.key };
    try {
      // The first one learns the allowance; the document's 15 would be kept to otherwise.
      const all: (Ran & { words: string })[] = [{ ...(await runScreener(['access'], { home, env })), words: 'access' }];
      const picks = fc.sample(fc.constantFrom(...COMMANDS), WORKERS * EACH);
      const worker = async (n: number) => {
        for (const words of picks.slice(n * EACH, (n + 1) * EACH)) {
          all.push({ ...(await runScreener(words, { home, env })), words: words.join(' ') });
        }
      };
      // One more exports all the while, as cron would.
      const cron = async () => {
        for (let n = 0; n < EACH; n += 1) {
          const words = ['signals', 'export', path.join(home.folder, 'history'), '--max-credits', '3', '--json'];
          all.push({ ...(await runScreener(words, { home, env })), words: words.join(' ') });
        }
      };
      await Promise.all([...Array.from({ length: WORKERS - 1 }, (_, n) => worker(n)), cron()]);

      for (const { code, words, stderr } of all) {
        // A list may end at the ceiling it was given.
        expect(words.includes('--max-credits 2') ? [0, 7] : [0], `${words}: ${stderr}`).toContain(code);
      }
      expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([]);
      const folder = path.join(home.state, 'ledger', accountId(sandbox.baseUrl, sandbox.key));
      const { days } = JSON.parse(readFileSync(path.join(folder, 'usage.json'), 'utf8')) as { days: DaySpending[] };
      const spent = days.flatMap(({ operations }) => Object.values(operations));
      // Not a request is lost, and not a credit.
      expect(spent.reduce((sum, { requests }) => sum + requests, 0)).toBe(sandbox.requests.length);
      expect(spent.reduce((sum, { charged }) => sum + charged, 0)).toBe(sandbox.quota.month);
      const { stdout } = await runScreener(['access'], { home, env });
      expect(stdout).toContain(`${sandbox.quota.month} of 100000 used`);
      expect(stdout).toMatch(/Elsewhere +0\b/);
    } finally {
      await sandbox.close();
      home.remove();
    }
  });
});
