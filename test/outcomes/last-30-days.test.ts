/** What a type that is above has done lately: told once when it is less than before, and once when it is no more. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { Difference } from '../../src/outcomes/differences.ts';
import { type Finding, newsOf } from '../../src/outcomes/findings.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { differencesToSameGroups } from '../../src/outcomes/last-30-days.ts';
import { newsWords } from '../../src/output/views/today-news.ts';
import { normalOf, randomOf } from '../support/history.ts';

const FIRST = Date.UTC(2026, 3, 1);

/** Types without an edge: enough that the one with an edge hardly moves the others' median. */
const OTHERS = ['one', 'two', 'three', 'four', 'five'];
const TYPES = ['edge', ...OTHERS];
const PER_DAY = 4 * TYPES.length;

/** Four cards of each type on each day, all bought. @param edge percentage points on a day, of the first type alone */
function cardsOf(edge: (day: number) => number, days: number): HistoryCard[] {
  const random = randomOf(5);
  const normal = normalOf(random);
  const cards: HistoryCard[] = [];
  for (let day = 0; day < days; day += 1) {
    const market = normal();
    for (let i = 0; i < PER_DAY; i += 1) {
      const type = TYPES[i % TYPES.length] ?? '';
      const move = market + 2 * normal() + (type === 'edge' ? edge(day) : 0);
      cards.push({
        id: cards.length + 1,
        symbol: `S${Math.floor(random() * 20)}`,
        type,
        at: FIRST + day * DAY + (i / 2) * HOUR,
        isBought: true,
        outcomes: byHorizon(() => ({ state: 'available', move, btc: 0 })),
      });
    }
  }
  return cards;
}

/** The notebook of one who exports each third morning. */
function notebookOf(cards: readonly HistoryCard[], days: number): Finding[] {
  const notebook: Finding[] = [];
  for (let day = 9; day <= days; day += 3) {
    const now = FIRST + day * DAY + 6 * HOUR;
    const known = cards.filter(({ at }) => at <= now - DAY);
    const settingsSince = new Map<string, number>();
    const settingsOf = new Map();
    notebook.push(
      ...judge({ cards: known, answers: [], settingsSince, settingsOf, now }, notebook),
    );
  }
  return notebook;
}

const dayOf = ({ at }: Finding) => Math.floor((Date.parse(at) - FIRST) / DAY);

const latelyIn = (notebook: readonly Finding[]) =>
  notebook.filter((line) => line.about === 'lately').filter(({ type }) => type === 'edge');

it('counts only cards since the settings last changed, and of these only those with a figure', () => {
  const begins = 50;
  const lastDay = 100;
  const differenceOn = (day: number, type: string, value: number): Difference => {
    return { card: { type, symbol: 'S', at: day * DAY } as HistoryCard, day, symbol: 'S', value };
  };
  const differences = Array.from({ length: lastDay + 1 }, (_, day) => [
    differenceOn(day, 'told', 2),
    differenceOn(day, 'told', Number.NaN),
    ...OTHERS.map((type) => differenceOn(day, type, 0.5)),
  ]).flat();
  const compared = differencesToSameGroups(
    differences,
    { name: 'told', begins: begins * DAY, lastDay },
    { groupNameOf: ({ type }) => type, settingsSince: new Map([['told', begins * DAY]]) },
  );
  const days = compared.map(({ day }) => day);
  expect({
    first: Math.min(...days),
    last: Math.max(...days),
    cards: days.length,
    values: [...new Set(compared.map(({ value }) => value))],
  }).toEqual({ first: begins, last: lastDay, cards: lastDay - begins + 1, values: [1.5] });
});

describe('the last 30 days are compared with at least a third of the other outcomes', () => {
  const lastDay = 100;
  /** A card a day from `first` on. */
  const cardsOfType = (type: string, first: number): Difference[] =>
    Array.from({ length: lastDay + 1 - first }, (_, i) => {
      const day = first + i;
      const card = { type, symbol: 'S', at: day * DAY } as HistoryCard;
      return { card, day, symbol: 'S', value: 1 };
    });

  it.each([
    { what: 'all of them unchanged', steady: 6, changed: 0, isNew: 0, is: true },
    { what: 'two of three changed', steady: 3, changed: 6, isNew: 0, is: true },
    { what: 'three of four changed', steady: 3, changed: 9, isNew: 0, is: false },
    { what: 'two of three new', steady: 3, changed: 0, isNew: 6, is: true },
    { what: 'three of four new', steady: 3, changed: 0, isNew: 9, is: false },
  ])('$what: $is', ({ steady, changed, isNew, is }) => {
    const namesOf = (kind: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${kind}_${i}`);
    const changedTypes = namesOf('changed', changed);
    const differences = [
      ...['told', ...namesOf('steady', steady), ...changedTypes].flatMap((name) =>
        cardsOfType(name, 0),
      ),
      ...namesOf('new', isNew).flatMap((name) => cardsOfType(name, 71)),
    ];
    const compared = differencesToSameGroups(
      differences,
      { name: 'told', begins: 0, lastDay },
      {
        groupNameOf: ({ type }) => type,
        settingsSince: new Map(changedTypes.map((name) => [name, 30 * DAY])),
      },
    );
    expect(compared.length > 0).toBe(is);
  });
});

describe('lately', () => {
  it('is told once within 45 days of the end of an edge, and once when the edge is back', () => {
    const isOver = (day: number) => day >= 60 && day < 105;
    const notebook = notebookOf(
      cardsOf((day) => (isOver(day) ? 0 : 3), 150),
      150,
    );
    const lines = latelyIn(notebook);
    expect(lines.map(({ type, verdict }) => ({ type, verdict }))).toEqual([
      { type: 'edge', verdict: 'less' },
      { type: 'edge', verdict: 'as_before' },
    ]);
    const [less, back] = lines;
    if (less === undefined || back === undefined) throw new Error('nothing is told');
    expect(dayOf(less), 'the day on which less is told').toBeGreaterThan(60);
    expect(dayOf(less), 'the day on which less is told').toBeLessThanOrEqual(105);
    expect(dayOf(back), 'the day on which it is back').toBeGreaterThan(105);
    expect(less.last_30_days.percentage_points, 'median of the last 30 days').toBeLessThan(
      less.before.percentage_points - 1,
    );
    const news = newsOf(notebook, 0).filter(({ line }) => lines.some((told) => told === line));
    expect(news.map((item) => newsWords(item))).toEqual([
      expect.stringMatching(
        /^edge: .* in the last 30 days, .* before \(found on .*\)\. It may have/,
      ),
      expect.stringMatching(/^edge: no longer surely less \(/),
    ]);
  });

  it('is told once where it is told with the word itself', () => {
    const cards = cardsOf((day) => (day >= 60 ? 0 : 3), 100);
    const judgedOn = (day: number, notebook: readonly Finding[]) => {
      const now = FIRST + day * DAY + 6 * HOUR;
      const known = cards.filter(({ at }) => at <= now - DAY);
      const settings = { settingsSince: new Map(), settingsOf: new Map() };
      return judge({ cards: known, answers: [], ...settings, now }, notebook);
    };
    const wordsIn = (lines: readonly Finding[]) =>
      lines.map((line) => ('type' in line && line.type === 'edge' ? line.verdict : undefined));
    const first = judgedOn(80, []);
    expect(wordsIn(first)).toEqual(expect.arrayContaining(['above', 'less']));
    expect(wordsIn(judgedOn(81, first))).not.toContain('less');
  });

  it('is never told of an edge that goes on', () => {
    const notebook = notebookOf(
      cardsOf(() => 3, 120),
      120,
    );
    expect(latelyIn(notebook)).toEqual([]);
    expect(notebook).toContainEqual(expect.objectContaining({ about: 'type', verdict: 'above' }));
  });
});
