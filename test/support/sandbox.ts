/** The sandbox with what tests alone need: what it was asked is kept, and it can be changed while it serves. */
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { type Allowances, LIMITS } from '../../src/api/limits.ts';
import {
  type ApiOptions,
  createApi as create,
  type LoggedRequest,
  SANDBOX_KEY,
} from '../../src/sandbox/api.ts';
import { readFault } from '../../src/sandbox/faults.ts';
import { createMarketWorld, snapshotAt } from '../../src/sandbox/market/market-world.ts';
import { settingsAt } from '../../src/sandbox/market/screeners.ts';
import { createQuota } from '../../src/sandbox/quota.ts';
import { serve } from '../../src/sandbox/sandbox.ts';
import type { World } from '../../src/sandbox/world.ts';

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export interface SandboxOptions extends Omit<Partial<ApiOptions>, 'faults' | 'quota' | 'world'> {
  readonly port?: number | undefined;
  readonly dated?: boolean;
  /** What the Date header says, epoch milliseconds UTC; without it the server's time. */
  readonly date?: () => number;
  /** Without it a market of so many cards. */
  readonly world?: World | undefined;
  readonly cards?: number;
  readonly allowances?: Partial<Allowances>;
  /** Each as `signals:2:503:retry-after=3`. */
  readonly faults?: readonly string[];
  /** The document's where left out. */
  readonly dayCredits?: number;
  readonly monthCredits?: number;
}

/** `env`: what a program needs to use it. */
export async function startSandbox(options: SandboxOptions = {}) {
  const { port, dated = true, now = Date.now, date = now } = options;
  const api = createApi(options);
  const served = await serve(api.handle, { port, ...(dated && { now: date }) });
  return Object.assign(api, served, {
    env: { SCREENER_BASE_URL: served.baseUrl, SCREENER_API_KEY: api.key },
  });
}

/** Without a socket. */
export function createApi({
  faults: texts = [],
  dayCredits: perDay = LIMITS.creditsPerDay,
  monthCredits: perMonth = LIMITS.creditsPerMonth,
  allowances = {},
  cards = 300,
  now = Date.now,
  ...options
}: SandboxOptions) {
  const world = options.world ?? createMarketWorld(1, now(), { cards });
  const faults = texts.map(readFault);
  const quota = createQuota(allowances, { perDay, perMonth });
  /** Oldest first. */
  const requests: LoggedRequest[] = [];
  const onRequest = (entry: LoggedRequest) => {
    requests.push(entry);
    options.onRequest?.(entry);
  };
  return {
    key: SANDBOX_KEY,
    requests,
    /** Credits used this month and this day. */
    get quota() {
      return quota.used(now());
    },
    /** Counts requests from now on. */
    addFault: (fault: string) => void faults.push(readFault(fault)),
    /** Credits spent by another client of the account; `today: false` for another day of this month. */
    spend(credits: number, { today = true } = {}): void {
      const date = new Date(now());
      if (!today) date.setUTCDate(date.getUTCDate() === 1 ? 2 : 1);
      quota.charge(credits, date.getTime());
    },
    handle: create({ ...options, now, world, faults, quota, onRequest }),
  };
}

/** A world that another may take the place of. */
export function changing(world: World): World & { set(next: World): void } {
  const current = { ...world };
  return Object.assign(current, { set: (next: World) => void Object.assign(current, next) });
}

/** A world of given cards, served as they are, fields unknown to the document included. */
export function worldOf(all: readonly SignalDetail[]): World {
  const details = new Map(all.map((detail) => [detail.id, detail]));
  const keys = [...details.values()].map(
    ({ id, created_at, source_symbol: symbol, source_bot_type: type }) => ({
      id,
      createdAt: Date.parse(created_at),
      symbol,
      type,
    }),
  );
  keys.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return {
    index: () => keys,
    detail: (id) => details.get(id),
    screeners: (now) => settingsAt(now, now),
    snapshot: (now) => snapshotAt(1, now),
  };
}
