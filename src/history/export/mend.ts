/** Damaged lines of month files: an export gets their cards again. */
import { appendLine } from '../../runtime/files.ts';
import type { Notes } from '../../runtime/notes.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import { monthPath } from '../store/layout.ts';
import { coverageOf, type ExportManifest } from '../store/manifest.ts';
import { type DamagedLine, type MonthFile, type Months, stampOf } from '../store/months.ts';
import { applyJournal } from './apply-journal.ts';
import type { LockedHistory } from './open.ts';
import { type Span, without } from './spans.ts';

/** Joins damaged hours: one window costs no more than one for each. */
const NEAR = 12 * HOUR;

type MonthCounts = ExportManifest['months'];

interface Damage {
  readonly file: MonthFile;
  readonly lines: readonly DamagedLine[];
  readonly windows: readonly Span[];
}

/** A file with too few cards lacks lines that nobody knows. @throws ScreenerError storage */
export async function findDamage(months: Months, counts: MonthCounts): Promise<Damage[]> {
  const found: Damage[] = [];
  for (const [month, { cards }] of Object.entries(counts)) {
    const file = await months.open(month);
    const lines = file.damaged;
    const isEmpty = file.lines.size + lines.length === 0;
    const lacksCards = !isEmpty && cards > file.lines.size + lines.length;
    if (lacksCards || lines.length > 0) found.push({ file, lines, windows: windowsOf(month, lacksCards ? [] : lines) });
  }
  return found;
}

/** @param lines none stands for all of the month */
function windowsOf(month: string, lines: readonly DamagedLine[]): Span[] {
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const whole = { since: start, until: start + 31 * DAY };
  const joined: { since: number; until: number }[] = [];
  for (const { since, until } of lines.length === 0 ? [whole] : lines) {
    const last = joined.at(-1);
    const window = { since: Math.max(since, whole.since), until: Math.min(until, whole.until) };
    if (last !== undefined && window.since <= last.until + NEAR) last.until = Math.max(last.until, window.until);
    else joined.push(window);
  }
  return joined;
}

export function damageSentence(damage: readonly Damage[]): string | undefined {
  const [first] = damage;
  if (first === undefined) return undefined;
  const all = damage.flatMap(({ lines }) => lines);
  const [line] = first.lines;
  const where = line === undefined ? 'lacks cards' : `line ${line.number} is damaged (${cardName(line)})`;
  const others = all.length > 1 ? `, and ${pluralize(all.length - 1, 'more line')}` : '';
  const outcomes = all.filter(({ text }) => text.includes('"outcome"')).length;
  const credits = pluralize(damage.flatMap(({ windows }) => windows).length + outcomes, 'credit');
  return `${first.file.path}: ${where}${others}. The next export gets what was lost again, for about ${credits}.`;
}

function cardName({ text }: DamagedLine): string {
  const id = /"id":\s*(\d{1,16})\b/.exec(text)?.[1];
  return id === undefined ? 'unknown card' : `card ${id}`;
}

/** Only files changed since the last run are read: all of them would take seconds after years. */
async function changedFiles(directory: string, months: MonthCounts): Promise<MonthCounts> {
  const changed: MonthCounts = {};
  for (const [month, counts] of Object.entries(months)) {
    const { size, mtime } = await stampOf(monthPath(directory, month));
    if (size !== counts.size || mtime !== counts.mtime) changed[month] = counts;
  }
  return changed;
}

/** Uncovers the hours of damaged lines, so that the run lists them again. @throws ScreenerError storage */
export async function mendDamage(
  { directory, months, manifest, journal }: LockedHistory,
  notes: Pick<Notes, 'warn'>,
): Promise<void> {
  const damage = await findDamage(months, await changedFiles(directory, manifest.months));
  if (damage.length === 0) return;
  for (const { file, lines } of damage) {
    const aside = `${file.path}.damaged`;
    const what = `${pluralize(lines.length, 'damaged line')} set aside in ${aside}; fetching them again.`;
    notes.warn(lines.length === 0 ? `${file.path} lacks cards: listing its month again.` : `${file.path}: ${what}`);
    for (const { text } of lines) await appendLine(aside, text);
    file.dropDamaged();
  }
  const coverage = coverageOf(applyJournal(manifest, journal.entries));
  const spans = damage.flatMap(({ windows }) => windows).reduce(without, coverage.spans);
  await journal.append({ kind: 'page', items: [], coverage: { ...coverage, spans } });
}
