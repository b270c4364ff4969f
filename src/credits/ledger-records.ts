/**
 * The records of a ledger, one JSON object a line.
 *
 * Checked by hand: every command reads hundreds of records in code that has just been loaded, where valibot takes 12 ms
 * for 600 of them and this takes 1 (Node 20).
 */
import * as v from 'valibot';
import { AccessCheck, type Permit, Usage } from './usage.ts';

/** A request asks to be sent: written before anything leaves. The order of these records is the order of turns. */
export interface PermitRecord extends Omit<Permit, 'sent' | 'ended' | 'status'> {
  readonly is: 'permit';
}

export interface StepRecord {
  /**
   * `sent`: the request is about to leave; without this record it never left. `cancel`: the permit is given up, or the
   * request turned out never to have left: no credit was spent. `died`: some process found the permit's process dead.
   */
  readonly is: 'sent' | 'cancel' | 'died';
  readonly at: number;
  readonly nonce: string;
}

/** What became of a request. */
export interface AnswerRecord {
  readonly is: 'answer';
  readonly at: number;
  readonly nonce: string;
  /** HTTP status, or null where the answer was lost. */
  readonly status: number | null;
  /** Seconds for which nobody may send, after a 429 or 503. */
  readonly cooldown?: number;
  /** Seconds between requests from now on, after a 429 that pacing did not foresee. */
  readonly spacing?: number;
}

/** What `/access` said. `from`: when that request left. */
export interface AccessRecord extends AccessCheck {
  readonly is: 'access';
  readonly from: number;
}

/** The clock was set back: whatever stands above happened no later than `at`. */
interface ClockRecord {
  readonly is: 'clock';
  readonly at: number;
}

/** The first record of a day's file: all that matters of the days before, for whoever reads no further back. */
interface DayRecord {
  readonly is: 'day';
  readonly at: number;
  readonly usage: Usage;
}

/** Every record's `at` is when it was written, epoch milliseconds UTC. */
export type LedgerRecord = PermitRecord | StepRecord | AnswerRecord | AccessRecord | ClockRecord | DayRecord;

/** Reads a line; undefined for anything that is no record, be it torn, rubbish or of another version. */
export function parseRecord(line: string): LedgerRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

type Unchecked = { readonly [field in string]?: unknown };

function isRecord(value: unknown): value is LedgerRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Unchecked;
  if (!isAmount(record.at)) return false;
  switch (record.is) {
    case 'permit':
      return isPermit(record);
    case 'sent':
    case 'cancel':
    case 'died':
      return isNonce(record.nonce);
    case 'answer':
      return isAnswer(record);
    case 'access':
      return isAmount(record.from) && v.is(AccessCheck, record);
    case 'day':
      return v.is(Usage, record.usage);
    default:
      return record.is === 'clock';
  }
}

function isPermit({ nonce, pid, place, operation, cost, timeout, keep, recheck }: Unchecked): boolean {
  const isPath = typeof operation === 'string' && operation.startsWith('/');
  return (
    isNonce(nonce) &&
    typeof place === 'string' &&
    isPath &&
    [pid, cost, timeout, keep ?? 0].every(isCount) &&
    (recheck === undefined || recheck === true)
  );
}

function isAnswer({ nonce, status, cooldown = 0, spacing = 0 }: Unchecked): boolean {
  return isNonce(nonce) && (status === null || isCount(status)) && isAmount(cooldown) && isAmount(spacing);
}

function isNonce(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 80;
}

/** Up to what a Date can hold; JSON's 1e999 is none. */
function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}

function isCount(value: unknown): boolean {
  return isAmount(value) && Number.isSafeInteger(value);
}
