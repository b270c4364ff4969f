import type { SignalCard } from '../../../api/contract/resources.ts';
import type { Connection } from '../../../credits/account.ts';
import { isTooEarly, recordSentence } from '../../../output/views/verdict.ts';
import { judgedBy, readSample } from '../history-rows.ts';
import { type Invocation, ownHistory } from '../invocation.ts';

/** Reads the history again at each look: an export may have added to it. Never fails. */
export async function noteRecords(invocation: Invocation, connection: Connection, cards: readonly SignalCard[]) {
  const own = await ownHistory(invocation, connection);
  const found = await own?.read((history) => readSample(invocation, { history }));
  if (found === undefined) return;
  const types = new Set(cards.map(({ source_bot_type: type }) => type));
  for (const one of judgedBy('type', found).standings) {
    if (types.has(one.group) && !isTooEarly(one)) invocation.notes.note(recordSentence(one, found.question.now));
  }
}
