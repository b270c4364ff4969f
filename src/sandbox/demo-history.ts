/** The history of the demo: what daily exports would have kept of its market. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OUTCOME_MILLIS } from '../api/contract/horizons.ts';
import type { SignalCard, SignalDetail } from '../api/contract/resources.ts';
import { at, formatApiTime } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../base/units.ts';
import { appendFindings, appendScreeners, appendStats } from '../history/store/answers.ts';
import { isSettled, monthOf, monthPath } from '../history/store/layout.ts';
import { emptyManifest, saveManifest } from '../history/store/manifest.ts';
import type { Finding } from '../outcomes/findings.ts';
import { STATS_WINDOW } from '../outcomes/service-answers.ts';
import { withStorageErrors } from '../runtime/files.ts';
import { statsOf } from './answers.ts';
import { DEMO_FINDINGS } from './demo-findings.ts';
import { DEMO_DAY, demoSince, demoWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { changedAt, SCREENERS } from './market/screeners.ts';
import { cardOf, type World } from './world.ts';

/** How long ago the last export was, milliseconds. */
const LAST_RUN_AGO = 95 * MINUTE;
/** How long the last export took, milliseconds. */
const RUN_LENGTH = 4 * MINUTE;
/** When the daily export ran, milliseconds after midnight UTC. (The first one ran at `demoSince`, which is a midnight.) */
const RUN_TIME_OF_DAY = 6 * HOUR;
/** The share of due outcomes for which the month's credits were enough. */
const SHARE_BOUGHT = 0.41;
/** The stream of random numbers that decide which outcomes are bought. */
const BOUGHT_STREAM = 41;
/** A time in a line of the notebook (`findings.ndjson`). */
const TIME = /\d{4}-\d\d-\d\dT[\d:]+Z/g;

/**
 * Makes the demo's history in a new folder.
 * @param now epoch milliseconds UTC
 * @param atEnd gets a function that removes the folder when the process ends
 * @returns the folder
 * @throws ScreenerError storage
 */
export async function demoHistory(now: number, atEnd: (() => Promise<void>)[]): Promise<string> {
  const folder = tmpdir();
  return await withStorageErrors(
    `write the demo's history to ${folder}, which TMPDIR names`,
    async () => {
      const directory = await mkdtemp(path.join(folder, 'screener-demo-'));
      atEnd.push(() => rm(directory, { recursive: true, force: true }));
      await fill(directory, now);
      await appendFindings(directory, findingsUntil(now));
      return directory;
    },
  );
}

/** A card as it stands in a month file. */
interface DemoCard {
  readonly month: string;
  readonly card: SignalCard | SignalDetail;
  readonly isDue: boolean;
  /** Whether its outcome is not settled, because it is not bought, or is pending. */
  readonly isAwaiting: boolean;
}

/** The notebook. To judge takes long, so it was done once, for DEMO_DAY. The times are moved from that day to today. */
function findingsUntil(now: number): Finding[] {
  const shift = (dayNumber(now) - DEMO_DAY) * DAY;
  const movedTime = (time: string) => formatApiTime(at(time) + shift);
  return DEMO_FINDINGS.map((line) => JSON.parse(line.replaceAll(TIME, movedTime)));
}

/** Writes all files but the notebook. @param now epoch milliseconds UTC */
async function fill(directory: string, now: number): Promise<void> {
  const lastRun = now - LAST_RUN_AGO;
  const world = demoWorld(now);
  const cards = demoCards(world, lastRun);
  const months = await writeMonths(directory, cards);
  await writeAnswers(directory, world, now);
  await writeManifest(directory, { cards, months, since: demoSince(now), lastRun });
}

/** How old a card is when exports buy its outcome, milliseconds. The 10 minutes are for outcomes that come late. */
const BOUGHT_AFTER = OUTCOME_MILLIS + 10 * MINUTE;

/** The cards as the last export kept them: oldest first, as in a month file. */
function demoCards(world: World, lastRun: number): DemoCard[] {
  const cards: DemoCard[] = [];
  // The index has the newest first.
  for (const { id, createdAt } of world.index(lastRun).toReversed()) {
    const detail = world.detail(id, lastRun);
    // Only for an id that the index does not have.
    if (detail === undefined) continue;
    const isDue = lastRun - createdAt > BOUGHT_AFTER;
    const isBought = isDue && chance(BOUGHT_STREAM, id) < SHARE_BOUGHT;
    const card = isBought ? detail : cardOf(detail);
    cards.push({ month: monthOf(createdAt), card, isDue, isAwaiting: !isSettled(card) });
  }
  return cards;
}

/** The manifest's counts, by month: `2026-11`. */
type MonthCounts = Record<string, { readonly cards: number; readonly awaiting: number }>;

async function writeMonths(directory: string, cards: readonly DemoCard[]): Promise<MonthCounts> {
  const months: MonthCounts = {};
  for (const [month, cardsOfMonth] of groupBy(cards, (card) => card.month)) {
    const lines = cardsOfMonth.map(({ card }) => `${JSON.stringify(card)}\n`);
    await writeFile(monthPath(directory, month), lines.join(''));
    const awaiting = cardsOfMonth.filter(({ isAwaiting }) => isAwaiting).length;
    months[month] = { cards: cardsOfMonth.length, awaiting };
  }
  return months;
}

/**
 * Writes the settings before and after a change, and the service's medians before and after it. The first medians were asked for
 * when an export saw the change, 6 hours after it: all but the last 6 hours of their 30 days lie before the change. The second
 * were asked for 30 days later: all of their 30 days lie after it.
 */
async function writeAnswers(directory: string, world: World, now: number): Promise<void> {
  const changeSeen = changedAt(now) + RUN_TIME_OF_DAY;
  for (const seen of [demoSince(now), changeSeen]) {
    // As if an export had asked the day before, too.
    const lastSeenBefore = formatApiTime(seen - DAY);
    await appendScreeners(directory, world.screeners(seen), seen, lastSeenBefore);
  }
  const mediansOf = (asked: number) =>
    SCREENERS.map(({ type }) => ({ at: asked, type, stats: statsOf(world, type, asked) }));
  await appendStats(directory, ...mediansOf(changeSeen), ...mediansOf(changeSeen + STATS_WINDOW));
}

/** What the manifest is made of; times in epoch milliseconds UTC. */
interface DemoState {
  readonly cards: readonly DemoCard[];
  readonly months: MonthCounts;
  /** Where the list begins. */
  readonly since: number;
  readonly lastRun: number;
}

async function writeManifest(
  directory: string,
  { cards, months, since, lastRun }: DemoState,
): Promise<void> {
  const awaiting = cards.filter(({ isAwaiting }) => isAwaiting);
  const due = awaiting.filter(({ isDue }) => isDue).length;
  const begins_at = formatApiTime(since);
  const started_at = formatApiTime(lastRun - RUN_LENGTH);
  const finished_at = formatApiTime(lastRun);
  await saveManifest(directory, {
    ...emptyManifest('demo'),
    remaining: { list: false, outcomes_due: due, outcomes_later: awaiting.length - due },
    last_run: { started_at, finished_at, stopped_by: 'pace' },
    last_success: finished_at,
    judged_at: finished_at,
    spans: [{ since: begins_at, until: finished_at }],
    begins_at,
    months,
  });
}
