/** Whether a change of settings helped: what luck does, and which types it is not compared with. */
import { expect, it } from 'vitest';
import { byHorizon } from '../../../src/api/contract/horizons.ts';
import type { ChangeVerdict } from '../../../src/outcomes/settings-change.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import { pageOfType } from '../../../src/output/views/local-screeners.ts';
import {
  type ChangeSides,
  changeLine,
  foundAt,
  hasBothSides,
  type SettingsChangeFigures,
  type SettingsSide,
  settingsPage,
} from '../../../src/output/views/settings-history.ts';
import { judged } from '../../support/standing.ts';
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
      would_show_percentage_points: 1.8,
      verdict,
    })),
  };
}

it.each<{ case: string; verdicts: readonly ChangeVerdict[]; isSaid: boolean }>([
  { case: 'helped', verdicts: ['higher'], isSaid: true },
  { case: 'helped, before another change', verdicts: ['higher', 'unclear'], isSaid: true },
  { case: 'helped, both of them', verdicts: ['higher', 'higher'], isSaid: true },
  { case: 'hurt', verdicts: ['lower'], isSaid: false },
  { case: 'is not known yet', verdicts: ['unclear'], isSaid: false },
])('says once what luck does, or not, where a change $case', async ({ verdicts, isSaid }) => {
  const changes = verdicts.map((verdict) => [changeOf(verdict, 0.41), SIDES] as const);
  const said =
    'Part of it may be luck: a type that looked bad improves by some 0.6 pp by chance alone. Expect that much less.\n';
  expect((await pageOf(...changes)).split(said)).toHaveLength(isSaid ? 2 : 1);
});

const COMMANDS = {
  screenersCommand: 'screener screeners breakout',
  exportCommand: 'screener signals export',
};

const FIRST_CHANGE = Date.parse('2026-09-19T06:00:00Z');
const SECOND_CHANGE = Date.parse('2026-10-03T06:00:00Z');

function sideOf(time: Pick<SettingsSide, 'since' | 'until'>, more: Partial<SettingsSide> = {}) {
  return {
    ...time,
    settings: [{ active: true, conditions: { min: time.since === undefined ? 2 : 3 } }],
    perDay: 5,
    sample: 127,
    leftOut: 0,
    vsBtc: 0,
    vsControls: 1.79,
    ...more,
  };
}

const before = sideOf(
  { since: undefined, until: FIRST_CHANGE },
  { leftOut: 24, vsControls: -0.04 },
);
const present = sideOf({ since: FIRST_CHANGE, until: undefined });

/** Both sides of the first change, whose settings are to be kept until an answer is known. */
const SIDES: ChangeSides = {
  before,
  after: present,
  keptUntil: Date.UTC(2026, 10, 18, 6),
};
const left = sideOf({ since: FIRST_CHANGE, until: SECOND_CHANGE });
const last = sideOf({ since: SECOND_CHANGE, until: undefined });

/** The page in one line a paragraph. */
async function pageOf(...changes: readonly (readonly [SettingsChangeFigures, ChangeSides])[]) {
  const history = {
    type: 'breakout',
    groups: [],
    changes: changes.map(([change]) => change),
    sides: changes.map(([, sides]) => sides),
    least: 1,
    known_since: '2026-08-20T06:00:00Z',
    silence: '',
  };
  const { context, output } = outputTo('table');
  await output.page((render) => settingsPage(history, COMMANDS, render));
  return context.stdout.text;
}

it('says where the figures come from', async () => {
  const ofService = { ...changeOf('higher', 0.41), figures_from: 'service' as const };
  const alone = { ...ofService, controls: [] };
  expect({ beside: await pageOf([ofService, SIDES]), alone: await pageOf([alone, SIDES]) }).toEqual(
    {
      beside: expect.stringContaining(
        ' N, VS BTC, VS 1 TYPE: from the service. Until it had medians of both times, they came from what you bought.\n',
      ),
      alone: expect.stringContaining(' N, VS BTC: from the service. Until it had '),
    },
  );
});

it('names the types that it is not compared with, and why, and leads to the page of its type', async () => {
  const text = await pageOf([changeOf('higher', 0.41), SIDES]);
  expect(text).toContain(
    'Medians, 24 h after the trigger, in pp. A DAY: cards a day in all that time. N, VS BTC, VS 1 TYPE: from what you bought so far (24 left out: too few other cards on their days).\nVS 1 TYPE: compared with volume_burst on the same days. momentum (its last 30 days differ from before) and oi_surge (its settings changed, too) are left out.\n',
  );
  expect(text).toMatch(/\nHow it does now:\n {2}screener screeners breakout\n$/);
});

it.each([
  { controls: [], header: ['SETTINGS', 'A DAY', 'N', 'VS BTC'] },
  { controls: ['a'], header: ['SETTINGS', 'A DAY', 'N', 'VS BTC', 'VS 1 TYPE'] },
  { controls: ['a', 'b'], header: ['SETTINGS', 'A DAY', 'N', 'VS BTC', 'VS 2 TYPES'] },
])('has a column for the types that it is compared with: $controls', async (row) => {
  const change = { ...changeOf('higher', 0.41), controls: row.controls };
  const text = await pageOf([change, SIDES]);
  const header = text.split('\n').find((line) => line.startsWith('SETTINGS'));
  expect({ header: header?.trim().split(/ {2,}/) }).toEqual({ header: row.header });
});

it('without a type to compare with it shows the figures whose difference it says, and only why no type counts', async () => {
  const change = {
    ...changeOf('higher', 0.41),
    controls: [],
    left_out: [
      { type: 'momentum', why: 'verdict_withdrawn' },
      { type: 'oi_surge', why: 'settings_changed' },
      { type: 'volume_burst', why: 'less_lately' },
    ] as SettingsChangeFigures['left_out'],
  };
  const text = await pageOf([change, SIDES]);
  // Other figures than these, with BTC's own moves in them, have another difference.
  const figures = text.match(/127 +[+-][\d.]+/g)?.map((line) => line.replace(/^127 +/, ''));
  expect(figures).toEqual(['-0.04', '+1.79']);
  expect(text).toContain(
    "Compared with BTC alone, with BTC's own moves taken out. momentum (its verdict was withdrawn), oi_surge (its settings changed, too) and volume_burst (its last 30 days differ from before) are left out.",
  );
  expect(text).not.toContain('no other type');
});

it.each<{ verdict: ChangeVerdict; low: number; difference: number; answer: string; words: string }>(
  [
    {
      verdict: 'higher',
      low: 0.41,
      difference: 1.83,
      answer: 'Yes',
      words:
        'It helped (found on 9 Nov): its cards did 1.83 pp better than before, compared with 1 other type (95 %: +0.71 to +3.00). The answer is taken back if the 95 % range reaches 0 on two days. Keep the new settings.',
    },
    {
      verdict: 'higher',
      low: 0.1,
      difference: 1.83,
      answer: 'Yes',
      words:
        'It helped (found on 9 Nov): its cards did 1.83 pp better than before, compared with 1 other type (95 %: +0.40 to +3.00). The answer is taken back if the 95 % range reaches 0 on two days. Keep the new settings.',
    },
    {
      verdict: 'lower',
      low: -4,
      difference: -1.83,
      answer: 'No, it hurt',
      words:
        'It hurt (found on 9 Nov): its cards did 1.83 pp worse than before, compared with 1 other type (95 %: -3.70 to +3.00). The answer is taken back if the 95 % range reaches 0 on two days. Undo the change, or try other settings.',
    },
    {
      verdict: 'small',
      low: -0.5,
      difference: 0.1,
      answer: 'It made less than 1 pp',
      words:
        'It made less than 1 pp (found on 9 Nov): its cards did 0.10 pp better than before, compared with 1 other type. Keep whichever settings you like better.',
    },
    {
      verdict: 'unclear',
      low: -0.22,
      difference: 1.92,
      answer: 'Not known yet',
      words:
        'So far its cards did 1.92 pp better than before, compared with 1 other type (99 %: -0.22 to +3.20). The answer is known once the whole 99 % range lies above +0.1 (it helped) or below -0.1 (it hurt) on two days. An effect of 2 pp or more would likely show. Keep its settings until 18 Nov.',
    },
    {
      verdict: 'unclear',
      low: -4,
      difference: -1.92,
      answer: 'Not known yet',
      words:
        'So far its cards did 1.92 pp worse than before, compared with 1 other type (99 %: -4.00 to +3.20). The answer is known once the whole 99 % range lies above +0.1 (it helped) or below -0.1 (it hurt) on two days. An effect of 2 pp or more would likely show. Keep its settings until 18 Nov.',
    },
    {
      verdict: 'too_few_days',
      low: 0,
      difference: 1,
      answer: 'Too early to say',
      words:
        'It needs 12 days of outcomes or more before and after the change. Keep its settings until 18 Nov.',
    },
  ],
)(
  'answers first, and says what to do now: $verdict, $difference',
  async ({ verdict, low, difference, answer, words }) => {
    const text = await pageOf([changeOf(verdict, low, difference), SIDES]);
    expect(text.split('\n').slice(0, 3)).toEqual([
      `Did your change of breakout help? ${answer}`,
      '19 Sep: min 3 instead of 2.',
      words,
    ]);
  },
);

it('has the settings after the change in full, and of those before it only what differs', async () => {
  const withLimit = (side: SettingsSide, min: number): SettingsSide => ({
    ...side,
    settings: [{ active: true, conditions: { min, exchanges: ['binance', 'bybit'] } }],
  });
  const text = await pageOf([
    changeOf('higher', 0.41),
    { ...SIDES, before: withLimit(before, 2), after: withLimit(present, 3) },
  ]);
  expect(text.match(/.*(?:min \d|bybit).*/g)?.map((line) => line.trim())).toEqual([
    '19 Sep: min 3 instead of 2.',
    expect.stringMatching(/^since 19 Sep .* min 3; exchanges binance and bybit$/),
  ]);
});

it('says in a sentence why the only type is left out', async () => {
  const change = {
    ...changeOf('higher', 0.41),
    left_out: [{ type: 'momentum', why: 'verdict_withdrawn' } as const],
  };
  const text = await pageOf([change, SIDES]);
  expect(text).toContain('momentum is left out: its verdict was withdrawn.\n');
});

it.each([
  { outcomesBefore: 1, outcomesAfter: 1, hasBoth: true },
  { outcomesBefore: 0, outcomesAfter: 1, hasBoth: false },
  { outcomesBefore: 1, outcomesAfter: 0, hasBoth: false },
])('has both sides from their first outcome on: %j', (row) => {
  const sides: ChangeSides = {
    ...SIDES,
    before: { ...before, sample: row.outcomesBefore },
    after: { ...present, sample: row.outcomesAfter },
  };
  expect({ hasBoth: hasBothSides(sides) }).toEqual({ hasBoth: row.hasBoth });
});

it('compares with no type before there is an outcome of the new settings', async () => {
  const none = { ...present, sample: 0, vsBtc: null, vsControls: null };
  const text = await pageOf([changeOf('too_few_days', 0), { ...SIDES, after: none }]);
  expect(text).not.toMatch(/ompared with|is left out:|are left out/);
});

it('tells several changes, the newest first, and gives no advice on earlier settings', async () => {
  const text = await pageOf(
    [changeOf('unclear', -0.2), { ...SIDES, after: left }],
    [
      { ...changeOf('higher', 0.9), seen_by: '2026-10-03T06:00:00Z' },
      { ...SIDES, before: left, after: last },
    ],
  );
  expect(text).toMatch(/^Did your changes of breakout help\? The last one: Yes\n3 Oct: /);
  const earlier = text.slice(text.indexOf('\n19 Sep: '));
  expect(earlier).toContain(
    '\nNot known whether it helped: its cards did 1.80 pp better than before, compared with 1 other type (99 %: -0.20 to +3.20). The settings changed again before it was sure.\n',
  );
  expect(earlier).not.toMatch(/Leave the settings|Keep /);
});

it.each<{ verdict: ChangeVerdict; after: SettingsSide; words: string }>([
  { verdict: 'higher', after: present, words: 'helped' },
  {
    verdict: 'lower',
    after: present,
    words: 'hurt: undo the change, or try other settings',
  },
  {
    verdict: 'small',
    after: present,
    words: 'made less than 1 pp',
  },
  {
    verdict: 'unclear',
    after: present,
    words:
      '+1.80 pp so far, 99 %: +0.40 to +3.20; not known yet whether it helped: keep its settings until 18 Nov',
  },
  {
    verdict: 'too_few_days',
    after: present,
    words: 'too early to say whether it helped: keep its settings until 18 Nov',
  },
  { verdict: 'higher', after: left, words: 'helped' },
])('has a line that says what to do with it: $verdict', ({ verdict, after, words }) => {
  expect(changeLine(changeOf(verdict, 0.4), { ...SIDES, after })).toBe(
    `19 Sep: min 3 instead of 2 (${words})`,
  );
});

it('says of an effect as large as one that would likely show no such size', async () => {
  const text = await pageOf([changeOf('unclear', -0.2, 2.1), SIDES]);
  expect(text).toContain('So far its cards did 2.10 pp better than before');
  expect(text).not.toContain('would likely show');
});

it.each([
  { vsBtcAfter: -0.97, said: 'VS BTC fell, but that of the other types fell more.' },
  { vsBtcAfter: 0.97, said: undefined },
])('says why VS BTC went the other way than the comparison: $vsBtcAfter', async (row) => {
  const after = { ...present, vsBtc: row.vsBtcAfter };
  const text = await pageOf([changeOf('unclear', -0.2), { ...SIDES, after }]);
  expect(/VS BTC (?:fell|rose), .*$/m.exec(text)?.[0]).toBe(row.said);
});

it('a change is found to help or to hurt when that was written down, and otherwise never', () => {
  const found = {
    helped: foundAt(changeOf('higher', 0.41)),
    hurt: foundAt(changeOf('lower', 0.41)),
    unclear: foundAt(changeOf('unclear', 0.41)),
    notWrittenDown: foundAt({ ...changeOf('higher', 0.41), verdict_since: null }),
  };
  const writtenDown = Date.parse('2026-11-09T06:00:00Z');
  expect(found).toEqual({
    helped: writtenDown,
    hurt: writtenDown,
    unclear: undefined,
    notWrittenDown: undefined,
  });
});

it('what a change did is told once on the page of its type: with the verdict only if it has no line', async () => {
  const change = { changedAt: FIRST_CHANGE, verdict: 'higher', isNewlyFound: true } as const;
  const standing = judged('breakout', 'above', {
    toDo: 'keep',
    change: { ...change, keptUntil: undefined },
    figures: {} as Standing['figures'],
  });
  const verdictBeside = async (changes: readonly SettingsChangeFigures[]) => {
    const page = {
      screeners: [{ type: 'breakout', active: true, conditions: null }],
      rateDays: 'in the last 28 days',
      history: { changes, sides: changes.map(() => SIDES), least: 1, groups: [], silence: '' },
      tuning: { questions: [], cuts: [] },
      allTypes: { standings: [standing], caveats: '' },
      moreCommands: [],
    } as unknown as Parameters<typeof pageOfType>[0];
    const { context, output } = outputTo('table');
    await output.page((render) => pageOfType(page, render));
    return /^Verdict vs .*$/m.exec(context.stdout.text)?.[0];
  };
  expect({
    noLine: await verdictBeside([]),
    itsLine: await verdictBeside([changeOf('higher', 0.41)]),
  }).toEqual({
    noLine: expect.stringMatching(/; change helped$/),
    itsLine: expect.not.stringContaining('change helped'),
  });
});
