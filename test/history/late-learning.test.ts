/** What single purchases teach of how late outcomes come. */
import { expect, it } from 'vitest';
import { applyEntry } from '../../src/history/export/apply-journal.ts';
import { type ExportManifest, emptyManifest } from '../../src/history/store/manifest.ts';
import { cardOf, HOUR, NOW } from './support.ts';

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
