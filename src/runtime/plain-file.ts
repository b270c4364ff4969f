/** Files of this program: plain ones only. Links may be somebody's trick, and pipes never end. */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { ScreenerError } from '../errors.ts';

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;

/** Undefined on Windows. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

export function belongsToOther({ uid }: Pick<fs.Stats, 'uid'>): boolean {
  const user = effectiveUser();
  return user !== undefined && uid !== user && uid !== 0;
}

/** `ENOENT` and the like; undefined for an error that is not the system's. */
export function errnoOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

export function isMissing(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '');
}

export function notPlain(path: string): ScreenerError {
  return new ScreenerError(
    'storage',
    `${path} is a symbolic link, a device or a pipe where a plain file belongs.`,
    {
      hint: 'Look at what it is, remove it, and run the command again.',
    },
  );
}

/** @returns its descriptor @throws ScreenerError storage, if the file is not plain; else what the system says */
function openPlainFile(path: string, flags: number): number {
  // Windows lacks the flags.
  if (O_NOFOLLOW === 0 && fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw notPlain(path);
  let fd: number;
  try {
    fd = fs.openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (cause) {
    throw ['ELOOP', 'ENXIO', 'EMLINK'].includes(errnoOf(cause) ?? '') ? notPlain(path) : cause;
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw notPlain(path);
}

/** @throws ScreenerError storage, if the file is not plain; else what the system says */
export function withPlainFile<T>(path: string, flags: number, work: (fd: number) => T): T {
  const fd = openPlainFile(path, flags);
  try {
    return work(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function tooLarge(path: string, size: number): ScreenerError {
  return new ScreenerError(
    'storage',
    `${path} has ${size} bytes: this program never writes a file that large.`,
    { hint: 'Move it away, or restore it from a backup.' },
  );
}

/** @param most bytes @returns undefined if there is none @throws as `withPlainFile`; storage, if it is larger */
export function readPlainBytes(path: string, most: number, isOwn = false): Buffer | undefined {
  try {
    return withPlainFile(path, O_RDONLY, (fd) => {
      const { size, uid } = fs.fstatSync(fd);
      // Who can rename above the file may have exchanged it since it was looked at.
      if (isOwn && belongsToOther({ uid }))
        throw new ScreenerError('storage', `${path} belongs to another user`);
      if (size > most) throw tooLarge(path, size);
      return fs.readFileSync(fd);
    });
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

/** Bytes that are read at a time. */
const PIECE = 1 << 20;

/**
 * Reads piece by piece: a file of millions of lines takes no more memory than what is kept of them. A last line needs no
 * newline.
 * @param visit is called with each line @param most bytes
 * @throws as `readPlainBytes`; nothing if there is no file
 */
export function forEachLine(path: string, most: number, visit: (line: string) => void): void {
  let fd: number;
  try {
    fd = openPlainFile(path, O_RDONLY);
  } catch (cause) {
    if (isMissing(cause)) return;
    throw cause;
  }
  try {
    const { size } = fs.fstatSync(fd);
    if (size > most) throw tooLarge(path, size);
    const decoder = new TextDecoder();
    const piece = Buffer.allocUnsafe(PIECE);
    let rest = '';
    for (;;) {
      const length = fs.readSync(fd, piece, 0, PIECE, null);
      rest += decoder.decode(piece.subarray(0, length), { stream: length > 0 });
      const lines = rest.split('\n');
      rest = length > 0 ? (lines.pop() ?? '') : '';
      for (const line of lines) visit(line);
      if (length === 0) return;
    }
  } finally {
    fs.closeSync(fd);
  }
}

export function readPlainFile(path: string, most: number): string | undefined {
  return readPlainBytes(path, most)?.toString('utf8');
}

/** A file of the state folder: what another user laid there is not believed. @throws as `readPlainBytes` */
export function readStateFile(
  stateDirectory: string,
  path: string,
  most: number,
): Buffer | undefined {
  const places = new Set([stateDirectory, dirname(path), path]);
  for (const place of places) checkOwner(place);
  return readPlainBytes(path, most, true);
}

/** A link of the user's own is fine, another user's is not. @throws ScreenerError storage */
export function checkOwner(place: string): void {
  const entry = fs.lstatSync(place, { throwIfNoEntry: false });
  // What a link leads to may belong to somebody else than the link.
  const target = entry?.isSymbolicLink() ? fs.statSync(place, { throwIfNoEntry: false }) : entry;
  for (const stats of [entry, target]) {
    if (stats !== undefined && belongsToOther(stats))
      throw new ScreenerError('storage', `${place} belongs to another user`);
  }
}

/** Makes folders one by one: Node 20 tries for ever to make them all below /proc. @throws what the system says */
export function makeFolders(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path && !fs.existsSync(above)) makeFolders(above);
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw cause;
  }
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Asks about the nearest folder if the path is not there yet. @throws what the system says */
export function checkWritable(path: string): void {
  if (fs.existsSync(path)) fs.accessSync(path, fs.constants.W_OK);
  else checkWritable(dirname(path));
}
