/** How many of the due outcomes were bought, and which: the first sentence below figures of bought outcomes. */
import { expect, it } from 'vitest';
import type { GroupFigures } from '../../../src/outcomes/figure-table.ts';
import { basisWords } from '../../../src/output/views/history-stats.ts';

interface Bought {
  readonly due: number;
  readonly share: number | null;
  readonly settingsSince?: string;
}

const figuresOf = ({ due, share, settingsSince }: Bought): GroupFigures =>
  ({ due, bought_share: share, settings_since: settingsSince ?? null }) as GroupFigures;

it.each<{ groups: readonly Bought[]; first?: readonly string[]; days?: string; text: string }>([
  { groups: [], text: 'No outcome is due yet.' },
  { groups: [{ due: 0, share: null }], text: 'No outcome is due yet.' },
  {
    groups: [
      { due: 60, share: 1 },
      { due: 40, share: 1 },
    ],
    days: ', 25 Aug to 23 Nov',
    text: 'You bought all 100 outcomes, 25 Aug to 23 Nov.',
  },
  {
    groups: [
      { due: 60, share: 0.5 },
      { due: 40, share: 0 },
    ],
    text: 'You bought 30 of 100 outcomes (30 %).',
  },
  { groups: [{ due: 100, share: 0.99 }], text: 'You bought 99 of 100 outcomes (99 %).' },
  { groups: [{ due: 1000, share: 0.999 }], text: 'You bought 999 of 1000 outcomes (over 99 %).' },
  { groups: [{ due: 1000, share: 0.007 }], text: 'You bought 7 of 1000 outcomes (0.7 %).' },
  {
    groups: [{ due: 10_000, share: 0.0004 }],
    text: 'You bought 4 of 10000 outcomes (under 0.1 %).',
  },
  { groups: [{ due: 100, share: 0 }], text: 'You bought 0 of 100 outcomes.' },
  {
    groups: [
      { due: 60, share: 0.5, settingsSince: '2026-11-01T00:00:00Z' },
      { due: 40, share: 0.5 },
    ],
    first: ['pump', 'dump'],
    text: 'You bought 50 of 100 outcomes of present settings (pump, dump first, so no random sample of all types).',
  },
])('$text', ({ groups, first = [], days, text }) => {
  expect(basisWords(groups.map(figuresOf), first, days)).toBe(text);
});
