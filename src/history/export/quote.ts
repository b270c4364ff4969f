/** Quotes an export run from the disk and the ledger; sends nothing. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import { mayLift } from '../../credits/reserve.ts';
import { atMost } from '../../credits/usage.ts';
import { emptyManifest, loadManifest } from '../store/manifest.ts';
import type { Outlook } from './outlook.ts';
import { planRun } from './plan.ts';
import type { ExportOptions, RunContext } from './session.ts';
import { newestGap } from './spans.ts';
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
  const plan = await planFromDisk(account, directory, options, context.clock.now());
  const { manifest, survey, others, pace, outlook } = plan;
  const pages = newestGap(manifest, options.since) === undefined ? 1 : 2;
  const { credits: most } = account.left();
  const due = options.outcomes ? survey.due.length : 0;
  const { perDay } = pace;
  const least = Math.min(most, pages + others.credits + Math.min(due, pace.now));
  const { daily = LIMITS.creditsPerDay, today } = account.known();
  const spent = atMost(today);
  const { path } = OPERATIONS.signals;
  const refused = mayLift(account, path) ? undefined : account.gate.blocked(path);
  const limit = Math.min(daily, LIMITS.creditsPerDay);
  const leftAfter = (credits: number) => Math.max(0, limit - spent - credits);
  // Adds `/access`, which costs a request and no credit.
  const pacing = (credits: number) => Math.ceil(account.pace(credits + 1) / 1000);
  const isFirst = manifest.spans.length === 0;
  return {
    directory,
    first_run: isFirst,
    outcomes_due: isFirst ? null : due,
    outcomes_later: survey.later.length,
    counts: survey.counts,
    outcomes_a_day: perDay === null ? null : Math.floor(perDay),
    outlook: isFirst || !options.outcomes ? null : (outlook ?? null),
    list_pages_at_least: pages,
    medians_due: others.types.length,
    credits_at_least: least,
    credits_at_most: most,
    pacing_seconds: { least: pacing(least), most: pacing(most) },
    credits_left: account.known().monthLeft ?? null,
    refused_until: refused === undefined ? null : formatApiTime(refused.until),
    day: {
      limit,
      spent,
      left_after_least: leftAfter(least),
      left_after_most: leftAfter(most),
    },
  };
}
