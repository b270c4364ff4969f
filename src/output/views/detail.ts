import type { Outcome, SignalDetail } from '../../api/contract/resources.ts';
import { funding, NONE, percent, timeWithAge, usd } from '../format.ts';
import { sections } from '../key-value-page.ts';
import { safeText } from '../safe-text.ts';
import type { Pair, RenderContext, View } from '../types.ts';
import { detailFields } from './card-fields.ts';
import { moveBars } from './move-bars.ts';
import { differenceCell, HORIZONS, measured, NOT_PROFIT } from './outcome.ts';

/** One card as a whole page, for `signals show`. */
export const detailView: View<SignalDetail> = {
  fields: detailFields,
  page: (card, look) => {
    const { draw } = look;
    return sections(
      [
        { title: `Card ${card.id}: ${safeText(card.source_symbol)}`, body: draw.pairs(cardPairs(card, look)) },
        { title: 'Facts (latest update of the episode)', body: draw.pairs(factPairs(card, look)) },
        { title: 'Entry context (entry snapshot)', body: contextText(card, look) },
        { title: 'Outcome', body: outcomeText(card.outcome, look) },
        // Never broken: a terminal that wraps it still copies and opens it as one address.
        { title: "Filtered notification history (not this card's page)", body: safeText(card.url) },
      ],
      look,
    );
  },
};

function cardPairs(card: SignalDetail, { now }: RenderContext): Pair[] {
  return [
    ['Screener type', safeText(card.source_bot_type)],
    ['Recorded', timeWithAge(card.created_at, now)],
    ['Last seen', timeWithAge(card.last_seen_at, now)],
    ['Repeats', String(card.repeat_count)],
    ['Exchanges', card.exchanges.map(safeText).join(', ') || NONE],
    ['Changes', card.changes.map(safeText).join(', ') || NONE],
  ];
}

function factPairs(card: SignalDetail, { styles }: RenderContext): Pair[] {
  const withUsd = (change: number | null, value: number | null) =>
    `${percent(change, styles)}${value === null ? '' : `  (${usd(value)} USD)`}`;
  return [
    ['Price', percent(card.fact_price_pct, styles)],
    ['Open interest', withUsd(card.fact_oi_pct, card.fact_oi_usd)],
    ['Volume', withUsd(card.fact_volume_pct, card.fact_volume_usd)],
    ['Window', card.fact_window_min === null ? NONE : `${card.fact_window_min} min`],
    ['Funding', `${funding(card.fact_funding)}${card.fact_funding === null ? '' : '  (not annualized)'}`],
  ];
}

function contextText({ entry_context }: SignalDetail, { draw, styles }: RenderContext): string {
  const entries = Object.entries(entry_context);
  if (entries.length === 0) return styles.dim('empty');
  return draw.pairs(entries.map(([key, value]) => [safeText(key), String(value)]));
}

function outcomeText(outcome: Outcome | null, look: RenderContext): string {
  const { draw, styles, now, width } = look;
  if (outcome === null) return styles.dim('none recorded');
  const entry = draw.pairs([['Entry', `${outcome.entry_price} at ${timeWithAge(outcome.entry_at, now)}`]]);
  const table = draw.table(
    [
      { header: 'HORIZON', align: 'left', priority: 0, cell: (horizon) => horizon },
      { header: 'STATE', align: 'left', priority: 0, cell: (horizon) => safeText(measured(outcome, horizon).state) },
      {
        header: 'MOVE',
        align: 'right',
        priority: 0,
        cell: (horizon) => percent(measured(outcome, horizon).move, styles),
      },
      {
        header: 'BTC',
        align: 'right',
        priority: 0,
        cell: (horizon) => percent(measured(outcome, horizon).btc, styles),
      },
      {
        header: 'DIFFERENCE',
        align: 'right',
        priority: 0,
        cell: (horizon) => differenceCell(outcome, horizon, styles),
      },
    ],
    HORIZONS,
  );
  const bars = width === undefined ? '' : moveBars(outcome, look);
  const sentence = draw.paragraph(NOT_PROFIT).split('\n').map(styles.dim).join('\n');
  return [entry, '', table, ...(bars === '' ? [] : ['', bars]), '', sentence].join('\n');
}
