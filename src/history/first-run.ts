/**
 * What the first export of a history says before it spends.
 */
import { pluralize } from '../runtime/pluralize.ts';

/** Before anything is spent. @param credits of this run */
export function firstRunSentence(credits: number): string {
  return `The first export of this history costs ${credits} credits at most; --max-credits N makes it fewer.`;
}

/**
 * Before outcomes are bought, where it does not buy all that are due.
 * @param now outcomes that this run buys
 * @param perDay outcomes a day that the credits allow; `coming`: that come due
 */
export function restSentence(due: number, now: number, { perDay, coming }: { perDay: number; coming: number }): string {
  const days = Math.ceil((due - now) / (perDay - coming));
  const rest =
    perDay > coming
      ? `the others take about ${pluralize(days, 'day')} more`
      : 'as many come due each day as the credits cover: a fair sample of them is bought';
  return `This run buys ${now} of the ${pluralize(due, 'outcome')} that are due; ${rest}.`;
}
