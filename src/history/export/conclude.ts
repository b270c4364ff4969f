import { LIMITS } from '../../api/limits.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { pluralize, utcDay } from '../../runtime/units.ts';
import { cardsIn } from '../store/manifest.ts';
import { changeDay } from './apply-journal.ts';
import { judgeHistory } from './judge-history.ts';
import { type Listing, OLDER_PAGES } from './listing.ts';
import { openOutcomes } from './outlook.ts';
import type { Purchases } from './purchases.ts';
import type { Session, StoppedBy } from './session.ts';
import { surveyCards } from './survey.ts';

type Concluded = Awaited<ReturnType<typeof conclude>>;
export type ExportSummary = Concluded['summary'];

export interface RunParts {
  readonly listing: Listing;
  readonly purchases: Purchases;
  readonly others: { medians: number };
}

/** @param ending `took`: milliseconds @throws ScreenerError storage, busy */
export async function conclude(
  { account, client, history, notes }: Session,
  { listing, purchases, others }: RunParts,
  ending: { cardsBefore: number; took: number; stoppedBy: StoppedBy | null; failure: unknown },
) {
  const { cardsBefore, took, stoppedBy, failure } = ending;
  const now = client.now();
  const { due, later, counts, share } = await surveyCards(history, now);
  const { charged, uncertain } = account.gate.spent;
  const finished_at = formatApiTime(now);
  const started_at = formatApiTime(now - took);
  // What was bought is in the month files before anything is found in it.
  await history.fold();
  const { manifest: before } = history;
  const cards = cardsIn(before);
  const judged_at = failure === undefined ? await judgeHistory(history, now) : before.judged_at;
  await history.fold({
    judged_at,
    complete: stoppedBy === null,
    remaining: { list: !listing.isDone, outcomes_due: due.length, outcomes_later: later.length },
    counts,
    bought: share,
    days: changeDay(before.days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      credits: day.credits + charged + uncertain,
      backlog: stoppedBy === 'pace' ? 0 : counts.to_buy,
    })),
    last_run: { started_at, finished_at, stopped_by: stoppedBy },
    focus: [...new Set([...before.focus, ...purchases.boughtFirst])].sort(),
    last_success: failure === undefined ? finished_at : before.last_success,
  });
  const { manifest: after } = history;
  const [first, ...more] = purchases.failed;
  if (first !== undefined) {
    const cards = more.length === 0 ? `card ${first.id}` : `card ${first.id} and ${more.length} more`;
    notes.note(`No outcome for ${cards}; a later run asks again: ${first.message}`);
  }
  const older = listing.missing;
  const summary = {
    directory: history.directory,
    complete: after.complete,
    stopped_by: stoppedBy,
    pages: listing.pages,
    new_cards: Math.max(0, cards - cardsBefore),
    outcomes: purchases.outcomes,
    gone: purchases.gone,
    medians: others.medians,
    credits: { charged, uncertain },
    cards_total: cards,
    covered: after.spans[0] ?? null,
    older_before: older === undefined ? null : formatApiTime(older.until),
    remaining: after.remaining,
    counts,
    bought: after.bought,
  };
  return { summary, further: { account, again: purchases.again } };
}

const STOPPED: Record<Exclude<StoppedBy, LimitName>, string> = {
  pace: "Stopped at today's share of the month's credits (--all-credits spends more)",
  window: 'The service does not list all that was asked for (export.json says what is missing)',
  older: `Older cards come in later runs, up to ${OLDER_PAGES * LIMITS.cardsPerPage} in each`,
  interrupted: 'Interrupted',
  error: 'Stopped by an error',
};

/** What a run did, what is left, and what comes next. */
export function summaryLines({ summary, further }: Concluded): (readonly [label: string, text: string])[] {
  const { account, again } = further;
  const { new_cards, outcomes, cards_total, counts, remaining, stopped_by, older_before } = summary;
  const newly = outcomes > again && `${outcomes - again} now`;
  const done = [newly, again > 0 && `${again} asked again`].filter(Boolean).join(', ');
  const bought =
    counts.due > 0 && `${counts.bought} of ${pluralize(counts.due, 'due outcome')} bought${done && ` (${done})`}`;
  const left = openOutcomes(counts);
  const unlisted = older_before === null ? 'some cards' : `cards before ${older_before.slice(0, 10)}`;
  if (remaining.list) left.push(`${unlisted} to list`);
  return [
    ['history', [`${pluralize(cards_total, 'card')} (${new_cards} new)`, bought].filter(Boolean).join('; ')],
    ['left', left.join(', ') || 'nothing'],
    ['next', stopped_by === null ? 'Complete. Run it again for new cards.' : stoppedSentence(stopped_by, account)],
  ];
}

const isLimit = (by: StoppedBy): by is LimitName => !Object.hasOwn(STOPPED, by);

function stoppedSentence(by: StoppedBy, account: Account): string {
  const isAbrupt = by === 'interrupted' || by === 'error';
  const { what, when } = isLimit(by) ? account.reached(by) : { what: STOPPED[by], when: '' };
  const more = when && `; there are more credits from ${when}`;
  return `${what}. ${isAbrupt ? 'Everything paid for is saved; the' : 'The'} next run continues from here${more}.`;
}

export function summarySentence(lines: ReturnType<typeof summaryLines>): string {
  const [history, left, next] = lines.map(([, text]) => text);
  return `${history}. Left: ${left}. ${next}`;
}
