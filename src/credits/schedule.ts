/**
 * When a request may be sent: pure functions of what the ledger's lines amount to, and of nothing else. Every process
 * computes the same from the same lines, which is why no lock and no daemon is needed.
 *
 * The rule: a turn may be taken while fewer than `per_minute` of the turns reserved before it are open. A turn is open
 * from its reservation until 60 s after its answer: the service counts a request somewhere between its leaving and its
 * answer, so whatever window of 60 s it measures, no more than `per_minute` requests of ours fall into it.
 */
import type { State, TurnRecord } from './state.ts';

/** The window of the allowance, plus a margin for clocks of another grain and timers that fire early. */
export const WINDOW = 60_000 + 100;
/**
 * A turn that came and was not taken within this time is forfeited: its process hangs or was suspended. The process
 * itself gives up after half of it, so that the two views never overlap.
 */
export const GRACE = 10_000;
/** A request ends by its own timeout; this much later nobody waits for its answer any more. */
const SLACK = 5_000;
/** No timeout counts for longer than this, whatever a line says. */
const LONGEST_TIMEOUT = 3_600_000;

/** One turn's place in time, on the lines so far. */
export interface Slot {
  readonly turn: TurnRecord;
  /** From when on it may be sent, epoch milliseconds UTC, if nothing more happens. */
  readonly due: number;
  /** When it stops counting against later turns, if nothing more happens. */
  readonly end: number;
}

export function isWaiting(turn: TurnRecord): boolean {
  return turn.sent === null && turn.ended === null;
}

export function isUnderWay(turn: TurnRecord): boolean {
  return turn.sent !== null && turn.ended === null;
}

/**
 * Requests a minute: what `/access` last said, else the document's 15. An allowance of 0 is paced as 1, because
 * otherwise nobody could ever ask `/access` again and learn of a better one.
 */
export function allowance(state: State): number {
  return Math.max(1, state.pace.perMinute);
}

/** The end of the hold (epoch milliseconds UTC) and the status that brought it, where one is active. */
export function activeHold(state: State, now: number): { readonly until: number; readonly status: number } | undefined {
  const { hold } = state;
  if (hold === null || hold.at + hold.millis <= now) return undefined;
  return { until: hold.at + hold.millis, status: hold.status };
}

/** Every turn's place in time. */
export function schedule(state: State): Slot[] {
  return walk(state, endOf).slots;
}

/** Where a turn stands: it may be sent from `due` on; `lapsed` when that is so long ago that it no longer holds. */
export function standing(
  state: State,
  nonce: string,
  now: number,
): { readonly due: number; readonly lapsed: boolean } | undefined {
  const slot = schedule(state).find(({ turn }) => turn.nonce === nonce);
  if (slot === undefined || !isWaiting(slot.turn)) return undefined;
  return { due: slot.due, lapsed: now > slot.due + GRACE / 2 };
}

/**
 * When `requests` more requests could leave one after the other, on the assumption that whatever is under way is
 * answered now and that everything after that is answered at once.
 * @returns epoch milliseconds UTC for each
 */
export function forecast(state: State, now: number, requests: number): number[] {
  const expected = (turn: TurnRecord, due: number) => {
    if (isUnderWay(turn)) return Math.min(endOf(turn, due), now + WINDOW);
    return isWaiting(turn) && endOf(turn, due) > now ? Math.max(due, now) + WINDOW : endOf(turn, due);
  };
  const { latestEnds } = walk(state, expected);
  const limit = allowance(state);
  const held = activeHold(state, now)?.until ?? now;
  return Array.from({ length: requests }, () => {
    const due = Math.max(now, held, freeFrom(latestEnds, limit));
    insert(latestEnds, due + WINDOW, limit);
    return due;
  });
}

/** When a waiting turn can expect to be sent, on the same assumption. */
export function expectedDue(state: State, nonce: string, now: number): number {
  const index = state.turns.findIndex((turn) => turn.nonce === nonce);
  const [due] = forecast({ ...state, turns: state.turns.slice(0, Math.max(0, index)) }, now, 1);
  return due ?? now;
}

/** Turns reserved before `nonce` whose end depends on a process still being there. */
export function unfinishedBefore(state: State, nonce: string): TurnRecord[] {
  const index = state.turns.findIndex((turn) => turn.nonce === nonce);
  return state.turns.slice(0, Math.max(0, index)).filter((turn) => turn.ended === null);
}

/** Requests that count against a new one now. */
export function lastMinute(state: State, now: number): number {
  return schedule(state).filter(({ turn, end }) => turn.sent !== null && end > now).length;
}

/** Without the turns that have long ceased to matter to anybody. */
export function pruned(state: State): TurnRecord[] {
  const kept = schedule(state).filter(({ end }) => end > state.latest - 2 * GRACE);
  return kept.map(({ turn }) => turn);
}

function endOf(turn: TurnRecord, due: number): number {
  if (turn.ended !== null) return turn.sent === null ? turn.ended : turn.ended + WINDOW;
  if (turn.sent === null) return due + GRACE;
  return turn.sent + Math.min(turn.timeout, LONGEST_TIMEOUT) + SLACK + WINDOW;
}

/**
 * Goes through the turns in order with the latest `allowance` ends before each: the earliest of those is when fewer
 * than `allowance` of them are open.
 */
function walk(
  state: State,
  end: (turn: TurnRecord, due: number) => number,
): { readonly slots: Slot[]; readonly latestEnds: number[] } {
  const limit = allowance(state);
  // A changed allowance and the end of a hold let turns come, too: none is forfeited before it could be taken.
  const least = Math.max(state.pace.since, state.hold === null ? 0 : state.hold.at + state.hold.millis);
  const latestEnds: number[] = [];
  const slots = state.turns.map((turn) => {
    const due = Math.max(turn.at, least, freeFrom(latestEnds, limit));
    const slot = { turn, due, end: end(turn, due) };
    insert(latestEnds, slot.end, limit);
    return slot;
  });
  return { slots, latestEnds };
}

function freeFrom(latestEnds: readonly number[], limit: number): number {
  return latestEnds.length < limit ? 0 : (latestEnds[0] ?? 0);
}

/** Keeps the `limit` greatest values, ascending. */
function insert(ascending: number[], value: number, limit: number): void {
  if (ascending.length >= limit && value <= (ascending[0] ?? 0)) return;
  let index = ascending.length;
  while (index > 0 && (ascending[index - 1] ?? 0) > value) index -= 1;
  ascending.splice(index, 0, value);
  if (ascending.length > limit) ascending.shift();
}
