import type { Access } from '../api/contract/resources.ts';
import type { OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { idParam, signalsParams } from './params.ts';
import type { Quota } from './quota.ts';
import type { signalPage } from './signal-page.ts';
import { statsOf } from './stats.ts';
import type { World } from './world.ts';

export interface Service {
  readonly world: World;
  readonly quota: Quota;
  readonly list: typeof signalPage;
}

interface Asked {
  readonly query: URLSearchParams;
  /** The path parameter of `/signals/{id}`, as it stands in the path. */
  readonly id: string;
  readonly now: number;
}

interface Answering {
  /** The sandbox's own name in `operations` of `/access`: the document shows none. */
  readonly name: string;
  /** The resource; undefined for an id that does not exist. @throws InvalidArgument */
  readonly answer: (service: Service, asked: Asked) => object | undefined;
}

export const ANSWERS: Readonly<Record<OperationName, Answering>> = {
  access: { name: 'access', answer: ({ quota }, { now }) => accessOf(quota, now) },
  snapshot: { name: 'market_snapshot', answer: ({ world }, { now }) => world.snapshot(now) },
  screeners: { name: 'screeners', answer: ({ world }, { now }) => world.screeners(now) },
  signals: { name: 'signals', answer: ({ world, list }, { query, now }) => list(world, signalsParams(query), now) },
  signal: { name: 'signal_detail', answer: ({ world }, { id, now }) => world.detail(idParam(id), now) },
  stats: {
    name: 'signal_stats',
    answer: ({ world }, { query, now }) => statsOf(world, query.get('screener_type') ?? undefined, now),
  },
};

function accessOf(quota: Quota, now: number): Access {
  const { month: used } = quota.used(now);
  const date = new Date(now);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 1)),
    credits: {
      used,
      limit: quota.monthCredits,
      remaining: Math.max(0, quota.monthCredits - used),
      resets_at: formatApiTime(quota.resetsAt(now)),
    },
    operations: Object.values(ANSWERS).map(({ name }) => name),
    ...quota.allowances,
  };
}
