/** What several commands bought of the same card before a run took it in. */
import { expect, it } from 'vitest';
import { leaveBeside } from '../../src/history/store/journal.ts';
import { cardOf, directory, exportInto, HOUR, NOW, Service, stored } from './support.ts';

it('an outcome that was settled stays, whichever of two purchases is read first', async () => {
  const settled = cardOf(1, 30);
  const pending = { ...settled, outcome: null };
  const kept = await Promise.all(
    // The files have names by chance: one of so many is read in the wrong order.
    Array.from({ length: 12 }, async () => {
      const dir = directory();
      const service = new Service({ details: [settled] });
      await exportInto(dir, service, { outcomes: false });
      for (const [detail, hours] of [[pending, 2] as const, [settled, 0] as const]) {
        const at = new Date(NOW - hours * HOUR).toISOString();
        await leaveBeside(dir, [{ kind: 'detail', detail, asked: { times: 1, at, failed: 0, not_found: false } }]);
      }
      await exportInto(dir, service, { outcomes: false });
      return stored(dir)[0]?.outcome;
    }),
  );
  expect(kept).toEqual(kept.map(() => settled.outcome));
});
