import type { ScreenerItem, SignalCard } from '../../api/contract/resources.ts';
import { jsonText } from '../../runtime/json-text.ts';
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
 * else the largest of `changes`; short, `+3.99%`: the type stands beside it. With a mark if it was repeated since: its
 * facts are those of the latest update then.
 */
export function firedOn(
  card: SignalCard,
  settings: readonly Pick<ScreenerItem, 'type' | 'conditions'>[],
  styles: Styles,
  isShort: boolean,
): string {
  const mark = card.repeat_count > 0 ? '*' : '';
  const own = settings.filter(({ type }) => type === card.source_bot_type).map(({ conditions }) => conditions);
  // A key that holds null is no condition.
  const text = `${jsonText(own).replaceAll(/"[^"]*":null/g, '')} ${card.source_bot_type}`.toLowerCase();
  const words = (text.match(/\p{L}+/gu) ?? []) as (keyof typeof FACTS)[];
  const named = words.flatMap((word) => (Object.hasOwn(FACTS, word) ? [FACTS[word]] : []));
  const [name, field, decimals] = named.find(([, one]) => card[one] !== null) ?? [];
  if (field === undefined) {
    const [largest] = card.changes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    return largest === undefined ? styles.dim(NONE) : `${safeText(largest)}${mark}`;
  }
  const isFraction = field === 'fact_funding';
  const figure = percent((card[field] ?? 0) * (isFraction ? 100 : 1), styles, decimals);
  if (isShort) return figure + mark;
  return `${name} ${figure}${isFraction || card.fact_window_min === null ? '' : ` ${card.fact_window_min}m`}${mark}`;
}

function sizeOf(change: string): number {
  return Math.abs(Number(/[+-]?\d+(\.\d+)?/.exec(change)?.[0] ?? 0));
}
