/** `screener today`: the morning's look at a history; with --changes only what is new in it. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { ScreenerError, StoppedByUser } from '../errors.ts';
import { cardsIn } from '../history/store/manifest.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { latestOf, newsOf } from '../outcomes/findings.ts';
import { ranked } from '../outcomes/standing.ts';
import { forecastSentence } from '../output/views/access.ts';
import { summarySentence } from '../output/views/export-summary.ts';
import {
  type Change,
  changesView,
  newsWords,
  type Today,
  todayView,
} from '../output/views/today.ts';
import { findings, foundLines, isTooEarly } from '../output/views/verdict.ts';
import { keptFile } from '../runtime/kept-file.ts';
import { accountLoggedIn } from './parts/find-history.ts';
import { inquire, judgedTypes } from './parts/history-rows.ts';
import { exportOutlook, type Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { NEWS, summarizeToday, unusual, verdictsChanged } from './parts/today-summary.ts';
import type { OfHistory } from './parts/where.ts';
import { triesOf } from './tune.ts';

type TodayOptions = OfHistory & Readonly<{ refresh?: boolean; changes?: boolean }>;

/** Sends nothing. If --refresh fails, what is there is shown, then the failure; another export under way is none. */
export async function run(invocation: Invocation, options: TodayOptions): Promise<void> {
  const { history, refresh, changes } = options;
  if (changes) return printChanges(invocation, options);
  if (refresh && invocation.globals.plan) return refreshHistory(invocation, history);
  const failure = refresh
    ? await refreshHistory(invocation, history).catch((error: unknown) => error)
    : undefined;
  const isExporting = failure instanceof ScreenerError && failure.code === 'busy';
  const { inquiry, standings, today } = await lookAt(invocation, options).catch(
    (error: unknown) => {
      // A first export has saved nothing yet: to make a history is what it does.
      throw isExporting ? failure : error;
    },
  );
  if (isExporting)
    invocation.notes.note('Another export is under way: this is what the history holds so far.');
  const { why, known, evidence } = inquiry;
  const isUsualKnown = known.until - known.first >= 2 * DAY;
  const found = standings.every(isTooEarly)
    ? findings(standings, 'type', exportCommand(invocation, options.from)).slice(0, 1)
    : [...foundLines(standings, 'type'), ...triesOf(invocation, options, inquiry, standings)];
  const { findings: lines = [], now } = evidence;
  const news = latestOf(newsOf(lines, now - NEWS)).map((one) => newsWords(one));
  await invocation.output.one(todayView({ standings, found, news, why, isUsualKnown }), today);
  if (failure !== undefined && !isExporting) throw failure;
}

/** On a terminal its page tells the rest, unless the run was stopped: more lines would push it off a small screen. */
async function refreshHistory(
  invocation: Invocation,
  history: OfHistory['history'],
): Promise<void> {
  const { exportHistory } = await import('./signals-export.ts');
  const { context, closing } = invocation;
  const exported = await exportHistory(invocation, {
    history,
    outcomes: true,
    screeners: true,
    stats: true,
  });
  if (exported === undefined) return;
  const { summary, lines, failure } = exported;
  const isAsUsual = [null, 'pace', 'older'].includes(summary.stopped_by);
  if (!context.stderr.isTTY || !isAsUsual) closing.push([summarySentence(lines)]);
  if (summary.stopped_by === 'interrupted') throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}

async function lookAt(invocation: Invocation, options: OfHistory) {
  const { history } = options;
  const inquiry = await inquire(invocation, { history });
  const { cards, now, until, findings = [] } = inquiry.evidence;
  const standings = ranked(judgedTypes(inquiry).standings);
  const manifest = await history.manifest();
  const known = {
    history: {
      directory: history.directory,
      cards: manifest === undefined ? cards.length : cardsIn(manifest),
      updated_at: manifest?.last_success ?? null,
      covered_until: formatApiTime(until),
      outcomes_due: manifest?.remaining.outcomes_due ?? 0,
    },
    credits: await creditsKnown(invocation),
    ...summarizeToday(cards, until, standings),
    verdicts_changed: verdictsChanged(findings, now),
  };
  const pageOf = (type: string) =>
    commandLine(invocation, 'screeners', historyOptions(options), type);
  const today: Today = {
    generated_at: formatApiTime(now),
    ...known,
    unusual: unusual(now, known, pageOf),
  };
  return { inquiry, standings, today: asPrinted(today) };
}

async function creditsKnown(invocation: Invocation): Promise<Today['credits']> {
  const { context, globals } = invocation;
  if (!globals.demo && accountLoggedIn(context, globals.baseUrl) === undefined) return null;
  const connection = await invocation.connect();
  // The demo knows nothing of an earlier run, and asks nobody but itself.
  if (globals.demo) await connection.client.call('access', {});
  const { access, monthLeft: remaining, today, forecast } = connection.account.known();
  if (access === undefined || remaining === undefined) return null;
  return {
    remaining,
    limit: access.credits.limit,
    resets_at: access.credits.resets_at,
    known_at: formatApiTime(access.at),
    spent_today: today.charged + today.uncertain,
    plan_ends_at: access.expires_at ?? null,
    gone_at: forecast?.goneAt === undefined ? null : formatApiTime(forecast.goneAt),
    last: forecast?.goneAt === undefined && !forecast?.isGone,
    forecast: forecastSentence(forecast, await exportOutlook(invocation, connection)) || null,
  };
}

/** When it was asked, epoch milliseconds UTC, and what was unusual then. */
const Asked = v.object({ at: v.number(), unusual: v.array(v.string()) });

/** Silent if there is no news. After a failure to print it is asked again. @throws ScreenerError storage, no_history */
async function printChanges(invocation: Invocation, options: OfHistory): Promise<void> {
  const { context, globals, output } = invocation;
  const { inquiry, today } = await lookAt(invocation, options);
  const { now, findings: notebook = [] } = inquiry.evidence;
  const name = createHash('sha256').update(options.history.directory).digest('hex').slice(0, 12);
  const file = globals.demo
    ? undefined
    : keptFile(context.directories.state, `changes-${name}.json`, v.parser(Asked));
  const kept = file?.read();
  // A clock may have been ahead when it was written.
  const last = kept && { ...kept, at: Math.min(kept.at, now) };
  const lasting = today.unusual.filter(({ kind }) => kind !== 'cards');
  const keyOf = ({ kind, screener_type }: (typeof lasting)[number]) =>
    `${kind} ${screener_type ?? ''}`;
  const items: Change[] = [
    ...newsOf(notebook, last?.at ?? now - NEWS).map((one): Change => {
      const { at, type: screener_type, about, ...line } = one.line;
      const kind = about === 'type' ? 'verdict' : about;
      const number = 'number' in line ? line.number : null;
      return { at, kind, screener_type, number, message: newsWords(one) };
    }),
    ...lasting
      .filter((one) => !last?.unusual.includes(keyOf(one)))
      .map((one) => ({ at: formatApiTime(now), number: null, ...one })),
  ];
  if (!output.isForPeople)
    await output.list(changesView, { batches: [items], head: () => ({ items: [] }) });
  else if (items.length > 0)
    await output.page(() => items.map(({ message }) => message).join('\n'));
  // A line that an export appends at this moment is later than the last that was read.
  const at = Math.max(last?.at ?? 0, ...notebook.map((one) => Date.parse(one.at)));
  await file?.write({ at: at || now, unusual: lasting.map(keyOf) });
}
