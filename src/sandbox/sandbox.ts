import { type Api, type ApiOptions, createApi } from './api.ts';
import { PREFIX } from './operations.ts';
import { listen } from './server.ts';

export interface Sandbox extends Api {
  /** `http://127.0.0.1:PORT/api/external/v1` */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/**
 * Starts the API of the document on loopback, for script authors, for `--demo` and for tests.
 * The same seed gives the same market at the same time.
 * @throws ScreenerError usage, where the port is taken or a fault or switch cannot be read
 */
export async function startSandbox(options: ApiOptions = {}): Promise<Sandbox> {
  const api = createApi(options);
  const { port, close } = await listen(api.handle, api.switches.port, api.switches.latency);
  return Object.assign(api, { baseUrl: `http://127.0.0.1:${port}${PREFIX}`, close });
}
