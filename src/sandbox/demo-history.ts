import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SignalCard } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import {
  appendScreeners,
  appendStats,
  presentSettings,
  readScreenersLog,
  readStatsLog,
} from '../history/store/answers.ts';
import { appendFindings } from '../history/store/findings.ts';
import { isSettled, monthOf, monthPath } from '../history/store/layout.ts';
import { emptyManifest, saveManifest } from '../history/store/manifest.ts';
import type { Finding } from '../outcomes/findings.ts';
import { judge } from '../outcomes/judge.ts';
import { groupBy, type Row, rowOf } from '../outcomes/row.ts';
import { STATS_WINDOW } from '../outcomes/service-answers.ts';
import { storing } from '../runtime/files.ts';
import { DAY, MINUTE } from '../runtime/units.ts';
import { demoSince, demoWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { changedAt, SCREENERS } from './market/screeners.ts';
import { statsOf } from './stats.ts';
import { cardOf } from './world.ts';

/** When the last run was, before now; every day has had one at that time. */
const LAST_RUN = 95 * MINUTE;
/** The share of due outcomes that the month's credits sufficed for. */
const BOUGHT = 0.41;

/**
 * Makes the history that daily exports would have left of the demo's world.
 * @param atEnd gets what removes it @throws ScreenerError storage
 * @returns a folder of its own; its notebook is written when it is asked for, because judging takes time
 */
export async function demoHistory(now: number, atEnd: (() => Promise<void>)[]) {
  const folder = tmpdir();
  return await storing(`write the demo's history to ${folder}, which TMPDIR names`, async () => {
    const directory = await mkdtemp(path.join(folder, 'screener-demo-'));
    atEnd.push(() => rm(directory, { recursive: true, force: true }));
    const known = await fill(directory, now);
    const judge = async () => appendFindings(directory, await judgements(directory, known));
    return { directory, judge };
  });
}

async function fill(directory: string, now: number): Promise<SittingCards> {
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
      return [{ month: monthOf(createdAt), card, isDue: isDue(createdAt), isOpen: !isSettled(card) }];
    });
  const months: Record<string, { cards: number; awaiting: number }> = {};
  for (const [month, own] of groupBy(cards, (one) => one.month)) {
    await writeFile(monthPath(directory, month), own.map(({ card }) => `${JSON.stringify(card)}\n`).join(''));
    months[month] = { cards: own.length, awaiting: own.filter(({ isOpen }) => isOpen).length };
  }
  // The settings, and the service's medians 30 days before and after the run that saw them change.
  const changeSeen = lastRun - Math.floor((lastRun - changedAt(now)) / DAY) * DAY;
  for (const at of [demoSince(now), changeSeen]) {
    await appendScreeners(directory, world.screeners(at), at, formatApiTime(at - DAY));
  }
  const sittings = [changeSeen, changeSeen + STATS_WINDOW];
  const ofAll = (at: number) => SCREENERS.map(({ type }) => ({ at, type, stats: statsOf(world, type, at) }));
  await appendStats(directory, ...sittings.flatMap(ofAll));
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
  return { cards: cards.map(({ card }) => card), sittings };
}

interface SittingCards {
  readonly cards: readonly SignalCard[];
  readonly sittings: readonly number[];
}

/** What its exports found at the sittings: each judgement takes some ten milliseconds. */
async function judgements(directory: string, { cards, sittings }: SittingCards): Promise<Finding[]> {
  const [answers, looks] = [await readStatsLog(directory), await readScreenersLog(directory)];
  const all = cards.map((card) => rowOf(card, Date.parse(card.created_at)));
  const findings: Finding[] = [];
  for (const now of sittings) {
    // An outcome that is settled now was pending before.
    const isKnown = ({ at }: Row) => at <= now - DAY - 10 * MINUTE;
    const rows = all.filter(({ at }) => at <= now).map((row) => (isKnown(row) ? row : { ...row, measured: undefined }));
    const then = {
      rows,
      answers: answers.filter(({ at }) => at <= now),
      settingsSince: presentSettings(looks, now),
      now,
    };
    findings.push(...judge(then, findings));
  }
  return findings;
}
