import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { HORIZON_NAMES } from '../../api/contract/horizons.ts';
import { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { parseApiTime, at as timeAt } from '../../api/time.ts';
import { isDetail, measuredAt } from '../../outcomes/history-card.ts';
import { isSettledMeasure } from './final.ts';

export const MANIFEST_FILE = 'export.json';
export const JOURNAL_FILE = '.journal.ndjson';
export const SCREENERS_FILE = 'screeners.ndjson';
export const STATS_FILE = 'stats.ndjson';
export const FINDINGS_FILE = 'findings.ndjson';

/** Files to which exports append lines. The other files of a history are replaced whole. */
export const APPENDED_FILES = [JOURNAL_FILE, SCREENERS_FILE, STATS_FILE, FINDINGS_FILE];

/** The name of a month file; its group is the month. */
const MONTH_FILE = /^signals-(\d{4}-(?:0[1-9]|1[0-2]))\.ndjson$/;

/**
 * `There is no history in DIR.` Never throws, whatever is at this path.
 * @param reason why a folder there has no history, with its colon: `: no export has ended there`
 */
export function noHistory(directory: string, reason = ''): string {
  const why = isFile(directory) ? ': it is a file, not a folder' : reason;
  return `There is no history in ${directory}${why}.`;
}

/** Never throws. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A card as a file has it: a SignalCard of the list, or the SignalDetail that was bought (part 2 of the API document). */
export interface StoredCard {
  readonly id: number;
  readonly created_at: string;
  readonly [field: string]: unknown;
}

/** Whether the card is bought, and its outcome will not change any more. */
export function isSettled(card: StoredCard): boolean {
  if (!isDetail(card)) return false;
  const outcome = card.outcome as Record<string, unknown> | null | undefined;
  if (outcome === null || outcome === undefined) return false;
  return HORIZON_NAMES.every((name) => isSettledMeasure(measuredAt(outcome, name)));
}

/** Epoch milliseconds UTC. */
export function createdAt(card: Pick<StoredCard, 'created_at'>): number {
  return timeAt(card.created_at);
}

/** A card with its time. */
export interface DatedCard {
  readonly card: StoredCard;
  /** `created_at`, epoch milliseconds UTC. */
  readonly at: number;
}

/** A parsed value as a card, with its time. @returns undefined if the value lacks an id, a time, a symbol or a type */
export function asStoredCard(value: unknown): DatedCard | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const { id, created_at, source_symbol, source_bot_type } = value as Partial<StoredCard>;
  const hasId = Number.isSafeInteger(id);
  const hasNames = typeof source_symbol === 'string' && typeof source_bot_type === 'string';
  if (!hasId || !hasNames) return undefined;
  const at = typeof created_at === 'string' ? parseApiTime(created_at) : undefined;
  return at === undefined ? undefined : { card: value as StoredCard, at };
}

/** `2026-11`. @param at epoch milliseconds UTC */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** @param month as `monthOf` names it @returns epoch milliseconds UTC */
export function startOfMonth(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** `signals-2026-11.ndjson`. @param month `2026-11` */
export function monthFileName(month: string): string {
  return `signals-${month}.ndjson`;
}

export function monthPath(directory: string, month: string): string {
  return join(directory, monthFileName(month));
}

/** The names in a folder; none if there is no such folder. @throws the system's error, if the folder cannot be read */
export function namesIn(directory: string): string[] {
  const entry = statSync(directory, { throwIfNoEntry: false });
  return entry?.isDirectory() ? readdirSync(directory) : [];
}

/** The months that have a file, oldest first. @throws the system's error, if the folder cannot be read */
export function storedMonths(directory: string): string[] {
  return namesIn(directory)
    .map((name) => MONTH_FILE.exec(name)?.[1])
    .filter((month) => month !== undefined)
    .sort();
}

/**
 * Merges two versions of a card. The incoming version wins, but two things of the stored one stay: the fields that only a detail
 * has, and a settled outcome.
 */
export function mergeVersions(stored: StoredCard | undefined, incoming: StoredCard): StoredCard {
  if (stored === undefined || !isDetail(stored)) return incoming;
  // `incoming` may be the older of two details: files that several commands wrote are read in any order.
  const hasBetterOutcome = isDetail(incoming) && (isSettled(incoming) || !isSettled(stored));
  return hasBetterOutcome ? incoming : { ...stored, ...incoming, outcome: stored.outcome };
}

/** Whether a card has every field of the document. A card that somebody edited may lack some, and no page can show it. */
export function isCompleteCard(card: StoredCard): boolean {
  return v.is(isDetail(card) ? SignalDetail : SignalCard, card);
}
