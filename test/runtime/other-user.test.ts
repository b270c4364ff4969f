import { afterEach, expect, it, vi } from 'vitest';
import { belongsToOther } from '../../src/runtime/plain-file.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  { user: 1000, owner: 1000, isOther: false },
  { user: 1000, owner: 0, isOther: false },
  { user: 1000, owner: 1, isOther: true },
  { user: 1000, owner: 1001, isOther: true },
  { user: 0, owner: 0, isOther: false },
  { user: 0, owner: 1, isOther: true },
  // Windows has no users of this kind.
  { user: undefined, owner: 1000, isOther: false },
])('of $owner, for user $user: another user’s is $isOther', ({ user, owner, isOther }) => {
  vi.spyOn(process, 'geteuid').mockReturnValue(user as number);
  expect(belongsToOther({ uid: owner })).toBe(isOther);
});
