import type { ExportSummary } from '../../history/export-run.ts';
import type { ExportQuote } from '../../history/quote.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { waitingText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Field, View } from '../types.ts';

const share: readonly Field[] = [
  { name: 'due', kind: 'integer', about: 'outcomes due' },
  { name: 'bought', kind: 'integer', about: 'outcomes bought' },
];

/** What an export run did, for scripts. */
export const exportSummaryView: View<ExportSummary> = {
  fields: [
    { name: 'directory', kind: 'text', about: 'the export directory' },
    { name: 'complete', kind: 'boolean', about: 'whether everything that was due is done' },
    {
      name: 'stopped_by',
      kind: 'text',
      about: 'max_credits, keep, day, month, pace, window, interrupted or error; null where nothing stopped it',
    },
    { name: 'pages', kind: 'integer', about: 'pages of the list that came in' },
    { name: 'new_cards', kind: 'integer', about: 'cards the history did not have before' },
    { name: 'outcomes', kind: 'integer', about: 'details bought' },
    { name: 'gone', kind: 'integer', about: 'details the service no longer has (404)' },
    { name: 'credits', kind: 'object', about: 'credits of this run' },
    { name: 'credits.charged', kind: 'integer', about: 'credits of requests that were answered' },
    { name: 'credits.uncertain', kind: 'integer', about: 'credits of requests that failed: they may count' },
    { name: 'cards_total', kind: 'integer', about: 'cards in the history' },
    { name: 'covered', kind: 'object', about: 'the window of which every card is here; null before it is walked' },
    { name: 'covered.since', kind: 'time', about: 'its start, UTC' },
    { name: 'covered.until', kind: 'time', about: 'its end, UTC' },
    { name: 'remaining', kind: 'object', about: 'what is left to do' },
    { name: 'remaining.list', kind: 'boolean', about: 'whether a part of the list is still to be walked' },
    { name: 'remaining.outcomes_due', kind: 'integer', about: 'outcomes that could be bought now' },
    { name: 'remaining.outcomes_later', kind: 'integer', about: 'outcomes whose time has not come' },
    {
      name: 'bought',
      kind: 'object',
      about: 'of the outcomes due, of cards of the last 31 days, how many were bought',
    },
    { name: 'bought.days', kind: 'integer', about: 'days it is counted over' },
    { name: 'bought.due', kind: 'integer', about: 'outcomes due' },
    { name: 'bought.bought', kind: 'integer', about: 'outcomes bought' },
    { name: 'bought.by_type', kind: 'object', about: 'the same by screener type', items: share },
    { name: 'bought.by_day', kind: 'object', about: 'the same by UTC day', items: share },
  ],
};

/** What `--plan` says of an export run. */
export const exportQuoteView: View<ExportQuote> = {
  fields: [
    { name: 'directory', kind: 'text', about: 'the export directory' },
    { name: 'first_run', kind: 'boolean', about: 'whether nothing is here yet' },
    { name: 'outcomes_due', kind: 'integer', about: 'outcomes that can be bought now, 1 credit each' },
    { name: 'outcomes_later', kind: 'integer', about: 'outcomes whose time has not come' },
    { name: 'outcomes_a_day', kind: 'integer', about: "outcomes a day the month's credits allow; null: all" },
    {
      name: 'caught_up_in_days',
      kind: 'integer',
      about: 'days at that rate until all due are bought; null: never, or now',
    },
    { name: 'list_pages_at_least', kind: 'integer', about: 'pages of the list; 25 new cards more cost 1 more' },
    { name: 'credits_at_least', kind: 'integer', about: 'credits where no new card has come' },
    { name: 'credits_at_most', kind: 'integer', about: 'credits it never goes beyond' },
    { name: 'pacing_seconds', kind: 'object', about: 'seconds the allowance per minute makes it take' },
    { name: 'pacing_seconds.least', kind: 'integer', about: 'if no new card has come' },
    { name: 'pacing_seconds.most', kind: 'integer', about: 'if it spends its most' },
    { name: 'day', kind: 'object', about: "the day's credits, as this machine knows them (UTC day assumed)" },
    { name: 'day.limit', kind: 'integer', about: 'credits of a day' },
    { name: 'day.spent', kind: 'integer', about: 'spent today' },
    { name: 'day.left_after_least', kind: 'integer', about: 'left today after the run, if no new card has come' },
    { name: 'day.left_after_most', kind: 'integer', about: 'left today after the run, if it spends its most' },
  ],
  page: (quote, { pairs }) =>
    pairs([
      ['Directory', safeText(quote.directory)],
      ['Outcomes due', outcomesText(quote)],
      ['List', `${quote.list_pages_at_least} or more pages: one more for every 25 new cards`],
      ['Credits', creditsText(quote)],
      ['Pacing', waitingText(quote.pacing_seconds)],
      ['Spent today', `${quote.day.spent} of ${quote.day.limit}, as this machine knows it`],
      ['Left after it', rangeText(quote.day.left_after_least, quote.day.left_after_most, 'at least')],
    ]),
};

function outcomesText({ first_run, outcomes_due, outcomes_later, ...quote }: ExportQuote): string {
  if (first_run) return 'not known before the first run: one for every card older than a day';
  const due = `${outcomes_due} (${outcomes_later} more are not due yet)`;
  if (quote.outcomes_a_day === null) return due;
  const days = quote.caught_up_in_days;
  const end = days === null ? 'more come due than that' : `all are bought in ${pluralize(days, 'day')}`;
  return `${due}; ${quote.outcomes_a_day} a day so that the month's credits last: ${end}`;
}

function creditsText({ first_run, credits_at_least, credits_at_most }: ExportQuote): string {
  if (first_run) return `${credits_at_most} at most: the service gives no total of cards`;
  return rangeText(credits_at_least, credits_at_most, 'at most');
}

/** @param end what the second figure is: `at most` or `at least` */
function rangeText(quiet: number, other: number, end: string): string {
  return quiet === other ? String(other) : `${quiet} if no new card has come, ${other} ${end}`;
}
