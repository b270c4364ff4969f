/** Which estimate decides, from one judgement to the next. */
import { describe, expect, it } from 'vitest';
import { byHorizon, HORIZON_NAMES } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { judge } from '../../src/outcomes/judge.ts';
import type { ServiceAnswer } from '../../src/outcomes/service-answers.ts';
import { normalOf, randomOf } from '../support/history.ts';

const FIRST = Date.UTC(2026, 3, 1);
const TYPES = ['edge', 'one', 'two', 'three'];
/** The day of the only sitting. */
const ASKED = 32;

/** Five cards of each type on each day. */
function cardsOf(days: number, isBought: (card: number) => boolean): HistoryCard[] {
  const normal = normalOf(randomOf(7));
  const cards: HistoryCard[] = [];
  for (let day = 0; day < days; day += 1) {
    const market = normal();
    for (let i = 0; i < 5 * TYPES.length; i += 1) {
      const type = TYPES[i % TYPES.length] ?? '';
      const move = market + 2 * normal() + (type === 'edge' ? 2 : 0);
      cards.push({
        id: cards.length + 1,
        symbol: `S${i}`,
        type,
        at: FIRST + day * DAY + i * HOUR,
        isBought: isBought(cards.length),
        outcomes: byHorizon(() => ({ state: 'available', move, btc: 0 })),
      });
    }
  }
  return cards;
}

/** The answers of one sitting, which counted all outcomes of the 30 days before it. */
function answersOf(cards: readonly HistoryCard[], at: number): ServiceAnswer[] {
  return TYPES.map((type) => {
    const listed = cards.filter(
      (card) => card.type === type && card.at > at - 30 * DAY && card.at <= at,
    );
    const sample = listed.length;
    const median = type === 'edge' ? 2 : 0;
    const figures = {
      sample,
      pending: 0,
      missing: 0,
      median_move_pct: median,
      btc_sample: sample,
      median_vs_btc_percentage_points: median,
    };
    const horizons = Object.fromEntries(HORIZON_NAMES.map((name) => [name, figures]));
    const stats = { stale: false, sample_limited: false, sampled_rows: sample, horizons };
    return { at, type, stats } as unknown as ServiceAnswer;
  });
}

/** Judged each morning after the sitting. @param planned whether another sitting is to come */
function notebookOf(isBought: (card: number) => boolean, planned: boolean): Finding[] {
  const cards = cardsOf(60, isBought);
  const asked = FIRST + ASKED * DAY + 5 * HOUR;
  const answers = answersOf(cards, asked);
  const next = planned ? { next: asked + 30 * DAY, everyDays: 30 } : undefined;
  const notebook: Finding[] = [];
  for (let day = ASKED; day < 60; day += 1) {
    const now = FIRST + day * DAY + 6 * HOUR;
    const known = cards
      .filter(({ at }) => at <= now)
      // On the day of the sitting a third is bought, as on the first day of a history.
      .map((card) => ({ ...card, isBought: day === ASKED ? card.id % 3 === 0 : card.isBought }));
    const findings = judge(
      {
        cards: known,
        answers,
        settingsSince: new Map(),
        settingsOf: new Map(),
        planned: new Map(TYPES.map((type) => [type, next])),
        now,
      },
      notebook,
    );
    notebook.push(...findings);
  }
  return notebook;
}

function sourcesOf(notebook: readonly Finding[]) {
  return notebook
    .filter((line) => line.about === 'type')
    .filter(({ type }) => type === 'edge')
    .map(({ verdict, source }) => ({ verdict, source }));
}

describe('the service decides', () => {
  it('until all is bought, where its medians are not asked for again', () => {
    expect(sourcesOf(notebookOf(() => true, false))).toEqual([
      { verdict: 'above', source: 'service' },
      { verdict: 'above', source: 'bought' },
    ]);
  });

  it('until the next sitting, where there is one', () => {
    expect(sourcesOf(notebookOf(() => true, true))).toEqual([
      { verdict: 'above', source: 'service' },
    ]);
  });

  it('where too little is bought, although it is not asked again', () => {
    expect(sourcesOf(notebookOf((card) => card % 3 > 0, false))).toEqual([
      { verdict: 'above', source: 'service' },
    ]);
  });
});
