/** Lists of cards. The numbers say which column goes first where a terminal is narrow. */

import { HORIZONS, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { ScreenerItem, SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { parseApiTime } from '../../api/time.ts';
import { funding, minuteTime, NONE, percent, shortAge, usd } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { cardFields, detailFields } from './card-fields.ts';
import { firedOn } from './fired-on.ts';
import { differenceCell, moveCell } from './outcome.ts';
import { figureColumn, textColumn } from './parts.ts';

type CardColumn = Column<SignalCard>;

const idColumn: CardColumn = figureColumn('ID', 0, ({ id }) => String(id), {
  field: 'id',
  usualWidth: 10,
});

const symbolColumn: CardColumn = textColumn(
  'SYMBOL',
  0,
  ({ source_symbol }, { styles }) => styles.bold(safeText(source_symbol)),
  { field: 'source_symbol', usualWidth: 12 },
);

function timeColumn(priority: number): CardColumn {
  const header = ({ zone }: RenderContext) => `TIME (${zone.name})`;
  return textColumn(header, priority, ({ created_at }, render) => shortTime(created_at, render), {
    field: 'created_at',
  });
}

/** Without the year where it is this one and the terminal has no room to spare. */
function shortTime(iso: string, { width, now, zone }: RenderContext): string {
  const full = minuteTime(iso, zone);
  const thisYear = zone.clock(now).slice(0, 5);
  return width !== undefined && width < 120 && full.startsWith(thisYear) ? full.slice(thisYear.length) : full;
}

const ageColumn: CardColumn = figureColumn('AGE', 6, ({ created_at }, { now, styles }) =>
  styles.dim(shortAge(created_at, now)),
);

const typeColumn: CardColumn = textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type), {
  field: 'source_bot_type',
  usualWidth: 15,
});

/** @param settings as last seen */
function firedOnColumn(priority: number, settings: readonly ScreenerItem[]): CardColumn {
  return textColumn('FIRED ON', priority, (card, { styles }) => firedOn(card, settings, styles), { usualWidth: 16 });
}

type Fact = 'fact_price_pct' | 'fact_oi_pct' | 'fact_volume_pct';

function percentColumn(header: string, field: Fact, decimals = 2): CardColumn {
  return figureColumn(header, 7, (card, { styles }) => percent(card[field], styles, decimals), {
    field,
    usualWidth: 7,
  });
}

function plainColumn(header: string, priority: number, field: string, text: (card: SignalCard) => string): CardColumn {
  const cell: CardColumn['cell'] = (card, { styles }) => {
    const words = text(card);
    return words === NONE ? styles.dim(words) : words;
  };
  return figureColumn(header, priority, cell, { field });
}

/** What there is room for on a wide terminal or in a file. */
const wideColumns: readonly CardColumn[] = [
  percentColumn('PRICE', 'fact_price_pct'),
  percentColumn('OI', 'fact_oi_pct'),
  percentColumn('VOL', 'fact_volume_pct', 1),
  plainColumn('WINDOW', 8, 'fact_window_min', ({ fact_window_min }) =>
    fact_window_min === null ? NONE : `${fact_window_min}m`,
  ),
  plainColumn('FUNDING', 8, 'fact_funding', ({ fact_funding }) => funding(fact_funding)),
  plainColumn('OI USD', 9, 'fact_oi_usd', ({ fact_oi_usd }) => usd(fact_oi_usd)),
  plainColumn('VOL USD', 9, 'fact_volume_usd', ({ fact_volume_usd }) => usd(fact_volume_usd)),
  plainColumn('REPEATS', 7, 'repeat_count', ({ repeat_count }) => String(repeat_count)),
  textColumn('EXCHANGES', 6, ({ exchanges }) => exchanges.map(safeText).join(', '), { usualWidth: 17 }),
  textColumn('CHANGES', 10, ({ changes }) => changes.map(safeText).join(', ')),
];

/** Cards as `/signals` lists them. */
export const cardView: View<SignalCard> = {
  fields: cardFields,
  columns: [idColumn, timeColumn(2), ageColumn, symbolColumn, typeColumn, firedOnColumn(0, []), ...wideColumns],
  empty: 'No cards.',
};

/** The move of a horizon, or why it is not known, and its difference to BTC's. */
function outcomeColumns({ name, millis }: (typeof HORIZONS)[number]): Column<SignalDetail>[] {
  const isShown = name === MAIN_HORIZON;
  const priority = isShown ? 0 : 4;
  const move = ({ outcome, created_at }: SignalDetail, { styles, now }: RenderContext) => {
    // A card of a history, or one that was only listed.
    if (outcome === undefined)
      return styles.dim((parseApiTime(created_at) ?? 0) + millis > now ? 'not due' : 'not bought');
    return moveCell(outcome, name, styles);
  };
  return [
    figureColumn(name.toUpperCase(), priority, move, { field: `outcome.move_${name}_pct` }),
    figureColumn(`${isShown ? '' : `${name.toUpperCase()} `}VS BTC`, priority, ({ outcome }, { styles }) =>
      differenceCell(outcome, name, styles),
    ),
  ];
}

/** Cards with their outcomes, one a row. */
function outcomeView(settings: readonly ScreenerItem[], empty: string): View<SignalDetail> {
  return {
    fields: detailFields,
    columns: [
      idColumn,
      timeColumn(2),
      ageColumn,
      symbolColumn,
      typeColumn,
      ...HORIZONS.flatMap(outcomeColumns),
      firedOnColumn(3, settings),
      ...wideColumns,
    ],
    empty,
  };
}

export const cardOutcomeView = outcomeView([], 'No cards.');

/** Cards of a local history: some outcomes may not be bought yet. */
export const historyCardView = (settings: readonly ScreenerItem[]): View<SignalDetail> =>
  outcomeView(settings, 'No cards in this history match.');
