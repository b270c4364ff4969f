import type { SignalDetail, SignalPage } from '../../src/api/contract/resources.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import type { ApiResponse } from '../../src/sandbox/response.ts';
import type { World } from '../../src/sandbox/world.ts';
import { aMinute } from '../support/allowances.ts';
import { detail as sample } from '../support/samples.ts';
import { changing, createApi, type SandboxOptions, worldOf } from '../support/sandbox.ts';

export const START = Date.parse('2026-11-20T19:03:20Z');
export const KEY = 'sandbox-key';
const PREFIX = '/api/external/v1';

export type Bench = ReturnType<typeof bench>;

/** An API on a clock that the test moves. */
export function bench(options: SandboxOptions = {}) {
  const clock = { now: START };
  const world = changing(options.world ?? worldOf([]));
  const plenty = { allowances: aMinute(100_000), dayCredits: 100_000, monthCredits: 100_000 };
  const api = createApi({ ...plenty, now: () => clock.now, ...options, world });
  const get = (
    path: string,
    headers: Record<string, string> = { authorization: `Bearer ${KEY}` },
    method = 'GET',
  ) => api.handle({ method, url: `${PREFIX}${path}`, headers });
  return {
    api,
    world,
    clock,
    get,
    /** The resource; fails the test unless the answer is a success. */
    resource<T>(path: string): T {
      const answer = get(path);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
      return JSON.parse(answer.body).response as T;
    },
  };
}

export const marketWorld = (seed = 1, cards = 300, startedAt = START): World =>
  createMarketWorld(seed, startedAt, { cards });

/** A detail of plain values; newer ids are a minute newer. */
export function detail(id: number, changes: Partial<SignalDetail> = {}): SignalDetail {
  const created_at = new Date(START - 86_400_000 + id * 60_000).toISOString();
  const plain = { repeat_count: 0, outcome: null, entry_context: {} };
  return sample({ id, source_bot_type: 'price_spike', created_at, ...plain, ...changes });
}

export const details = (count: number): SignalDetail[] =>
  Array.from({ length: count }, (_, i) => detail(i + 1));

export const errorOf = (answer: ApiResponse): string => JSON.parse(answer.body).errors;

/** Every id of a query, page by page. */
export function walkAll({ resource }: Bench, query = ''): number[] {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: SignalPage = resource<SignalPage>(
      `/signals?${query}${cursor && `&cursor=${cursor}`}`,
    );
    if (ids.length > 10_000) throw new Error('The pages do not end.');
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}
