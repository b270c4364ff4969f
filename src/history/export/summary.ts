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
  older: 'The list further back comes in later runs',
  interrupted: 'Interrupted',
  error: 'Stopped by an error',
};

export function summarySentence(summary: ExportSummary): string {
  const { new_cards, outcomes, cards_total, remaining, bought, stopped_by, older_before } = summary;
  const did = `${pluralize(new_cards, 'new card')} and ${pluralize(outcomes, 'outcome')} exported, ${pluralize(cards_total, 'card')} in all`;
  const { outcomes_due: due, outcomes_later: later } = remaining;
  if (stopped_by === null) {
    return `${did}${later > 0 ? `; ${pluralize(later, 'outcome')} not due yet` : ''}. Complete.`;
  }
  const share = bought === null ? '' : ` (${bought.bought} of ${bought.due} in ${bought.days} days bought)`;
  const older =
    older_before === null
      ? ''
      : ` The list reaches back to ${older_before.slice(0, 10)}; each later run adds up to ${OLDER_PAGES * LIMITS.cardsPerPage} older cards.`;
  const rest = [
    ...(remaining.list ? ['a part of the list'] : []),
    ...(due > 0 ? [`${pluralize(due, 'outcome')} due${share}`] : []),
    ...(later > 0 ? [`${later} due later`] : []),
  ];
  const remains = rest.length > 0 ? `; remaining: ${rest.join(', ')}` : '';
  return `${did}. ${STOPPED[stopped_by]}${remains}. ${goesOn(stopped_by)}${older}`;
}

export function summaryLines(summary: ExportSummary): (readonly [string, string])[] {
  const { new_cards, outcomes, cards_total, remaining, bought, stopped_by, older_before } = summary;
  const { outcomes_due: due, outcomes_later: later } = remaining;
  const share = bought === null ? '' : `; ${bought.bought} of ${bought.due} due in ${bought.days} days bought`;
  const left = [
    ...(remaining.list
      ? [older_before === null ? 'a part of the list' : `cards before ${older_before.slice(0, 10)}`]
      : []),
    ...(due > 0 ? [`${pluralize(due, 'outcome')} due`] : []),
    ...(later > 0 ? [`${pluralize(later, 'outcome')} not due yet`] : []),
  ];
  return [
    [
      'history',
      `${pluralize(cards_total, 'card')} (${new_cards} new), ${pluralize(outcomes, 'outcome')} bought now${share}`,
    ],
    ['left', left.length === 0 ? 'nothing' : left.join(', ')],
    [
      'next',
      stopped_by === null ? 'Complete. Run it again for what comes.' : `${STOPPED[stopped_by]}. ${goesOn(stopped_by)}`,
    ],
  ];
}

function goesOn(stoppedBy: StoppedBy): string {
  const isAbrupt = stoppedBy === 'interrupted' || stoppedBy === 'error';
  return `${isAbrupt ? 'Everything paid for is saved; the' : 'The'} next run continues from here.`;
}
