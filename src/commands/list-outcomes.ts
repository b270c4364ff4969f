/** `signals ls --outcomes`: each card's detail as well, 1 credit a card. */
import type { SignalCard } from '../api/contract/resources.ts';
import type { ScreenerError } from '../errors.ts';
import { createdAt } from '../history/store/layout.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import type { Details } from './details.ts';
import type { Invocation } from './invocation.ts';

/**
 * The cards of `batches` as details, one by one, in the same order. A card stays as it was listed where it is younger
 * than an hour, because no outcome of it can be settled, and where its detail could not be had: it is paid for, and the
 * missing `outcome` shows that nobody answered for it.
 * @param unbought is given the ids of the cards whose detail could not be had
 * @throws the first failure of a page, when the page's cards have been passed on
 */
export async function* withOutcomes(
  invocation: Invocation,
  details: Details,
  batches: AsyncIterable<readonly SignalCard[]>,
  unbought: number[],
): AsyncGenerator<readonly SignalCard[]> {
  const { clock } = invocation.context;
  for await (const items of batches) {
    const isYoung = (card: SignalCard) => createdAt(card) > clock.now() - HOUR;
    const young = new Set(items.filter(isYoung));
    if (young.size > 0)
      invocation.notes.note(
        `${pluralize(young.size, 'card')} from the last hour: too young for an outcome, none bought.`,
      );
    const old = items.filter((card) => !young.has(card));
    const ids = old.map(({ id }) => id);
    // A service may round a time.
    await details.lookUp(ids, Math.min(...old.map(createdAt)) - DAY);
    const asked = details.all(ids);
    let failure: ScreenerError | undefined;
    for (const card of items) {
      const result = young.has(card) ? undefined : (await asked.next()).value;
      if (result && 'error' in result) {
        failure ??= result.error;
        unbought.push(result.id);
        if (!result.skipped) invocation.notes.warn(`No outcome for card ${result.id}: ${result.error.message}`);
      }
      const shown = result && 'detail' in result ? result.detail : card;
      yield [shown];
    }
    if (failure !== undefined) throw failure;
  }
}
