import { expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';

it('a sleep of months lasts as long as a timer may, and ends when it is stopped', async () => {
  const controller = new AbortController();
  const ended: string[] = [];
  const long = systemClock.sleep(2 ** 40, controller.signal).then(
    () => ended.push('over'),
    (reason: unknown) => ended.push(String(reason)),
  );
  // A timer of more milliseconds than it can hold would be over before this one.
  await systemClock.sleep(20);
  expect(ended).toEqual([]);
  controller.abort('stopped');
  await long;
  expect(ended).toEqual(['stopped']);
});
