import { ScreenerError } from '../errors.ts';
import type { Spending } from './types.ts';

/** What one invocation may spend and has spent. Requests that wait for their turn are counted against the ceiling. */
export class CreditCeiling {
  readonly #ceiling: number | undefined;
  #reserved = 0;
  #requests = 0;
  #charged = 0;
  #uncertain = 0;

  /** @param ceiling credits; undefined: no limit */
  constructor(ceiling: number | undefined) {
    this.#ceiling = ceiling;
  }

  /** @throws ScreenerError budget_reached where `cost` more credits could exceed the ceiling */
  reserve(cost: number): void {
    const gone = this.#charged + this.#uncertain + this.#reserved;
    if (this.#ceiling !== undefined && cost > 0 && gone + cost > this.#ceiling) {
      throw new ScreenerError('budget_reached', beyond(this.#ceiling, gone, cost), {
        hint: 'Raise --max-credits, or go on later from where this stopped.',
      });
    }
    this.#reserved += cost;
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

function beyond(ceiling: number, gone: number, cost: number): string {
  if (ceiling === 0) return `--max-credits is 0, and this request costs ${cost}.`;
  const left = ceiling - gone;
  if (left <= 0) return `The limit of --max-credits ${ceiling} is reached.`;
  return `--max-credits ${ceiling} leaves ${left}, and the next request costs ${cost}.`;
}
