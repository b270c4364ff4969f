/** Nothing becomes final from one moment: what cannot be taken back needs two observations on different UTC days. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { type ApiResponse, failure, reply } from '../../src/sandbox/response.ts';
import { type Cron, startCron } from './cron.ts';
import { cardOf, cardsAnHourApart, DAY, HOUR, NOW } from './support.ts';

/** A page without a card, and a cursor that leads to the next one. */
const emptyPage = (): ApiResponse =>
  reply(
    200,
    JSON.stringify({
      hasError: false,
      errors: null,
      response: {
        scope: 'own_recorded_notifications',
        items: [],
        next_cursor: 'empty',
        since: '2026-10-01T00:00:00Z',
        until: '2026-11-20T18:00:00Z',
      },
    }),
  );

const listOnly = ['--no-outcomes', '--no-screeners', '--no-stats'];

/** A service whose list answers so from a page on, until it is mended. */
async function brokenList(
  details: readonly SignalDetail[],
  isBroken: (page: number, cursor: string | undefined) => boolean,
  answer: () => ApiResponse,
) {
  const cron = await startCron({ details, start: NOW });
  let pages = 0;
  cron.answerInstead(({ operation, query }) => {
    if (operation !== 'signals') return undefined;
    pages += 1;
    return isBroken(pages, query.cursor) ? answer() : undefined;
  });
  return cron;
}

/** A day later the service is as it should be. */
async function mend(cron: Cron) {
  cron.answerInstead(undefined);
  await cron.clock.sleep(DAY);
}

describe('a list that is broken for a moment, in a first export', () => {
  const details = cardsAnHourApart(240);

  it.each([
    { what: 'a 404', answer: () => failure(404), code: 5, requests: 2 },
    { what: 'a 422', answer: () => failure(422), code: 0, requests: 5 },
    { what: 'a 500', answer: () => failure(500), code: 8, requests: 2 },
    { what: 'pages without a card', answer: emptyPage, code: 9, requests: 5 },
  ])('$what: a gap, and a day later every card', async ({ answer, code, requests }) => {
    const cron = await brokenList(details, (page) => page > 3, answer);
    const first = await cron.export(...listOnly);
    expect(first).toMatchObject({ code });
    expect(first.stderr).toContain('cards before 2026-11-17 to list');
    expect(first.stderr).not.toContain('Complete');
    expect(first.requests).toHaveLength(1 + 3 + requests);
    expect(cron.manifest()).toMatchObject({ complete: false, begins_at: null });
    await mend(cron);
    const next = await cron.export(...listOnly);
    expect(next.code).toBe(0);
    expect(cron.manifest().complete).toBe(true);
    expect(cron.cards()).toHaveLength(details.length);
  });

  it('more cards of one moment than a page holds, while cursors are refused: the rest comes at once', async () => {
    const burst = Array.from({ length: 120 }, (_, i) => cardOf(1000 + i, 30));
    const others = Array.from({ length: 60 }, (_, i) => cardOf(2000 - i, 27 + i / 10));
    const cards = [...others, ...burst];
    const cron = await brokenList(
      cards,
      (_, cursor) => cursor !== undefined,
      () => failure(422),
    );
    const first = await cron.export(...listOnly);
    expect(first.code).toBe(0);
    expect(first.stderr).not.toContain('Complete');
    // A page of that moment, and all the others.
    expect(cron.cards().length, 'cards after the first run').toBeGreaterThanOrEqual(
      others.length + 20,
    );
    await mend(cron);
    expect((await cron.export(...listOnly)).code).toBe(0);
    expect(cron.cards()).toHaveLength(cards.length);
    expect(cron.manifest()).toMatchObject({ complete: true, gaps: [] });
  });
});

/** As the program's first version left it, where the service had refused once what is older. */
async function endedHistory(details: readonly SignalDetail[]): Promise<Cron> {
  const cron = await startCron({ details, start: NOW });
  await cron.export(...listOnly, '--since', '3d');
  const path = join(cron.dir, 'export.json');
  const { gaps, begins_since, ...stored } = JSON.parse(readFileSync(path, 'utf8'));
  const begins_at = stored.spans[0].since;
  writeFileSync(path, JSON.stringify({ ...stored, gaps: [], begins_at, refuses_older: true }));
  await cron.clock.sleep(DAY);
  return cron;
}

describe('a history that one refusal ended before', () => {
  const details = cardsAnHourApart(240);

  it.each([[[]], [['--since', '30d']]])('goes on where it stopped: export %j', async (words) => {
    const cron = await endedHistory(details);
    expect((await cron.export(...listOnly, ...words)).code).toBe(0);
    expect(cron.cards()).toHaveLength(details.length);
    expect(cron.manifest()).toMatchObject({ complete: true, begins_at: null });
  });

  it('begins there if the service refuses on two days', async () => {
    const cron = await endedHistory(details);
    const end = cron.manifest().begins_at;
    cron.answerInstead(({ operation, query }) =>
      operation === 'signals' && Date.parse(query.since ?? '') < Date.parse(end ?? '') - 2 * HOUR
        ? failure(422)
        : undefined,
    );
    const first = await cron.export(...listOnly);
    expect(first.stderr).not.toContain('Complete');
    await cron.clock.sleep(DAY);
    const second = await cron.export(...listOnly);
    expect(second.stderr).toContain(`The service lists nothing before ${end}.`);
    expect(cron.manifest()).toMatchObject({ complete: true, gaps: [], begins_at: end });
  });
});
