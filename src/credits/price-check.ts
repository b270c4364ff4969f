/** The document's price list, checked: what `/access` says was used during a command beside what the command sent. */
import type { SinceLastAnswer } from './record-access.ts';
import { add, atMost, type Spending } from './usage.ts';

/** Credits: a command that spends fewer is not worth a question. */
const FIRST_LOOK_AFTER = 5;
/** Credits between two looks at first: each look that finds prices right doubles them. */
const CREDITS_BETWEEN_LOOKS = 10;
/** Credits between two looks after one that found them wrong, and the fewest that tell anything. */
const FEWEST = 5;
/** So many verdicts in a row end the command: the first may be a neighbour's burst. */
const VERDICTS_TO_STOP = 2;

/** More was used than was sent, at the document's prices. */
export interface Overcharge {
  /** Credits since the last verdict, beyond what was expected. */
  readonly excess: number;
  /** Credits of the whole command, as far as answers of `/access` tell. */
  readonly charged: number;
  readonly expected: number;
  /** Whether the command is to stop. */
  readonly isConfirmed: boolean;
}

/**
 * The rule. Only the amount tells an overcharge from the spending of another program of the account. So one is found
 * where the amount looks like a price, as much again for each request, and where no other program is known to run:
 * - on this machine the ledger knows: between two answers that this command got, every request was its own;
 * - elsewhere nobody can know. But credits that went while nothing was sent here, or far too few requests to explain
 *   them by any price, prove another program: for 14 days then no overcharge is found (`hasNeighbours`).
 * A neighbour who is not known yet, and who twice in a row spends just as much as this command, is taken for an
 * overcharge: the command ends, and the next answer of `/access` proves the neighbour.
 */
export class PriceCheck {
  /** What this command had spent when its last answer of `/access` came; undefined before the first. */
  #atLastAnswer: { readonly at: number; readonly spent: Spending } | undefined;
  #lookAfter = CREDITS_BETWEEN_LOOKS;
  /** How many times the document's price was charged beyond it, by the last verdict, and how often in a row. */
  #surcharge = { factor: 0, inARow: 0 };
  /** Credits since the last verdict, and of the whole command. */
  #sinceVerdict = { expected: 0, excess: 0 };
  #whole = { expected: 0, excess: 0 };

  /** Whether `/access` is to be asked before the next request. @param spent by this command */
  isDue(spent: Spending): boolean {
    if (this.#atLastAnswer === undefined) return atMost(spent) >= FIRST_LOOK_AFTER;
    return atMost(spent) - atMost(this.#atLastAnswer.spent) >= this.#lookAfter;
  }

  /**
   * @param spent by this command
   * @param at when the answer came, epoch milliseconds UTC
   * @param since what the answer says; undefined in a new month
   */
  learn(spent: Spending, at: number, since: SinceLastAnswer | undefined): Overcharge | undefined {
    const last = this.#atLastAnswer;
    this.#atLastAnswer = { at, spent: { ...spent } };
    if (last === undefined || since === undefined) return undefined;
    const isAlone =
      since.from === last.at && since.requests === spent.requests - last.spent.requests;
    if (!isAlone || since.hasNeighbours) {
      this.#sinceVerdict = { expected: 0, excess: 0 };
      this.#surcharge = { factor: 0, inARow: 0 };
      return undefined;
    }
    const expected = atMost(spent) - atMost(last.spent);
    for (const sum of [this.#sinceVerdict, this.#whole]) {
      sum.expected += expected;
      sum.excess += since.unexplained;
    }
    const overcharge = this.#sinceVerdict.expected < FEWEST ? undefined : this.#judge();
    // The account counts it as spent by this command, from now on.
    if (overcharge !== undefined)
      add(this.#atLastAnswer.spent, { requests: 0, charged: overcharge.excess, uncertain: 0 });
    return overcharge;
  }

  #judge(): Overcharge | undefined {
    const { expected, excess } = this.#sinceVerdict;
    this.#sinceVerdict = { expected: 0, excess: 0 };
    const factor = excess / expected;
    if (factor === 0 || !Number.isInteger(factor)) {
      this.#surcharge = { factor: 0, inARow: 0 };
      // What no price explains has not shown that prices are right.
      if (factor === 0) this.#lookAfter *= 2;
      return undefined;
    }
    const inARow = factor === this.#surcharge.factor ? this.#surcharge.inARow + 1 : 1;
    this.#surcharge = { factor, inARow };
    this.#lookAfter = FEWEST;
    return {
      excess,
      charged: this.#whole.expected + this.#whole.excess,
      expected: this.#whole.expected,
      isConfirmed: inARow >= VERDICTS_TO_STOP,
    };
  }
}
