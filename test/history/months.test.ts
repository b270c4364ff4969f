/** Which month files a run writes, and which cards of them a command reads. */
import path from 'node:path';
import { expect } from 'vitest';
import { History } from '../../src/history/store/history.ts';
import type { StoredCard } from '../../src/history/store/layout.ts';
import { Months } from '../../src/history/store/months.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { cardOf, linesOf, monthFiles, NOW } from './support.ts';

/** In the middle of November. */
const CARD: StoredCard = cardOf(7, 100);

it('a file is written again only if a card in it is another than before', async ({ home }) => {
  const months = new Months(home.folder);
  const changedMonths = () =>
    months.opened.filter(({ isChanged }) => isChanged).map(({ month }) => month);
  await months.put(CARD);
  expect(changedMonths()).toEqual(['2026-11']);
  await months.save();
  await months.put(CARD);
  expect(changedMonths()).toEqual([]);
  await months.put({ ...CARD, repeat_count: 99 });
  expect(changedMonths()).toEqual(['2026-11']);
});

it('a card whose time the service rounds to the next month leaves the file of the first', async ({
  home,
}) => {
  const months = new Months(home.folder);
  await months.put({ ...CARD, created_at: '2026-10-31T23:59:30Z' });
  await months.save();
  await months.put({ ...CARD, created_at: '2026-11-01T00:00:00Z' });
  await months.save();
  const cards = monthFiles(home.folder).map((file) => ({
    file,
    ids: linesOf(path.join(home.folder, file)).map(({ id }) => id),
  }));
  expect(cards).toEqual([
    { file: 'signals-2026-10.ndjson', ids: [] },
    { file: 'signals-2026-11.ndjson', ids: [7] },
  ]);
});

it('--since and --until include cards of their very moments, of whichever month', async ({
  home,
}) => {
  const times = ['2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z', '2026-11-20T12:00:00Z'];
  const cards = times.map((created_at, i) => ({ ...CARD, id: i + 1, created_at }));
  writeCards(home.folder, cards);
  const history = new History(home.folder, { warn: () => {} }, new TestClock(NOW));
  const idsWithin = async (since: string, until: string) => {
    const ids: number[] = [];
    const filter = { since: Date.parse(since), until: Date.parse(until) };
    for await (const month of history.cards(filter)) ids.push(...month.map(({ card }) => card.id));
    return ids;
  };
  expect({
    all: await idsWithin('2026-10-31T23:59:59Z', '2026-11-20T12:00:00Z'),
    aSecondLess: await idsWithin('2026-11-01T00:00:00Z', '2026-11-20T11:59:59Z'),
    oldest: await idsWithin('2026-10-01T00:00:00Z', '2026-10-31T23:59:59Z'),
  }).toEqual({ all: [3, 2, 1], aSecondLess: [2], oldest: [1] });
});
