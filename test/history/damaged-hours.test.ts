import { expect, it } from 'vitest';
import { lossesOfDamage } from '../../src/history/export/damage.ts';

it('lists damaged lines at the end of a month again up to the end of that month', () => {
  const lines = {
    texts: [''],
    number: 9,
    since: Date.parse('2026-02-27T10:30:00Z'),
    until: Infinity,
  };
  expect(lossesOfDamage({ month: '2026-02', damaged: [lines] })).toEqual([
    {
      since: Date.parse('2026-02-27T10:00:00Z'),
      until: Date.parse('2026-03-01T00:00:00Z'),
      cards: 1,
    },
  ]);
});
