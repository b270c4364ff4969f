/** The sandbox with what tests alone need: what it was asked is kept, and it can be changed while it serves. */
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import type { Allowances } from '../../src/api/limits.ts';
import { type ApiOptions, createApi as create, type LoggedRequest, SANDBOX_KEY } from '../../src/sandbox/api.ts';
import { readFault } from '../../src/sandbox/faults.ts';
import { createMarketWorld, snapshotAt } from '../../src/sandbox/market/market-world.ts';
import { settingsAt } from '../../src/sandbox/market/screeners.ts';
import { createQuota, type Quota } from '../../src/sandbox/quota.ts';
import { type Sandbox as Served, serve } from '../../src/sandbox/sandbox.ts';
import type { World } from '../../src/sandbox/world.ts';

interface Doors extends Pick<Served, 'key'> {
  /** Every request so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Credits used this month and this day. */
  readonly quota: ReturnType<Quota['used']>;
  /** Counts requests from now on. */
  addFault(fault: string): void;
  /** Credits spent by another client of the account; `today: false` for an earlier day of this month. */
  spend(credits: number, options?: { today?: boolean }): void;
}

/** `env`: what a program needs to use it. */
export type Sandbox = Served & Doors & { readonly env: Record<string, string> };

export interface SandboxOptions extends Omit<Partial<ApiOptions>, 'faults' | 'quota' | 'world'> {
  readonly port?: number | undefined;
  readonly dated?: boolean;
  /** Without it a market of so many cards. */
  readonly world?: World | undefined;
  readonly cards?: number;
  readonly allowances?: Partial<Allowances> | undefined;
  /** Each as `signals:2:503:retry-after=3`. */
  readonly faults?: readonly string[];
  /** The document's where left out. */
  readonly dayCredits?: number;
  readonly monthCredits?: number;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port, dated = true, now = Date.now } = options;
  const api = createApi(options);
  const served = await serve(api.handle, { port, ...(dated && { now }) });
  return Object.assign(api, served, { env: { SCREENER_BASE_URL: served.baseUrl, SCREENER_API_KEY: api.key } });
}

/** Without a socket. */
export function createApi({
  faults: texts = [],
  dayCredits,
  monthCredits,
  allowances,
  cards = 300,
  now = Date.now,
  ...options
}: SandboxOptions) {
  const world = options.world ?? createMarketWorld(1, now(), { cards });
  const faults = texts.map(readFault);
  const quota = createQuota({ allowances, dayCredits, monthCredits });
  const requests: LoggedRequest[] = [];
  const onRequest = (entry: LoggedRequest) => {
    requests.push(entry);
    options.onRequest?.(entry);
  };
  const doors: Doors = {
    key: SANDBOX_KEY,
    requests,
    get quota() {
      return quota.used(now());
    },
    addFault: (fault) => void faults.push(readFault(fault)),
    spend: (credits, { today = true } = {}) => quota.charge(credits, now(), today),
  };
  return Object.assign(doors, { handle: create({ ...options, now, world, faults, quota, onRequest }) });
}

/** A world that another may take the place of. */
export function changing(world: World): World & { set(next: World): void } {
  let current = world;
  return {
    index: (now) => current.index(now),
    detail: (id, now) => current.detail(id, now),
    screeners: (now) => current.screeners(now),
    snapshot: (now) => current.snapshot(now),
    set(next) {
      current = next;
    },
  };
}

/** A world of given cards, served as they are, fields unknown to the document included. */
export function worldOf(given: readonly SignalDetail[]): World {
  const details = new Map(given.map((one) => [one.id, one]));
  const keys = [...details.values()].map(({ id, created_at, source_symbol: symbol, source_bot_type: type }) => ({
    id,
    createdAt: Date.parse(created_at),
    symbol,
    type,
  }));
  keys.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return {
    index: () => keys,
    detail: (id) => details.get(id),
    screeners: (now) => settingsAt(now, now),
    snapshot: (now) => snapshotAt(1, now),
  };
}
