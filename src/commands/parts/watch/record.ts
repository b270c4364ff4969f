import { MAIN_HORIZON } from '../../../api/contract/horizons.ts';
import type { SignalCard } from '../../../api/contract/resources.ts';
import type { Connection } from '../../../credits/account.ts';
import { figuresOf } from '../../../outcomes/figures.ts';
import { standingsOf } from '../../../outcomes/standing.ts';
import { isTooEarly, recordSentence } from '../../../output/views/verdict.ts';
import { readSample } from '../history-rows.ts';
import { type Invocation, ownHistory } from '../invocation.ts';

/** Reads the history again at each look: an export may have added to it. Never fails. */
export async function noteRecords(invocation: Invocation, connection: Connection, cards: readonly SignalCard[]) {
  const own = await ownHistory(invocation, connection);
  const found = await own?.read((history) => readSample(invocation, { history }));
  if (found === undefined) return;
  const { rows, question, known } = found;
  const types = new Set(cards.map(({ source_bot_type: type }) => type));
  for (const one of standingsOf(figuresOf(rows, { ...question, by: 'type' }), MAIN_HORIZON, known)) {
    if (types.has(one.group) && !isTooEarly(one)) invocation.notes.note(recordSentence(one, question.now));
  }
}
