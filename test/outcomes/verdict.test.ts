/** One verdict a type: kept, with a date, under present settings, and no stronger than missing outcomes allow. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { Finding, TypeFinding } from '../../src/outcomes/findings.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { type Evidence, questionOf, type Terms } from '../../src/outcomes/question.ts';
import { trackRecord } from '../../src/outcomes/standing.ts';
import { stats } from '../support/samples.ts';
import { typeFinding } from '../support/standing.ts';
import { placeboHistory } from './placebo.ts';
import { evidenceOf, groupsOf } from './support.ts';

const MONDAY = Date.UTC(2026, 10, 16);

const world = { days: 90, perDay: () => 24, correlation: 0.3, types: 4, effect: 1.5 };
const cards = placeboHistory(world, 5);
const now = Math.max(...cards.map(({ at }) => at)) + 2 * DAY;
const byType = (
  rows: readonly HistoryCard[],
  more: Partial<Evidence> = {},
  terms: Partial<Terms> = {},
) => groupsOf(evidenceOf(rows, { now, ...more }), questionOf(terms));

describe('a verdict', () => {
  it('has the day on which it was found; what came since had no part in it', () => {
    const found = now - 20 * DAY;
    const rows = cards.filter(({ at }) => at <= found - DAY - HOUR);
    const findings = judge(
      { cards: rows, answers: [], settingsSince: new Map(), settingsOf: new Map(), now: found },
      [],
    );
    const [first] = byType(cards, { findings });
    const { shown_verdict, verdict_since, since_then } = first?.horizons['24h'] ?? {};
    expect({ verdict: shown_verdict, since: Date.parse(verdict_since ?? '') }).toEqual({
      verdict: 'above_others',
      since: found,
    });
    expect(since_then?.cards).toBe(
      cards.filter(({ type, at }) => type === 'type_0' && at >= found).length,
    );
    expect(since_then?.difference_percentage_points, 'difference since then').toBeGreaterThan(1);
    // A question of one's own has no date.
    expect(byType(cards)[0]?.horizons['24h']).toMatchObject({
      shown_verdict: 'above_others',
      verdict_since: null,
    });
  });

  it('beside the others is one thing, and beside BTC another, as the export wrote both down', () => {
    const wordsOf = (rows: readonly HistoryCard[]) => {
      const evidence = {
        cards: rows,
        answers: [],
        settingsSince: new Map(),
        settingsOf: new Map(),
      };
      const findings = judge({ ...evidence, now }, []).map((line) =>
        line.about === 'type' && line.type === 'type_0' ? { ...line, vs_btc: 'below' } : line,
      ) as Finding[];
      const figures = byType(rows, { findings })[0]?.horizons['24h'];
      return {
        shown: figures?.shown_verdict,
        vsOthers: figures?.verdict_vs_others,
        vsBtc: figures?.verdict,
      };
    };
    expect({
      besideOthers: wordsOf(cards),
      alone: wordsOf(cards.filter(({ type }) => type === 'type_0')),
    }).toEqual({
      besideOthers: { shown: 'above_others', vsOthers: 'above_others', vsBtc: 'below_btc' },
      // Without others the word beside BTC is the verdict.
      alone: { shown: 'above_btc', vsOthers: null, vsBtc: 'above_btc' },
    });
  });

  it('of earlier settings counts no more', () => {
    const findings = judge(
      { cards, answers: [], settingsSince: new Map(), settingsOf: new Map(), now },
      [],
    );
    const settingsSince = new Map([['type_0', now - 3 * DAY]]);
    expect(byType(cards, { findings })[0]?.horizons['24h'].shown_verdict).toBe('above_others');
    const [first] = byType(cards, { findings, settingsSince });
    expect(first?.horizons['24h'].shown_verdict).toBe('too_few_days');
    expect(Date.parse(first?.settings_since ?? '')).toBe(now - 3 * DAY);
  });

  it('is of the horizon that is asked for, and with BTC where there are no others', () => {
    const [first] = byType(cards, {}, { horizon: '1h' });
    expect({
      hour: first?.horizons['1h'].shown_verdict,
      day: first?.horizons['24h'].shown_verdict,
    }).toEqual({ hour: 'above_others', day: null });
    const alone = byType(cards.filter(({ type }) => type === 'type_0'));
    expect(alone[0]?.horizons['24h'].shown_verdict).toBe('above_btc');
  });
});

it.each([
  { when: 'ten days before', late: -10, between: [] },
  { when: 'a day late', late: 1, between: [] },
  { when: 'with an answer between two sittings', late: 0, between: [16] },
])(
  "the service's medians are waited for at sittings alone, 30 days apart: $when",
  ({ late, between }) => {
    // One outcome of 7 is bought.
    const rows = cards.map(
      (row): HistoryCard =>
        row.id % 7 === 0 ? row : { ...row, isBought: false, outcomes: undefined },
    );
    const asked = now - (30 + late) * DAY;
    const answers = [0, ...between].flatMap((later) =>
      ['type_0', 'type_1', 'type_2', 'type_3'].map((type) => {
        const listed = cards.filter(
          (row) => row.type === type && row.at > asked - 30 * DAY && row.at <= asked,
        );
        const counts = { sample: listed.length, pending: 0, missing: 0, btc_sample: listed.length };
        const medians = {
          median_move_pct: null,
          median_vs_btc_percentage_points: type === 'type_0' ? 0.2 : 0,
        };
        const horizons = byHorizon(() => ({ ...counts, ...medians }));
        return { at: asked + later * DAY, type, stats: stats({ screener_type: type, horizons }) };
      }),
    );
    for (const [horizon, least] of [
      ['24h', 0.5],
      ['1h', 2],
    ] as const) {
      const waits = byType(rows, { answers }, { horizon, least }).flatMap(
        ({ horizons: { [horizon]: figures } }) => {
          expect(figures.next_medians_at, horizon).toBe(
            formatApiTime(now + Math.max(0, -late) * DAY),
          );
          const wait = figures.days_until_least_shows;
          return figures.vs_others_from === 'service' && wait !== null ? [wait] : [];
        },
      );
      expect(
        waits.map((wait) => (wait + late) % 30),
        `days to wait, ${horizon}`,
      ).toEqual(waits.map(() => Math.max(0, late)));
      expect(waits.length, `types that wait, ${horizon}`).toBeGreaterThan(0);
    }
  },
);

it('where exports ask for medians every 15 days, a wait ends at the first sitting that shows it', () => {
  const rows = cards.map(
    (row): HistoryCard =>
      row.id % 7 === 0 ? row : { ...row, isBought: false, outcomes: undefined },
  );
  const asked = now - 10 * DAY;
  const types = ['type_0', 'type_1', 'type_2', 'type_3'];
  const answers = types.map((type) => {
    const sample = cards.filter(
      (row) => row.type === type && row.at > asked - 30 * DAY && row.at <= asked,
    ).length;
    const horizons = byHorizon(() => ({
      sample,
      pending: 0,
      missing: 0,
      btc_sample: sample,
      median_move_pct: null,
      median_vs_btc_percentage_points: type === 'type_0' ? 0.2 : 0,
    }));
    return { at: asked, type, stats: stats({ screener_type: type, horizons }) };
  });
  const waitsWith = (everyDays: number) => {
    const planned = new Map(types.map((type) => [type, { next: asked + 15 * DAY, everyDays }]));
    return byType(rows, { answers, planned }, { least: 0.5 })
      .map(({ horizons }) => horizons['24h'].days_until_least_shows)
      .filter((wait) => wait !== null);
  };
  const seldom = waitsWith(30);
  const often = waitsWith(15);
  expect(seldom.length, 'types with few outcomes').toBeGreaterThan(0);
  expect(seldom.map((wait) => wait % 30)).toEqual(seldom.map(() => 5));
  // Whole months after the last answer there is a sitting.
  expect(often).toEqual(seldom.map((wait) => wait - 15));
});

describe('types that fire on the same cards', () => {
  const card = (id: number, type: string, hours: number): HistoryCard => {
    return {
      id,
      type,
      symbol: 'AUSDT',
      at: MONDAY + hours * HOUR,
      isBought: false,
      outcomes: undefined,
    };
  };

  it('are named', () => {
    const rows = [
      card(1, 'a', 0),
      card(2, 'b', 0.5),
      card(3, 'a', 10),
      card(4, 'a', 20),
      card(5, 'b', 20.9),
    ];
    expect(byType(rows)).toMatchObject([
      { group: 'a', coincides_with: [{ group: 'b', share: expect.closeTo(2 / 3) }] },
      { group: 'b', coincides_with: [{ group: 'a', share: 1 }] },
    ]);
  });

  it('are named from half of the cards on, up to an hour apart', () => {
    // Two days lie between cards of `a`; the card of `b` is as late as one may be.
    const cardOfA = (id: number) => card(id, 'a', 48 * id);
    const cardOfB = (id: number) => card(100 + id, 'b', 48 * id + 1);
    const coincidences = (cardsOfA: number, cardsOfB: number) => {
      const ids = Array.from({ length: cardsOfA }, (_, index) => index + 1);
      const [a] = byType([...ids.map(cardOfA), ...ids.slice(0, cardsOfB).map(cardOfB)]);
      return { cardsOfA, cardsOfB, coincides: a?.coincides_with };
    };
    expect([coincidences(20, 10), coincidences(20, 9)]).toEqual([
      { cardsOfA: 20, cardsOfB: 10, coincides: [{ group: 'b', share: 0.5 }] },
      { cardsOfA: 20, cardsOfB: 9, coincides: [] },
    ]);
  });
});

it('a verdict stands, is withdrawn, or ends with a change of settings', () => {
  const line = (
    type: string,
    day: number,
    verdict: string | null,
    settings_since: string | null = null,
  ) =>
    ({
      about: 'type',
      type,
      at: formatApiTime(MONDAY + day * DAY),
      verdict,
      settings_since,
    }) as Finding;
  const changed = line('b', 3, 'too_few_days', formatApiTime(MONDAY));
  const of = [
    line('a', 1, 'above'),
    line('b', 1, 'below'),
    line('a', 2, 'unclear'),
    changed,
    line('a', 4, 'above'),
  ];
  const foundOn = (day: number) => ({ foundAt: MONDAY + day * DAY });
  const standing = { type: 'a', ...foundOn(4), ending: 'stands', endedAt: undefined };
  expect(trackRecord(of, MONDAY)).toEqual([
    { type: 'a', ...foundOn(1), ending: 'withdrawn', endedAt: MONDAY + 2 * DAY },
    standing,
    { type: 'b', ...foundOn(1), ending: 'reset', endedAt: MONDAY + 3 * DAY },
  ]);
  expect(trackRecord(of, MONDAY + 3 * DAY)).toEqual([standing]);
  const sameAfterAChange = [line('a', 1, 'above'), line('a', 5, 'above', formatApiTime(MONDAY))];
  expect(trackRecord(sameAfterAChange, MONDAY)).toEqual([
    { type: 'a', ...foundOn(1), ending: 'reset', endedAt: MONDAY + 5 * DAY },
    { ...standing, ...foundOn(5) },
  ]);
});

it('a verdict ends when the next one is against something else, unless it still holds against BTC', () => {
  const line = (day: number, to: 'others' | 'btc', vs_btc: 'above' | 'unclear' = 'above') => ({
    ...typeFinding,
    at: formatApiTime(MONDAY + day * DAY),
    to,
    vs_btc,
  });
  const endings = (lines: readonly TypeFinding[]) =>
    trackRecord(lines, MONDAY).map(({ foundAt, ending }) => ({
      day: (foundAt - MONDAY) / DAY,
      ending,
    }));
  expect({
    toBtc: endings([line(1, 'others'), line(5, 'btc')]),
    toOthers: endings([line(1, 'btc'), line(5, 'others')]),
    toOthersAlone: endings([line(1, 'btc'), line(5, 'others', 'unclear')]),
  }).toEqual({
    toBtc: [
      { day: 1, ending: 'withdrawn' },
      { day: 5, ending: 'stands' },
    ],
    toOthers: [
      { day: 1, ending: 'stands' },
      { day: 5, ending: 'stands' },
    ],
    toOthersAlone: [
      { day: 1, ending: 'withdrawn' },
      { day: 5, ending: 'stands' },
    ],
  });
});
