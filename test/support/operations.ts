/**
 * Part 4 of the API document as a table, copied from it by hand: the program's operations are held against it. What tests
 * do with every operation goes through this table, so that a new one is missing nowhere.
 */
import type { OperationName } from '../../src/api/operations.ts';
import type { ResourceName } from './document.ts';
import * as samples from './samples.ts';

type Documented = ReturnType<typeof plain>;

/** An operation without parameters; `command` asks for it, namely for the path `asks`. */
function plain(
  path: string,
  cost: number,
  resource: ResourceName,
  command: string,
  sample: samples.Json,
) {
  return {
    path,
    cost,
    resource,
    parameters: [] as readonly string[],
    command: command.split(' '),
    asks: path,
    sample,
  };
}

const [DETAIL, STATS] = [samples.nthDetail(1), { ...samples.stats() }];

export const PART_4: Readonly<Record<OperationName, Documented>> = {
  access: plain('/access', 0, 'Access', 'access', samples.access()),
  snapshot: plain('/market-snapshot', 1, 'MarketSnapshot', 'snapshot', samples.snapshot()),
  screeners: plain('/screeners', 1, 'Screeners', 'screeners', samples.screeners()),
  signals: {
    ...plain('/signals', 1, 'SignalPage', 'signals ls', samples.page(samples.cards(3))),
    parameters: ['since', 'until', 'symbol', 'screener_type', 'cursor', 'limit'],
  },
  signal: {
    ...plain('/signals/{id}', 1, 'SignalDetail', 'signals show 8999', DETAIL),
    asks: '/signals/8999',
  },
  stats: {
    ...plain('/signal-stats', 5, 'SignalStats', 'stats', STATS),
    parameters: ['screener_type'],
  },
};

export const OPERATIONS = Object.values(PART_4);

export function templateOf(path: string): string {
  return /^\/signals\/[1-9]\d*$/.test(path) ? '/signals/{id}' : path;
}

/** Of the operation at a path; undefined where the document lists none. */
export function operationAt(path: string): Documented | undefined {
  return OPERATIONS.find((operation) => operation.path === templateOf(path));
}
