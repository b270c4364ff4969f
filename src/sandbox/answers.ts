import type { Access } from '../api/contract/resources.ts';
import type { OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { idParam, signalsParams } from './params.ts';
import { nextMonth, type Quota } from './quota.ts';
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

/** The resource; undefined for an id that does not exist. @throws InvalidArgument */
type Answering = (service: Service, asked: Asked) => object | undefined;

export const ANSWERS: Readonly<Record<OperationName, Answering>> = {
  access: ({ quota }, { now }) => accessOf(quota, now),
  snapshot: ({ world }, { now }) => world.snapshot(now),
  screeners: ({ world }, { now }) => world.screeners(now),
  signals: ({ world, list }, { query, now }) => list(world, signalsParams(query), now),
  signal: ({ world }, { id, now }) => world.detail(idParam(id), now),
  stats: ({ world }, { query, now }) => statsOf(world, query.get('screener_type') ?? undefined, now),
};

function accessOf(quota: Quota, now: number): Access {
  const { month: used } = quota.used(now);
  const resetsAt = nextMonth(now);
  const remaining = Math.max(0, quota.monthCredits - used);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(nextMonth(resetsAt)),
    credits: { used, limit: quota.monthCredits, remaining, resets_at: formatApiTime(resetsAt) },
    // The sandbox's own names: the document shows none.
    operations: Object.keys(ANSWERS),
    ...quota.allowances,
  };
}
