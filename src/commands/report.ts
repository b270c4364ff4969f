import { formatApiTime } from '../api/time.ts';
import { lastSuccess, loadManifest } from '../history/export-manifest.ts';
import type { Comparison } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import type { Row } from '../outcomes/row.ts';
import type { GroupBy } from '../outcomes/types.ts';
import { minuteTime } from '../output/format.ts';
import { count } from '../report/format.ts';
import { type ReportInput, reportPage } from '../report/report.ts';
import { writeOutputFile } from '../runtime/files.ts';
import { version } from '../version.ts';
import type { WithDirectory } from './declaration.ts';
import type { ReportOptions } from './declarations/report.ts';
import { changesWithin, readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { plannedFree } from './plan.ts';

type Options = ReportOptions & WithDirectory;

/**
 * `screener report FILE`: a history's outcomes as one HTML page with pictures, complete in itself; 0 credits, no
 * network. The same history at the same time gives the same bytes.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { context, notes } = invocation;
  if (await plannedFree(invocation)) return;
  const rows = await readRows(invocation, options.directory, options);
  const page = reportPage(await inputOf(invocation, options, rows));
  if (options.file === '-') return context.stdout.write(page);
  await writeOutputFile(options.file, page);
  notes.note(`Report written: ${options.file}`);
  if (!options.open) return;
  const { openFile } = await import('../runtime/open-file.ts');
  if (!(await openFile(options.file, context.env)))
    notes.note('No desktop was found to show it: open the file in a browser.');
}

async function inputOf(invocation: Invocation, options: Options, rows: readonly Row[]): Promise<ReportInput> {
  const now = invocation.context.clock.now();
  const by = (group: GroupBy) => figuresOf(rows, { by: group, now });
  const byType = by('type');
  const changes = await changesWithin(rows, options, now);
  return {
    cards: rows,
    facts: await factsOf(invocation, options, rows, byType),
    warnings: changes.map(
      ({ at, types }) =>
        `The settings of ${types.join(', ')} changed by ${minuteOf(at)} UTC: figures from before and after mix two settings. --since ${formatApiTime(at)} leaves the older cards out.`,
    ),
    byType,
    bySymbol: by('symbol'),
    byHour: by('hour'),
    byWeekday: by('weekday'),
    footer: `Made by screener ${version}, ${minuteOf(now)} UTC.`,
  };
}

/** What the report is of. */
async function factsOf(
  { context, globals }: Invocation,
  { directory, from: named, since, until, symbol, type }: Options,
  rows: readonly Row[],
  { groups }: Comparison,
): Promise<[string, string][]> {
  const sum = (name: 'bought' | 'due') => groups.reduce((total, group) => total + group[name], 0);
  const from = since ?? rows.at(-1)?.at ?? context.clock.now();
  const to = until ?? rows[0]?.at ?? from;
  // The demo's directory is gone when the page is read.
  const name = globals.demo && named === undefined ? 'invented by the demo' : directory;
  const exported = lastSuccess(await loadManifest(directory));
  return [
    ['Cards', `${minuteOf(from)} to ${minuteOf(to)} UTC`],
    ['Filter', [type ?? 'all screener types', symbol ?? 'all symbols'].join(', ')],
    ['Outcomes bought', `${count(sum('bought'))}; ${count(sum('due'))} are due`],
    ['History', exported === undefined ? name : `${name}, brought up to date ${minuteTime(exported)} UTC`],
  ];
}

function minuteOf(at: number): string {
  return minuteTime(formatApiTime(at));
}
