/** Whether a change of settings helped: what luck has to do with it, and which types it is not compared with. */
import { expect, it } from 'vitest';
import { byHorizon } from '../../../src/api/contract/horizons.ts';
import type { ChangeVerdict } from '../../../src/outcomes/settings-change.ts';
import {
  luckWords,
  type SettingsChangeFigures,
  type SettingsSide,
  settingsPage,
} from '../../../src/output/views/settings-history.ts';
import { outputTo } from '../written.ts';

/** @param low of the 99 % interval, percentage points */
function changeOf(
  verdict: ChangeVerdict,
  low: number,
  difference: number | null = 1.8,
): SettingsChangeFigures {
  return {
    seen_after: '2026-09-18T06:00:00Z',
    seen_by: '2026-09-19T06:00:00Z',
    controls: ['volume_burst'],
    left_out: [
      { type: 'momentum', why: 'less_lately' },
      { type: 'oi_surge', why: 'settings_changed' },
    ],
    figures_from: 'bought',
    verdict_since: '2026-11-09T06:00:00Z',
    horizons: byHorizon(() => ({
      before_percentage_points: -0.04,
      after_percentage_points: 1.79,
      difference_percentage_points: difference,
      difference_interval_95: { low: low + 0.3, high: 3 },
      difference_interval_99: { low, high: 3.2 },
      difference_interval_997: { low: low - 0.3, high: 3.5 },
      verdict,
    })),
  };
}

const NOT_SURE =
  'If you changed the type because it looked worst, take off about 0.6 pp: by chance alone, the worst type does better afterwards.';
const LESS_SURE =
  'If you changed the type because it looked worst, it is less sure that this helped: by chance alone, the worst type does about 0.6 pp better afterwards.';
const STILL_SURE =
  'That holds even if you changed the type because it looked worst: by chance alone, the worst type does about 0.6 pp better afterwards.';

it.each<{ case: string; changes: SettingsChangeFigures[]; words: string }>([
  { case: 'no change', changes: [], words: '' },
  { case: 'one that is not sure', changes: [changeOf('unclear', -0.2)], words: NOT_SURE },
  {
    case: 'one that helped, but not by more than luck',
    changes: [changeOf('higher', 0.41)],
    words: LESS_SURE,
  },
  {
    case: 'one that helped by more than luck',
    changes: [changeOf('higher', 0.71)],
    words: STILL_SURE,
  },
  { case: 'one that looks worse', changes: [changeOf('unclear', -2, -0.4)], words: '' },
  {
    case: 'several, by the one that is least sure',
    changes: [changeOf('higher', 0.9), changeOf('higher', 0.41), changeOf('lower', -3, -2)],
    words: LESS_SURE,
  },
])('says of $case what luck has to do with it', ({ changes, words }) => {
  expect(luckWords(changes)).toBe(words);
});

it('names the types that it is not compared with, and why, and leads to the page of its type', async () => {
  const sideOf = (since: number | undefined, vsControls: number): SettingsSide => ({
    since,
    until: since === undefined ? Date.parse('2026-09-18T06:00:00Z') : undefined,
    settings: [{ active: true, conditions: { min: since === undefined ? 2 : 3 } }],
    perDay: 5,
    sample: 127,
    leftOut: since === undefined ? 24 : 0,
    vsBtc: 0,
    vsControls,
  });
  const after = sideOf(Date.parse('2026-09-19T06:00:00Z'), 1.79);
  const history = {
    type: 'breakout',
    groups: [],
    changes: [changeOf('higher', 0.41)],
    sides: [{ before: sideOf(undefined, -0.04), after }],
    least: 1,
    known_since: '2026-08-20T06:00:00Z',
  };
  const { context, output } = outputTo('table');
  await output.page((render) => settingsPage(history, 'screener screeners breakout', render));
  const text = context.stdout.text;
  expect(text).toContain(
    'VS 1 TYPE: volume_burst.\nLeft out: momentum (it does less lately), oi_surge (its settings changed, too). Earlier figures, with momentum, may differ.\nN leaves out 24 outcomes: on their days the other types have fewer than 3 cards.\n',
  );
  expect(text).toMatch(/\nHow it does now:\n {2}screener screeners breakout\n$/);
});
