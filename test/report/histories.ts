import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { randomOf, writeCards } from '../support/history.ts';
import type { Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { measuredDetail } from '../support/samples.ts';
import { repeatedSentences } from './repeated.ts';

const DAY = 86_400_000;
/** The first day of every world: a Monday. */
export const FIRST = Date.UTC(2026, 7, 3);

/** Percentage points that each type's cards have more than the day's common move. */
export type Effects = Readonly<Record<string, number>>;

/** Outcomes of days that share a move, and a type that has an effect of its own, or as told. */
export function world(
  days: number,
  perDay: number,
  effects: Effects = { price_breakout: 3 },
): SignalDetail[] {
  const random = randomOf(12);
  const types = ['price_breakout', 'oi_surge', 'volume_spike'];
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  return Array.from({ length: days * perDay }, (_, index) => {
    const day = Math.floor(index / perDay);
    const btc = Math.sin(day * 1.7) * 2;
    const type = types[index % 3] ?? '';
    const move = btc + (random() - 0.5) * 6 + (effects[type] ?? 0);
    const created_at = new Date(FIRST + day * DAY + Math.floor(random() * DAY)).toISOString();
    const source_symbol = symbols[Math.floor(random() * 4)] ?? '';
    const given = { id: index + 1, source_bot_type: type, source_symbol, created_at };
    return measuredDetail(given, (name) => {
      const share = name === '24h' ? 1 : 1 / 4;
      return { state: 'available', move: rounded(move * share), btc: rounded(btc * share) };
    });
  });
}

/** Writes a history of these cards and its report, which says nothing twice. @returns where the page is */
export async function report(home: Home, name: string, cards: readonly object[]): Promise<string> {
  const directory = path.join(home.folder, name);
  writeCards(directory, cards);
  if (cards.length === 0) writeFileSync(path.join(directory, 'signals-2026-08.ndjson'), '');
  const file = path.join(home.folder, `${name}.html`);
  const ran = await runHere(['report', file, '--from', directory], { home });
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(repeatedSentences(readFileSync(file, 'utf8')), 'sentences that stand twice').toEqual([]);
  return file;
}
