/** `screener today`: the morning's look at a history; with --changes only what is new in it. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { apiTimeOrNull, at, formatApiTime } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { ScreenerError, StoppedByUser } from '../errors.ts';
import { hasLostCardsToList, judgedMonthsWithMissing } from '../history/export/damage.ts';
import { monthFileName } from '../history/store/layout.ts';
import { cardsIn, type ExportManifest } from '../history/store/manifest.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { against } from '../outcomes/figure-table.ts';
import { type Finding, latestNews, type News, newsOf } from '../outcomes/findings.ts';
import { type Focus, isFocusNew } from '../outcomes/focus.ts';
import { type Prospect, prospectOf } from '../outcomes/prospect.ts';
import type { Evidence } from '../outcomes/question.ts';
import { type Scarcity, scarcityOf } from '../outcomes/scarcity.ts';
import { rankStandings, type Standing } from '../outcomes/standing.ts';
import { forecastSentence } from '../output/views/access.ts';
import { actionsOf } from '../output/views/actions.ts';
import { summarySentence } from '../output/views/export-summary.ts';
import { focusData } from '../output/views/focus.ts';
import { prospectLines, scarcityLines } from '../output/views/prospect-words.ts';
import { newsText, todayView } from '../output/views/today.ts';
import { changesView, type NewsItem, type Today } from '../output/views/today-fields.ts';
import { jsonText } from '../runtime/json-text.ts';
import { keptFile } from '../runtime/kept-file.ts';
import { accountLoggedIn } from './parts/find-history.ts';
import { EVERYTHING, type Inquiry, inquire, judgedTypes } from './parts/inquiry.ts';
import { exportOutlook, type Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import {
  isOldHistory,
  itemOfUnusual,
  itemsOfNews,
  NEWS_AGE,
  type NewsContext,
  type OfferedCommands,
  type UnjudgedHistory,
  type Unusual,
  unusual,
} from './parts/today-news.ts';
import { summarizeToday, verdictsChanged } from './parts/today-summary.ts';
import type { OfHistory } from './parts/where.ts';
import {
  adviceOfFocus,
  searchSettings,
  tuneCommand,
  typeToBuyFirst,
  typeToBuyVsBtc,
} from './tune.ts';

interface TodayOptions extends OfHistory {
  /** Whether an export runs first. */
  readonly refresh?: boolean;
  /** Whether only what is new since the last `today --changes` is printed. */
  readonly changes?: boolean;
}

/**
 * Reads the history, and sends nothing. With --refresh an export runs first. If the export fails, the page is still shown, and the
 * failure is thrown after it. If another export is under way, that is no failure.
 * @throws ScreenerError storage, no_history; with --refresh what the export throws
 */
export async function run(invocation: Invocation, options: TodayOptions): Promise<void> {
  const { history, refresh, changes } = options;
  if (changes) return printChanges(invocation, options);
  // With --plan the export only says what it would do.
  if (refresh && invocation.globals.plan) return refreshHistory(invocation, history);
  const failure = refresh ? await tryToRefresh(invocation, history) : undefined;
  const isAnotherRunning = failure instanceof ScreenerError && failure.code === 'busy';
  const look = await lookAt(invocation, options).catch((error: unknown) => {
    // If the first export saved nothing, its failure is the reason, and "There is no history" would hide it.
    throw failure ?? error;
  });
  if (isAnotherRunning)
    invocation.notes.note('Another export is under way: this is what the history holds so far.');
  const { inquiry, standings, today, prospect, scarcity, focus, boughtFirst } = look;
  const { caveats, known, evidence } = inquiry;
  const focusToTell = focus !== undefined && isFocusNew(focus, evidence.now) ? focus : undefined;
  const view = todayView({
    standings,
    actions: actionsOf(standings, searchSettings(invocation, options, inquiry)),
    exportCommand: exportCommand(invocation, options.from),
    prospects: [...prospectLines(prospect), ...scarcityLines(scarcity, boughtFirst)],
    focus: adviceOfFocus(invocation, options, focusToTell),
    caveats,
    // In a history of less than two days, no number of cards a day is usual.
    isUsualKnown: known.until - known.firstCardAt >= 2 * DAY,
    isRefreshable: options.from === undefined,
    isOld: isOldHistory(evidence.until, evidence.now),
  });
  await invocation.output.one(view, today);
  if (failure !== undefined && !isAnotherRunning) throw failure;
}

/** @returns what the export threw; undefined if it went well */
async function tryToRefresh(
  invocation: Invocation,
  history: OfHistory['history'],
): Promise<unknown> {
  try {
    await refreshHistory(invocation, history);
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Runs an export. On a terminal it says nothing of a run that ended as usual: the page shows the results of the run, and more
 * lines would push the page off a small screen.
 * @throws ScreenerError what the export throws
 */
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
  // With --plan nothing was exported.
  if (exported === undefined) return;
  const { summary, lines, failure } = exported;
  // A run ends with nothing left to do, with outcomes left for other days (`pace`), or with older cards left to list (`older`).
  const isAsUsual = [null, 'pace', 'older'].includes(summary.stopped_by);
  if (!context.stderr.isTTY || !isAsUsual) closing.push([summarySentence(lines)]);
  if (summary.stopped_by === 'interrupted') throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}

/** All that `today` found in the history, for the page, the document and the news. */
interface Look {
  readonly inquiry: Inquiry;
  /** How each type stands, in the order of the ranking. */
  readonly standings: readonly Standing[];
  /** The document that --json prints. */
  readonly today: Today;
  /** What more outcomes would show; undefined if a type has a verdict already, or if none has an interval yet. */
  readonly prospect: Prospect | undefined;
  /** What exports leave out if they buy few outcomes; undefined if they buy a quarter or more, and in a history's first week. */
  readonly scarcity: Scarcity | undefined;
  /**
   * The type of which exports should buy outcomes first. Undefined if no type should come first, and without `scarcity`, if it
   * would come first only for a test of its numbers.
   */
  readonly focus: Focus | undefined;
  /** The types of which an export bought outcomes first, because of its --focus. */
  readonly boughtFirst: readonly string[];
}

/** @throws ScreenerError storage, no_history */
async function lookAt(invocation: Invocation, options: OfHistory): Promise<Look> {
  const { history, from } = options;
  const inquiry = await inquire(
    invocation,
    { history, from },
    { notesOverdue: false, foreseesExports: true },
  );
  const { evidence } = inquiry;
  const { cards, now, until, findings: notebook = [] } = evidence;
  const { standings: standingsOfTypes } = judgedTypes(inquiry);
  const standings = rankStandings(standingsOfTypes);
  const manifest = await history.manifest();
  const factsOfHistory = historyFacts(history.directory, manifest, evidence);
  const credits = await creditsKnown(invocation);
  const summary = summarizeToday(cards, until, standings);
  const unusualNow = unusual(
    now,
    {
      credits,
      standings,
      lastExport: manifest === undefined ? undefined : factsOfHistory,
      unjudged: manifest === undefined ? undefined : unjudgedHistory(manifest, now),
    },
    offeredCommands(invocation, options),
  );
  const prospect = prospectOf(standings, evidence, inquiry.known);
  const scarcity = scarcityOf(evidence);
  const focus =
    scarcity === undefined
      ? typeToBuyVsBtc(inquiry, standings)
      : typeToBuyFirst(inquiry, standings);
  const today: Today = {
    generated_at: formatApiTime(now),
    history: factsOfHistory,
    credits,
    ...summary,
    verdicts_changed: verdictsChanged(notebook, now),
    news: newsOfWeek(unusualNow, now, {
      standings,
      notebook,
      tuneOf: (type) => tuneCommand(invocation, options, type),
    }),
    prospect: prospect === undefined ? null : prospectData(prospect),
    scarcity: scarcity === undefined ? null : scarcityData(scarcity, focus),
    unusual: unusualNow,
  };
  const boughtFirst = manifest?.focus ?? [];
  return { inquiry, standings, today: asPrinted(today), prospect, scarcity, focus, boughtFirst };
}

/** What the document says of the history. @param manifest undefined if there is no `export.json` that can be read */
function historyFacts(
  directory: string,
  manifest: ExportManifest | undefined,
  { cards, until }: Pick<Evidence, 'cards' | 'until'>,
): Today['history'] {
  return {
    directory,
    cards: manifest === undefined ? cards.length : cardsIn(manifest),
    updated_at: manifest?.last_success ?? null,
    covered_until: formatApiTime(until),
    outcomes_due: manifest?.remaining.outcomes_due ?? 0,
  };
}

/** @returns undefined if no month file that is judged lacks cards, and all lost cards are listed again */
function unjudgedHistory(manifest: ExportManifest, now: number): UnjudgedHistory | undefined {
  const months = judgedMonthsWithMissing(manifest, now);
  if (months.length === 0 && !hasLostCardsToList(manifest, 0, now)) return undefined;
  return {
    judgedAt: manifest.judged_at,
    files: months.map(({ month }) => monthFileName(month)),
    cards: months.reduce((sum, { missing }) => sum + missing.cards, 0),
  };
}

function offeredCommands(invocation: Invocation, options: OfHistory): OfferedCommands {
  return {
    exportCommand: exportCommand(invocation, options.from),
    typeCommand: (type) => commandLine(invocation, 'screeners', historyOptions(options), type),
  };
}

/**
 * The news of the last seven days: the latest line of each thing in the notebook, then what is unusual now.
 * @param now epoch milliseconds UTC
 */
function newsOfWeek(unusualNow: readonly Unusual[], now: number, context: NewsContext): NewsItem[] {
  const { standings, notebook } = context;
  const ofNotebook = latestNews(newsOf(notebook, now - NEWS_AGE));
  // If exports have stopped, that is no news here: the page begins with it.
  const withoutExports = unusualNow.filter(({ kind }) => kind !== 'export');
  return [
    ...itemsOfNews(ofNotebook, context),
    ...withoutExports.map((item) => itemOfUnusual(item, now, standings)),
  ];
}

function prospectData({ days, types, all }: Prospect): NonNullable<Today['prospect']> {
  return {
    days,
    types: types.map(({ type, wouldShow }) => ({
      screener_type: type,
      would_show_percentage_points: wouldShow,
    })),
    verdict: all === undefined ? null : against(all.comparedWith, all.verdict),
    would_show_percentage_points: all?.wouldShow ?? null,
  };
}

function scarcityData(
  scarcity: Scarcity,
  focus: Focus | undefined,
): NonNullable<Today['scarcity']> {
  return {
    cards_per_day: scarcity.cardsPerDay,
    bought_per_day: scarcity.boughtPerDay,
    without_medians: [...scarcity.withoutMedians],
    focus: focusData(focus),
  };
}

/** The credits as the ledger of this machine knows them. @returns null without an account, and if `/access` was never asked */
async function creditsKnown(invocation: Invocation): Promise<Today['credits']> {
  const { context, globals } = invocation;
  if (!globals.demo && accountLoggedIn(context, globals.baseUrl) === undefined) return null;
  const connection = await invocation.connect();
  // The demo keeps no ledger from run to run: it asks its own stand-in.
  if (globals.demo) await connection.client.call('access', {});
  const {
    access,
    monthLeft: remaining,
    possiblySpent,
    today,
    forecast,
  } = connection.account.known();
  if (access === undefined || remaining === undefined) return null;
  const { credits, expires_at: planEnd = null } = access;
  const goneAt = forecast?.goneAt;
  const isGone = forecast?.isGone ?? false;
  const lastsUntilReset = goneAt === undefined && !isGone;
  const sentence = forecastSentence(forecast, await exportOutlook(invocation, connection));
  return {
    remaining,
    possibly_spent: possiblySpent,
    limit: credits.limit,
    resets_at: credits.resets_at,
    known_at: formatApiTime(access.at),
    spent_today: today.spent,
    possibly_spent_today: today.possiblySpent,
    day_limit: today.limit ?? null,
    plan_ends_at: planEnd,
    gone_at: apiTimeOrNull(goneAt),
    last: lastsUntilReset,
    forecast: sentence === '' ? null : sentence,
  };
}

/** What the last `today --changes` has told. */
const LastLook = v.object({
  /**
   * The time of the newest line of the notebook, or `at` of the look before if that is later. For a first look at a notebook
   * without lines, the time of the look. Epoch milliseconds UTC.
   */
  at: v.number(),
  /** The hash of the notebook's last line (`lineHash`); absent if there was no line. */
  last_line: v.exactOptional(v.string()),
  /** The names of the unusual things that it told (`nameOfUnusual`). */
  unusual: v.array(v.string()),
});

type LastLook = v.InferOutput<typeof LastLook>;

/** The name by which a later look knows an unusual thing: its kind and its type. While the thing lasts, --changes tells it once. */
function nameOfUnusual({ kind, screener_type: type }: Unusual): string {
  return `${kind} ${type ?? ''}`;
}

/**
 * A hash of all that a line of the notebook says, without its time. The time is left out because it may differ from look to look: a
 * time ahead of the clock is read as now.
 */
function lineHash({ at: _, ...content }: Finding): string {
  return shortHash(jsonText(content));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/**
 * Prints what is new since the last look. People get nothing if there is no news. If printing fails, the look is not saved, and
 * the next one tells the news.
 * @throws ScreenerError storage, no_history
 */
async function printChanges(invocation: Invocation, options: OfHistory): Promise<void> {
  const { context, globals, output } = invocation;
  const { inquiry, standings, today } = await lookAt(invocation, options);
  const { now, findings: notebook = [] } = inquiry.evidence;
  const fileName = `changes-${shortHash(options.history.directory)}.json`;
  const file = globals.demo
    ? undefined
    : keptFile(context.directories.state, fileName, v.parser(LastLook));
  const lastLook = file?.read();
  const tuneOf = (type: string) => tuneCommand(invocation, options, type);
  const newUnusual = today.unusual.filter(
    (item) => !lastLook?.unusual.includes(nameOfUnusual(item)),
  );
  const items: NewsItem[] = [
    ...itemsOfNews(newsAfter(lastLook, notebook, now), { standings, notebook, tuneOf }),
    ...newUnusual.map((item) => itemOfUnusual(item, now, standings)),
  ];
  if (!output.isForPeople)
    await output.list(changesView, { batches: [items], head: () => ({ items: [] }) });
  else if (items.length > 0) await output.page((render) => newsText(items, render));
  await file?.write(lookAfter(lastLook, { notebook, now, unusual: today.unusual }));
}

/** The news of the notebook that the last look did not tell; without a last look the news of the last 7 days. */
function newsAfter(
  lastLook: LastLook | undefined,
  notebook: readonly Finding[],
  now: number,
): News[] {
  if (lastLook === undefined) return newsOf(notebook, now - NEWS_AGE);
  const lastSeen = notebook.findLastIndex((line) => lineHash(line) === lastLook.last_line);
  // The notebook may lack that line, for example if it was restored from a backup. Then the times decide.
  if (lastSeen === -1) return newsOf(notebook, timeOfLook(lastLook, now));
  const linesSeen = new Set<Finding>(notebook.slice(0, lastSeen + 1));
  return newsOf(notebook, EVERYTHING).filter(({ line }) => !linesSeen.has(line));
}

/** The time of the last look, but never one ahead of now: the clock may have been ahead then. */
function timeOfLook({ at: time }: LastLook, now: number): number {
  return Math.min(time, now);
}

/** What a look told. */
interface ToldNews {
  readonly notebook: readonly Finding[];
  readonly now: number;
  readonly unusual: readonly Unusual[];
}

/** What is kept of a look. */
function lookAfter(lastLook: LastLook | undefined, told: ToldNews): LastLook {
  const { notebook, now } = told;
  const times = notebook.map((line) => at(line.at));
  if (lastLook !== undefined) times.push(timeOfLook(lastLook, now));
  // The time of the newest line is kept, not the present: an export may have appended a line since the notebook was read.
  const newestTime = times.length === 0 ? now : Math.max(...times);
  const look = { at: newestTime, unusual: told.unusual.map(nameOfUnusual) };
  const lastLine = notebook.at(-1);
  return lastLine === undefined ? look : { ...look, last_line: lineHash(lastLine) };
}
