/** What a command will cost, before it spends anything. Pure. */
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS, type OperationName } from '../api/operations.ts';

/** `most` is Infinity if nobody knows: the service gives no total. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export interface Work {
  readonly operation: OperationName;
  readonly requests: Bounds;
}

export function listWork(given: {
  all: boolean;
  limit: number | undefined;
  outcomes: boolean;
}): Work[] {
  const { all, limit = LIMITS.cardsPerPage, outcomes } = given;
  const cards = all ? Number.POSITIVE_INFINITY : limit;
  const list: Work = {
    operation: 'signals',
    requests: { least: 1, most: Math.ceil(cards / LIMITS.cardsPerPage) },
  };
  return outcomes ? [list, { operation: 'signal', requests: { least: 0, most: cards } }] : [list];
}

/** @param ceiling credits that --max-credits and --keep allow: what comes first is paid first */
export function quote(work: readonly Work[], ceiling: number) {
  const least = total(work, 'least', ceiling);
  const most = total(work, 'most', ceiling);
  const boundsOf = (name: keyof typeof least): Bounds => ({ least: least[name], most: most[name] });
  return { requests: boundsOf('requests'), credits: boundsOf('credits'), pages: boundsOf('pages') };
}

function total(work: readonly Work[], bound: keyof Bounds, ceiling: number) {
  const sum = { requests: 0, credits: 0, pages: 0 };
  for (const { operation, requests } of work) {
    const { cost } = OPERATIONS[operation];
    const left = Number.isFinite(ceiling) ? ceiling - sum.credits : ceiling;
    const sent = cost === 0 ? requests[bound] : Math.min(requests[bound], Math.floor(left / cost));
    sum.requests += sent;
    sum.credits += sent * cost;
    if (operation === 'signals') sum.pages += sent;
  }
  return sum;
}
