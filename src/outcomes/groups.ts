import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { DAY } from '../runtime/units.ts';
import { movesOf, symbolsOfBtc } from './differences.ts';
import type { Finding } from './findings.ts';
import { groupRows, KEYS, type Row } from './row.ts';
import type { ServiceAnswer } from './service-answers.ts';
import type { GroupBy } from './types.ts';

/** Cards that are judged, and shown unless a question names others: an edge that died is then withdrawn. */
export const JUDGED_WINDOW = 180 * DAY;

export interface FiguresQuestion {
  readonly by?: GroupBy | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** Outcomes of cards until then are due, as exports count them; unless given, of those a day before `now`. */
  readonly dueUntil?: number | undefined;
  /** End of the history, epoch milliseconds UTC; unless given, `now`. */
  readonly until?: number | undefined;
  readonly horizon?: HorizonName | undefined;
  /** Groups with smaller samples at every horizon are left out of the comparisons, too. */
  readonly minSample?: number | undefined;
  /** The smallest difference that matters after 24 h, percentage points. */
  readonly least?: number | undefined;
  readonly answers?: readonly ServiceAnswer[] | undefined;
  /** See `lastSittings`, of all answers; unless given, of `answers`. */
  readonly lastAsked?: ReadonlyMap<string, number> | undefined;
  /** Present settings of a type since then, epoch milliseconds UTC: older cards count as others only. */
  readonly settingsSince?: ReadonlyMap<string, number> | undefined;
  /** Whether groups are compared with each other: the others of one symbol are too few. */
  readonly comparesGroups?: boolean | undefined;
  /** What decided since the last sitting, by type: it does until the next one. */
  readonly sources?: ReadonlyMap<string, 'service' | 'bought'> | undefined;
  /** The notebook, oldest first: words and dates are read there; undefined for a question of one's own. */
  readonly findings?: readonly Finding[] | undefined;
}

export type Grouped = ReturnType<typeof groupCards>;
export type Group = Grouped['shown'][number];

/** @param cards in any order @returns by group, in the order of `groupRows`; `rows`: also of groups that are left out */
export function groupCards(
  cards: readonly Row[],
  { by, settingsSince, minSample = 0 }: FiguresQuestion,
) {
  const rows = cards.toSorted((one, other) => one.at - other.at);
  const all: readonly [string | null, readonly Row[]][] =
    by === undefined ? [[null, rows]] : groupRows(rows, by);
  const keyOf: (card: Row) => string | null = by === undefined ? () => null : KEYS[by];
  const sinceOf = (group: string | null) =>
    (by === 'type' ? settingsSince?.get(group ?? '') : undefined) ?? Number.NEGATIVE_INFINITY;
  const isPresent = (card: Row) => card.at >= sinceOf(keyOf(card));
  const groups = all.map(([group, own]) => ({
    group,
    /** Present settings since then, epoch milliseconds UTC; infinite if they never changed. */
    since: sinceOf(group),
    /** Its cards under them, oldest first. */
    rows: own.filter(isPresent),
    /** Its newest card under any settings, epoch milliseconds UTC. */
    last: own.at(-1)?.at,
  }));
  const isLarge = (group: (typeof groups)[number]) =>
    HORIZON_NAMES.some((name) => movesOf(group.rows, name).length >= minSample);
  const shown = minSample === 0 ? groups : groups.filter(isLarge);
  return {
    rows,
    ofBtc: symbolsOfBtc(rows),
    keyOf,
    isPresent,
    shown,
    leftOut: groups.length - shown.length,
  };
}
