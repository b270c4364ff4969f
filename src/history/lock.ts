/**
 * One run at a time per directory.
 *
 * `.lock` is a file of lines, and the order of its lines decides: everybody appends a claim, reads the file, and the
 * first claim whose process still lives has the directory. So a claim left by a killed run is simply passed over, and
 * two runs that notice it at once cannot both win. Whoever holds it empties the file when done.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { ScreenerError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { appendLine, storing, truncateFile } from '../runtime/files.ts';
import { isProcessAlive, processBirth, processPlace } from '../runtime/process-life.ts';
import { LOCK_FILE } from './store/layout.ts';
import { readValues } from './store/lines.ts';

/** How often the holder says that it lives, and after how long a silence it is taken for dead: milliseconds. */
const BEAT_EVERY = 15_000;
const SILENCE = 120_000;

/** A run of a day says some 6,000 times that it lives. Bytes. */
const LARGEST_LOCK = 4 << 20;

/** Epoch milliseconds UTC. */
const at = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

const Claim = v.object({
  claim: v.string(),
  pid: v.number(),
  host: v.string(),
  /** Where its pid means something. */
  place: v.string(),
  /** When its process began, as the kernel counts: tells it from a later one with the same pid. Null where unknown. */
  born: v.nullable(v.string()),
  at,
});

/** A claim, a sign of life of who made it, or that it was given up. */
const Line = v.union([Claim, v.object({ beat: v.string(), at }), v.object({ end: v.string() })]);

type Claim = v.InferOutput<typeof Claim>;
type Line = v.InferOutput<typeof Line>;

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
    place: processPlace(),
    born: processBirth(pid),
    at: clock.now(),
  };
  return storing(`lock ${directory}`, async () => {
    let lines: Line[];
    do {
      await append(path, claim);
      lines = await linesOf(path);
      // The holder that is done empties the file, and with it a claim made in that moment.
    } while (!lines.some((line) => 'claim' in line && line.claim === name));
    const holder = findHolder(lines, clock.now(), name);
    if (holder?.claim === name) return hold(directory, name, clock);
    await append(path, { end: name });
    throw busyError(directory, holder);
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
      const holder = findHolder(await linesOf(path), clock.now(), name);
      if (holder?.claim !== name) throw takenOverError(directory);
      await beat();
    },
    async release() {
      clearInterval(timer);
      await truncateFile(path, 0).catch(() => undefined);
    },
  };
}

/** Whether a run has the directory now. @throws ScreenerError storage */
export async function isLocked(directory: string, clock: Clock): Promise<boolean> {
  return findHolder(await linesOf(join(directory, LOCK_FILE)), clock.now()) !== undefined;
}

/** The first claim that was not given up and whose process lives. `self` lives, whatever the file says. */
function findHolder(lines: readonly Line[], now: number, self?: string): Claim | undefined {
  const here = processPlace();
  const ended = new Set(lines.map((line) => ('end' in line ? line.end : undefined)));
  const heard = new Map(lines.flatMap((line) => ('beat' in line ? [[line.beat, line.at] as const] : [])));
  return lines.find((line): line is Claim => {
    if (!('claim' in line) || ended.has(line.claim)) return false;
    if (line.claim === self) return true;
    const wasHeard = Math.abs(now - (heard.get(line.claim) ?? line.at)) < SILENCE;
    // In this place the system knows; of another container or machine only its beats are known. Without a time of birth
    // the pid may be another process's by now: then the beats are asked too.
    if (line.place !== here) return wasHeard;
    return isProcessAlive(line.pid, line.born) && (line.born !== null || wasHeard);
  });
}

function append(path: string, line: Line): Promise<void> {
  return appendLine(path, JSON.stringify(line));
}

/** A line that is none was written by no run of this program. */
function linesOf(path: string): Promise<Line[]> {
  return readValues(path, Line, LARGEST_LOCK);
}

function takenOverError(directory: string): ScreenerError {
  return new ScreenerError('busy', `This run was suspended, and another one took over ${directory}.`, {
    hint: 'Run the command again later: it goes on from what is saved.',
  });
}

function busyError(directory: string, holder: Claim | undefined): ScreenerError {
  const since = holder && new Date(holder.at).toISOString();
  const who = holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host}, since ${since})`;
  return new ScreenerError('busy', `Another run${who} is exporting into ${directory}.`, {
    hint: 'Wait until it is done. Nothing was sent, and nothing was spent.',
  });
}
