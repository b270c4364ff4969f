/** Quotes an export run from the disk and the ledger; sends nothing. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import { DAY } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { atMost } from '../../credits/usage.ts';
import { dueAfter, emptyManifest, knownUntil, loadManifest } from '../store/manifest.ts';
import type { Outlook } from './outlook.ts';
import { planRun } from './plan.ts';
import type { ExportOptions } from './session.ts';
import { lookBack, newestGap } from './spans.ts';
import { WorkingHistory } from './working-history.ts';

/** What exports will do. @returns undefined before the first, or any `/access` @throws ScreenerError storage */
export async function foreseeExports(
  account: Account,
  directory: string,
  now: number,
): Promise<Outlook | undefined> {
  const options = { outcomes: true, screeners: true, stats: true };
  const { manifest, outlook } = await planFromDisk(account, directory, options, now);
  return manifest.spans.length === 0 ? undefined : outlook;
}

async function planFromDisk(
  account: Account,
  directory: string,
  options: ExportOptions,
  now: number,
) {
  const history = new WorkingHistory(
    directory,
    (await loadManifest(directory)) ?? emptyManifest(account.id),
  );
  await history.readJournal();
  return { manifest: history.manifest, ...(await planRun(account, history, options, now)) };
}

/** What `--plan` says; its view says what each field means. @throws ScreenerError storage, usage */
export async function quoteExport(
  account: Account,
  directory: string,
  options: ExportOptions,
  now: number,
) {
  const { manifest, survey, others, pace, outlook } = await planFromDisk(
    account,
    directory,
    options,
    now,
  );
  const { due, cardsPerDay } = survey;
  const { credits: most } = account.left();
  const { daily = LIMITS.creditsPerDay, monthLeft = null, today } = account.known();
  const costOf = (pages: number, outcomes: number) =>
    Math.min(most, pages + others.credits + (options.outcomes ? outcomes : 0));
  const isFirst = manifest.spans.length === 0;
  const hasOlder = newestGap(manifest, options.since) !== undefined;
  const least = costOf(hasOlder ? 2 : 1, Math.min(due.length, pace.now));
  const cardsSince = (at: number) => (Math.max(0, now - at) / DAY) * cardsPerDay;
  const covered = knownUntil(manifest, now);
  const listedFrom = Math.min(covered, lookBack(manifest.look, now)?.since ?? now);
  const pages = Math.max(1, Math.ceil(cardsSince(listedFrom) / LIMITS.cardsPerPage));
  const soon = due.length + Math.round(cardsSince(covered + dueAfter(manifest.lateness)));
  const credits = costOf(pages, Math.min(soon, pace.now));
  const expected = {
    credits,
    outcomes: credits - costOf(pages, 0),
    with_all_credits: costOf(pages, soon),
  };
  const refused = account.gate.refusalOf(OPERATIONS.signals.path);
  // Adds `/access`, which costs a request and no credit.
  const pacing = (credits: number) => Math.ceil(account.pace(credits + 1) / 1000);
  return {
    directory,
    first_run: isFirst,
    counts: survey.counts,
    outcomes_a_day: pace.perDay && Math.floor(pace.perDay),
    outlook: isFirst || !options.outcomes ? null : (outlook ?? null),
    medians_due: others.types.length,
    credits_at_least: least,
    credits_at_most: most,
    expected: isFirst || hasOlder ? null : expected,
    pacing_seconds: { least: pacing(least), most: pacing(most) },
    credits_left: monthLeft,
    refused_until: refused === undefined ? null : formatApiTime(refused.until),
    day: { limit: Math.min(daily, LIMITS.creditsPerDay), spent: atMost(today) },
  };
}
