/** A history as an export works on it: what is saved or read back is there at once, and not only a moment later. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import {
  lockHistory,
  type WorkingHistory,
  withLockedHistory,
} from '../../src/history/export/working-history.ts';
import { leaveForNextRun } from '../../src/history/store/journal.ts';
import { TestClock } from '../support/context.ts';
import { ageLock } from '../support/files.ts';
import { bare, cardOf, directory, NOW, stateOf, stored } from './support.ts';

const ACCOUNT = 'an account';
/** The older one is of another month. */
const OLDER = bare(cardOf(1, 30 * 24));
const NEWER = bare(cardOf(2, 24));

const idsOf = ({ months }: WorkingHistory) => months.cards.map(({ id }) => id).sort();

/** Works on the history of a directory. @returns what it was warned of */
async function working(
  dir: string,
  work: (history: WorkingHistory) => Promise<void>,
): Promise<string[]> {
  const warnings: string[] = [];
  const notes = { warn: (text: string) => void warnings.push(text) };
  await withLockedHistory(dir, ACCOUNT, { clock: new TestClock(NOW), notes }, work);
  return warnings;
}

it('cards are there as soon as their page is saved', async () => {
  await working(directory(), async (history) => {
    await history.savePage([OLDER, NEWER], {});
    expect(idsOf(history)).toEqual([1, 2]);
  });
});

it('cards of a page that the disk does not take are not there either', async () => {
  const dir = directory();
  await working(dir, async (history) => {
    mkdirSync(join(dir, '.journal.ndjson'));
    const saving = history.savePage([NEWER], {});
    await expect(saving).rejects.toMatchObject({ code: 'storage' });
    expect(idsOf(history)).toEqual([]);
  });
});

it('what a killed run left is there before the next one works', async () => {
  const dir = directory();
  await working(dir, async (history) => {
    for (const items of [[OLDER], [NEWER]]) await history.savePage(items, {});
  });
  await working(dir, async (history) => expect(idsOf(history)).toEqual([1, 2]));
});

it('another command’s purchase is there as soon as the journal is read again', async () => {
  const dir = directory();
  await working(dir, async (history) => {
    const { manifest } = history;
    await leaveForNextRun(dir, { kind: 'page', items: [NEWER], coverage: manifest });
    await history.takeInJournal();
    expect(idsOf(history)).toEqual([2]);
  });
});

it('an outcome that comes when another run has taken over is left for that run', async () => {
  const dir = directory();
  const detail = cardOf(2, 30);
  const asked = { at: formatApiTime(NOW), times: 1, failed: 0, not_found: false };
  await working(dir, async (history) => {
    ageLock(dir);
    const lockOfOther = lockHistory(dir);
    const saving = history.save({ kind: 'detail', detail, asked });
    await expect(saving).rejects.toMatchObject({ code: 'busy' });
    lockOfOther.release();
  });
  await working(dir, async ({ months }) => {
    expect(months.cards.map(({ id, isBought }) => ({ id, isBought }))).toEqual([
      { id: 2, isBought: true },
    ]);
  });
});

it('a part that is to be read again is no longer covered when that is saved', async () => {
  const span = { since: '2026-11-01T00:00:00Z', until: '2026-11-20T18:00:00Z' };
  await working(directory(), async (history) => {
    await history.savePage([OLDER, NEWER], { spans: [span] });
    const part = { since: Date.parse(span.since), until: Date.parse(span.until) };
    await history.markUnread([{ ...part, cards: 1 }]);
    const { spans, lost } = history.manifest;
    expect({ spans, lost }).toEqual({ spans: [], lost: [{ ...span, cards: 2 }] });
  });
});

it('a lost part counts as read once all its cards are back, from its first moment up to its end', async () => {
  const span = { since: '2026-11-01T00:00:00Z', until: '2026-11-20T18:00:00Z' };
  const atBegin = bare(cardOf(3, 0, { created_at: span.since }));
  const atEnd = bare(cardOf(4, 0, { created_at: span.until }));
  await working(directory(), async (history) => {
    await history.savePage([atBegin, atEnd], { spans: [span] });
    const part = { since: Date.parse(span.since), until: Date.parse(span.until) };
    await history.markUnread([{ ...part, cards: 1 }]);
    history.noteRestored();
    const spansBefore = history.manifest.spans;
    await history.savePage([NEWER], {});
    history.noteRestored();
    expect({ spansBefore, spans: history.manifest.spans, lost: history.manifest.lost }).toEqual({
      spansBefore: [],
      spans: [span],
      lost: [{ ...span, cards: 2 }],
    });
  });
});

it('a fold has written everything when it ends', async () => {
  const dir = directory();
  const warnings = await working(dir, async (history) => {
    await history.savePage([NEWER], {});
    await history.fold();
    expect({ cards: stored(dir), months: stateOf(dir).months }).toEqual({
      cards: [NEWER],
      months: { '2026-11': { cards: 1, awaiting: 1 } },
    });
  });
  expect(warnings).toEqual([]);
});

it('damaged lines are set aside, and their hours are no longer covered, when it is said', async () => {
  const dir = directory();
  const path = join(dir, 'signals-2026-11.ndjson');
  const span = { since: '2026-11-01T00:00:00Z', until: '2026-11-20T18:00:00Z' };
  await working(dir, async (history) => {
    await history.savePage([OLDER, NEWER], { spans: [span] });
    await history.fold();
  });
  const text = readFileSync(path, 'utf8').slice(0, 100);
  writeFileSync(path, `${text}\n`);
  const warnings = await working(dir, async (history) => {
    await history.months.open('2026-11');
    await history.mendDamage();
    expect(history.manifest.spans).not.toEqual([span]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(`${text}\n`);
  });
  expect(warnings).toEqual([
    `${path}: 1 damaged line set aside in ${path}.damaged; fetching them again.`,
  ]);
});
