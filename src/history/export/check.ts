/** What `--check` finds. The next export mends only damaged lines of month files: it fetches their cards again. */
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

/** Only a backlog that grows on so many days in a row is told. */
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
  const running = isRunning ? ' One is running now.' : '';
  if (manifest === undefined) {
    const trouble = `${noHistory(directory, ': no export has ended there')}${running}`;
    return { trouble, isOld: false, files: [], notAsked: [] };
  }
  const now = clock.now();
  const files: string[] = [MANIFEST_FILE];
  const trouble =
    troubleOfRuns({ directory, manifest, running }, maxAge, now) ??
    (await troubleOfFiles({ directory, manifest }, files, now)) ??
    troubleOfParts(directory, manifest, { maxAge, now }) ??
    troubleOfBacklog(directory, manifest, now);
  const isOld = (sinceSuccess(manifest, now) ?? 0) > maxAge;
  return { trouble, isOld, files, notAsked: notAsked(manifest, now) };
}

interface CheckedHistory {
  readonly directory: string;
  readonly manifest: ExportManifest;
}

/** Milliseconds since the last successful export; undefined before the first. */
function sinceSuccess(
  { last_success: lastSuccess }: ExportManifest,
  now: number,
): number | undefined {
  const success = parseApiTime(lastSuccess ?? '');
  return success === undefined ? undefined : now - success;
}

/** @param history its `running` is a sentence if a run is under way, else empty */
function troubleOfRuns(
  { directory, manifest, running }: CheckedHistory & { readonly running: string },
  maxAge: number,
  now: number,
): string | undefined {
  const age = sinceSuccess(manifest, now);
  if (age === undefined) {
    const [refusal] = refusalsOf(manifest);
    const why = refusal === undefined ? '' : `: ${refusal.inWords}`;
    return `No export into ${directory} has succeeded yet${why}.${running}`;
  }
  const last = `The last successful export into ${directory}`;
  if (age < -TOLERANCE)
    return `${last} is ${durationInWords(-age)} in the future: this machine's clock was wrong then, or is now.`;
  if (age > maxAge) return `${last} was ${ageInWords(age)} ago.`;
  if (!existsSync(join(directory, JOURNAL_FILE)) || running !== '') return undefined;
  return `The last export into ${directory} was killed. The next run continues from what was saved.`;
}

/** @param files gets the names of the files that are read @throws ScreenerError storage */
async function troubleOfFiles(
  { directory, manifest }: CheckedHistory,
  files: string[],
  now: number,
): Promise<string | undefined> {
  const months = new Months(directory);
  for (const month of Object.keys(manifest.months)) await months.open(month);
  files.push(...months.opened.map(({ path }) => basename(path)));
  const damage = damageSentence(months.damaged);
  if (damage !== undefined) return damage;
  for (const file of months.opened) {
    const missing = missingCards(file, manifest, now);
    if (missing !== undefined) return lackSentence(file, missing);
  }
  for (const name of LOG_FILES) {
    if (!existsSync(join(directory, name))) continue;
    files.push(name);
    const { first: line } = await damageOfLog(directory, name);
    if (line !== undefined)
      return `${join(directory, name)}: line ${line} is damaged, and left out: ${LOST[name]} is not known.`;
  }
  return undefined;
}

/** What is not known if a line of each file is damaged. */
const LOST: Readonly<Record<LogFile, string>> = {
  [FINDINGS_FILE]: 'what it says was found',
  [STATS_FILE]: "the service's answer in it",
  [SCREENERS_FILE]: 'which settings it has',
};

/** Speaks of a part that has been refused for longer than `maxAge`. */
function troubleOfParts(
  directory: string,
  manifest: ExportManifest,
  { maxAge, now }: { readonly maxAge: number; readonly now: number },
): string | undefined {
  const refusal = refusalsOf(manifest).find(({ since }) => now - since > maxAge);
  return refusal === undefined ? undefined : `${directory}: ${refusal.inWords}.`;
}

/** A part of the export that was refused, and was not answered since. */
interface Refusal {
  /** Epoch milliseconds UTC. */
  readonly since: number;
  /** Without a full stop. */
  readonly inWords: string;
}

/** In the order of the parts. */
function refusalsOf({ counts, parts }: ExportManifest): Refusal[] {
  return PART_NAMES.flatMap((name) => {
    const { failure } = parts[name];
    if (failure === null) return [];
    const inWords = refusedInWords(name, failure, counts?.to_buy ?? 0);
    return [{ since: at(failure.since), inWords }];
  });
}

function troubleOfBacklog(
  directory: string,
  manifest: ExportManifest,
  now: number,
): string | undefined {
  const backlog = growingBacklog(manifest, now);
  if (backlog === undefined) return undefined;
  return `${directory}: ${backlog} due outcomes are not bought; this number has grown for a week.`;
}

/**
 * How many due outcomes are not bought, if there were more of them each day for a week. The outcomes that a run left because
 * of the pace, --keep or SCREENER_DAILY do not count: it left them as planned.
 */
function growingBacklog({ days }: ExportManifest, now: number): number | undefined {
  // A week of growth needs a day before it, and today may have no run yet.
  const oldest = now - (GROWING_DAYS + 2) * DAY;
  const recent = days.filter(({ day }) => Date.parse(day) > oldest).slice(-GROWING_DAYS - 1);
  const grows = recent.every(
    ({ backlog }, i) => i === 0 || backlog > (recent[i - 1]?.backlog ?? 0),
  );
  return grows && recent.length > GROWING_DAYS ? recent.at(-1)?.backlog : undefined;
}

function damageSentence(files: readonly MonthFile[]): string | undefined {
  const [file] = files;
  const [first] = file?.damaged ?? [];
  if (file === undefined || first === undefined) return undefined;
  const count = files.reduce((sum, { damaged }) => sum + countDamaged(damaged), 0);
  const others = count > 1 ? `, and ${pluralize(count - 1, 'more line')}` : '';
  const id = /"id":\s*(\d{1,16})\b/.exec(first.texts[0] ?? '')?.[1];
  const card = id === undefined ? 'unknown card' : `card ${id}`;
  const where = `${file.path}: line ${first.number} is damaged (${card})${others}`;
  const isMarked = files.map(markAsChanged);
  if (isMarked.includes(false)) return `${where}.`;
  // For each line a page and an outcome.
  return `${where}. The next export gets what was lost again, for about ${2 * count} credits.`;
}
