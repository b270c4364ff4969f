/** Invented histories: their files, and the numbers they are drawn from. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredCard } from '../../src/history/store/layout.ts';

/** Writes month files, as an export leaves them. @returns the directory */
export function writeCards(dir: string, cards: readonly object[]): string {
  mkdirSync(dir, { recursive: true });
  const months = new Map<string, string[]>();
  for (const card of cards as StoredCard[]) {
    const month = new Date(card.created_at).toISOString().slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), JSON.stringify(card)]);
  }
  for (const [month, lines] of months)
    writeFileSync(join(dir, `signals-${month}.ndjson`), `${lines.join('\n')}\n`);
  return dir;
}

/** Writes an `export.json` that says until when cards are listed, epoch milliseconds UTC. @returns the directory */
export function writeListed(dir: string, until: number): string {
  const span = { since: '2020-01-01T00:00:00Z', until: new Date(until).toISOString() };
  const manifest = { version: 1, account: '', spans: [span] };
  writeFileSync(join(dir, 'export.json'), JSON.stringify(manifest));
  return dir;
}

/** Drops all that a history has of earlier months. @param first the first month that stays, as in `2026-10` */
export function keepMonthsFrom(first: string, directory: string): void {
  const file = join(directory, 'export.json');
  const { months, spans, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
  for (const month of Object.keys(months)) {
    if (month >= first) continue;
    delete months[month];
    rmSync(join(directory, `signals-${month}.ndjson`));
  }
  const begins_at = `${first}-01T00:00:00Z`;
  const listed = spans.map((span: object) => ({ ...span, since: begins_at }));
  writeFileSync(file, JSON.stringify({ ...manifest, begins_at, spans: listed, months }));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal numbers (Box & Muller). */
export function normalOf(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
