import { HORIZON_NAMES, type HorizonName, OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import type { SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
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
import { detailFields, measured, moveText } from './card-lists.ts';
import { figureColumn, textColumn } from './parts.ts';

/**
 * @param exporting the command line that updates the card's history
 * @param dueAfter how long after a card its exports take an outcome for due, milliseconds
 */
export function detailViewOf(exporting: string, dueAfter: number): View<SignalDetail> {
  return {
    fields: detailFields,
    page: (card, render) => {
      const { sections, pairs, beside, zone } = render;
      // Undefined: the card was not bought. Null: it was bought, but the service has no outcome.
      const isBought = card.outcome !== undefined;
      const updated = zonedTime(card.last_seen_at ?? card.created_at, zone);
      const facts = sections([
        { title: `Latest update, ${updated}`, body: pairs(factPairs(card, render)) },
      ]);
      return sections([
        {
          title: `Card ${card.id}: ${safeText(card.source_symbol)}, ${safeText(card.source_bot_type)}`,
          body: outcomeText(card, { exporting, dueAfter }, render),
        },
        {
          body: pairs([
            ['Recorded', timeWithAge(card.created_at, render) + repeatedText(card)],
            ['Exchanges', card.exchanges.map(safeText).join(', ') || NONE],
          ]),
        },
        // A card of a history has its entry context once it was bought.
        { body: isBought ? beside(contextText(card, render), facts) : facts },
        // The address is never broken into lines: a terminal that wraps it still copies and opens it as one.
        { title: "Filtered notification history (not this card's page)", body: safeText(card.url) },
      ]);
    },
  };
}

/** A card of the service. */
export const detailView = detailViewOf('screener signals export', OUTCOME_MILLIS);

/** `, repeated 3 times`; empty if it was not repeated. */
function repeatedText({ repeat_count: count }: SignalDetail): string {
  if (count === 0) return '';
  return count === 1 ? ', repeated once' : `, repeated ${count} times`;
}

function factPairs(card: SignalDetail, { styles }: RenderContext): Pair[] {
  /** `+3.99%  (52.1M USD)`, or `+3.99%` without a size; false, if both are null, leaves the pair out. */
  const changeText = (change: number | null, size: number | null, decimals?: number) => {
    if (change === null && size === null) return false;
    const text = percent(change, styles, decimals);
    return size === null ? text : `${text}  (${usd(size)} USD)`;
  };
  const { fact_funding: rate, fact_window_min: window } = card;
  return [
    ['Fired on', card.changes.map(safeText).join(', ')],
    ['Price', changeText(card.fact_price_pct, null)],
    ['Open interest', changeText(card.fact_oi_pct, card.fact_oi_usd)],
    ['Volume', changeText(card.fact_volume_pct, card.fact_volume_usd, 1)],
    ['Window', window !== null && `${window} min`],
    ['Funding', rate !== null && `${percent(rate * 100, styles, 4)}  (${numberText(rate)})`],
  ];
}

/** The numbers at the trigger. */
function contextText({ entry_context }: SignalDetail, { sections, pairs }: RenderContext): string {
  const entries = Object.entries(entry_context).map(
    ([key, value]): Pair => [safeText(key), contextNumber(key, value)],
  );
  return sections([
    { title: 'At the trigger', body: pairs(entries) || 'none recorded by the service' },
  ]);
}

/** The API document lists no keys of `entry_context`: only the unit at the end of a key says how to write its number. */
function contextNumber(key: string, value: number | bigint): string {
  if (key.endsWith('_usd')) return usd(Number(value));
  if (!key.endsWith('_pct')) return numberText(value);
  const sign = value > 0 ? '+' : '';
  return `${sign}${numberText(value)}%`;
}

/** The table of moves, and what is still to come. */
function outcomeText(
  card: SignalDetail,
  { exporting, dueAfter }: { readonly exporting: string; readonly dueAfter: number },
  render: RenderContext,
): Part[] {
  const { outcome } = card;
  const isBought = outcome !== undefined;
  const due = (parseApiTime(card.created_at) ?? 0) + dueAfter;
  const isDue = due <= render.now;
  const measureAt = (horizon: HorizonName) => measured(outcome ?? {}, horizon);
  return [
    render.table<HorizonName>(
      [
        textColumn('AFTER', 0, (horizon) => horizon),
        figureColumn('MOVE', 0, (horizon) => moveText(card, horizon, render)),
        figureColumn('BTC', 0, (horizon) => percent(measureAt(horizon).btc, render.styles)),
        figureColumn('VS BTC', 0, (horizon) =>
          percentagePoints(measureAt(horizon).difference, render.styles),
        ),
      ],
      HORIZON_NAMES,
    ),
    render.note(
      HORIZON_NAMES.some((horizon) => measureAt(horizon).state === 'missing') &&
        'missing: the service could not measure it',
      isBought &&
        outcome !== null &&
        `Entry at ${numberText(outcome.entry_price)}, ${timeWithAge(outcome.entry_at, render)}`,
      !isDue && `Outcome due ${timeWithAge(formatApiTime(due), render)}`,
      isDue && !isBought && `\`${exporting}\` buys the outcome.`,
    ),
  ];
}
