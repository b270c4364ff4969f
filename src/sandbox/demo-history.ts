import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { at, formatApiTime } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../base/units.ts';
import { appendFindings, appendScreeners, appendStats } from '../history/store/answers.ts';
import { isSettled, monthOf, monthPath } from '../history/store/layout.ts';
import { emptyManifest, saveManifest } from '../history/store/manifest.ts';
import { STATS_WINDOW } from '../outcomes/service-answers.ts';
import { storing } from '../runtime/files.ts';
import { statsOf } from './answers.ts';
import { DEMO_FINDINGS } from './demo-findings.ts';
import { DEMO_DAY, demoSince, demoWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { changedAt, SCREENERS } from './market/screeners.ts';
import { cardOf } from './world.ts';

/** When the last run was, before now, and when all others were, after midnight. */
const LAST_RUN = 95 * MINUTE;
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
    // Judging takes longer than all else: what was found by DEMO_DAY is moved to today.
    const later = (dayNumber(now) - DEMO_DAY) * DAY;
    const moved = (time: string) => formatApiTime(at(time) + later);
    const findings = DEMO_FINDINGS.map((line) => JSON.parse(line.replaceAll(TIME, moved)));
    await appendFindings(directory, findings);
    return directory;
  });
}

async function fill(directory: string, now: number): Promise<void> {
  const lastRun = now - LAST_RUN;
  const world = demoWorld(now);
  const cards = world
    .index(lastRun)
    .toReversed()
    .flatMap(({ id, createdAt }) => {
      const detail = world.detail(id, lastRun);
      if (detail === undefined) return [];
      const isDue = lastRun - createdAt > DAY + 10 * MINUTE;
      const card = isDue && chance(41, id) < BOUGHT ? detail : cardOf(detail);
      return [{ month: monthOf(createdAt), card, isDue, isOpen: !isSettled(card) }];
    });
  const months: Record<string, { cards: number; awaiting: number }> = {};
  for (const [month, own] of groupBy(cards, (one) => one.month)) {
    await writeFile(
      monthPath(directory, month),
      own.map(({ card }) => `${JSON.stringify(card)}\n`).join(''),
    );
    months[month] = { cards: own.length, awaiting: own.filter(({ isOpen }) => isOpen).length };
  }
  // The settings, and the service's medians 30 days before and after the run that saw them change.
  const changeSeen = changedAt(now) + USUAL_RUN;
  for (const look of [demoSince(now), changeSeen]) {
    await appendScreeners(directory, world.screeners(look), look, formatApiTime(look - DAY));
  }
  const sitting = (at: number) =>
    SCREENERS.map(({ type }) => ({ at, type, stats: statsOf(world, type, at) }));
  await appendStats(directory, ...sitting(changeSeen), ...sitting(changeSeen + STATS_WINDOW));
  const open = cards.filter(({ isOpen }) => isOpen);
  const due = open.filter((one) => one.isDue).length;
  const [since, finished_at] = [formatApiTime(demoSince(now)), formatApiTime(lastRun)];
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
