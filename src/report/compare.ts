import type { Comparison, GroupFigures } from '../outcomes/figure-table.ts';
import { ranked } from '../outcomes/rank.ts';
import type { HorizonName } from '../outcomes/types.ts';
import {
  differs,
  ESTIMATE_HEAD,
  type EstimateAxis,
  estimateAxis,
  estimateCells,
  estimateText,
  verdictText,
} from './estimate.ts';
import { count, counted } from './format.ts';
import { breakable, html, label, type Markup } from './markup.ts';
import { COLOURS, colourOf } from './palette.ts';
import { dot, rule, ticksAcross } from './plot.ts';
import { note, section } from './section.ts';

/** More lines than that are no picture any more. */
const MOST_DRAWN = 20;

interface Part {
  readonly title: string;
  readonly horizon: HorizonName;
  readonly groups: readonly GroupFigures[];
  readonly colour: (name: string) => number;
}

/** A forest plot by type and by symbol. @param types as `typesOf` gives them */
export function compareSection(byType: Comparison, bySymbol: Comparison, types: readonly string[]): Markup {
  const ofType = ranked(byType.groups, '24h').slice(0, MOST_DRAWN);
  const bySample = [...bySymbol.groups].sort((a, b) => sampleOf(b) - sampleOf(a));
  const ofSymbol = ranked(bySample.slice(0, MOST_DRAWN), '24h');
  const hidden = bySample.length - ofSymbol.length;
  const colour = (type: string) => colourOf(types, type);
  return section({
    id: 'compare',
    title: 'Which screener types and symbols differ from BTC',
    says: saysOf(byType),
    picture: [
      forest([
        { title: 'By type, after 24 h', horizon: '24h', groups: ofType, colour },
        { title: 'By type, after 1 h', horizon: '1h', groups: ofType, colour },
        { title: 'By symbol, after 24 h', horizon: '24h', groups: ofSymbol, colour: () => COLOURS },
      ]),
      note(
        'Worth: how many independent outcomes the sample is worth, because outcomes of one day share one market.',
        'A dotted interval leans on few days.',
        `A line's interval is of that line alone; its verdict allows for all comparisons: ${count(byType.comparisons)} of types, ${count(bySymbol.comparisons)} of symbols.`,
        hidden === 0
          ? ''
          : `${counted(hidden, 'symbol')} with fewer outcomes ${hidden === 1 ? 'is' : 'are'} not drawn.`,
      ),
    ],
    numbers: {
      head: ['Group', 'Sample', 'Worth', ...ESTIMATE_HEAD, 'Verdict'],
      rows: [
        ...ofType.map((group) => numbersRow(group, '24h')),
        ...ofType.map((group) => numbersRow(group, '1h')),
        ...bySample.map((group) => numbersRow(group, '24h')),
      ],
    },
  });
}

function saysOf({ groups }: Comparison): string {
  if (groups.every(({ horizons }) => horizons['24h'].median_vs_btc_interval_95 === null))
    return 'No type has outcomes on enough days yet: it takes six to say anything, and twelve to say it firmly.';
  const found = groups.filter(({ horizons }) => differs(horizons['24h']));
  if (found.length === 0) return 'After 24 h no type differs from BTC by more than chance explains.';
  const names = found.map((group) => `${nameOf(group)}, ${verdictText(group.horizons['24h'])}`);
  return `After 24 h ${found.length === 1 ? 'one type differs' : `${found.length} types differ`} from BTC by more than chance explains: ${names.join('; ')}.`;
}

const nameOf = ({ group }: GroupFigures): string => label(group ?? '');
const sampleOf = ({ horizons }: GroupFigures): number => horizons['24h'].btc_sample;
const worthOf = (worth: number | null): string => (worth === null ? '' : count(Math.round(worth)));

function numbersRow(group: GroupFigures, horizon: HorizonName): string[] {
  const figures = group.horizons[horizon];
  return [
    `${nameOf(group)}, ${horizon === '24h' ? '24 h' : '1 h'}`,
    count(figures.btc_sample),
    worthOf(figures.btc_effective_sample),
    ...estimateCells(figures),
    verdictText(figures),
  ];
}

/** A table: names, intervals on one axis with zero, how much stands behind each, and the verdict. */
function forest(parts: readonly Part[]): Markup {
  const shown = parts.flatMap(({ groups, horizon }) => groups.map(({ horizons }) => horizons[horizon]));
  const shared = estimateAxis('percentage points', shown, { ticks: 3 });
  return html`<table class="forest"><caption class="note">Median difference to BTC's move over the same time, on one axis.</caption><thead><tr><th class="name" scope="col"></th><th class="draw" scope="col">Median and 95 % interval</th><th class="num" scope="col">Sample</th><th class="num" scope="col">Worth</th><th class="verdict" scope="col">Verdict</th></tr></thead>
<tfoot><tr><td class="name"></td><td class="draw"><svg aria-hidden="true" width="100%" height="24">${ticksAcross(shared.axis, 0)}</svg><div class="x-title">${shared.axis.title}</div></td></tr></tfoot>
${parts.map(
  ({ title, horizon, groups, colour }) =>
    html`<tbody><tr class="part"><th colspan="2" scope="rowgroup">${title}</th></tr>
${groups.map((group) => forestRow(group, horizon, colour(group.group ?? ''), shared))}</tbody>
`,
)}</table>
`;
}

const ROW_HEIGHT = 26;
const MIDDLE = ROW_HEIGHT / 2;

function forestRow(group: GroupFigures, horizon: HorizonName, colour: number, { axis, edge }: EstimateAxis): Markup {
  const figures = group.horizons[horizon];
  const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval, weak } = figures;
  const words = estimateText(nameOf(group), figures);
  const look = `iv s${colour}${weak ? ' weak' : ''}`;
  return html`<tr><th class="name" scope="row">${breakable(nameOf(group))}</th><td class="draw"><svg role="img" aria-label="${words}" width="100%" height="${ROW_HEIGHT}">${rule(axis.at(0), 0, axis.at(0), ROW_HEIGHT, 'zero')}${
    interval !== null && rule(edge(interval.low), MIDDLE, edge(interval.high), MIDDLE, look)
  }${estimate !== null && dot(axis.at(estimate), MIDDLE, 5, `k${colour}`, words)}</svg></td><td class="num">${count(figures.btc_sample)}</td><td class="num">${worthOf(figures.btc_effective_sample)}</td><td class="verdict${differs(figures) && ' differs'}">${verdictText(figures)}</td></tr>
`;
}
