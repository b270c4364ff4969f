/**
 * What a history has and lacks: which outcomes are due, how many cards come, what share of the due was bought. Reads
 * only the months that await an outcome and those of the last 31 days.
 */
import { parseApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import type { Asked, BoughtShare, ExportManifest } from './export-manifest.ts';
import { dueAfter, waitBeforeNext } from './lateness.ts';
import { isDetail, monthOf, monthPath, type StoredCard } from './layout.ts';
import { readMonth } from './month.ts';
import type { Due } from './selection.ts';
import { isAwaiting, type Updates } from './updates.ts';

/** Over how long the share is counted, and the rate of cards. */
const SHARE_DAYS = 31;
const RATE_DAYS = 7;

export interface Survey {
  /** In no order. */
  readonly due: readonly Due[];
  /** When the outcomes come due that are still to be bought but not yet: epoch milliseconds UTC. */
  readonly later: readonly number[];
  readonly cardsPerDay: number;
  readonly share: BoughtShare;
}

/**
 * @param manifest with the journal's updates in it, except for the counts of months
 * @param updates what the journal holds beyond the month files
 * @throws ScreenerError storage
 */
export async function surveyCards(
  directory: string,
  manifest: ExportManifest,
  updates: Updates,
  now: number,
): Promise<Survey> {
  const gone = new Set(manifest.gone);
  const due: Due[] = [];
  const later: number[] = [];
  const share = new ShareCount(now - SHARE_DAYS * DAY);
  const shareUntil = now - dueAfter(manifest.lateness);
  let recent = 0;
  for (const month of monthsToRead(manifest, updates, now)) {
    const { lines } = await readMonth(monthPath(directory, month), updates.cards.get(month));
    for (const { card, at } of lines) {
      if (at > now - RATE_DAYS * DAY && at <= now) recent += 1;
      if (at <= shareUntil && !gone.has(card.id)) share.add(card, at);
      if (!isAwaiting(card, manifest, gone)) continue;
      const asked = manifest.asked[card.id] ?? (isDetail(card) ? UNRECORDED : undefined);
      const dueAt = dueTime(at, asked, manifest);
      if (dueAt <= now) due.push(dueCard(card, at, asked));
      else later.push(dueAt);
    }
  }
  return { due, later, cardsPerDay: recent / daysCovered(manifest, now), share: share.result() };
}

function monthsToRead(manifest: ExportManifest, updates: Updates, now: number): string[] {
  const months = new Set(updates.months);
  const first = monthOf(now - SHARE_DAYS * DAY);
  for (const [month, { awaiting }] of Object.entries(manifest.months)) {
    if (awaiting > 0 || month >= first) months.add(month);
  }
  return [...months].sort();
}

/** A detail that is not settled and of which `export.json` does not know when it was bought: once, long ago. */
const UNRECORDED: Asked = { times: 1, at: '1970-01-01T00:00:00Z', failed: 0, not_found: false };

/** @returns Infinity where it is not asked for again */
function dueTime(at: number, asked: Asked | undefined, { lateness }: ExportManifest): number {
  const measured = at + dueAfter(lateness);
  if (asked === undefined) return measured;
  const wait = waitBeforeNext(asked.times, asked.failed, asked.not_found) ?? Number.POSITIVE_INFINITY;
  return Math.max(measured, (parseApiTime(asked.at) ?? 0) + wait);
}

function dueCard({ id, created_at }: StoredCard, at: number, asked: Asked | undefined): Due {
  const { times = 0, failed = 0, not_found: notFound = false } = asked ?? {};
  return { id, created_at, at, times, failed, notFound };
}

/** Days of the rate's window of which the list is here: at least one. */
function daysCovered({ covered, walk }: ExportManifest, now: number): number {
  const since = covered?.since ?? walk?.oldest ?? undefined;
  const from = since === undefined ? now : (parseApiTime(since) ?? now);
  return Math.min(RATE_DAYS, Math.max(1, (now - from) / DAY));
}

class ShareCount {
  readonly #from: number;
  readonly #byType = new Map<string, { due: number; bought: number }>();
  readonly #byDay = new Map<string, { due: number; bought: number }>();

  constructor(from: number) {
    this.#from = from;
  }

  add(card: StoredCard, at: number): void {
    if (at < this.#from) return;
    const bought = isDetail(card) ? 1 : 0;
    const day = new Date(at).toISOString().slice(0, 10);
    for (const [groups, key] of [[this.#byType, String(card.source_bot_type)] as const, [this.#byDay, day] as const]) {
      const group = groups.get(key) ?? { due: 0, bought: 0 };
      groups.set(key, { due: group.due + 1, bought: group.bought + bought });
    }
  }

  result(): BoughtShare {
    const of = (groups: ReadonlyMap<string, { due: number; bought: number }>) =>
      Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
    const days = [...this.#byDay.values()];
    const sum = (key: 'due' | 'bought') => days.reduce((total, day) => total + day[key], 0);
    return {
      days: SHARE_DAYS,
      due: sum('due'),
      bought: sum('bought'),
      by_type: of(this.#byType),
      by_day: of(this.#byDay),
    };
  }
}

/** The UTC day of a time, `2026-11-20`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
