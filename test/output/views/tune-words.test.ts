/** A stricter setting to try: what it keeps, and whether the cards that came later confirm it. */
import { describe, expect, it } from 'vitest';
import type { Standing } from '../../../src/outcomes/standing.ts';
import type { Cut } from '../../../src/outcomes/tune-types.ts';
import type { Suggestion } from '../../../src/output/views/actions.ts';
import { phrasesOf } from '../../../src/output/views/cut-words.ts';
import {
  adviceInstead,
  adviceWords,
  checkedWords,
  measuredWords,
  settingWords,
  suggestionWords,
  worthTrying,
} from '../../../src/output/views/tune-words.ts';
import { judged } from '../../support/standing.ts';
import { questionAt } from '../../support/tune.ts';

const AT_ZERO: Cut = {
  type: 'spike',
  key: 'change',
  absolute: false,
  horizon: '24h',
  direction: 'at_least',
  value: 0,
  quantile: 0.5,
  is_advice: true,
  cards_per_day: 2.1,
  kept_vs_btc: 1.22,
  kept_vs_btc_interval_95: null,
  kept_vs_btc_lowered: 0.93,
  gain_lowered: 0.84,
  kept_vs_others: 1.36,
  kept_vs_others_interval_95: null,
  kept_vs_others_interval_997: null,
  dropped_vs_others: -1.47,
  dropped_vs_others_interval_95: null,
  dropped_vs_others_interval_997: null,
  kept_vs_dropped: 2.83,
  kept_vs_dropped_interval: null,
  verdict_since: '2026-10-04T06:00:00Z',
  since_then: { cards: 54, difference_percentage_points: 3, interval_95: { low: 1, high: 5 } },
};

const OPPOSITE: Cut['since_then'] = {
  cards: 54,
  difference_percentage_points: -1,
  interval_95: { low: -3, high: -0.1 },
};

const HIGHER = questionAt({ type: 'spike', key: 'change', verdict: 'higher' });

const CARDS_PER_DAY_NOW = 4.1;

describe('an advice', () => {
  const wordsOf = (more: Partial<Cut>, cardsPerDayNow: number | null) =>
    suggestionWords({ ...AT_ZERO, ...more }, { setting: '', cardsPerDayNow });

  it('is told by what it is expected to bring, not by a median of some other page', () => {
    expect({
      known: wordsOf({}, CARDS_PER_DAY_NOW),
      unknown: wordsOf({}, null),
    }).toEqual({
      known:
        'act only on cards with change at 0 or more. Expect about +0.8 pp more per card, with 2.1 cards a day instead of 4.1.',
      unknown:
        'act only on cards with change at 0 or more. Expect about +0.8 pp more per card, with 2.1 cards a day.',
    });
  });

  it('has its doubt, and the setting that it probably is', () => {
    expect({
      open: wordsOf({ since_then: null }, null),
      opposite: wordsOf({ since_then: OPPOSITE }, null),
      setting: suggestionWords(AT_ZERO, {
        setting: 'probably change min, now 2',
        cardsPerDayNow: null,
      }),
    }).toEqual({
      open: 'act only on cards with change at 0 or more. Expect about +0.8 pp more per card, with 2.1 cards a day.',
      opposite:
        'do not act only on cards with change at 0 or more for now: newer cards disagree so far.',
      setting:
        'change at 0 or more (probably change min, now 2). Expect about +0.8 pp more per card, with 2.1 cards a day.',
    });
  });

  it.each<{ cut: Partial<Cut>; said: string }>([
    { cut: { key: 'price_change_pct' }, said: 'price_change_pct at 0 or more (the price rose)' },
    {
      cut: { key: 'open_interest_change', direction: 'at_most' },
      said: 'open_interest_change at 0 or less (the open interest fell)',
    },
    { cut: { key: 'price_change_pct', value: 2 }, said: 'price_change_pct at 2 or more' },
    { cut: { key: 'price_change_pct', absolute: true }, said: '|price_change_pct| at 0 or more' },
    { cut: {}, said: 'change at 0 or more' },
  ])('says in words what a cut of a change at 0 means: $said', ({ cut, said }) => {
    expect(wordsOf(cut, null)).toContain(`act only on cards with ${said}. Expect`);
    // Beside the name of the setting a second pair of brackets would be read twice.
    const setting = 'probably price min, now -2';
    const beside = suggestionWords({ ...AT_ZERO, ...cut }, { setting, cardsPerDayNow: null });
    expect(beside).toContain(`${said.replace(/ \(.*/, '')} (${setting}). Expect`);
  });

  it('has the same gain on the page of `tune`', () => {
    expect(adviceWords(HIGHER, [AT_ZERO], CARDS_PER_DAY_NOW)).toBe(
      'Act only on cards with change at 0 or more: expect about +0.8 pp more per card, with 2.1 cards a day instead of 4.1.',
    );
  });

  it('stands, on any screen, also where it would bring less than half of what matters by now', () => {
    const little = 'little, under 0.5 pp more per card, with 2.1 cards a day instead of 4.1.';
    const cut = { ...AT_ZERO, since_then: null, gain_lowered: 0.49 };
    const suggestions = [{ cut, setting: '', command: '' }];
    expect({
      short: wordsOf(cut, CARDS_PER_DAY_NOW),
      long: adviceWords(HIGHER, [cut], CARDS_PER_DAY_NOW),
      setting: settingWords(cut, []),
      lines: worthTrying(suggestions, [judged('spike', 'small')]).length,
      worse: wordsOf({ ...cut, gain_lowered: -0.1 }, CARDS_PER_DAY_NOW),
    }).toEqual({
      short: `act only on cards with change at 0 or more. Expect ${little}`,
      long: `Act only on cards with change at 0 or more: expect ${little}`,
      setting: expect.stringContaining('set it to 0.'),
      lines: 1,
      worse: `act only on cards with change at 0 or more. Expect ${little}`,
    });
  });
});

describe('a limit below 0', () => {
  const saidOf = (more: Partial<Cut>) => {
    const cut = { ...AT_ZERO, since_then: null, ...more };
    const wordsWith = (setting: string, ofCut = cut) =>
      suggestionWords(ofCut, { setting, cardsPerDayNow: null }).split('. Expect')[0];
    return {
      suggestion: wordsWith(''),
      withSetting: wordsWith('probably change, now -2'),
      advice: adviceWords(HIGHER, [cut], null).split(': expect')[0],
      opposite: adviceWords(HIGHER, [{ ...cut, since_then: OPPOSITE }], null),
      setting: settingWords(cut, [{ type: 'spike', active: true, conditions: { change: -9 } }]),
    };
  };

  it('says on every page what is skipped, because "or more" reads backwards', () => {
    const atLeast = saidOf({ value: -3.5 });
    expect(atLeast).toEqual({
      suggestion: 'skip cards with change below -3.5',
      withSetting: 'skip cards with change below -3.5 (probably change, now -2)',
      advice: 'Skip cards with change below -3.5',
      opposite: 'Do not skip cards with change below -3.5 for now: newer cards disagree so far.',
      setting: 'Probably change, now -9: set it to -3.5.',
    });
    const atMost = saidOf({ value: -3.5, direction: 'at_most' });
    expect(atMost.suggestion).toBe('skip cards with change above -3.5');
    for (const said of Object.values({ ...atLeast, ...atMost }))
      expect(said).not.toMatch(/-3\.5 or (?:more|less)/);
  });

  it('is said so of a finding, too', () => {
    const findingAt = (value: number) => phrasesOf({ ...AT_ZERO, value }).finding;
    expect([findingAt(3.5), findingAt(0), findingAt(-3.5)]).toEqual([
      'cards with change at 3.5 or more did better',
      'cards with change at 0 or more did better',
      'cards with change below -3.5 did worse',
    ]);
  });
});

describe('a number that tells, of a type that gets no advice,', () => {
  const TO_DROP = judged('spike', 'below', { verdictVsBtc: 'below', toDo: 'drop' });
  const BELOW_OTHERS = judged('spike', 'below', { verdictVsBtc: 'unclear', toDo: undefined });
  const insteadOf = (standing: Standing, low: number | null, more: Partial<Cut> = {}) =>
    adviceInstead(standing, {
      ...AT_ZERO,
      value: 6.1,
      kept_vs_others: 0.13,
      kept_vs_others_interval_95: low === null ? null : { low, high: 1.29 },
      ...more,
    });
  const reaches0 = 'your other cards (+0.1 pp, 95 %: -0.8 to +1.3).';

  it('says what it means for a type that is behind', () => {
    expect({
      drop: insteadOf(TO_DROP, -0.83),
      dropOrCut: insteadOf(TO_DROP, 0.02),
      unsure: insteadOf(BELOW_OTHERS, -0.83),
      unsureOrCut: insteadOf(BELOW_OTHERS, 0.02),
      belowZero: insteadOf(TO_DROP, -0.83, { value: -3.5 }),
      allBehind: insteadOf(TO_DROP, -4, { kept_vs_others_interval_95: { low: -4, high: -1 } }),
      unknown: insteadOf(TO_DROP, null),
    }).toEqual({
      drop: `Drop it: even cards with change at 6.1 or more are not surely better than ${reaches0}`,
      dropOrCut:
        'Drop it, or act only on cards with change at 6.1 or more: +0.1 pp vs your other cards (partly luck).',
      unsure: `none: first it must be known whether it is below BTC, too. Even cards with change at 6.1 or more are not surely better than ${reaches0}`,
      unsureOrCut:
        'none: first it must be known whether it is below BTC, too. Cards with change at 6.1 or more: +0.1 pp vs your other cards (partly luck).',
      belowZero: `Drop it: even cards with change not below -3.5 are not surely better than ${reaches0}`,
      allBehind:
        'Drop it: even cards with change at 6.1 or more are below your other cards (+0.1 pp, 95 %: -4.0 to -1.0).',
      unknown: 'none: worth dropping.',
    });
  });

  it('says why there is none of any other type', () => {
    expect({
      silent: insteadOf(judged('spike', 'unclear', { silentDays: 20 }), 0.02),
      stopped: insteadOf(judged('spike', 'above', { doubt: { before: 2 } }), 0.02),
      kept: insteadOf(judged('spike', 'below', { verdictVsBtc: 'small', toDo: undefined }), 0.02),
      advised: insteadOf(judged('spike', 'small'), 0.02),
      unknown: adviceInstead(undefined, AT_ZERO),
    }).toEqual({
      silent: 'none: no card for 20 days.',
      stopped: 'none: it may have stopped working.',
      kept: undefined,
      advised: undefined,
      unknown: undefined,
    });
  });
});

describe('worth trying', () => {
  const linesOf = (more: Partial<Suggestion>) =>
    worthTrying([{ cut: AT_ZERO, setting: '', command: '', ...more }], [judged('spike', 'small')]);

  it('has the setting, or the command that shows more', () => {
    const label = 'Worth trying';
    expect({
      command: linesOf({ command: 'screener tune spike' }),
      setting: linesOf({ setting: 'probably change min, now 2' }),
    }).toEqual({
      command: [
        {
          label,
          text: 'spike: act only on cards with change at 0 or more. Expect about +0.8 pp more per card, with 2.1 cards a day. `screener tune spike`',
        },
      ],
      setting: [
        {
          label,
          text: 'spike: change at 0 or more (probably change min, now 2). Expect about +0.8 pp more per card, with 2.1 cards a day.',
        },
      ],
    });
  });

  it('is nothing, on any screen, that newer cards surely disagree with', () => {
    const cut = { ...AT_ZERO, since_then: OPPOSITE };
    expect({
      lines: linesOf({ cut }),
      advice: adviceWords(HIGHER, [cut], CARDS_PER_DAY_NOW),
      setting: settingWords(cut, []),
    }).toEqual({
      lines: [],
      advice:
        'Do not act only on cards with change at 0 or more for now: newer cards disagree so far.',
      setting: '',
    });
  });

  it('names no type that is not judged', () => {
    expect(worthTrying([{ cut: AT_ZERO, setting: '', command: '' }], [])).toEqual([]);
  });
});

describe('whether newer cards confirm an advice', () => {
  const cutOf = (since: string | null, then: Cut['since_then']) =>
    ({ ...AT_ZERO, verdict_since: since, since_then: then }) as Cut;
  const thenOf = (difference: number, low: number, high: number): Cut['since_then'] => ({
    cards: 54,
    difference_percentage_points: difference,
    interval_95: { low, high },
  });
  const CHOSEN = '2026-10-04T06:00:00Z';

  it.each<{ case: string; cut: Cut; words: string }>([
    {
      case: 'a look of its own',
      cut: cutOf(null, null),
      words: 'Not yet: it was found on these same cards.',
    },
    {
      case: 'too few newer cards',
      cut: cutOf(CHOSEN, { ...thenOf(1, 0, 0), interval_95: null } as Cut['since_then']),
      words: 'Not yet: too few newer cards (since 4 Oct).',
    },
    {
      case: 'an interval that holds 0',
      cut: cutOf(CHOSEN, thenOf(2.8, -0.14, 5.63)),
      words:
        'Not sure yet. Of 54 newer cards (since 4 Oct), cards with change at 0 or more did 2.8 pp better than the others (95 %: -0.1 to +5.6).',
    },
    {
      case: 'an interval that holds 0, of a difference the other way round',
      cut: cutOf(CHOSEN, thenOf(-0.4, -3.85, 3.83)),
      words:
        'Not sure yet. Of 54 newer cards (since 4 Oct), cards with change at 0 or more did 0.4 pp worse than the others (95 %: -3.9 to +3.8).',
    },
    {
      case: 'an interval above 0',
      cut: cutOf(CHOSEN, thenOf(3.34, 2.01, 4.66)),
      words:
        'So far 54 newer cards (since 4 Oct) agree: cards with change at 0 or more did 3.3 pp better than the others (95 %: +2.0 to +4.7).',
    },
    {
      case: 'an interval below 0',
      cut: cutOf(CHOSEN, thenOf(-2, -3, -0.1)),
      words:
        'So far 54 newer cards (since 4 Oct) disagree: cards with change at 0 or more did 2.0 pp worse than the others (95 %: -3.0 to -0.1).',
    },
  ])('is told of $case', ({ cut, words }) => {
    expect(checkedWords(cut)).toBe(words);
  });

  it('is not told without an advice', () => {
    expect(checkedWords(undefined)).toBe('');
  });
});

describe('the setting of an advice', () => {
  const wordsOf = (conditions: Readonly<Record<string, unknown>> | undefined, more = {}) =>
    settingWords(
      { ...AT_ZERO, ...more },
      conditions === undefined ? [] : [{ type: 'spike', active: true, conditions }],
      ' (look)',
    );
  const byHand = 'before you act on a card, look at its change (look).';

  it('is said plainly: what the settings name, and what to do where they do not', () => {
    expect({
      likely: wordsOf({ change: { min: 1 } }, { value: 2 }),
      unknown: wordsOf(undefined),
      notNamed: wordsOf({ min: 2, window: 15 }, { value: 2 }),
      notNamedAtZero: wordsOf({ min: 2, window: 15, changes: 3 }),
      notNamedBelowZero: wordsOf({ min: 2 }, { value: -3.5 }),
      asName: wordsOf({ change: { min: -2 }, window: 15 }),
      asValue: wordsOf({
        parts: [
          { metric: 'oi', min: 5 },
          { metric: 'change', abs: 1 },
        ],
      }),
      belowZero: wordsOf({ metrics: ['oi', 'change'] }, { value: -3.5 }),
      inList: wordsOf({ metrics: ['oi', 'change'] }),
      size: wordsOf({ min: 2 }, { absolute: true, value: 3 }),
    }).toEqual({
      likely: 'Probably change min, now 1: set it to 2.',
      unknown: `If your screener has a setting for change, set it to 0. If not, ${byHand}`,
      notNamed:
        'None of your settings names change. If one limits it under another name, set that to 2. If not, before you act on a card, look at its change (look).',
      notNamedAtZero:
        'None of your settings seems to ask for this: leave them as they are. Before you act on a card, look at its change (look).',
      notNamedBelowZero:
        'None of your settings seems to ask for this: leave them as they are. Before you act on a card, look at its change (look).',
      asName: `Your settings name change (change min -2): change that so that only 0 or more comes. If you cannot, ${byHand}`,
      asValue: `Your settings name change (parts 2: metric change, abs 1): change that so that only 0 or more comes. If you cannot, ${byHand}`,
      belowZero: `Your settings name change (metrics oi and change): change that so that none below -3.5 comes. If you cannot, ${byHand}`,
      inList: `Your settings name change (metrics oi and change): change that so that only 0 or more comes. If you cannot, ${byHand}`,
      size: 'None of your settings names change. If one limits it under another name, set that to 3. If not, before you act on a card, look at its |change| (look).',
    });
  });
});

it('says that the advice expects less only where the tables have a larger figure', () => {
  expect([
    measuredWords(AT_ZERO),
    measuredWords({ ...AT_ZERO, kept_vs_btc: 0.91 }),
    measuredWords({ ...AT_ZERO, kept_vs_btc_lowered: null }),
    measuredWords(undefined),
  ]).toEqual([
    'Measured so far. Expect less: the best of several settings is partly luck.',
    'Measured so far:',
    'Measured so far:',
    'Measured so far:',
  ]);
});
