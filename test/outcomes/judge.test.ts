/** Which lines a judgement adds to the notebook, and which it leaves as they are. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { at, formatApiTime } from '../../src/api/time.ts';
import { DAY, HOUR, SECOND } from '../../src/base/units.ts';
import type { Finding, TypeFinding } from '../../src/outcomes/findings.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { questionOf } from '../../src/outcomes/question.ts';
import type { ServiceAnswer } from '../../src/outcomes/service-answers.ts';
import { stats } from '../support/samples.ts';
import { typeFinding } from '../support/standing.ts';
import { placeboHistory } from './placebo.ts';
import { evidenceOf, groupsOf } from './support.ts';

const world = { days: 20, perDay: () => 12, correlation: 0.3, types: 3, effect: 0.6 };
const cards = placeboHistory(world, 1);
const now = Math.max(...cards.map((card) => card.at)) + 2 * DAY;

const judgeAt = (
  time: number,
  findings: readonly Finding[],
  {
    rows = cards,
    answers = [],
  }: { rows?: readonly HistoryCard[]; answers?: readonly ServiceAnswer[] } = {},
) =>
  judge(
    { cards: rows, answers, settingsSince: new Map(), settingsOf: new Map(), now: time },
    findings,
  );

/**
 * An answer of the service.
 * @param size outcomes; as many as the list has unless given
 * @param median of the differences to BTC
 */
function answerOf(type: string, answeredAt: number, size?: number, median = 1): ServiceAnswer {
  const listed = cards.filter((card) => card.type === type).length;
  const horizons = byHorizon(() => ({
    sample: size ?? listed,
    pending: 0,
    missing: 0,
    btc_sample: size ?? listed,
    median_move_pct: median,
    median_vs_btc_percentage_points: median,
  }));
  return { at: answeredAt, type, stats: stats({ screener_type: type, horizons }) };
}

const typeLines = (findings: readonly Finding[]) =>
  findings.filter((line): line is TypeFinding => line.about === 'type');

describe('a day on which a word is likely', () => {
  const first = judgeAt(now, []);
  const waiting = typeLines(first).filter(({ shows_at }) => shows_at !== null);

  it('stands until it has passed: the next days say nothing else', () => {
    expect(waiting.map(({ verdict }) => verdict)).toContain('unclear');
    const soon = Math.min(...waiting.map(({ shows_at }) => at(shows_at ?? '')));
    const types = new Set(waiting.map(({ type }) => type));
    const said = typeLines(judgeAt(now + DAY, first)).filter(({ type }) => types.has(type));
    expect({ said, isAhead: soon > now + DAY }).toEqual({ said: [], isAhead: true });
  });

  it('is the end of a month, as screens name it', () => {
    const ends = waiting.map(({ shows_at }) => new Date(at(shows_at ?? '') + SECOND).toISOString());
    for (const end of ends) expect(end).toMatch(/-01T00:00:00\.000Z$/);
    expect(ends.length).toBeGreaterThan(0);
  });

  it('stands when the service has answered: the same day is not told anew', () => {
    const [line] = waiting;
    const answers = ['type_0', 'type_1', 'type_2'].map((type) => answerOf(type, now + DAY - HOUR));
    const later = judgeAt(now + DAY, first, { answers });
    expect(later.map(({ about }) => about)).toContain('medians');
    expect(typeLines(later).filter(({ type }) => type === line?.type)).toEqual([]);
  });

  it('is told anew once it has passed', () => {
    const [line] = waiting;
    const passed = first.map((each) =>
      each === line ? { ...line, shows_at: line.at } : each,
    ) as Finding[];
    const [again] = typeLines(judgeAt(now + DAY, passed)).filter(({ type }) => type === line?.type);
    expect(again?.verdict).toBe('unclear');
    expect(again?.shows_at).not.toBe(line?.at);
  });

  it('is not told while exports buy another type first, unless the service decides', () => {
    // A fifth is not bought: otherwise the service would not decide.
    const rows = cards.map((card, i) =>
      i % 5 === 0 ? { ...card, isBought: false, outcomes: undefined } : card,
    );
    const answers = ['type_0', 'type_1', 'type_2'].map((asked, i) =>
      answerOf(asked, now - HOUR, undefined, i === 0 ? 2.2 : 1),
    );
    const datesWith = (inFocus: readonly string[], asked: readonly ServiceAnswer[] = []) => {
      const known = { cards: rows, answers: asked, settingsSince: new Map(), now };
      const terms = { ...known, settingsOf: new Map(), inFocus: new Set(inFocus) };
      const unclear = typeLines(judge(terms, [])).filter(({ verdict }) => verdict === 'unclear');
      return unclear.map(({ type, source, shows_at: date }) => ({ type, source, date }));
    };
    const bought = datesWith([]);
    const [first] = bought;
    const ofService = datesWith([], answers);
    expect(new Set(bought.map(({ source }) => source))).toEqual(new Set(['bought']));
    expect(new Set(ofService.map(({ source }) => source))).toEqual(new Set(['service']));
    expect(bought.filter(({ date }) => date !== null)).not.toEqual([]);
    expect(ofService.filter(({ date }) => date !== null)).not.toEqual([]);
    const firstType = String(first?.type);
    expect({
      focus: datesWith([firstType]),
      focusOfNoType: datesWith(['none']),
      focusWithMedians: datesWith([firstType], answers),
    }).toEqual({
      focus: bought.map((line) => (line.type === firstType ? line : { ...line, date: null })),
      focusOfNoType: bought,
      focusWithMedians: ofService,
    });
  });
});

describe('a type that is below the others and unclear against BTC', () => {
  // The first type is far below the others: whether it is behind BTC, too, takes longer, because all types move together.
  const calm = {
    days: 40,
    perDay: () => 40,
    types: 4,
    effect: -1.1,
    correlation: 0.75,
    scale: 2.5,
  };
  const rows = placeboHistory(calm, 2);
  const end = Math.max(...rows.map((card) => card.at)) + 2 * DAY;
  const first = judgeAt(end, [], { rows });

  it('waits for the verdict against BTC without a day, and gets no further line until then', () => {
    const [line] = typeLines(first).filter(({ type }) => type === 'type_0');
    expect(line).toMatchObject({ verdict: 'below', vs_btc: 'unclear', shows_at: null });
    const again = typeLines(judgeAt(end + DAY, first, { rows }));
    expect(again.filter(({ type }) => type === 'type_0')).toEqual([]);
  });

  it('has the smallest difference to BTC that would show in its figures', () => {
    const groups = groupsOf(evidenceOf(rows, { now: end, findings: first }), questionOf({}));
    for (const { group, horizons } of groups) {
      const figures = horizons['24h'];
      const range = figures.median_vs_btc_interval_997 ?? { low: 0, high: 0 };
      expect({ group, shows: figures.vs_btc_would_show_percentage_points }).toEqual({
        group,
        shows: expect.closeTo(0.1 + (range.high - range.low) / 2, 6),
      });
    }
  });

  it('and a type that is unclear have no day where no outcomes are to come', () => {
    const silent = end + 15 * DAY;
    const groups = groupsOf(evidenceOf(rows, { now: silent, findings: first }), questionOf({}));
    const days = groups.map(({ horizons }) => horizons['24h'].days_until_least_shows);
    expect(days).toEqual([null, null, null, null]);
  });
});

it('answers from which no median can be reckoned leave no line', () => {
  const unbought = cards.map(
    (card): HistoryCard => ({ ...card, isBought: false, outcomes: undefined }),
  );
  const answers = ['type_0', 'type_1'].map((type) => answerOf(type, now - DAY, 100));
  expect(judgeAt(now, [], { rows: unbought, answers })).toEqual([]);
});

it('what the last 30 days say of a verdict that is not written yet waits with it', () => {
  // 3 pp above BTC until 30 days ago, 0.5 pp since then, and no other types.
  const rows: HistoryCard[] = [];
  for (let i = 0; i < 100 * 4; i += 1) {
    const day = i / 4;
    const move = (day < 68 ? 3 : 0.5) + ((i * 7) % 11) / 10;
    const outcomes = byHorizon(() => ({ state: 'available', move, btc: 0 }));
    const symbol = `S${i % 17}`;
    rows.push({ id: i, symbol, type: 'pump', at: now + day * DAY, isBought: true, outcomes });
  }
  const end = now + 101 * DAY;
  const aboutLines = (notebook: readonly Finding[]) =>
    judgeAt(end, notebook, { rows }).map(({ about }) => about);
  const vsOthers: TypeFinding = { ...typeFinding, at: formatApiTime(now + 60 * DAY) };
  expect({
    first: aboutLines([]),
    // Above BTC withdraws above the others, and is written on a later day.
    withdrawing: aboutLines([vsOthers]),
    written: aboutLines([{ ...vsOthers, to: 'btc' }]),
  }).toEqual({ first: ['type', 'lately'], withdrawing: ['type'], written: ['lately'] });
});

it('a type that is compared with BTC from now on keeps its verdict against BTC', () => {
  // 95 % sure above BTC: not enough to be found above, and enough to stay above.
  const alone = { days: 30, perDay: () => 8, correlation: 0.1, types: 1, effect: 0.4 };
  const rows = placeboHistory(alone, 1);
  const end = Math.max(...rows.map((card) => card.at)) + 2 * DAY;
  const type = rows[0]?.type ?? '';
  const before = { ...typeFinding, type, at: formatApiTime(end - 20 * DAY) };
  const newVerdict = (line: Partial<TypeFinding>) => {
    const [added] = typeLines(judgeAt(end, [{ ...before, ...line }], { rows }));
    return added && { verdict: added.verdict, to: added.to, vs_btc: added.vs_btc };
  };
  const aboveBtc = { verdict: 'above', to: 'btc', vs_btc: 'above' } as const;
  expect({
    withoutMemory: newVerdict({ verdict: 'unclear', to: 'btc', vs_btc: 'unclear' })?.verdict,
    vsBtcBefore: newVerdict(aboveBtc),
    vsOthersBefore: newVerdict({ ...aboveBtc, to: 'others' }),
  }).toEqual({ withoutMemory: 'small', vsBtcBefore: undefined, vsOthersBefore: aboveBtc });
});
