/** Cards that are recorded late, and clocks that are wrong, over ten days of runs or more; SCREENER_HEAVY=1: three months. */

import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { randomOf } from '../support/history.ts';
import { cardOf, DAY, exportInto, exports, HOUR, NOW, setUp, stateOf, stored } from './support.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
const DAYS = HEAVY ? 90 : 10;
/** Cards a day, and which share of them comes late. */
const RATES = [
  ...(HEAVY ? [10, 40, 120] : [40]).map((perDay) => ({ perDay, share: 0.1 })),
  { perDay: 40, share: 0 },
];

interface Late {
  readonly card: SignalDetail;
  /** Epoch milliseconds UTC, as `created_at`. */
  readonly at: number;
  /** When the service first lists it. */
  readonly recorded: number;
}

/** So many cards a day from 10 days before NOW on, of which a share comes up to 12 hours late. */
function cardsOf(perDay: number, share: number): Late[] {
  const random = randomOf(1);
  const cards: Late[] = [];
  for (
    let at = NOW - 10 * DAY;
    at < NOW + DAYS * DAY;
    at += -Math.log(1 - random()) * (DAY / perDay)
  ) {
    const created = Math.floor(at / 1000) * 1000;
    const card = cardOf(cards.length + 1, 0, { created_at: new Date(created).toISOString() });
    cards.push({
      card,
      at: created,
      recorded: created + (random() < share ? random() * 12 * HOUR : 0),
    });
  }
  return cards;
}

/** Keeps a history of such cards, and says what is missing and what its list cost. */
async function keep(cards: readonly Late[], every: number) {
  const { service, dir } = setUp({ details: [] });
  service.intercept = (_, { cursor }) => {
    // Once a list: months of cards take a while to set up.
    if (cursor !== undefined) return;
    const there = cards.filter(({ recorded }) => recorded <= service.clock.now());
    service.details = there.map(({ card }) => card).toReversed();
  };
  /** Pages that the new cards of each run fill. */
  let floor = 0;
  let pages = 0;
  let incomplete = 0;
  const random = randomOf(7);
  for (let run = 0; service.clock.now() < NOW + DAYS * DAY; run += 1) {
    const now = service.clock.now();
    service.refill();
    const { summary, error, sent } = await exportInto(dir, service, { outcomes: false });
    expect({ run, error }).toEqual({ run, error: undefined });
    if (!summary.complete) incomplete += 1;
    if (run > 0) {
      pages += sent.length;
      const fresh = cards.filter(({ at, recorded }) => at >= now - every && recorded <= now);
      floor += Math.max(1, Math.ceil(fresh.length / 25));
    }
    await service.clock.sleep(Math.round(every * (0.99 + random() / 50)));
  }
  const kept = new Set(stored(dir).map(({ id }) => id));
  const due = cards.filter(({ recorded }) => recorded < service.clock.now() - 2 * every - DAY);
  const lost = due.filter(({ card }) => !kept.has(card.id));
  return {
    lost: lost.length,
    pages,
    floor,
    incomplete,
    late: (stateOf(dir).look?.late_by ?? 0) / HOUR,
  };
}

describe.each([24, 6])('a run every %i hours', (hours) => {
  it.each(RATES)(
    '$perDay cards a day, $share of them late: none is lost, for few pages more',
    async ({ perDay, share }) => {
      const kept = await keep(cardsOf(perDay, share), hours * HOUR);
      expect({ lost: kept.lost, incomplete: kept.incomplete }).toEqual({ lost: 0, incomplete: 0 });
      // Once a day, what lies after 12 hours before the last look is asked for again: up to 36 hours.
      expect(kept.pages, 'pages of the list').toBeLessThan(kept.floor + DAYS * (perDay / 20 + 1.5));
      if (share === 0) expect(kept.late).toBe(0);
      else expect(kept.late, 'hours by which cards are late').toBeGreaterThan(3);
    },
  );
});

/** Days of daily runs on machines whose clock is wrong, always or once: to the second day after the week that follows. */
const CLOCK_DAYS = 13;

/** 16 cards a day, from two days before the first run on. */
const punctual = Array.from({ length: (CLOCK_DAYS + 2) * 16 }, (_, i) =>
  cardOf(i + 1, 48 - 1.5 * i - 0.7),
);

/** @param aheadOn by how much the machine's clock is ahead at the run of a day, milliseconds */
async function keepBy(dated: boolean, aheadOn: (day: number) => number) {
  const { service, dir } = setUp({ details: punctual });
  service.dated = dated;
  const costs: number[] = [];
  const late: { day: number; cards: number; outcomes: number }[] = [];
  service.ahead = aheadOn(0);
  for await (const { run: day, sent } of exports(dir, service, CLOCK_DAYS)) {
    const now = service.clock.now();
    costs.push(sent.filter(({ name }) => name === 'signals').length);
    const kept = new Map(stored(dir).map((card) => [card.id, card]));
    const before = (days: number) =>
      punctual.filter(({ created_at }) => Date.parse(created_at) <= now - days * DAY);
    late.push({
      day,
      // Within three days; an outcome is there a day after its card.
      cards: before(3).filter(({ id }) => !kept.has(id)).length,
      outcomes: before(4).filter(({ id }) => kept.get(id)?.outcome === undefined).length,
    });
    service.ahead = aheadOn(day + 1);
  }
  const asked = new Set(
    service.sent.filter(({ name }) => name === 'signal').map(({ params }) => params.id),
  );
  const details = service.sent.filter(({ name }) => name === 'signal').length;
  return {
    costs,
    missing: late.filter((one) => one.cards + one.outcomes > 0),
    twice: details - asked.size,
    dir,
  };
}

describe.each([true, false])('answers have a Date header: %s', (dated) => {
  it.each([-3, 3, 26])(
    'a clock %i hours ahead: nothing is late or lost, and it costs no page more',
    async (hours) => {
      const kept = await keepBy(dated, () => hours * HOUR);
      expect(kept.missing).toEqual([]);
      expect(Math.max(...kept.costs.slice(7)), 'most pages of a run').toBeLessThanOrEqual(2);
      if (dated)
        expect(Date.parse(stateOf(kept.dir).last_success ?? '')).toBe(NOW + (CLOCK_DAYS - 1) * DAY);
    },
  );

  it.each([5, 40, 365])(
    'one run %i days ahead: nothing is lost; a week later it costs no page more',
    async (days) => {
      const kept = await keepBy(dated, (day) => (day === 4 ? days * DAY : 0));
      expect(kept.missing).toEqual([]);
      expect(Math.max(...kept.costs.slice(11)), 'most pages of a run').toBeLessThanOrEqual(2);
      expect(kept.twice).toBe(0);
    },
  );
});
