/**
 * Eight processes of mixed commands against one account, as terminals, scripts and cron jobs of one user would run them:
 * a small allowance, real time, and a service that counts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountId } from '../../src/config/identity.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createHome } from '../support/home.ts';
import { type Ran, runScreener } from '../support/run.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
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

interface Line {
  readonly is: string;
  readonly nonce?: string;
  readonly status?: number | null;
  readonly cost?: number;
}

describe('eight processes at once', () => {
  it('are never refused for pace, and the ledger knows what they spent', async () => {
    const sandbox = await startSandbox({
      perMinute: PER_MINUTE,
      dayCredits: 100_000,
      monthCredits: 100_000,
      cards: 80,
    });
    const home = createHome();
    const env = { SCREENER_BASE_URL: sandbox.baseUrl, SCREENER_API_KEY: sandbox.key };
    try {
      // The first one learns the allowance; the document's 15 would be kept to otherwise.
      const all: (Ran & { words: string })[] = [{ ...(await runScreener(['access'], { home, env })), words: 'access' }];
      const worker = async (n: number) => {
        const picks = fc.sample(fc.constantFrom(...COMMANDS), { seed: SEED + n, numRuns: EACH });
        for (const words of picks) {
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
        expect(words.includes('--max-credits 2') ? [0, 7] : [0], `${words}: ${stderr} (seed ${SEED})`).toContain(code);
      }
      expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([]);
      const folder = path.join(home.state, 'ledger', accountId(sandbox.baseUrl, sandbox.key));
      const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
      const lines = texts
        .flatMap((text) => text.split('\n').filter((line) => line !== ''))
        .map((line) => JSON.parse(line) as Line);
      const answered = new Set(
        lines.filter(({ is, status }) => is === 'answer' && status === 200).map(({ nonce }) => nonce),
      );
      const paid = lines.filter(({ is, nonce }) => is === 'permit' && answered.has(nonce));
      process.stdout.write(
        `soak: ${all.length} commands, ${sandbox.requests.length} requests, ${sandbox.quota.month} credits, none refused (seed ${SEED})\n`,
      );
      // Not a line is lost, and not a credit.
      expect(paid).toHaveLength(sandbox.requests.length);
      expect(paid.reduce((sum, { cost = 0 }) => sum + cost, 0)).toBe(sandbox.quota.month);
      const { stdout } = await runScreener(['access'], { home, env });
      expect(stdout).toContain(`${sandbox.quota.month} of 100000 used`);
      expect(stdout).toMatch(/Elsewhere +0\b/);
    } finally {
      await sandbox.close();
      home.remove();
    }
  });
});
