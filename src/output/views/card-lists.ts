/** Lists of cards. The numbers say which column goes first where a terminal is narrow. */
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
import { isMeasured, type Measured, measuredAt } from '../../outcomes/row.ts';
import { UTC } from '../../runtime/zone.ts';
import { fieldsOf } from '../described-fields.ts';
import { minuteTime, NONE, percent, points, shortAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Field, RenderContext, Styles, View } from '../types.ts';
import { figureColumn, symbolText, textColumn } from './parts.ts';

export const cardFields = fieldsOf(SignalCard);

export const pageFields = fieldsOf(SignalPage).filter(({ name }) => name !== 'items');

export const detailFields = fieldsOf(SignalDetail);

/** A card of a list: the rest is there where its outcome was bought. */
export const listedFields: readonly Field[] = [
  ...cardFields,
  ...detailFields
    .slice(cardFields.length)
    .map((field) => ({ ...field, optional: !field.name.includes('.') })),
];

/**
 * The columns of all lists of cards.
 * @param narrow below so many terminal columns there is no room for the name of a zone
 */
function columnsOf<T extends SignalCard>(
  narrow: number,
  outcomes: readonly Column<T>[] = [],
): Column<T>[] {
  const isNarrow = ({ width }: RenderContext) => width !== undefined && width < narrow;
  return [
    figureColumn('ID', 0, ({ id }) => String(id), { field: 'id', usualWidth: 10 }),
    textColumn(
      (render) => (isNarrow(render) && render.zone !== UTC ? 'TIME' : `TIME (${render.zone.name})`),
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

/** Without this year where there is no room to spare. */
function timeText(iso: string, { width, now, zone }: RenderContext): string {
  const isOfThisYear =
    minuteTime(iso, zone, 'year') === minuteTime(formatApiTime(now), zone, 'year');
  return minuteTime(
    iso,
    zone,
    width !== undefined && width < 120 && isOfThisYear ? 'of the year' : 'minute',
  );
}

export const cardView: View<SignalCard> = {
  fields: cardFields,
  columns: columnsOf(60),
  empty: 'No cards.',
};

/** The terminal's width from which the columns of all horizons have room. */
const WIDE = 74 + 18 * HORIZONS.length;

/** The move of a horizon, or why none is known; and its difference to BTC's, percentage points. */
function outcomeColumns({ name }: (typeof HORIZONS)[number]): Column<SignalDetail>[] {
  const isMain = name === MAIN_HORIZON;
  const priority = isMain ? 1 : 4;
  const header = name.toUpperCase();
  // Paid for, too: the other horizons' columns are the first to go.
  const earlyMove = ({ outcome }: SignalDetail, { width = WIDE }: RenderContext) =>
    outcome && isMain && width < WIDE && measured(outcome, name).state === 'pending'
      ? measured(outcome, '1h').move
      : null;
  const move = (card: SignalDetail, render: RenderContext) => {
    const early = earlyMove(card, render);
    return early == null ? moveText(card, name, render) : render.styles.dim(`(${percent(early)})`);
  };
  const difference = ({ outcome }: SignalDetail, { styles }: RenderContext) => {
    const one = measured(outcome ?? {}, name);
    return one.move !== null && one.btc === null
      ? styles.dim('unknown')
      : points(one.difference, styles);
  };
  return [
    figureColumn(header, priority, move, {
      field: `outcome.move_${name}_pct`,
      mark: {
        isOn: (card, render) => earlyMove(card, render) != null,
        words: `in brackets: pending, the move after ${horizonOf('1h').words}`,
      },
    }),
    figureColumn(isMain ? 'VS BTC' : `${header} VS BTC`, priority + Number(isMain), difference),
  ];
}

const outcomes = HORIZONS.toReversed().flatMap(outcomeColumns);

export const cardOutcomeView: View<SignalDetail> = {
  fields: detailFields,
  columns: columnsOf(96, outcomes),
  empty: 'No cards.',
};

/** What a page says in place of its figures. @param exporting the command line that exports into the history */
export function noCardsText(exporting: string): string {
  return `This history has no such cards yet: \`${exporting}\` lists new ones.`;
}

/** @param exporting the command line that exports into the history */
export function historyCardView(exporting: string): View<SignalDetail> {
  return { ...cardOutcomeView, empty: noCardsText(exporting) };
}

/** What a card's page and lists show of a horizon. */
interface ShownMeasure extends Measured {
  /** Move minus BTC's, percentage points; null unless both were measured. */
  readonly difference: number | null;
}

/** A move beside another state than `available` was not measured: figures leave it out, too. */
export function measured(outcome: Partial<Outcome>, horizon: HorizonName): ShownMeasure {
  const measure = measuredAt(outcome, horizon);
  if (!isMeasured(measure)) return { ...measure, move: null, difference: null };
  const { move, btc } = measure;
  return { ...measure, difference: btc === null ? null : move - btc };
}

/** When a horizon is over; a history buys both when the longer one is. Epoch milliseconds UTC. */
export function outcomeDue(
  { created_at }: Pick<SignalCard, 'created_at'>,
  horizon: HorizonName = MAIN_HORIZON,
): number {
  return (parseApiTime(created_at) ?? 0) + horizonOf(horizon).millis;
}

export function moveText(
  card: SignalDetail,
  horizon: HorizonName,
  { styles, now }: RenderContext,
): string {
  const { outcome } = card;
  if (!outcome) {
    return styles.dim(
      outcomeDue(card, horizon) > now ? 'not due' : outcome === null ? 'no data' : 'not bought',
    );
  }
  const { state = NONE, move } = measured(outcome, horizon);
  return state === 'available' ? percent(move, styles) : styles.dim(safeText(state));
}

/** Facts by the words that may name them in a type: their own, and those of the document's notes on them. */
const FACTS = {
  price: ['price', 'fact_price_pct', 2],
  oi: ['oi', 'fact_oi_pct', 2],
  interest: ['oi', 'fact_oi_pct', 2],
  volume: ['vol', 'fact_volume_pct', 1],
  turnover: ['vol', 'fact_volume_pct', 1],
  funding: ['funding', 'fact_funding', 3],
} as const;

/**
 * What a card fired on, `oi +3.99% 60m`: the first fact that its type names, else the largest of `changes`. A
 * mark says that it was repeated since: its facts are of the latest update.
 */
function firedOn(card: SignalCard, styles: Styles): string {
  const mark = isRepeated(card) ? '*' : '';
  const words = (card.source_bot_type.toLowerCase().match(/\p{L}+/gu) ??
    []) as (keyof typeof FACTS)[];
  const named = words.flatMap((word) => (Object.hasOwn(FACTS, word) ? [FACTS[word]] : []));
  const [name, field, decimals] = named.find(([, one]) => card[one] !== null) ?? [];
  if (field === undefined) {
    const [largest] = card.changes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    return `${largest === undefined ? styles.dim(NONE) : safeText(largest)}${mark}`;
  }
  const isFraction = field === 'fact_funding';
  const figure = percent((card[field] ?? 0) * (isFraction ? 100 : 1), styles, decimals);
  return `${name} ${figure}${isFraction || card.fact_window_min === null ? '' : ` ${card.fact_window_min}m`}${mark}`;
}

function isRepeated({ repeat_count }: SignalCard): boolean {
  return repeat_count > 0;
}

function sizeOf(change: string): number {
  return Math.abs(Number(/[+-]?\d+(\.\d+)?/.exec(change)?.[0] ?? 0));
}
