/** Checks the document's price list: compares what `/access` says was used with what the command has sent. */
import { IMPLAUSIBLE_PRICE, type SinceLastAnswer } from './record-access.ts';
import { addTo } from './usage.ts';

/** Credits that a command spends before it first asks `/access` for a check: a short command is not worth the question. */
const BEFORE_FIRST_LOOK = 5;
/** Credits between two looks at first. Each look that finds the prices right doubles the distance to the next. */
const BETWEEN_LOOKS = 10;
/** Credits between two looks after one that found the prices wrong. */
const BETWEEN_LOOKS_IN_DOUBT = 5;
/** Fewer credits than these do not tell a price: other programs spend as few by chance. */
const LEAST_TO_JUDGE = 5;

/** What a command has sent up to now. */
export interface SentByCommand {
  /** All requests, the free ones among them. */
  readonly requests: number;
  /** Credits by operation, at the document's prices. */
  readonly credits: ReadonlyMap<string, number>;
}

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

/** Stands for all operations together, in the place of the name of one. */
const ALL = 'all operations';

/** What was sent in some time, and what was used beyond it. */
interface Period {
  /** Credits by operation, and of `ALL`, at the document's prices. */
  readonly sent: Map<string, number>;
  /** Credits used that the requests do not explain. */
  excess: number;
}

/**
 * Prices that would explain an excess. The key is an operation, or `ALL`. The value is a whole multiple of the document's
 * price, which is charged in addition to it: 1 if the price has doubled.
 */
type Surcharges = ReadonlyMap<string, number>;

/**
 * The rule: an overcharge is found if a higher price explains the excess exactly, and if no other program of the account
 * is known to run. The price may be that of all operations, or of one (54 credits used for 30 sent, 24 of these for
 * outcomes: each outcome costs 2). If the same price explains the next excess, too, the command ends.
 *
 * Only the amount tells an overcharge from the spending of another program:
 * - Another program on this machine is seen in the ledger: more requests were recorded than this command sent.
 * - Another machine cannot be seen. But credits that went while nothing was sent here, or far too many for any price,
 *   prove that one spends (`hasNeighbours`). For 14 days then no overcharge is found.
 * - A machine that was not noticed yet, and that twice in a row spends exactly what a higher price would, is taken for an
 *   overcharge. The command ends, and the next answer of `/access` proves that the machine is there.
 */
export class PriceCheck {
  /** What this command had sent when its last answer of `/access` came; undefined before the first. */
  #atLastAnswer: (SentByCommand & { readonly at: number }) | undefined;
  #untilNextLook = BETWEEN_LOOKS;
  #sinceVerdict = emptyPeriod();
  readonly #whole = emptyPeriod();
  /** Surcharges that are in doubt: a verdict found them, and no later one has cleared their operation. */
  #surcharges: Surcharges = new Map();

  /** Whether `/access` is to be asked before the next request. */
  isDue({ credits }: Pick<SentByCommand, 'credits'>): boolean {
    const sent = sumOf(credits);
    if (this.#atLastAnswer === undefined) return sent >= BEFORE_FIRST_LOOK;
    return sent - sumOf(this.#atLastAnswer.credits) >= this.#untilNextLook;
  }

  /**
   * Takes in what an answer of `/access` says.
   * @param at when the answer came, epoch milliseconds UTC
   * @param since what the answer says; undefined in a new month
   */
  learn(
    sent: SentByCommand,
    at: number,
    since: SinceLastAnswer | undefined,
  ): Overcharge | undefined {
    const last = this.#atLastAnswer;
    this.#atLastAnswer = { at, requests: sent.requests, credits: new Map(sent.credits) };
    if (last === undefined || since === undefined) return undefined;
    const isAlone = since.from === last.at && since.requests === sent.requests - last.requests;
    if (!isAlone || since.hasNeighbours) {
      this.#sinceVerdict = emptyPeriod();
      this.#surcharges = new Map();
      return undefined;
    }
    for (const period of [this.#sinceVerdict, this.#whole]) {
      for (const [operation, credits] of sent.credits) {
        const sentBefore = last.credits.get(operation) ?? 0;
        addTo(period.sent, operation, credits - sentBefore);
        addTo(period.sent, ALL, credits - sentBefore);
      }
      period.excess += since.unexplained;
    }
    return this.#isEnoughToJudge() ? this.#judge() : undefined;
  }

  /** Whether enough was sent since the last verdict: of an operation that is in doubt, if there is one. */
  #isEnoughToJudge(): boolean {
    const inDoubt = [...this.#surcharges.keys()];
    const operations = inDoubt.length > 0 ? inDoubt : [ALL];
    return operations.some(
      (operation) => creditsOf(this.#sinceVerdict, operation) >= LEAST_TO_JUDGE,
    );
  }

  #judge(): Overcharge | undefined {
    const period = this.#sinceVerdict;
    const inDoubt = this.#surcharges;
    const surcharges = surchargesThatExplain(period);
    // Too little was sent of these operations to clear them of doubt.
    const undecided = [...inDoubt].filter(
      ([operation]) => creditsOf(period, operation) < LEAST_TO_JUDGE,
    );
    this.#sinceVerdict = emptyPeriod();
    this.#surcharges = new Map([...undecided, ...surcharges]);
    if (period.excess === 0 && this.#surcharges.size === 0) this.#untilNextLook *= 2;
    if (surcharges.size === 0) return undefined;
    this.#untilNextLook = BETWEEN_LOOKS_IN_DOUBT;
    const expected = creditsOf(this.#whole, ALL);
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

/** @param operation an operation, or `ALL` */
function creditsOf({ sent }: Period, operation: string): number {
  return sent.get(operation) ?? 0;
}

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
