import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run as list } from '../../src/commands/signals-ls-local.ts';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import { History } from '../../src/history/store/history.ts';
import {
  bare,
  cardOf,
  cardsAnHourApart,
  exportInto,
  exports,
  HOUR,
  invocationOf,
  linesOf,
  monthFiles,
  NOW,
  setUp,
  started,
  stateOf,
  stored,
} from './support.ts';

describe('signals export', () => {
  it('stores every card once, and details of all that are due, for 3 credits and one each', async () => {
    const details = cardsAnHourApart(60);
    const first = await started(details);
    const { dir } = first;
    expect(first.error).toBeUndefined();
    const due = details.filter(
      (card) => NOW - Date.parse(card.created_at) > 24 * HOUR + 10 * 60_000,
    );
    expect(first.credits).toBe(3 + due.length);
    const oldestFirst = details.toReversed();
    expect(stored(dir)).toEqual(oldestFirst.map((one) => (due.includes(one) ? one : bare(one))));
    expect(first.summary).toMatchObject({
      complete: true,
      new_cards: 60,
      outcomes: due.length,
      remaining: { list: false, outcomes_due: 0, outcomes_later: 60 - due.length },
    });
    expect(stateOf(dir).complete).toBe(true);
    // Field for field and in the API's order, so that the lines are the API's text.
    expect(JSON.stringify(stored(dir)[0])).toBe(JSON.stringify(oldestFirst[0]));
  });

  it('its receipt says what export.json says where both have a field of one name', async () => {
    const { dir, service, summary } = await started(cardsAnHourApart(60), { maxCredits: 9 });
    const agreeing = (receipt: ExportSummary) => {
      const { last_run, medians: _, ...manifest } = stateOf(dir);
      const stored: Record<string, unknown> = { ...manifest, ...last_run };
      const said = Object.entries(receipt).filter(([name]) => Object.hasOwn(stored, name));
      expect(said).toEqual(said.map(([name]) => [name, stored[name]]));
      return said.map(([name]) => name);
    };
    // `medians` of the receipt counts types, and that of export.json names them.
    expect(agreeing(summary)).toEqual(expect.arrayContaining(['complete', 'stopped_by', 'counts']));
    expect(summary.stopped_by).toBe('max_credits');
    await service.clock.sleep(HOUR);
    const { summary: second } = await exportInto(dir, service);
    expect(agreeing(second)).toContain('stopped_by');
    expect(second.stopped_by).toBeNull();
  });

  it('costs 1 credit right after, 1 per 25 new cards later, and 1 per outcome newly due', async () => {
    const old = cardsAnHourApart(60);
    const { service, dir } = await started(old);
    const second = await exportInto(dir, service);
    expect(second.credits).toBe(1);
    expect(second.summary.new_cards).toBe(0);

    // 20 hours later: 10 new cards, two hours apart, and 20 old outcomes came due. The other places of the page are for
    // the cards of the hours before, which a look back asks for again.
    await service.clock.sleep(20 * HOUR);
    const fresh = Array.from({ length: 10 }, (_, i) => cardOf(61 + i, -2 * i - 0.5));
    service.details = [...old, ...fresh];
    const third = await exportInto(dir, service);
    const dueNow = [...old, ...fresh].filter((one) => {
      const at = Date.parse(one.created_at) + 24 * HOUR + 10 * 60_000;
      return at <= service.clock.now() && at > NOW;
    });
    expect(third.sent.filter(({ name }) => name === 'signals')).toHaveLength(1);
    expect(third.sent.filter(({ name }) => name === 'signal')).toHaveLength(dueNow.length);
    expect(third.credits).toBe(1 + dueNow.length);
    expect(stored(dir).map(({ id }) => id)).toEqual(Array.from({ length: 70 }, (_, i) => i + 1));
  });

  it('writes files by UTC month, oldest first, readable by the owner alone', async () => {
    const details = [
      cardOf(5, 0.5),
      cardOf(4, 1, { created_at: '2026-11-01T00:00:00Z' }),
      cardOf(3, 1, { created_at: '2026-11-01T01:30:00+02:00' }),
      cardOf(2, 1, { created_at: '2026-10-31T23:59:59.999Z' }),
      cardOf(1, 1, { created_at: '2025-12-31T23:00:00Z' }),
    ];
    const { dir } = await started(details);
    expect(monthFiles(dir)).toEqual([
      'signals-2025-12.ndjson',
      'signals-2026-10.ndjson',
      'signals-2026-11.ndjson',
    ]);
    expect(linesOf(join(dir, 'signals-2026-10.ndjson')).map(({ id }) => id)).toEqual([3, 2]);
    expect(linesOf(join(dir, 'signals-2026-11.ndjson')).map(({ id }) => id)).toEqual([4, 5]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of [...monthFiles(dir), 'export.json']) {
      expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  it('updates a card that is seen again and keeps its outcome', async () => {
    const old = cardOf(1, 24.2);
    const { service, dir } = await started([old]);
    // The second day looks back, and this card was recorded late.
    const late = cardOf(2, 0.1);
    service.details = [old, late];
    await service.clock.sleep(21 * HOUR);
    await exportInto(dir, service);
    const again = {
      ...late,
      repeat_count: 9,
      last_seen_at: '2026-11-20T18:06:00Z',
      fact_price_pct: 7.5,
    };
    service.details = [old, again];
    await service.clock.sleep(21 * HOUR);
    await exportInto(dir, service);
    expect(stored(dir)).toEqual([old, again]);
  });

  it('walks further back where --since asks for more than is covered, once', async () => {
    const details = cardsAnHourApart(60);
    const first = await started(details, { since: NOW - 10 * HOUR, outcomes: false });
    const { service, dir } = first;
    expect(first.credits).toBe(1);
    expect(stored(dir)).toHaveLength(10);
    const second = await exportInto(dir, service, { since: NOW - 40 * HOUR, outcomes: false });
    expect(stored(dir)).toHaveLength(40);
    expect(second.credits).toBe(1 + 2);
    const third = await exportInto(dir, service, { since: NOW - 40 * HOUR, outcomes: false });
    expect(third.credits).toBe(1);
  });

  it('asks for a detail again only while it says pending, five times in all, further and further apart', async () => {
    const pending = (id: number) => {
      const one = cardOf(id, 25);
      return {
        ...one,
        outcome: { ...one.outcome, state_24h: 'pending', move_24h_pct: null },
      } as typeof one;
    };
    const first = await started([pending(1), cardOf(2, 25), cardOf(3, 25, { outcome: null })]);
    const { service, dir } = first;
    expect(first.summary.outcomes).toBe(3);
    expect(first.closing[0]).toContain(
      '3 cards (3 new); 3 of 3 due outcomes bought (3 now). Still open: 2 outcomes bought without a figure (asked again later)',
    );
    const asked: number[] = [];
    await service.clock.sleep(HOUR);
    for await (const { run, sent } of exports(dir, service, 120, {}, HOUR))
      if (sent.some(({ name }) => name === 'signal')) asked.push(run + 1);
    expect(asked).toEqual([1, 7, 31, 103]);
    expect(stateOf(dir).remaining).toEqual({ list: false, outcomes_due: 0, outcomes_later: 0 });
    expect(Object.values(stateOf(dir).months)).toMatchObject([{ cards: 3, awaiting: 0 }]);
  });

  it('a long past: the newest thirty days and their outcomes first, the rest in later runs, a third of a day each', async () => {
    // A year of 16 cards a day.
    const details = Array.from({ length: 5840 }, (_, i) => cardOf(5840 - i, (i * 24) / 16 + 0.5));
    const { service, dir } = setUp({ details });
    const pagesOf = ({ sent }: { sent: readonly { name: string }[] }) =>
      sent.filter(({ name }) => name === 'signals').length;
    const first = await exportInto(dir, service);
    expect(pagesOf(first), 'pages of the first run').toBeLessThanOrEqual(480 / 25 + 1);
    expect(first.credits).toBe(150);
    expect(first.summary).toMatchObject({ complete: false, remaining: { list: true } });
    expect(first.summary.outcomes).toBe(150 - pagesOf(first));
    const reached = String(first.summary.covered?.since);
    expect(first.summary.older_before).toBe(reached);
    const days = (NOW - Date.parse(reached)) / (24 * HOUR);
    expect(days, 'days of the list').toBeGreaterThan(29);
    expect(days, 'days of the list').toBeLessThan(35);
    expect(first.closing[0]).toContain(`cards before ${reached.slice(0, 10)}`);
    let pages = pagesOf(first);
    let runs = 1;
    for (; stateOf(dir).remaining.list; runs += 1) {
      service.refill();
      await service.clock.sleep(24 * HOUR);
      const next = await exportInto(dir, service);
      expect(next.error, `run ${runs}`).toBeUndefined();
      expect(pagesOf(next), `pages of run ${runs}`).toBeLessThanOrEqual(50 + 2);
      expect(next.summary.outcomes, `outcomes of run ${runs}`).toBeGreaterThan(90);
      pages += pagesOf(next);
    }
    expect(stored(dir)).toHaveLength(5840);
    // Each page once, and a page for each run.
    expect(pages, 'pages of all runs').toBeLessThan(5840 / 25 + 2 * runs + 2);
  });
});

it('signals ls --from filters as online', async () => {
  const details = cardsAnHourApart(600);
  const { dir } = await started(details);
  const [since, until] = [NOW - 300.5 * HOUR, NOW - 10.5 * HOUR];
  const ofBoth = details.filter(
    (card) => card.source_symbol === 'S3USDT' && card.source_bot_type === 'pump',
  );
  const expected = ofBoth.filter(
    ({ created_at: at }) => Date.parse(at) >= since && Date.parse(at) <= until,
  );
  const invocation = invocationOf({});
  const history = new History(dir, invocation.notes, invocation.context.clock);
  await list(invocation, { history, since, until, symbol: 'S3USDT', type: 'pump', limit: 600 });
  const [page] = invocation.said.results as { items: { id: number }[] }[];
  expect(page?.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect(expected.length, 'how many cards match').toBeGreaterThan(10);
});
