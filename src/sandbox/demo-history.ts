import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import { isSettled, monthOf, monthPath } from '../history/store/layout.ts';
import { emptyManifest, saveManifest } from '../history/store/manifest.ts';
import { appendScreeners } from '../history/store/screeners-log.ts';
import { appendStats } from '../history/store/stats-log.ts';
import { STATS_WINDOW } from '../outcomes/service-answers.ts';
import { errnoOf } from '../runtime/plain-file.ts';
import { DAY, MINUTE } from '../runtime/units.ts';
import { demoSince, demoWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { changedAt, SCREENERS } from './market/screeners.ts';
import { statsOf } from './stats.ts';
import { cardOf, type World } from './world.ts';

/** When the last run was, before now; every day has had one at that time. */
const LAST_RUN = 95 * MINUTE;
/** Of the outcomes that were due: the month's credits did not suffice for more. */
const BOUGHT = 0.41;

export interface DemoHistory {
  readonly directory: string;
  close(): Promise<void>;
}

/** Makes, in a folder of its own, the history that daily exports would have left of the demo's world. */
export async function demoHistory(now: number): Promise<DemoHistory> {
  const directory = await mkdtemp(path.join(tmpdir(), 'screener-demo-')).catch(cannotWrite);
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    await fill(directory, now);
  } catch (error) {
    await close();
    return cannotWrite(error);
  }
  return { directory, close };
}

/** @throws ScreenerError storage for an error of the file system; any other as it is */
function cannotWrite(cause: unknown): never {
  const code = errnoOf(cause);
  if (code === undefined) throw cause;
  throw new ScreenerError('storage', `The demo's history cannot be written to ${tmpdir()} (${code}).`, {
    hint: 'Set TMPDIR to a folder that you can write to.',
    cause,
  });
}

async function fill(directory: string, now: number): Promise<void> {
  const lastRun = now - LAST_RUN;
  const world = demoWorld(now);
  const isDue = (createdAt: number) => lastRun - createdAt > DAY + 10 * MINUTE;
  const cards = world
    .index(lastRun)
    .toReversed()
    .flatMap(({ id, createdAt }) => {
      const detail = world.detail(id, lastRun);
      if (detail === undefined) return [];
      const card = isDue(createdAt) && chance(41, id) < BOUGHT ? detail : cardOf(detail);
      return [{ month: monthOf(createdAt), card, isDue: isDue(createdAt) && !isSettled(card) }];
    });
  const months: Record<string, { cards: number; awaiting: number }> = {};
  for (const month of new Set(cards.map((one) => one.month))) {
    const its = cards.filter((one) => one.month === month).map(({ card }) => card);
    await writeFile(monthPath(directory, month), its.map((card) => `${JSON.stringify(card)}\n`).join(''));
    months[month] = { cards: its.length, awaiting: its.filter((card) => !isSettled(card)).length };
  }
  await writeAnswers(directory, world, now, lastRun);
  const due = cards.filter((one) => one.isDue).length;
  const later = cards.filter(({ card }) => !isSettled(card)).length - due;
  await saveManifest(directory, {
    ...emptyManifest('demo'),
    remaining: { list: false, outcomes_due: due, outcomes_later: later },
    last_run: {
      started_at: formatApiTime(lastRun - 4 * MINUTE),
      finished_at: formatApiTime(lastRun),
      stopped_by: 'pace',
    },
    last_success: formatApiTime(lastRun),
    spans: [{ since: formatApiTime(demoSince(now)), until: formatApiTime(lastRun) }],
    begins_at: formatApiTime(demoSince(now)),
    months,
  });
}

/** Writes the settings, and the service's medians 30 days before and after the run that saw them change. */
async function writeAnswers(directory: string, world: World, now: number, lastRun: number): Promise<void> {
  const changeSeen = lastRun - Math.floor((lastRun - changedAt(now)) / DAY) * DAY;
  for (const at of [demoSince(now), changeSeen]) {
    await appendScreeners(directory, world.screeners(at), at, formatApiTime(at - DAY));
  }
  for (const at of [changeSeen, changeSeen + STATS_WINDOW]) {
    for (const { type } of SCREENERS) await appendStats(directory, { at, type, stats: statsOf(world, type, at) });
  }
}
