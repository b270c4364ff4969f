import { readSync } from 'node:fs';
import { parseLine } from './ledger-records.ts';
import { emptyState, type State } from './state.ts';

const NEWLINE = 10;
/** Enough for the lines since the last checkpoint, the checkpoint, and some more. */
const FIRST_LOOK = 20 * 1024;
/** What lies further back without a checkpoint is no ledger of ours: not worth a command's time. */
const FURTHEST_LOOK = 8 * 1024 * 1024;

/** A state and the place up to which it counts everything. */
export interface Checkpoint {
  readonly state: State;
  readonly offset: number;
}

/** The bytes of a file from `from` up to `to`; fewer where it ends before. */
export function readBytes(fd: number, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(fd, buffer, filled, buffer.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** The complete lines in `bytes`, and how many bytes they take. */
export function completeLines(bytes: Buffer): { readonly lines: string[]; readonly length: number } {
  const length = bytes.lastIndexOf(NEWLINE) + 1;
  if (length === 0) return { lines: [], length };
  return { lines: bytes.toString('utf8', 0, length - 1).split('\n'), length };
}

/**
 * Where to begin reading a file of `size` bytes: at the latest checkpoint, so that a turn costs the same however long
 * the day has been. Without one, at the beginning.
 */
export function latestCheckpoint(fd: number, size: number): Checkpoint {
  for (let look = FIRST_LOOK; ; look = Math.min(look * 8, FURTHEST_LOOK)) {
    const from = Math.max(0, size - look);
    const found = checkpointIn(readBytes(fd, from, size), from);
    if (found !== undefined) return found;
    if (from === 0 || look === FURTHEST_LOOK) return { state: emptyState(), offset: from };
  }
}

function checkpointIn(bytes: Buffer, from: number): Checkpoint | undefined {
  const mark = '{"is":"state"';
  for (let index = bytes.lastIndexOf(mark); index >= 0; index = index > 0 ? bytes.lastIndexOf(mark, index - 1) : -1) {
    const end = bytes.indexOf(NEWLINE, index);
    if (end < 0 || (index > 0 && bytes[index - 1] !== NEWLINE)) continue;
    const line = parseLine(bytes.toString('utf8', index, end));
    if (line?.is === 'state' && line.upto <= from + index) return { state: line.state, offset: line.upto };
  }
  return undefined;
}
