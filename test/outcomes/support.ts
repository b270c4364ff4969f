import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { type LocalStatsOptions, run as runStats } from '../../src/commands/stats-local.ts';
import { History } from '../../src/history/store/history.ts';
import type { StoredCard } from '../../src/history/store/layout.ts';
import { type Row, rowOf } from '../../src/outcomes/row.ts';
import { createOutput } from '../../src/output/output.ts';
import { invocationOf } from '../history/support.ts';
import { testContext } from '../support/context.ts';
import { card, detail } from '../support/samples.ts';

/** Writes month files, as an export leaves them. @returns the directory */
export function writeCards(dir: string, cards: readonly object[]): string {
  mkdirSync(dir, { recursive: true });
  const months = new Map<string, string[]>();
  for (const one of cards as StoredCard[]) {
    const month = new Date(one.created_at).toISOString().slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), JSON.stringify(one)]);
  }
  for (const [month, lines] of months) writeFileSync(join(dir, `signals-${month}.ndjson`), `${lines.join('\n')}\n`);
  return dir;
}

/** A card as the service would give it. */
export function detailOf({ id, symbol, type, at, measured }: Row): SignalDetail {
  const created_at = new Date(at).toISOString();
  const [short, long] = [measured?.['1h'], measured?.['24h']];
  return detail({
    ...card({ id, created_at, source_symbol: symbol, source_bot_type: type }),
    outcome: {
      entry_at: created_at,
      entry_price: 1,
      state_1h: String(short?.state),
      move_1h_pct: short?.move ?? null,
      btc_move_1h_pct: short?.btc ?? null,
      state_24h: String(long?.state),
      move_24h_pct: long?.move ?? null,
      btc_move_24h_pct: long?.btc ?? null,
    },
  });
}

/** Cards as the figures take them. */
export function rowsOf(cards: readonly Pick<SignalDetail, 'id' | 'created_at'>[]): Row[] {
  return cards.map((one) => rowOf({ ...one }, Date.parse(one.created_at)));
}

/** The page for people. @param width columns of the terminal; undefined for a pipe */
export async function statsPage(
  { directory, ...options }: Omit<LocalStatsOptions, 'history'> & { readonly directory: string },
  width: number | undefined,
): Promise<string> {
  const context = testContext(width === undefined ? {} : { width });
  const invocation = invocationOf({ format: 'table' });
  const output = createOutput({ context, format: 'table', fields: undefined, notes: invocation.notes, color: false });
  await runStats({ ...invocation, context, output }, { ...options, history: new History(directory, invocation.notes) });
  return context.stdout.text;
}
