/** The numbers below the picture of a number at the trigger. */
import { expect, it } from 'vitest';
import { ticksBetween } from '../../src/report/numbers.ts';

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
