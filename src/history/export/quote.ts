/** Quotes an export run from the disk and the ledger; sends nothing. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { parseApiTime } from '../../api/time.ts';
import { atMost } from '../../credits/usage.ts';
import { Journal } from '../store/journal.ts';
import { emptyManifest, isScreenersDue, loadManifest } from '../store/manifest.ts';
import { Months } from '../store/months.ts';
import { readStatsLog } from '../store/stats-log.ts';
import { applyJournal } from './apply-journal.ts';
import { mediansOf } from './medians.ts';
import { billingMonth, paceOf, UNPACED } from './pace.ts';
import type { Exporter, ExportOptions } from './session.ts';
import { newestGap } from './spans.ts';
import { surveyCards } from './survey.ts';

/** What `--plan` says; its view says what each field means. @throws ScreenerError storage, usage */
export async function quoteExport(
  { connection: { account }, context }: Exporter,
  directory: string,
  { since, outcomes, allCredits, screeners, stats }: ExportOptions,
) {
  const now = context.clock.now();
  const stored = (await loadManifest(directory)) ?? emptyManifest(account.id);
  const journal = await Journal.open(directory);
  const manifest = applyJournal(stored, journal.entries);
  const survey = await surveyCards(new Months(directory), manifest, journal.cards(), now);
  const { spans, begins_at } = manifest;
  const gap = newestGap(spans, since ?? parseApiTime(begins_at ?? '') ?? 0);
  const pages = 1 + (gap === undefined ? 0 : 1);
  const today = account.today();
  const { credits: budget } = account.left();
  const due = outcomes ? survey.due.length : 0;
  const month = billingMonth(account, now);
  const medians = stats
    ? mediansOf(survey.dueByType, await readStatsLog(directory), manifest, month)
    : { due: [], later: 0 };
  const extras = OPERATIONS.stats.cost * medians.due.length + (screeners && isScreenersDue(manifest, now) ? 1 : 0);
  const left = { ...month, credits: month.credits - extras };
  const pace = allCredits
    ? UNPACED
    : paceOf(survey, manifest, left, { spending: account.days(), medians: medians.later });
  const { perDay } = pace;
  const catchesUp = perDay !== null && perDay > survey.cardsPerDay;
  const least = Math.min(budget, pages + extras + Math.min(due, pace.now));
  const spent = atMost(today);
  const leftToday = (credits: number) => Math.max(0, LIMITS.creditsPerDay - spent - credits);
  // Adds `/access`, which costs a request and no credit.
  const pacing = (credits: number) => Math.ceil(account.pace(credits + 1) / 1000);
  return {
    directory,
    first_run: spans.length === 0,
    outcomes_due: due,
    outcomes_later: survey.later.length,
    outcomes_a_day: perDay === null ? null : Math.floor(perDay),
    caught_up_in_days: catchesUp ? Math.ceil(due / (perDay - survey.cardsPerDay)) : null,
    list_pages_at_least: pages,
    medians_due: medians.due.length,
    credits_at_least: least,
    credits_at_most: budget,
    pacing_seconds: { least: pacing(least), most: pacing(budget) },
    day: { limit: LIMITS.creditsPerDay, spent, left_after_least: leftToday(least), left_after_most: leftToday(budget) },
  };
}
