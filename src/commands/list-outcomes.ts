import type { SignalCard } from '../api/contract/resources.ts';
import type { ScreenerError } from '../errors.ts';
import { createdAt } from '../history/store/layout.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import { concernsAll, type Details } from './details.ts';
import type { Invocation } from './invocation.ts';

/**
 * `signals ls --outcomes`: each card's detail, 1 credit a card. A card stays as it was listed if it is younger than an
 * hour, because its outcome cannot be settled, and if its detail could not be had: then `unbought` is given its id.
 * @throws the first failure of a page, when the page's cards have been passed on
 */
export async function* withOutcomes(
  { context, notes }: Invocation,
  details: Details,
  batches: AsyncIterable<readonly SignalCard[]>,
  unbought: number[],
): AsyncGenerator<readonly SignalCard[]> {
  for await (const items of batches) {
    const isYoung = (card: SignalCard) => createdAt(card) > context.clock.now() - HOUR;
    const old = items.filter((card) => !isYoung(card));
    const young = items.length - old.length;
    if (young > 0) notes.note(`${pluralize(young, 'card')} from the last hour: too young for an outcome, none bought.`);
    const ids = old.map(({ id }) => id);
    // A service may round a time.
    await details.lookUp(ids, Math.min(...old.map(createdAt)) - DAY);
    const results = details.all(ids);
    let failure: ScreenerError | undefined;
    for (const card of items) {
      const result = ids.includes(card.id) ? (await results.next()).value : undefined;
      yield [result && 'detail' in result ? result.detail : card];
      if (!result || !('error' in result)) continue;
      failure ??= result.error;
      unbought.push(result.id);
      // The command's own error says what concerns all.
      if (!concernsAll(result.error)) notes.warn(`No outcome for card ${result.id}: ${result.error.message}`);
    }
    if (failure !== undefined) throw failure;
  }
}
