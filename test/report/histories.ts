import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import type { Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { detail } from '../support/samples.ts';

/** Month files of a history; without `export.json` they are a history all the same. */
function writeHistory(directory: string, cards: readonly object[]): void {
  mkdirSync(directory, { recursive: true });
  const months = new Map<string, string>([['2026-08', '']]);
  for (const one of cards as readonly { created_at: string }[]) {
    const month = one.created_at.slice(0, 7);
    months.set(month, `${months.get(month) ?? ''}${JSON.stringify(one)}\n`);
  }
  for (const [month, text] of months) writeFileSync(path.join(directory, `signals-${month}.ndjson`), text);
}

const DAY = 86_400_000;
/** The first day of every world: a Monday. */
export const FIRST = Date.UTC(2026, 7, 3);

/** Outcomes of days that share a move, and a type that has an effect of its own. */
export function world(days: number, perDay: number): SignalDetail[] {
  let seed = 11;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const types = ['price_breakout', 'oi_surge', 'volume_spike'];
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  return Array.from({ length: days * perDay }, (_, index) => {
    const day = Math.floor(index / perDay);
    const btc = Math.sin(day * 1.7) * 2;
    const type = types[index % 3] ?? '';
    const move = btc + (random() - 0.5) * 6 + (type === 'price_breakout' ? 3 : 0);
    const created_at = new Date(FIRST + day * DAY + Math.floor(random() * DAY)).toISOString();
    return detail({
      id: index + 1,
      source_bot_type: type,
      source_symbol: symbols[Math.floor(random() * 4)] ?? '',
      created_at,
      outcome: {
        entry_at: created_at,
        entry_price: 1,
        state_1h: 'available',
        move_1h_pct: rounded(move / 4),
        btc_move_1h_pct: rounded(btc / 4),
        state_24h: 'available',
        move_24h_pct: rounded(move),
        btc_move_24h_pct: rounded(btc),
      },
    });
  });
}

/** Writes a history of these cards and its report. @returns where the page is */
export async function report(home: Home, name: string, cards: readonly object[]): Promise<string> {
  const directory = path.join(home.folder, name);
  writeHistory(directory, cards);
  const file = path.join(home.folder, `${name}.html`);
  const ran = await runHere(['report', file, '--from', directory], { home });
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  return file;
}
