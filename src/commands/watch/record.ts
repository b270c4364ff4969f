import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import type { DefaultHistory } from '../../history/default-history.ts';
import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import { type FiguresQuestion, figuresOf } from '../../outcomes/figures.ts';
import type { Row } from '../../outcomes/row.ts';
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
  const { rows, question } = found;
  const ofAll = figuresByType(rows, question);
  return cards.flatMap((card) => {
    const all = ofAll(card);
    if (all === undefined) return [];
    const { source_symbol: symbol, source_bot_type: type } = card;
    const onSymbol = rows.filter((row) => row.type !== type || row.symbol === symbol);
    // The service's medians know no symbols.
    const ofSymbol = figuresByType(onSymbol, { ...question, answers: [], hasPast: false });
    return recordSentence(card, all, ofSymbol(card));
  });
}

function figuresByType(rows: readonly Row[], question: FiguresQuestion) {
  const { groups } = figuresOf(rows, { ...question, by: 'type' });
  return ({ source_bot_type: type }: SignalCard): HorizonFigures | undefined =>
    groups.find(({ group }) => group === type)?.horizons[MAIN_HORIZON];
}
