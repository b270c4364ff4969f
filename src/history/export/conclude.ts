import { formatApiTime } from '../../api/time.ts';
import { utcDay } from '../../runtime/units.ts';
import { cardsIn, type ExportManifest } from '../store/manifest.ts';
import { changeDay } from './apply-journal.ts';
import { compactJournal } from './compact-journal.ts';
import { goalOf, isListDone } from './fill.ts';
import type { ExportSession, StoppedBy } from './session.ts';
import { newestGap } from './spans.ts';

/** What a run did; its view says what each field means. */
export type ExportSummary = Awaited<ReturnType<typeof conclude>>;

/**
 * @param before the manifest that the run found: a killed run told nobody what it had brought in
 * @param started when the run began, by this machine's clock
 * @throws ScreenerError storage
 */
export async function conclude(
  session: ExportSession,
  before: ExportManifest,
  { started, stoppedBy }: { readonly started: number; readonly stoppedBy: StoppedBy | null },
) {
  const { history, counts, machine, account } = session;
  const now = session.clock.now();
  const { due, later, share } = await session.survey();
  const { charged, uncertain } = account.spent();
  const finished_at = formatApiTime(now);
  const started_at = formatApiTime(now - Math.max(0, machine.now() - started));
  const after = await compactJournal(history, ({ days, focus, last_success }) => ({
    complete: stoppedBy === null,
    remaining: { list: !isListDone(session), outcomes_due: due.length, outcomes_later: later.length },
    bought: share,
    days: changeDay(days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      credits: day.credits + charged + uncertain,
      backlog: stoppedBy === 'pace' ? 0 : due.length,
    })),
    last_run: { started_at, finished_at, stopped_by: stoppedBy },
    focus: [...new Set([...focus, ...session.boughtFirst])].sort(),
    last_success: session.failure === undefined ? finished_at : last_success,
  }));
  return {
    directory: history.directory,
    complete: after.complete,
    stopped_by: stoppedBy,
    pages: counts.pages,
    new_cards: Math.max(0, cardsIn(after) - cardsIn(before)),
    outcomes: counts.outcomes,
    gone: after.gone.length - before.gone.length,
    medians: counts.medians,
    credits: { charged, uncertain },
    cards_total: cardsIn(after),
    covered: after.spans[0] ?? null,
    older_before: olderBefore(session),
    remaining: after.remaining,
    bought: after.bought,
  };
}

function olderBefore(session: ExportSession): string | null {
  const gap = newestGap(session.coverage.spans, goalOf(session));
  return gap === undefined ? null : formatApiTime(gap.until);
}
