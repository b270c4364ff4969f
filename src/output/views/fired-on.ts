import type { ScreenerItem, SignalCard } from '../../api/contract/resources.ts';
import { NONE, percent } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';

/** Words by which settings name a fact. The document shows no keys of conditions: without one, `changes` tell. */
const FACTS = {
  price: ['price', 'fact_price_pct', 2],
  oi: ['oi', 'fact_oi_pct', 2],
  interest: ['oi', 'fact_oi_pct', 2],
  volume: ['vol', 'fact_volume_pct', 1],
  turnover: ['vol', 'fact_volume_pct', 1],
  funding: ['funding', 'fact_funding', 3],
} as const;

/**
 * What a card fired on, `oi +3.99% 60m`: the first fact that the settings of its type name, else that its type names,
 * else the largest of `changes`; short, `oi +4.0%`. Facts are those of the latest update.
 */
export function firedOn(
  card: SignalCard,
  settings: readonly Pick<ScreenerItem, 'type' | 'conditions'>[],
  styles: Styles,
  form: 'whole' | 'short' = 'whole',
): string {
  const own = settings.filter(({ type }) => type === card.source_bot_type).map(({ conditions }) => conditions);
  for (const word of wordsOf([own, card.source_bot_type])) {
    if (!Object.hasOwn(FACTS, word)) continue;
    const [name, field, decimals] = FACTS[word as keyof typeof FACTS];
    const value = card[field];
    if (value === null) continue;
    if (field === 'fact_funding') {
      return `${form === 'short' ? 'fund' : name} ${percent(value * 100, styles, decimals)}`;
    }
    if (form === 'short') return `${name} ${percent(value, styles, 1)}`;
    const window = card.fact_window_min === null ? '' : ` ${card.fact_window_min}m`;
    return `${name} ${percent(value, styles, decimals)}${window}`;
  }
  const [largest] = card.changes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
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
