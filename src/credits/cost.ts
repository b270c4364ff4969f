/** What a command will cost, before it spends anything. Pure. */
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS, type OperationName } from '../api/operations.ts';

/** Bounds of a number. `most` is Infinity if nothing bounds it: the service does not say how many cards a list has. */
export interface LeastAndMost {
  readonly least: number;
  readonly most: number;
}

/** Requests that a command will send. */
export interface Work {
  readonly operation: OperationName;
  readonly requests: LeastAndMost;
}

/** How many cards of the list are asked for, and whether with outcomes. */
interface CardsToList {
  /** Whether every page is asked for. */
  readonly all: boolean;
  /** The most cards to list; undefined for one page. It has no effect with `all`. */
  readonly limit: number | undefined;
  /** Whether each card's outcome is bought, too. */
  readonly outcomes: boolean;
}

/** The requests of a list: its pages, and a detail for each card whose outcome is bought. */
export function listWork({ all, limit = LIMITS.cardsPerPage, outcomes }: CardsToList): Work[] {
  const cards = all ? Number.POSITIVE_INFINITY : limit;
  const list: Work = {
    operation: 'signals',
    requests: { least: 1, most: Math.ceil(cards / LIMITS.cardsPerPage) },
  };
  if (!outcomes) return [list];
  return [list, { operation: 'signal', requests: { least: 0, most: cards } }];
}

export interface Quote {
  readonly requests: LeastAndMost;
  readonly credits: LeastAndMost;
  /** Pages of `/signals` among the requests. */
  readonly pages: LeastAndMost;
}

/**
 * What work costs.
 * @param work in the order of the requests: earlier ones use up the ceiling first
 * @param ceiling credits that --max-credits, SCREENER_DAILY and --keep allow; undefined if none of the three is set
 */
export function quote(work: readonly Work[], ceiling?: number): Quote {
  const least = total(work, 'least', ceiling);
  const most = total(work, 'most', ceiling);
  return {
    requests: { least: least.requests, most: most.requests },
    credits: { least: least.credits, most: most.credits },
    pages: { least: least.pages, most: most.pages },
  };
}

interface Total {
  requests: number;
  credits: number;
  pages: number;
}

/** @param bound which bound of the requests is summed up */
function total(
  work: readonly Work[],
  bound: keyof LeastAndMost,
  ceiling: number | undefined,
): Total {
  const sum: Total = { requests: 0, credits: 0, pages: 0 };
  for (const { operation, requests } of work) {
    const { cost } = OPERATIONS[operation];
    const isLimited = ceiling !== undefined && cost > 0;
    const affordable = isLimited
      ? Math.floor((ceiling - sum.credits) / cost)
      : Number.POSITIVE_INFINITY;
    const sent = Math.min(requests[bound], affordable);
    sum.requests += sent;
    sum.credits += sent * cost;
    if (operation === 'signals') sum.pages += sent;
  }
  return sum;
}
