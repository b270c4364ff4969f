/** What the lines below the title say of each type: to keep, to drop, to change. */
import { describe, expect, it } from 'vitest';
import type { Standing } from '../../src/outcomes/standing.ts';
import type { Cut } from '../../src/outcomes/tune-types.ts';
import { actionsOf } from '../../src/report/actions.ts';
import { facts } from '../../src/report/markup.ts';

function standing(group: string, more: Partial<Standing> = {}): Standing {
  const figures = { groupFigures: { settings_since: null }, figures: null };
  const of = { group, comparedWith: 'others', word: 'unclear', wordVsBtc: 'unclear', ...figures };
  return { ...of, ...more } as Standing;
}

const cut = {
  type: 'a',
  key: 'oi',
  absolute: false,
  direction: 'at_least',
  value: 3.9,
  since_then: null,
} as Cut;

/** The lines by their labels, a part each. */
function linesOf(
  standings: readonly Standing[],
  suggestions: readonly Cut[] = [],
  setting = '',
): Record<string, string[]> {
  const list = facts(actionsOf({ standings, suggestions, settingFor: () => setting }));
  const text = list === false ? '' : list.text.replaceAll('\u00a0', ' ');
  const lines = [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)];
  return Object.fromEntries(
    lines.map(([, label = '', parts = '']) => [
      label,
      parts.split('<br>').map((part) => part.replace(/<[^>]*>/g, '')),
    ]),
  );
}

describe('the lines on what to do', () => {
  it('are a line where nothing is to be done', () => {
    expect(linesOf([standing('a'), standing('b', { word: 'small' })])).toEqual({
      'To do': ['nothing to keep, drop or change yet'],
    });
  });

  it('name what to keep, and what to drop with the reason', () => {
    const standings = [
      standing('a', { word: 'above', toDo: 'keep' }),
      standing('b', { word: 'above', toDo: 'keep' }),
      standing('c', { word: 'below', wordVsBtc: 'below', toDo: 'drop' }),
      standing('d'),
    ];
    expect(linesOf(standings)).toEqual({
      Keep: ['a and b'],
      Drop: ['c, behind your other cards and behind BTC'],
      Change: ['nothing found yet'],
    });
  });

  it('say of each that is behind the other cards alone why it is not dropped', () => {
    const standings = [
      standing('a', {
        word: 'below',
        wordVsBtc: 'above',
        toDo: 'behind_others_ahead_of_btc',
      }),
      standing('b', { word: 'below', wordVsBtc: 'small' }),
      standing('c', { word: 'below' }),
    ];
    expect(linesOf(standings)).toEqual({
      Keep: ['no type stands out yet'],
      Drop: [
        'not yet: a is behind your other cards, but ahead of BTC',
        'not yet: b is behind your other cards, but within 1 pp of BTC',
        'not yet: c is behind your other cards, but not surely behind BTC',
      ],
      Change: ['nothing found yet'],
    });
  });

  it('take BTC where there are no other cards', () => {
    const standings = [
      standing('a', { word: 'above', comparedWith: 'btc', toDo: 'ahead_of_btc' }),
      standing('b', { word: 'below', comparedWith: 'btc', toDo: 'behind_btc' }),
    ];
    expect(linesOf(standings)).toMatchObject({ Keep: ['a'], Drop: ['b, behind BTC'] });
  });

  it('keep for now what is ahead of BTC alone', () => {
    const standings = [
      standing('a', { word: 'unclear', wordVsBtc: 'above', toDo: 'ahead_of_btc' }),
      standing('b', { word: 'small', wordVsBtc: 'above', toDo: 'ahead_of_btc' }),
    ];
    expect(linesOf(standings).Keep).toEqual(['for now: a and b, ahead of BTC']);
  });

  it('do not keep for sure what is less lately', () => {
    const partOf = (percentage_points: number) => ({ percentage_points, interval_95: null });
    const lately = { last30Days: partOf(0.5), earlier: partOf(2.2) };
    expect(linesOf([standing('a', { word: 'above', toDo: 'keep', lately })]).Keep).toEqual([
      'not surely: a may have stopped working (+0.50 pp in the last 30 days, +2.20 pp before)',
    ]);
  });

  it('name a change by what it did, a setting to try, and a silent screener', () => {
    const changed = (group: string, verdict: NonNullable<Standing['change']>['verdict']) =>
      standing(group, {
        change: { verdict, difference: 1, interval: null },
        groupFigures: { settings_since: '2026-10-14T06:00:00Z' } as Standing['groupFigures'],
      });
    const standings = [
      changed('a', 'higher'),
      changed('b', 'lower'),
      changed('c', 'unclear'),
      standing('d', { silentDays: 19 }),
    ];
    expect(linesOf(standings, [cut], 'probably oi min, now 2.8').Change).toEqual([
      'a: your change of 14 Oct helped. Keep the new settings.',
      'b: your change of 14 Oct hurt. Change them back, or try others.',
      'c: it is not known yet whether your change of 14 Oct helped',
      'a: take only cards with oi 3.9 or more (probably oi min, now 2.8). Not confirmed yet.',
      'd: no card for 19 days, though switched on: its settings may be too strict',
    ]);
    const then = {
      cards: 54,
      difference_percentage_points: 3,
      interval_95: { low: 1, high: 5 },
    };
    expect(linesOf([standing('a')], [{ ...cut, since_then: then }]).Change).toEqual([
      'a: take only cards with oi 3.9 or more',
    ]);
  });
});
