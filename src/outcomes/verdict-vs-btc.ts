/** The verdict of the comparison with BTC. */
import type { Estimate } from '../statistics/estimate.ts';
import { type Rule, type Verdict, verdictByRule } from '../statistics/rule.ts';
import type { ComparedWith } from './types.ts';

/** What is known of a group's difference to BTC. */
interface DifferencesToBtc {
  /** From the bought outcomes. */
  readonly vsBtc: Estimate;
  /**
   * The service's own figure, percentage points, which counts all outcomes; undefined if the comparison with the others rests on
   * bought outcomes, too.
   */
  readonly service: { readonly vsBtc: number } | undefined;
  readonly comparedWith: ComparedWith;
}

/**
 * The verdict against BTC. The bought outcomes decide, because the service gives no interval of its figure. But the service
 * counts all outcomes, of which an account with many cards buys a small part. Where its figure contradicts the verdict, the
 * verdict is unclear.
 * @param before the verdict until now, if there is one (see `verdictByRule`)
 * @returns null if nothing is measured
 */
export function decideVsBtc(
  { vsBtc, service, comparedWith }: DifferencesToBtc,
  rule: Rule,
  before?: Verdict | null,
): Verdict | null {
  const verdict = verdictByRule(vsBtc, rule, before);
  // If the group is compared with BTC alone, the bought outcomes alone decide.
  if (verdict === null || service === undefined || comparedWith === 'btc') return verdict;
  return isContradicted(verdict, service.vsBtc, rule) ? 'unclear' : verdict;
}

/** @param figure the service's figure, percentage points */
function isContradicted(verdict: Verdict, figure: number, { least }: Rule): boolean {
  switch (verdict) {
    case 'above':
      return figure <= 0;
    case 'below':
      return figure >= 0;
    case 'small':
      return Math.abs(figure) > least;
    case 'unclear':
    case 'too_few_days':
      return false;
  }
}
