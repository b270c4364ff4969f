import { LIMITS } from '../../api/limits.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { pluralize, utcDay } from '../../runtime/units.ts';
import { cardsIn } from '../store/manifest.ts';
import { changeDay } from './apply-journal.ts';
import { judgeHistory } from './judging.ts';
import { type Listing, OLDER_PAGES } from './listing.ts';
import { openOutcomes } from './outlook.ts';
import type { Purchases } from './purchases.ts';
import type { Session, StoppedBy } from './session.ts';
import { surveyCards } from './survey.ts';

export type ExportSummary = Awaited<ReturnType<typeof conclude>>;

export type RunParts = Readonly<{ listing: Listing; purchases: Purchases }>;

/** Judges what is in the journal, or in a month file: both last. @throws ScreenerError storage, busy */
export async function conclude(
  { account, client, history, notes }: Session,
  { listing, purchases }: RunParts,
  ending: { before: { cards: number; now: number }; stoppedBy: StoppedBy | null; failure: unknown },
) {
  const { before, stoppedBy, failure } = ending;
  const now = client.now();
  const { due, later, counts, share: bought } = await surveyCards(history, now);
  const remaining = {
    list: !listing.isDone,
    outcomes_due: due.length,
    outcomes_later: later.length,
  };
  const state = { remaining, counts, bought };
  const { charged, uncertain } = account.gate.spent;
  const finished_at = formatApiTime(now);
  const { manifest } = history;
  // A run that read no page of the list knows neither what is new nor what time it is.
  const isJudged = failure === undefined && listing.pages > 0;
  const judgement = isJudged ? await judgeHistory(history, now) : {};
  await history.fold({
    ...judgement,
    complete: stoppedBy === null,
    ...state,
    days: changeDay(manifest.days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      credits: day.credits + charged + uncertain,
      backlog: stoppedBy === 'pace' ? 0 : counts.to_buy,
    })),
    last_run: {
      started_at: formatApiTime(Math.min(before.now, now)),
      finished_at,
      stopped_by: stoppedBy,
    },
    focus: [...new Set([...manifest.focus, ...purchases.boughtFirst])].sort(),
    last_success: failure === undefined ? finished_at : manifest.last_success,
  });
  const [first, ...more] = purchases.failed;
  if (first !== undefined) {
    const cards =
      more.length === 0 ? `card ${first.id}` : `card ${first.id} and ${more.length} more`;
    notes.note(`No outcome for ${cards}; a later run asks again: ${first.message}`);
  }
  const cards_total = cardsIn(history.manifest);
  const older = listing.missingBefore;
  return {
    directory: history.directory,
    complete: stoppedBy === null,
    stopped_by: stoppedBy,
    pages: listing.pages,
    new_cards: Math.max(0, cards_total - before.cards),
    outcomes: purchases.outcomes,
    gone: purchases.gone,
    medians: purchases.medians,
    credits: { charged, uncertain },
    cards_total,
    covered: manifest.spans[0] ?? null,
    older_before: older === undefined ? null : formatApiTime(older),
    ...state,
  };
}

const STOPPED: Record<Exclude<StoppedBy, LimitName>, string> = {
  pace: "Stopped at today's share of the month's credits (--all-credits spends more)",
  window: 'The service does not list all that was asked for (export.json says what is missing)',
  older: `Older cards come in later runs, up to ${OLDER_PAGES * LIMITS.cardsPerPage} in each`,
  interrupted: 'Interrupted',
  error: 'Stopped by an error',
};

export function summaryLines(
  summary: ExportSummary,
  account: Account,
): (readonly [label: string, text: string])[] {
  const { new_cards, outcomes, cards_total, counts, remaining, stopped_by, older_before } = summary;
  const now = outcomes > 0 ? ` (${outcomes} now)` : '';
  const bought =
    counts.due > 0
      ? `; ${counts.bought} of ${pluralize(counts.due, 'due outcome')} bought${now}`
      : '';
  const left = openOutcomes(counts);
  const unlisted =
    older_before === null ? 'some cards' : `cards before ${older_before.slice(0, 10)}`;
  if (remaining.list) left.push(`${unlisted} to list`);
  return [
    ['history', `${pluralize(cards_total, 'card')} (${new_cards} new)${bought}`],
    ['left', left.join(', ') || 'nothing'],
    [
      'next',
      stopped_by === null
        ? 'Complete. Run it again for new cards.'
        : stoppedSentence(stopped_by, account),
    ],
  ];
}

const isLimit = (by: StoppedBy): by is LimitName => !Object.hasOwn(STOPPED, by);

function stoppedSentence(by: StoppedBy, account: Account): string {
  const isAbrupt = by === 'interrupted' || by === 'error';
  const { what, when } = isLimit(by) ? account.reached(by) : { what: STOPPED[by], when: '' };
  const more = when && `; there are more credits from ${when}`;
  return `${what}. ${isAbrupt ? 'Everything paid for is saved; the' : 'The'} next run continues from here${more}.`;
}
