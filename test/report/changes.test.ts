/** What the report says that a change of settings is compared with. */
import { expect, it } from 'vitest';
import type { ChangeVerdict } from '../../src/outcomes/settings-change.ts';
import type {
  ChangeSides,
  SettingsChangeFigures,
  SettingsHistory,
} from '../../src/output/views/settings-history.ts';
import { changesSection } from '../../src/report/changes.ts';

const side = { settings: [], perDay: 5, sample: 127, leftOut: 0, vsBtc: 3 };

/** A type whose only change is compared with these types. */
function historyOf(type: string, controls: readonly string[]): SettingsHistory {
  const figures = {
    before_percentage_points: 0.5,
    after_percentage_points: 1.9,
    difference_percentage_points: 1.4,
    difference_interval_95: { low: 0.4, high: 2.4 },
    difference_interval_99: { low: -0.1, high: 2.9 },
    difference_interval_997: { low: -0.4, high: 3.2 },
    would_show_percentage_points: 1.6,
    verdict: 'unclear',
  } as const;
  const change: SettingsChangeFigures = {
    seen_after: '2026-09-18T06:00:00Z',
    seen_by: '2026-09-19T06:00:00Z',
    controls: [...controls],
    left_out: [{ type: 'rare', why: 'less_lately' }],
    figures_from: 'bought',
    verdict_since: null,
    horizons: { '1h': figures, '24h': figures },
  };
  const changedAt = Date.parse(change.seen_by);
  const sides: ChangeSides = {
    before: { ...side, since: undefined, until: changedAt, vsControls: 0.5 },
    after: { ...side, since: changedAt, until: undefined, vsControls: 1.9 },
    keptUntil: Date.UTC(2026, 11, 13),
  };
  return {
    type,
    groups: [],
    changes: [change],
    sides: [sides],
    least: 1,
    known_since: null,
    silence: '',
  };
}

const withTypes = historyOf('pump', ['dump']);
const withBtc = historyOf('breakout', []);

it.each([
  {
    what: 'other types',
    histories: [withTypes],
    says: 'Both times are compared with the same other types, so that what the market did cancels out.',
    rows: ['dump'],
  },
  {
    what: 'BTC',
    histories: [withBtc],
    says: 'Both times are compared with BTC alone.',
    rows: ['BTC alone'],
  },
  {
    what: 'other types or BTC',
    histories: [withTypes, withBtc],
    says: 'Both times are compared with the same other types (or with BTC, where that is named), so that what the market did cancels out.',
    rows: ['dump', 'BTC alone'],
  },
])('changes are compared with $what', ({ histories, says, rows }) => {
  const text = (changesSection(histories, true)?.text ?? '').replaceAll('&#39;', "'");
  expect(text.match(/Both times.*?(?=<)/s)?.[0].trim()).toBe(says);
  const comparedWith = [...text.matchAll(/<dt>Compared with<\/dt><dd>([^<]*)/g)];
  expect(comparedWith.map(([, words]) => words)).toEqual(rows);
  expect(text).toContain('rare (its last 30 days differ from before)');
});

/** What the picture says of intervals, of one change with this verdict. */
function intervalsShown(verdict: ChangeVerdict) {
  const [change] = withTypes.changes as [SettingsChangeFigures];
  const horizons = {
    ...change.horizons,
    '24h': { ...change.horizons['24h'], verdict },
  };
  const history = { ...withTypes, changes: [{ ...change, horizons }] };
  const text = (changesSection([history], true)?.text ?? '').replaceAll('\u00a0', ' ');
  return {
    explained: /<\/svg> (\d+ % sure[^<]*)</.exec(text)?.[1],
    head: /<div class="figures">(.*?)<\/div>/.exec(text)?.[1],
    lines: new Set(
      [...text.matchAll(/class="iv[^"]*" (x1="\S+" y1="18" x2="\S+")/g)].map(([, ends]) => ends),
    ).size,
    figure: /<span class="range">(.*?<\/span> .*?)\n?<\/div>/s.exec(text)?.[1],
  };
}

it('the figure and the line that is drawn are of one interval, whatever the verdict', () => {
  const picture = {
    explained: '99 % sure: the true value lies here',
    head: 'difference, 99 %',
    lines: 1,
  };
  expect({ unclear: intervalsShown('unclear'), small: intervalsShown('small') }).toEqual({
    unclear: { ...picture, figure: '−0.10 to +2.90</span> ' },
    small: { ...picture, figure: '−0.10 to +2.90</span> ' },
  });
});

it.each<{ verdict: ChangeVerdict; low: number; high: number; found?: string }>([
  { verdict: 'higher', low: 0.2, high: 3, found: 'found on 1 Oct' },
  { verdict: 'higher', low: 0.1, high: 3, found: 'found on 1 Oct' },
  { verdict: 'lower', low: -3, high: -0.2, found: 'found on 1 Oct' },
  { verdict: 'lower', low: -3, high: 0.5, found: 'found on 1 Oct' },
  { verdict: 'small', low: -0.5, high: 0.5 },
  { verdict: 'unclear', low: -0.5, high: 3 },
])('says when it was found, and when it ends: %j', ({ verdict, low, high, found }) => {
  const [change] = withTypes.changes as [SettingsChangeFigures];
  const figures = { ...change.horizons['24h'], verdict, difference_interval_99: { low, high } };
  const horizons = { ...change.horizons, '24h': figures };
  const changes = [{ ...change, verdict_since: '2026-10-01T06:00:00Z', horizons }];
  const section = changesSection([{ ...withTypes, changes }], true);
  const text = (section?.text ?? '').replaceAll('\u00a0', ' ');
  expect({
    found: /found on [^<]*/.exec(text)?.[0],
    ends: text.includes('Either answer is taken back if the 95 % interval reaches 0 on two days.'),
    isLuckSaid: text.includes('improves by some 0.6 pp by chance alone.'),
  }).toEqual({ found, ends: true, isLuckSaid: verdict === 'higher' });
});

it('of types whose settings did not change there is no section', () => {
  const unchanged = { ...withTypes, changes: [], sides: [] };
  expect({
    noType: changesSection([], true),
    unchanged: changesSection([unchanged], true),
  }).toEqual({ noType: undefined, unchanged: undefined });
});
