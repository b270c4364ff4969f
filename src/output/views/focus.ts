/** The type whose outcomes exports should buy first: `today` and `tune` have the same fields. */
import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import { formatApiTime } from '../../api/time.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import type { Focus } from '../../outcomes/focus.ts';
import { nullableObjectOf } from '../described-fields.ts';

export const focusSchema = nullableObjectOf(
  'the type whose outcomes exports should buy first (--focus), whatever types are shown; null if there is none, and for a question of your own',
  {
    screener_type: described(v.string(), 'screener type'),
    bought: described(
      count,
      'its bought outcomes that have a figure; if why is tune, only those that a test of its numbers can use',
    ),
    needed: described(
      v.nullable(count),
      'if why is tune, about how many of these a test needs; null if it lacks only days, or if why is vs_btc',
    ),
    by: described(
      v.nullable(time),
      'with --focus: when exports have these outcomes, UTC; null if not known, or if why is vs_btc',
    ),
    under_way: described(
      v.boolean(),
      'whether exports buy it first already (the last runs had it in --focus): nothing is to be done',
    ),
    why: described(
      v.picklist(['vs_btc', 'tune']),
      'vs_btc: it is below your other cards, and may be below BTC, too; tune: to test its numbers',
    ),
  },
);

type FocusData = NonNullable<ReadonlyDeep<v.InferOutput<typeof focusSchema>>>;

export function focusData(focus: Focus | undefined): FocusData | null {
  if (focus === undefined) return null;
  const { type: screener_type, isUnderWay: under_way, why } = focus;
  if (why === 'vs_btc')
    return {
      screener_type,
      bought: focus.measured,
      needed: null,
      by: null,
      under_way,
      why,
    };
  const { outcomes: bought, needed, by } = focus;
  return { screener_type, bought, needed: needed ?? null, by: formatApiTime(by), under_way, why };
}
