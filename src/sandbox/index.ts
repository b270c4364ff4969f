import { createApi, type LoggedRequest } from './api.ts';
import { behaviourOf, numberSwitch } from './behaviour.ts';
import { type Fault, parseFault } from './faults.ts';
import { createMarketWorld } from './market/market-world.ts';
import type { SnapshotState } from './market/snapshot.ts';
import { PREFIX } from './operations.ts';
import type { Used } from './quota.ts';
import { listen } from './server.ts';
import type { SwitchTexts } from './switches.ts';
import type { World } from './world.ts';

export type { ApiOptions, LoggedRequest } from './api.ts';
export { createApi } from './api.ts';
export { behaviourOf } from './behaviour.ts';
export type { Fault } from './faults.ts';
export { parseFault } from './faults.ts';
export { createMarketWorld } from './market/market-world.ts';
export type { ApiRequest, ApiResponse } from './response.ts';
export type { SwitchTexts } from './switches.ts';
export type { CardKey, World, WorldParts } from './world.ts';
export { worldOf } from './world.ts';

/** Good for nothing but a sandbox: it is printed, and the same every time. */
export const SANDBOX_KEY = 'sandbox-key';

/** The switches (see `switches.ts`), as text or number, and what only a program can give. */
export interface SandboxOptions extends SwitchTexts {
  readonly faults?: readonly (Fault | string)[] | undefined;
  readonly key?: string | undefined;
  /** Epoch milliseconds UTC. */
  readonly now?: (() => number) | undefined;
  /** In place of the generated market. */
  readonly world?: World | undefined;
  /** Whether the market snapshot is up to date; default `fresh`. */
  readonly snapshot?: SnapshotState | undefined;
  readonly onRequest?: ((entry: LoggedRequest) => void) | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT/api/external/v1` */
  readonly baseUrl: string;
  readonly key: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Credits used this month and this day, requests in the last 60 seconds. */
  readonly quota: Used;
  /** Counts requests from now on. @throws ScreenerError usage for a text that is no fault */
  addFault(fault: Fault | string): void;
  setWorld(world: World): void;
  /** Credits spent by another client of the account; `today: false` for an earlier day of this month. */
  spend(credits: number, options?: { today?: boolean }): void;
  close(): Promise<void>;
}

/**
 * Starts the API of the document on loopback, for script authors, for `--demo` and for tests.
 * The same seed gives the same market at the same time.
 * @throws ScreenerError usage, where the port is taken or a fault or switch cannot be read
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const key = options.key ?? SANDBOX_KEY;
  const behaviour = behaviourOf(options);
  const api = createApi({
    key,
    perMinute: numberSwitch(options, 'perMinute') ?? 15,
    dayCredits: numberSwitch(options, 'dayCredits') ?? 150,
    monthCredits: numberSwitch(options, 'monthCredits') ?? 1000,
    faults: (options.faults ?? []).map(faultOf),
    behaviour,
    now,
    world:
      options.world ??
      createMarketWorld({
        seed: numberSwitch(options, 'seed') ?? 1,
        cards: numberSwitch(options, 'cards') ?? 300,
        startedAt: now(),
        snapshot: options.snapshot ?? 'fresh',
      }),
    onRequest: options.onRequest,
  });
  const server = await listen(api.handle, numberSwitch(options, 'port') ?? 0, behaviour);
  return {
    baseUrl: `http://127.0.0.1:${server.port}${PREFIX}`,
    key,
    requests: api.requests,
    get quota() {
      return api.quota.used(now());
    },
    addFault: (fault) => api.addFault(faultOf(fault)),
    setWorld: api.setWorld,
    spend: (credits, { today = true } = {}) => api.quota.spend(credits, now(), today),
    close: server.close,
  };
}

const faultOf = (fault: Fault | string): Fault => (typeof fault === 'string' ? parseFault(fault) : fault);
