import { MAIN_HORIZON } from '../../../api/contract/horizons.ts';
import type { SignalCard } from '../../../api/contract/resources.ts';
import type { Connection } from '../../../credits/account.ts';
import { figuresOf } from '../../../outcomes/figures.ts';
import { isTooEarly, recordSentence } from '../../../output/views/verdict.ts';
import { readSample } from '../history-rows.ts';
import { type Invocation, ownHistory } from '../invocation.ts';

/** Reads the history again at each look: an export may have added to it. Never fails. */
export async function noteRecords(invocation: Invocation, connection: Connection, cards: readonly SignalCard[]) {
  const own = await ownHistory(invocation, connection);
  const found = await own?.read((history) => readSample(invocation, { history }));
  if (found === undefined) return;
  const { groups } = figuresOf(found.rows, { ...found.question, by: 'type' });
  for (const name of new Set(cards.map(({ source_bot_type: type }) => type))) {
    const figures = groups.find(({ group }) => group === name)?.horizons[MAIN_HORIZON] ?? null;
    if (!isTooEarly({ name, figures })) invocation.notes.note(recordSentence({ name, figures }));
  }
}
