import * as v from 'valibot';
import { OUTCOME_WORDS } from '../../api/contract/horizons.ts';
import { count, described, time } from '../../api/contract/primitives.ts';
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { at, timeOf } from '../../api/time.ts';
import { objectKeys } from '../../base/collections.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { pluralize } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { LIMIT_NAMES, type StandingLimit } from '../../credits/credit-ceiling.ts';
import type { StoppedBy } from '../../history/export/export-run.ts';
import { isSampleBought, openOutcomes, outlookSentence } from '../../history/export/outlook.ts';
import { refusedInWords } from '../../history/export/refused.ts';
import { OLDER_PAGES } from '../../history/export/shares.ts';
import type { ExportSummary } from '../../history/export/summary.ts';
import { PART_NAMES } from '../../history/store/part-states.ts';
import { fieldsOf, nullableObjectOf, objectOf } from '../described-fields.ts';
import { timeWithAge, waitingText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, View } from '../types.ts';
import { LIMITS_OF_USER } from './credits-words.ts';
import { counts, dueAndBought, notAskedList } from './export-fields.ts';

const partSummary = {
  complete: described(v.boolean(), 'whether all of it is here that could be had'),
  failure: nullableObjectOf('what keeps it from being complete; null if nothing does', {
    since: described(time, 'when it failed first, UTC'),
    at: described(time, 'when it failed last, UTC'),
    times: described(count, 'how often since then'),
    status: described(v.nullable(count), 'HTTP status; null if no answer came as documented'),
    code: described(v.string(), 'as in error lines'),
    message: described(v.string(), 'what it was'),
  }),
};

/**
 * What may end a run early, besides the limits of credits. It is a record so that a new end without an entry here does not
 * compile.
 */
const OTHER_ENDS: Readonly<Record<Exclude<StoppedBy, StandingLimit>, true>> = {
  run: true,
  pace: true,
  window: true,
  older: true,
  lost: true,
  refused: true,
  interrupted: true,
  error: true,
};

/** A schema for each field of a receipt, and for no other. */
type SchemasOf<Receipt> = { readonly [Name in keyof Receipt]: v.GenericSchema<unknown> };

export const outlook = {
  resets_at: described(time, "when the month's credits are reset, UTC"),
  bought_by_reset: described(count, 'outcomes bought by then'),
  all_bought_by: described(
    v.nullable(time),
    'when nothing due waits any more, UTC; null: not within 10 months after the reset',
  ),
  due_a_day: described(count, 'outcomes that come due a day'),
  bought_a_day_then: described(count, 'outcomes bought a day after the reset'),
  credits_a_day: described(count, 'credits of exports a day, until the reset'),
};

const exportSummary = v.object({
  directory: described(v.string(), 'the export directory'),
  complete: described(v.boolean(), 'whether everything that was due is done'),
  stopped_by: described(
    v.nullable(v.string()),
    [...LIMIT_NAMES, ...objectKeys(OTHER_ENDS)].join(', '),
  ),
  pages: described(count, 'pages of the list that were received'),
  new_cards: described(count, 'cards the history did not have before'),
  bad_cards: described(count, 'cards that do not match the API document: not kept'),
  outcomes: described(count, 'details bought'),
  medians: described(
    count,
    'screener types whose medians over all outcomes were asked for, 5 credits each',
  ),
  gone: described(count, 'cards the service no longer has (404)'),
  failed_cards: described(count, 'cards whose details could not be had in this run'),
  credits: objectOf('credits of this run', {
    charged: described(count, 'credits of requests that were answered'),
    uncertain: described(count, 'credits of requests that failed: they may count'),
  }),
  cards_total: described(count, 'cards in the history'),
  covered: nullableObjectOf('the window in which every card is kept; null until the list is read', {
    since: described(time, 'its start, UTC'),
    until: described(time, 'its end, UTC'),
  }),
  older_before: described(
    v.nullable(time),
    'cards before this come in later runs; null if there are none',
  ),
  remaining: objectOf('what is left to do', {
    list: described(v.boolean(), 'whether a part of the list is still to be read'),
    outcomes_due: described(count, 'outcomes that could be bought now'),
    outcomes_later: described(count, 'outcomes to buy later'),
  }),
  counts: objectOf('outcomes of all cards', counts),
  bought: nullableObjectOf(
    'how many of the outcomes due in the last 31 days were bought; null if none was due',
    {
      days: described(count, 'days it is counted over'),
      ...dueAndBought,
      by_type: described(v.record(v.string(), v.object(dueAndBought)), 'the same by screener type'),
      by_day: described(v.record(v.string(), v.object(dueAndBought)), 'the same by UTC day'),
    },
  ),
  outlook: nullableObjectOf(
    'what later runs buy; null with --no-outcomes, and if /access was never asked',
    outlook,
  ),
  parts: objectOf('how each part of the export stands', {
    list: objectOf('the list of cards', partSummary),
    details: objectOf('the details of cards, with their outcomes', partSummary),
    settings: objectOf('the settings of the screeners', partSummary),
    medians: objectOf("the service's medians", partSummary),
  }),
  list_at: described(
    v.nullable(time),
    'when the list is to be read next, if this run did not read it, UTC; null if it did',
  ),
  unknown_focus: described(
    v.array(v.string()),
    'types of --focus that no card and no screener has',
  ),
  not_asked: notAskedList,
} satisfies SchemasOf<ExportSummary>);

export const exportSummaryView: View<ReadonlyDeep<v.InferOutput<typeof exportSummary>>> = {
  fields: fieldsOf(exportSummary),
};

/** What a terminal shows of a run: a label and a text each. */
export type SummaryLines = readonly (readonly [label: string, text: string])[];

/** What the words for a run need besides its summary. */
interface RunContext {
  /** Has the words for a limit that was reached. */
  readonly account: Pick<Account, 'limitReached'>;
  /** Whether the run buys outcomes (no `--no-outcomes`). A run that buys none leaves none open. */
  readonly buysOutcomes: boolean;
}

/** Three lines: what the history has, what is still open, what comes next. */
export function summaryLines(
  summary: ExportSummary,
  { account, buysOutcomes }: RunContext,
): SummaryLines {
  const { new_cards, outcomes, cards_total, counts, outlook, remaining, older_before } = summary;
  const boughtNow = outcomes > 0 ? ` (${outcomes} now)` : '';
  const due = pluralize(counts.due, 'due outcome');
  const boughtOfDue = `; ${counts.bought} of ${due} bought${boughtNow}${withoutFigureText(summary)}`;
  const bought = counts.due > 0 ? boughtOfDue : '';
  const isSampleEnough = outlook !== null && isSampleBought(outlook);
  const toDo = buysOutcomes ? openOutcomes(counts, isSampleEnough) : [];
  if (remaining.list) {
    const firstListedDay = older_before?.slice(0, 10);
    const unlisted = firstListedDay === undefined ? 'some cards' : `cards before ${firstListedDay}`;
    toDo.push(`${unlisted} to list`);
  }
  return [
    ['history', `${pluralize(cards_total, 'card')} (${new_cards} new)${bought}`],
    ['still open', toDo.join(', ') || 'nothing'],
    ['next', nextSentence(summary, account)],
  ];
}

/** Follows the number of bought outcomes. Empty if each of them has a figure, or is asked for again. */
function withoutFigureText({ not_asked }: ExportSummary): string {
  const cards = not_asked.find(({ reason }) => reason === 'no_figure')?.cards ?? 0;
  return cards === 0 ? '' : `, ${cards} of them without a figure and not asked for again`;
}

/** The same lines in one, for a log. */
export function summarySentence(lines: SummaryLines): string {
  const [cards, open, next] = lines.map(([, text]) => text);
  return `${cards}. Still open: ${open}. ${next}`;
}

const CONTINUES = 'The next run continues from here.';

/** How the run ended; and when the list is read next, if this run did not read it. */
function nextSentence(summary: ExportSummary, account: Pick<Account, 'limitReached'>): string {
  const { list_at, stopped_by: by } = summary;
  const end = endSentence(summary, account);
  if (list_at === null) return end;
  // --all-credits does not help against a limit; and a run that stopped at today's share has named it already.
  const isHintOfUse = !isLimit(by) && by !== 'pace';
  const hint = isHintOfUse ? ' (--all-credits reads it now)' : '';
  return `${end} The list is next read after ${timeOf(at(list_at))}${hint}.`;
}

/** Whether a limit of credits ended a run. */
function isLimit(by: StoppedBy | null): by is StandingLimit {
  return LIMIT_NAMES.some((name) => name === by);
}

/** How the run ended, and what the next run does. */
function endSentence(summary: ExportSummary, account: Pick<Account, 'limitReached'>): string {
  const { stopped_by: by } = summary;
  switch (by) {
    case null:
      return 'Complete. Run it again for new cards.';
    case 'pace':
      // It is tomorrow's run that continues: further runs of today buy nothing.
      return "Stopped at today's share of the month's credits (--all-credits spends more). Tomorrow's run continues from here.";
    case 'window':
      return `The service does not list all that was asked for: ${gapsInWords(summary)}. ${CONTINUES}`;
    case 'older': {
      const most = OLDER_PAGES * LIMITS.cardsPerPage;
      return `Older cards come in later runs, up to ${most} in each. ${CONTINUES}`;
    }
    case 'lost':
      return 'Month files lack cards. If they still do after a day, exports list them again.';
    case 'interrupted':
      return 'Interrupted. Everything paid for is saved; the next run continues from here.';
    case 'refused':
      return `${failuresInWords(summary).join('. ')}. ${CONTINUES}`;
    case 'error': {
      const failures = failuresInWords(summary);
      const what = failures.length === 0 ? 'Stopped by an error' : failures.join('. ');
      const kept = summary.bad_cards > 0 ? 'The others are saved' : 'All that came is saved';
      return `${what}. ${kept}; the next run continues from here.`;
    }
    default: {
      const { what, when } = account.limitReached(by);
      const more = when === '' ? '' : `; there are more credits from ${when}`;
      return `${what}. The next run continues from here${more}.`;
    }
  }
}

/** `Details refused since 26 Nov (503): 2 outcomes wait`: a sentence without the full stop for each part that fails. */
function failuresInWords({ bad_cards, counts, parts, not_asked }: ExportSummary): string[] {
  const sentences: string[] = [];
  for (const part of PART_NAMES) {
    const { complete, failure } = parts[part];
    const hasBadCards = part === 'list' && bad_cards > 0;
    if (hasBadCards) {
      const cards = pluralize(bad_cards, 'card');
      sentences.push(`${cards} of the list not as documented, and not kept`);
    }
    // If bad cards are the failure, the sentence above has said it.
    const isOfBadCards = hasBadCards && failure?.code === 'bad_answer';
    // A part that the user left out counts as complete, though it may have failed in an earlier run.
    if (!complete && failure !== null && !isOfBadCards)
      sentences.push(refusedInWords(part, failure, counts.to_buy));
  }
  const failed = not_asked.find(({ reason }) => reason === 'failed')?.cards ?? 0;
  if (failed > 0 && !parts.details.complete && parts.details.failure === null)
    sentences.push(`No outcome for ${pluralize(failed, 'card')} yet: asked for again later`);
  return sentences;
}

/** `cards before 2026-11-17T15:35:00Z, asked for again from 2026-11-21T00:00:00Z on; and 2 more gaps`. */
function gapsInWords({ not_asked }: ExportSummary): string {
  const [gap, ...more] = not_asked.filter(
    ({ part, until, again_at }) => part === 'list' && until !== null && again_at !== null,
  );
  if (gap === undefined) return 'export.json says what is missing';
  const hasNoStart = gap.since === null || at(gap.since) === 0;
  const cards = hasNoStart ? `before ${gap.until}` : `of ${gap.since} to ${gap.until}`;
  const others = more.length === 0 ? '' : `; and ${pluralize(more.length, 'more gap')}`;
  return `cards ${cards}, asked for again from ${gap.again_at} on${others}`;
}

const exportQuote = v.object({
  directory: described(v.string(), 'the export directory'),
  first_run: described(v.boolean(), 'whether nothing is kept here yet'),
  outcomes_a_day: described(
    v.nullable(count),
    "outcomes a day the month's credits allow; null: all",
  ),
  counts: objectOf('outcomes of the cards that are listed', counts),
  buys_outcomes: described(v.boolean(), 'whether it buys outcomes; false with --no-outcomes'),
  outlook: nullableObjectOf(
    'what exports buy from now on; null before the first run, and with --no-outcomes',
    outlook,
  ),
  medians_due: described(
    count,
    'screener types whose medians over all outcomes are asked for, 5 credits each',
  ),
  lost_cards: described(
    count,
    'cards that month files lack: listed and bought again, if the service still lists them',
  ),
  credits_at_least: described(count, 'credits if there is no new card'),
  credits_at_most: described(count, 'the most credits that the run may spend'),
  expected: nullableObjectOf(
    'what it does if cards come as usual; null if it is not known how many are to be listed',
    {
      credits: described(count, 'credits'),
      outcomes: described(count, 'of these, for outcomes'),
      with_all_credits: described(count, 'credits with --all-credits'),
    },
  ),
  pacing_seconds: objectOf('seconds of waiting, to keep the pace', {
    least: described(count, 'if no new card has come'),
    most: described(count, 'if it spends its most'),
  }),
  credits_left: described(
    v.nullable(count),
    'left this month, as last known; null if /access was never asked',
  ),
  refused_until: described(
    v.nullable(time),
    'until when the service refuses requests, UTC: a run would stop at once',
  ),
  stops_at: described(
    v.nullable(v.picklist(LIMIT_NAMES)),
    'the limit that leaves it no credit; null if none does',
  ),
  more_from: described(
    v.nullable(time),
    'when there are more credits than it leaves, UTC; null if waiting is of no use',
  ),
  day: objectOf("the day's credits, as recorded on this machine (UTC day assumed)", {
    limit: described(
      v.nullable(count),
      'credits allowed a day, by the service and by SCREENER_DAILY; null if neither is known',
    ),
    spent: described(count, 'spent today'),
  }),
});
type ExportQuoteAnswer = ReadonlyDeep<v.InferOutput<typeof exportQuote>>;

export const exportQuoteView = exportQuoteViewFor([]);

/** @param boughtFirst the types of --focus */
export function exportQuoteViewFor(boughtFirst: readonly string[]): View<ExportQuoteAnswer> {
  return {
    fields: fieldsOf(exportQuote),
    page: (quote, render) => quotePage(quote, boughtFirst.map(safeText), render),
  };
}

function quotePage(
  quote: ExportQuoteAnswer,
  boughtFirst: readonly string[],
  render: RenderContext,
): string {
  const { outlook, expected, pacing_seconds: pacing } = quote;
  const stop = stopWords(quote, render);
  const isForecast = outlook !== null && quote.outcomes_a_day !== null;
  // The longest possible wait is said only if it is not known how much there is to do.
  const waiting = expected === null ? pacing : { least: pacing.least, most: pacing.least };
  const credits = stop === undefined ? creditsText(quote) : `nothing: ${stop}`;
  return render.pairs([
    ['Directory', safeText(quote.directory)],
    ['Still open', openText(quote)],
    ['Forecast', isForecast && outlookSentence(outlook, boughtFirst)],
    ['Credits', credits],
    ['Pacing', stop === undefined && waiting.most > 0 && waitingText(waiting)],
    ['Left after it', leftText(quote, stop !== undefined)],
  ]);
}

/** Why a run would spend nothing; undefined if it would. */
function stopWords(quote: ExportQuoteAnswer, render: RenderContext): string | undefined {
  const { refused_until: refusedUntil, stops_at: limit, more_from: moreFrom } = quote;
  if (refusedUntil !== null)
    return `the service refuses requests until ${timeWithAge(refusedUntil, render)}`;
  if (limit === 'day') return "today's credits are spent; run it after 00:00 UTC";
  if (limit === 'month' || quote.credits_left === 0) return "the month's credits are spent";
  if (limit === null) return undefined;
  const more = moreFrom === null ? '' : `; more from ${timeWithAge(moreFrom, render)}`;
  return `${LIMITS_OF_USER[limit]} is reached${more}`;
}

/** `120 outcomes to buy, about 30 more of cards not listed yet`; `nothing`. */
function openText(quote: ExportQuoteAnswer): string {
  const { first_run: isFirst, buys_outcomes: buysOutcomes, counts, expected, outlook } = quote;
  const lost = quote.lost_cards;
  if (isFirst) {
    const outcomes = `one outcome for every card older than ${OUTCOME_WORDS}`;
    const what = buysOutcomes ? outcomes : 'the list of cards';
    return `not known before the first run: ${what}`;
  }
  const open = openOutcomes(counts);
  if (lost > 0) open.push(`${pluralize(lost, 'lost card')} to list and buy again`);
  if (open.length === 0) return 'nothing';
  const known = counts.to_buy + counts.pending + lost;
  const unlisted = expected === null ? 0 : expected.outcomes - known;
  if (unlisted > 0) open.push(`about ${unlisted} more of cards not listed yet`);
  const isSampleEnough = outlook !== null && isSampleBought(outlook);
  const remark = isSampleEnough && counts.to_buy > 0 ? '. A random sample of them is enough.' : '';
  return `${open.join(', ')}${remark}`;
}

/** `about 30 (27 for outcomes, 3 for list and settings). That is today's share of the month; --all-credits spends about 31.` */
function creditsText({ credits_at_most, expected, medians_due: types }: ExportQuoteAnswer): string {
  const creditsOfMedians = OPERATIONS.stats.cost * types;
  const forMedians = `for the medians of ${pluralize(types, 'type')}`;
  if (expected === null) {
    const medians = types === 0 ? '' : ` (${creditsOfMedians} ${forMedians})`;
    return `up to ${credits_at_most}${medians}`;
  }
  const { credits, outcomes, with_all_credits: allCredits } = expected;
  const purposes = [
    { count: outcomes, purpose: 'for outcomes' },
    { count: creditsOfMedians, purpose: forMedians },
    { count: credits - outcomes - creditsOfMedians, purpose: 'for list and settings' },
  ].filter(({ count }) => count > 0);
  const spending = spendingText(credits, purposes);
  if (allCredits === credits) return spending;
  return `${spending}. ${shareWords(outcomes)}; --all-credits spends about ${allCredits}.`;
}

/** @param outcomes how many outcomes the run buys of today's share */
function shareWords(outcomes: number): string {
  if (outcomes === 0) return "Today's share is spent: the rest is for the days until the reset";
  return "That is today's share of the month";
}

/** `about 1, for list and settings`; for several purposes `about 30 (27 for outcomes, 3 for list and settings)`. */
function spendingText(
  credits: number,
  purposes: readonly { readonly count: number; readonly purpose: string }[],
): string {
  const [only, ...more] = purposes;
  if (only === undefined) return 'nothing now';
  if (more.length === 0) return `about ${credits}, ${only.purpose}`;
  const parts = purposes.map(({ count, purpose }) => `${count} ${purpose}`);
  return `about ${credits} (${parts.join(', ')})`;
}

/** `about 120 of 150 today; this month: about 970`. @param isStopped whether the run spends nothing */
function leftText(quote: ExportQuoteAnswer, isStopped: boolean): string {
  const { expected, credits_at_most: most, credits_left: leftThisMonth, day } = quote;
  const leftAfter = (before: number): string => {
    if (isStopped) return String(before);
    if (expected === null) return `at least ${Math.max(0, before - most)}`;
    return `about ${Math.max(0, before - expected.credits)}`;
  };
  const month = leftThisMonth === null ? '`screener access` asks (free)' : leftAfter(leftThisMonth);
  if (day.limit === null) return `this month: ${month}`;
  const leftToday = leftAfter(Math.max(0, day.limit - day.spent));
  return `${leftToday} of ${day.limit} today; this month: ${month}`;
}
