import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { run as runStats } from '../../src/commands/stats-local.ts';
import { History } from '../../src/history/store/history.ts';
import type { GroupFigures } from '../../src/outcomes/figure-table.ts';
import { cardOf, directory, invocationOf, Service } from '../history/support.ts';
import { it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';

async function stats(dir: string, options: Omit<Parameters<typeof runStats>[1], 'history'> = {}) {
  const invocation = invocationOf({ format: 'json' });
  await runStats(invocation, {
    history: new History(dir, invocation.notes, invocation.context.clock),
    ...options,
  });
  return invocation.said.results[0] as Omit<GroupFigures, 'group'> &
    Readonly<{ groups_left_out: number; items: readonly GroupFigures[] }>;
}

describe('stats --from', () => {
  it("agrees with the API's own statistics on a complete history", async () => {
    const details = Array.from({ length: 120 }, (_, i) =>
      cardOf(120 - i, 25 + i * 2, i % 11 === 0 ? { outcome: null } : {}),
    ).map((one, i) => {
      if (one.outcome === null) return one;
      if (i % 7 === 1)
        return { ...one, outcome: { ...one.outcome, state_24h: 'missing', move_24h_pct: null } };
      if (i % 9 === 2)
        return { ...one, outcome: { ...one.outcome, state_24h: 'pending', move_24h_pct: null } };
      return i % 5 === 3 ? { ...one, outcome: { ...one.outcome, btc_move_1h_pct: null } } : one;
    });
    const service = new Service({ details });
    const dir = directory();
    writeCards(dir, details);
    for (const type of [undefined, 'pump', 'oi_surge']) {
      const api = await service.connect().client.call('stats', { screener_type: type });
      const result = await stats(dir, type === undefined ? {} : { type });
      for (const horizon of ['1h', '24h'] as const) {
        const theirs = api.horizons[horizon];
        const ours = result.horizons[horizon];
        for (const name of ['sample', 'pending', 'missing', 'btc_sample'] as const)
          expect(ours[name], `${name} of ${type}, ${horizon}`).toBe(theirs[name]);
        expect(ours.median_move_pct, `median of ${type}, ${horizon}`).toBeCloseTo(
          theirs.median_move_pct as number,
          4,
        );
        expect(
          ours.median_vs_btc_percentage_points,
          `median vs BTC of ${type}, ${horizon}`,
        ).toBeCloseTo(theirs.median_vs_btc_percentage_points as number, 4);
      }
    }
  });

  it('takes only what was asked for, both ends included', async () => {
    const cards = Array.from({ length: 10 }, (_, i) => cardOf(i + 1, 24 * (10 - i)));
    const dir = writeCards(directory(), cards);
    const since = Date.parse(cards[2]?.created_at ?? '');
    const until = Date.parse(cards[7]?.created_at ?? '');
    expect((await stats(dir, { since, until })).rows).toBe(6);
    expect((await stats(dir, { since, until, type: 'pump' })).rows).toBe(3);
  });

  it('does not show small groups, and says how many: others are compared with them', async () => {
    const cards = Array.from({ length: 150 }, (_, i) =>
      cardOf(i + 1, 30 + i * 3, { source_bot_type: i % 10 === 0 ? 'rare' : 'often' }),
    );
    const dir = writeCards(directory(), cards);
    const all = await stats(dir, { by: 'type' });
    const some = await stats(dir, { by: 'type', minSample: 100 });
    expect({ groups: all.items.length, leftOut: all.groups_left_out }).toEqual({
      groups: 2,
      leftOut: 0,
    });
    expect({ groups: some.items.length, leftOut: some.groups_left_out }).toEqual({
      groups: 1,
      leftOut: 1,
    });
    expect(some.items[0]).toEqual(all.items.find(({ group }) => group === 'often'));
  });

  it('refuses what is no export directory', async () => {
    const dir = directory();
    await expect(stats(dir)).rejects.toMatchObject({ code: 'no_history', exitCode: 1 });
    mkdirSync(dir);
    await expect(stats(dir)).rejects.toMatchObject({ code: 'no_history', exitCode: 1 });
    writeFileSync(join(dir, 'x'), '');
    const message = expect.stringMatching(/x: it is a file, not a folder\.$/);
    await expect(stats(join(dir, 'x'))).rejects.toMatchObject({
      code: 'no_history',
      exitCode: 1,
      message,
    });
  });
});

it('a line that is no JSON is counted nowhere; a stray file is not read; an id counts once', async ({
  here,
}) => {
  // Of two months.
  const cards = Array.from({ length: 60 }, (_, i) => cardOf(i + 1, 30 + i * 12));
  const dir = writeCards(directory(), cards);
  const [october, november] = ['signals-2026-10.ndjson', 'signals-2026-11.ndjson'].map((name) =>
    join(dir, name),
  );
  const text = readFileSync(november ?? '', 'utf8');
  const [first = ''] = text.split('\n');
  copyFileSync(october ?? '', join(dir, 'signals-copy-2026-10.ndjson'));
  // Not JSON, though most of a card can be read from it; and a card that stands in two months.
  writeFileSync(
    november ?? '',
    `${text}${first.replace('"id":', '"id":0')}\n${first.slice(0, -2)}\n`,
  );
  writeFileSync(october ?? '', `${readFileSync(october ?? '', 'utf8')}${first}\n`);
  const stats = await here(['stats', '--from', dir, '--json']);
  const list = await here(['signals', 'ls', '--from', dir, '--all', '--ndjson']);
  expect({ stats: stats.code, list: list.code }).toEqual({ stats: 0, list: 0 });
  expect(JSON.parse(stats.stdout).rows).toBe(60);
  expect(list.stdout.trim().split('\n')).toHaveLength(60);
  expect(stats.stderr).toContain('2 damaged lines');
  const warning = (text: string) =>
    text.split('\n').filter((line) => line.includes('2 damaged lines'));
  expect(warning(stats.stderr)).toEqual(warning(list.stderr));
});
