/** What a command will cost, before it spends anything. Pure. */
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS, type OperationName } from '../api/operations.ts';

/** A number known in advance only within bounds. `most` is undefined where nobody knows: there is no total count. */
export interface Bounds {
  readonly least: number;
  readonly most: number | undefined;
}

/** Some requests of one operation. */
export interface Work {
  readonly operation: OperationName;
  readonly requests: Bounds;
}

export interface Quote {
  readonly requests: Bounds;
  readonly credits: Bounds;
  /** Pages of `/signals` among the requests. */
  readonly pages: Bounds;
  /** Milliseconds that pacing alone makes it take, given the ledger now. */
  readonly pacing: Bounds;
  /** Whether `--max-credits` may end it early: the bounds are then what the ceiling allows. */
  readonly capped: boolean;
}

/**
 * @param work what a command would do
 * @param pace milliseconds that pacing makes that many requests take: `Account.pace`
 * @param ceiling `--max-credits`, where given
 */
export function quote(work: readonly Work[], pace: (requests: number) => number, ceiling?: number | undefined): Quote {
  const affordable = ceiling === undefined ? work : within(work, ceiling);
  const requests = sum(affordable.map((part) => part.requests));
  return {
    requests,
    credits: sum(affordable.map((part) => times(part.requests, OPERATIONS[part.operation].cost))),
    pages: sum(affordable.filter((part) => part.operation === 'signals').map((part) => part.requests)),
    pacing: { least: pace(requests.least), most: requests.most === undefined ? undefined : pace(requests.most) },
    capped: affordable.some((part, index) => part.requests.most !== work[index]?.requests.most),
  };
}

/**
 * Pages of `/signals` that a listing asks for.
 * @param limit cards in all; ignored with `all`
 */
export function planPages({ limit, all }: { readonly limit: number; readonly all: boolean }): Bounds {
  if (all) return { least: 1, most: undefined };
  const most = Math.max(1, Math.ceil(limit / LIMITS.cardsPerPage));
  return { least: 1, most };
}

/** What of the work, in its order, `ceiling` credits pay for. */
function within(work: readonly Work[], ceiling: number): Work[] {
  const left = { least: ceiling, most: ceiling };
  return work.map(({ operation, requests }) => {
    const { cost } = OPERATIONS[operation];
    if (cost === 0) return { operation, requests };
    const least = Math.min(requests.least, Math.floor(left.least / cost));
    const most = Math.min(requests.most ?? Number.POSITIVE_INFINITY, Math.floor(left.most / cost));
    left.least -= least * cost;
    left.most -= most * cost;
    return { operation, requests: { least, most } };
  });
}

function times({ least, most }: Bounds, cost: number): Bounds {
  return { least: least * cost, most: cost === 0 ? 0 : most === undefined ? undefined : most * cost };
}

function sum(parts: readonly Bounds[]): Bounds {
  return parts.reduce(
    (total, part) => ({
      least: total.least + part.least,
      most: total.most === undefined || part.most === undefined ? undefined : total.most + part.most,
    }),
    { least: 0, most: 0 },
  );
}
