import { LIMITS } from '../../api/limits.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import type { ExportSummary } from './conclude.ts';
import { OLDER_PAGES } from './run.ts';
import type { StoppedBy } from './session.ts';

const STOPPED: Record<StoppedBy, string> = {
  max_credits: 'Stopped at --max-credits',
  keep: 'Stopped at the reserve of --keep',
  day: "Stopped at the day's 150 credits",
  month: "Stopped because the month's credits are used up",
  pace: "Stopped at the day's share of the month's credits (--all-credits spends them now)",
  window: 'The service does not list all that was asked for (export.json says what is missing)',
  older: `The list further back comes in later runs, up to ${OLDER_PAGES * LIMITS.cardsPerPage} cards in each`,
  interrupted: 'Interrupted',
  error: 'Stopped by an error',
};

/** What a run did, what is left, and what comes next: labelled lines for a terminal. */
export function summaryLines(summary: ExportSummary): (readonly [label: string, text: string])[] {
  const { new_cards, pages, outcomes, cards_total, remaining, bought, stopped_by, older_before } = summary;
  const { list, outcomes_due: due, outcomes_later: later } = remaining;
  const share = bought === null ? '' : `; ${bought.bought} of ${bought.due} due in ${bought.days} days bought`;
  const left = [
    ...(list ? [older_before === null ? 'a part of the list' : `cards before ${older_before.slice(0, 10)}`] : []),
    ...(due > 0 ? [`${pluralize(due, 'outcome')} due`] : []),
    ...(later > 0 ? [`${pluralize(later, 'outcome')} not due yet`] : []),
  ];
  const history = `${pluralize(cards_total, 'card')} (${new_cards} new), ${pluralize(outcomes, 'outcome')} bought now`;
  const isListing = stopped_by === 'max_credits' && outcomes < pages;
  const fit = isListing ? ` Only ${pluralize(outcomes, 'outcome')} fitted in: the list took ${pages} credits.` : '';
  const next = stopped_by === null ? 'Complete. Run it again for what comes.' : stoppedSentence(stopped_by) + fit;
  return [
    ['history', history + share],
    ['left', left.length === 0 ? 'nothing' : left.join(', ')],
    ['next', next],
  ];
}

function stoppedSentence(by: StoppedBy): string {
  const isAbrupt = by === 'interrupted' || by === 'error';
  return `${STOPPED[by]}. ${isAbrupt ? 'Everything paid for is saved; the' : 'The'} next run continues from here.`;
}

export function summarySentence(summary: ExportSummary): string {
  const [[, history] = [], [, left] = [], [, next] = []] = summaryLines(summary);
  return `${history}. Left: ${left}. ${next}`;
}
