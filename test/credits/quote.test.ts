import { expect, test } from 'vitest';
import { quote } from '../../src/credits/estimate.ts';

const MANY = Number.POSITIVE_INFINITY;
const ofSignal = (least: number, most: number) => ({ operation: 'signal', requests: { least, most } }) as const;
const ofPages = (least: number, most: number) => ({ operation: 'signals', requests: { least, most } }) as const;
const ONE = { least: 1, most: 1 };

test.each([
  [
    'operations by their cost',
    [{ operation: 'access', requests: ONE }, ofPages(1, 3), ofSignal(0, 60), { operation: 'stats', requests: ONE }],
    ...[MANY, { least: 3, most: 65 }, { least: 6, most: 68 }],
  ],
  ['an open end', [ofPages(1, MANY)], MANY, { least: 1, most: MANY }, { least: 1, most: MANY }],
  ['an open end, closed by a ceiling', [ofPages(1, MANY)], 7, { least: 1, most: 7 }, { least: 1, most: 7 }],
  ['a ceiling below the known cost', [ofSignal(40, 40)], 10, { least: 10, most: 10 }, { least: 10, most: 10 }],
  [
    'what costs more than the ceiling',
    [{ operation: 'stats', requests: ONE }],
    4,
    { least: 0, most: 0 },
    { least: 0, most: 0 },
  ],
] as const)('a quote of %s', (_, work, ceiling, requests, credits) => {
  expect(quote(work, ceiling)).toMatchObject({ requests, credits });
});
