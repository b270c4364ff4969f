/** Where a history stands after its journal. Pure. */
import { at, parseApiTime } from '../../api/time.ts';
import { DAY } from '../../runtime/units.ts';
import type { JournalEntry } from '../store/journal.ts';
import { createdAt, isSettled } from '../store/layout.ts';
import { type Asked, type Day, type ExportManifest, isGone } from '../store/manifest.ts';
import type { KnownCard } from '../store/months.ts';
import { isAgainWorthwhile, learn, MOST_BOUGHT } from './lateness.ts';

export function applyEntry(before: ExportManifest, entry: JournalEntry): ExportManifest {
  if (entry.kind === 'page') return { ...before, ...entry.coverage };
  if (entry.kind === 'others') {
    const { screeners_at = before.screeners_at, refused } = entry;
    return { ...before, screeners_at, refused: { ...before.refused, ...refused } };
  }
  if (entry.kind === 'failed') return { ...before, asked: { ...before.asked, [entry.id]: entry.asked } };
  const { detail, asked } = entry;
  const { [detail.id]: last, ...others } = before.asked;
  const settled = isSettled(detail);
  const created = createdAt(detail);
  const purchase = { createdAt: created, at: at(asked.at), settled, again: isAgain(last, created) };
  return {
    ...before,
    asked: settled ? others : { ...others, [detail.id]: asked },
    lateness: learn(before.lateness, purchase),
    days: changeDay(before.days, asked.at.slice(0, 10), (day) => ({ ...day, outcomes: day.outcomes + 1 })),
  };
}

export function isAwaiting(
  { id, isBought, isSettled }: KnownCard,
  { asked, lateness }: Pick<ExportManifest, 'asked' | 'lateness'>,
): boolean {
  if (isGone(asked[id])) return false;
  if (!isBought) return true;
  return !isSettled && (asked[id]?.times ?? 1) < MOST_BOUGHT && isAgainWorthwhile(lateness);
}

/** Tells a second purchase from a look before the outcome could be there; `at` in epoch milliseconds UTC. */
export function isAgain(asked: Asked | undefined, at: number): boolean {
  return asked !== undefined && asked.times > 0 && (parseApiTime(asked.at) ?? 0) >= at + DAY;
}

const DAYS_KEPT = 31;

export function changeDay(days: readonly Day[], day: string, change: (one: Day) => Day): Day[] {
  const one = days.find((other) => other.day === day) ?? { day, runs: 0, outcomes: 0, credits: 0, backlog: 0 };
  const all = [...days.filter((other) => other.day !== day), change(one)];
  return all.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_KEPT);
}
