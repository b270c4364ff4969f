import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { localScreeners } from '../../src/commands/screeners-local.ts';
import { emptyManifest, saveManifest } from '../../src/history/store/manifest.ts';
import { presentSettings, type ScreenersLook } from '../../src/history/store/screeners-log.ts';
import { rowOf } from '../../src/outcomes/row.ts';
import { bare, cardOf } from '../history/support.ts';
import { writeCards } from '../outcomes/support.ts';
import { it, parseLines } from '../support/fixtures.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);

const rows = (type: string, daysAgo: readonly number[]) =>
  daysAgo.map((days, id) =>
    rowOf(
      {
        id,
        source_symbol: 'BTCUSDT',
        source_bot_type: type,
        context_scope: 'entry_snapshot',
        outcome: {
          state_1h: 'available',
          move_1h_pct: 1,
          btc_move_1h_pct: 0,
          state_24h: 'available',
          move_24h_pct: 2,
          btc_move_24h_pct: 0,
        },
      },
      NOW - days * DAY,
    ),
  );
const AT = { now: NOW };
const look = (...items: { type: string; active: boolean }[]): ScreenersLook[] => [
  {
    at: NOW - 30 * DAY,
    screeners: { scope: 'current_settings', items: items.map((item) => ({ ...item, conditions: { level: 3 } })) },
  },
];

describe('screeners --local', () => {
  it('counts cards a day, settled outcomes, and names an active screener silent for 14 days', () => {
    const cards = [
      ...rows(
        'price',
        Array.from({ length: 56 }, (_, n) => n / 2),
      ),
      ...rows('oi', [20, 21]),
    ];
    const found = localScreeners(cards, look({ type: 'price', active: true }, { type: 'oi', active: true }), AT);
    expect(found.map(({ type, cards_per_day, silent }) => [type, Math.round(cards_per_day), silent])).toEqual([
      ['price', 2, false],
      ['oi', 0, true],
    ]);
    expect(found[0]?.horizons['24h']?.sample).toBe(56);
    expect(found[0]?.horizons['24h']?.verdict).toBeTruthy();
    expect(found[0]?.conditions).toEqual({ level: 3 });
  });

  it('one that is switched off is not silent; a type without settings is listed; none ever is said', () => {
    const off = localScreeners(rows('oi', [20]), look({ type: 'oi', active: false }), AT);
    expect(off[0]?.silent).toBe(false);
    const unknown = localScreeners(rows('oi', [1]), [], AT);
    expect(unknown).toMatchObject([{ type: 'oi', active: null, conditions: null, configured_at: null }]);
    const never = localScreeners([], look({ type: 'oi', active: true }), AT);
    expect(never).toMatchObject([{ silent: true, last_card_at: null, horizons: { '24h': null } }]);
  });

  it('has the figures since the last change, however few days that is', () => {
    const settings = (level: number, at: number): ScreenersLook => ({
      at,
      before: at - DAY,
      screeners: { scope: 'current_settings', items: [{ type: 'price', active: true, conditions: { level } }] },
    });
    const cards = rows(
      'price',
      Array.from({ length: 56 }, (_, n) => n / 2),
    );
    const changed = (daysAgo: number) => {
      const looks = [settings(1, NOW - 28 * DAY), settings(2, NOW - daysAgo * DAY)];
      return localScreeners(cards, looks, { ...AT, settingsSince: presentSettings(looks, NOW) })[0];
    };
    expect(changed(20)).toMatchObject({
      configured_at: new Date(NOW - 20 * DAY).toISOString().replace('.000', ''),
      settings_since: changed(20)?.configured_at,
      horizons: { '24h': { sample: 41 } },
    });
    expect(changed(3)?.horizons['24h']).toMatchObject({ sample: 7, shown_verdict: 'too_few_days' });
    expect(localScreeners(cards, [settings(1, NOW - 28 * DAY)], AT)[0]).toMatchObject({
      configured_at: null,
      settings_since: null,
    });
  });

  it('counts repeats on a symbol within an hour, and overlaps with another type', () => {
    const at = (type: string, symbol: string, hours: number, id: number) =>
      rowOf({ id, source_symbol: symbol, source_bot_type: type }, NOW - hours * 3_600_000);
    const cards = [
      at('price', 'A', 10, 1),
      at('price', 'A', 9.5, 2),
      at('oi', 'A', 9, 3),
      at('price', 'A', 5, 4),
      at('oi', 'B', 5, 5),
      at('price', 'B', 3.9, 6),
    ];
    const found = localScreeners(cards, [], AT);
    expect(found.map((one) => [one.type, one.cards_per_day, one.repeats_per_day, one.overlaps_per_day])).toEqual([
      ['price', 4, 1, 2],
      ['oi', 2, 0, 1],
    ]);
  });

  it('shows the page of one screener, and only from a history', async ({ here }) => {
    const ran = await here(['--demo', 'screeners', 'price_spike', '--local']);
    const said = ran.stdout.replace(/\s+/g, ' ');
    expect(said).toMatch(
      /Overlap: \d+\.\d cards a day repeat a symbol within the hour; \d+\.\d a day coincide with another type\./,
    );
    // What holds now is the last of its settings, and said once.
    expect(ran.stdout.match(/^(SINCE|TYPE) .*VERDICT/gm)).toHaveLength(1);
    expect(said).toMatch(/Changed between \S+ \S+ and \S+ \S+ UTC: its cards moved higher after it/);
    expect(said).toContain('Numbers at the trigger');
    expect(ran.stdout).toMatch(/^ {2}screener --demo tune price_spike$/m);
    const { items, periods, changes, questions } = JSON.parse(
      (await here(['--demo', 'screeners', 'price_spike', '--local', '--json'])).stdout,
    );
    expect([items.length, periods.length, changes.length, changes[0].horizons['24h'].verdict]).toEqual([
      1,
      2,
      1,
      'higher',
    ]);
    expect(questions.length).toBeGreaterThan(0);
    const online = await here(['--demo', 'screeners', 'price_spike']);
    expect([online.code, online.stderr]).toEqual([2, expect.stringContaining('Add --local, or --from DIR')]);
  });

  it('of an old history, what came since its end is no silence', async ({ home, here }) => {
    const dir = home.folder;
    const day = (at: number) => new Date(at).toISOString();
    const end = Date.now() - 40 * DAY;
    const spans = [{ since: day(end - 30 * DAY), until: day(end) }];
    await saveManifest(dir, { ...emptyManifest('x'), spans });
    const settings = {
      scope: 'current_settings',
      items: ['oi', 'pump'].map((type) => ({ type, active: true, conditions: {} })),
    };
    writeFileSync(join(dir, 'screeners.ndjson'), `${JSON.stringify({ at: day(end), screeners: settings })}\n`);
    writeCards(dir, [
      bare(cardOf(1, 0, { created_at: day(end - DAY), source_bot_type: 'oi' })),
      bare(cardOf(2, 0, { created_at: day(end - 20 * DAY), source_bot_type: 'pump' })),
    ]);
    const { stdout } = await here(['screeners', '--from', dir, '--ndjson']);
    expect(parseLines(stdout).map(({ type, silent, cards_per_day }) => [type, silent, cards_per_day > 0])).toEqual([
      ['oi', false, true],
      ['pump', true, true],
    ]);
    expect((await here(['screeners', '--from', dir])).stdout).toContain(
      'pump: no card for 20 days, though it is switched on',
    );
  });

  it('as a table says which is silent, and that cards do not say which screener sent them', async ({ here }) => {
    const ran = await here(['--demo', 'screeners', '--local']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/breakout: no card for \d+ days, though it is switched on/);
    expect(ran.stdout).toContain('cards do not say which screener sent them');
    // The same cards in every screen of the type's difference to BTC.
    const cards = (text: string) => Number(/^oi_growth +([\d.]+ +)?(\d+) +\+/m.exec(text)?.[2]);
    const ranking = await here(['--demo', 'stats', '--local', '--by', 'type']);
    expect(cards(ran.stdout)).toBe(cards(ranking.stdout));
    expect(cards(ran.stdout)).toBeGreaterThan(0);
    expect(ran.stderr).toBe('Demo: invented data, no key.\n');
  });

  it('of a type that has neither cards nor settings, names those that have', async ({ here }) => {
    const ran = await here(['--demo', 'screeners', 'breakuot', '--local']);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(/The history has no card of type 'breakuot'. Did you mean 'breakout'\? It has: .*\n/);
  });

  it('the demo names its history, not the folder it lies in for a moment', async ({ here }) => {
    const ran = await here(['--demo', 'signals', 'show', '1', '--local']);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("Card 1 is not in the demo's history.");
    expect(ran.stderr).toContain('screener --demo signals ls --local');
    expect(ran.stderr).not.toContain('screener-demo-');
  });
});
