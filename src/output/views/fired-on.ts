import type { ScreenerItem, SignalCard } from '../../api/contract/resources.ts';
import { NONE, percent } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';

type Settings = Pick<ScreenerItem, 'type' | 'conditions'>;
type Told = (card: SignalCard, styles: Styles) => string | undefined;

const changed =
  (name: string, fact: 'fact_price_pct' | 'fact_oi_pct' | 'fact_volume_pct', decimals: number): Told =>
  (card, styles) => {
    if (card[fact] === null) return undefined;
    const window = card.fact_window_min === null ? '' : ` ${card.fact_window_min}m`;
    return `${name} ${percent(card[fact], styles, decimals)}${window}`;
  };

const oi = changed('oi', 'fact_oi_pct', 2);
const volume = changed('vol', 'fact_volume_pct', 1);

/** Words by which settings name a fact. The document shows no keys of conditions: without one, `changes` tell. */
const FACTS: Readonly<Record<string, Told>> = {
  price: changed('price', 'fact_price_pct', 2),
  oi,
  interest: oi,
  volume,
  turnover: volume,
  funding: ({ fact_funding: rate }, styles) =>
    rate === null ? undefined : `funding ${percent(rate * 100, styles, 3)}`,
};

/**
 * What a card fired on, `oi +3.99% 60m`: the first fact that the settings of its type name, else that its type names,
 * else the largest of `changes`. Facts are those of the latest update.
 */
export function firedOn(card: SignalCard, settings: readonly Settings[], styles: Styles): string {
  const own = settings.filter(({ type }) => type === card.source_bot_type).map(({ conditions }) => conditions);
  for (const word of wordsOf([own, card.source_bot_type])) {
    const told = Object.hasOwn(FACTS, word) ? FACTS[word]?.(card, styles) : undefined;
    if (told !== undefined) return told;
  }
  const [largest] = [...card.changes].sort((a, b) => sizeOf(b) - sizeOf(a));
  return largest === undefined ? styles.dim(NONE) : safeText(largest);
}

/** All words of keys and texts, in order, without those of a key that holds null. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.toLowerCase().split(/[^\p{L}]+/u);
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (part === null ? [] : [...wordsOf(key), ...wordsOf(part)]));
}

function sizeOf(change: string): number {
  return Math.abs(Number(/[+-]?\d+(\.\d+)?/.exec(change)?.[0] ?? 0));
}
