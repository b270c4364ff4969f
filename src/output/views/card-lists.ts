/** Lists of cards. The numbers say which column goes first where a terminal is narrow. */
import { HORIZONS, horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { ScreenerItem, SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { parseApiTime } from '../../api/time.ts';
import { DAY } from '../../runtime/units.ts';
import { funding, minuteTime, NONE, percent, shortAge, usd } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { cardFields, detailFields } from './card-fields.ts';
import { firedOn } from './fired-on.ts';
import { differenceCell, moveCell } from './outcome.ts';
import { figureColumn, textColumn } from './parts.ts';

type CardColumn = Column<SignalCard>;

const ID: CardColumn = figureColumn('ID', 0, ({ id }) => String(id), { field: 'id', usualWidth: 10 });

/** Whether a terminal has room for short times and facts alone, beside so many columns. */
type Narrow = (render: RenderContext) => boolean;

const narrowBelow =
  (columns: number): Narrow =>
  ({ width }) =>
    width !== undefined && width < columns;

function timeColumn(isNarrow: Narrow): CardColumn {
  return textColumn(
    (render) => (isNarrow(render) ? 'TIME' : `TIME (${render.zone.name})`),
    0,
    ({ created_at }, render) => (isNarrow(render) ? shortest(created_at, render) : shortTime(created_at, render)),
    { field: 'created_at' },
  );
}

/** Without the year where it is this one and the terminal has no room to spare. */
function shortTime(iso: string, { width, now, zone }: RenderContext): string {
  const full = minuteTime(iso, zone);
  const thisYear = zone.clock(now).slice(0, 5);
  return width !== undefined && width < 120 && full.startsWith(thisYear) ? full.slice(thisYear.length) : full;
}

/** `18:27` in the last 24 hours, before that `11-22`. */
function shortest(iso: string, render: RenderContext): string {
  const [day = '', time = ''] = shortTime(iso, render).split(' ');
  return render.now - (parseApiTime(iso) ?? 0) < DAY ? time : day;
}

const AGE: CardColumn = figureColumn('AGE', 6, ({ created_at }, { now, styles }) =>
  styles.dim(shortAge(created_at, now)),
);

const SYMBOL_AND_TYPE: readonly CardColumn[] = [
  textColumn('SYMBOL', 0, ({ source_symbol }, { styles }) => styles.bold(safeText(source_symbol)), {
    field: 'source_symbol',
    usualWidth: 12,
  }),
  textColumn('TYPE', 0, ({ source_bot_type }) => safeText(source_bot_type), {
    field: 'source_bot_type',
    usualWidth: 15,
  }),
];

function firedOnColumn(settings: readonly ScreenerItem[], isNarrow: Narrow, usualWidth: number): CardColumn {
  return textColumn(
    'FIRED ON',
    1,
    (card, render) => firedOn(card, settings, render.styles, isNarrow(render) ? 'short' : 'whole'),
    { usualWidth },
  );
}

function fact(
  header: string,
  priority: number,
  field: keyof SignalCard & string,
  text: (card: SignalCard, styles: RenderContext['styles']) => string,
): CardColumn {
  const cell: CardColumn['cell'] = (card, { styles }) => (card[field] === null ? styles.dim(NONE) : text(card, styles));
  return figureColumn(header, priority, cell, { field, usualWidth: 7 });
}

const WIDE: readonly CardColumn[] = [
  fact('PRICE', 7, 'fact_price_pct', (card, styles) => percent(card.fact_price_pct, styles)),
  fact('OI', 7, 'fact_oi_pct', (card, styles) => percent(card.fact_oi_pct, styles)),
  fact('VOL', 7, 'fact_volume_pct', (card, styles) => percent(card.fact_volume_pct, styles, 1)),
  fact('WINDOW', 8, 'fact_window_min', (card) => `${card.fact_window_min}m`),
  fact('FUNDING', 8, 'fact_funding', (card) => funding(card.fact_funding)),
  fact('OI USD', 9, 'fact_oi_usd', (card) => usd(card.fact_oi_usd)),
  fact('VOL USD', 9, 'fact_volume_usd', (card) => usd(card.fact_volume_usd)),
  fact('REPEATS', 7, 'repeat_count', (card) => String(card.repeat_count)),
  textColumn('EXCHANGES', 6, ({ exchanges }) => exchanges.map(safeText).join(', '), { usualWidth: 17 }),
  textColumn('CHANGES', 10, ({ changes }) => changes.map(safeText).join(', ')),
];

export const cardView: View<SignalCard> = {
  fields: cardFields,
  columns: [ID, timeColumn(narrowBelow(60)), AGE, ...SYMBOL_AND_TYPE, firedOnColumn([], narrowBelow(0), 16), ...WIDE],
  empty: 'No cards.',
};

/** The move of a horizon, or why it is not known, and its difference to BTC's in percentage points. */
function outcomeColumns({ name }: (typeof HORIZONS)[number]): Column<SignalDetail>[] {
  const isMain = name === MAIN_HORIZON;
  const priority = isMain ? 0 : 4;
  const move = ({ outcome, created_at }: SignalDetail, { styles, now }: RenderContext) => {
    if (outcome !== undefined) return moveCell(outcome, name, styles);
    // Both horizons are bought at once, when the longer one is due.
    return styles.dim(
      (parseApiTime(created_at) ?? 0) + horizonOf(MAIN_HORIZON).millis > now ? 'pending' : 'not bought',
    );
  };
  return [
    figureColumn(name.toUpperCase(), priority, move, { field: `outcome.move_${name}_pct` }),
    figureColumn(`${isMain ? '' : `${name.toUpperCase()} `}VS BTC`, priority, ({ outcome }, { styles }) =>
      differenceCell(outcome, name, styles).replace(' pp', ''),
    ),
  ];
}

function outcomeView(settings: readonly ScreenerItem[], empty: string): View<SignalDetail> {
  const outcomes = HORIZONS.toReversed().map(outcomeColumns);
  const [main = [], ...others] = outcomes;
  const isNarrow = narrowBelow(96);
  return {
    fields: detailFields,
    columns: [
      ID,
      timeColumn(isNarrow),
      AGE,
      ...SYMBOL_AND_TYPE,
      ...main,
      firedOnColumn(settings, isNarrow, 12),
      ...others.flat(),
      ...WIDE,
    ],
    empty,
  };
}

export const cardOutcomeView = outcomeView([], 'No cards.');

/** Cards of a local history: some outcomes may not be bought yet. */
export const historyCardView = (settings: readonly ScreenerItem[]): View<SignalDetail> =>
  outcomeView(settings, 'No cards in this history match.');
