/** The files of an export directory, and which of them a card belongs to. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { HORIZON_NAMES } from '../../api/contract/horizons.ts';
import { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { at, parseApiTime } from '../../api/time.ts';
import { isDetail, measuredAt } from '../../outcomes/row.ts';

export const MANIFEST_FILE = 'export.json';
export const JOURNAL_FILE = '.journal.ndjson';
export const SCREENERS_FILE = 'screeners.ndjson';
export const STATS_FILE = 'stats.ndjson';

/** A UTC month, `2026-11`. */
export const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const MONTH_FILE = /^signals-(\d{4}-(?:0[1-9]|1[0-2]))\.ndjson$/;

/** A card as it lies in a month file: a SignalCard, or a SignalDetail once it was bought. */
export interface StoredCard {
  readonly id: number;
  readonly created_at: string;
  readonly [field: string]: unknown;
}

/** Whether buying it again could not better it: its outcome is there, and no horizon is pending. */
export function isSettled(card: StoredCard): boolean {
  const outcome = card.outcome as Record<string, unknown> | null | undefined;
  if (!isDetail(card) || outcome == null) return false;
  return HORIZON_NAMES.every((name) => measuredAt(outcome, name).state !== 'pending');
}

/** Epoch milliseconds UTC of `created_at`. Only called on cards that passed the schema or `asStoredCard`. */
export function createdAt(card: Pick<StoredCard, 'created_at'>): number {
  return at(card.created_at);
}

export interface DatedCard {
  readonly card: StoredCard;
  /** `created_at` in epoch milliseconds UTC. */
  readonly at: number;
}

/** A line's value as a card, or undefined where it is none: the file was damaged or is somebody else's. */
export function asStoredCard(value: unknown): DatedCard | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const { id, created_at } = value as Partial<StoredCard>;
  const at = Number.isSafeInteger(id) && typeof created_at === 'string' ? parseApiTime(created_at) : undefined;
  return at === undefined ? undefined : { card: value as StoredCard, at };
}

/** An offset may carry a time beyond the years that have four digits. Epoch milliseconds UTC. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

/** The UTC month of a time, as in file names: `2026-11`. */
export function monthOf(at: number): string {
  return new Date(Math.min(Math.max(at, FIRST), LAST)).toISOString().slice(0, 7);
}

export function monthPath(directory: string, month: string): string {
  return join(directory, `signals-${month}.ndjson`);
}

/** The months that have a file, oldest first. Rejects as `readdir` does. */
export async function storedMonths(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.flatMap((name) => MONTH_FILE.exec(name)?.[1] ?? []).sort((a, b) => (a < b ? -1 : 1));
}

/**
 * The line for a card that is seen again. A detail replaces everything but a settled outcome. A card of a list updates the
 * card's own fields (repeat_count, last_seen_at and the facts are the latest episode's) and leaves what only a detail has.
 */
export function newerVersion(old: StoredCard | undefined, seen: StoredCard): StoredCard {
  if (old === undefined || !isDetail(old)) return seen;
  // What several commands bought is read in any order.
  const isBetter = isDetail(seen) && (isSettled(seen) || !isSettled(old));
  return isBetter ? seen : { ...old, ...seen, outcome: old.outcome };
}

/**
 * Whether a line has all that a page for people shows. What `signals export` wrote always has; a file that somebody
 * edited may not, and the machine formats pass it on as it is.
 */
export function isCompleteCard(card: StoredCard): boolean {
  return v.is(isDetail(card) ? SignalDetail : SignalCard, card);
}
