/** What exports will do, and what `--plan` says of one run. Sends nothing. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { apiTimeOrNull, formatApiTime } from '../../api/time.ts';
import { DAY, SECOND } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import type { StandingLimit } from '../../credits/credit-ceiling.ts';
import {
  dueAfter,
  type ExportManifest,
  emptyManifest,
  knownUntil,
  loadManifest,
} from '../store/manifest.ts';
import type { ExportOptions } from './export-run.ts';
import { firstRunOf } from './first-run.ts';
import { lookOfRun } from './look-back.ts';
import { type LossesAhead, lossesAhead } from './lost-cards.ts';
import type { Outlook } from './outlook.ts';
import { planRun, type RunPlan } from './plan.ts';
import { dueGaps, newestToRead, overlaps, partsToRead, wantedSince } from './spans.ts';
import type { OutcomeCounts } from './survey.ts';
import { refuseOther, WorkingHistory } from './working-history.ts';

/** What `--plan` says of a run. */
export interface ExportQuote {
  readonly directory: string;
  /** Whether no part of the list is kept yet. */
  readonly first_run: boolean;
  /** Outcomes of the cards that are listed. */
  readonly counts: OutcomeCounts;
  /** Outcomes a day that the month's credits allow; null if they allow all. */
  readonly outcomes_a_day: number | null;
  /** Whether the run buys outcomes. */
  readonly buys_outcomes: boolean;
  /** Null before the first run, with --no-outcomes, and if `/access` was never asked. */
  readonly outlook: Outlook | null;
  /** The number of types whose medians this run asks for. */
  readonly medians_due: number;
  /** Cards that month files lack or cannot read, and that the run lists and buys again, if the service still lists them. */
  readonly lost_cards: number;
  /** The credits that the run spends if there is no new card. */
  readonly credits_at_least: number;
  /** The most credits that the run may spend. */
  readonly credits_at_most: number;
  /** Null if it is not known how many cards are to be listed. */
  readonly expected: ExpectedRun | null;
  readonly pacing_seconds: PacingSeconds;
  /** Credits left this month, as last known; null if `/access` was never asked. */
  readonly credits_left: number | null;
  /** API time until which the service refuses `/signals`; null if it does not. */
  readonly refused_until: string | null;
  /** The limit that leaves the run no credit; null if none does. */
  readonly stops_at: StandingLimit | null;
  /** API time from which on there are more credits; null if no limit stops the run, or if waiting does not help. */
  readonly more_from: string | null;
  readonly day: DayCredits;
}

/** What a run does if cards come as usual. */
export interface ExpectedRun {
  readonly credits: number;
  /** How many of these credits are for outcomes. */
  readonly outcomes: number;
  /** Credits with --all-credits. */
  readonly with_all_credits: number;
}

/** How many seconds a run waits, because the service limits requests. */
export interface PacingSeconds {
  /** If the run spends its least. */
  readonly least: number;
  /** If it spends its most. */
  readonly most: number;
}

/** The credits of a UTC day, as recorded on this machine. */
export interface DayCredits {
  /** What the service and SCREENER_DAILY allow; null if the service's daily limit is not known, and SCREENER_DAILY not set. */
  readonly limit: number | null;
  readonly spent: number;
}

/** What a quote is worked out from. */
interface Basis {
  readonly account: Account;
  readonly manifest: ExportManifest;
  readonly options: ExportOptions;
  readonly plan: RunPlan;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** Whether the run reads new cards. When credits are scarce, it does not read a list that has hardly changed. */
  readonly readsList: boolean;
  /** Whether the run reads older cards, too. They cannot be counted beforehand. */
  readonly readsOlder: boolean;
  /** The cards that month files lack or cannot read, and that the run lists again. */
  readonly losses: LossesAhead;
}

/**
 * What exports will do if they buy outcomes and ask for settings, and ask for medians as the last export did.
 * @param now epoch milliseconds UTC
 * @returns undefined before the first export, and if `/access` was never asked
 * @throws ScreenerError storage
 */
export async function foreseeExports(
  account: Account,
  directory: string,
  now: number,
): Promise<Outlook | undefined> {
  const history = await readHistory(account, directory);
  const { medians, spans } = history.manifest;
  if (spans.length === 0) return undefined;
  // Types are `switched_off` if the last run had --no-stats.
  const hadNoStats = Object.values(medians).some(({ why_not }) => why_not === 'switched_off');
  const options = { outcomes: true, screeners: true, stats: !hadNoStats };
  const { outlook } = await planRun(account, history, options, now);
  return outlook;
}

/** The history as it is on the disk, without a lock. @throws ScreenerError storage */
async function readHistory(account: Account, directory: string): Promise<WorkingHistory> {
  const manifest = (await loadManifest(directory)) ?? emptyManifest(account.id);
  const history = new WorkingHistory(directory, { manifest });
  await history.takeInJournal();
  return history;
}

/** The account that runs the export, and what the export does if the history is another account's. */
export interface ExportingAccount {
  readonly accountId: string;
  /** Whether the export takes over another account's history. */
  readonly adopts: boolean;
}

/**
 * What `--plan` says of a run with these options.
 * @param now epoch milliseconds UTC
 * @throws ScreenerError storage; usage, if the history is another account's
 */
export async function quoteExport(
  account: Account,
  directory: string,
  options: ExportOptions,
  { now, exporting }: { readonly now: number; readonly exporting: ExportingAccount },
): Promise<ExportQuote> {
  const keptManifest = await loadManifest(directory);
  if (!exporting.adopts) refuseOther(directory, keptManifest?.account, exporting.accountId);
  const history = await readHistory(account, directory);
  const losses = await lossesAhead(history, { since: options.since, now });
  const { manifest } = history;
  const plan = await planRun(account, history, options, now);
  // All parts that are still to be read are older than the newest part that was asked for.
  const readsOlder = newestToRead(manifest, options.since) !== undefined;
  const isListDue = plan.listAt === undefined || plan.listAt <= now;
  const basis: Basis = {
    account,
    manifest,
    options,
    plan,
    now,
    // Lost cards make a part of the list unread, and a run reads a list with such a part.
    readsList: isListDue || losses.pages > 0,
    readsOlder,
    losses,
  };
  const { isFirstRun } = firstRunOf(history, now);
  const { monthLeft = null } = account.known();
  const leastCredits = leastCreditsOf(basis);
  const { limit: narrowestLimit, credits: mostCredits } = account.left();
  // The limit is never `run` here, because only a run sets it. The comparison with it is for the compiler.
  const stopsAt = mostCredits < 1 && narrowestLimit !== 'run' ? narrowestLimit : null;
  const moreFrom = stopsAt === null ? undefined : account.limitReached(stopsAt).until;
  return {
    directory,
    first_run: isFirstRun,
    counts: plan.survey.counts,
    outcomes_a_day: plan.pace.perDay === null ? null : Math.floor(plan.pace.perDay),
    buys_outcomes: options.outcomes,
    outlook: isFirstRun || !options.outcomes ? null : (plan.outlook ?? null),
    medians_due: plan.others.types.length,
    lost_cards: losses.cards,
    credits_at_least: leastCredits,
    credits_at_most: mostCredits,
    expected: isFirstRun || readsOlder ? null : expectedRunOf(basis),
    pacing_seconds: {
      least: pacingSeconds(account, leastCredits),
      most: pacingSeconds(account, mostCredits),
    },
    credits_left: monthLeft,
    refused_until: refusedUntil(account),
    stops_at: stopsAt,
    more_from: apiTimeOrNull(moreFrom),
    day: dayCreditsOf(account),
  };
}

/** What the run costs if there is no new card. @returns credits */
function leastCreditsOf(basis: Basis): number {
  const { losses, plan, readsList, readsOlder } = basis;
  const newPages = readsList ? 1 : 0;
  const olderPages = readsOlder ? 1 : 0;
  const pages = newPages + olderPages + gapPages(basis) + losses.pages;
  const toBuy = plan.survey.buyable.length + losses.cards;
  return costOf(basis, pages, Math.min(toBuy, plan.pace.mostThisRun));
}

/** What the run does if new cards come as often as they have come. */
function expectedRunOf(basis: Basis): ExpectedRun {
  const { losses, plan, readsList } = basis;
  const newPages = readsList ? newPagesOf(basis) : 0;
  const pages = newPages + gapPages(basis) + losses.pages;
  const toBuy = plan.survey.buyable.length + losses.cards + unlistedOutcomes(basis);
  const credits = costOf(basis, pages, Math.min(toBuy, plan.pace.mostThisRun));
  return {
    credits,
    // What the other requests leave of these credits: an outcome costs one.
    outcomes: credits - costOf(basis, pages, 0),
    with_all_credits: costOf(basis, pages, toBuy),
  };
}

/** The credits that a run spends if it reads `pages` pages of the list and buys `outcomes` outcomes; at most the credits left. */
function costOf({ account, plan, options }: Basis, pages: number, outcomes: number): number {
  const forOutcomes = options.outcomes ? outcomes : 0;
  return Math.min(account.left().credits, pages + plan.others.credits + forOutcomes);
}

/**
 * How many pages the run spends on gaps that are due: one for each, because it is not known what lies in a gap. A gap in the part
 * that the run lists again takes no page of its own.
 */
function gapPages({ manifest, options: { since }, now, readsList }: Basis): number {
  if (!readsList) return 0;
  const listedAgain = { since: lookBackFrom(manifest, now), until: Number.POSITIVE_INFINITY };
  const dueRange = { recent: listedAgain, since: wantedSince(manifest, since) };
  const dueApart = dueGaps(manifest.gaps, now, dueRange).filter(
    (gap) => !overlaps(gap, listedAgain),
  );
  // A gap in the manifest is left out of what is to be read. Taken out of the manifest, it is a part to read.
  const gapsLeftOut = manifest.gaps.filter((gap) => !dueApart.includes(gap));
  const partsWithoutGaps = partsToRead(manifest, since).length;
  const partsWithGaps = partsToRead({ ...manifest, gaps: gapsLeftOut }, since).length;
  // A gap beside an unread part is read with it, and one between two unread parts even joins them into one.
  return Math.max(0, partsWithGaps - partsWithoutGaps);
}

/**
 * The oldest time that the run lists. Once a day a run looks back: it reads the newest part of the list again, and so lists cards
 * again that the history has.
 * @returns epoch milliseconds UTC; `now` if the run does not look back
 */
function lookBackFrom(manifest: ExportManifest, now: number): number {
  return lookOfRun(manifest, now)?.since ?? now;
}

/** How many pages it takes to list the cards that came since the list was last read. */
function newPagesOf(basis: Basis): number {
  const { manifest, plan, now } = basis;
  const listedSince = Math.min(knownUntil(manifest, now), lookBackFrom(manifest, now));
  return Math.max(1, Math.ceil(cardsComing(plan, now - listedSince) / LIMITS.cardsPerPage));
}

/** How many cards came after the list was read, and are due already. */
function unlistedOutcomes({ manifest, plan, now }: Basis): number {
  const dueBefore = now - dueAfter(manifest.lateness);
  return Math.round(cardsComing(plan, dueBefore - knownUntil(manifest, now)));
}

/** How many cards come in a time at the present rate. @param millis if negative, no card comes */
function cardsComing({ survey }: RunPlan, millis: number): number {
  return (Math.max(0, millis) / DAY) * survey.cardsPerDay;
}

/**
 * How many seconds a run may wait if it spends `credits`: it sends at most one request for each credit, and one for `/access`, which
 * is free.
 */
function pacingSeconds(account: Account, credits: number): number {
  return Math.ceil(account.timeFor(credits + 1) / SECOND);
}

/** API time until which the service refuses `/signals`: until then a run can do nothing. Null if the service does not refuse. */
function refusedUntil({ gate }: Account): string | null {
  const refusal = gate.firmHoldOn(OPERATIONS.signals.path);
  return refusal === undefined ? null : formatApiTime(refusal.until);
}

function dayCreditsOf(account: Account): DayCredits {
  const { limit = null, spent } = account.known().today;
  return { limit, spent };
}
