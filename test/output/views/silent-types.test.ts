/** Every page says the same of a type that is switched on and sends no cards: to look at its settings, and never to keep it. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../../src/api/contract/horizons.ts';
import { DAY } from '../../../src/base/units.ts';
import type { ChangeFinding } from '../../../src/outcomes/findings.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import { stylesOf } from '../../../src/output/terminal.ts';
import { actionsOf, silenceSentences } from '../../../src/output/views/actions.ts';
import { actionLines, actionPairs } from '../../../src/output/views/actions-words.ts';
import {
  type ChangeSides,
  changeLine,
  type SettingsChangeFigures,
  type SettingsHistory,
  type SettingsSide,
  settingsPage,
} from '../../../src/output/views/settings-history.ts';
import { newsWords } from '../../../src/output/views/today-news.ts';
import { typeLineWithSilence } from '../../../src/output/views/type-line.ts';
import { changesSection } from '../../../src/report/changes.ts';
import { answerTextOf } from '../../report/answer-of.ts';
import { judged } from '../../support/standing.ts';
import { outputTo } from '../written.ts';

const CHANGED_AT = '2026-10-14T06:00:00Z';

type Effect = ChangeFinding['verdict'];

/** A type whose settings changed, and that has sent no card for so long. */
function typeWith(effect: Effect, quiet: Partial<Standing>): Standing {
  return judged('a', 'small', {
    change: {
      changedAt: Date.parse(CHANGED_AT),
      verdict: effect,
      isNewlyFound: effect !== 'unclear',
      keptUntil: effect === 'unclear' ? Date.parse(CHANGED_AT) + 60 * DAY : undefined,
    },
    ...quiet,
  });
}

function historyOf(effect: Effect, silence: string): SettingsHistory {
  const figures = {
    before_percentage_points: 0.5,
    after_percentage_points: 1.9,
    difference_percentage_points: 1.4,
    difference_interval_95: { low: 0.4, high: 2.4 },
    difference_interval_99: { low: 0.2, high: 2.9 },
    difference_interval_997: { low: -0.4, high: 3.2 },
    would_show_percentage_points: 1.6,
    verdict: effect,
  };
  const change: SettingsChangeFigures = {
    seen_after: CHANGED_AT,
    seen_by: CHANGED_AT,
    controls: ['b'],
    left_out: [],
    figures_from: 'bought',
    verdict_since: null,
    horizons: byHorizon(() => figures),
  };
  const changedAt = Date.parse(CHANGED_AT);
  const side = { settings: [], perDay: 5, sample: 127, leftOut: 0, vsBtc: 3, vsControls: 1 };
  const before: SettingsSide = { ...side, since: undefined, until: changedAt };
  const after: SettingsSide = { ...side, since: changedAt, until: undefined };
  const sides: ChangeSides = {
    before,
    after,
    keptUntil: changedAt + 60 * DAY,
  };
  const known_since = CHANGED_AT;
  return {
    type: 'a',
    groups: [],
    changes: [change],
    sides: [sides],
    least: 1,
    known_since,
    silence,
  };
}

function newsOf(effect: Effect): ChangeFinding {
  return {
    at: CHANGED_AT,
    about: 'change',
    type: 'a',
    settings_since: CHANGED_AT,
    verdict: effect,
    difference_percentage_points: 1,
    interval_95: null,
  };
}

/** What each page says of the type, by page. A page more that says what to do with settings belongs here. */
async function pagesOf(effect: Effect, type: Standing): Promise<Record<string, string>> {
  const search = { suggestions: [], areSettingsSearched: true };
  const lines = actionLines(actionsOf([judged('b', 'above'), type], search));
  const pairs = actionPairs(lines, stylesOf(false));
  const history = historyOf(effect, silenceSentences(type));
  const [change] = history.changes;
  const [sides] = history.sides;
  if (change === undefined || sides === undefined) throw new Error('The history has a change.');
  const { context, output } = outputTo('table');
  const commands = { screenersCommand: 'x', exportCommand: 'x' };
  await output.page((render) => settingsPage(history, commands, render));
  return {
    actions: pairs.map((pair) => pair.join(' ')).join('\n'),
    news: newsWords({ line: newsOf(effect), before: undefined }, type),
    screeners: typeLineWithSilence(type),
    page: changeLine(change, sides, history.silence !== ''),
    settings: context.stdout.text,
    report: changesSection([history], false)?.text ?? '',
  };
}

const EFFECTS: readonly Effect[] = ['higher', 'lower', 'small', 'unclear'];

describe('a type that is silent', () => {
  const quiet: Partial<Standing> = { silentDays: 19 };
  const days = 'no card for 19 days';
  const advice = /check its settings/i;

  it.each(EFFECTS)('is told to keep no settings, whatever their change did: %s', async (effect) => {
    const pages = await pagesOf(effect, typeWith(effect, quiet));
    for (const [page, text] of Object.entries(pages)) {
      expect(text, page).not.toMatch(/Keep (?:its|the|whichever)|: keep/);
    }
    const { actions = '', screeners = '', settings = '' } = pages;
    expect(actions).toMatch(advice);
    expect(screeners).toMatch(advice);
    expect(settings).toMatch(advice);
  });

  it('has the days of its silence in its row of the report', () => {
    const standings = [judged('a', 'small', quiet), judged('b', 'above', quiet)];
    const text = answerTextOf(standings);
    expect(text.replaceAll('\u00a0', ' ').split(days)).toHaveLength(3);
  });
});

it.each(EFFECTS)(
  'settings of a type that comes as ever are told to be kept: %s',
  async (effect) => {
    const { settings = '' } = await pagesOf(effect, typeWith(effect, {}));
    expect(settings).toMatch(effect === 'lower' ? /Undo the change/ : /Keep/);
  },
);
