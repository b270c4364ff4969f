/** After how long a pause a type is silent. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { SILENT_AFTER, silentAfter } from '../../src/outcomes/rate.ts';

const UNTIL = Date.UTC(2026, 10, 20);

/** After how many days a type is silent that had cards so many days before the end of the history. */
function daysUntilSilent(daysAgo: readonly number[], historyDays = 120, settingsDays?: number) {
  const cards = daysAgo.toSorted((a, b) => b - a).map((days) => ({ at: UNTIL - days * DAY }));
  const inUseSince = settingsDays === undefined ? undefined : UNTIL - settingsDays * DAY;
  return silentAfter(cards, { historyBegins: UNTIL - historyDays * DAY, inUseSince }) / DAY;
}

/** A card every so many days, the last of them `last` days ago. */
const every = (gap: number, last: number) =>
  Array.from({ length: Math.floor((119 - last) / gap) }, (_, n) => last + n * gap);

const LATEST = SILENT_AFTER / DAY;

it.each([
  { what: 'with several cards a day', of: daysUntilSilent(every(0.25, 3)), days: 3 },
  { what: 'with gaps of two days', of: daysUntilSilent(every(2, 3)), days: 4 },
  { what: 'with gaps of eight days', of: daysUntilSilent(every(8, 3)), days: LATEST },
  {
    what: 'that was quiet for three days within 90 days',
    of: daysUntilSilent(every(0.5, 5).filter((days) => days <= 40 || days >= 43)),
    days: 6,
  },
  {
    what: 'that was quiet before that',
    of: daysUntilSilent(every(0.5, 5).filter((days) => days < 100 || days > 110)),
    days: 3,
  },
  { what: 'of a short history', of: daysUntilSilent(every(0.25, 5), 32), days: LATEST },
  { what: 'of new settings', of: daysUntilSilent(every(0.25, 5), 120, 30), days: LATEST },
  { what: 'without a card', of: daysUntilSilent([]), days: LATEST },
])('a type $what is silent after $days days', ({ of, days }) => {
  expect(of).toBe(days);
});
