/** Reads the program's own files. They must be plain: a link may lead anywhere, and a pipe may never end. */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { ScreenerError } from '../errors.ts';

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;

/** The id of the user for whom this process runs; undefined on Windows. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

/** Whether a file belongs to another user. The administrator (0) counts as no other: he may do anything anyway. */
export function belongsToOther({ uid }: Pick<fs.Stats, 'uid'>): boolean {
  const user = effectiveUser();
  return user !== undefined && uid !== user && uid !== 0;
}

/** `ENOENT` and the like; undefined for an error that is not the system's. */
export function errnoOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Errors for a file that does not exist (ENOENT), or below something that is no folder (ENOTDIR). */
const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Whether an error says that a file, or a folder on its path, does not exist. */
export function isMissing(cause: unknown): boolean {
  return MISSING.has(errnoOf(cause) ?? '');
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

/** An open file. */
interface OpenFile {
  /** The file's descriptor. */
  readonly fd: number;
  /** Its size, owner and so on, as they were when it was opened. */
  readonly stats: fs.Stats;
}

/** Errors of opening what is not plain: a link (ELOOP, on BSD EMLINK), or a pipe that nobody reads (ENXIO). */
const NOT_PLAIN: ReadonlySet<string> = new Set(['ELOOP', 'EMLINK', 'ENXIO']);

/** @throws ScreenerError storage, if the file is not plain; otherwise the system's error */
function openPlainFile(path: string, flags: number): OpenFile {
  // Windows has no O_NOFOLLOW: there the program looks for a link before it opens the file.
  if (O_NOFOLLOW === 0 && fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw notPlain(path);
  let fd: number;
  try {
    fd = fs.openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (cause) {
    if (NOT_PLAIN.has(errnoOf(cause) ?? '')) throw notPlain(path);
    throw cause;
  }
  const stats = fs.fstatSync(fd);
  if (stats.isFile()) return { fd, stats };
  fs.closeSync(fd);
  throw notPlain(path);
}

/** Opens a file for `work`, and closes it. @throws ScreenerError storage, if it is not plain; or the system's error */
export function withPlainFile<T>(path: string, flags: number, work: (file: OpenFile) => T): T {
  const file = openPlainFile(path, flags);
  try {
    return work(file);
  } finally {
    fs.closeSync(file.fd);
  }
}

function tooLarge(path: string, size: number): ScreenerError {
  return new ScreenerError(
    'storage',
    `${path} has ${size} bytes: this program never writes a file that large.`,
    { hint: 'Move it away, or restore it from a backup.' },
  );
}

/**
 * Reads a whole file.
 * @param maxBytes a larger file is an error
 * @param mustBeOwn whether a file of another user is an error
 * @returns undefined if there is no file
 * @throws ScreenerError storage; or the system's error
 */
export function readPlainBytes(
  path: string,
  maxBytes: number,
  { mustBeOwn = false }: { readonly mustBeOwn?: boolean } = {},
): Buffer | undefined {
  try {
    return withPlainFile(path, O_RDONLY, ({ fd, stats: { size, uid } }) => {
      // The owner is checked here, too: since the caller looked, another file may have come to this path.
      if (mustBeOwn && belongsToOther({ uid }))
        throw new ScreenerError('storage', `${path} belongs to another user`);
      if (size > maxBytes) throw tooLarge(path, size);
      return fs.readFileSync(fd);
    });
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

/**
 * How many bytes are read at a time. Larger pieces are slower: V8 asks the system for memory for the text of each. That took two
 * thirds of the time of reading a month.
 */
const PIECE_BYTES = 64 * 1024;

/**
 * Reads a file piece by piece, so that even millions of lines take little memory. The last line needs no newline. A file that
 * does not exist has no lines.
 * @param maxBytes a larger file is an error
 * @param visit is called with each line; after a last newline, also with an empty one
 * @throws ScreenerError storage; or the system's error
 */
export function forEachLine(path: string, maxBytes: number, visit: (line: string) => void): void {
  let file: OpenFile;
  try {
    file = openPlainFile(path, O_RDONLY);
  } catch (cause) {
    if (isMissing(cause)) return;
    throw cause;
  }
  const { fd, stats } = file;
  const { size } = stats;
  try {
    if (size > maxBytes) throw tooLarge(path, size);
    const decoder = new TextDecoder();
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let unfinishedLine = '';
    for (;;) {
      const length = fs.readSync(fd, piece, 0, piece.length, null);
      const isEnd = length === 0;
      const lines = decoder.decode(piece.subarray(0, length), { stream: !isEnd }).split('\n');
      lines[0] = unfinishedLine + (lines[0] ?? '');
      // What follows the last newline is the beginning of a line. The end of that line is in the next piece.
      unfinishedLine = isEnd ? '' : (lines.pop() ?? '');
      for (const line of lines) visit(line);
      if (isEnd) return;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * The text of a file; undefined if there is no file.
 * @param maxBytes a larger file is an error
 * @throws what `readPlainBytes` throws
 */
export function readPlainFile(path: string, maxBytes: number): string | undefined {
  return readPlainBytes(path, maxBytes)?.toString('utf8');
}

/**
 * Reads a file below the state directory; undefined if there is no file. Its folder and the state directory are checked, too.
 * @throws ScreenerError storage, if one of the three belongs to another user; and what `readPlainBytes` throws
 */
export function readStateFile(
  stateDirectory: string,
  path: string,
  maxBytes: number,
): Buffer | undefined {
  // A set, because the file may lie in the state directory itself.
  const paths = new Set([stateDirectory, dirname(path), path]);
  for (const each of paths) checkOwner(each);
  return readPlainBytes(path, maxBytes, { mustBeOwn: true });
}

/** Refuses a file, folder or link of another user. @throws ScreenerError storage */
export function checkOwner(path: string): void {
  const entry = fs.lstatSync(path, { throwIfNoEntry: false });
  // A link and what it leads to may have different owners.
  const target = entry?.isSymbolicLink() ? fs.statSync(path, { throwIfNoEntry: false }) : entry;
  for (const stats of [entry, target]) {
    if (stats !== undefined && belongsToOther(stats))
      throw new ScreenerError('storage', `${path} belongs to another user`);
  }
}

/**
 * Makes a folder, and those above it, one by one. (With `recursive`, `mkdir` of Node 20 would loop forever below /proc.)
 * @throws the system's error
 */
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

/** Checks that a path may be written. If it does not exist, the nearest folder above it is checked. @throws the system's error */
export function checkWritable(path: string): void {
  if (fs.existsSync(path)) fs.accessSync(path, fs.constants.W_OK);
  else checkWritable(dirname(path));
}
