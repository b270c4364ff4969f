/** What `--check` finds; of that, the next export mends damaged lines of month files: it gets their cards again. */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { parseApiTime } from '../../api/time.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Notes } from '../../runtime/context.ts';
import { appendLine } from '../../runtime/files.ts';
import { isLocked } from '../../runtime/lock.ts';
import { DAY, durationInWords, HOUR, MINUTE, pluralize } from '../../runtime/units.ts';
import { readFindings } from '../store/answers.ts';
import {
  FINDINGS_FILE,
  JOURNAL_FILE,
  MANIFEST_FILE,
  monthPath,
  noHistory,
} from '../store/layout.ts';
import { type ExportManifest, loadManifest } from '../store/manifest.ts';
import { countDamaged, type DamagedLines, type MonthFile, Months } from '../store/months.ts';
import { type Span, without } from './spans.ts';
import type { WorkingHistory } from './working-history.ts';

const TOLERANCE = 5 * MINUTE;

const GROWING_DAYS = 7;

/** @param maxAge milliseconds @returns a sentence that says what is wrong; undefined where nothing is */
export async function findTrouble(
  directory: string,
  maxAge: number,
  clock: Clock,
): Promise<string | undefined> {
  const manifest = await loadManifest(directory);
  const running = isLocked(directory) ? ' One is running now.' : '';
  if (manifest === undefined)
    return `${noHistory(directory, ': no export has ended there')}${running}`;
  const success = parseApiTime(manifest.last_success ?? '');
  if (success === undefined) return `No export into ${directory} has succeeded yet.${running}`;
  const age = clock.now() - success;
  const last = `The last successful export into ${directory}`;
  if (age < -TOLERANCE)
    return `${last} is ${durationInWords(-age)} in the future: this machine's clock was wrong then, or is now.`;
  if (age > maxAge) return `${last} was ${durationInWords(age)} ago.`;
  if (existsSync(join(directory, JOURNAL_FILE)) && running === '') {
    return `The last export into ${directory} was killed. The next run continues from what was saved.`;
  }
  const months = new Months(directory);
  const damage = damageSentence(await findDamage(months, Object.keys(manifest.months)));
  if (damage !== undefined) return damage;
  const cut = months.opened.find(
    ({ month, cards }) => cards.size < (manifest.months[month]?.cards ?? 0),
  );
  if (cut !== undefined) {
    return `${cut.path} lacks cards: it has ${cut.cards.size} of ${manifest.months[cut.month]?.cards}. Restore it from a backup.`;
  }
  const { first: line } = (await readFindings(directory, clock.now())).damaged;
  if (line !== undefined) {
    return `${join(directory, FINDINGS_FILE)}: line ${line} is damaged, and left out: what it says was found is not known.`;
  }
  const backlog = growingBacklog(manifest, clock.now());
  return (
    backlog &&
    `${directory}: ${backlog} due outcomes are not bought; this number has grown for a week.`
  );
}

/** Counts no run that the pace ended: its backlog is as planned. */
function growingBacklog({ days }: ExportManifest, now: number): string | undefined {
  const recent = days
    .filter(({ day }) => Date.parse(day) > now - (GROWING_DAYS + 2) * DAY)
    .slice(-GROWING_DAYS - 1);
  const grows = recent.every(
    ({ backlog }, i) => i === 0 || backlog > (recent[i - 1]?.backlog ?? 0),
  );
  return grows && recent.length > GROWING_DAYS ? String(recent.at(-1)?.backlog) : undefined;
}

async function findDamage(months: Months, names: readonly string[]): Promise<MonthFile[]> {
  for (const month of names) await months.open(month);
  return months.opened.filter(({ damaged }) => damaged.length > 0);
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
  // A page and an outcome each.
  return `${where}. The next export gets what was lost again, for about ${2 * count} credits.`;
}

/** From the card before them to the one after, within their month; whole hours, so that many lines share a page. */
function windowOf(month: string, lines: DamagedLines): Span {
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const since = Math.max(lines.since, start);
  const until = Math.min(lines.until, start + 31 * DAY);
  return { since: Math.floor(since / HOUR) * HOUR, until: Math.ceil(until / HOUR) * HOUR };
}

/** Only files changed since the last run are read: all of them would take seconds after years. */
function changedMonths(directory: string, { months }: ExportManifest): string[] {
  // The status time, which nothing sets back: a file from a backup has an old time of modification.
  const timeOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  const last = timeOf(join(directory, MANIFEST_FILE));
  return Object.keys(months).filter((month) => timeOf(monthPath(directory, month)) >= last);
}

/** Uncovers the hours of damaged lines, so that the run lists them again. @throws ScreenerError storage */
export async function mendDamage(
  history: WorkingHistory,
  notes: Pick<Notes, 'warn'>,
): Promise<void> {
  const { directory, months, manifest } = history;
  let { spans } = manifest;
  for (const file of await findDamage(months, changedMonths(directory, manifest))) {
    const { path, month, damaged } = file;
    const aside = `${path}.damaged`;
    const lines = pluralize(countDamaged(damaged), 'damaged line');
    notes.warn(`${path}: ${lines} set aside in ${aside}; fetching them again.`);
    await appendLine(aside, damaged.flatMap(({ texts }) => texts).join('\n'));
    spans = damaged.map((lines) => windowOf(month, lines)).reduce(without, spans);
    file.damaged = [];
    file.isChanged = true;
  }
  if (spans !== manifest.spans) await history.savePage([], { spans });
}
