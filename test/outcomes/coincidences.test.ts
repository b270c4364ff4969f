/** Cards that come within an hour of others on the same symbol: each counts, whatever the order of the cards. */
import { expect, it } from 'vitest';
import { HOUR } from '../../src/base/units.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { DEFAULT_QUESTION } from '../../src/outcomes/question.ts';
import { evidenceOf } from './support.ts';

const NOW = Date.UTC(2026, 10, 20);
const FIRST = NOW - 100 * HOUR;

const cards = [
  { id: 1, type: 'pump', symbol: 'A', hours: 0 },
  // An hour after a card of its type: it repeats that one.
  { id: 2, type: 'pump', symbol: 'A', hours: 1 },
  // Beside the second card alone.
  { id: 3, type: 'dump', symbol: 'A', hours: 1.5 },
  { id: 4, type: 'pump', symbol: 'A', hours: 3 },
  // At the same time on another symbol.
  { id: 5, type: 'pump', symbol: 'B', hours: 3 },
  { id: 6, type: 'flip', symbol: 'B', hours: 3 },
  // Of two of a type at the same time, the one with the greater id repeats the other.
  { id: 7, type: 'flip', symbol: 'C', hours: 3 },
  { id: 8, type: 'flip', symbol: 'C', hours: 3 },
].map(({ id, type, symbol, hours }): HistoryCard => {
  return { id, type, symbol, at: FIRST + hours * HOUR, isBought: false, outcomes: undefined };
});

it.each([
  { order: 'newest first', listed: cards.toReversed() },
  { order: 'oldest first', listed: cards },
])('are found among cards listed $order', ({ listed }) => {
  const { coincidences } = figuresOf(evidenceOf(listed, { now: NOW }), DEFAULT_QUESTION);
  const types = [...(coincidences?.types ?? [])].map(([{ id }, others]) => ({
    id,
    others: [...others],
  }));
  expect({
    repeats: [...(coincidences?.repeats ?? [])].map(({ id }) => id),
    types: types.toSorted((one, other) => one.id - other.id),
  }).toEqual({
    repeats: [2, 8],
    types: [
      { id: 2, others: ['dump'] },
      { id: 3, others: ['pump'] },
      { id: 5, others: ['flip'] },
      { id: 6, others: ['pump'] },
    ],
  });
});
