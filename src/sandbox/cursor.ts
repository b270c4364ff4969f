import { createHash } from 'node:crypto';
import { InvalidArgument, type SignalsParams } from './params.ts';

/** Where the next page starts, and the window the first page has fixed; times in epoch milliseconds UTC. */
export interface Position {
  readonly since: number;
  readonly until: number;
  /** The last card of the page before. */
  readonly createdAt: number;
  readonly id: number;
}

/**
 * A cursor names a card, not a number of cards, so cards that arrive meanwhile do not shift it. It carries the window
 * (which the server chose where the caller did not) and a check of the filters it was made for.
 */
export function encodeCursor(position: Position, params: SignalsParams): string {
  const { since, until, createdAt, id } = position;
  const text = [since, until, createdAt, id].map((value) => value.toString(36)).join('.');
  return Buffer.from(`${text}.${check(text, params)}`).toString('base64url');
}

/**
 * @throws InvalidArgument where the cursor is none of ours, or the filters differ from those of the page it came from
 *   (`limit` may differ)
 */
export function decodeCursor(cursor: string, params: SignalsParams): Position {
  const parts = /^[\w-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('latin1').split('.') : [];
  const sum = parts.pop();
  if (parts.length !== 4) throw new InvalidArgument('cursor is not one of this server');
  if (sum !== check(parts.join('.'), params)) {
    throw new InvalidArgument('cursor belongs to another query: send the filters of the page it came from');
  }
  const [since = 0, until = 0, createdAt = 0, id = 0] = parts.map((part) => Number.parseInt(part, 36));
  return { since, until, createdAt, id };
}

/** Of position and filters as the caller sent them; times compare as instants, however they were written. */
function check(text: string, { since, until, symbol, type }: SignalsParams): string {
  const bound = JSON.stringify([text, since ?? null, until ?? null, symbol ?? null, type ?? null]);
  return createHash('sha256').update(bound).digest('base64url').slice(0, 8);
}
