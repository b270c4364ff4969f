/** What `--check` finds. Of all this, the next export mends one thing, damaged lines of month files: it fetches their cards again. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { at, parseApiTime } from '../../api/time.ts';
import { ageInWords, DAY, durationInWords, MINUTE, pluralize } from '../../base/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { withStorageErrors } from '../../runtime/files.ts';
import { isLocked } from '../../runtime/lock.ts';
import { damageOfLog, LOG_FILES, type LogFile } from '../store/answers.ts';
import {
  FINDINGS_FILE,
  JOURNAL_FILE,
  MANIFEST_FILE,
  noHistory,
  SCREENERS_FILE,
  STATS_FILE,
} from '../store/layout.ts';
import { type ExportManifest, loadManifest } from '../store/manifest.ts';
import { countDamaged, type MonthFile, Months } from '../store/months.ts';
import { PART_NAMES } from '../store/part-states.ts';
import { lackSentence, markAsChanged, missingCards } from './damage.ts';
import { type NotAsked, notAsked } from './not-asked.ts';
import { refusedInWords } from './refused.ts';

/** How far the last success may lie in the future, milliseconds: clocks differ. */
const TOLERANCE = 5 * MINUTE;

/**
 * The user is told of a backlog only if it grew from each day with a run to the next, seven times. One day without a run may lie
 * between them.
 */
const GROWING_DAYS = 7;

/** What `--check` has to say. */
export interface CheckReport {
  /** What is wrong, as a sentence; undefined if nothing is. */
  readonly trouble: string | undefined;
  /** Whether the last successful export is older than it may be. */
  readonly isOld: boolean;
  /** The names of the files that were read for it, in the order of reading. */
  readonly files: readonly string[];
  readonly notAsked: readonly NotAsked[];
}

/** @param maxAge how old the last successful export may be, milliseconds @throws ScreenerError storage */
export async function checkHistory(
  directory: string,
  maxAge: number,
  clock: Clock,
): Promise<CheckReport> {
  const manifest = await loadManifest(directory);
  const isRunning = await withStorageErrors(`read ${directory}`, () => isLocked(directory));
  if (manifest === undefined) {
    const trouble = `${noHistory(directory, ': no export has ended there')}${runningText(isRunning)}`;
    return { trouble, isOld: false, files: [], notAsked: [] };
  }
  const now = clock.now();
  const history: CheckedHistory = { directory, manifest, now };
  const files: string[] = [MANIFEST_FILE];
  const trouble =
    troubleOfRuns(history, { maxAge, isRunning }) ??
    (await troubleOfFiles(history, files)) ??
    troubleOfParts(history, maxAge) ??
    troubleOfBacklog(history);
  const isOld = (sinceSuccess(manifest, now) ?? 0) > maxAge;
  return { trouble, isOld, files, notAsked: notAsked(manifest, now) };
}

interface CheckedHistory {
  readonly directory: string;
  readonly manifest: ExportManifest;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** Follows the sentence that no export has ended, or succeeded, yet. */
const runningText = (isRunning: boolean) => (isRunning ? ' One is running now.' : '');

/** Milliseconds since the last successful export; undefined before the first. */
function sinceSuccess(
  { last_success: lastSuccess }: ExportManifest,
  now: number,
): number | undefined {
  const success = parseApiTime(lastSuccess ?? '');
  return success === undefined ? undefined : now - success;
}

function troubleOfRuns(
  { directory, manifest, now }: CheckedHistory,
  { maxAge, isRunning }: { readonly maxAge: number; readonly isRunning: boolean },
): string | undefined {
  const age = sinceSuccess(manifest, now);
  if (age === undefined) {
    const [refusal] = refusalsOf(manifest);
    const why = refusal === undefined ? '' : `: ${refusal.inWords}`;
    return `No export into ${directory} has succeeded yet${why}.${runningText(isRunning)}`;
  }
  const last = `The last successful export into ${directory}`;
  if (age < -TOLERANCE)
    return `${last} is ${durationInWords(-age)} in the future: this machine's clock was wrong then, or is now.`;
  if (age > maxAge) return `${last} was ${ageInWords(age)} ago.`;
  const isJournalLeft = existsSync(join(directory, JOURNAL_FILE));
  if (!isJournalLeft || isRunning) return undefined;
  return `The last export into ${directory} did not end: it was killed, or could not write. The next run continues from what was saved.`;
}

/**
 * Reads all files. Touches damaged month files, so that they count as changed: the next export reads only changed files.
 * @param files gets the names of the files that are read
 * @throws ScreenerError storage
 */
async function troubleOfFiles(
  { directory, manifest }: CheckedHistory,
  files: string[],
): Promise<string | undefined> {
  const months = new Months(directory);
  for (const month of Object.keys(manifest.months)) await months.open(month);
  files.push(...months.opened.map(({ path }) => basename(path)));
  const damage = damageInWords(months.damaged);
  if (damage !== undefined) {
    let areAllTouched = true;
    for (const file of months.damaged) {
      if (!markAsChanged(file)) areAllTouched = false;
    }
    return areAllTouched ? `${damage.where} ${damage.remedy}` : damage.where;
  }
  for (const file of months.opened) {
    const missing = missingCards(file, manifest);
    if (missing !== undefined) return lackSentence(file, missing);
  }
  for (const name of LOG_FILES) {
    if (!existsSync(join(directory, name))) continue;
    files.push(name);
    const { first: line } = await damageOfLog(directory, name);
    if (line !== undefined)
      return `${join(directory, name)}: line ${line} is damaged, and left out: ${LOST[name]}.`;
  }
  return undefined;
}

/** What is lost with a damaged line of each file. */
const LOST: Readonly<Record<LogFile, string>> = {
  [FINDINGS_FILE]: 'the finding in it is lost',
  [STATS_FILE]: "the service's answer in it is lost",
  [SCREENERS_FILE]: 'the settings in it are lost',
};

/** Names a part that has been refused for longer than `maxAge`, without a success in between. */
function troubleOfParts(
  { directory, manifest, now }: CheckedHistory,
  maxAge: number,
): string | undefined {
  const refusal = refusalsOf(manifest).find(({ since }) => now - since > maxAge);
  return refusal === undefined ? undefined : `${directory}: ${refusal.inWords}.`;
}

/** A part of the export that was refused, and has not succeeded since. In the manifest, it has a `failure`. */
interface RefusedPart {
  /** Epoch milliseconds UTC. */
  readonly since: number;
  /** Without a full stop. */
  readonly inWords: string;
}

/** The refused parts, in the order of the parts of a run. */
function refusalsOf({ counts, parts }: ExportManifest): RefusedPart[] {
  const refusals: RefusedPart[] = [];
  for (const name of PART_NAMES) {
    const { failure } = parts[name];
    if (failure === null) continue;
    const inWords = refusedInWords(name, failure, counts?.to_buy ?? 0);
    refusals.push({ since: at(failure.since), inWords });
  }
  return refusals;
}

function troubleOfBacklog({ directory, manifest, now }: CheckedHistory): string | undefined {
  const backlog = growingBacklog(manifest, now);
  if (backlog === undefined) return undefined;
  return `${directory}: ${backlog} due outcomes are not bought; this number has grown for a week.`;
}

/**
 * How many due outcomes are not bought, if their number has grown on each of the last days. Undefined if it has not grown: a run
 * that left outcomes on purpose (because of the pace, --keep or SCREENER_DAILY) has written a `backlog` of 0.
 */
function growingBacklog({ days }: ExportManifest, now: number): number | undefined {
  // To grow seven times, a backlog needs eight days.
  const daysNeeded = GROWING_DAYS + 1;
  // These days may lie within nine days, because one day, such as today, may have no run.
  const oldest = now - (daysNeeded + 1) * DAY;
  const recent = days.filter(({ day }) => Date.parse(day) > oldest).slice(-daysNeeded);
  if (recent.length < daysNeeded) return undefined;
  const backlogs = recent.map(({ backlog }) => backlog);
  const grows = backlogs.every((backlog, i) => i === 0 || backlog > (backlogs[i - 1] ?? 0));
  return grows ? backlogs.at(-1) : undefined;
}

/** Damaged lines of month files, in words. */
interface DamageInWords {
  readonly where: string;
  /** What the next export does about the damage, if it reads the files. */
  readonly remedy: string;
}

/** @returns undefined if no line is damaged */
function damageInWords(files: readonly MonthFile[]): DamageInWords | undefined {
  const [file] = files;
  const [first] = file?.damaged ?? [];
  if (file === undefined || first === undefined) return undefined;
  const count = files.reduce((sum, { damaged }) => sum + countDamaged(damaged), 0);
  const others = count > 1 ? `, and ${pluralize(count - 1, 'more line')}` : '';
  const id = /"id":\s*(\d{1,16})\b/.exec(first.texts[0] ?? '')?.[1];
  const card = id === undefined ? 'unknown card' : `card ${id}`;
  // A page of the list and an outcome cost a credit each.
  const credits = 2 * count;
  return {
    where: `${file.path}: line ${first.number} is damaged (${card})${others}.`,
    remedy: `The next export gets what was lost again, for about ${credits} credits.`,
  };
}
