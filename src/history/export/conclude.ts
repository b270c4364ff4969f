import { formatApiTime } from '../../api/time.ts';
import { utcDay } from '../../runtime/units.ts';
import { cardsIn } from '../store/manifest.ts';
import { changeDay } from './apply-journal.ts';
import { isListDone, missing } from './fill.ts';
import type { ExportSession, StoppedBy } from './session.ts';

export type ExportSummary = Awaited<ReturnType<typeof conclude>>;

/** @param took milliseconds @throws ScreenerError storage */
export async function conclude(session: ExportSession, took: number, stoppedBy: StoppedBy | null) {
  const { history, counts, account } = session;
  const now = session.clock.now();
  const { due, later, share } = await session.survey();
  const { charged, uncertain } = account.spent();
  const finished_at = formatApiTime(now);
  const started_at = formatApiTime(now - Math.max(0, took));
  const { manifest: before } = history;
  await history.fold({
    complete: stoppedBy === null,
    remaining: { list: !isListDone(session), outcomes_due: due.length, outcomes_later: later.length },
    bought: share,
    days: changeDay(before.days, utcDay(now), (day) => ({
      ...day,
      runs: day.runs + 1,
      credits: day.credits + charged + uncertain,
      backlog: stoppedBy === 'pace' ? 0 : due.length,
    })),
    last_run: { started_at, finished_at, stopped_by: stoppedBy },
    focus: [...new Set([...before.focus, ...session.boughtFirst])].sort(),
    last_success: session.failure === undefined ? finished_at : before.last_success,
  });
  const { manifest: after } = history;
  const older = missing(session);
  return {
    directory: history.directory,
    complete: after.complete,
    stopped_by: stoppedBy,
    pages: counts.pages,
    new_cards: Math.max(0, cardsIn(after) - session.cardsBefore),
    outcomes: counts.outcomes,
    gone: counts.gone,
    medians: counts.medians,
    credits: { charged, uncertain },
    cards_total: cardsIn(after),
    covered: after.spans[0] ?? null,
    older_before: older === undefined ? null : formatApiTime(older.until),
    remaining: after.remaining,
    bought: after.bought,
  };
}
