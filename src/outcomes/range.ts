/**
 * Counts the lines of a part of a file. Reads synchronously: it runs in a worker, or in steps small enough for the main
 * thread.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { type Filter, matchesRow } from '../history/filter.ts';
import { parseLine } from '../history/month.ts';
import { type Row, rowOf } from './row.ts';
import { RowScanner } from './scan-row.ts';
import type { Tally } from './tally.ts';

const NEWLINE = 10;
const BLOCK = 1 << 20;

/** The lines that begin in bytes [start, end) of a file. */
export interface Range {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Ids of cards that are counted elsewhere, in a newer version. */
  readonly without: readonly number[];
}

/**
 * Adds the range's rows to the tally.
 * @returns how many lines are no cards
 */
export function tallyRange(range: Range, filter: Filter, tally: Tally): number {
  const scanner = new RowScanner();
  const without = new Set(range.without);
  let damaged = 0;
  forEachLine(range, (buffer, start, end) => {
    let row: Row = scanner.row;
    let { id } = scanner.row;
    if (scanner.scan(buffer, start, end)) {
      id = scanner.row.id;
    } else {
      const card = parseLine(buffer.subarray(start, end));
      if (card === undefined) {
        damaged += 1;
        return;
      }
      row = rowOf(card);
      id = card.id;
    }
    if (without.size > 0 && without.has(id)) return;
    if (matchesRow(row, filter)) tally.add(row);
  });
  return damaged;
}

/** Calls back with each line's place in a buffer that is used again: nothing may keep it. Empty lines are left out. */
function forEachLine({ path, start, end }: Range, visit: (buffer: Buffer, start: number, end: number) => void): void {
  const file = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(BLOCK);
    // A line belongs to the range it begins in: the byte before tells whether one begins at `start`.
    let position = Math.max(0, start - 1);
    let isSkipping = start > 0;
    let kept = 0;
    for (;;) {
      if (kept === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
      const read = readSync(file, buffer, kept, buffer.length - kept, position);
      const base = position - kept;
      position += read;
      const filled = kept + read;
      let from = 0;
      while (from < filled) {
        if (!isSkipping && base + from >= end) return;
        const newline = buffer.indexOf(NEWLINE, from);
        const to = newline === -1 || newline >= filled ? -1 : newline;
        if (to === -1 && read > 0) break;
        const lineEnd = to === -1 ? filled : to;
        if (!isSkipping && lineEnd > from) visit(buffer, from, lineEnd);
        isSkipping = false;
        from = lineEnd + 1;
      }
      if (read === 0) return;
      kept = Math.max(0, filled - from);
      if (kept > 0 && from > 0) buffer.copyWithin(0, from, filled);
    }
  } finally {
    closeSync(file);
  }
}
