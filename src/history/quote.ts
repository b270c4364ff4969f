/**
 * What an export run would cost, from what is on the disk and in the ledger: nothing is sent.
 */

import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import type { Account } from '../credits/account.ts';
import { atMost } from '../credits/credit-ceiling.ts';
import { makeBudget } from './budget.ts';
import { olderWalk } from './coverage.ts';
import { type ExportManifest, loadManifest } from './export-manifest.ts';
import type { ExportOptions } from './export-run.ts';
import { readJournal } from './journal.ts';
import { checkPlace } from './open-export.ts';
import { paceNow } from './pace.ts';
import { type Survey, surveyCards } from './survey.ts';
import { collectUpdates, updatedManifest } from './updates.ts';

export interface ExportQuote {
  readonly directory: string;
  /** Whether nothing is here yet: how many cards there are is then unknown, as the service gives no total. */
  readonly first_run: boolean;
  /** Outcomes that can be bought now, 1 credit each. More come due as the list is walked. */
  readonly outcomes_due: number;
  /** Outcomes of known cards whose time has not come. */
  readonly outcomes_later: number;
  /** Outcomes a day that the month's credits allow until their reset; null where they cover everything, or are not known. */
  readonly outcomes_a_day: number | null;
  /** Days at that rate until all that is due is bought; null where it never is, or where nothing holds it up. */
  readonly caught_up_in_days: number | null;
  /** Requests for the list: 1 per window still to walk. 25 new cards more cost 1 more each. */
  readonly list_pages_at_least: number;
  /** Credits the run costs where no new card has come. */
  readonly credits_at_least: number;
  /** The budget: it never spends more, whatever it finds. */
  readonly credits_at_most: number;
  /** Seconds that the allowance per minute alone makes it take, for the least and the most credits. */
  readonly pacing_seconds: { readonly least: number; readonly most: number };
  readonly day: {
    readonly limit: number;
    readonly spent: number;
    /** What remains of the day's credits after the run, if it spends what it costs at least, or at most. */
    readonly left_after_least: number;
    readonly left_after_most: number;
  };
}

export interface QuoteOptions extends ExportOptions {
  readonly maxCredits: number | undefined;
  readonly keep: number;
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

/** The pace as far as this machine knows the month's credits; undefined where it was never told. */
function monthPace(account: Account, survey: Survey, manifest: ExportManifest, { keep, now }: QuoteOptions) {
  const known = account.known();
  const resetsAt = known && parseApiTime(known.resetsAt);
  if (known === undefined || resetsAt === undefined) return undefined;
  return paceNow(survey, manifest, { credits: known.remaining - keep, resetsAt, now });
}

function daysToCatchUp(due: number, perDay: number | null, cardsPerDay: number): number | null {
  return perDay === null || perDay <= cardsPerDay ? null : Math.ceil(due / (perDay - cardsPerDay));
}

/** @throws ScreenerError storage, usage */
export async function quoteExport(directory: string, account: Account, options: QuoteOptions): Promise<ExportQuote> {
  const stored = (await checkPlace(directory)) ? await loadManifest(directory) : undefined;
  const updates = collectUpdates(stored === undefined ? [] : await readJournal(directory));
  const manifest = stored && updatedManifest(stored, updates);
  const survey = manifest && (await surveyCards(directory, manifest, updates, options.now));
  const older = manifest !== undefined && olderWalk(manifest, options.since) !== undefined;
  const pages = 1 + (manifest?.walk ? 1 : 0) + (older ? 1 : 0);
  const budget = makeBudget(account, account.known()?.remaining, options.maxCredits, options.keep).left();
  const due = options.outcomes === 'none' ? 0 : (survey?.due.length ?? 0);
  const pace = manifest && survey && monthPace(account, survey, manifest, options);
  const outcomes = options.allCredits ? due : Math.min(due, pace?.now ?? due);
  const least = Math.min(budget, pages + outcomes);
  const spent = atMost(account.today());
  const left = (credits: number) => Math.max(0, LIMITS.creditsPerDay - spent - credits);
  // One more request than credits: the run asks `/access` first.
  const pacing = (credits: number) => Math.ceil(account.pace(credits + 1) / 1000);
  return {
    directory,
    first_run: manifest === undefined || (manifest.covered === null && manifest.walk === null),
    outcomes_due: due,
    outcomes_later: survey?.later.filter(Number.isFinite).length ?? 0,
    outcomes_a_day: options.allCredits || pace?.perDay == null ? null : Math.floor(pace.perDay),
    caught_up_in_days: options.allCredits ? null : daysToCatchUp(due, pace?.perDay ?? null, survey?.cardsPerDay ?? 0),
    list_pages_at_least: pages,
    credits_at_least: least,
    credits_at_most: budget,
    pacing_seconds: { least: pacing(least), most: pacing(budget) },
    day: { limit: LIMITS.creditsPerDay, spent, left_after_least: left(least), left_after_most: left(budget) },
  };
}
