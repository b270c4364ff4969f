/**
 * What an export run would cost, from what is on the disk and in the ledger: nothing is sent.
 */
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { atMost, creditsLeft } from '../credits/credit-ceiling.ts';
import { applyJournal } from './apply-journal.ts';
import { olderWalk } from './coverage.ts';
import { loadManifest } from './export-manifest.ts';
import type { ExportOptions } from './export-run.ts';
import type { Exporter } from './export-session.ts';
import { readJournal } from './journal.ts';
import { checkPlace } from './open-export.ts';
import { paceOf } from './pace.ts';
import { surveyCards } from './survey.ts';

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

/** @throws ScreenerError storage, usage */
export async function quoteExport(
  { connection: { account }, context, globals: { maxCredits, keep = 0 } }: Exporter,
  directory: string,
  { since, outcomes, allCredits = false }: ExportOptions,
): Promise<ExportQuote> {
  const now = context.clock.now();
  const stored = (await checkPlace(directory)) ? await loadManifest(directory) : undefined;
  const applied = stored && applyJournal(stored, await readJournal(directory));
  const survey = applied && (await surveyCards(directory, applied, now));
  const manifest = applied?.manifest;
  const older = manifest !== undefined && olderWalk(manifest, since) !== undefined;
  const pages = 1 + (manifest?.walk ? 1 : 0) + (older ? 1 : 0);
  const today = account.today();
  const month = account.monthLeft();
  const { credits: budget } = creditsLeft({ maxCredits, keep, spent: account.spent(), today, month });
  const due = outcomes === 'none' ? 0 : (survey?.due.length ?? 0);
  // As far as this machine knows the month's credits.
  const resetsAt = parseApiTime(account.known()?.resetsAt ?? '');
  const isPaced = survey !== undefined && month !== undefined && resetsAt !== undefined && !allCredits;
  const pace = isPaced && manifest ? paceOf(survey, manifest, { credits: month - keep, resetsAt, now }) : undefined;
  const perDay = pace?.perDay ?? null;
  const catchesUp = perDay !== null && survey !== undefined && perDay > survey.cardsPerDay;
  const least = Math.min(budget, pages + Math.min(due, pace?.now ?? due));
  const spent = atMost(today);
  const left = (credits: number) => Math.max(0, LIMITS.creditsPerDay - spent - credits);
  // One more request than credits: the run asks `/access` first.
  const pacing = (credits: number) => Math.ceil(account.pace(credits + 1) / 1000);
  return {
    directory,
    first_run: manifest === undefined || (manifest.covered === null && manifest.walk === null),
    outcomes_due: due,
    outcomes_later: survey?.later.filter(Number.isFinite).length ?? 0,
    outcomes_a_day: perDay === null ? null : Math.floor(perDay),
    caught_up_in_days: catchesUp ? Math.ceil(due / (perDay - survey.cardsPerDay)) : null,
    list_pages_at_least: pages,
    credits_at_least: least,
    credits_at_most: budget,
    pacing_seconds: { least: pacing(least), most: pacing(budget) },
    day: { limit: LIMITS.creditsPerDay, spent, left_after_least: left(least), left_after_most: left(budget) },
  };
}
