/** Two accounts whose mornings are hard: a small one where nothing works, and one whose owner changes settings and goes away. */
import { expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import type { ApiResponse } from '../../src/sandbox/response.ts';
import { type Cron, startCron } from '../history/cron.ts';
import { cardOf, DAY } from '../history/support.ts';
import { normalOf, randomOf } from '../support/history.ts';

const START = Date.UTC(2026, 8, 1, 6);

/** A screener type of an invented account. */
interface Source {
  readonly type: string;
  /** On a day, counted from the first morning. */
  readonly perDay: (day: number) => number;
  /** What its cards have more than others, percentage points. */
  readonly effect: (day: number) => number;
}

/** What a card moves by after 24 hours for itself, percent: as much as listings of small coins do. */
const SPREAD = 5;

function cardsOf(sources: readonly Source[], days: number, seed: number): SignalDetail[] {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const cards: SignalDetail[] = [];
  for (let day = 0; day < days; day += 1) {
    const btc = 2 * normal();
    const market = normal();
    for (const { type, perDay, effect } of sources) {
      for (let i = 0; i < perDay(day); i += 1) {
        const id = cards.length + 1;
        const one = cardOf(id, 0);
        const at = START + day * DAY + Math.floor(random() * DAY);
        const more = market + SPREAD * normal() + effect(day);
        cards.push({
          ...one,
          created_at: new Date(at).toISOString(),
          source_bot_type: type,
          source_symbol: `S${Math.floor(random() * 40)}USDT`,
          outcome: one.outcome && {
            ...one.outcome,
            move_1h_pct: 0.4 * normal(),
            btc_move_1h_pct: 0,
            move_24h_pct: Number((btc + more).toFixed(4)),
            btc_move_24h_pct: Number(btc.toFixed(4)),
          },
        });
      }
    }
  }
  return cards.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
}

const dayAt = (day: number) => START + day * DAY;

/** Lives on until the morning of a day. */
async function sleepUntil(cron: Cron, day: number): Promise<void> {
  await cron.clock.sleep(dayAt(day) - cron.clock.now());
}

async function exportOn(cron: Cron, day: number): Promise<void> {
  await sleepUntil(cron, day);
  expect({ day, ...(await cron.export()) }).toMatchObject({ day, code: 0 });
}

/** The settings that a service has from now on. */
function answerScreeners(cron: Cron, types: readonly string[], changed: readonly string[]): void {
  cron.answerInstead(({ operation }, real): ApiResponse | undefined => {
    if (operation !== 'screeners') return undefined;
    const items = types.map((type) => ({
      type,
      active: true,
      conditions: { threshold: changed.includes(type) ? 3 : 2 },
    }));
    const response = { scope: 'current_settings', items };
    return { ...real(), body: JSON.stringify({ hasError: false, errors: null, response }) };
  });
}

async function jsonOf(cron: Cron, ...words: string[]) {
  const { code, stdout } = await cron.command(...words, '--json');
  expect({ words, code }).toEqual({ words, code: 0 });
  return JSON.parse(stdout);
}

it('two types of one to three cards a day, where nothing works: what would show, and no dates', async () => {
  const sources: Source[] = [
    { type: 'slow', perDay: () => 1, effect: () => 0 },
    { type: 'slower', perDay: (day) => day % 3, effect: () => 0 },
  ];
  const cron = await startCron({ details: cardsOf(sources, 32, 7), start: START });
  answerScreeners(cron, ['slow', 'slower'], []);
  for (const day of [0, 7, 14, 15, 21, 28, 30]) await exportOn(cron, day);
  const { items } = await jsonOf(cron, 'stats', '--local', '--by', 'type');
  for (const { group, horizons } of items) {
    const { shown_verdict, days_until_least_shows, would_show_percentage_points, to_do } =
      horizons['24h'];
    expect({ group, shown_verdict, days_until_least_shows, to_do }).toEqual({
      group,
      shown_verdict: 'unclear',
      days_until_least_shows: null,
      to_do: null,
    });
    expect(would_show_percentage_points, 'what would show, in percentage points').toBeGreaterThan(
      2,
    );
  }
  const page = (await cron.command('stats', '--local', '--by', 'type')).stdout;
  for (const type of ['slow', 'slower'])
    expect(page, type).toMatch(new RegExp(`^ {2}${type} .* \\d(\\.5)? pp would show$`, 'm'));
  const today = (await cron.command('today')).stdout;
  for (const [name, text] of Object.entries({ stats: page, today }))
    expect(text, name).not.toMatch(/likely by|Worth (keeping|dropping)/);
  const words = cron.notebook().filter((line) => line.about === 'type');
  expect(words.filter(({ shows_at, verdict }) => shows_at || verdict === 'above')).toEqual([]);
});

it('a change that helps and one without effect on day 30, no export from day 50 to 63: what is true', async () => {
  const sources: Source[] = [
    { type: 'tuned', perDay: () => 4, effect: (day) => (day < 30 ? 0 : 7) },
    { type: 'touched', perDay: () => 2, effect: () => 0 },
    { type: 'steady', perDay: () => 4, effect: () => 0 },
  ];
  const types = sources.map(({ type }) => type);
  const cron = await startCron({ details: cardsOf(sources, 66, 11), start: START });
  answerScreeners(cron, types, []);
  for (const day of [0, 15, 29]) await exportOn(cron, day);
  answerScreeners(cron, types, ['tuned', 'touched']);
  await exportOn(cron, 30);
  expect((await cron.command('today')).stdout).toMatch(
    /; usually \d+ a day before the change of \d+ \w{3}$/m,
  );
  for (const day of [40, 48, 49]) await exportOn(cron, day);
  expect((await cron.command('today')).stdout).not.toMatch(/nothing exported/i);
  await sleepUntil(cron, 57);
  const away = (await cron.command('today')).stdout;
  expect(away.split('\n')[0]).toMatch(/nothing exported for 8 days/i);
  expect(away).not.toMatch(/last 24 h/i);
  expect(await cron.command('signals', 'export', '--check')).toMatchObject({ code: 1 });
  for (const day of [64, 65]) await exportOn(cron, day);
  expect((await cron.command('today')).stdout).not.toMatch(/nothing exported/i);
  expect(cron.manifest().complete).toBe(true);
  const listed = cron.cards().filter(({ created_at }) => Date.parse(created_at) < dayAt(65));
  expect(listed).toHaveLength(65 * 10);
  const told = cron
    .notebook()
    .filter((line) => line.about === 'change')
    .filter(({ verdict }) => verdict === 'higher' || verdict === 'lower')
    .map(({ type, verdict }) => ({ type, verdict }));
  expect(told).toEqual([{ type: 'tuned', verdict: 'higher' }]);
  const ranking = (await cron.command('stats', '--local', '--by', 'type')).stdout;
  expect(ranking).toMatch(/\btuned: your change of \d+ \w{3} helped\.[\s\S]* {2}tuned\* /);
  expect(ranking).toMatch(/\btouched \d+ \w{3}[,.]/);
  expect(ranking).not.toContain('hurt');
});
