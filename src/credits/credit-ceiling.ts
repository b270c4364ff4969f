import { LIMITS } from '../api/limits.ts';
import { ScreenerError } from '../errors.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { atMost, monthLeft, NOTHING, type Spending, type Usage } from './usage.ts';

export type LimitName = 'max_credits' | 'keep' | 'day' | 'month';

export interface CreditsLeft {
  /** Never negative; Infinity if no limit is known. */
  readonly credits: number;
  readonly limit: LimitName;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** One invocation's limits. Requests that wait for their turn count against the ceiling. */
export class CreditCeiling {
  readonly keep: number;
  readonly #maxCredits: number;
  #reserved = 0;
  #spent = NOTHING;

  constructor(maxCredits: number = NO_LIMIT, keep = 0) {
    this.#maxCredits = maxCredits;
    this.keep = keep;
  }

  /** @param known `today`: spent here on this UTC day; `month`: credits left */
  left(known: { readonly today?: Spending | undefined; readonly month: number | undefined }): CreditsLeft {
    const { today, month = NO_LIMIT } = known;
    const all: [LimitName, number][] = [
      ['max_credits', this.#maxCredits - atMost(this.#spent)],
      ['day', today === undefined ? NO_LIMIT : LIMITS.creditsPerDay - atMost(today)],
      ['month', month],
      ['keep', month - this.keep],
    ];
    const [limit, credits] = all.reduce((a, b) => (b[1] < a[1] ? b : a));
    return { limit, credits: Math.max(0, credits) };
  }

  /** @throws ScreenerError budget_reached */
  reserve(cost: number): void {
    const left = this.#maxCredits - atMost(this.#spent) - this.#reserved;
    if (cost > Math.max(0, left)) {
      const most = `--max-credits ${this.#maxCredits} leaves ${Math.max(0, left)}`;
      throw new ScreenerError('budget_reached', `${most}, and the next request costs ${cost}.`, {
        hint: 'Raise --max-credits, or continue later from where this stopped.',
      });
    }
    this.#reserved += cost;
  }

  /** What is under way counts as spent. @throws ScreenerError budget_reached */
  checkReserve(usage: Usage, cost: number, now: number): void {
    const left = monthLeft(usage, now);
    if (this.keep === 0 || cost === 0 || left === undefined || left - cost >= this.keep) return;
    throw new ScreenerError(
      'budget_reached',
      `--keep ${this.keep} is reached: ${pluralize(left, 'credit')} of this month left, and the next request costs ${cost}.`,
      { hint: 'Lower --keep (or SCREENER_KEEP), or wait until the credits reset.' },
    );
  }

  giveBack(cost: number): void {
    this.#reserved -= cost;
  }

  spend(cost: number, status: number | undefined): void {
    this.#reserved -= cost;
    const { requests, charged, uncertain } = this.#spent;
    const isCharged = status === 200;
    this.#spent = {
      requests: requests + 1,
      charged: charged + (isCharged ? cost : 0),
      uncertain: uncertain + (isCharged ? 0 : cost),
    };
  }

  spent(): Spending {
    return { ...this.#spent };
  }
}
