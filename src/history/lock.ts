/**
 * One run at a time per directory.
 *
 * `.lock` is a file of lines, and the order of its lines decides: everybody appends a claim, reads the file, and the
 * first claim whose process still lives has the directory. So a claim left by a killed run is simply passed over, and
 * two runs that notice it at once cannot both win. Whoever holds it empties the file when done.
 */
import { randomBytes } from 'node:crypto';
import { appendFile, readFile, truncate } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ScreenerError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { errnoOf, FILE_MODE, storing } from '../runtime/files.ts';
import { LOCK_FILE } from './layout.ts';

/** How often the holder says that it lives, and after how long a silence it is taken for dead: milliseconds. */
const BEAT_EVERY = 15_000;
const SILENCE = 120_000;

interface Claim {
  readonly claim: string;
  readonly pid: number;
  readonly host: string;
  /** When its process began, as the kernel counts: tells it from a later one with the same pid. Null where unknown. */
  readonly born: string | null;
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

type Line = Claim | { readonly beat: string; readonly at: number } | { readonly end: string };

export interface Lock {
  /** @throws ScreenerError busy, where another run took over while this one was suspended */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** @throws ScreenerError busy, storage */
export async function takeLock(directory: string, clock: Clock, pid: number): Promise<Lock> {
  const path = join(directory, LOCK_FILE);
  const name = randomBytes(8).toString('hex');
  const claim: Claim = { claim: name, pid, host: hostname(), born: await birthOf(pid), at: clock.now() };
  return storing(`lock ${directory}`, async () => {
    for (;;) {
      await append(path, claim);
      const lines = await readLines(path);
      // The holder that is done empties the file, and with it a claim made in that moment.
      if (!lines.some((line) => 'claim' in line && line.claim === name)) continue;
      const holder = await findHolder(lines, clock.now());
      if (holder?.claim === name) return hold(directory, name, clock);
      await append(path, { end: name });
      throw busyError(directory, holder);
    }
  });
}

function hold(directory: string, name: string, clock: Clock): Lock {
  const path = join(directory, LOCK_FILE);
  let lastBeat = clock.now();
  const beat = async () => {
    await append(path, { beat: name, at: clock.now() });
    lastBeat = clock.now();
  };
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_EVERY);
  timer.unref();
  return {
    async check() {
      if (clock.now() - lastBeat < SILENCE / 2) return;
      const holder = await findHolder(await readLines(path), clock.now(), name);
      if (holder?.claim !== name) throw takenOverError(directory);
      await beat();
    },
    async release() {
      clearInterval(timer);
      await truncate(path, 0).catch(() => undefined);
    },
  };
}

/** The first claim that was not given up and whose process lives. `self` lives, whatever the file says. */
async function findHolder(lines: readonly Line[], now: number, self?: string): Promise<Claim | undefined> {
  const ended = new Set(lines.flatMap((line) => ('end' in line ? [line.end] : [])));
  const heard = new Map(lines.flatMap((line) => ('beat' in line ? [[line.beat, line.at] as const] : [])));
  for (const line of lines) {
    if (!('claim' in line) || ended.has(line.claim)) continue;
    if (line.claim === self || (await isAlive(line, now, heard.get(line.claim) ?? line.at))) return line;
  }
  return undefined;
}

/** On this host the kernel knows; of another host only its beats are known. */
async function isAlive(claim: Claim, now: number, heardAt: number): Promise<boolean> {
  if (claim.host === hostname() && claim.born !== null) return (await birthOf(claim.pid)) === claim.born;
  return Math.abs(now - heardAt) < SILENCE;
}

/** Field 22 of /proc/PID/stat; null where there is no such process, or no /proc. */
async function birthOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets, and may hold blanks and brackets itself.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}

async function append(path: string, line: Line): Promise<void> {
  // The newline in front keeps a line that a kill cut off from spoiling this one.
  await appendFile(path, `\n${JSON.stringify(line)}\n`, { mode: FILE_MODE });
}

async function readLines(path: string): Promise<Line[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw cause;
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line);
      return value !== null && typeof value === 'object' ? [value as Line] : [];
    } catch {
      return [];
    }
  });
}

function takenOverError(directory: string): ScreenerError {
  return new ScreenerError('busy', `This run was suspended, and another one took over ${directory}.`, {
    hint: 'Run the command again later: it goes on from what is saved.',
  });
}

function busyError(directory: string, holder: Claim | undefined): ScreenerError {
  const who =
    holder === undefined
      ? 'Another run'
      : `Another run (process ${holder.pid} on ${holder.host}, since ${new Date(holder.at).toISOString()})`;
  return new ScreenerError('busy', `${who} is exporting into ${directory}.`, {
    hint: 'Wait until it is done. Nothing was sent, and nothing was spent.',
  });
}
