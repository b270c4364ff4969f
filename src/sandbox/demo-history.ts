import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SignalCard, SignalDetail } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { emptyManifest, saveManifest } from '../history/export-manifest.ts';
import { monthOf, monthPath, SCREENERS_FILE } from '../history/layout.ts';
import { DAY, HOUR, MINUTE } from '../runtime/units.ts';
import { createMarketWorld } from './market/market-world.ts';
import { chance } from './market/noise.ts';
import { SCREENERS, settingsOf } from './market/screeners.ts';
import type { CardKey } from './world.ts';

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
 * @param account whose history it says it is
 */
export async function demoHistory(now: number, account = 'demo'): Promise<DemoHistory> {
  const directory = await mkdtemp(path.join(tmpdir(), 'screener-demo-'));
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    await fill(directory, account, now);
  } catch (error) {
    await close();
    throw error;
  }
  return { directory, close };
}

async function fill(directory: string, account: string, now: number): Promise<void> {
  const runAt = now - LAST_RUN;
  const since = now - DAYS * DAY;
  const world = createMarketWorld({ seed: 1, cards: 40 * DAYS, startedAt: now });
  const months = new Map<string, { lines: string[]; cards: number; awaiting: number }>();
  const asked: ReturnType<typeof emptyManifest>['asked'] = {};
  let due = 0;
  let later = 0;
  let newest: number | undefined;
  for (const key of world.index(runAt).toReversed()) {
    const age = (now - key.createdAt) / DAY;
    if (age > DAYS || (age > GAP[0] && age < GAP[1])) continue;
    const card: SignalCard | SignalDetail | undefined = isBought(key, now)
      ? world.detail(key.id, runAt)
      : world.card(key.id, runAt);
    const isPending = isOutcomePending(card);
    const isAwaiting = isPending || !isBought(key, now);
    const name = monthOf(key.createdAt);
    const month = months.get(name) ?? { lines: [], cards: 0, awaiting: 0 };
    month.lines.push(JSON.stringify(card));
    month.cards += 1;
    if (isAwaiting) month.awaiting += 1;
    months.set(name, month);
    if (isPending) asked[key.id] = { times: 1, at: formatApiTime(runAt), failed: 0, not_found: false };
    if (isAwaiting && age > 1.1) due += 1;
    else if (isAwaiting) later += 1;
    newest = key.createdAt;
  }
  for (const [name, { lines }] of months) await writeFile(monthPath(directory, name), `${lines.join('\n')}\n`);
  await writeFile(path.join(directory, SCREENERS_FILE), settingsLog(now));
  await saveManifest(directory, {
    ...emptyManifest(account),
    remaining: { list: false, outcomes_due: due, outcomes_later: later },
    last_run: {
      started_at: formatApiTime(runAt - 4 * MINUTE),
      finished_at: formatApiTime(runAt),
      stopped_by: due > 0 ? 'day_credits' : null,
    },
    covered: { since: formatApiTime(since), until: formatApiTime(runAt) },
    newest: newest === undefined ? null : formatApiTime(newest),
    months: Object.fromEntries([...months].map(([name, { cards, awaiting }]) => [name, { cards, awaiting }])),
    asked,
  });
}

/** Whether a run has bought its outcome; a few before it could be settled, as `signals ls --outcomes` does. */
function isBought({ id, createdAt }: CardKey, now: number): boolean {
  const age = now - createdAt;
  const choice = chance(41, id);
  if (age < LAST_RUN + DAY) return age > LAST_RUN + HOUR && choice < 0.12;
  return choice < (age > SHORT[0] * DAY && age < SHORT[1] * DAY ? 0.4 : 0.93);
}

function isOutcomePending(card: SignalCard | SignalDetail | undefined): boolean {
  const outcome = (card as Partial<SignalDetail>)?.outcome;
  return outcome?.state_1h === 'pending' || outcome?.state_24h === 'pending';
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
