import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatApiTime } from '../api/time.ts';
import { emptyManifest, saveManifest } from '../history/export-manifest.ts';
import { monthOf, monthPath, SCREENERS_FILE } from '../history/layout.ts';
import { DAY, HOUR, MINUTE } from '../runtime/units.ts';
import { createMarketWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { SCREENERS, settingsOf } from './market/screeners.ts';
import { type CardKey, cardOf } from './world.ts';

const DAYS = 90;
/** When the last run was, before now. */
const LAST_RUN = 95 * MINUTE;
/** Two days without cards, and five on which credits were short; days before now. */
const GAP = [41, 43] as const;
const SHORT = [58, 63] as const;
const SETTINGS_CHANGED = 37;

export interface DemoHistory {
  readonly directory: string;
  /** Removes it. */
  close(): Promise<void>;
}

/**
 * Makes an invented history of 90 days in a folder of its own, as a cron job would have left it: a gap, pending and
 * missing outcomes, some that were never bought, a change of settings, and a screener that has fallen silent. Its cards
 * are those of the sandbox's market.
 * @param now epoch milliseconds UTC
 */
export async function demoHistory(now: number): Promise<DemoHistory> {
  const directory = await mkdtemp(path.join(tmpdir(), 'screener-demo-'));
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    await fill(directory, now);
  } catch (error) {
    await close();
    throw error;
  }
  return { directory, close };
}

async function fill(directory: string, now: number): Promise<void> {
  const runAt = now - LAST_RUN;
  const world = createMarketWorld({ seed: 1, cards: 40 * DAYS, startedAt: now });
  const months = new Map<string, Stored[]>();
  for (const key of world.index(runAt).toReversed()) {
    const age = (now - key.createdAt) / DAY;
    const detail = world.detail(key.id, runAt);
    if (detail === undefined || age > DAYS || (age > GAP[0] && age < GAP[1])) continue;
    const line = JSON.stringify(isBought(key, now) ? detail : cardOf(detail));
    const isAwaiting = !isBought(key, now) || line.includes('"pending"');
    const name = monthOf(key.createdAt);
    const stored = { line, createdAt: key.createdAt, isAwaiting };
    const month = months.get(name) ?? [];
    months.set(name, month);
    month.push(stored);
  }
  const all = [...months.values()].flat();
  const awaiting = all.filter(({ isAwaiting }) => isAwaiting);
  const due = awaiting.filter(({ createdAt }) => now - createdAt > 1.1 * DAY).length;
  for (const [name, cards] of months) {
    await writeFile(monthPath(directory, name), cards.map(({ line }) => `${line}\n`).join(''));
  }
  await writeFile(path.join(directory, SCREENERS_FILE), settingsLog(now));
  await saveManifest(directory, {
    ...emptyManifest('demo'),
    remaining: { list: false, outcomes_due: due, outcomes_later: awaiting.length - due },
    last_run: {
      started_at: formatApiTime(runAt - 4 * MINUTE),
      finished_at: formatApiTime(runAt),
      stopped_by: due > 0 ? 'day_credits' : null,
    },
    covered: { since: formatApiTime(now - DAYS * DAY), until: formatApiTime(runAt) },
    months: Object.fromEntries(
      [...months].map(([name, cards]) => [
        name,
        { cards: cards.length, awaiting: cards.filter(({ isAwaiting }) => isAwaiting).length },
      ]),
    ),
  });
}

interface Stored {
  readonly line: string;
  readonly createdAt: number;
  /** Its outcome is still to be bought, now or later. */
  readonly isAwaiting: boolean;
}

/** Whether a run has bought its outcome; a few before it could be settled, as `signals ls --outcomes` does. */
function isBought({ id, createdAt }: CardKey, now: number): boolean {
  const age = now - createdAt;
  const choice = chance(41, id);
  if (age < LAST_RUN + DAY) return age > LAST_RUN + HOUR && choice < 0.12;
  return choice < (age > SHORT[0] * DAY && age < SHORT[1] * DAY ? 0.4 : 0.93);
}

/** Two looks that differ: one threshold was raised in between. */
function settingsLog(now: number): string {
  const before = SCREENERS.map((one) => (one.type === 'price_spike' ? { ...one, threshold: 1.2 } : one));
  const looks = [
    { at: formatApiTime(now - DAYS * DAY), screeners: settingsOf(before) },
    { at: formatApiTime(now - SETTINGS_CHANGED * DAY), screeners: settingsOf(SCREENERS) },
  ];
  return looks.map((look) => `${JSON.stringify(look)}\n`).join('');
}
