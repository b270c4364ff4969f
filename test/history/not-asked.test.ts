/** What `--check` and the summary say is not asked for now. */
import { describe, expect, it } from 'vitest';
import { notAsked } from '../../src/history/export/not-asked.ts';
import { emptyManifest } from '../../src/history/store/manifest.ts';
import { failure } from '../../src/sandbox/response.ts';
import { startCron } from './cron.ts';
import { cardOf, DAY, HOUR, NOW } from './support.ts';

const timeOf = (hoursAgo: number) => new Date(NOW - hoursAgo * HOUR).toISOString();

const asked = (hoursAgo: number, changes: object = {}) => ({
  times: 0,
  at: timeOf(hoursAgo),
  failed: 0,
  not_found: false,
  ...changes,
});

const gone = (hoursAgo: number, changes: object = {}) =>
  asked(hoursAgo, {
    failed: 2,
    not_found: true,
    not_found_since: timeOf(100),
    not_found_at: timeOf(hoursAgo),
    ...changes,
  });

const reasonsOf = (cards: Record<number, ReturnType<typeof asked>>) =>
  notAsked({ ...emptyManifest('account'), asked: cards }, NOW).map(
    ({ part, reason, cards: count, again_at }) => ({ part, reason, count, again_at }),
  );

it('cards whose details failed are asked for at the first of their times', () => {
  const cards = { 1: asked(5, { failed: 2 }), 2: asked(4, { failed: 2 }) };
  expect(reasonsOf(cards)).toEqual([
    { part: 'details', reason: 'failed', count: 2, again_at: '2026-11-20T19:05:00Z' },
  ]);
});

it('cards whose time has passed are asked for now', () => {
  expect(reasonsOf({ 1: asked(5, { failed: 1 }) })).toEqual([
    { part: 'details', reason: 'failed', count: 1, again_at: '2026-11-20T18:05:00Z' },
  ]);
});

it('cards that are gone, or never get a figure, are not asked for again', () => {
  const cards = { 1: gone(3), 2: gone(3), 3: gone(3, { times: 1 }), 4: asked(9, { times: 5 }) };
  expect(reasonsOf(cards)).toEqual([
    { part: 'details', reason: 'gone', count: 2, again_at: null },
    { part: 'details', reason: 'no_figure', count: 1, again_at: null },
  ]);
});

it('a card that was bought four times, or has just failed to be bought again, may get a figure', () => {
  const cards = { 1: asked(9, { times: 4 }), 2: asked(0.5, { times: 5, failed: 1 }) };
  expect(reasonsOf(cards)).toEqual([
    { part: 'details', reason: 'failed', count: 1, again_at: '2026-11-20T18:35:00Z' },
  ]);
});

it('outcomes that never come are told, once they are not asked for again', async () => {
  const details = Array.from({ length: 40 }, (_, i) => cardOf(i + 1, 30 + i, { outcome: null }));
  const cron = await startCron({ details, start: NOW });
  const run = async () => {
    const { stdout, stderr } = await cron.export('--no-stats', '--json');
    const { counts, not_asked } = JSON.parse(stdout);
    return { bought: counts.bought, pending: counts.pending, not_asked, stderr };
  };
  await run();
  await cron.clock.sleep(7 * DAY);
  // The second purchases of these cards brought nothing: there is no third.
  await run();
  await cron.clock.sleep(DAY);
  const last = await run();
  expect(last).toMatchObject({
    bought: 40,
    pending: 0,
    not_asked: [{ part: 'details', reason: 'no_figure', cards: 40, again_at: null }],
  });
  expect(last.stderr).toContain(
    '40 of 40 due outcomes bought (8 now), 40 of them without a figure and not asked for again.',
  );
});

describe('a card that the user looked at before its 24 hours were over', () => {
  const young = cardOf(100, 3);
  const pending = { ...young, outcome: null };

  it('is bought when it is due, however often that was, with exports in between', async () => {
    const cron = await startCron({ details: [pending], start: NOW });
    await cron.export('--no-stats');
    for (let look = 1; look <= 5; look += 1) {
      await cron.clock.sleep(HOUR);
      await cron.command('signals', 'show', '100');
      await cron.export('--no-stats');
    }
    cron.details = [young];
    await cron.clock.sleep(DAY);
    await cron.export('--no-stats');
    expect(cron.cards()).toMatchObject([{ outcome: young.outcome }]);
  });

  it('is bought when it is due, though further purchases of other cards bring nothing', async () => {
    const others = Array.from({ length: 40 }, (_, i) =>
      cardOf(i + 1, 8 * 24 + 30 + i, { outcome: null }),
    );
    const cron = await startCron({ details: [...others, pending], start: NOW - 8 * DAY });
    await cron.export('--no-stats');
    await cron.clock.sleep(7 * DAY);
    await cron.export('--no-stats');
    await cron.clock.sleep(DAY);
    await cron.export('--no-stats');
    const withoutFigure = () =>
      notAsked(cron.manifest(), cron.clock.now()).filter(({ reason }) => reason === 'no_figure');
    const before = withoutFigure();
    await cron.command('signals', 'show', '100');
    await cron.export('--no-stats');
    expect(withoutFigure(), 'a look at a young card').toEqual(before);
    // The first request when it is due fails.
    await cron.clock.sleep(2 * DAY);
    cron.answerInstead(({ operation, query }) =>
      operation === 'signal' && query.id === '100' ? failure(500) : undefined,
    );
    await cron.export('--no-stats');
    cron.answerInstead(undefined);
    cron.details = [...others, young];
    await cron.clock.sleep(7 * DAY);
    await cron.export('--no-stats');
    expect(cron.cards().find(({ id }) => id === 100)?.outcome).toEqual(young.outcome);
  });
});
