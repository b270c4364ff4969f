/** Columns of cards. The numbers say what goes first where a terminal is narrow. */
import type { SignalCard } from '../../api/contract/resources.ts';
import { age, funding, minuteTime, NONE, percent, usd } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext } from '../types.ts';

type CardColumn = Column<SignalCard>;

export const idColumn: CardColumn = { header: 'ID', align: 'right', priority: 0, cell: ({ id }) => String(id) };
export const symbolColumn: CardColumn = {
  header: 'SYMBOL',
  align: 'left',
  priority: 0,
  cell: ({ source_symbol }, { styles }) => styles.bold(safeText(source_symbol)),
};

export function timeColumn(priority: number): CardColumn {
  return { header: 'TIME (UTC)', align: 'left', priority, cell: ({ created_at }, look) => shortTime(created_at, look) };
}

/** Without the year where it is this one and the terminal has no room to spare. */
function shortTime(iso: string, { width, now }: RenderContext): string {
  const full = minuteTime(iso);
  const thisYear = `${new Date(now).getUTCFullYear()}-`;
  return width !== undefined && width < 120 && full.startsWith(thisYear) ? full.slice(thisYear.length) : full;
}

export function ageColumn(priority: number): CardColumn {
  return {
    header: 'AGE',
    align: 'right',
    priority,
    cell: ({ created_at }, { now, styles }) => styles.dim(age(created_at, now).replace(/ ago$/, '')),
  };
}

export function typeColumn(priority: number): CardColumn {
  return { header: 'TYPE', align: 'left', priority, cell: ({ source_bot_type }) => safeText(source_bot_type) };
}

type Fact = 'fact_price_pct' | 'fact_oi_pct' | 'fact_volume_pct';

export function percentColumn(header: string, field: Fact, priority: number): CardColumn {
  return { header, align: 'right', priority, cell: (card, { styles }) => percent(card[field], styles) };
}

function plainColumn(header: string, priority: number, text: (card: SignalCard) => string): CardColumn {
  return {
    header,
    align: 'right',
    priority,
    cell: (card, { styles }) => {
      const cell = text(card);
      return cell === NONE ? styles.dim(cell) : cell;
    },
  };
}

/** What there is room for on a wide terminal or in a file. */
export const wideColumns: readonly CardColumn[] = [
  plainColumn('WINDOW', 8, ({ fact_window_min }) => (fact_window_min === null ? NONE : `${fact_window_min}m`)),
  plainColumn('FUNDING', 8, ({ fact_funding }) => funding(fact_funding)),
  plainColumn('OI USD', 9, ({ fact_oi_usd }) => usd(fact_oi_usd)),
  plainColumn('VOL USD', 9, ({ fact_volume_usd }) => usd(fact_volume_usd)),
  plainColumn('REPEATS', 7, ({ repeat_count }) => String(repeat_count)),
  { header: 'EXCHANGES', align: 'left', priority: 6, cell: ({ exchanges }) => exchanges.map(safeText).join(',') },
  { header: 'CHANGES', align: 'left', priority: 10, cell: ({ changes }) => changes.map(safeText).join(',') },
];
