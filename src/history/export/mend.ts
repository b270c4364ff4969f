/** Damaged lines of month files: an export gets their cards again. */
import { appendLine, storing } from '../../runtime/files.ts';
import type { Notes } from '../../runtime/notes.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { HOUR } from '../../runtime/units.ts';
import { coverageOf, type ExportManifest } from '../store/manifest.ts';
import type { DamagedLine, MonthFile, Months } from '../store/months.ts';
import { applyJournal } from './apply-journal.ts';
import type { LockedHistory } from './open.ts';
import { type Span, storedSpans, without, withSpan } from './spans.ts';

/** Joins damaged hours: one window costs no more than one for each. */
const NEAR = 12 * HOUR;

interface Damage {
  readonly file: MonthFile;
  readonly lines: readonly DamagedLine[];
  readonly windows: readonly Span[];
}

/** A file with too few cards lacks lines that nobody knows. @throws ScreenerError storage */
export async function findDamage(months: Months, manifest: Pick<ExportManifest, 'months'>): Promise<Damage[]> {
  const found: Damage[] = [];
  for (const [month, { cards }] of Object.entries(manifest.months)) {
    const file = await months.open(month);
    const lines = file.damaged;
    const isEmpty = file.lines.size === 0 && lines.length === 0;
    if (!isEmpty && cards > file.lines.size + lines.length) found.push({ file, lines, windows: [wholeMonth(month)] });
    else if (lines.length > 0) found.push({ file, lines, windows: windowsOf(lines) });
  }
  return found;
}

function wholeMonth(month: string): Span {
  const since = Date.parse(`${month}-01T00:00:00Z`);
  return { since, until: new Date(since).setUTCMonth(new Date(since).getUTCMonth() + 1) };
}

function windowsOf(lines: readonly DamagedLine[]): Span[] {
  const wide = lines.map(({ since, until }) => ({ since: since - NEAR / 2, until: until + NEAR / 2 }));
  return wide.reduce(withSpan, storedSpans([])).map(({ since, until }) => ({
    since: Date.parse(since) + NEAR / 2,
    until: Date.parse(until) - NEAR / 2,
  }));
}

export function damageSentence(damage: readonly Damage[]): string | undefined {
  const [first] = damage;
  if (first === undefined) return undefined;
  const [line] = first.lines;
  const where = line === undefined ? 'lacks cards' : `line ${line.number} is damaged (${cardName(line)})`;
  const count = damage.reduce((sum, { lines }) => sum + lines.length, 0);
  const others = count > 1 ? `, and ${pluralize(count - 1, 'more line')}` : '';
  const windows = damage.flatMap((one) => one.windows);
  const outcomes = damage.flatMap(({ lines }) => lines).filter(({ text }) => text.includes('"outcome"')).length;
  const credits = pluralize(windows.length + outcomes, 'credit');
  return `${first.file.path}: ${where}${others}. The next export gets what was lost again, for about ${credits}.`;
}

function cardName({ text }: DamagedLine): string {
  const id = /"id":\s*(\d{1,16})\b/.exec(text)?.[1];
  return id === undefined ? 'unknown card' : `card ${id}`;
}

/** Uncovers the hours of damaged lines, so that the run lists them again. @throws ScreenerError storage */
export async function mendDamage(
  { months, manifest, journal }: LockedHistory,
  notes: Pick<Notes, 'warn'>,
): Promise<void> {
  const damage = await findDamage(months, manifest);
  if (damage.length === 0) return;
  for (const { file, lines } of damage) {
    const aside = `${file.path}.damaged`;
    if (lines.length === 0) notes.warn(`${file.path} lacks cards: listing its month again.`);
    else
      notes.warn(
        `${file.path}: ${pluralize(lines.length, 'damaged line')} set aside in ${aside}; fetching them again.`,
      );
    for (const { text } of lines) await storing(`write ${aside}`, () => appendLine(aside, text));
  }
  const coverage = coverageOf(applyJournal(manifest, journal.entries));
  const spans = damage.flatMap(({ windows }) => windows).reduce(without, coverage.spans);
  await journal.append({
    kind: 'mended',
    months: damage.map(({ file }) => file.month),
    coverage: { ...coverage, spans },
  });
  for (const { file } of damage) file.dropDamaged();
}
