/** What a command will cost, before it spends anything. Pure. */
import { LIMITS, OPERATIONS, type OperationName } from '../api/operations.ts';

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
  /** Whether `--max-credits` may end it early: `most` is then what the ceiling allows. */
  readonly capped: boolean;
}

/**
 * @param work what a command would do
 * @param pace milliseconds that pacing makes that many requests take: `Account.pace`
 * @param ceiling `--max-credits`, where given
 */
export function quote(work: readonly Work[], pace: (requests: number) => number, ceiling?: number | undefined): Quote {
  const requests = sum(work.map((part) => part.requests));
  const full = sum(work.map((part) => times(part.requests, OPERATIONS[part.operation].cost)));
  const pages = sum(work.filter((part) => part.operation === 'signals').map((part) => part.requests));
  const capped = ceiling !== undefined && (full.most === undefined || full.most > ceiling);
  const credits = capped ? { least: Math.min(full.least, ceiling), most: ceiling } : full;
  const most = requests.most ?? (capped ? affordable(work, ceiling) : undefined);
  return {
    requests: { least: requests.least, most },
    credits,
    pages: capped && pages.most === undefined ? { least: Math.min(pages.least, ceiling), most: ceiling } : pages,
    pacing: { least: pace(requests.least), most: most === undefined ? undefined : pace(most) },
    capped,
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

/** At most this many requests of open-ended work leave within `ceiling`: the free ones, and one a credit. */
function affordable(work: readonly Work[], ceiling: number): number {
  const free = work.filter((part) => OPERATIONS[part.operation].cost === 0);
  return free.reduce((total, part) => total + (part.requests.most ?? part.requests.least), 0) + ceiling;
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
