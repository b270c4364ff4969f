/** What exports do not ask for now, and why. Pure: from the manifest alone, so that `--check` says the same. */
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, dayNumber } from '../../base/units.ts';
import { waitBeforeTrying } from '../../base/waits.ts';
import { type ExportManifest, isGone } from '../store/manifest.ts';
import { PART_NAMES, type PartName } from '../store/part-states.ts';
import { MOST_BOUGHT, waitBeforeNext } from './apply-journal.ts';
import { askedAgainAt } from './refused.ts';

/** Why something is not asked for. */
export const REASONS = {
  refused: 'the service refused the whole operation',
  gap: 'the service did not give this part of the list',
  begins: 'the list seems to begin there: two UTC days must say so',
  failed: 'the details of single cards could not be had',
  gone: 'the service no longer has the card',
  no_figure: 'the outcome was asked for five times and has no figure',
} as const;

export interface NotAsked {
  readonly part: PartName;
  readonly reason: keyof typeof REASONS;
  /** Cards that are concerned, where their number is known. */
  readonly cards: number | null;
  /** API times: the part of the list. */
  readonly since: string | null;
  readonly until: string | null;
  /** API time from which on a run asks again; null if none does. */
  readonly again_at: string | null;
}

/** @param now epoch milliseconds UTC */
export function notAsked(
  manifest: Pick<ExportManifest, 'asked' | 'gaps' | 'parts'>,
  now: number,
): NotAsked[] {
  return [...refusedParts(manifest, now), ...gapsOf(manifest, now), ...cardsOf(manifest, now)];
}

const NOTHING = { cards: null, since: null, until: null };

function refusedParts({ parts }: Pick<ExportManifest, 'parts'>, now: number): NotAsked[] {
  const entries: NotAsked[] = [];
  for (const part of PART_NAMES) {
    const { failure } = parts[part];
    if (failure === null) continue;
    // Every run asks for the list.
    const again = part === 'list' ? now : Math.max(now, askedAgainAt(failure));
    entries.push({ ...NOTHING, part, reason: 'refused', again_at: formatApiTime(again) });
  }
  return entries;
}

function gapsOf({ gaps }: Pick<ExportManifest, 'gaps'>, now: number): NotAsked[] {
  return gaps.map(({ since, until, at: last, times, begin }) => {
    const asked = Math.min(now, at(last));
    const again = begin === undefined ? asked + waitBeforeTrying(times) : nextDay(asked);
    return {
      part: 'list',
      reason: begin === undefined ? 'gap' : 'begins',
      cards: null,
      since,
      until,
      again_at: formatApiTime(Math.max(now, again)),
    };
  });
}

function nextDay(time: number): number {
  return (dayNumber(time) + 1) * DAY;
}

function cardsOf({ asked }: Pick<ExportManifest, 'asked'>, now: number): NotAsked[] {
  const all = Object.values(asked);
  const gone = all.filter((card) => isGone(card) && card.times === 0).length;
  const failed = all.filter((card) => card.failed > 0 && !isGone(card));
  const settledNever = all.filter(({ failed, times }) => failed === 0 && times >= MOST_BOUGHT);
  const again = failed.map((card) => Math.min(now, at(card.at)) + waitBeforeNext(card));
  const none = { ...NOTHING, part: 'details', again_at: null } as const;
  const entries: NotAsked[] = [];
  if (failed.length > 0) {
    const again_at = formatApiTime(Math.max(now, Math.min(...again)));
    entries.push({ ...none, reason: 'failed', cards: failed.length, again_at });
  }
  if (gone > 0) entries.push({ ...none, reason: 'gone', cards: gone });
  if (settledNever.length > 0)
    entries.push({ ...none, reason: 'no_figure', cards: settledNever.length });
  return entries;
}
