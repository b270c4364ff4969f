/** No card is missing, whatever the list's order, cursors and windows are. */
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { type Awkward, CURSORS, ORDERS, recordedLate, WINDOWS, worstList } from '../support/worst-list.ts';
import { cardOf, codeOf, directory, exportInto, HOUR, NOW, Service, stateOf, stored } from './support.ts';

/** Over 80 days, with bursts that share a second, quiet weeks, ids that do not follow time, and cards seen again. */
function cardsOver(days: number, count: number, firstId: number, end = 0): SignalDetail[] {
  return Array.from({ length: count }, (_, i) => {
    const isBurst = i % 40 < 9;
    const at = isBurst ? Math.floor(i / 40) * 40 : i;
    const hours = end + 0.3 + (at / count) * days * 24;
    const id = firstId + ((i * 53) % 997) * 3;
    const created = NOW - hours * HOUR;
    const seenAt = Math.min(created + (i % 11) * 9 * HOUR, NOW - end * HOUR);
    const seen = i % 5 === 0 ? new Date(seenAt).toISOString() : null;
    return cardOf(id, hours, { last_seen_at: seen });
  });
}

const all: Required<Awkward>[] = ORDERS.flatMap((order) =>
  CURSORS.flatMap((cursors) => WINDOWS.map((windows) => ({ order, cursors, windows }))),
);
/** Where no cursor is ever taken and no window ends within a day, nobody can have more than a page of a day. */
const hasGaps = ({ cursors, windows }: Required<Awkward>) =>
  cursors === 'refused' && windows === 'until raised to the day';
const matrix = all.filter((behaviour) => !hasGaps(behaviour));

/** Those that most depends on, unless all of the matrix was asked for. */
const SOME = [
  'last_seen_at, moving, any',
  'last_seen_at, refused, until floored to the hour',
  'last_seen_at, refused now and then, until raised to the day',
  'created_at, refused, at most a day, and a day by default',
  'created_at, key, no future, clock behind',
  'id, refused, since raised to the hour',
  'id, offset, cut to 30 days',
  'recorded, refused, at most 30 days',
  'recorded, empty pages, at most 7 days, and 7 by default',
  'last_seen_at, refused now and then, by last_seen_at',
  'created_at, offset, without its ends',
  'created_at, refused, by last_seen_at',
  'recorded, refused now and then, by last_seen_at',
];
const isOneOfSome = ({ order, cursors, windows }: Required<Awkward>) =>
  SOME.includes([order, cursors, windows].join(', '));
const some = process.env.SCREENER_HEAVY === '1' ? matrix : matrix.filter(isOneOfSome);

describe('no card is missing', () => {
  it.each(some)('order by $order, cursors: $cursors, windows: $windows', async (behaviour) => {
    const first = cardsOver(80, 130, 1);
    const later = cardsOver(2, 60, 5001, -48);
    const last = [cardOf(9001, -43 * 24)];
    const service = new Service({ details: first, list: worstList(behaviour) });
    const dir = directory();
    const run = async () => {
      let runs = 0;
      for (;;) {
        const { error, summary, sent } = await exportInto(dir, service, { outcomes: false });
        runs += 1;
        service.nextDay();
        if (runs === 12) throw error;
        if (error === undefined && summary.complete) return sent.length;
      }
    };
    const ids = () =>
      stored(dir)
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    const idsOf = (details: readonly SignalDetail[]) => details.map(({ id }) => id).sort((a, b) => a - b);
    await run();
    expect(ids()).toEqual(idsOf(first));

    await service.clock.sleep(48 * HOUR + HOUR);
    service.details = [...first, ...later];
    await run();
    expect(ids()).toEqual(idsOf([...first, ...later]));

    // A quiet month, and one more card.
    await service.clock.sleep(41 * 24 * HOUR);
    service.details = [...first, ...later, ...last];
    await run();
    expect(ids()).toEqual(idsOf([...first, ...later, ...last]));
    expect(stateOf(dir)).toMatchObject({ gaps: [], walk: null, complete: true });
  });
});

it.each(all.filter(hasGaps))('what the service never gives is a gap: order by $order', async (behaviour) => {
  const cards = cardsOver(2, 60, 1);
  const service = new Service({ details: cards, list: worstList(behaviour) });
  const dir = directory();
  const since = NOW - 3 * 24 * HOUR;
  // It may be a passing fault: not before the second run that meets it.
  const first = await exportInto(dir, service, { since, outcomes: false });
  expect(codeOf(first.error)).toBe('invalid_arguments');
  const second = await exportInto(dir, service, { since });
  expect(second.error).toBeUndefined();
  expect(second.summary).toMatchObject({ complete: false, stopped_by: 'window', remaining: { list: true } });
  expect(second.closing[0]).toContain('does not list all');
  expect(second.summary.outcomes).toBeGreaterThan(10);
  const { gaps, covered } = stateOf(dir);
  expect(Date.parse(covered?.since ?? '')).toBe(since);
  const kept = new Set(stored(dir).map(({ id }) => id));
  const missing = cards.filter(({ id }) => !kept.has(id));
  const isInGap = (at: number) => gaps.some((gap) => at >= Date.parse(gap.since) && at <= Date.parse(gap.until));
  expect(missing.every(({ created_at }) => isInGap(Date.parse(created_at)))).toBe(true);
  // The list is kept from there on, and stays known to have a gap.
  service.details = [cardOf(9001, -47), ...cards];
  await service.clock.sleep(48 * HOUR);
  const third = await exportInto(dir, service, { since });
  expect([third.error, third.summary.new_cards, third.summary.complete]).toEqual([undefined, 1, false]);
});

it('no card is missing between an `until` and the hour it is rounded down to', async () => {
  const cards = Array.from({ length: 100 }, (_, i) => cardOf(100 - i, 0.1 + i / 4));
  const list = worstList({ cursors: 'refused', windows: 'until floored to the hour' });
  const service = new Service({ details: cards, list });
  const dir = directory();
  expect((await exportInto(dir, service, { outcomes: false })).error).toBeUndefined();
  // Those of the present hour come with the next run.
  expect(stored(dir)).toHaveLength(cards.filter(({ created_at }) => Date.parse(created_at) <= NOW - 5 * 60_000).length);
});

it('cards recorded two hours late are found once that is learnt, at the price of few pages', async () => {
  const start = Date.UTC(2026, 10, 3, 6);
  const world = createMarketWorld({ seed: 7, history: { cards: 600 }, startedAt: start });
  const service = new Service({ details: [], now: start });
  service.world = recordedLate(world, 2 * HOUR);
  const dir = directory();
  const runs = 7;
  for (let run = 0; run < runs; run++) {
    await exportInto(dir, service, { outcomes: false });
    await service.clock.sleep(24 * HOUR);
    service.nextDay();
  }
  await exportInto(dir, service, { outcomes: false });
  const kept = new Set(stored(dir).map(({ id }) => id));
  // Cards of the last two hours may not be recorded yet.
  const expected = world.index(service.clock.now() - 2 * HOUR);
  expect(expected.filter(({ id }) => !kept.has(id))).toEqual([]);
  // A page a run, and one for every 25 cards; then what looking again costs.
  const pages = service.sent.filter(({ name }) => name === 'signals').length;
  expect(pages).toBeLessThan(1.6 * (runs + expected.length / 25) + 12);
});
