import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import type { DefaultHistory } from '../../history/default-history.ts';
import type { Comparison } from '../../outcomes/figure-table.ts';
import { figuresOf } from '../../outcomes/figures.ts';
import { recordSentence } from '../../output/views/verdict.ts';
import { readSample } from '../history-rows.ts';
import type { Invocation } from '../invocation.ts';

/** What the types of cards have done so far, on the cards' symbols and altogether: a sentence a card. Never fails. */
export async function recordsOf(
  invocation: Invocation,
  own: DefaultHistory,
  cards: readonly SignalCard[],
): Promise<string[]> {
  const found = await own.read((history) => readSample(invocation, { history }));
  if (found === undefined) return [];
  const { rows } = found;
  const question = { ...found.question, by: 'type' as const };
  const everywhere = figuresOf(rows, question);
  return cards.flatMap((card) => {
    const { source_symbol: symbol, source_bot_type: type } = card;
    const of = ({ groups }: Comparison) => groups.find(({ group }) => group === type)?.horizons[MAIN_HORIZON];
    const all = of(everywhere);
    if (all === undefined) return [];
    const onSymbol = rows.filter((row) => row.type !== type || row.symbol === symbol);
    // The service's medians know no symbols.
    return recordSentence(card, all, of(figuresOf(onSymbol, { ...question, answers: [], hasPast: false })));
  });
}
