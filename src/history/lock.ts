/**
 * One run at a time per directory.
 *
 * `.lock` is a file of lines, and the order of its lines decides: everybody appends a claim, reads the file, and the
 * first claim whose process still lives has the directory. So a claim left by a killed run is simply passed over, and
 * two runs that notice it at once cannot both win. Whoever holds it empties the file when done.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ScreenerError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { openPlainFile, readPlainFile, storing } from '../runtime/files.ts';
import { isProcessAlive, processBirth, processPlace } from '../runtime/process-life.ts';
import { LOCK_FILE } from './layout.ts';

/** How often the holder says that it lives, and after how long a silence it is taken for dead: milliseconds. */
const BEAT_EVERY = 15_000;
const SILENCE = 120_000;

interface Claim {
  readonly claim: string;
  readonly pid: number;
  readonly host: string;
  /** Where its pid means something; claims of earlier versions lack it. */
  readonly place?: string;
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
  const claim: Claim = {
    claim: name,
    pid,
    host: hostname(),
    place: await placeHere(),
    born: processBirth(pid),
    at: clock.now(),
  };
  return storing(`lock ${directory}`, async () => {
    for (;;) {
      await append(path, claim);
      const lines = await readLines(path);
      // The holder that is done empties the file, and with it a claim made in that moment.
      if (!lines.some((line) => 'claim' in line && line.claim === name)) continue;
      const holder = await findHolder(lines, clock.now(), name);
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
      await empty(path).catch(() => undefined);
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

/**
 * In this place the system knows; of another container or machine only its beats are known. Without a time of birth the
 * pid may be another process's by now: then the beats are asked too.
 */
async function isAlive(claim: Claim, now: number, heardAt: number): Promise<boolean> {
  const wasHeard = Math.abs(now - heardAt) < SILENCE;
  if (claim.place !== (await placeHere())) return wasHeard;
  return isProcessAlive(claim.pid, claim.born) && (claim.born !== null || wasHeard);
}

/** Two machines may share a host name, and the first namespace of processes has one number everywhere. */
async function placeHere(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '');
  return `${processPlace()} ${boot.trim()}`;
}

async function append(path: string, line: Line): Promise<void> {
  const file = await openPlainFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  try {
    // The newline in front keeps a line that a kill cut off from spoiling this one.
    await file.appendFile(`\n${JSON.stringify(line)}\n`);
  } finally {
    await file.close();
  }
}

/** A few lines a run; a file beyond this is none of ours. Bytes. */
const LARGEST_LOCK = 16 << 20;

async function readLines(path: string): Promise<Line[]> {
  const bytes = (await readPlainFile(path, LARGEST_LOCK)) ?? Buffer.alloc(0);
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const value = JSON.parse(line);
        return value !== null && typeof value === 'object' ? [value as Line] : [];
      } catch {
        return [];
      }
    });
}

/** Windows lets nobody cut a file through a handle that was opened for appending. */
async function empty(path: string): Promise<void> {
  const file = await openPlainFile(path, constants.O_RDWR);
  try {
    await file.truncate(0);
  } finally {
    await file.close();
  }
}

/** Whether a run has the directory now. @throws ScreenerError storage */
export async function isLocked(directory: string, clock: Clock): Promise<boolean> {
  const path = join(directory, LOCK_FILE);
  return storing(`read ${path}`, async () => (await findHolder(await readLines(path), clock.now())) !== undefined);
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
