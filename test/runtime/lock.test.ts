import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isLocked, takeLock } from '../../src/runtime/lock.ts';
import { ageLock } from '../support/files.ts';
import { it } from '../support/fixtures.ts';

const busy = (message: RegExp) =>
  expect.objectContaining({ code: 'busy', message: expect.stringMatching(message) });
const failureOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a lock', () => {
  it('of a silent holder passes to the next one; whoever was suspended learns it and changes nothing', ({
    home,
  }) => {
    const dir = home.folder;
    const suspended = takeLock(dir);
    expect(failureOf(() => takeLock(dir))).toEqual(busy(/^Another run/));
    writeFileSync(join(dir, 'state'), 'before');
    ageLock(dir);
    const next = takeLock(dir);
    for (const step of [() => suspended.check(), () => suspended.commit('state', 'mine')]) {
      expect(failureOf(step), String(step)).toEqual(busy(/suspended, and another one took over/));
    }
    suspended.release();
    next.check();
    next.commit('state', 'after');
    next.release();
    expect({ state: readFileSync(join(dir, 'state'), 'utf8'), files: readdirSync(dir) }).toEqual({
      state: 'after',
      files: ['state'],
    });
  });

  it.for([-80, 80])(
    "that was copied with a sign of life %i days from now is nobody's",
    (days, { home }) => {
      const dir = home.folder;
      takeLock(dir);
      ageLock(dir, days * 86_400);
      expect(isLocked(dir), 'the folder is locked').toBe(false);
      takeLock(dir).release();
      expect(readdirSync(dir)).toEqual([]);
    },
  );
});
