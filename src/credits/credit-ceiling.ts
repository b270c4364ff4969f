/** What may still be spent: the one place that works it out, for the gate, for estimates and for an export's budget. */
import { LIMITS } from '../api/limits.ts';
import { ScreenerError } from '../errors.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { monthLeft } from './spending.ts';
import type { CreditsLeft, LimitName, Spending } from './types.ts';
import { isWaiting, type Usage } from './usage.ts';

/** Credits that are gone, or may be: the document does not say whether failed requests count. */
export function atMost(spending: Pick<Spending, 'charged' | 'uncertain'>): number {
  return spending.charged + spending.uncertain;
}

/**
 * @param limits `maxCredits`: --max-credits; `keep`: --keep; `spent`: by this invocation; `today`: by this machine;
 *   `month`: credits left of the month, where that is known
 */
export function creditsLeft(limits: {
  readonly maxCredits?: number | undefined;
  readonly keep?: number | undefined;
  readonly spent: Spending;
  readonly today: Spending;
  readonly month: number | undefined;
}): CreditsLeft {
  const { maxCredits = Number.POSITIVE_INFINITY, keep = 0, month = Number.POSITIVE_INFINITY } = limits;
  const all: [LimitName, number][] = [
    ['max_credits', maxCredits - atMost(limits.spent)],
    ['day', LIMITS.creditsPerDay - atMost(limits.today)],
    ['month', month],
    ['keep', month - keep],
  ];
  const [limit, credits] = all.reduce((a, b) => (b[1] < a[1] ? b : a));
  return { limit, credits: Math.max(0, credits) };
}

/** What one invocation may spend and has spent. Requests that wait for their turn are counted against the ceiling. */
export class CreditCeiling {
  readonly max: number | undefined;
  readonly keep: number;
  #reserved = 0;
  #requests = 0;
  #charged = 0;
  #uncertain = 0;

  /**
   * @param max credits of --max-credits; undefined: no limit
   * @param keep credits of the month that stay untouched (--keep)
   */
  constructor(max: number | undefined, keep: number) {
    this.max = max;
    this.keep = keep;
  }

  /** @throws ScreenerError budget_reached where `cost` more credits could exceed the ceiling */
  reserve(cost: number): void {
    const gone = this.#charged + this.#uncertain + this.#reserved;
    if (this.max !== undefined && cost > 0 && gone + cost > this.max) {
      throw new ScreenerError('budget_reached', beyondCeiling(this.max, gone, cost), {
        hint: 'Raise --max-credits, or go on later from where this stopped.',
      });
    }
    this.#reserved += cost;
  }

  /**
   * Checks the reserve for a permit. Permits above it that wait count as spent: several commands with --keep together
   * do not cross it either.
   * @throws ScreenerError budget_reached
   */
  checkReserve(usage: Usage, nonce: string, now: number): void {
    const left = monthLeft(usage, now);
    const index = usage.permits.findIndex((permit) => permit.nonce === nonce);
    const cost = usage.permits[index]?.cost ?? 0;
    if (this.keep === 0 || cost === 0 || left === undefined) return;
    const above = usage.permits.slice(0, index).filter(isWaiting);
    const after = left - above.reduce((sum, permit) => sum + permit.cost, cost);
    if (after >= this.keep) return;
    throw new ScreenerError(
      'budget_reached',
      `--keep ${this.keep} is reached: ${pluralize(left, 'credit')} of this month left, and the next request costs ${cost}.`,
      { hint: 'Lower --keep (or SCREENER_KEEP), or wait until the credits reset.' },
    );
  }

  giveBack(cost: number): void {
    this.#reserved -= cost;
  }

  /** The request left and was answered, or its answer was lost. */
  spend(cost: number, status: number | undefined): void {
    this.#reserved -= cost;
    this.#requests += 1;
    if (status === 200) this.#charged += cost;
    else this.#uncertain += cost;
  }

  spent(): Spending {
    return { requests: this.#requests, charged: this.#charged, uncertain: this.#uncertain };
  }
}

function beyondCeiling(ceiling: number, gone: number, cost: number): string {
  if (ceiling === 0) return `--max-credits is 0, and this request costs ${cost}.`;
  const left = ceiling - gone;
  if (left <= 0) return `The limit of --max-credits ${ceiling} is reached.`;
  return `--max-credits ${ceiling} leaves ${left}, and the next request costs ${cost}.`;
}
