/** Checks the document's price list: compares what `/access` says was used with what the command has sent. */
import { IMPLAUSIBLE_PRICE, type SinceLastAnswer } from './record-access.ts';
import { addTo } from './usage.ts';

/** Credits that a command spends before its first check: shorter commands are not checked. */
const CREDITS_BEFORE_FIRST_CHECK = 5;
/** Credits between the first check and the second. Each check that finds the prices right doubles the distance. */
const CREDITS_BETWEEN_CHECKS = 10;
/** Credits between two checks after one that found the prices wrong. */
const CREDITS_BETWEEN_CHECKS_IN_DOUBT = 5;
/** Credits that must have been sent for a verdict: with fewer, what other programs spend may look like a price. */
const LEAST_TO_JUDGE = 5;

/** What a command has sent up to now. */
export interface SentByCommand {
  /** All requests, the free ones among them. */
  readonly requests: number;
  /** Credits by operation, at the document's prices. */
  readonly credits: ReadonlyMap<string, number>;
}

/** The service charged more than the document's prices. */
export interface Overcharge {
  /** Credits since the last verdict that the document's prices do not explain. */
  readonly excess: number;
  /** What the whole command was charged, as far as answers of `/access` tell. */
  readonly charged: number;
  /** What the whole command would have been charged at the document's prices. */
  readonly expected: number;
  /** Whether the same price was found twice in a row: then the command stops. */
  readonly isConfirmed: boolean;
}

/** Stands in the place of an operation's path: all operations together. */
const ALL = 'all operations';

/** What was sent within some time, and what was charged beyond it. */
interface Period {
  /** Credits at the document's prices, by operation, and for `ALL`. */
  readonly sent: Map<string, number>;
  /** Credits charged beyond those. */
  excess: number;
}

/**
 * Prices that would explain an excess: by operation, and for `ALL`. The value says how many times the document's price is
 * charged in addition to it: 1 if the price has doubled, 2 if it is three times as high.
 */
type Surcharges = ReadonlyMap<string, number>;

/**
 * Finds an overcharge. The rule: a higher price explains the excess exactly, and no other program of the account is known to
 * run. The price may be that of all operations, or of one. (An example: requests for 30 credits were sent, 24 of them for
 * outcomes, and 54 were charged. The excess of 24 is explained if each outcome costs 2.) If the same price explains the next
 * excess, too, the command ends.
 *
 * Only the amount tells an overcharge from the spending of another program:
 * - Another program on this machine is seen in the ledger: more requests were recorded than this command sent.
 * - Another machine cannot be seen. But credits that went while nothing was sent here, or far too many for any price,
 *   prove that another machine spends (`hasNeighbours`). For 14 days then no overcharge is found.
 * - A machine that was not noticed yet, and that twice in a row spends exactly what a higher price would, is taken for an
 *   overcharge. The command ends, and the next answer of `/access` proves that the machine is there.
 */
export class PriceCheck {
  /** What this command had sent when its last answer of `/access` came; undefined before the first. */
  #atLastAnswer: (SentByCommand & { readonly at: number }) | undefined;
  #creditsUntilNextCheck = CREDITS_BETWEEN_CHECKS;
  #sinceVerdict = emptyPeriod();
  /** The whole command. */
  readonly #whole = emptyPeriod();
  /** The surcharges that an earlier verdict found, and that no later verdict has taken back. */
  #surcharges: Surcharges = new Map();

  /** Whether `/access` is to be asked before the next request. */
  isDue({ credits }: Pick<SentByCommand, 'credits'>): boolean {
    const creditsSent = sumOf(credits);
    if (this.#atLastAnswer === undefined) return creditsSent >= CREDITS_BEFORE_FIRST_CHECK;
    return creditsSent - sumOf(this.#atLastAnswer.credits) >= this.#creditsUntilNextCheck;
  }

  /**
   * Takes in an answer of `/access`.
   * @param at when the answer came, epoch milliseconds UTC
   * @param since what the answer says of the time since the one before it; undefined in a new month
   * @returns undefined if no overcharge was found
   */
  learn(
    sent: SentByCommand,
    at: number,
    since: SinceLastAnswer | undefined,
  ): Overcharge | undefined {
    const lastAnswer = this.#atLastAnswer;
    this.#atLastAnswer = { at, requests: sent.requests, credits: new Map(sent.credits) };
    if (lastAnswer === undefined || since === undefined) return undefined;
    // Another program on this machine has neither asked `/access` nor sent a request since this command's last answer.
    const isAlone =
      since.from === lastAnswer.at && since.requests === sent.requests - lastAnswer.requests;
    if (!isAlone || since.hasNeighbours) {
      this.#sinceVerdict = emptyPeriod();
      this.#surcharges = new Map();
      return undefined;
    }
    for (const period of [this.#sinceVerdict, this.#whole]) {
      for (const [operation, credits] of sent.credits) {
        const sentBefore = lastAnswer.credits.get(operation) ?? 0;
        addTo(period.sent, operation, credits - sentBefore);
        addTo(period.sent, ALL, credits - sentBefore);
      }
      period.excess += since.unexplained;
    }
    return this.#isEnoughToJudge() ? this.#judge() : undefined;
  }

  /** Whether enough was sent since the last verdict. If some operations are in doubt, enough must have been sent of one of them. */
  #isEnoughToJudge(): boolean {
    const inDoubt = [...this.#surcharges.keys()];
    const operations = inDoubt.length > 0 ? inDoubt : [ALL];
    return operations.some((operation) => sentOf(this.#sinceVerdict, operation) >= LEAST_TO_JUDGE);
  }

  #judge(): Overcharge | undefined {
    const period = this.#sinceVerdict;
    const inDoubt = this.#surcharges;
    const surcharges = surchargesThatExplain(period);
    // Too few requests of these operations were sent to take their surcharges back.
    const undecided = [...inDoubt].filter(
      ([operation]) => sentOf(period, operation) < LEAST_TO_JUDGE,
    );
    this.#sinceVerdict = emptyPeriod();
    this.#surcharges = new Map([...undecided, ...surcharges]);
    if (period.excess === 0 && this.#surcharges.size === 0) this.#creditsUntilNextCheck *= 2;
    if (surcharges.size === 0) return undefined;
    this.#creditsUntilNextCheck = CREDITS_BETWEEN_CHECKS_IN_DOUBT;
    const expected = sentOf(this.#whole, ALL);
    return {
      excess: period.excess,
      charged: expected + this.#whole.excess,
      expected,
      isConfirmed: [...surcharges].some(([operation, factor]) => inDoubt.get(operation) === factor),
    };
  }
}

function emptyPeriod(): Period {
  return { sent: new Map(), excess: 0 };
}

/** Credits that were sent, at the document's prices. @param operation an operation, or `ALL` */
function sentOf({ sent }: Period, operation: string): number {
  return sent.get(operation) ?? 0;
}

/** All prices that explain the excess exactly. */
function surchargesThatExplain({ sent, excess }: Period): Surcharges {
  const surcharges = new Map<string, number>();
  if (excess === 0) return surcharges;
  for (const [operation, credits] of sent) {
    if (credits < LEAST_TO_JUDGE) continue;
    const factor = excess / credits;
    if (Number.isInteger(factor) && factor <= IMPLAUSIBLE_PRICE) surcharges.set(operation, factor);
  }
  return surcharges;
}

function sumOf(credits: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const ofOperation of credits.values()) sum += ofOperation;
  return sum;
}
