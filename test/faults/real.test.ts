import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { withoutTerminal } from '../support/pty.ts';
import { casesOf, type FaultCase, nameOf, SCENARIOS } from './cases.ts';
import { shortfalls } from './check.ts';
import { expect as expected } from './oracle.ts';
import { runReally } from './real.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
/** Longest time that a case of the sample waits, milliseconds. */
const PATIENCE = HEAVY ? 12_000 : 2200;
const TOGETHER = 4;

/** Evenly spread over the whole matrix, as far as the waits are short. */
function sample(stream: FaultCase['stream'], count: number): FaultCase[] {
  const quick = SCENARIOS.flatMap((scenario) => casesOf(scenario, true)).filter(
    (given) =>
      given.stream === stream && expected(given).waits.reduce((total, [least]) => total + least, 0) <= PATIENCE,
  );
  return Array.from({ length: count }, (_, index) => quick[Math.floor(((index + 0.5) * quick.length) / count)]).filter(
    (given) => given !== undefined,
  );
}

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}

describe('a sample of the fault matrix with real processes', () => {
  test('on a pipe', async () => {
    const short: string[] = [];
    await inTurn(sample('pipe', HEAVY ? 800 : 12), async (given) => {
      const found = shortfalls(given, await runReally(given));
      if (found.length > 0) short.push(`${nameOf(given)}: ${found.join('; ')}`);
    });
    expect(short).toEqual([]);
  });

  test.skipIf(withoutTerminal())('on a terminal', async () => {
    const short: string[] = [];
    await inTurn(sample('terminal', HEAVY ? 200 : 4), async (given) => {
      const seen = await runReally(given);
      const must = expected(given);
      const is = { code: seen.code, requests: seen.requests.length, credits: seen.credits };
      // Both streams come as one; what it must hold of a failure is its words.
      const said = must.code === 0 || /error: |\{"error":\{/.test(stripVTControlCharacters(seen.stdout));
      if (is.code !== must.code || is.requests !== must.requests || is.credits !== must.charged || !said) {
        short.push(`${nameOf(given)}: ${JSON.stringify(is)}\n${seen.stdout}`);
      }
    });
    expect(short).toEqual([]);
  });
});
