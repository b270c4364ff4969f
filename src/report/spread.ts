/** The differences of each type: how far they lie apart. */

import { bin, max } from 'd3-array';
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Standing } from '../outcomes/standing.ts';
import { quantile, sortedOf } from '../statistics/quantile.ts';
import { isFew, label, type Markup, note, section, shareOf, signed } from './markup.ts';
import { bar, countAxis, HEIGHT, multiples, rule, signedAxis, words } from './plot.ts';

/** More panels than that are no longer compared with one another. */
const MOST_PANELS = 8;

/** Types with their differences to BTC after 24 h: a median of fewer than six is drawn for nobody. */
function drawnTypes(differences: readonly Difference[], standings: readonly Standing[]) {
  const byType = groupBy(differences, ({ card }) => card.type);
  return standings
    .map(({ group, word }) => ({ type: group, verdict: word, own: byType.get(group) ?? [] }))
    .filter(({ own }) => own.length >= 6)
    .slice(0, MOST_PANELS);
}

export function spreadSection(
  differences: readonly Difference[],
  standings: readonly Standing[],
): Markup | undefined {
  const all = sortedOf(differences.map(({ value }) => value));
  // A few extreme values would flatten the picture: they are said in words.
  const x = signedAxis([quantile(all, 0.02), quantile(all, 0.98)]);
  const beyond = all.filter((value) => value < x.low || value > x.high).length;
  const binned = bin().domain([x.low, x.high]).thresholds(20);
  const drawn = drawnTypes(differences, standings).map((one) => {
    const sorted = sortedOf(one.own.map(({ value }) => value));
    // Shares of each type's outcomes: types of many and of few cards have one scale.
    const bins = binned(sorted).map(({ x0: low = 0, x1: high = 0, length: size }) => {
      return { low, high, size, share: (100 * size) / sorted.length };
    });
    return { ...one, sorted, bins: bins.filter(({ size }) => size > 0) };
  });
  const [best] = drawn;
  if (best === undefined) return undefined;
  const most = max(drawn, ({ bins }) => max(bins, ({ share }) => share)) ?? 1;
  const y = countAxis(most, (value) => `${value}\u00a0%`);
  const panels = drawn.map(({ type, verdict, sorted, bins }) => {
    const [low, median, high] = [
      quantile(sorted, 0.25),
      quantile(sorted, 0.5),
      quantile(sorted, 0.75),
    ];
    const bars = bins.map((one) => {
      const title = `${signed(one.low)} to ${signed(one.high)} pp: ${pluralize(one.size, 'outcome')}`;
      return bar(x.at(one.low), x.at(one.high), y.at(one.share), HEIGHT, 'bar own', title);
    });
    const at = x.at(median);
    const middle = [rule(at, 0, at, HEIGHT, 'median'), words(at, -4, `median ${signed(median)}`)];
    return {
      type,
      verdict,
      says: `${sorted.length} bought, the middle half: ${signed(low)} to ${signed(high)}`,
      label: `${pluralize(sorted.length, 'difference')} to BTC after 24 h`,
      x,
      y,
      marks: [bars, verdict !== 'too_few_days' && middle],
    };
  });
  const behind = best.sorted.filter((value) => value < 0).length;
  return section(
    'spread',
    best.verdict === 'above' && !isFew(best.own.length)
      ? `${shareOf(behind, best.sorted.length)} bought ${label(best.type)} cards fell behind BTC`
      : 'How much single cards differ',
    "Each card's difference to BTC after 24 h, in percentage points; the height is the share of the type's bought outcomes.",
    multiples(panels),
    note(beyond > 0 && `Outside the picture: ${pluralize(beyond, 'outcome')}.`),
  );
}
