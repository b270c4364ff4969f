import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf, nameOf, SCENARIOS } from './cases.ts';
import { shortfalls } from './check.ts';
import { InProcess } from './in-process.ts';
import { type Result, reportOf } from './report.ts';

/** Some 40,000 cases instead of some 500. */
const HEAVY = process.env.SCREENER_HEAVY === '1';
const results: Result[] = [];

describe(`the fault matrix${HEAVY ? ', all of it' : ''}`, () => {
  let runner: InProcess;
  beforeAll(async () => {
    runner = await InProcess.start();
  });
  afterAll(async () => {
    await runner.close();
    if (process.env.SCREENER_FAULTS_TABLE === '1') process.stdout.write(`\n${reportOf(results)}\n\n`);
  });

  for (const scenario of SCENARIOS) {
    test(scenario.name, async () => {
      const short: string[] = [];
      for (const given of casesOf(scenario, HEAVY)) {
        const found = shortfalls(given, await runner.run(given));
        results.push({ given, shortfalls: found });
        if (found.length > 0) short.push(`${nameOf(given)}: ${found.join('; ')}`);
      }
      expect(short.slice(0, 10)).toEqual([]);
    });
  }
});
