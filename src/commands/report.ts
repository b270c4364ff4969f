import { formatApiTime } from '../api/time.ts';
import { type ExportManifest, loadManifest } from '../history/export-manifest.ts';
import type { Filter } from '../history/filter.ts';
import { readScreenersLog } from '../history/screeners-log.ts';
import { settingsChanges } from '../history/settings-changes.ts';
import { figuresOf } from '../outcomes/figures.ts';
import type { Row } from '../outcomes/row.ts';
import type { Comparison, GroupBy } from '../outcomes/types.ts';
import { minuteTime } from '../output/format.ts';
import { type ReportInput, reportPage } from '../report/report.ts';
import { replaceFile } from '../runtime/files.ts';
import { version } from '../version.ts';
import { checkWindow } from './flags/moment.ts';
import { readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { plannedFree } from './plan.ts';

export interface ReportOptions extends Filter {
  /** `-` for standard output. */
  readonly file: string;
  readonly directory: string;
  /** What the page calls the history, where its directory says nothing (the demo's is gone when the page is read). */
  readonly historyName?: string | undefined;
  /** Whether to show it in the browser once it is written. */
  readonly open: boolean;
}

/**
 * `screener report FILE`: a history's outcomes as one HTML page with pictures, complete in itself; 0 credits, no
 * network. The same history at the same time gives the same bytes.
 */
export async function run(invocation: Invocation, options: ReportOptions): Promise<void> {
  const { context, notes } = invocation;
  checkWindow(options);
  if (await plannedFree(invocation)) return;
  const rows = await readRows(invocation, options.directory, options);
  const page = reportPage(await inputOf(options, rows, context.clock.now()));
  if (options.file === '-') return context.stdout.write(page);
  await replaceFile(options.file, page);
  notes.note(`Report written: ${options.file}`);
  if (options.open) await (await import('../runtime/open-file.ts')).openFile(options.file);
}

async function inputOf(options: ReportOptions, rows: readonly Row[], now: number): Promise<ReportInput> {
  const manifest = await loadManifest(options.directory);
  const by = (group: GroupBy) => figuresOf(rows, { by: group, now });
  const byType = by('type');
  return {
    cards: rows,
    facts: factsOf(options, rows, byType, manifest, now),
    warnings: await warningsOf(options, rows, now),
    byType,
    bySymbol: by('symbol'),
    byHour: by('hour'),
    byWeekday: by('weekday'),
    footer: `Made by screener ${version}, ${minuteTime(formatApiTime(now))} UTC.`,
  };
}

function factsOf(
  { directory, historyName = directory, since, until, symbol, type }: ReportOptions,
  rows: readonly Row[],
  byType: Comparison,
  manifest: ExportManifest | undefined,
  now: number,
): [string, string][] {
  const sum = (name: 'bought' | 'due') => byType.groups.reduce((total, group) => total + group[name], 0);
  const times = rows.map(({ at }) => at);
  const from = since ?? times.reduce((a, b) => Math.min(a, b), now);
  const to = until ?? times.reduce((a, b) => Math.max(a, b), from);
  const exported = manifest?.last_run?.finished_at;
  return [
    ['Cards', `${minuteTime(formatApiTime(from))} to ${minuteTime(formatApiTime(to))} UTC`],
    ['Filter', [type ?? 'all screener types', symbol ?? 'all symbols'].join(', ')],
    ['Outcomes bought', `${sum('bought')}; ${sum('due')} are due`],
    [
      'History',
      exported === undefined ? historyName : `${historyName}, brought up to date ${minuteTime(exported)} UTC`,
    ],
  ];
}

/** What a reader has to know before the pictures. */
async function warningsOf(
  { directory, since, until, type }: ReportOptions,
  rows: readonly Row[],
  now: number,
): Promise<string[]> {
  const oldest = rows.reduce((a, { at }) => Math.min(a, at), now);
  const window = { since: since ?? oldest, until: until ?? now, type };
  return settingsChanges(await readScreenersLog(directory), window).map(
    ({ at, types }) =>
      `The settings of ${types.join(', ')} changed by ${minuteTime(formatApiTime(at))} UTC: figures from before and after mix two settings. --since ${formatApiTime(at)} leaves the older cards out.`,
  );
}
