import type { OperationName, ParamsOf, ResourceOf } from './operations.ts';

/** The HTTP layer as commands see it: a call waits for its turn, is retried where that is safe, and is checked. */
export interface Client {
  /**
   * @param recheck one request on purpose, although the service asked to stay away; never retried
   * @throws ScreenerError with the exit code of the failure; the signal's reason when interrupted.
   */
  call<N extends OperationName>(
    name: N,
    params: ParamsOf<N>,
    signal?: AbortSignal,
    recheck?: true,
  ): Promise<ResourceOf<N>>;
}
