import type { OperationName, ParamsOf, ResourceOf } from './operations.ts';

/** The HTTP layer as commands see it: one call, retried and paced as DESIGN and api.md say. */
export interface Client {
  /**
   * @throws ScreenerError with the exit code of the failure; the signal's reason when interrupted.
   */
  call<N extends OperationName>(name: N, params: ParamsOf<N>, signal?: AbortSignal): Promise<ResourceOf<N>>;
}
