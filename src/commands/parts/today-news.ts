/** News of a history as data: what its notebook found or withdrew, and what needs the user's attention. */
import { at, formatApiTime } from '../../api/time.ts';
import {
  ageInWords,
  DAY,
  dayAndMonth,
  distanceInWords,
  HOUR,
  pluralize,
} from '../../base/units.ts';
import { against } from '../../outcomes/figure-table.ts';
import type { Finding, News } from '../../outcomes/findings.ts';
import { quietDaysOfAll, type Standing } from '../../outcomes/standing.ts';
import { safeText } from '../../output/safe-text.ts';
import { ADVICE_IF_ALL_ARE_SILENT, adviceOnSilence } from '../../output/views/actions.ts';
import type { NewsItem, Today } from '../../output/views/today-fields.ts';
import { newsWords } from '../../output/views/today-news.ts';
import { whyNoAdvice } from '../../output/views/tune-words.ts';
import { silenceText } from '../../output/views/verdict-wait.ts';

/** Milliseconds. Older news is left out. */
export const NEWS_AGE = 7 * DAY;

/** Milliseconds. A history is old if it ended longer ago: 24 h lie between daily exports, and one may be 12 h late. */
const OLD_AFTER = 36 * HOUR;

/** Whether a history ended so long ago that a page has to say so. @param coveredUntil when it ended, epoch milliseconds UTC */
export function isOldHistory(coveredUntil: number, now: number): boolean {
  return now - coveredUntil > OLD_AFTER;
}

/** One thing that is not as it should be. */
export type Unusual = Today['unusual'][number];

/** Command lines that a screen offers. */
export interface OfferedCommands {
  /** The line that exports into the history. */
  readonly exportCommand: string;
  /** The line that shows a type's page. */
  readonly typeCommand: (type: string) => string;
}

/** The facts in which `unusual` looks for what is not as it should be. */
interface FactsOfToday extends Pick<Today, 'credits'> {
  readonly standings: readonly Standing[];
  /** Undefined if there is no `export.json` that can be read. */
  readonly lastExport: LastExport | undefined;
  /** Undefined if exports can judge the cards. */
  readonly unjudged: UnjudgedHistory | undefined;
}

/** A history that is not judged, because month files lack cards, or lost cards are not listed again yet. */
export interface UnjudgedHistory {
  /** When the cards were last judged, API time; null for never. */
  readonly judgedAt: string | null;
  /** The names of the files that lack cards. */
  readonly files: readonly string[];
  /** How many cards they lack. */
  readonly cards: number;
}

/**
 * What is not as it should be, in this order:
 * - nothing was exported for long, or exports list no card,
 * - month files lack cards,
 * - credits or the plan end soon,
 * - no type sends cards; or else, some types fell silent.
 */
export function unusual(
  now: number,
  { lastExport, unjudged, credits, standings }: FactsOfToday,
  commands: OfferedCommands,
): Unusual[] {
  const items: Unusual[] = [];
  const exportItem = exportOverdue(lastExport, now, commands.exportCommand);
  if (exportItem !== undefined) items.push(exportItem);
  if (unjudged !== undefined) items.push(notJudged(unjudged, commands.exportCommand));
  if (credits !== null) items.push(...endingSoon(credits, now));
  const quietDays = quietDaysOfAll(standings);
  if (quietDays === undefined) items.push(...quietTypes(standings, commands));
  else if (standings.some(({ isNewlySilent }) => isNewlySilent))
    items.push(noCardOfAnyType(quietDays));
  return items;
}

function noCardOfAnyType(days: number): Unusual {
  const message = `All types: ${silenceText(days)}. ${ADVICE_IF_ALL_ARE_SILENT}`;
  return { kind: 'screener', screener_type: null, message, command: null };
}

/** Types that fell silent in the last seven days. */
function quietTypes(standings: readonly Standing[], commands: OfferedCommands): Unusual[] {
  const items: Unusual[] = [];
  for (const standing of standings) {
    const { group: type, silentDays, isNewlySilent } = standing;
    if (silentDays === undefined || !isNewlySilent) continue;
    items.push({
      kind: 'screener',
      screener_type: type,
      message: `${safeText(type)}: switched on, but ${silenceText(silentDays)}. ${adviceOnSilence(standing)}`,
      command: commands.typeCommand(type),
    });
  }
  return items;
}

/** What `export.json` says of the last export. */
export type LastExport = Pick<Today['history'], 'updated_at' | 'covered_until'>;

/**
 * Says that exports do not bring the history up to date: `Nothing exported for 15 days.` A command line for an export is
 * added, unless exports do run.
 * @param lastExport undefined if there is no `export.json` that can be read
 * @param exportCommand the command line that exports
 * @returns undefined if exports do their work
 */
export function exportOverdue(
  lastExport: LastExport | undefined,
  now: number,
  exportCommand: string,
): Unusual | undefined {
  const item = { kind: 'export', screener_type: null, command: exportCommand } as const;
  if (lastExport === undefined) return { ...item, message: 'No export is recorded here.' };
  const { updated_at, covered_until } = lastExport;
  if (updated_at === null) return { ...item, message: 'No export has succeeded yet.' };
  const updatedAt = at(updated_at);
  const sinceUpdate = now - updatedAt;
  const end = at(covered_until);
  const isOld = isOldHistory(end, now);
  if (sinceUpdate > OLD_AFTER) {
    if (isOld) return { ...item, message: `Nothing exported for ${ageInWords(sinceUpdate)}.` };
    // The history is newer than the last success: exports that failed have listed cards.
    const when = distanceInWords(updatedAt, now);
    return { ...item, message: `The last successful export was ${when}.` };
  }
  if (!isOld) return undefined;
  // No export is offered: exports do run. They succeed even if the credits do not cover the list.
  const message = `No card listed for ${ageInWords(now - end)}, though exports run.`;
  return { ...item, message, command: null };
}

/**
 * `Verdicts are of 14 Nov: signals-2026-10.ndjson lacks 21 cards. Append a backup to it. Without one, daily exports list the
 * cards again.`, with the command line that exports.
 */
function notJudged({ judgedAt, files, cards }: UnjudgedHistory, exportCommand: string): Unusual {
  const state =
    judgedAt === null
      ? 'There are no verdicts yet'
      : `Verdicts are of ${dayAndMonth(at(judgedAt))}`;
  if (files.length === 0) {
    const message = `${state}: exports still list cards again that files had lost.`;
    return { kind: 'lost', screener_type: null, message, command: exportCommand };
  }
  const isOneFile = files.length === 1;
  const lack = `${files.join(', ')} ${isOneFile ? 'lacks' : 'lack'} ${pluralize(cards, 'card')}`;
  const remedy = `Append a backup to ${isOneFile ? 'it' : 'them'}. Without one, daily exports list the cards again.`;
  return {
    kind: 'lost',
    screener_type: null,
    message: `${state}: ${lack}. ${remedy}`,
    command: exportCommand,
  };
}

/** Says that the credits, or the PRO plan, end within a week. */
function endingSoon(credits: NonNullable<Today['credits']>, now: number): Unusual[] {
  const { gone_at, plan_ends_at, forecast } = credits;
  const items: Unusual[] = [];
  const isSoon = (time: string | null): time is string => {
    if (time === null) return false;
    const timeLeft = at(time) - now;
    return timeLeft > 0 && timeLeft <= NEWS_AGE;
  };
  const ofAccount = { screener_type: null, command: null };
  if (isSoon(gone_at))
    items.push({ ...ofAccount, kind: 'credits', message: `Credits: ${forecast}.` });
  if (isSoon(plan_ends_at)) {
    const when = distanceInWords(at(plan_ends_at), now);
    const message = `PRO ends ${when}: exports stop then, the history stays.`;
    items.push({ ...ofAccount, kind: 'plan', message });
  }
  return items;
}

/** What the words of news need besides their lines. */
export interface NewsContext {
  /** How the types stand now. */
  readonly standings: readonly Standing[];
  /** All lines, oldest first. */
  readonly notebook: readonly Finding[];
  /** The command line that shows a type's numbers and settings. */
  readonly tuneOf: (type: string) => string;
}

/**
 * Lines of the notebook as news, in words and as data. That a number tells is no news of a type that gets no advice now: nothing
 * follows from it.
 */
export function itemsOfNews(
  allNews: readonly News[],
  { standings, notebook, tuneOf }: NewsContext,
): NewsItem[] {
  const items: NewsItem[] = [];
  for (const news of allNews) {
    const { type, about } = news.line;
    const standing = standings.find(({ group }) => group === type);
    const isFind = about === 'number' && news.line.verdict !== 'unclear';
    const isOfUse = !isFind || whyNoAdvice(standing) === undefined;
    if (isOfUse) items.push(itemOfNews(news, standing, { notebook, tuneOf }));
  }
  return items;
}

/** A doubt is news of the kind `lately`: it says, too, that a type may do less than before. */
const NEWS_KINDS = {
  type: 'verdict',
  number: 'number',
  lately: 'lately',
  doubt: 'lately',
  change: 'change',
} as const satisfies Readonly<Record<News['line']['about'], NewsItem['kind']>>;

function itemOfNews(
  news: News,
  standing: Standing | undefined,
  { notebook, tuneOf }: Omit<NewsContext, 'standings'>,
): NewsItem {
  const { line } = news;
  const { type, about } = line;
  // The notebook calls a number `unclear` once its finding is withdrawn: then there is nothing to try.
  const isToTry = about === 'number' && line.verdict !== 'unclear';
  return {
    at: line.at,
    kind: NEWS_KINDS[about],
    screener_type: type,
    number: about === 'number' ? line.number : null,
    // A type's verdict says what it compares with: `above_btc`.
    verdict: about === 'type' ? against(line.to, line.verdict) : line.verdict,
    to_do: standing?.toDo ?? null,
    message: newsWords(news, standing, notebook),
    command: isToTry ? tuneOf(type) : null,
  };
}

/** An unusual thing as news of this moment: it is news as long as it lasts. */
export function itemOfUnusual(
  item: Unusual,
  now: number,
  standings: readonly Standing[],
): NewsItem {
  const { kind, screener_type, message, command } = item;
  return {
    at: formatApiTime(now),
    kind,
    screener_type,
    number: null,
    verdict: null,
    to_do: standings.find(({ group }) => group === screener_type)?.toDo ?? null,
    message,
    command,
  };
}
