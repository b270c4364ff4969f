/** The files that only grow: answers of `/screeners`, answers of `/signal-stats`, and the notebook (`findings.ndjson`). */
import { join } from 'node:path';
import * as v from 'valibot';
import { Screeners, SignalStats } from '../../api/contract/resources.ts';
import { formatApiTime, at as millisOf } from '../../api/time.ts';
import { type Finding, finding } from '../../outcomes/findings.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { appendLine } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { timesOfLines } from './clamp.ts';
import { FINDINGS_FILE, SCREENERS_FILE, STATS_FILE } from './layout.ts';
import { type DamageCount, readValues, timestamp, type ValuesOfFile } from './lines.ts';
import { areSameAnswers, type ScreenersLook } from './settings-periods.ts';

/** A line of the answers of `/signal-stats`. */
const StatsLine = v.object({ asked_at: timestamp, type: v.string(), stats: SignalStats });

/** A line of the answers of `/screeners`. Only an answer that differs from the one before gets a line. */
const ScreenersLine = v.object({
  at: timestamp,
  /** When an export last received the answer of the line before this one; absent if no export received it. */
  before: v.optional(timestamp),
  screeners: Screeners,
});

/** The schema of a line of each file. */
const SCHEMAS = {
  [FINDINGS_FILE]: finding,
  [STATS_FILE]: StatsLine,
  [SCREENERS_FILE]: ScreenersLine,
} as const satisfies Readonly<Record<string, v.GenericSchema>>;

export type LogFile = keyof typeof SCHEMAS;

export const LOG_FILES = Object.keys(SCHEMAS) as readonly LogFile[];

/** The damaged lines of a file. @throws ScreenerError storage */
export async function damageOfLog(directory: string, name: LogFile): Promise<DamageCount> {
  const { damaged } = await readValues<v.GenericSchema>(join(directory, name), SCHEMAS[name]);
  return damaged;
}

/**
 * Appends lines in one write, and waits until they are on the disk. It needs no lock: readers leave out a line that was cut
 * off.
 */
async function append(directory: string, name: LogFile, values: readonly object[]): Promise<void> {
  if (values.length === 0) return;
  const lines = values.map((value) => jsonText(value));
  await appendLine(join(directory, name), lines.join('\n'));
}

interface DatedLine<T> {
  readonly line: T;
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

/**
 * The lines with their times. A time after `latest` is wrong: the time of the next line, or `latest`, replaces it.
 * @param latest epoch milliseconds UTC
 */
function datedLines<T>(
  lines: readonly T[],
  timeOf: (line: T) => number,
  latest: number,
): DatedLine<T>[] {
  const times = timesOfLines(lines.map(timeOf), latest);
  return lines.map((line, i) => ({ line, at: times[i] ?? latest }));
}

/**
 * Reads the notebook.
 * @param latest a line with a later time has a wrong time, which is replaced; epoch milliseconds UTC
 * @returns the lines in the order in which they were written, and how many damaged ones are left out
 * @throws ScreenerError storage
 */
export async function readFindings(
  directory: string,
  latest: number,
): Promise<ValuesOfFile<Finding>> {
  const { values, damaged } = await readValues(join(directory, FINDINGS_FILE), finding);
  const hasWrongTime = values.some((line) => millisOf(line.at) > latest);
  // Wrong times are rare: usually there is no need to format the times of all lines again, which takes long.
  if (!hasWrongTime) return { values, damaged };
  const lines = datedLines<Finding>(values, (line) => millisOf(line.at), latest);
  const findings = lines.map(({ line, at: time }) => ({ ...line, at: formatApiTime(time) }));
  return { values: findings, damaged };
}

/** The notebook is never rewritten. @throws ScreenerError storage */
export function appendFindings(directory: string, findings: readonly Finding[]): Promise<void> {
  return append(directory, FINDINGS_FILE, findings);
}

/** Called with the number of damaged lines of a file, which are left out. */
type DamageListener = (damaged: number, path: string) => void;

/** The listener of exports: they do not speak of damaged lines, because `--check` does. */
const tellNobody: DamageListener = () => {};

/** Reads the lines of a file. @throws ScreenerError storage */
async function readLog<S extends v.GenericSchema>(
  path: string,
  schema: S,
  onDamage: DamageListener,
): Promise<readonly v.InferOutput<S>[]> {
  const { values, damaged } = await readValues(path, schema);
  onDamage(damaged.count, path);
  return values;
}

/**
 * Reads the answers of `/signal-stats`.
 * @param latest a line with a later time has a wrong time, which is replaced; epoch milliseconds UTC
 * @returns oldest first
 * @throws ScreenerError storage
 */
export async function readStatsLog(
  directory: string,
  latest: number,
  onDamage = tellNobody,
): Promise<ServiceAnswer[]> {
  const values = await readLog(join(directory, STATS_FILE), StatsLine, onDamage);
  const lines = datedLines(values, ({ asked_at }) => asked_at, latest);
  const answers = lines.map(({ line, at }) => ({ at, type: line.type, stats: line.stats }));
  return answers.sort((a, b) => a.at - b.at);
}

/** @throws ScreenerError storage */
export function appendStats(
  directory: string,
  ...answers: readonly ServiceAnswer[]
): Promise<void> {
  const lines = answers.map(({ at, type, stats }) => ({
    asked_at: formatApiTime(at),
    type,
    stats,
  }));
  return append(directory, STATS_FILE, lines);
}

/**
 * Reads the answers of `/screeners`.
 * @param latest a line with a later time has a wrong time, which is replaced; epoch milliseconds UTC
 * @returns the answers in the order in which they were written
 * @throws ScreenerError storage
 */
export async function readScreenersLog(
  directory: string,
  latest: number,
  onDamage = tellNobody,
): Promise<ScreenersLook[]> {
  const values = await readLog(join(directory, SCREENERS_FILE), ScreenersLine, onDamage);
  const lines = datedLines(values, ({ at }) => at, latest);
  return lines.map(({ line, at }) => ({ ...line, at }));
}

/**
 * Adds an answer of `/screeners` if it differs from the last one. Two commands may add the same answer at once: readers do not
 * take that for a change of settings.
 * @param lastSeenBefore when an export last received the answer of the file's last line, API time; null if none received it
 * @throws ScreenerError storage
 */
export async function appendScreeners(
  directory: string,
  screeners: Screeners,
  now: number,
  lastSeenBefore: string | null,
): Promise<void> {
  const lastLook = (await readScreenersLog(directory, now)).at(-1);
  if (lastLook !== undefined && areSameAnswers(lastLook.screeners, screeners)) return;
  const line = { at: formatApiTime(now), before: lastSeenBefore ?? undefined, screeners };
  await append(directory, SCREENERS_FILE, [line]);
}
