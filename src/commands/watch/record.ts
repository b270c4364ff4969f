import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import type { Connection } from '../../credits/account.ts';
import type { Comparison } from '../../outcomes/figure-table.ts';
import { figuresOf } from '../../outcomes/figures.ts';
import { isTooEarly, recordSentence } from '../../output/views/verdict.ts';
import { readSample } from '../history-rows.ts';
import { type Invocation, ownHistory } from '../invocation.ts';

/** Reads the history again at each look: an export may have added to it. Never fails. */
export async function noteRecords(invocation: Invocation, connection: Connection, cards: readonly SignalCard[]) {
  const own = await ownHistory(invocation, connection);
  const found = await own?.read((history) => readSample(invocation, { history }));
  if (found === undefined) return;
  const { rows } = found;
  const question = { ...found.question, by: 'type' as const };
  const everywhere = figuresOf(rows, question);
  for (const card of cards) {
    const { source_symbol: symbol, source_bot_type: type } = card;
    const of = ({ groups }: Comparison) => groups.find(({ group }) => group === type)?.horizons[MAIN_HORIZON];
    const all = of(everywhere);
    if (all === undefined || isTooEarly({ name: type, figures: all })) continue;
    const onSymbol = rows.filter((row) => row.type !== type || row.symbol === symbol);
    // The service's medians know no symbols.
    const here = of(figuresOf(onSymbol, { ...question, answers: [], hasPast: false }));
    invocation.notes.note(recordSentence(card, all, here));
  }
}
