import { ascending, descending, groups, median } from 'd3-array';
import { ranked } from '../outcomes/rank.ts';
import type { Row } from '../outcomes/row.ts';
import type { Comparison, GroupFigures, HorizonName } from '../outcomes/types.ts';
import { VERDICT_WORDS } from '../output/views/verdict.ts';
import { DAY } from '../runtime/units.ts';
import { againstBtcSection } from './against-btc.ts';
import { type ClockGroup, clockSection } from './clock.ts';
import { dailyMediansSection } from './daily-medians.ts';
import { distributionSection } from './distribution.ts';
import { type ForestRow, forest } from './forest.ts';
import { type LargeMove, largestMovesSection } from './largest-moves.ts';
import { html, label, type Markup } from './markup.ts';
import { methods } from './methods.ts';
import { page } from './page.ts';
import { type DayCount, perDaySection } from './per-day.ts';
import { count, signed } from './scales.ts';
import { section } from './section.ts';
import { LEAST, type SymbolRow, symbolTypeSection } from './symbol-type.ts';

export interface ReportInput {
  /** In any order. */
  readonly cards: readonly Row[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly warnings: readonly string[];
  /** As `stats --by` compares them. */
  readonly byType: Comparison;
  readonly bySymbol: Comparison;
  readonly byHour: Comparison;
  readonly byWeekday: Comparison;
  /** Who made it, and when. */
  readonly footer: string;
}

/** More lines than that are no picture any more. */
const MOST_SYMBOLS = 20;
const MOST_TYPES = 20;
const MOST_LISTED = 300;
const LARGEST = 8;
/** Types with a colour of their own; later ones share the last. */
const COLOURS = 6;
const LONG = '24 h';

/** The whole page: a pure function, so that the same history at the same time gives the same bytes. */
export function reportPage(input: ReportInput): string {
  const cards = [...input.cards].sort((a, b) => a.at - b.at || a.id - b.id);
  const title = 'Outcomes of your screeners';
  const lead = 'Price movements after a trigger, measured by the service. They are not trading profit.';
  const { facts, warnings } = input;
  const footer = html`<p>${input.footer}</p>`;
  const first = cards[0];
  const last = cards.at(-1);
  if (first === undefined || last === undefined) {
    const empty = section({
      id: 'cards',
      title: 'No cards',
      says: 'There are no cards in this window, so there is nothing to draw.',
    });
    return page({ title, lead, facts, warnings, sections: [empty, methods()], footer });
  }
  const window = [dayOf(first.at), dayOf(last.at)] as const;
  const types = typesOf(cards);
  const colourOf = (type: string) => Math.min(COLOURS, types.indexOf(type));
  return page({
    title,
    lead,
    facts,
    warnings,
    footer,
    sections: [
      compareSection(input, colourOf),
      perDaySection(daysOf(cards, window)),
      distributionSection([
        { horizon: '1 h', moves: cards.flatMap((card) => moveOf(card, '1h')?.move ?? []) },
        { horizon: LONG, moves: cards.flatMap((card) => moveOf(card, '24h')?.move ?? []) },
      ]),
      dailyMediansSection(
        cards.flatMap((card) => {
          const measured = moveOf(card, '24h');
          return measured === undefined ? [] : [{ at: card.at, move: measured.move }];
        }),
        LONG,
        ...window,
      ),
      againstBtcSection(
        cards.flatMap((card) => {
          const { move, btc = null } = moveOf(card, '24h') ?? {};
          if (move === undefined || btc === null) return [];
          return [{ id: card.id, symbol: label(card.symbol), colour: colourOf(card.type), move, btc }];
        }),
        LONG,
        typeLegend(types),
      ),
      symbolTypeSection(types.slice(0, COLOURS).map(label), symbolRows(cards, types.slice(0, COLOURS)), LONG),
      clockSection(
        input.byHour.groups.map(asClock),
        input.byWeekday.groups.map(asClock),
        LONG,
        [...input.byHour.groups, ...input.byWeekday.groups].filter((group) => differs(group, '24h')).length,
      ),
      largestMovesSection(...largest(cards), LONG),
      methods(),
    ],
  });
}

function compareSection({ byType, bySymbol }: ReportInput, colourOf: (type: string) => number): Markup {
  const types = ranked(byType.groups, '24h').slice(0, MOST_TYPES);
  const symbols = [...bySymbol.groups].sort((a, b) => samplesOf(b) - samplesOf(a));
  const drawn = ranked(symbols.slice(0, MOST_SYMBOLS), '24h');
  const found = byType.groups.filter((group) => differs(group, '24h'));
  const known = byType.groups.filter((group) => group.horizons['24h'].median_vs_btc_interval_95 !== null).length;
  const hidden = symbols.length - drawn.length;
  const rowsOf = (groups: readonly GroupFigures[], horizon: HorizonName, colour: (name: string) => number) =>
    groups.map((group) => forestRow(group, horizon, colour(group.group ?? '')));
  return section({
    id: 'compare',
    title: 'Which screener types and symbols differ from BTC',
    says:
      known === 0
        ? 'No type has outcomes on enough days yet: it takes six to say anything, and twelve to say it firmly.'
        : found.length === 0
          ? `After ${LONG} no type differs from BTC by more than chance explains.`
          : `After ${LONG} ${found.length === 1 ? 'one type differs' : `${found.length} types differ`} from BTC by more than chance explains: ${found.map((group) => `${label(group.group ?? '')}, ${verdictOf(group, '24h')}`).join('; ')}.`,
    picture: forest("Median difference to BTC's move over the same time, in percentage points, on one axis.", [
      { title: `By type, after ${LONG}`, rows: rowsOf(types, '24h', colourOf) },
      { title: 'By type, after 1 h', rows: rowsOf(types, '1h', colourOf) },
      { title: `By symbol, after ${LONG}`, rows: rowsOf(drawn, '24h', () => COLOURS) },
    ]),
    note: `Worth: how many independent outcomes the sample is worth, because outcomes of one day share one market. A dotted interval leans on few days. A line's interval is of that line alone; its verdict allows for all ${count(byType.comparisons)} comparisons of types, or all ${count(bySymbol.comparisons)} of symbols.${hidden > 0 ? ` ${hidden === 1 ? 'One symbol' : `${count(hidden)} symbols`} with fewer outcomes ${hidden === 1 ? 'is' : 'are'} not drawn.` : ''}`,
    numbers: {
      head: ['Group', 'Sample', 'Worth', 'Median difference, pp', '95 % from', 'to', 'Verdict'],
      rows: [
        ...types.map((group) => numbersRow(group, '24h')),
        ...types.map((group) => numbersRow(group, '1h')),
        ...symbols.slice(0, MOST_LISTED).map((group) => numbersRow(group, '24h')),
      ],
    },
  });
}

function verdictOf(group: GroupFigures, horizon: HorizonName): string {
  const { verdict } = group.horizons[horizon];
  return verdict === null ? 'none measured' : VERDICT_WORDS[verdict];
}

function differs(group: GroupFigures, horizon: HorizonName): boolean {
  const { verdict } = group.horizons[horizon];
  return verdict === 'above_btc' || verdict === 'below_btc';
}

function samplesOf({ horizons }: GroupFigures): number {
  return horizons['24h'].btc_sample;
}

function forestRow(group: GroupFigures, horizon: HorizonName, colour: number): ForestRow {
  const figures = group.horizons[horizon];
  return {
    name: label(group.group ?? ''),
    colour,
    sample: figures.btc_sample,
    effectiveSample: figures.btc_effective_sample,
    estimate: figures.median_vs_btc_percentage_points,
    interval: figures.median_vs_btc_interval_95,
    weak: figures.weak,
    verdict: verdictOf(group, horizon),
  };
}

function numbersRow(group: GroupFigures, horizon: HorizonName): string[] {
  const { name, sample, effectiveSample, estimate, interval, verdict } = forestRow(group, horizon, 0);
  return [
    `${name}, ${horizon === '24h' ? LONG : '1 h'}`,
    count(sample),
    effectiveSample === null ? '' : count(Math.round(effectiveSample)),
    estimate === null ? '' : signed(estimate),
    interval === null ? '' : signed(interval.low),
    interval === null ? '' : signed(interval.high),
    verdict,
  ];
}

function asClock(group: GroupFigures): ClockGroup {
  const { name, sample, estimate, interval } = forestRow(group, '24h', 0);
  return { name, sample, estimate, interval };
}

/** Those with the most cards first, so that colours go to the types one sees most. */
function typesOf(cards: readonly Row[]): string[] {
  return groups(cards, ({ type }) => type)
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || ascending(a, b))
    .map(([type]) => type);
}

function typeLegend(types: readonly string[]): Markup {
  const own = types.slice(0, COLOURS).map(label);
  const names = types.length > COLOURS ? [...own, 'other types'] : own;
  return html`<ul class="legend">${names.map((name, index) => html`<li><svg aria-hidden="true" width="12" height="12"><circle class="k${index}" cx="6" cy="6" r="5"/></svg>${name}</li>`)}</ul>
`;
}

function dayOf(at: number): number {
  return Math.floor(at / DAY) * DAY;
}

/** Every day of the window, empty ones included. */
function daysOf(cards: readonly Row[], [first, last]: readonly [number, number]): DayCount[] {
  const days = Array.from({ length: Math.round((last - first) / DAY) + 1 }, (_, index) => ({
    at: first + index * DAY,
    cards: 0,
    bought: 0,
  }));
  for (const { at, isBought } of cards) {
    const day = days[Math.floor((at - first) / DAY)];
    if (day === undefined) continue;
    day.cards += 1;
    if (isBought) day.bought += 1;
  }
  return days;
}

function symbolRows(cards: readonly Row[], types: readonly string[]): SymbolRow[] {
  const measured = cards.flatMap((card) => {
    const { move } = moveOf(card, '24h') ?? {};
    return move === undefined ? [] : [{ symbol: card.symbol, type: card.type, move }];
  });
  return groups(measured, ({ symbol }) => symbol)
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || ascending(a, b))
    .map(([symbol, ofSymbol]) => ({
      symbol: label(symbol),
      sample: ofSymbol.length,
      cells: types.map((type) => {
        const moves = ofSymbol.filter((card) => card.type === type).map(({ move }) => move);
        return moves.length < LEAST ? undefined : { median: median(moves) ?? 0, sample: moves.length };
      }),
    }));
}

function largest(cards: readonly Row[]): [LargeMove[], LargeMove[]] {
  const moves = cards.flatMap((card) => {
    const measured = moveOf(card, '24h');
    if (measured === undefined) return [];
    return [{ id: card.id, symbol: label(card.symbol), type: label(card.type), at: card.at, ...measured }];
  });
  const byMove = moves.sort((a, b) => descending(a.move, b.move) || a.id - b.id);
  const up = byMove.slice(0, LARGEST);
  const down = byMove.slice(-LARGEST).reverse();
  // In a small history the two would tell the same moves twice.
  return moves.length <= LARGEST ? [up, []] : [up, down];
}

/** What was measured, percent; undefined where it was not. BTC's move may be missing alone. */
function moveOf({ measured }: Row, horizon: HorizonName): { move: number; btc: number | null } | undefined {
  const { state, move, btc } = measured?.[horizon] ?? { move: null, btc: null };
  return state === 'available' && move !== null ? { move, btc } : undefined;
}
