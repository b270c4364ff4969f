/** The type whose outcomes exports should buy first: `today` and `tune` have the same fields. */
import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { formatApiTime } from '../../api/time.ts';
import type { FocusProspect } from '../../outcomes/focus.ts';
import { nullableObjectOf } from '../described-fields.ts';

export const focusSchema = nullableObjectOf(
  'the type that --focus would bring soonest; null if there is none',
  {
    screener_type: described(v.string(), 'screener type'),
    bought: described(count, 'bought outcomes that a test of its numbers can use'),
    needed: described(count, 'about how many of these a test needs'),
    by: described(time, 'when exports with --focus have them, UTC'),
  },
);

/** The fields of `focusSchema`. */
export interface FocusData {
  readonly screener_type: string;
  readonly bought: number;
  readonly needed: number;
  readonly by: string;
}

export function focusData(focus: FocusProspect | undefined): FocusData | null {
  if (focus === undefined) return null;
  const { type, outcomes, needed, by } = focus;
  return { screener_type: type, bought: outcomes, needed, by: formatApiTime(by) };
}
