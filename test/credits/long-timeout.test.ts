/** A request may be under way for minutes, with a long --timeout: what it costs is recorded all the same. */
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/base/units.ts';
import { access, ledgerHere, request, send } from './world.ts';

const { clock, start } = ledgerHere();

it('an answer after eight minutes is charged, though /access was asked meanwhile', async () => {
  const slow = start();
  const other = start();
  const turn = await slow.account.gate.enter({ ...request(), timeout: 10 * MINUTE });
  expect(turn.leave()).toBe(true);
  for (let minute = 1; minute <= 7; minute += 1) {
    await clock.advance(MINUTE);
    await send(other, clock);
  }
  other.account.observe(access({ used: 7 }));
  await clock.advance(MINUTE);
  turn.settle({ status: 200 });
  const { today, spentSinceAccess } = slow.account.known();
  expect({ spent: today.spent, spentSinceAccess }).toEqual({ spent: 8, spentSinceAccess: 1 });
});
