/** The tables of cards: of the service, with outcomes, and of a history. */
import {
  HORIZONS,
  type HorizonName,
  horizonOf,
  MAIN_HORIZON,
} from '../../api/contract/horizons.ts';
import {
  type Outcome,
  SignalCard,
  SignalDetail,
  SignalPage,
} from '../../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { isMeasured, type Measured, measuredAt } from '../../outcomes/history-card.ts';
import { UTC } from '../../runtime/zone.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE, percent, points, shortAge, timePartText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Field, RenderContext, Styles, View } from '../types.ts';
import { figureColumn, symbolText, textColumn } from './parts.ts';

export const cardFields = fieldsOf(SignalCard);

export const pageFields = fieldsOf(SignalPage).filter(({ name }) => name !== 'items');

export const detailFields = fieldsOf(SignalDetail);

/** The fields of a card of a history. The fields of a detail are optional: only a card whose outcome was bought has them. */
export const listedFields: readonly Field[] = [
  ...cardFields,
  ...detailFields
    .slice(cardFields.length)
    .map((field) => ({ ...field, optional: !field.name.includes('.') })),
];

/**
 * The columns of all lists of cards. The number of each is its priority: on a narrow terminal the highest numbers are left out
 * first.
 * @param leastWidth a terminal with fewer columns has no room for the name of a time zone
 */
function cardColumns<T extends SignalCard>(
  leastWidth: number,
  outcomes: readonly Column<T>[] = [],
): Column<T>[] {
  const isNarrow = ({ width }: RenderContext) => width !== undefined && width < leastWidth;
  return [
    figureColumn('ID', 0, ({ id }) => String(id), { field: 'id', usualWidth: 10 }),
    textColumn(
      (render) => {
        const isZoneNamed = !isNarrow(render) || render.zone === UTC;
        return isZoneNamed ? `TIME (${render.zone.name})` : 'TIME';
      },
      0,
      ({ created_at }, render) => timeText(created_at, render),
      { field: 'created_at' },
    ),
    figureColumn('AGE', 5, ({ created_at }, { now, styles }) =>
      styles.dim(shortAge(created_at, now)),
    ),
    textColumn(
      'SYMBOL',
      0,
      ({ source_symbol }, render) => render.styles.bold(symbolText(source_symbol, render)),
      {
        field: 'source_symbol',
        usualWidth: 12,
      },
    ),
    textColumn('TYPE', 0, ({ source_bot_type }) => safeText(source_bot_type), {
      field: 'source_bot_type',
      usualWidth: 15,
    }),
    textColumn('FIRED ON', 3, (card, render) => firedOn(card, render.styles), {
      usualWidth: 17,
      mark: { isOn: isRepeated, words: '* repeated since; the figure is of its latest update' },
    }),
    ...outcomes,
  ];
}

/** A time of this year is written without the year if the terminal has no room to spare. */
function timeText(iso: string, { width, now, zone }: RenderContext): string {
  const thisYear = timePartText(formatApiTime(now), zone, 'year');
  const isOfThisYear = timePartText(iso, zone, 'year') === thisYear;
  const isNarrow = width !== undefined && width < 120;
  const isYearLeftOut = isNarrow && isOfThisYear;
  return timePartText(iso, zone, isYearLeftOut ? 'without the year' : 'up to the minute');
}

export const cardView: View<SignalCard> = {
  fields: cardFields,
  columns: cardColumns(60),
  empty: 'No cards.',
};

/** The columns of a terminal on which the columns of all horizons have room. */
const WIDE = 74 + 18 * HORIZONS.length;

/**
 * The 1 h move that stands in brackets in the column of 24 h. It stands there while the 24 h move is pending, if the terminal
 * has no room for the column of 1 h. Otherwise null.
 */
function earlyMove({ outcome }: SignalDetail, { width = WIDE }: RenderContext): number | null {
  if (!outcome || width >= WIDE) return null;
  const isPending = measured(outcome, MAIN_HORIZON).state === 'pending';
  return isPending ? measured(outcome, '1h').move : null;
}

/** The columns of a horizon: the move, or why it is not known; and the move minus BTC's, percentage points. */
function outcomeColumns({ name }: (typeof HORIZONS)[number]): Column<SignalDetail>[] {
  const header = name.toUpperCase();
  const difference = ({ outcome }: SignalDetail, { styles }: RenderContext) => {
    const measure = measured(outcome ?? {}, name);
    const isBtcUnknown = measure.move !== null && measure.btc === null;
    return isBtcUnknown ? styles.dim('unknown') : points(measure.difference, styles);
  };
  const field = `outcome.move_${name}_pct`;
  if (name !== MAIN_HORIZON) {
    return [
      figureColumn(header, 4, (card, render) => moveText(card, name, render), { field }),
      figureColumn(`${header} VS BTC`, 4, difference),
    ];
  }
  const move = (card: SignalDetail, render: RenderContext) => {
    const early = earlyMove(card, render);
    return early === null ? moveText(card, name, render) : render.styles.dim(`(${percent(early)})`);
  };
  const mark = {
    isOn: (card: SignalDetail, render: RenderContext) => earlyMove(card, render) !== null,
    words: `in brackets: pending, the move after ${horizonOf('1h').words}`,
  };
  return [figureColumn(header, 1, move, { field, mark }), figureColumn('VS BTC', 2, difference)];
}

const outcomes = HORIZONS.toReversed().flatMap(outcomeColumns);

export const cardOutcomeView: View<SignalDetail> = {
  fields: detailFields,
  columns: cardColumns(96, outcomes),
  empty: 'No cards.',
};

/**
 * What a page says in place of its figures.
 * @param exporting the command line that exports into the history
 * @param until --until, in any form; with it, no new card is one of those that were asked for
 */
export function noCardsText(exporting: string, until: unknown): string {
  if (until != null) return 'This history has no such cards.';
  return `This history has no such cards yet: \`${exporting}\` lists new ones.`;
}

/** As `noCardsText`. */
export function historyCardView(exporting: string, until?: unknown): View<SignalDetail> {
  return { ...cardOutcomeView, empty: noCardsText(exporting, until) };
}

/** What screens show of a card after a horizon. */
interface ShownMeasure extends Measured {
  /** The card's move minus BTC's, percentage points; null unless both were measured. */
  readonly difference: number | null;
}

/** What was measured after a horizon. A move whose state is not `available` is left out, as figures leave it out. */
export function measured(outcome: Partial<Outcome>, horizon: HorizonName): ShownMeasure {
  const measure = measuredAt(outcome, horizon);
  if (!isMeasured(measure)) return { ...measure, move: null, difference: null };
  const { move, btc } = measure;
  return { ...measure, difference: btc === null ? null : move - btc };
}

/** When a horizon of a card is over, epoch milliseconds UTC. */
function horizonOver({ created_at }: Pick<SignalCard, 'created_at'>, horizon: HorizonName): number {
  return (parseApiTime(created_at) ?? 0) + horizonOf(horizon).millis;
}

/** `+1.20%`, or why the move is not known: `not due`, `not bought`, `no data`, `pending`, `missing`. */
export function moveText(
  card: SignalDetail,
  horizon: HorizonName,
  { styles, now }: RenderContext,
): string {
  const { outcome } = card;
  if (!outcome) {
    const isOver = horizonOver(card, horizon) <= now;
    if (!isOver) return styles.dim('not due');
    return styles.dim(outcome === null ? 'no data' : 'not bought');
  }
  const { state = NONE, move } = measured(outcome, horizon);
  return state === 'available' ? percent(move, styles) : styles.dim(safeText(state));
}

/**
 * By a word in a type's name: what a list calls its fact, the field of the fact, and its decimals. `interest` and `turnover`
 * are the API document's words for oi and volume.
 */
const FACTS = {
  price: ['price', 'fact_price_pct', 2],
  oi: ['oi', 'fact_oi_pct', 2],
  interest: ['oi', 'fact_oi_pct', 2],
  volume: ['vol', 'fact_volume_pct', 1],
  turnover: ['vol', 'fact_volume_pct', 1],
  funding: ['funding', 'fact_funding', 3],
} as const;

type CardFact = (typeof FACTS)[keyof typeof FACTS];

function isFactWord(word: string): word is keyof typeof FACTS {
  return Object.hasOwn(FACTS, word);
}

/**
 * What a card fired on: the first fact that its type names and the card has (`oi +3.99% 60m`), otherwise the largest of `changes`. A
 * `*` behind it says that the card was repeated: its facts are those of the latest update, not of the trigger.
 */
function firedOn(card: SignalCard, styles: Styles): string {
  const mark = isRepeated(card) ? '*' : '';
  const words: readonly string[] = card.source_bot_type.toLowerCase().match(/\p{L}+/gu) ?? [];
  const namedFacts = words.filter(isFactWord).map((word) => FACTS[word]);
  const fact = namedFacts.find(([, field]) => card[field] !== null);
  if (fact === undefined) return `${largestChange(card, styles)}${mark}`;
  return `${factText(card, fact, styles)}${mark}`;
}

function factText(card: SignalCard, [name, field, decimals]: CardFact, styles: Styles): string {
  const value = card[field] ?? 0;
  // Funding is a fraction, not percent, and has no window.
  if (field === 'fact_funding') return `${name} ${percent(value * 100, styles, decimals)}`;
  const window = card.fact_window_min === null ? '' : ` ${card.fact_window_min}m`;
  return `${name} ${percent(value, styles, decimals)}${window}`;
}

function largestChange({ changes }: SignalCard, styles: Styles): string {
  const [largest] = changes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return largest === undefined ? styles.dim(NONE) : safeText(largest);
}

function isRepeated({ repeat_count }: SignalCard): boolean {
  return repeat_count > 0;
}

/** The size of a change: 3.1 for `price -3.1%`, 0 for a change without a number. */
function sizeOf(change: string): number {
  const [digits = '0'] = /\d+(\.\d+)?/.exec(change) ?? [];
  return Number(digits);
}
