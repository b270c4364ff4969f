/**
 * `ls`, `watch` and the export against a service that shares nothing with the sandbox, with choices of its own where
 * the document is silent: cards in the order in which they were recorded, times with an offset and in the list rounded
 * to the minute, ten cards a page or twenty-five and no other number, windows of 31 days at most and 7 by default, no
 * time in the future, cursors that are good for one use.
 */
import path from 'node:path';
import { expect } from 'vitest';
import { stored } from '../history/support.ts';
import { TestClock } from '../support/context.ts';
import { it, parseLines } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, ok } from '../support/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Half a month from the month's start, so that its first days are in the month before. */
const START = Date.UTC(2026, 10, 15, 12, 0, 30);

/** One every three hours, the newest of them an hour old; every tenth was recorded 20 minutes late. */
const CARDS = Array.from({ length: 320 }, (_, i) => {
  const created = START - HOUR - (319 - i) * 3 * HOUR + (i % 50) * 1000;
  return { id: 7 + 13 * i, created, recorded: created + (i % 10 === 3 ? 20 * MINUTE : 0) };
});
type Card = (typeof CARDS)[number];
const IDS = CARDS.map(({ id }) => id);

const offset = (time: number, grain = 1000) =>
  new Date(Math.floor(time / grain) * grain).toISOString().replace(/\.\d+Z$/, '+00:00');
const cardOf = ({ id, created }: Card, grain?: number) => ({
  ...samples.card(id),
  id,
  created_at: offset(created, grain),
  last_seen_at: null,
});

function serve(server: ApiServer): TestClock {
  const clock = new TestClock(START);
  const answer = (resource: unknown) => ({ ...ok(resource), headers: { Date: new Date(clock.now()).toUTCString() } });
  const used = new Set<string>();
  server.now = () => clock.now();
  server
    .always('/access', () => answer(samples.access(server.credits)))
    .always('/screeners', () => answer({ scope: 'current_settings', items: [] }))
    .always('/signals', ({ query: { limit = '25', cursor = '', ...window } }) => {
      const now = clock.now();
      const until = window.until === undefined ? now : Date.parse(window.until);
      const since = window.since === undefined ? until - 7 * DAY : Date.parse(window.since);
      const isWindow = until <= now && since <= until && until - since <= 31 * DAY;
      if (!['10', '25'].includes(limit) || !isWindow || used.has(cursor)) return failure(422);
      if (cursor !== '') used.add(cursor);
      const shown = CARDS.filter((card) => card.created >= since && card.created <= until && card.recorded <= now).sort(
        (a, b) => b.recorded - a.recorded || b.id - a.id,
      );
      const from = shown.findIndex(({ id }) => id === Number(cursor.split('-')[0])) + 1;
      const items = shown.slice(from, from + Number(limit));
      return answer({
        scope: 'own_recorded_notifications',
        items: items.map((card) => cardOf(card, MINUTE)),
        next_cursor: from + items.length < shown.length ? `${items.at(-1)?.id}-${used.size}` : null,
        since: offset(since),
        until: offset(until),
      });
    })
    .always('/signals/{id}', ({ path: asked }) => {
      const card = CARDS.find(({ id, recorded }) => asked === `/signals/${id}` && recorded <= clock.now());
      if (card === undefined) return failure(404);
      const horizon = (hours: number) => ({
        [`state_${hours}h`]: clock.now() >= card.created + hours * HOUR ? 'available' : 'pending',
        [`move_${hours}h_pct`]: clock.now() >= card.created + hours * HOUR ? (card.id % 9) - 4 : null,
        [`btc_move_${hours}h_pct`]: clock.now() >= card.created + hours * HOUR ? 0.5 : null,
      });
      const outcome = { entry_at: offset(card.created), entry_price: 3, ...horizon(1), ...horizon(24) };
      return answer({ ...samples.detail(card.id), ...cardOf(card), outcome });
    });
  return clock;
}

const sortedIds = (text: string) =>
  parseLines(text)
    .map(({ id }) => id)
    .sort((a, b) => a - b);

it('ls lists a month once each, and any number of cards', async ({ server, here }) => {
  const clock = serve(server);
  const month = await here(['signals', 'ls', '--since', '30d', '--all', '--ndjson'], { clock });
  expect([month.code, sortedIds(month.stdout)]).toEqual([0, IDS.slice(-240)]);
});

it('ls prints and buys no more cards than asked for, and goes on with the others', async ({ server, here }) => {
  const clock = serve(server);
  const three = await here(['signals', 'ls', '-n', '3', '--outcomes', '--ndjson'], { clock });
  expect({ code: three.code, cards: parseLines(three.stdout).length }).toEqual({ code: 0, cards: 3 });
  expect(server.credits).toBe(1 + 3);
  expect(three.stderr).toContain('The service sent 25 cards where 3 were wanted: the others are left out.');
  const until = /--until (\S+)/.exec(three.stderr)?.[1] ?? '';
  const rest = await here(['signals', 'ls', '-n', '22', '--until', until, '--ndjson'], { clock });
  expect([...new Set([...sortedIds(rest.stdout), ...sortedIds(three.stdout)])]).toHaveLength(25);
});

it('watch shows each new card once', async ({ server, here }) => {
  const clock = serve(server);
  const watch = (...words: string[]) => {
    let waits = 0;
    const interruptAt = (millis: number) => millis >= 5 * MINUTE && ++waits === 2;
    return here(['signals', 'watch', ...words, '--every', '10m', '--ndjson'], { clock, interruptAt });
  };
  const before = await watch('--since', '2d');
  expect([before.code, sortedIds(before.stdout)]).toEqual([130, IDS.slice(-16)]);
  expect((await watch('--resume')).stdout).toBe('');
});

it('the export keeps every card once, each with its outcome bought once', async ({ server, here, home }) => {
  const clock = serve(server);
  const directory = path.join(home.folder, 'history');
  for (let day = 0; day < 5; day += 1) {
    const ran = await here(['signals', 'export', directory, '--all-credits', '--no-stats'], { clock });
    expect(ran.code, ran.stderr).toBe(0);
    await clock.sleep(DAY);
  }
  const kept = stored(directory);
  expect(kept.map(({ id }) => id).sort((a, b) => a - b)).toEqual(IDS);
  expect(kept.every(({ outcome }) => outcome?.state_24h === 'available')).toBe(true);
  // 320 outcomes; 40 days in windows of a week or a month, five looks, and /screeners.
  expect(server.credits).toBeLessThan(320 + 40);
});
