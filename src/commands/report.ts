import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { differencesOf, symbolsOfBtc } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { prospectOf } from '../outcomes/prospect.ts';
import { groupRows, type Row } from '../outcomes/row.ts';
import { ranked, trackRecord } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import { twoSidesOf } from '../outcomes/two-sides.ts';
import { dayAndMonth, daysText, minuteTime, rateDays } from '../output/format.ts';
import { basisWords } from '../output/views/history-stats.ts';
import { prospectLines } from '../output/views/prospect-words.ts';
import { settingsText } from '../output/views/settings-text.ts';
import { isAdvice, worthTrying } from '../output/views/tune-words.ts';
import { type HeadLine, headlines } from '../output/views/verdict.ts';
import { type ReportInput, reportPage } from '../report/report.ts';
import { writeOutputFile } from '../runtime/files.ts';
import { version } from '../version.ts';
import {
  changesWithin,
  explainEmpty,
  type Inquiry,
  inquire,
  judgedTypes,
} from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { advisedCardsIn, checkIn, nowWords } from './tune.ts';

/** `file` is `-` for standard output. */
type ReportOptions = OfHistory & Readonly<{ file: string; open: boolean }>;

/** `screener report FILE`: one HTML page. The same history at the same time gives the same bytes. */
export async function run(invocation: Invocation, options: ReportOptions): Promise<void> {
  const { context, notes, output } = invocation;
  const inquiry = await inquire(invocation, options);
  const { cards } = inquiry.evidence;
  if (cards.length === 0) await explainEmpty(invocation, options);
  const input = await inputOf(invocation, options, inquiry);
  const html = reportPage(input);
  if (options.file === '-') return context.stdout.write(html);
  await writeOutputFile(options.file, html);
  notes.note(`Report written: ${options.file}`);
  if (!output.isForPeople) {
    // It knows the states of exports, which a page of a history has no need of.
    const { reportReceipt } = await import('../output/views/receipts.ts');
    await output.one(reportReceipt, { file: options.file, bytes: Buffer.byteLength(html) });
  }
  if (cards.length > 0)
    invocation.summary.push(
      ...summaryOf(inquiry, input).map(({ label, text }) => [label, text] as const),
    );
  if (!options.open) return;
  const { openFile } = await import('../runtime/programs.ts');
  if (!(await openFile(options.file, context.env)))
    notes.note('No desktop found: open the file in a browser.');
}

async function inputOf(
  invocation: Invocation,
  options: ReportOptions,
  inquiry: Inquiry,
): Promise<ReportInput> {
  const { evidence, known, overdue, why } = inquiry;
  const { cards, now, until, settingsSince, findings: notebook = [] } = evidence;
  const oldest = cards.at(-1)?.at ?? now;
  const byType = judgedTypes(inquiry);
  const types = groupRows(cards, 'type').sort(([, a], [, b]) => b.length - a.length);
  const changes = changesWithin(inquiry, options);
  const changed = types
    .map(([type]) => type)
    .filter((type) => changes.some((change) => change.types.includes(type)));
  const tuning = tuningOf(evidence, { horizon: MAIN_HORIZON });
  const settingsOf = (type: string) =>
    known.screeners
      .flatMap((one) => (one.type === type ? settingsText(one.conditions) : []))
      .join('; or ');
  const behind = byType.standings.filter(({ word }) => word === 'below');
  const typesBehind = new Set(behind.map(({ group }) => group));
  // What a stricter setting keeps of a type that is behind mostly is behind, too.
  const suggestions = tuning.cuts.filter((cut) => isAdvice(cut) && !typesBehind.has(cut.type));
  const isPresent = ({ type, at }: Row) => at >= (settingsSince.get(type) ?? at);
  return {
    cards,
    facts: await factsOf(invocation, options, cards),
    basis: [await basisOf(options, byType.comparison), why],
    byType,
    rated: rateDays(oldest, until),
    record: trackRecord(notebook, oldest),
    settingsOf,
    overdue:
      overdue === undefined ? '' : `${overdue.message} This page ends on ${dayAndMonth(until)}.`,
    suggestions,
    settingFor: (cut) => nowWords(inquiry, cut),
    prospect: prospectLines(prospectOf(byType.standings, evidence, known)),
    tuning,
    settings: changed.map((type) => settingsHistory(inquiry, type)),
    differences: differencesOf(cards, MAIN_HORIZON, symbolsOfBtc(cards)).filter(({ card }) =>
      isPresent(card),
    ),
    changes,
    footer: `Made by screener ${version}, ${minuteTime(formatApiTime(now))} UTC.`,
  };
}

/** What was found, for the terminal. */
function summaryOf(inquiry: Inquiry, { byType, tuning }: ReportInput): HeadLine[] {
  const advices = tuning.cuts.filter(isAdvice);
  const headLines = headlines(ranked(byType.standings), 'type');
  if (advices.length === 0) return headLines;
  const cards = advisedCardsIn(inquiry);
  const tries = worthTrying(advices, byType.standings, {
    moreOf: (advice) => nowWords(inquiry, advice),
    sidesOf: (advice) => twoSidesOf(advice, cards),
    checkOf: (advice) => checkIn(inquiry, advice, cards),
  });
  return [...headLines, ...tries];
}

async function factsOf(
  { globals }: Invocation,
  options: ReportOptions,
  rows: readonly Row[],
): Promise<string[]> {
  const { history, from: named, since, until, symbol, type } = options;
  const newest = rows[0];
  const oldest = rows.at(-1);
  const days =
    newest && oldest && daysText({ since: since || oldest.at, until: until ?? newest.at });
  const { last_success: exported } = (await history.manifest()) ?? {};
  const facts = [
    globals.demo && named === undefined && 'Demo: invented data.',
    type !== undefined && `Only ${type}.`,
    symbol !== undefined && `Only ${symbol}.`,
    days && `Cards of ${days}.`,
    exported && `Updated ${minuteTime(exported)}.`,
  ];
  return facts.filter((said) => typeof said === 'string');
}

/** How many outcomes the figures are made of. */
async function basisOf({ history }: ReportOptions, { groups }: Comparison): Promise<string> {
  const { focus = [] } = (await history.manifest()) ?? {};
  return basisWords(
    groups.map(({ figures }) => figures),
    focus,
  );
}
