/** Which month files a run writes. */
import path from 'node:path';
import { expect } from 'vitest';
import type { StoredCard } from '../../src/history/store/layout.ts';
import { Months } from '../../src/history/store/months.ts';
import { it } from '../support/fixtures.ts';
import { cardOf, linesOf, monthFiles } from './support.ts';

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
