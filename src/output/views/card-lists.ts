/** Lists of cards. The numbers say which column goes first where a terminal is narrow. */

import { HORIZONS } from '../../api/contract/horizons.ts';
import type { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { parseApiTime } from '../../api/time.ts';
import { funding, minuteTime, NONE, percent, shortAge, usd } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { cardFields, detailFields } from './card-fields.ts';
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

function ageColumn(priority: number): CardColumn {
  return figureColumn('AGE', priority, ({ created_at }, { now, styles }) => styles.dim(shortAge(created_at, now)));
}

function typeColumn(priority: number): CardColumn {
  return textColumn('TYPE', priority, ({ source_bot_type }) => safeText(source_bot_type), {
    field: 'source_bot_type',
    usualWidth: 15,
  });
}

type Fact = 'fact_price_pct' | 'fact_oi_pct' | 'fact_volume_pct';

function percentColumn(header: string, field: Fact, priority: number, decimals = 2): CardColumn {
  return figureColumn(header, priority, (card, { styles }) => percent(card[field], styles, decimals), {
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
  columns: [
    idColumn,
    timeColumn(1),
    ageColumn(5),
    symbolColumn,
    typeColumn(2),
    percentColumn('PRICE', 'fact_price_pct', 0),
    percentColumn('OI', 'fact_oi_pct', 3),
    percentColumn('VOL', 'fact_volume_pct', 4, 1),
    ...wideColumns,
  ],
  empty: 'No cards.',
};

/** The move of a horizon, or why it is not known, and its difference to BTC's. */
function outcomeColumns({ name, millis }: (typeof HORIZONS)[number]): Column<SignalDetail>[] {
  const move = ({ outcome, created_at }: SignalDetail, { styles, now }: RenderContext) => {
    // A card of a history, or one that was only listed.
    if (outcome === undefined)
      return styles.dim((parseApiTime(created_at) ?? 0) + millis > now ? 'not due' : 'not bought');
    return moveCell(outcome, name, styles);
  };
  return [
    figureColumn(name.toUpperCase(), 0, move, { field: `outcome.move_${name}_pct` }),
    figureColumn('VS BTC', 1, ({ outcome }, { styles }) => differenceCell(outcome, name, styles)),
  ];
}

/** Cards with their outcomes, one a row. */
export const cardOutcomeView: View<SignalDetail> = {
  fields: detailFields,
  columns: [
    idColumn,
    timeColumn(2),
    ageColumn(4),
    symbolColumn,
    typeColumn(3),
    ...HORIZONS.flatMap(outcomeColumns),
    percentColumn('PRICE', 'fact_price_pct', 4),
    percentColumn('OI', 'fact_oi_pct', 5),
    percentColumn('VOL', 'fact_volume_pct', 5, 1),
    ...wideColumns,
  ],
  empty: 'No cards.',
};

/** Cards of a local history: with outcomes where they were bought, which may be not yet. */
export const historyCardView: View<SignalDetail> = { ...cardOutcomeView, empty: 'No cards in this history match.' };
