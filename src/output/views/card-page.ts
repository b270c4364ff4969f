import { HORIZON_NAMES, type HorizonName } from '../../api/contract/horizons.ts';
import type { SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import {
  NONE,
  numberText,
  percent,
  percentagePoints,
  timeWithAge,
  usd,
  zonedTime,
} from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair, Part, RenderContext, View } from '../types.ts';
import { detailFields, measured, moveText, outcomeDue } from './card-lists.ts';
import { figureColumn, textColumn } from './parts.ts';

export const detailView: View<SignalDetail> = {
  fields: detailFields,
  page: (card, render) => {
    const { sections, pairs, beside, zone } = render;
    const repeated =
      ['', ', repeated once'][card.repeat_count] ?? `, repeated ${card.repeat_count} times`;
    const updated = zonedTime(card.last_seen_at ?? card.created_at, zone);
    const facts = sections([
      { title: `Latest update, ${updated}`, body: pairs(factPairs(card, render)) },
    ]);
    return sections([
      {
        title: `Card ${card.id}: ${safeText(card.source_symbol)}, ${safeText(card.source_bot_type)}`,
        body: outcomeText(card, render),
      },
      {
        body: pairs([
          ['Recorded', timeWithAge(card.created_at, render) + repeated],
          ['Exchanges', card.exchanges.map(safeText).join(', ') || NONE],
        ]),
      },
      // A card of a history has its entry context once its outcome was bought.
      { body: card.outcome !== undefined ? beside(contextText(card, render), facts) : facts },
      // Never broken: a terminal that wraps it still copies and opens it as one address.
      { title: "Filtered notification history (not this card's page)", body: safeText(card.url) },
    ]);
  },
};

function factPairs(card: SignalDetail, { styles }: RenderContext): Pair[] {
  const moved = (change: number | null, size: number | null, decimals?: number) => {
    if (size === null) return change !== null && percent(change, styles, decimals);
    return `${percent(change, styles, decimals)}  (${usd(size)} USD)`;
  };
  const { fact_funding: rate, fact_window_min: window } = card;
  return [
    ['Fired on', card.changes.map(safeText).join(', ')],
    ['Price', moved(card.fact_price_pct, null)],
    ['Open interest', moved(card.fact_oi_pct, card.fact_oi_usd)],
    ['Volume', moved(card.fact_volume_pct, card.fact_volume_usd, 1)],
    ['Window', window !== null && `${window} min`],
    ['Funding', rate !== null && `${percent(rate * 100, styles, 4)}  (${numberText(rate)})`],
  ];
}

/** The document shows no keys: nothing but the unit in a name is certain. */
function contextText({ entry_context }: SignalDetail, { sections, pairs }: RenderContext): string {
  const text = (key: string, value: number | bigint) => {
    if (key.endsWith('_usd')) return usd(Number(value));
    return key.endsWith('_pct')
      ? `${value > 0 ? '+' : ''}${numberText(value)}%`
      : numberText(value);
  };
  const entries = Object.entries(entry_context).map(
    ([key, value]): Pair => [safeText(key), text(key, value)],
  );
  return sections([
    { title: 'At the trigger', body: pairs(entries) || 'none recorded by the service' },
  ]);
}

function outcomeText(card: SignalDetail, render: RenderContext): Part[] {
  const { outcome } = card;
  const due = outcomeDue(card);
  const of = (horizon: HorizonName) => measured(outcome ?? {}, horizon);
  return [
    render.table<HorizonName>(
      [
        textColumn('AFTER', 0, (horizon) => horizon),
        figureColumn('MOVE', 0, (horizon) => moveText(card, horizon, render)),
        figureColumn('BTC', 0, (horizon) => percent(of(horizon).btc, render.styles)),
        figureColumn('VS BTC', 0, (horizon) =>
          percentagePoints(of(horizon).difference, render.styles),
        ),
      ],
      HORIZON_NAMES,
    ),
    render.note(
      HORIZON_NAMES.some((horizon) => of(horizon).state === 'missing') &&
        'missing: the service could not measure it',
      outcome != null &&
        `Entry at ${numberText(outcome.entry_price)}, ${timeWithAge(outcome.entry_at, render)}`,
      due > render.now && `Outcome due ${timeWithAge(formatApiTime(due), render)}`,
      due <= render.now && outcome === undefined && '`signals export` buys the outcome.',
    ),
  ];
}
