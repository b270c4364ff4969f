/**
 * Eight processes of mixed commands against one account, as terminals, scripts and cron jobs of one user would run them:
 * a small allowance, real time, and a service that counts.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { aMinute } from '../support/allowances.ts';
import { it } from '../support/fixtures.ts';
import { runScreener } from '../support/run.ts';
import { startSandbox } from '../support/sandbox.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
/** Commands of each, one after another. */
const EACH = HEAVY ? 60 : 3;

const COMMANDS = [
  'access --json',
  'snapshot --json',
  'screeners --ndjson',
  'signals ls -n 30 --csv',
  'signals ls -n 60 --max-credits 2 --ndjson',
  'stats --json',
  'signals ls -n 2 --outcomes --json',
];

it('eight processes at once are never refused for pace, and the ledger knows what they spent', async ({ home }) => {
  // In a short run there is no minute to wait for; in a long one the allowance is what slows everybody down.
  const allowances = aMinute(HEAVY ? 40 : 240);
  const sandbox = await startSandbox({ allowances, dayCredits: 100_000, monthCredits: 100_000, cards: 80 });
  const env = { SCREENER_BASE_URL: sandbox.baseUrl, SCREENER_API_KEY: sandbox.key };
  const run = async (line: string) => {
    const { code, stdout, stderr } = await runScreener(line.split(' '), { home, env });
    // A list may end at the ceiling it was given.
    expect(line.includes('--max-credits 2') ? [0, 7] : [0], `${line}: ${stderr}`).toContain(code);
    return stdout;
  };
  // The first one learns the allowance; the document's 15 would be kept to otherwise.
  await run('access');
  const picks = fc.sample(fc.constantFrom(...COMMANDS), 7 * EACH);
  // One exports all the while, as cron would.
  const cron = Array.from({ length: EACH }, () => `signals export ${home.folder}/history --max-credits 3 --json`);
  const workers = [cron, ...Array.from({ length: 7 }, (_, n) => picks.slice(n * EACH, (n + 1) * EACH))];
  await Promise.all(
    workers.map(async (lines) => {
      for (const line of lines) await run(line);
    }),
  );
  expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([]);
  // Not a credit is lost: none seems to be another client's.
  const stdout = await run('access');
  expect(stdout).toContain(`${sandbox.quota.month} of 100000 used`);
  expect(stdout).not.toContain('Elsewhere');
  await sandbox.close();
});
