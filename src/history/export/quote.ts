/** Quotes an export run from the disk and the ledger; sends nothing. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import { mayLift } from '../../credits/reserve.ts';
import { atMost } from '../../credits/usage.ts';
import { DAY } from '../../runtime/units.ts';
import { dueAfter, emptyManifest, loadManifest } from '../store/manifest.ts';
import type { Outlook } from './outlook.ts';
import { planRun } from './plan.ts';
import type { ExportOptions, RunContext } from './session.ts';
import { lookBack, newestGap } from './spans.ts';
import { coveredUntil } from './survey.ts';
import { WorkingHistory } from './working-history.ts';

/**
 * What exports into this history of the account will do, as far as the disk and the ledger tell.
 * @returns undefined before the first one, and before `/access` was ever asked
 * @throws ScreenerError storage
 */
export async function foreseeExports(account: Account, directory: string, now: number): Promise<Outlook | undefined> {
  const options = { outcomes: true, screeners: true, stats: true };
  const { manifest, outlook } = await planFromDisk(account, directory, options, now);
  return manifest.spans.length === 0 ? undefined : outlook;
}

async function planFromDisk(account: Account, directory: string, options: ExportOptions, now: number) {
  const history = new WorkingHistory(directory, (await loadManifest(directory)) ?? emptyManifest(account.id));
  await history.readJournal();
  return { manifest: history.manifest, ...(await planRun(account, history, options, now)) };
}

/** What `--plan` says; its view says what each field means. @throws ScreenerError storage, usage */
export async function quoteExport(
  { connection: { account }, context }: RunContext,
  directory: string,
  options: ExportOptions,
) {
  const now = context.clock.now();
  const plan = await planFromDisk(account, directory, options, now);
  const { manifest, survey, others, pace, outlook } = plan;
  const { credits: most } = account.left();
  const due = options.outcomes ? survey.due.length : 0;
  const pages = newestGap(manifest, options.since) === undefined ? 1 : 2;
  const least = Math.min(most, pages + others.credits + Math.min(due, pace.now));
  const { daily = LIMITS.creditsPerDay, today } = account.known();
  const spent = atMost(today);
  const { path } = OPERATIONS.signals;
  const refused = mayLift(account, path) ? undefined : account.gate.blocked(path);
  const limit = Math.min(daily, LIMITS.creditsPerDay);
  // Adds `/access`, which costs a request and no credit.
  const pacing = (credits: number) => Math.ceil(account.pace(credits + 1) / 1000);
  const isFirst = manifest.spans.length === 0;
  return {
    directory,
    first_run: isFirst,
    counts: survey.counts,
    outcomes_a_day: pace.perDay && Math.floor(pace.perDay),
    outlook: isFirst || !options.outcomes ? null : (outlook ?? null),
    medians_due: others.types.length,
    credits_at_least: least,
    credits_at_most: most,
    expected: expect(plan, options, now, most),
    pacing_seconds: { least: pacing(least), most: pacing(most) },
    credits_left: account.known().monthLeft ?? null,
    refused_until: refused === undefined ? null : formatApiTime(refused.until),
    day: { limit, spent },
  };
}

/** @param most credits @returns what a run does if cards come as usual; null where nobody knows how many are listed */
function expect(
  { manifest, survey, others, pace }: Awaited<ReturnType<typeof planFromDisk>>,
  options: ExportOptions,
  now: number,
  most: number,
) {
  const covered = coveredUntil(manifest);
  if (covered === undefined || newestGap(manifest, options.since) !== undefined) return null;
  const cardsIn = (millis: number) => (Math.max(0, millis) / DAY) * survey.cardsPerDay;
  const window = now - Math.min(covered, lookBack(manifest.look, now)?.since ?? now);
  const besides = Math.max(1, Math.ceil(cardsIn(window) / LIMITS.cardsPerPage)) + others.credits;
  const unlisted = Math.round(cardsIn(now - dueAfter(manifest.lateness) - covered));
  const due = options.outcomes ? survey.due.length + unlisted : 0;
  const costOf = (outcomes: number) => Math.min(most, besides + outcomes);
  const credits = costOf(Math.min(due, pace.now));
  return { credits, outcomes: Math.max(0, credits - besides), with_all_credits: costOf(due) };
}
