import { MarketSnapshot } from '../../api/contract/resources.ts';
import { at } from '../../api/time.ts';
import { DAY } from '../../base/units.ts';
import { fieldsOf } from '../described-fields.ts';
import { timeWithAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';

export const snapshotView: View<MarketSnapshot> = {
  fields: fieldsOf(MarketSnapshot),
  page: (snapshot, render) => {
    const { styles } = render;
    const { scope, timeframe, sample, computed_at, stale, source_stale, sample_limited } = snapshot;
    /** `[███░░░] 12 of 40 (30.0%)` */
    const shareText = (count: number, tint: (text: string) => string) => {
      const share = sample > 0 ? count / sample : 0;
      return `${tint(render.bar(share))} ${count} of ${sample} (${(share * 100).toFixed(1)}%)`;
    };
    const doubts = [
      computed_at === null &&
        'Not computed (computed_at is null): the age of these figures is unknown.',
      stale && 'STALE: the service marks this answer as stale.',
      source_stale && 'STALE SOURCE: the service marks the source of these figures as stale.',
      sample_limited && 'The sample was limited: the counts do not cover everything.',
    ]
      .filter((doubt) => doubt !== false)
      .map((doubt) => render.paragraph(doubt, styles.warn));
    const freshness = isFresh(snapshot, render.now) ? ', fresh' : '';
    // Red for prices that fell, green for prices that rose.
    const figures = render.pairs([
      ['Oversold', shareText(snapshot.oversold_count, styles.bad)],
      ['Overbought', shareText(snapshot.overbought_count, styles.good)],
      ['Computed', timeWithAge(computed_at, render) + freshness],
    ]);
    const indicators = timeframe === 'day' ? 'daily indicators' : safeText(timeframe);
    const title = `How much of the market is oversold or overbought (${safeText(scope)}, ${indicators})`;
    return render.sections([{ title, body: [...doubts, figures] }]);
  },
};

/**
 * Whether the service calls neither the figures nor their source stale, and the times of the answer confirm it. Figures are
 * computed daily. With a day to spare for clocks that are wrong by hours, fresh figures are at most two days old, in an answer
 * that is at most one day old, and at most one day in the future.
 * @param now epoch milliseconds UTC
 */
function isFresh(snapshot: MarketSnapshot, now: number): boolean {
  const { computed_at, generated_at, stale, source_stale } = snapshot;
  if (stale || source_stale || computed_at === null) return false;
  const isFromFuture = at(computed_at) > now + DAY;
  const isOld = at(computed_at) < now - 2 * DAY || at(generated_at) < now - DAY;
  return !isFromFuture && !isOld;
}
