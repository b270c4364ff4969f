/** The parts of an export as `export.json` has them: each ends by itself, and one that fails lets the others run. */
import * as v from 'valibot';
import { count, time } from '../../api/contract/primitives.ts';
import { at, formatApiTime } from '../../api/time.ts';
import type { ScreenerError } from '../../errors.ts';

/** In the order of a run; of several that fail the first one's exit code counts. */
export const PART_NAMES = ['list', 'details', 'settings', 'medians'] as const;

export type PartName = (typeof PART_NAMES)[number];

const PartFailure = v.object({
  /** When it failed first and last, without a success in between. */
  since: time,
  at: time,
  /** How often. */
  times: count,
  /** Of HTTP; null if no answer came, or one that is not as documented. */
  status: v.nullable(count),
  /** As the error lines of commands have it. */
  code: v.string(),
  message: v.string(),
});

const PartState = v.object({
  /** Whether all of it is here that could be had. */
  complete: v.optional(v.boolean(), false),
  failure: v.optional(v.nullable(PartFailure), null),
});

export const PartStates = v.object({
  list: v.optional(PartState, {}),
  details: v.optional(PartState, {}),
  settings: v.optional(PartState, {}),
  medians: v.optional(PartState, {}),
} satisfies Readonly<Record<PartName, unknown>>);

export type PartFailure = v.InferOutput<typeof PartFailure>;
export type PartStates = v.InferOutput<typeof PartStates>;

/** @param before undefined if the part was well @param now epoch milliseconds UTC */
export function failedAgain(
  before: PartFailure | null,
  { status, code, message }: Pick<ScreenerError, 'status' | 'code' | 'message'>,
  now: number,
): PartFailure {
  const since = Math.min(now, before === null ? now : at(before.since));
  return {
    since: formatApiTime(since),
    at: formatApiTime(now),
    times: (before?.times ?? 0) + 1,
    // An answer that does not match the document may have any status.
    status: code === 'bad_answer' ? null : (status ?? null),
    code,
    message,
  };
}
