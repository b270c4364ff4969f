/** The header of a picture of intervals. */
import { expect, it } from 'vitest';
import { scaleLine } from '../../../src/output/views/interval-axis.ts';

it.each([
  { ends: 'both ends', axis: { low: -4, high: 4, size: 21 }, line: '-4.0      0      +4.0' },
  { ends: 'no left end', axis: { low: -1, high: 9, size: 21 }, line: '  0              +9.0' },
  { ends: 'no right end', axis: { low: -9, high: 1, size: 21 }, line: '-9.0              0  ' },
])('has the 0, and $ends where there is room beside it', ({ axis, line }) => {
  expect(scaleLine(axis)).toBe(line);
});
