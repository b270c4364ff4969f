/** `ls`, `watch` and the export against a service that shares nothing with the sandbox. */
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { interruptedError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import { stored } from '../history/support.ts';
import { TestClock, testContext } from '../support/context.ts';
import { createHome, type Home } from '../support/home.ts';
import { type PlainService, startPlainService } from './plain-service.ts';

const HOUR = 3_600_000;
/** Half a month from the month's start, so that its first days are in the month before. */
const START = Date.UTC(2026, 10, 15, 12, 0, 30);

let service: PlainService;
let home: Home;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock(START);
  home = createHome();
  service = await startPlainService(320, () => clock.now());
});
afterEach(async () => {
  await service.close();
  home.remove();
});

/** @param looks stops a watch after so many waits between looks */
async function run(argv: readonly string[], looks = Number.POSITIVE_INFINITY) {
  const controller = new AbortController();
  let waits = 0;
  const context = testContext({
    argv,
    env: { SCREENER_BASE_URL: service.baseUrl, SCREENER_API_KEY: service.key },
    clock: {
      now: () => clock.now(),
      sleep: async (millis, signal) => {
        if (millis >= 5 * 60_000 && ++waits >= looks) controller.abort(interruptedError());
        return clock.sleep(millis, signal);
      },
    },
    signal: controller.signal,
    directories: { config: home.config, state: home.state, data: path.join(home.folder, 'data') },
  });
  const code = await main(context);
  const lines = context.stdout.text.split('\n').filter((line) => line !== '');
  return { code, lines, stderr: context.stderr.text };
}

it('ls lists a month once each, and any number of cards', async () => {
  const month = await run(['signals', 'ls', '--since', '30d', '--all', '--ndjson']);
  expect([month.code, month.lines.map((line) => JSON.parse(line).id).sort((a, b) => a - b)]).toEqual([
    0,
    service.ids.slice(-240),
  ]);
  const three = await run(['signals', 'ls', '-n', '3', '--ndjson']);
  expect([three.code, three.lines.length]).toEqual([0, 25]);
  expect(three.stderr).toContain('all are kept');
});

it('watch shows each new card once', async () => {
  const before = await run(['signals', 'watch', '--since', '2d', '--every', '10m', '--ndjson'], 2);
  expect(before.code).toBe(130);
  const shown = before.lines.map((line) => JSON.parse(line).id);
  expect([...shown].sort((a, b) => a - b)).toEqual(service.ids.slice(-16));
  const next = await run(['signals', 'watch', '--resume', '--every', '10m', '--ndjson'], 2);
  expect(next.lines).toEqual([]);
});

it('the export keeps every card once, each with its outcome bought once', async () => {
  const directory = path.join(home.folder, 'history');
  for (let day = 0; day < 5; day += 1) {
    const ran = await run(['signals', 'export', directory, '--all-credits', '--no-stats']);
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    await clock.sleep(24 * HOUR);
  }
  const kept = stored(directory);
  expect(kept.map(({ id }) => id).sort((a, b) => a - b)).toEqual(service.ids);
  expect(kept.every(({ outcome }) => outcome?.state_24h === 'available')).toBe(true);
  // 320 outcomes; 40 days in windows of a week or a month, five looks, and /screeners.
  expect(service.credits).toBeLessThan(320 + 40);
});
