/** What exports do not ask for now, and why. It is read from the manifest, so that an export and `--check` say the same. */
import { at, formatApiTime } from '../../api/time.ts';
import { type ExportManifest, isGone, monthsWithMissing } from '../store/manifest.ts';
import { PART_NAMES, type PartName } from '../store/part-states.ts';
import {
  areLaterPurchasesWorthwhile,
  isFailed,
  isWithoutFigure,
  isWithoutFigureForGood,
  retryTimeOfCard,
} from './apply-journal.ts';
import { partOfMonth } from './damage.ts';
import { retryTimeOfLoss } from './lost-cards.ts';
import { retryTimeOfPart } from './refused.ts';
import { gapsSince, retryTimeOfGap, wantedSince } from './spans.ts';

/** Why something is not asked for. */
export const REASONS = {
  refused: 'the service refused the whole operation',
  gap: 'the service did not give this part of the list',
  lost: 'a month file lacks cards: two UTC days must say so',
  begins: 'the list seems to begin there: two UTC days must say so',
  failed: 'the details of single cards could not be had',
  gone: 'the service no longer has the card',
  no_figure: 'the outcome was bought without a figure, and is not asked for again',
} as const;

/** Something that a run could ask for, and does not. */
export interface NotAsked {
  readonly part: PartName;
  readonly reason: keyof typeof REASONS;
  /** How many cards it is about; null if their number is not known. */
  readonly cards: number | null;
  /** If it is a part of the list: where the part begins, API time. Otherwise null. */
  readonly since: string | null;
  /** If it is a part of the list: where the part ends, API time. Otherwise null. */
  readonly until: string | null;
  /**
   * API time from which on a run asks again. Null if no run is known to ask again; a run with an older --since than the last may
   * ask all the same.
   */
  readonly again_at: string | null;
}

/** The parts of the manifest that tell what is not asked for. */
type AskedManifest = Pick<
  ExportManifest,
  'asked' | 'begins_at' | 'begins_since' | 'gaps' | 'last_run' | 'lateness' | 'months' | 'parts'
>;

/** What exports do not ask for, by part. @param now epoch milliseconds UTC */
export function notAsked(manifest: AskedManifest, now: number): NotAsked[] {
  return [
    ...refusedParts(manifest, now),
    ...gapsOf(manifest, now),
    ...lostCardsOf(manifest, now),
    ...unaskedDetails(manifest, now),
  ];
}

/** For something whose number of cards is not known, and that is no part of the list. */
const NO_COUNT_NO_BOUNDS = { cards: null, since: null, until: null };

/** `again_at` for a retry time. If that has passed, the next run asks again: `again_at` is then now. */
function againAt(retryTime: number, now: number): string {
  return formatApiTime(Math.max(now, retryTime));
}

function refusedParts({ parts }: Pick<ExportManifest, 'parts'>, now: number): NotAsked[] {
  const entries: NotAsked[] = [];
  for (const part of PART_NAMES) {
    const { failure } = parts[part];
    if (failure === null) continue;
    // The list was due when it was refused. It still is: the next run asks for it.
    const retryTime = part === 'list' ? now : retryTimeOfPart(failure);
    const again_at = againAt(retryTime, now);
    entries.push({ ...NO_COUNT_NO_BOUNDS, part, reason: 'refused', again_at });
  }
  return entries;
}

/** Gaps in the list. The next runs are assumed to have the --since of the last one: they ask for no gap that is older. */
function gapsOf(manifest: AskedManifest, now: number): NotAsked[] {
  const { gaps, last_run } = manifest;
  const since = last_run?.since === undefined ? undefined : at(last_run.since);
  const wantedGaps = gapsSince(gaps, wantedSince(manifest, since));
  return gaps.map((gap) => ({
    part: 'list',
    reason: gap.begin === undefined ? 'gap' : 'begins',
    cards: null,
    since: gap.since,
    until: gap.until,
    again_at: wantedGaps.includes(gap) ? againAt(retryTimeOfGap(gap, now), now) : null,
  }));
}

/** Cards that month files lack. A second UTC day must show that they are lost: then the month is listed again. */
function lostCardsOf(manifest: Pick<ExportManifest, 'months'>, now: number): NotAsked[] {
  return monthsWithMissing(manifest).map(({ month, missing }) => {
    const { since, until } = partOfMonth(month);
    const retryTime = retryTimeOfLoss(missing);
    return {
      part: 'list',
      reason: 'lost',
      cards: missing.cards,
      since: formatApiTime(since),
      until: formatApiTime(Math.min(now, until)),
      again_at: retryTime === undefined ? null : againAt(retryTime, now),
    };
  });
}

/** Cards whose details are not asked for, by reason. */
function unaskedDetails(
  { asked, lateness }: Pick<ExportManifest, 'asked' | 'lateness'>,
  now: number,
): NotAsked[] {
  const cards = Object.values(asked);
  const failed = cards.filter(isFailed);
  // If the outcome was bought before the card was gone, the history has it.
  const gone = cards.filter((card) => isGone(card) && card.times === 0);
  const areBoughtAgain = areLaterPurchasesWorthwhile(lateness);
  const withoutFigure = cards.filter(
    (card) => isWithoutFigureForGood(card) || (isWithoutFigure(card) && !areBoughtAgain),
  );
  const ofCards = { ...NO_COUNT_NO_BOUNDS, part: 'details', again_at: null } as const;
  const entries: NotAsked[] = [];
  if (failed.length > 0) {
    const earliestRetry = Math.min(...failed.map(retryTimeOfCard));
    const again_at = againAt(earliestRetry, now);
    entries.push({ ...ofCards, reason: 'failed', cards: failed.length, again_at });
  }
  if (gone.length > 0) entries.push({ ...ofCards, reason: 'gone', cards: gone.length });
  if (withoutFigure.length > 0)
    entries.push({ ...ofCards, reason: 'no_figure', cards: withoutFigure.length });
  return entries;
}
