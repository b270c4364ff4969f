/** The numbers below the picture of a number at the trigger. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { ticksBetween } from '../../src/report/numbers.ts';
import { dayAxis } from '../../src/report/plot.ts';

it.each([
  { case: 'of fractions', lows: [0, 0.5, 1.25, 3, -4], texts: ['0.50', '1.25', '3.00', '−4.00'] },
  {
    case: 'of whole numbers',
    lows: [0, 12, 345, 6789, 1e6],
    texts: ['12', '345', '6790', '1000000'],
  },
  {
    case: 'of funding rates below a millionth',
    lows: [0, 1e-7, 2.5e-7, 5e-7, 8e-7],
    texts: ['0.00000010', '0.00000025', '0.00000050', '0.00000080'],
  },
])('have as many decimals as tell them apart: $case', ({ lows, texts }) => {
  const ticks = ticksBetween(lows.map((low) => ({ low })));
  expect(ticks.map(({ text }) => text)).toEqual(texts);
});

it('name days up to 300 days, then months with their year', () => {
  const first = Date.UTC(2026, 0, 1);
  const formsOf = (days: number) => {
    const texts = dayAxis(first, first + days * DAY).ticks.map(({ text }) => text);
    return new Set(texts.map((text) => text.replace(/\d/g, '0').replace(/[A-Z][a-z]+/, 'Mon')));
  };
  expect([...formsOf(300)]).not.toContain('Mon 0000');
  expect([...formsOf(301)]).toEqual(['Mon 0000']);
});
