/**
 * The six operations as a server knows them, read from parts 4 and 8 of the API document anew: a slip in the client's
 * own table must not be mirrored here.
 */
export const PREFIX = '/api/external/v1';

export const OPERATION_NAMES = ['access', 'snapshot', 'screeners', 'signals', 'signal', 'stats'] as const;
export type Operation = (typeof OPERATION_NAMES)[number];

/** Credits of one successful request. */
export const COST: Readonly<Record<Operation, number>> = {
  access: 0,
  snapshot: 1,
  screeners: 1,
  signals: 1,
  signal: 1,
  stats: 5,
};

const PATHS: Readonly<Record<string, Operation>> = {
  '/access': 'access',
  '/market-snapshot': 'snapshot',
  '/screeners': 'screeners',
  '/signals': 'signals',
  '/signal-stats': 'stats',
};

export interface Route {
  readonly operation: Operation;
  /** The path parameter of `/signals/{id}` as it stands in the path. */
  readonly id?: string;
}

/** @returns undefined for a path the document does not list */
export function routeOf(path: string): Route | undefined {
  if (!path.startsWith(`${PREFIX}/`)) return undefined;
  const rest = path.slice(PREFIX.length);
  const operation = Object.hasOwn(PATHS, rest) ? PATHS[rest] : undefined;
  if (operation !== undefined) return { operation };
  const id = /^\/signals\/([^/]+)$/.exec(rest)?.[1];
  return id === undefined ? undefined : { operation: 'signal', id };
}
