/**
 * Lines of large files, in batches, forwards and backwards, in constant memory. A batch's buffers are valid until the
 * next batch is asked for.
 */
import { open } from 'node:fs/promises';
import { errnoOf } from './storage.ts';

const BLOCK = 1 << 18;
const NEWLINE = 10;

/**
 * The lines that begin in bytes [start, end), oldest first, without their newlines; empty lines are left out. The last
 * one may lack its newline. A missing file has no lines.
 */
export async function* linesForwards(
  path: string,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer[]> {
  const file = await openIfThere(path);
  if (file === undefined) return;
  try {
    // A line belongs to the range it begins in: looking at the byte before tells whether one begins at `start`.
    let position = Math.max(0, start - 1);
    let skipping = start > 0;
    let rest: Buffer = Buffer.alloc(0);
    let lineAt = start;
    for (;;) {
      const block = Buffer.allocUnsafe(BLOCK);
      const { bytesRead } = await file.read(block, 0, BLOCK, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      let fresh = block.subarray(0, bytesRead);
      if (skipping) {
        const newline = fresh.indexOf(NEWLINE);
        if (newline === -1) continue;
        skipping = false;
        lineAt = position - fresh.length + newline + 1;
        fresh = fresh.subarray(newline + 1);
      }
      const data = rest.length === 0 ? fresh : Buffer.concat([rest, fresh]);
      const batch: Buffer[] = [];
      let from = 0;
      while (lineAt + from < end) {
        const newline = data.indexOf(NEWLINE, from);
        if (newline === -1) break;
        if (newline > from) batch.push(data.subarray(from, newline));
        from = newline + 1;
      }
      if (batch.length > 0) yield batch;
      lineAt += from;
      if (lineAt >= end) return;
      rest = data.subarray(from);
    }
    if (rest.length > 0 && lineAt < end) yield [rest];
  } finally {
    await file.close();
  }
}

/** The lines of a file, last one first, read in blocks from its end. A missing file has no lines. */
export async function* linesBackwards(path: string): AsyncGenerator<Buffer[]> {
  const file = await openIfThere(path);
  if (file === undefined) return;
  try {
    let position = (await file.stat()).size;
    let rest: Buffer = Buffer.alloc(0);
    while (position > 0) {
      const length = Math.min(BLOCK, position);
      position -= length;
      const block = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(block, filled, length - filled, position + filled);
        if (bytesRead === 0) return;
        filled += bytesRead;
      }
      const data = rest.length === 0 ? block : Buffer.concat([block, rest]);
      const batch: Buffer[] = [];
      let to = data.length;
      while (to > 0) {
        const newline = data.lastIndexOf(NEWLINE, to - 1);
        if (newline === -1) break;
        if (newline + 1 < to) batch.push(data.subarray(newline + 1, to));
        to = newline;
      }
      rest = data.subarray(0, to);
      if (batch.length > 0) yield batch;
    }
    if (rest.length > 0) yield [rest];
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string) {
  try {
    return await open(path, 'r');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) return undefined;
    throw cause;
  }
}
