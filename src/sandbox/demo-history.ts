import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import { monthOf, monthPath } from '../history/store/layout.ts';
import { emptyManifest, saveManifest } from '../history/store/manifest.ts';
import { appendScreeners } from '../history/store/screeners-log.ts';
import { appendStats } from '../history/store/stats-log.ts';
import { STATS_WINDOW } from '../outcomes/service-answers.ts';
import { errnoOf } from '../runtime/files.ts';
import { DAY, HOUR, MINUTE } from '../runtime/units.ts';
import { demoSince, demoWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { changedAt, SCREENERS } from './market/screeners.ts';
import { statsOf } from './stats.ts';
import { type CardKey, cardOf, type World } from './world.ts';

/** When the last run was, before now; every day has had one at that time. */
const LAST_RUN = 95 * MINUTE;
/** Of the outcomes that were due: the month's credits did not suffice for more. */
const BOUGHT = 0.41;
const LEAST_CARDS = 20;

export interface DemoHistory {
  readonly directory: string;
  close(): Promise<void>;
}

/** Makes, in a folder of its own, the history that daily exports would have left of the demo's world. */
export async function demoHistory(now: number): Promise<DemoHistory> {
  const place = path.join(tmpdir(), 'screener-demo-');
  const directory = await mkdtemp(place).catch(cannotWrite);
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
  const cards = storedCards(world, lastRun);
  const awaiting = cards.filter(({ isAwaiting }) => isAwaiting);
  const due = awaiting.filter(({ createdAt }) => isDue(createdAt, lastRun)).length;
  const months: Record<string, { cards: number; awaiting: number }> = {};
  for (const month of new Set(cards.map(({ createdAt }) => monthOf(createdAt)))) {
    const its = cards.filter(({ createdAt }) => monthOf(createdAt) === month);
    await writeFile(monthPath(directory, month), its.map(({ line }) => `${line}\n`).join(''));
    months[month] = { cards: its.length, awaiting: its.filter(({ isAwaiting }) => isAwaiting).length };
  }
  await writeAnswers(directory, world, now, lastRun);
  await saveManifest(directory, {
    ...emptyManifest('demo'),
    remaining: { list: false, outcomes_due: due, outcomes_later: awaiting.length - due },
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

interface Stored {
  readonly line: string;
  readonly createdAt: number;
  readonly isAwaiting: boolean;
}

function storedCards(world: World, lastRun: number): Stored[] {
  return world
    .index(lastRun)
    .toReversed()
    .flatMap((key) => {
      const detail = world.detail(key.id, lastRun);
      if (detail === undefined) return [];
      const { createdAt } = key;
      if (!isBought(key, lastRun)) return [{ line: JSON.stringify(cardOf(detail)), createdAt, isAwaiting: true }];
      const isAwaiting = detail.outcome?.state_24h === 'pending';
      return [{ line: JSON.stringify(detail), createdAt, isAwaiting }];
    });
}

const isDue = (createdAt: number, lastRun: number): boolean => lastRun - createdAt > DAY + 10 * MINUTE;

/** Whether a run has bought its outcome; a few before it could be settled, as `signals ls --outcomes` does. */
function isBought({ id, createdAt }: CardKey, lastRun: number): boolean {
  const share = isDue(createdAt, lastRun) ? BOUGHT : 0.12;
  return lastRun - createdAt > HOUR && chance(41, id) < share;
}

/** Writes the settings, and the service's medians 30 days before and after the run that saw them change. */
async function writeAnswers(directory: string, world: World, now: number, lastRun: number): Promise<void> {
  const changeSeen = lastRun - Math.floor((lastRun - changedAt(now)) / DAY) * DAY;
  for (const at of [demoSince(now), changeSeen]) {
    await appendScreeners(directory, world.screeners(at), at, formatApiTime(at - DAY));
  }
  for (const at of [changeSeen, changeSeen + STATS_WINDOW]) {
    const cards = world.index(at).filter(({ createdAt }) => createdAt >= at - STATS_WINDOW);
    for (const { type } of SCREENERS) {
      if (cards.filter((card) => card.type === type).length < LEAST_CARDS) continue;
      await appendStats(directory, { at, type, stats: statsOf(world, type, at) });
    }
  }
}
