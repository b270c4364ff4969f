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
import { lookBack, newestHole } from './spans.ts';
import { WorkingHistory } from './working-history.ts';

/**
 * What exports will do, if they leave out what the last one did.
 * @returns undefined before the first, or any `/access`
 * @throws ScreenerError storage
 */
export async function foreseeExports(
  account: Account,
  directory: string,
  now: number,
): Promise<Outlook | undefined> {
  const history = await readHistory(account, directory);
  const { medians, spans } = history.manifest;
  const stats = Object.values(medians).every(({ why_not }) => why_not !== 'switched_off');
  const options = { outcomes: true, screeners: true, stats };
  const { outlook } = await planRun(account, history, options, now);
  return spans.length === 0 ? undefined : outlook;
}

/** As it is on the disk, without a lock. @throws ScreenerError storage */
async function readHistory(account: Account, directory: string): Promise<WorkingHistory> {
  const manifest = (await loadManifest(directory)) ?? emptyManifest(account.id);
  const history = new WorkingHistory(directory, manifest);
  await history.readJournal();
  return history;
}

/** What `--plan` says; its view says what each field means. @throws ScreenerError storage, usage */
export async function quoteExport(
  account: Account,
  directory: string,
  options: ExportOptions,
  now: number,
) {
  const history = await readHistory(account, directory);
  const { manifest } = history;
  const plan = await planRun(account, history, options, now);
  const { survey, others, pace, outlook, listAt = now } = plan;
  const { due, cardsPerDay } = survey;
  const { credits: most } = account.left();
  const { daily = LIMITS.creditsPerDay, monthLeft = null, today } = account.known();
  const costOf = (pages: number, outcomes: number) =>
    Math.min(most, pages + others.credits + (options.outcomes ? outcomes : 0));
  const isFirst = manifest.spans.length === 0;
  const hasOlder = newestHole(manifest, options.since) !== undefined;
  // In scarce months a run leaves a list that is not worth it.
  const isListed = listAt <= now;
  const fewestPages = hasOlder ? 2 : Number(isListed);
  const least = costOf(fewestPages, Math.min(due.length, pace.now));
  const cardsSince = (at: number) => (Math.max(0, now - at) / DAY) * cardsPerDay;
  const covered = knownUntil(manifest, now);
  const listedFrom = Math.min(covered, lookBack(manifest.look, now)?.since ?? now);
  const newPages = Math.max(1, Math.ceil(cardsSince(listedFrom) / LIMITS.cardsPerPage));
  const pages = isListed ? newPages : 0;
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
