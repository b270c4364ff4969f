/** What a change of settings did, beside the same other types on both sides of it. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { type ChangeFinding, newsOf } from '../../src/outcomes/findings.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { judgeChanges } from '../../src/outcomes/judge-changes.ts';
import type { ServiceAnswer } from '../../src/outcomes/service-answers.ts';
import {
  CHANGE_LEVEL,
  ChangeComparison,
  type ChangeEvidence,
  type ChangeVerdict,
  changeVerdict,
  settingsChangesOf,
} from '../../src/outcomes/settings-change.ts';
import type { SettingsTime } from '../../src/outcomes/types.ts';
import { newsWords } from '../../src/output/views/today-news.ts';
import { medianOf } from '../../src/statistics/quantile.ts';
import { normalOf, randomOf } from '../support/history.ts';
import { stats } from '../support/samples.ts';

const FIRST = Date.UTC(2026, 5, 1);
const DAYS = 80;
/** Days after the first one on which the new settings are first seen. */
const CHANGE = 40;
const changedAt = FIRST + CHANGE * DAY;

/** What a type's cards have more than others, percentage points; undefined: no card on that day. */
type Level = (day: number) => number | undefined;

/** Eight cards of each type on each day, all bought. */
function cardsOf(levels: Readonly<Record<string, Level>>, isBought = true): HistoryCard[] {
  const random = randomOf(3);
  const normal = normalOf(random);
  const cards: HistoryCard[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const market = 2 * normal();
    for (const [type, levelOn] of Object.entries(levels)) {
      const level = levelOn(day);
      for (let i = 0; i < 8; i += 1) {
        const move = market + 2 * normal() + (level ?? 0);
        const symbol = `S${Math.floor(random() * 20)}`;
        if (level === undefined) continue;
        cards.push({
          id: cards.length + 1,
          symbol,
          type,
          at: FIRST + day * DAY + (i + 1) * HOUR,
          isBought,
          outcomes: isBought ? byHorizon(() => ({ state: 'available', move, btc: 0 })) : undefined,
        });
      }
    }
  }
  return cards;
}

const always: readonly SettingsTime[] = [{ since: undefined, until: undefined }];
/** The day before is between the two looks that saw the change. */
const changed: readonly SettingsTime[] = [
  { since: undefined, until: changedAt - DAY },
  { since: changedAt, until: undefined },
];

function evidenceOf(
  cards: readonly HistoryCard[],
  settings: Readonly<Record<string, readonly SettingsTime[]>>,
  answers: readonly ServiceAnswer[] = [],
  unsteady: ChangeEvidence['unsteady'] = new Map(),
): ChangeEvidence {
  const settingsOf = new Map(Object.entries(settings));
  return { cards, answers, settingsOf, unsteady };
}

function effectOf(evidence: ChangeEvidence, type = 'told') {
  const [change] = settingsChangesOf(type, evidence.settingsOf.get(type) ?? []);
  if (change === undefined) throw new Error(`${type} did not change`);
  return new ChangeComparison(evidence, '24h').effectOf(change);
}

const told = (effect: number) => (day: number) => (day < CHANGE ? 0 : effect);
const steady = () => 0;

describe('a change of settings', () => {
  it('is told beside the types that are there on both sides and kept their settings', () => {
    const cards = cardsOf({
      told: told(2),
      steady,
      // Far above the others: on one side only they would move the difference.
      dropped: (day) => (day < CHANGE ? 6 : undefined),
      late: (day) => (day < CHANGE ? undefined : -6),
      changed: (day) => (day < CHANGE + 10 ? 0 : 9),
    });
    const times = [
      { since: undefined, until: changedAt + 9 * DAY },
      { since: changedAt + 10 * DAY, until: undefined },
    ];
    const evidence = evidenceOf(cards, { told: changed, steady: always, changed: times });
    const { controls, leftOutTypes, source, before, after, difference } = effectOf(evidence);
    expect({ controls, leftOutTypes, source }).toEqual({
      controls: ['steady'],
      leftOutTypes: [
        { type: 'changed', why: 'settings_changed' },
        { type: 'dropped', why: 'too_few_days' },
        { type: 'late', why: 'too_few_days' },
      ],
      source: 'bought',
    });
    expect(difference.value).toBeCloseTo(after.estimate.value - before.estimate.value, 9);
    expect(difference.value, 'difference after the change').toBeGreaterThan(1.4);
    expect(difference.value, 'difference after the change').toBeLessThan(2.6);
    expect(changeVerdict(effectOf(evidence), 1)).toBe('higher');
  });

  it.each([
    { at: changedAt + DAY, why: 'less_lately', isControl: false },
    { at: changedAt + DAY, why: 'verdict_withdrawn', isControl: false },
    { at: FIRST - DAY, why: 'verdict_withdrawn', isControl: true },
  ] as const)('beside a type that does not do as before: $why', ({ at, why, isControl }) => {
    const cards = cardsOf({ told: steady, steady, died: (day) => (day < CHANGE ? 6 : 0) });
    // What was withdrawn before the first side began is of no side.
    const told = [{ since: FIRST, until: changedAt - DAY }, ...changed.slice(1)];
    const settings = { told, steady: always, died: always };
    const beside = effectOf(evidenceOf(cards, settings));
    expect(beside.controls).toEqual(['died', 'steady']);
    const { controls, leftOutTypes, difference } = effectOf(
      evidenceOf(cards, settings, [], new Map([['died', { at, why }]])),
    );
    if (isControl) {
      expect({ controls, leftOutTypes }).toEqual({
        controls: ['died', 'steady'],
        leftOutTypes: [],
      });
      return;
    }
    expect({ controls, leftOutTypes }).toEqual({
      controls: ['steady'],
      leftOutTypes: [{ type: 'died', why }],
    });
    expect(Math.abs(difference.value), 'without an effect').toBeLessThan(
      Math.abs(beside.difference.value),
    );
  });

  it('beside a type that does not do as before only because another one died', () => {
    const died = (day: number) => (day < CHANGE + 10 ? 4 : 0);
    const cards = cardsOf({ told: told(2), steady, died });
    const doubts = new Map([
      ['died', { at: changedAt + 30 * DAY, why: 'verdict_withdrawn' }],
      ['steady', { at: changedAt + 31 * DAY, why: 'less_lately' }],
    ] as const);
    const settings = { told: changed, steady: always, died: always };
    const { controls, leftOutTypes, difference } = effectOf(
      evidenceOf(cards, settings, [], doubts),
    );
    expect({ controls, leftOutTypes }).toEqual({
      controls: ['steady'],
      leftOutTypes: [{ type: 'died', why: 'verdict_withdrawn' }],
    });
    expect(Math.abs(difference.value - 2), 'beside the effect of 2').toBeLessThan(0.6);
  });

  it('never beside the only doubted type, though the market hides that it changed', () => {
    const market = (day: number) => (day < CHANGE ? 0 : 1.5);
    const cards = cardsOf({
      told: (day) => market(day) + told(2)(day),
      steady: market,
      died: (day) => (day < CHANGE ? 2 : market(day)),
    });
    const doubts = new Map([
      ['died', { at: changedAt + 30 * DAY, why: 'verdict_withdrawn' }],
    ] as const);
    const settings = { told: changed, steady: always, died: always };
    const { controls, leftOutTypes } = effectOf(evidenceOf(cards, settings, [], doubts));
    expect({ controls, leftOutTypes }).toEqual({
      controls: ['steady'],
      leftOutTypes: [{ type: 'died', why: 'verdict_withdrawn' }],
    });
  });

  it.each([
    { why: 'no other type tells whether it was they that changed', others: {} },
    { why: 'it has too few outcomes on a side', others: { more: steady }, begins: CHANGE - 2 },
  ])('never beside a doubted type of which $why', ({ others, begins = 0 }) => {
    const doubted = (day: number) => (day < begins ? undefined : 0);
    const cards = cardsOf({ told: told(2), doubted, ...others });
    const evidence = evidenceOf(
      cards,
      { told: changed },
      [],
      new Map([['doubted', { at: changedAt + DAY, why: 'less_lately' }]]),
    );
    const { controls, leftOutTypes } = effectOf(evidence);
    expect({ controls, leftOutTypes }).toEqual({
      controls: Object.keys(others),
      leftOutTypes: [{ type: 'doubted', why: 'less_lately' }],
    });
  });

  it('leaves out the cards between the two looks that saw it', () => {
    const cards = cardsOf({ told: (day) => (day === CHANGE - 1 ? 99 : 0), steady });
    const { before, after } = effectOf(evidenceOf(cards, { told: changed }));
    expect(before.estimate.size).toBe(8 * (CHANGE - 1));
    expect(after.estimate.size).toBe(8 * (DAYS - CHANGE));
  });

  it('is told by BTC where no other type is a control, or where controls are on too few days', () => {
    const alone = effectOf(evidenceOf(cardsOf({ told: told(2) }), { told: changed }));
    expect(alone.controls).toEqual([]);
    expect(alone.after.estimate.value).toBeCloseTo(alone.after.vsBtc, 9);
    const rare = cardsOf({ told: told(2), rare: (day) => (day % 4 === 0 ? 0 : undefined) });
    const withRare = effectOf(evidenceOf(rare, { told: changed }));
    expect({ controls: withRare.controls, leftOut: withRare.leftOutTypes }).toEqual({
      controls: [],
      leftOut: [{ type: 'rare', why: 'too_few_days' }],
    });
  });

  it('is told against BTC by the same cards as beside the controls', () => {
    // On every fourth day there is no control: what its cards did there is no part of either figure.
    const isAlone = (day: number) => day % 4 === 0;
    const cards = cardsOf({
      told: (day) => (isAlone(day) ? 50 : 0),
      steady: (day) => (isAlone(day) ? undefined : 0),
    });
    const { before, after } = effectOf(evidenceOf(cards, { told: changed, steady: always }));
    const movesOn = (side: 'before' | 'after') =>
      cards
        .filter(({ type, at }) => {
          const day = Math.floor((at - FIRST) / DAY);
          const isOnSide = side === 'before' ? day < CHANGE - 1 : day >= CHANGE;
          return type === 'told' && isOnSide && !isAlone(day);
        })
        .map(({ outcomes }) => outcomes?.['24h'].move ?? 0);
    expect({ before: before.vsBtc, after: after.vsBtc }).toEqual({
      before: expect.closeTo(medianOf(movesOn('before')), 9),
      after: expect.closeTo(medianOf(movesOn('after')), 9),
    });
  });

  it.each<[string, number, number]>([
    ['higher', 2, 1],
    ['lower', -2, 1],
    ['small', 0, 1],
    ['unclear', 0.6, 0.5],
  ])('is called %s of an effect of %d where %d matters', (verdict, effect, least) => {
    const evidence = evidenceOf(cardsOf({ told: told(effect), steady, more: steady }), {
      told: changed,
    });
    expect(changeVerdict(effectOf(evidence), least)).toBe(verdict);
  });
});

describe('what was found', () => {
  const settings = { told: changed, steady: always };
  const without = effectOf(evidenceOf(cardsOf({ told: steady, steady }), settings));
  const better = effectOf(evidenceOf(cardsOf({ told: told(2), steady }), settings));
  const early = effectOf(
    evidenceOf(cardsOf({ told: (day) => (day < CHANGE + 5 ? 0 : undefined), steady }), settings),
  );

  it.each<{
    found: ChangeVerdict;
    afterwards: 'without' | 'better' | 'early';
    verdict: ChangeVerdict;
  }>([
    { found: 'higher', afterwards: 'better', verdict: 'higher' },
    { found: 'lower', afterwards: 'better', verdict: 'unclear' },
    { found: 'higher', afterwards: 'without', verdict: 'unclear' },
    { found: 'lower', afterwards: 'without', verdict: 'unclear' },
    { found: 'small', afterwards: 'better', verdict: 'higher' },
    { found: 'unclear', afterwards: 'without', verdict: 'small' },
    { found: 'lower', afterwards: 'early', verdict: 'too_few_days' },
  ])(
    'is kept until the 95 % interval reaches 0, and is unclear then, before it is anything else: %j',
    ({ found, afterwards, verdict }) => {
      const effect = { without, better, early }[afterwards];
      expect(changeVerdict(effect, 1, found)).toBe(verdict);
    },
  );

  it('is kept where the 99 % interval reaches 0, but not that of 95 %', () => {
    const interval = (level: number) =>
      level === CHANGE_LEVEL ? { low: -0.1, high: 3 } : { low: 0.1, high: 2.8 };
    const hardlySure = { ...better, difference: { ...better.difference, interval } };
    expect({
      given: changeVerdict(hardlySure, 1),
      kept: changeVerdict(hardlySure, 1, 'higher'),
      otherSide: changeVerdict(hardlySure, 1, 'lower'),
    }).toEqual({ given: 'unclear', kept: 'higher', otherSide: 'unclear' });
  });
});

describe("the service's medians", () => {
  /** As the service would say it of all cards of a window. */
  function answersOf(
    cards: readonly HistoryCard[],
    types: readonly string[],
    ends: readonly number[],
  ) {
    return types.flatMap((type) =>
      ends.map((at): ServiceAnswer => {
        const own = cards.filter(
          (card) => card.type === type && card.at > at - 30 * DAY && card.at <= at,
        );
        const moves = own.map(({ outcomes }) => outcomes?.['24h'].move ?? 0);
        const figures = {
          sample: own.length,
          pending: 0,
          missing: 0,
          median_move_pct: medianOf(moves),
          btc_sample: own.length,
          median_vs_btc_percentage_points: medianOf(moves),
        };
        return {
          at,
          type,
          stats: stats({ screener_type: type, horizons: byHorizon(() => figures) }),
        };
      }),
    );
  }

  /** One card in six is bought. */
  const listed = (cards: readonly HistoryCard[]) =>
    cards.map((card) =>
      card.id % 6 === 0 ? card : { ...card, isBought: false, outcomes: undefined },
    );
  /** Exports ask at the look that sees the change. */
  const before = changedAt;
  const after = changedAt + 35 * DAY;

  it('decide where they are surer, once a window lies wholly after the change, of types that answered on both sides', () => {
    const cards = cardsOf({ told: told(2), steady, once: () => 5 });
    const answers = [
      ...answersOf(cards, ['told', 'steady'], [before, after]),
      ...answersOf(cards, ['once'], [before]),
    ];
    const effect = effectOf(evidenceOf(listed(cards), { told: changed }, answers));
    expect({ controls: effect.controls, source: effect.source }).toEqual({
      controls: ['steady'],
      source: 'service',
    });
    expect(effect.difference.value, 'difference after the change').toBeGreaterThan(1.4);
    expect(effect.difference.value, 'difference after the change').toBeLessThan(2.6);
    const early = answersOf(cards, ['told', 'steady'], [before, changedAt + 20 * DAY]);
    expect(effectOf(evidenceOf(listed(cards), { told: changed }, early)).source).toBe('bought');
  });

  it('do not decide where the type itself has an answer on one side alone', () => {
    const cards = cardsOf({ told: told(2), steady, calm: steady });
    const controls = answersOf(cards, ['steady', 'calm'], [before, after]);
    for (const end of [before, after]) {
      const answers = [...controls, ...answersOf(cards, ['told'], [end])];
      const effect = effectOf(evidenceOf(listed(cards), { told: changed }, answers));
      expect(effect.source, `with an answer at ${new Date(end).toISOString()}`).toBe('bought');
    }
  });

  it('do not decide where what is bought is surer', () => {
    const cards = cardsOf({ told: told(2), steady });
    const answers = answersOf(cards, ['told', 'steady'], [before, after]);
    expect(effectOf(evidenceOf(cards, { told: changed }, answers)).source).toBe('bought');
  });

  it('decide where what is bought can be compared with BTC alone, however sure that is', () => {
    const cards = cardsOf({ told: told(2), steady }).map((card) =>
      card.type === 'told' ? card : { ...card, isBought: false, outcomes: undefined },
    );
    const all = cardsOf({ told: told(2), steady });
    const answers = answersOf(all, ['told', 'steady'], [before, after]);
    const bought = effectOf(evidenceOf(cards, { told: changed }));
    const deciding = effectOf(evidenceOf(cards, { told: changed }, answers));
    const width = ({ difference }: Pick<typeof bought, 'difference'>) => {
      const { low, high } = difference.interval(0.05) ?? { low: Number.NaN, high: Number.NaN };
      return high - low;
    };
    expect({ bought: bought.controls, deciding: deciding.controls, by: deciding.source }).toEqual({
      bought: [],
      deciding: ['steady'],
      by: 'service',
    });
    expect(width(deciding), 'the width of the service').toBeGreaterThan(width(bought));
  });
});

describe('the notebook', () => {
  /** What exports write on each morning of the days after the change. */
  function linesOf(effect: Level, days: number): ChangeFinding[] {
    const cards = cardsOf({ told: effect, steady, more: steady });
    const findings: ChangeFinding[] = [];
    for (let day = CHANGE; day < CHANGE + days; day += 1) {
      const now = FIRST + day * DAY + 6 * HOUR;
      const known = cards.filter((card) => card.at <= now - DAY - 6 * HOUR);
      const evidence = evidenceOf(known, { told: changed, steady: always });
      findings.push(...judgeChanges(evidence, findings, now));
    }
    return findings;
  }

  it('has nothing of a change that is older than 90 days: cards before it leave the judged days', () => {
    const cards = cardsOf({ told: (day) => (day < CHANGE ? 0 : 3), steady, more: steady });
    const evidence = evidenceOf(cards, { told: changed, steady: always });
    const verdictsAfter = (days: number) =>
      judgeChanges(evidence, [], changedAt + days * DAY).map(({ verdict }) => verdict);
    expect({ in90Days: verdictsAfter(90), later: verdictsAfter(91) }).toEqual({
      in90Days: ['higher'],
      later: [],
    });
  });

  it('has each verdict once, and takes "helped" back when that is no longer sure', () => {
    const effect = (day: number) => {
      if (day < CHANGE) return 0;
      return day < CHANGE + 20 ? 3 : -3;
    };
    const lines = linesOf(effect, 38);
    const said = lines.map(({ verdict }) => verdict);
    expect(said.filter((verdict, i) => verdict !== said[i - 1])).toEqual(['higher', 'unclear']);
    expect(lines.at(-1)).toMatchObject({
      about: 'change',
      type: 'told',
      settings_since: '2026-07-11T00:00:00Z',
    });
    expect(newsOf(lines, 0).map((item) => newsWords(item))).toEqual([
      'told: your change of 11 Jul helped. Keep the new settings.',
      'told: it is no longer sure that your change of 11 Jul helped.',
    ]);
  });

  it('tells what a change did once, and never that it is unclear', () => {
    const news = newsOf(linesOf(told(3), 38), 0).map((item) => newsWords(item));
    expect(news.at(-1)).toMatch(/^told: your change of 11 Jul helped\. Keep the new settings\.$/);
    expect(news.filter((sentence) => sentence.includes('unclear'))).toEqual([]);
  });

  it('says nothing before there are days enough', () => {
    expect(linesOf(told(3), 6)).toEqual([]);
  });
});
