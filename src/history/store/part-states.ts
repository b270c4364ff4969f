/** The parts of an export as `export.json` has them. Each part has a result of its own: if one fails, the others run. */
import * as v from 'valibot';
import { count, time } from '../../api/contract/primitives.ts';
import { at, formatApiTime } from '../../api/time.ts';
import type { ScreenerError } from '../../errors.ts';

/** The parts in the order of a run. If several parts fail, the first one's exit code is the exit code of the run. */
export const PART_NAMES = ['list', 'details', 'settings', 'medians'] as const;

export type PartName = (typeof PART_NAMES)[number];

const PartFailure = v.object({
  /** When the part first failed since it last succeeded. */
  since: time,
  /** When it last failed. */
  at: time,
  /** How often it failed since it last succeeded. */
  times: count,
  /** The status of the last answer; null if no answer came, or if the answer does not match the document. */
  status: v.nullable(count),
  /** The code of the error, as commands print it. */
  code: v.string(),
  /** The message of the error, as commands print it. */
  message: v.string(),
});

const PartState = v.object({
  /** Whether the history has all that the service had for this part. */
  complete: v.optional(v.boolean(), false),
  /** What has failed since the part last succeeded; null if nothing has. */
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

/**
 * The failures of a part since it last succeeded, with one more.
 * @param lastFailure null if the part last succeeded
 * @param now epoch milliseconds UTC
 */
export function withFailure(
  lastFailure: PartFailure | null,
  { status, code, message }: Pick<ScreenerError, 'status' | 'code' | 'message'>,
  now: number,
): PartFailure {
  const since = Math.min(now, lastFailure === null ? now : at(lastFailure.since));
  return {
    since: formatApiTime(since),
    at: formatApiTime(now),
    times: (lastFailure?.times ?? 0) + 1,
    // An answer that does not match the document may have any status.
    status: code === 'bad_answer' ? null : (status ?? null),
    code,
    message,
  };
}
