import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf, nameOf, SCENARIOS } from './cases.ts';
import { shortfalls } from './check.ts';
import { InProcess } from './in-process.ts';

/** Some 40,000 cases instead of some 500. */
const HEAVY = process.env.SCREENER_HEAVY === '1';

describe(`the fault matrix${HEAVY ? ', all of it' : ''}`, () => {
  let runner: InProcess;
  beforeAll(async () => {
    runner = await InProcess.start();
  });
  afterAll(() => runner.close());

  for (const scenario of SCENARIOS) {
    test(scenario.name, async () => {
      const short: string[] = [];
      for (const given of casesOf(scenario, HEAVY)) {
        const found = shortfalls(given, await runner.run(given));
        if (found.length > 0) short.push(`${nameOf(given)}: ${found.join('; ')}`);
      }
      expect(short.slice(0, 10)).toEqual([]);
    });
  }
});
