/** What a reader sees of a history: from one opening a file, whatever a run does meanwhile. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { History } from '../../src/history/store/history.ts';
import type { StoredCard } from '../../src/history/store/layout.ts';
import { bare, cardsAnHourApart, directory, exportInto, HOUR, NOW, Service } from './support.ts';

const warnings: string[] = [];
const notes = { warn: (text: string) => void warnings.push(text) };

async function cardsOf(history: History): Promise<StoredCard[]> {
  const cards: StoredCard[] = [];
  for await (const month of history.cards({})) cards.push(...month.map(({ card }) => card));
  return cards;
}

/** 60 cards over three months, of which the last run has only been killed: its pages are in the journal alone. */
async function killedRun() {
  const dir = directory();
  const details = cardsAnHourApart(60).map((one, i) => ({
    ...one,
    created_at: new Date(NOW - (i * 36 + 0.5) * HOUR).toISOString(),
  }));
  const service = new Service({ details: details.slice(20) });
  await exportInto(dir, service, { outcomes: false });
  const page = (items: object[]) => `${JSON.stringify({ kind: 'page', items, coverage: {} })}\n`;
  const bought = details.slice(10, 40);
  const entries = bought.map(
    (detail) => `${JSON.stringify({ kind: 'detail', detail, asked: { times: 1, at: '2026-11-20T18:00:00Z' } })}\n`,
  );
  writeFileSync(join(dir, '.journal.ndjson'), page(details.slice(0, 20).map(bare)) + entries.join(''));
  const expected = details.map((one, i) => (i >= 10 && i < 40 ? one : bare(one)));
  return { dir, expected, service };
}

describe('a fold while somebody reads', () => {
  it.each(['before', 'after the newest month', 'after all but the oldest month'])(
    'changes no count: %s is read',
    async (moment) => {
      const { dir, expected, service } = await killedRun();
      const history = new History(dir, notes);
      // What a run folds from then on is read either way.
      await history.months();
      const fold = () => exportInto(dir, service, { outcomes: false, maxCredits: 0 });
      const cards: StoredCard[] = [];
      if (moment === 'before') await fold();
      let months = 0;
      for await (const month of history.cards({})) {
        cards.push(...month.map(({ card }) => card));
        months += 1;
        if (moment === 'after the newest month' && months === 1) await fold();
        if (moment === 'after all but the oldest month' && months === (await history.months()).length - 1) await fold();
      }
      expect(months).toBe(4);
      expect(cards).toEqual(expected);
      expect(await cardsOf(new History(dir, notes))).toEqual(expected);
    },
  );
});
