/** What single purchases teach: how late outcomes come, and how many come a day. */
import { expect, it } from 'vitest';
import { applyEntry } from '../../src/history/export/apply-journal.ts';
import {
  type ExportManifest,
  emptyManifest,
  outcomesPerDay,
} from '../../src/history/store/manifest.ts';
import { cardOf, DAY, HOUR, NOW } from './support.ts';

const before = (firsts: readonly boolean[]): ExportManifest => {
  const manifest = emptyManifest('account');
  return { ...manifest, lateness: { ...manifest.lateness, firsts: [...firsts] } };
};

/** A first purchase now, 25 hours after the card, of an outcome that is not there yet. */
const missed = (manifest: ExportManifest) =>
  applyEntry(manifest, {
    kind: 'detail',
    detail: { ...cardOf(1, 25), outcome: null },
    asked: { at: new Date(NOW).toISOString(), times: 1, failed: 0, not_found: false },
  }).lateness;

it('after twelve misses outcomes are taken to come twice as late; after eleven they are not', () => {
  const misses = (count: number) => Array.from({ length: count }, () => false);
  const eleven = missed(before(misses(10)));
  expect({ settled: eleven.settled, firsts: eleven.firsts.length }).toEqual({
    settled: [],
    firsts: 11,
  });
  const twelve = missed(before(misses(11)));
  expect({ settled: twelve.settled, firsts: twelve.firsts }).toEqual({
    settled: [2 * HOUR],
    firsts: [],
  });
});

it('where each card needs two purchases, the outcomes of a day count once', () => {
  let manifest = emptyManifest('account');
  let id = 0;
  for (let day = 10; day >= 0; day -= 1) {
    for (let card = 0; card < 3; card += 1) {
      id += 1;
      const measured = cardOf(id, 24 * day + 26);
      for (const [i, detail] of [{ ...measured, outcome: null }, measured].entries()) {
        const at = new Date(NOW - day * DAY + i * HOUR).toISOString();
        const asked = { at, times: i + 1, failed: 0, not_found: false };
        manifest = applyEntry(manifest, { kind: 'detail', detail, asked });
      }
    }
  }
  expect(outcomesPerDay(manifest)).toBe(3);
});
