import type { Accessed, Line, Reservation } from './ledger-records.ts';
import { isUnderWay, pruned } from './schedule.ts';
import { dayNumber, emptyState, type Spent, type State, type TurnRecord } from './state.ts';

/** A Retry-After beyond this is a server's mistake and must not lock its user out for ever. */
export const LONGEST_HOLD = 31 * 86_400_000;
/** Days of spending that are kept: today, and some for a clock that was set. */
const DAYS_KEPT = 3;
const PRUNE_EVERY = 32;

/** What these lines, in this order, amount to. */
export function fold(lines: Iterable<Line>): State {
  const state = emptyState();
  for (const line of lines) apply(state, line);
  return state;
}

/** Adds one line to `state`, in place. Lines about files (seal, carry, checkpoint) are the journal's and add nothing. */
export function apply(state: State, line: Line): void {
  if (line.is === 'seal' || line.is === 'carry' || line.is === 'state') return;
  if (line.is === 'clock') {
    setBack(state, line.at);
    return;
  }
  state.latest = Math.max(state.latest, line.at);
  if (line.is === 'access') observe(state, line);
  else if (line.is === 'turn') reserve(state, line);
  else changeAll(state, line);
}

type Change = Extract<Line, { is: 'sent' | 'cancel' | 'answer' | 'gone' }>;

function changeAll(state: State, line: Change): void {
  for (const nonce of line.is === 'gone' ? line.nonces : [line.nonce]) {
    const turn = state.turns.findLast((candidate) => candidate.nonce === nonce);
    if (turn !== undefined) change(state, turn, line);
  }
}

function reserve(state: State, line: Reservation): void {
  const { nonce, pid, place, operation, cost, timeout, at } = line;
  if (state.turns.length % PRUNE_EVERY === PRUNE_EVERY - 1) state.turns = pruned(state);
  state.turns.push({
    nonce,
    pid,
    place,
    operation,
    cost,
    timeout,
    at,
    sent: null,
    ended: null,
    status: null,
    straddles: false,
  });
}

function change(state: State, turn: TurnRecord, line: Change): void {
  if (line.is === 'sent') {
    if (turn.sent !== null) return;
    turn.sent = line.at;
    // It was taken for dead (another container's process, perhaps) and was not.
    turn.ended = null;
    count(state, turn, { requests: 1, charged: 0, uncertain: turn.cost });
    return;
  }
  if (turn.ended !== null && line.is === 'gone') return;
  if (line.is === 'cancel') {
    if (turn.sent !== null && turn.status === null) {
      count(state, turn, { requests: -1, charged: 0, uncertain: -turn.cost });
      turn.sent = null;
    }
    turn.ended ??= line.at;
    return;
  }
  turn.ended = line.at;
  if (line.is === 'gone' || turn.status !== null || turn.sent === null) return;
  turn.status = line.status;
  if (line.status === 200) count(state, turn, { requests: 0, charged: turn.cost, uncertain: -turn.cost });
  if (line.hold !== undefined && line.status !== null) hold(state, line.at, line.hold, line.status);
}

function hold(state: State, at: number, seconds: number, status: number): void {
  const millis = Math.min(seconds * 1000, LONGEST_HOLD);
  const until = state.hold === null ? 0 : state.hold.at + state.hold.millis;
  if (at + millis > until) state.hold = { at, millis, status };
}

/** Adds to the day of sending, and to what was spent since `/access` was last asked. */
function count(state: State, turn: TurnRecord, by: Spent): void {
  if (turn.sent === null) return;
  const operations = dayAt(state, dayNumber(turn.sent));
  operations[turn.operation] ??= { requests: 0, charged: 0, uncertain: 0 };
  add(operations[turn.operation], by);
  // Whether `/access` counted it already is unknown and stays so: it is uncertain, unless it is given back.
  if (!turn.straddles || by.requests < 0) add(state.since, by);
}

function add(sum: { requests?: number; charged: number; uncertain: number } | undefined, by: Spent): void {
  if (sum === undefined) return;
  if (sum.requests !== undefined) sum.requests = Math.max(0, sum.requests + by.requests);
  sum.charged = Math.max(0, sum.charged + by.charged);
  sum.uncertain = Math.max(0, sum.uncertain + by.uncertain);
}

function dayAt(state: State, day: number): Record<string, Spent> {
  const known = state.days.find((entry) => entry.day === day);
  if (known !== undefined) return known.operations;
  const fresh = { day, operations: {} };
  state.days = [...state.days, fresh].slice(-DAYS_KEPT);
  return fresh.operations;
}

function observe(state: State, line: Accessed): void {
  if (state.pace.perMinute !== line.per_minute) state.pace = { perMinute: line.per_minute, since: line.at };
  state.since = { charged: 0, uncertain: straddling(state, line.from).all };
  for (const turn of state.turns) turn.straddles = isUnderWay(turn);
  state.seen = {
    at: line.at,
    used: line.used,
    limit: line.limit,
    remaining: line.remaining,
    resetsAt: line.resets_at,
    perMinute: line.per_minute,
  };
}

/**
 * Credits of requests that were not over when `/access` was asked at `from`: nobody knows whether its figures contain
 * them. `charged`: those of them that have been answered with 200.
 */
export function straddling(state: State, from: number): { readonly all: number; readonly charged: number } {
  const over = (turn: TurnRecord) => turn.ended !== null && turn.ended < from;
  const open = state.turns.filter((turn) => turn.sent !== null && (isUnderWay(turn) || !over(turn)));
  const sum = (turns: TurnRecord[]) => turns.reduce((total, turn) => total + turn.cost, 0);
  return { all: sum(open), charged: sum(open.filter((turn) => turn.status === 200)) };
}

/** Nothing above the line happened later than it; so nothing holds anybody longer than its own length from there. */
function setBack(state: State, at: number): void {
  const bound = (time: number) => Math.min(time, at);
  const boundOrNull = (time: number | null) => (time === null ? null : bound(time));
  state.latest = bound(state.latest);
  for (const turn of state.turns) {
    turn.at = bound(turn.at);
    turn.sent = boundOrNull(turn.sent);
    turn.ended = boundOrNull(turn.ended);
  }
  if (state.hold !== null) state.hold.at = bound(state.hold.at);
  if (state.seen !== null) state.seen.at = bound(state.seen.at);
  state.pace.since = bound(state.pace.since);
}
