import { formatApiTime } from '../api/time.ts';
import { type ExportManifest, loadManifest } from '../history/export-manifest.ts';
import { readScreenersLog, settingsChanges } from '../history/screeners-log.ts';
import { figuresOf } from '../outcomes/figures.ts';
import type { Row } from '../outcomes/row.ts';
import type { Comparison, GroupBy } from '../outcomes/types.ts';
import { minuteTime } from '../output/format.ts';
import { type ReportInput, reportPage } from '../report/report.ts';
import { replaceFile } from '../runtime/files.ts';
import { version } from '../version.ts';
import { type Filters, type RawFilters, readFilters } from './flags/filters.ts';
import { directoryFlag, type HistoryChoice, type RawHistory, readHistoryChoice } from './flags/history.ts';
import { checkWindow } from './flags/moment.ts';
import { readRows } from './history-rows.ts';
import type { Invocation, Reading } from './invocation.ts';
import { plannedFree } from './plan.ts';

export interface ReportOptions extends Filters {
  /** `-` for standard output. */
  readonly file: string;
  readonly history: HistoryChoice;
  /** Whether to show it in the browser once it is written. */
  readonly open: boolean;
}

/** @throws ScreenerError usage */
export function read(
  raw: RawFilters & RawHistory & { open?: true },
  [file = '']: readonly string[],
  { now, env }: Reading,
): ReportOptions {
  return {
    ...readFilters(raw, now),
    file: file === '-' ? file : directoryFlag('FILE', file, env),
    history: readHistoryChoice(raw, env),
    open: raw.open === true,
  };
}

type Options = ReportOptions & { readonly directory: string };

/**
 * `screener report FILE`: a history's outcomes as one HTML page with pictures, complete in itself; 0 credits, no
 * network. The same history at the same time gives the same bytes.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { context, notes } = invocation;
  checkWindow(options);
  if (await plannedFree(invocation)) return;
  const rows = await readRows(invocation, options.directory, options);
  const page = reportPage(await inputOf(invocation, options, rows));
  if (options.file === '-') return context.stdout.write(page);
  await replaceFile(options.file, page);
  notes.note(`Report written: ${options.file}`);
  if (options.open) await (await import('../runtime/open-file.ts')).openFile(options.file);
}

async function inputOf({ context, globals }: Invocation, options: Options, rows: readonly Row[]): Promise<ReportInput> {
  const now = context.clock.now();
  // The demo's directory is gone when the page is read.
  const isInvented = globals.demo && (options.history ?? 'default') === 'default';
  const history = isInvented ? 'invented by the demo' : options.directory;
  const manifest = await loadManifest(options.directory);
  const by = (group: GroupBy) => figuresOf(rows, { by: group, now });
  const byType = by('type');
  return {
    cards: rows,
    facts: factsOf(options, history, rows, byType, manifest, now),
    warnings: await warningsOf(options, rows, now),
    byType,
    bySymbol: by('symbol'),
    byHour: by('hour'),
    byWeekday: by('weekday'),
    footer: `Made by screener ${version}, ${minuteTime(formatApiTime(now))} UTC.`,
  };
}

function factsOf(
  { since, until, symbol, type }: Options,
  history: string,
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
    ['History', exported === undefined ? history : `${history}, brought up to date ${minuteTime(exported)} UTC`],
  ];
}

/** What a reader has to know before the pictures. */
async function warningsOf(
  { directory, since, until, type }: Options,
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
