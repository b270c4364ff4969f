import type { Outcome, SignalDetail } from '../../api/contract/resources.ts';
import { funding, NONE, percent, timeWithAge, usd } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair, RenderContext, View } from '../types.ts';
import { detailFields } from './card-fields.ts';
import { moveBars } from './move-bars.ts';
import { differenceCell, HORIZONS, measured, NOT_PROFIT } from './outcome.ts';

/** One card as a whole page, for `signals show`. */
export const detailView: View<SignalDetail> = {
  fields: detailFields,
  page: (card, render) =>
    render.sections([
      { title: `Card ${card.id}: ${safeText(card.source_symbol)}`, body: render.pairs(cardPairs(card, render)) },
      { title: 'Facts (latest update of the episode)', body: render.pairs(factPairs(card, render)) },
      { title: 'Entry context (entry snapshot)', body: contextText(card, render) },
      { title: 'Outcome', body: outcomeText(card.outcome, render) },
      // Never broken: a terminal that wraps it still copies and opens it as one address.
      { title: "Filtered notification history (not this card's page)", body: safeText(card.url) },
    ]),
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

function contextText({ entry_context }: SignalDetail, { pairs, styles }: RenderContext): string {
  const entries = Object.entries(entry_context);
  if (entries.length === 0) return styles.dim('empty');
  return pairs(entries.map(([key, value]) => [safeText(key), String(value)]));
}

function outcomeText(outcome: Outcome | null, render: RenderContext): string {
  const { styles, now, width } = render;
  if (outcome === null) return styles.dim('none recorded');
  const entry = render.pairs([['Entry', `${outcome.entry_price} at ${timeWithAge(outcome.entry_at, now)}`]]);
  const table = render.table(
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
  const bars = width === undefined ? '' : moveBars(outcome, render);
  const sentence = render.paragraph(NOT_PROFIT).split('\n').map(styles.dim).join('\n');
  return [entry, '', table, ...(bars === '' ? [] : ['', bars]), '', sentence].join('\n');
}
