import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SignalCard, SignalDetail } from '../api/contract/resources.ts';
import { at, formatApiTime } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../base/units.ts';
import { appendFindings, appendScreeners, appendStats } from '../history/store/answers.ts';
import { isSettled, monthOf, monthPath } from '../history/store/layout.ts';
import { emptyManifest, saveManifest } from '../history/store/manifest.ts';
import type { Finding } from '../outcomes/findings.ts';
import { STATS_WINDOW } from '../outcomes/service-answers.ts';
import { storing } from '../runtime/files.ts';
import { statsOf } from './answers.ts';
import { DEMO_FINDINGS } from './demo-findings.ts';
import { DEMO_DAY, demoSince, demoWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { changedAt, SCREENERS } from './market/screeners.ts';
import { cardOf } from './world.ts';

/** How long before now the last run was, milliseconds. */
const LAST_RUN = 95 * MINUTE;
/** When the other runs were, milliseconds after midnight. */
const USUAL_RUN = 6 * HOUR;
/** The share of due outcomes that the month's credits sufficed for. */
const BOUGHT = 0.41;
const TIME = /\d{4}-\d\d-\d\dT[\d:]+Z/g;

/**
 * Makes the history that daily exports would have left of the demo's world.
 * @param atEnd gets what removes it @returns a folder of its own @throws ScreenerError storage
 */
export async function demoHistory(now: number, atEnd: (() => Promise<void>)[]): Promise<string> {
  const folder = tmpdir();
  return await storing(`write the demo's history to ${folder}, which TMPDIR names`, async () => {
    const directory = await mkdtemp(path.join(folder, 'screener-demo-'));
    atEnd.push(() => rm(directory, { recursive: true, force: true }));
    await fill(directory, now);
    await appendFindings(directory, findingsUntil(now));
    return directory;
  });
}

/** A card as it stands in a month file. */
interface DemoCard {
  readonly month: string;
  readonly card: SignalCard | SignalDetail;
  readonly isDue: boolean;
  /** Whether its outcome is not here yet. */
  readonly isOpen: boolean;
}

/** Judging takes longer than all else: it was done for DEMO_DAY, and the times are moved from there to today. */
function findingsUntil(now: number): Finding[] {
  const later = (dayNumber(now) - DEMO_DAY) * DAY;
  const movedTime = (time: string) => formatApiTime(at(time) + later);
  return DEMO_FINDINGS.map((line) => JSON.parse(line.replaceAll(TIME, movedTime)));
}

async function fill(directory: string, now: number): Promise<void> {
  const lastRun = now - LAST_RUN;
  const world = demoWorld(now);
  const cards: DemoCard[] = [];
  for (const { id, createdAt } of world.index(lastRun).toReversed()) {
    const detail = world.detail(id, lastRun);
    if (detail === undefined) continue;
    const isDue = lastRun - createdAt > DAY + 10 * MINUTE;
    const isBought = isDue && chance(41, id) < BOUGHT;
    const card = isBought ? detail : cardOf(detail);
    cards.push({ month: monthOf(createdAt), card, isDue, isOpen: !isSettled(card) });
  }
  const months: Record<string, { cards: number; awaiting: number }> = {};
  for (const [month, cardsOfMonth] of groupBy(cards, (card) => card.month)) {
    const lines = cardsOfMonth.map(({ card }) => `${JSON.stringify(card)}\n`);
    await writeFile(monthPath(directory, month), lines.join(''));
    const awaiting = cardsOfMonth.filter(({ isOpen }) => isOpen).length;
    months[month] = { cards: cardsOfMonth.length, awaiting };
  }
  // The settings, and the service's medians 30 days before and after the run that saw them change.
  const changeSeen = changedAt(now) + USUAL_RUN;
  for (const look of [demoSince(now), changeSeen]) {
    await appendScreeners(directory, world.screeners(look), look, formatApiTime(look - DAY));
  }
  const mediansAt = (at: number) =>
    SCREENERS.map(({ type }) => ({ at, type, stats: statsOf(world, type, at) }));
  await appendStats(directory, ...mediansAt(changeSeen), ...mediansAt(changeSeen + STATS_WINDOW));
  const open = cards.filter(({ isOpen }) => isOpen);
  const due = open.filter(({ isDue }) => isDue).length;
  const since = formatApiTime(demoSince(now));
  const finished_at = formatApiTime(lastRun);
  await saveManifest(directory, {
    ...emptyManifest('demo'),
    remaining: { list: false, outcomes_due: due, outcomes_later: open.length - due },
    last_run: { started_at: formatApiTime(lastRun - 4 * MINUTE), finished_at, stopped_by: 'pace' },
    last_success: finished_at,
    judged_at: finished_at,
    spans: [{ since, until: finished_at }],
    begins_at: since,
    months,
  });
}
