/** Lists of cards. The numbers say which column goes first where a terminal is narrow. */
import { HORIZONS, horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { UTC } from '../../runtime/zone.ts';
import { minuteTime, percent, points, shortAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { cardFields, detailFields } from './card-fields.ts';
import { firedOn, isRepeated } from './fired-on.ts';
import { measured, moveCell, outcomeDue } from './outcome.ts';
import { figureColumn, textColumn } from './parts.ts';

/**
 * The columns of all lists of cards.
 * @param narrow below so many terminal columns there is no room for the name of a zone
 */
function columnsOf<T extends SignalCard>(narrow: number, outcomes: readonly Column<T>[] = []): Column<T>[] {
  const isNarrow = ({ width }: RenderContext) => width !== undefined && width < narrow;
  return [
    figureColumn('ID', 0, ({ id }) => String(id), { field: 'id', usualWidth: 10 }),
    textColumn(
      (render) => (isNarrow(render) && render.zone !== UTC ? 'TIME' : `TIME (${render.zone.name})`),
      0,
      ({ created_at }, render) => timeText(created_at, render),
      { field: 'created_at' },
    ),
    figureColumn('AGE', 5, ({ created_at }, { now, styles }) => styles.dim(shortAge(created_at, now))),
    textColumn('SYMBOL', 0, ({ source_symbol }, { styles }) => styles.bold(safeText(source_symbol)), {
      field: 'source_symbol',
      usualWidth: 12,
    }),
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
  const isOfThisYear = minuteTime(iso, zone, 'year') === minuteTime(formatApiTime(now), zone, 'year');
  return minuteTime(iso, zone, width !== undefined && width < 120 && isOfThisYear ? 'of the year' : 'minute');
}

export const cardView: View<SignalCard> = { fields: cardFields, columns: columnsOf(60), empty: 'No cards.' };

/** The terminal's width from which the columns of all horizons have room. */
const WIDE = 74 + 18 * HORIZONS.length;

/** The move of a horizon, or why none is known; and its difference to BTC's, percentage points. */
function outcomeColumns({ name }: (typeof HORIZONS)[number]): Column<SignalDetail>[] {
  const isMain = name === MAIN_HORIZON;
  const priority = isMain ? 1 : 4;
  const header = name.toUpperCase();
  // Paid for, too: the other horizons' columns are the first to go.
  const showsEarly = ({ width = WIDE }: RenderContext) => isMain && width < WIDE;
  const earlyMove = ({ outcome }: SignalDetail, render: RenderContext) =>
    outcome && showsEarly(render) && measured(outcome, name).state === 'pending' ? measured(outcome, '1h').move : null;
  const move = (card: SignalDetail, render: RenderContext) => {
    const { outcome } = card;
    const { styles, now } = render;
    if (!outcome) return styles.dim(outcomeDue(card) > now ? 'not due' : outcome === null ? 'no data' : 'not bought');
    const early = earlyMove(card, render);
    return early === null ? moveCell(outcome, name, styles) : styles.dim(`(${percent(early)})`);
  };
  const isEarly = (card: SignalDetail, render: RenderContext) => earlyMove(card, render) != null;
  const difference = ({ outcome }: SignalDetail, { styles }: RenderContext) => {
    const one = measured(outcome ?? {}, name);
    return one.move !== null && one.btc === null ? styles.dim('unknown') : points(one.difference, styles);
  };
  return [
    figureColumn(header, priority, move, {
      field: `outcome.move_${name}_pct`,
      mark: { isOn: isEarly, words: `in brackets: pending, the move after ${horizonOf('1h').words}` },
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

/** Some outcomes may not be bought yet. */
export const historyCardView: View<SignalDetail> = {
  ...cardOutcomeView,
  empty: 'No cards in this history match.',
};
