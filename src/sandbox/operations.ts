import { OPERATIONS, type OperationName } from '../api/operations.ts';

export const PREFIX = '/api/external/v1';

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

export interface Route {
  readonly operation: OperationName;
  /** The path parameter of `/signals/{id}` as it stands in the path. */
  readonly id?: string;
}

/** @returns undefined for a path the document does not list */
export function routeOf(path: string): Route | undefined {
  if (!path.startsWith(`${PREFIX}/`)) return undefined;
  const rest = path.slice(PREFIX.length);
  const id = /^\/signals\/([^/]+)$/.exec(rest)?.[1];
  if (id !== undefined) return { operation: 'signal', id };
  const operation = OPERATION_NAMES.find((name) => OPERATIONS[name].path === rest);
  return operation && { operation };
}
