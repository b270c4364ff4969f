/** Two weeks of daily runs on machines whose clock is wrong, always or once, with and without a Date header. */
import { describe, expect, it } from 'vitest';
import { cardOf, DAY, exports, HOUR, NOW, setUp, stateOf, stored } from './support.ts';

const DAYS = 16;

/** 16 cards a day, from two days before the first run on. */
const cards = Array.from({ length: (DAYS + 2) * 16 }, (_, i) => cardOf(i + 1, 48 - 1.5 * i - 0.7));

/** @param aheadOn by how much the machine's clock is ahead at the run of a day, milliseconds */
async function keep(dated: boolean, aheadOn: (day: number) => number) {
  const { service, dir } = setUp({ details: cards });
  service.dated = dated;
  const costs: number[] = [];
  const late: { day: number; cards: number; outcomes: number }[] = [];
  service.ahead = aheadOn(0);
  for await (const { run: day, sent } of exports(dir, service, DAYS)) {
    const now = service.clock.now();
    costs.push(sent.filter(({ name }) => name === 'signals').length);
    const kept = new Map(stored(dir).map((card) => [card.id, card]));
    const before = (days: number) => cards.filter(({ created_at }) => Date.parse(created_at) <= now - days * DAY);
    late.push({
      day,
      // Within three days; an outcome is there a day after its card.
      cards: before(3).filter(({ id }) => !kept.has(id)).length,
      outcomes: before(4).filter(({ id }) => kept.get(id)?.outcome === undefined).length,
    });
    service.ahead = aheadOn(day + 1);
  }
  const asked = new Set(service.sent.filter(({ name }) => name === 'signal').map(({ params }) => params.id));
  const details = service.sent.filter(({ name }) => name === 'signal').length;
  return { costs, missing: late.filter((one) => one.cards + one.outcomes > 0), twice: details - asked.size, dir };
}

describe.each([true, false])('answers have a Date header: %s', (dated) => {
  it.each([-3, 3, 26])('a clock %i hours ahead: nothing is late or lost, and it costs no page more', async (hours) => {
    const kept = await keep(dated, () => hours * HOUR);
    expect(kept.missing).toEqual([]);
    expect(Math.max(...kept.costs.slice(7))).toBeLessThanOrEqual(2);
    if (dated) expect(Date.parse(stateOf(kept.dir).last_success ?? '')).toBe(NOW + (DAYS - 1) * DAY);
  });

  it.each([5, 40, 365])('one run %i days ahead: nothing is lost; a week later it costs no page more', async (days) => {
    const kept = await keep(dated, (day) => (day === 4 ? days * DAY : 0));
    expect(kept.missing).toEqual([]);
    expect(Math.max(...kept.costs.slice(11))).toBeLessThanOrEqual(2);
    expect(kept.twice).toBe(0);
  });
});
