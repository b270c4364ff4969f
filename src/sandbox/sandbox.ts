import { type Api, type ApiOptions, createApi } from './api.ts';
import { PREFIX } from './operations.ts';
import { DEFAULTS } from './options.ts';
import { listen } from './server.ts';

export interface Sandbox extends Api {
  /** `http://127.0.0.1:PORT/api/external/v1` */
  readonly baseUrl: string;
  close(): Promise<void>;
}

export interface SandboxOptions extends ApiOptions {
  /** 0 for any free one. */
  readonly port?: number | undefined;
  /** Whether answers have a Date header: as servers do, and need not. */
  readonly dated?: boolean;
}

/**
 * Starts the API of the document on loopback, for script authors, for `--demo` and for tests.
 * The same seed gives the same market at the same time.
 * @throws ScreenerError usage, where the port is taken or a fault cannot be read
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const api = createApi(options);
  const { now = Date.now, dated = true } = options;
  const { port, close } = await listen(api.handle, options.port ?? DEFAULTS.port, dated ? now : undefined);
  return Object.assign(api, { baseUrl: `http://127.0.0.1:${port}${PREFIX}`, close });
}
