import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { objectKeys } from '../base/collections.ts';
import { usageError } from '../errors.ts';
import type { LookWithChanges } from '../history/store/settings-periods.ts';
import { type Difference, differencesOf, symbolsOfBtc } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { cardsByGroupName, type HistoryCard } from '../outcomes/history-card.ts';
import { prospectOf } from '../outcomes/prospect.ts';
import { type CardChoice, choiceOf, isOfWholeTypes } from '../outcomes/question.ts';
import { rankStandings, trackRecord } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import type { Tuning } from '../outcomes/tune-types.ts';
import { daysText, minuteTime, rateDaysText } from '../output/format.ts';
import { stylesOf } from '../output/terminal.ts';
import { actionsOf, type Suggestion } from '../output/views/actions.ts';
import { actionLines, actionPairs } from '../output/views/actions-words.ts';
import { noCardsText } from '../output/views/card-lists.ts';
import { basisWords } from '../output/views/history-stats.ts';
import { asOfSentence } from '../output/views/parts.ts';
import { prospectLines } from '../output/views/prospect-words.ts';
import { settingsOf } from '../output/views/settings-history.ts';
import { settingsParts } from '../output/views/settings-text.ts';
import { isAdvice, settingWords } from '../output/views/tune-words.ts';
import { type ReportInput, reportPage } from '../report/report.ts';
import { writeOutputFile } from '../runtime/files.ts';
import { version } from '../version.ts';
import {
  changesWithin,
  EVERYTHING,
  explainEmpty,
  type Inquiry,
  inquire,
  judgedTypes,
} from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { exportCommand } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { adviceVsBtc, nowWords, screenersOfType } from './tune.ts';

interface ReportOptions extends OfHistory {
  /** The file to write; `-` for standard output. */
  readonly file: string;
  /** Whether the page is opened in the browser. */
  readonly open: boolean;
}

const STDOUT = '-';

/**
 * `screener report FILE`: one HTML page. The same history at the same time gives the same bytes.
 * @throws ScreenerError usage, no_history, storage
 */
export async function run(invocation: Invocation, options: ReportOptions): Promise<void> {
  const { context, summary } = invocation;
  const { file, open } = options;
  if (file === STDOUT && open)
    throw usageError(
      '--open needs a file, and - is standard output.',
      'Name a file, or leave out --open.',
    );
  const inquiry = await inquire(invocation, options, {
    // The page says it, too. But the page goes into a file that is perhaps read later, and a note is read at once.
    notesOverdue: true,
    foreseesExports: true,
  });
  const hasCards = inquiry.evidence.cards.length > 0;
  if (!hasCards) await explainEmpty(invocation, options);
  const input = await inputOf(invocation, options, inquiry);
  const html = reportPage(input);
  if (file === STDOUT) return context.stdout.write(html);
  await writeOutputFile(file, html);
  await sayWritten(invocation, file, html);
  if (hasCards && input.actions !== undefined)
    summary.push(...actionPairs(actionLines(input.actions), stylesOf(false)));
  if (open) await openReport(invocation, file);
}

/** Says that the file is written. In a format for programs it also prints a receipt. */
async function sayWritten(
  { notes, output }: Invocation,
  file: string,
  html: string,
): Promise<void> {
  notes.note(`Report written: ${file}`);
  if (output.isForPeople) return;
  // Loaded only for a receipt, because the views of receipts load a part of the export.
  const { reportReceipt } = await import('../output/views/receipts.ts');
  await output.one(reportReceipt, { file, bytes: Buffer.byteLength(html) });
}

async function openReport({ context, notes }: Invocation, file: string): Promise<void> {
  const { openFile } = await import('../runtime/programs.ts');
  const isOpened = await openFile(file, context.env);
  if (!isOpened) notes.note('No desktop found: open the file in a browser.');
}

/** Works out all that the page shows. */
async function inputOf(
  invocation: Invocation,
  options: ReportOptions,
  inquiry: Inquiry,
): Promise<ReportInput> {
  const { evidence, known, question } = inquiry;
  const { cards, now, until, findings: notebook = [] } = evidence;
  const oldestCardAt = cards.at(-1)?.at ?? now;
  const byType = judgedTypes(inquiry);
  const tuning = tuningOf(evidence, { horizon: MAIN_HORIZON });
  const changes = changesWithin(inquiry, options);
  return {
    cards,
    facts: await factsOf(invocation, options, inquiry),
    basis: [await basisOf(options, byType.comparison), inquiry.caveats],
    byType,
    rateDays: rateDaysText({ begins: oldestCardAt, until, isOld: inquiry.overdue !== undefined }),
    record: trackRecord(notebook, oldestCardAt),
    settingsOf: (type) => settingsInParts(known.screeners, type),
    overdue: overdueText(inquiry),
    endedAt: inquiry.overdue === undefined ? undefined : until,
    actions: isOfWholeTypes(question)
      ? actionsOf(rankStandings(byType.standings), {
          suggestions: suggestionsIn(tuning, inquiry),
          // Stricter settings were looked for: `tuning` has them.
          areSettingsSearched: true,
        })
      : undefined,
    settingFor: (cut) => settingWords(cut, screenersOfType(known, cut.type)),
    prospect: prospectLines(prospectOf(byType.standings, evidence, known)),
    focus: adviceVsBtc(invocation, options, inquiry, byType.standings),
    tuning,
    settings: changedTypes(cards, changes).map((type) =>
      settingsHistory(inquiry, type, byType.standings),
    ),
    differences: presentDifferences(inquiry),
    changes,
    noCards: noCardsText(exportCommand(invocation, options.from), options.until),
    footer: `Made by screener ${version}, ${minuteTime(formatApiTime(now))} UTC.`,
  };
}

/**
 * A type's settings now, each as a part of its own. They are one part if the type has several screeners, or if its screener is
 * switched off. Empty if its settings were never recorded.
 */
function settingsInParts(
  screeners: Inquiry['known']['screeners'],
  type: string,
): readonly string[] {
  const ofType = screeners.filter((screener) => screener.type === type);
  const [first, ...others] = ofType;
  if (first === undefined) return [];
  return first.active && others.length === 0
    ? settingsParts(first.conditions)
    : [settingsOf(ofType)];
}

/** `Nothing exported for 3 days.`, and until when the figures reach; empty if exports do their work. */
function overdueText({ overdue, evidence }: Inquiry): string {
  if (overdue === undefined) return '';
  return `${overdue.message} ${asOfSentence(overdue.until, evidence.now)}`;
}

/** The types whose settings changed, those with most cards first. */
function changedTypes(
  cards: readonly HistoryCard[],
  changes: readonly LookWithChanges[],
): string[] {
  const types = cardsByGroupName(cards, 'type').sort(([, a], [, b]) => b.length - a.length);
  return types
    .map(([type]) => type)
    .filter((type) => changes.some((change) => change.types.includes(type)));
}

/** The differences to BTC after 24 h, of the cards that came under the present settings of their type. */
function presentDifferences({ evidence }: Inquiry): Difference[] {
  const { cards, settingsSince } = evidence;
  const isOfPresentSettings = ({ type, at }: HistoryCard) => {
    const begin = settingsSince.get(type);
    return begin === undefined || at >= begin;
  };
  return differencesOf(cards, MAIN_HORIZON, symbolsOfBtc(cards)).filter(({ card }) =>
    isOfPresentSettings(card),
  );
}

/** The stricter settings that the page advises, without command lines: a page in a browser offers none. */
function suggestionsIn({ cuts }: Tuning, inquiry: Inquiry): Suggestion[] {
  return cuts
    .filter(isAdvice)
    .map((cut) => ({ cut, setting: nowWords(inquiry, cut), command: '' }));
}

/** What the page says of each way to choose cards: `Only funding.` Undefined if the user did not choose in this way. */
const CHOICE_FACTS: {
  readonly [Name in keyof CardChoice]: (wanted: CardChoice[Name]) => string | undefined;
} = {
  type: (type) => (type === undefined ? undefined : `Only ${type}.`),
  symbol: (symbol) => (symbol === undefined ? undefined : `Only ${symbol}.`),
  where: (conditions) =>
    conditions.length === 0
      ? undefined
      : `Only cards with ${conditions.map(({ text }) => text).join(' and ')}.`,
  // `daysOf` says the days of all cards, whether the user chose days or not.
  since: () => undefined,
  until: () => undefined,
};

function choiceFacts(choice: CardChoice): string[] {
  // Generic, so that the compiler knows that `CHOICE_FACTS[name]` takes `choice[name]`.
  const factOf = <Name extends keyof CardChoice>(name: Name) => CHOICE_FACTS[name](choice[name]);
  return objectKeys(CHOICE_FACTS)
    .map((name) => factOf(name))
    .filter((fact) => fact !== undefined);
}

/** Which cards the page shows, in short sentences: whose, chosen by what, and of which days. */
async function factsOf(
  { globals }: Invocation,
  options: ReportOptions,
  { question, evidence }: Inquiry,
): Promise<string[]> {
  const { history, from } = options;
  const days = daysOf(options, evidence.cards);
  const { last_success: exportedAt } = (await history.manifest()) ?? {};
  const facts: string[] = [];
  if (globals.demo && from === undefined) facts.push('Demo: invented data.');
  facts.push(...choiceFacts(choiceOf(question)));
  if (days !== undefined) facts.push(`Cards of ${days}.`);
  if (exportedAt) facts.push(`Last export: ${minuteTime(exportedAt)} UTC.`);
  return facts;
}

/** The days that the user typed, otherwise those of the cards; undefined without a card. @param cards newest first */
function daysOf(
  { since, until }: ReportOptions,
  cards: readonly HistoryCard[],
): string | undefined {
  const newestCard = cards[0];
  const oldestCard = cards.at(-1);
  if (newestCard === undefined || oldestCard === undefined) return undefined;
  // With `--since all` the days begin with the oldest card.
  const isSinceTyped = since !== undefined && since !== EVERYTHING;
  const begin = isSinceTyped ? since : oldestCard.at;
  return daysText({ since: begin, until: until ?? newestCard.at });
}

/** Says how many outcomes the figures are of. */
async function basisOf({ history }: ReportOptions, { groups }: Comparison): Promise<string> {
  const { focus = [] } = (await history.manifest()) ?? {};
  return basisWords(
    groups.map(({ figures }) => figures),
    focus,
  );
}
