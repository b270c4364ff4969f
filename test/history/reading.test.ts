import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run as list } from '../../src/commands/signals-ls-local.ts';
import { run as show } from '../../src/commands/signals-show-local.ts';
import { newerVersion } from '../../src/history/layout.ts';
import {
  bare,
  cardOf,
  cardsAnHourApart,
  codeOf,
  exportInto,
  HOUR,
  invocationOf,
  NOW,
  Service,
  temporaryDirectories,
} from './support.ts';

const directory = temporaryDirectories();

async function listFrom(dir: string, options: Partial<Parameters<typeof list>[1]> = {}) {
  const invocation = invocationOf({});
  await list(invocation, { directory: dir, limit: 25, ...options });
  const page = invocation.said.results[0] as { items: { id: number }[] };
  return { page, ids: page.items.map(({ id }) => id), said: invocation.said };
}

async function history(count: number): Promise<string> {
  const dir = directory();
  await exportInto(dir, new Service({ details: cardsAnHourApart(count) }));
  return dir;
}

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe('signals ls --from', () => {
  it('lists newest first, 25 unless told, as a page', async () => {
    const dir = await history(600);
    const { page, ids } = await listFrom(dir);
    expect(ids).toEqual(down(600, 576));
    expect(page).toMatchObject({ scope: 'own_recorded_notifications', next_cursor: null });
    expect(Object.keys(page)).toEqual(['scope', 'items', 'next_cursor', 'since', 'until']);
    expect((await listFrom(dir, { limit: 600 })).ids).toEqual(down(600, 1));
    expect(page.items).toEqual(cardsAnHourApart(600).slice(0, 25).map(bare));
  });

  it('filters as online', async () => {
    const dir = await history(600);
    const all = cardsAnHourApart(600);
    const since = NOW - 300.5 * HOUR;
    const until = NOW - 10.5 * HOUR;
    const expected = all.filter(
      (one) =>
        one.source_symbol === 'S3USDT' &&
        one.source_bot_type === 'pump' &&
        Date.parse(one.created_at) >= since &&
        Date.parse(one.created_at) <= until,
    );
    const filter = { since, until, symbol: 'S3USDT', type: 'pump', limit: 600 };
    expect((await listFrom(dir, filter)).ids).toEqual(expected.map(({ id }) => id));
    expect(expected.length).toBeGreaterThan(10);
  });

  it('shows what is in the journal only, in its place, and each card once', async () => {
    const dir = await history(60);
    const late = cardOf(1000, 30.2);
    const updated = { ...bare(cardOf(20, 40.5)), repeat_count: 77 };
    const entry = { kind: 'page', items: [late, updated], coverage: { covered: null, walk: null } };
    appendFileSync(join(dir, '.journal.ndjson'), `${JSON.stringify(entry)}\n`);
    const { page, ids } = await listFrom(dir, { limit: 100 });
    expect(ids).toHaveLength(61);
    expect(new Set(ids).size).toBe(61);
    expect(ids[30]).toBe(1000);
    expect(page.items.find(({ id }) => id === 20)).toEqual({ ...cardOf(20, 40.5), repeat_count: 77 });
  });

  it('skips damaged lines with one warning that names the file', async () => {
    const dir = await history(10);
    const path = join(dir, 'signals-2026-11.ndjson');
    writeFileSync(path, `{"id":\n${readFileSync(path, 'utf8')}\u0000\n"x"\n`);
    const { ids, said } = await listFrom(dir);
    expect(ids).toEqual(down(10, 1));
    expect(said.warnings).toEqual([`${path}: 3 lines are no cards and are left out.`]);
  });

  it('leaves lines that lack fields out of a table, with a warning, and passes them on elsewhere', async () => {
    const dir = await history(3);
    appendFileSync(join(dir, 'signals-2026-11.ndjson'), '{"id":9,"created_at":"2026-11-20T18:00:00Z","exchanges":7}\n');
    expect((await listFrom(dir)).ids).toEqual([9, 3, 2, 1]);
    const table = invocationOf({ format: 'table' });
    await list(table, { directory: dir, limit: 25 });
    expect((table.said.results[0] as { items: { id: number }[] }).items.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(table.said.warnings).toHaveLength(1);
    const shown = show(invocationOf({ format: 'table' }), { directory: dir, id: [9] });
    await expect(shown).rejects.toMatchObject({ code: 'storage' });
  });

  it('reads an empty history', async () => {
    const dir = await history(0);
    expect((await listFrom(dir)).ids).toEqual([]);
  });
});

describe('signals show --from', () => {
  const run = async (dir: string, id: number[], format: 'json' | 'table' = 'json') => {
    const invocation = invocationOf({ format });
    const error = await show(invocation, { directory: dir, id }).catch((thrown: unknown) => thrown);
    return { error, result: invocation.said.results[0], notes: invocation.said.notes };
  };

  it('gives one object, or several in the order asked for', async () => {
    const dir = await history(60);
    expect((await run(dir, [3])).result).toEqual(cardOf(3, 57.5));
    const { result, error } = await run(dir, [7, 59, 3]);
    expect(error).toBeUndefined();
    expect(result).toEqual([cardOf(7, 53.5), bare(cardOf(59, 1.5)), cardOf(3, 57.5)]);
  });

  it('prints what is there and fails with not_found for what is not', async () => {
    const dir = await history(5);
    const { result, error } = await run(dir, [999, 2, 998]);
    expect(result).toMatchObject([{ id: 2 }]);
    expect(error).toMatchObject({ code: 'not_found', exitCode: 5 });
    expect(String(error)).toMatch(/Card 999 .* Also missing: 998\.$/);
    const single = await run(dir, [999]);
    expect([single.result, codeOf(single.error)]).toEqual([undefined, 'not_found']);
  });

  it('shows a card whose outcome is not bought yet as it is', async () => {
    const dir = await history(5);
    for (const format of ['table', 'json'] as const)
      expect((await run(dir, [5], format)).result).not.toHaveProperty('outcome');
  });
});

describe('versions of a card', () => {
  it('a detail replaces all, a card leaves what only a detail has, the newest of each kind wins', () => {
    const [old, seen] = [cardOf(1, 30), { ...bare(cardOf(1, 30)), repeat_count: 8 }];
    expect(newerVersion(undefined, seen)).toBe(seen);
    expect(newerVersion(bare(old), seen)).toBe(seen);
    expect(newerVersion(bare(old), old)).toBe(old);
    expect(newerVersion(old, seen)).toEqual({ ...old, repeat_count: 8 });
    expect(Object.keys(newerVersion(old, seen))).toEqual(Object.keys(old));
  });
});
