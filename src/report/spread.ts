/** How far the outcomes of each type's cards lie apart. */
import { bin, max } from 'd3-array';
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Standing } from '../outcomes/standing.ts';
import { quantile, sortedOf } from '../statistics/quantile.ts';
import { isSide, type Verdict } from '../statistics/rule.ts';
import {
  html,
  isFew,
  label,
  type Markup,
  note,
  section,
  shareText,
  signedFigure,
} from './markup.ts';
import {
  bar,
  countAxis,
  HEIGHT,
  legend,
  legendItem,
  line,
  multiples,
  type NumberAxis,
  type Panel,
  signedAxis,
  swatch,
  textAt,
  uprightItem,
} from './plot.ts';
import { colourVerdictVsBtc } from './verdict-vs-btc.ts';

/** At most two rows of three pictures: more could not be compared at a glance. */
const MOST_PANELS = 6;

/** A type with fewer outcomes has no picture: they would show no spread. */
const LEAST_OUTCOMES = 6;

/** About how many bars a panel has. */
const BARS = 20;

/** A type's differences to BTC after 24 h, percentage points. */
interface TypeSpread {
  readonly type: string;
  /** The verdict on the comparison that decides. */
  readonly verdict: Verdict | null;
  /** The verdict against BTC. The picture shows differences to BTC, so it has the colour of this verdict. */
  readonly verdictVsBtc: Verdict | null;
  /** The smallest first. */
  readonly values: Readonly<Float64Array>;
  readonly bars: readonly Bar[];
}

/** The outcomes whose difference lies between `low` and `high`, percentage points. */
interface Bar {
  readonly low: number;
  readonly high: number;
  readonly outcomes: number;
  /** Percent of the type's outcomes, so that all panels share one scale, whatever their number of cards. */
  readonly share: number;
}

const LEGEND = [
  legendItem("share of the type's bought outcomes", swatch('bar own')),
  legendItem('median', uprightItem('median')),
];

/** This note is shown if the first picture has the service's medians: the medians in these pictures may differ from them. */
const OF_BOUGHT =
  "These medians are of the outcomes you bought; those in the first picture are the service's, of all outcomes.";

export function spreadSection(
  differences: readonly Difference[],
  standings: readonly Standing[],
): Markup | undefined {
  const all = sortedOf(differences.map(({ value }) => value));
  // The most extreme 2 % at each end would flatten the picture. They are left out of it, and a note counts them.
  const x = signedAxis([quantile(all, 0.02), quantile(all, 0.98)]);
  const { drawn, surplus, few } = typesToDraw(differences, standings);
  const spreads = spreadsOf(drawn, x);
  const values = spreads.flatMap((spread) => [...spread.values]);
  const outside = values.filter((value) => value < x.low || value > x.high).length;
  // Standings are ranked, so the first type is the best.
  const [best] = spreads;
  if (best === undefined) return undefined;
  const highest = max(spreads, ({ bars }) => max(bars, ({ share }) => share)) ?? 1;
  const y = countAxis(highest, (value) => `${value}\u00a0%`);
  const panels = spreads.map((spread) => panelOf(spread, x, y));
  return section(
    'spread',
    'How much single cards differ',
    introduction(best),
    html`<div class="frame">${legend(LEGEND)}${multiples(panels)}</div>`,
    note(
      outside > 0 && `Outside the picture: ${pluralize(outside, 'outcome')}.`,
      surplus > 0 && `${pluralize(surplus, 'more type')} ${areOf(surplus)} not shown.`,
      few > 0 &&
        `${pluralize(few, 'type')} with fewer than ${LEAST_OUTCOMES} bought outcomes ${areOf(few)} not shown.`,
      standings.some(({ base }) => base.source === 'service') && OF_BOUGHT,
    ),
  );
}

function areOf(count: number): 'is' | 'are' {
  return count === 1 ? 'is' : 'are';
}

/** A type, and its outcomes. */
interface TypeToDraw {
  readonly standing: Standing;
  readonly differences: readonly Difference[];
}

/** Which types have a picture of their own (a panel), and how many have none. */
interface TypesToDraw {
  readonly drawn: readonly TypeToDraw[];
  /** How many types have no panel because there are too many. */
  readonly surplus: number;
  /** How many types have no panel because they have too few outcomes. */
  readonly few: number;
}

/**
 * If there are too many types, those above or below get a panel before the others. The panels keep the order of `standings`.
 */
function typesToDraw(
  differences: readonly Difference[],
  standings: readonly Standing[],
): TypesToDraw {
  const differencesOfTypes = groupBy(differences, ({ card }) => card.type);
  const types = standings.map((standing) => ({
    standing,
    differences: differencesOfTypes.get(standing.group) ?? [],
  }));
  const withEnough = types.filter((type) => type.differences.length >= LEAST_OUTCOMES);
  const withSideFirst = [
    ...withEnough.filter(({ standing }) => isSide(standing.verdict)),
    ...withEnough.filter(({ standing }) => !isSide(standing.verdict)),
  ];
  // Types are chosen by their verdict, and drawn in the order of `standings`.
  const withPanel = new Set(withSideFirst.slice(0, MOST_PANELS));
  return {
    drawn: withEnough.filter((type) => withPanel.has(type)),
    surplus: withEnough.length - withPanel.size,
    few: types.length - withEnough.length,
  };
}

function spreadsOf(types: readonly TypeToDraw[], x: NumberAxis): TypeSpread[] {
  const intoBins = bin().domain([x.low, x.high]).thresholds(BARS);
  const spreads: TypeSpread[] = [];
  for (const { standing, differences: differencesOfType } of types) {
    const { group: type, verdict } = standing;
    const values = sortedOf(differencesOfType.map(({ value }) => value));
    // A bin of d3 is an array of the values in it, with its bounds `x0` and `x1`.
    const bars = intoBins(values).map(({ x0: low = 0, x1: high = 0, length: outcomes }) => {
      return { low, high, outcomes, share: (100 * outcomes) / values.length };
    });
    spreads.push({
      type,
      verdict,
      verdictVsBtc: colourVerdictVsBtc(standing),
      values,
      bars: bars.filter(({ outcomes }) => outcomes > 0),
    });
  }
  return spreads;
}

/** `… Single cards differ far more than types do: even of pump, 38 % of the cards fell behind BTC.` */
function introduction({ type, verdict, values }: TypeSpread): string {
  const whatIsDrawn =
    "Each card's difference to BTC after 24 h, in pp. Single cards differ far more than types do";
  // Only of a type that is above does it surprise that cards fell behind BTC.
  if (verdict !== 'above' || isFew(values.length)) return `${whatIsDrawn}.`;
  const behind = values.filter((value) => value < 0).length;
  const share = shareText(behind / values.length);
  return `${whatIsDrawn}: even of ${label(type)}, ${share} of the cards fell behind BTC.`;
}

function panelOf(
  { type, verdict, verdictVsBtc, values, bars }: TypeSpread,
  x: NumberAxis,
  y: NumberAxis,
): Panel {
  const low = quantile(values, 0.25);
  const median = quantile(values, 0.5);
  const high = quantile(values, 0.75);
  const place = x.at(median);
  const medianMark = [
    line(place, 0, place, HEIGHT, 'median'),
    textAt(place, -4, `median ${signedFigure(median)}`),
  ];
  return {
    title: label(type),
    verdict: verdictVsBtc,
    says: `${values.length} bought, the middle half: ${signedFigure(low)} to ${signedFigure(high)} pp`,
    label: `${pluralize(values.length, 'difference')} to BTC after 24 h`,
    x,
    y,
    marks: [
      bars.map((barOfType) => barMarkup(barOfType, x, y)),
      // As in the first picture, a median of too few days is not drawn.
      verdict !== 'too_few_days' && medianMark,
    ],
  };
}

function barMarkup({ low, high, outcomes, share }: Bar, x: NumberAxis, y: NumberAxis): Markup {
  const title = `${signedFigure(low)} to ${signedFigure(high)} pp: ${pluralize(outcomes, 'outcome')}`;
  return bar(x.at(low), x.at(high), y.at(share), HEIGHT, 'bar own', title);
}
