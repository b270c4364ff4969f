import type { OperationName, ParamsOf, ResourceOf } from './operations.ts';

/** The HTTP layer as commands see it: a call waits for its turn, is retried where that is safe, and is checked. */
export interface Client {
  /**
   * @throws ScreenerError with the exit code of the failure; the signal's reason when interrupted.
   */
  call<N extends OperationName>(name: N, params: ParamsOf<N>, signal?: AbortSignal): Promise<ResourceOf<N>>;
}
