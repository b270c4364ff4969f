import type { SignalCard } from '../../api/contract/resources.ts';
import { NONE, percent } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';

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
export function firedOn(card: SignalCard, styles: Styles): string {
  const mark = isRepeated(card) ? '*' : '';
  const words = (card.source_bot_type.toLowerCase().match(/\p{L}+/gu) ?? []) as (keyof typeof FACTS)[];
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

export const isRepeated = ({ repeat_count }: SignalCard): boolean => repeat_count > 0;

function sizeOf(change: string): number {
  return Math.abs(Number(/[+-]?\d+(\.\d+)?/.exec(change)?.[0] ?? 0));
}
