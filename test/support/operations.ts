/**
 * Part 4 of the API document as a table, copied from it by hand: the program's operations are held against it. What tests
 * do with every operation goes through this table, so that a new one is missing nowhere.
 */
import type { OperationName } from '../../src/api/operations.ts';
import type { ResourceName } from './document.ts';
import * as samples from './samples.ts';

interface Documented {
  readonly path: string;
  readonly cost: number;
  readonly resource: ResourceName;
  /** Which values a query parameter may have. */
  readonly parameters: Readonly<Record<string, (text: string) => boolean>>;
  /** A command that asks for it, and the path that it then asks for. */
  readonly command: readonly string[];
  readonly asks: string;
  readonly sample: samples.Json;
}

const dateTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text);
const anyText = () => true;

export const PART_4: Readonly<Record<OperationName, Documented>> = {
  access: {
    path: '/access',
    cost: 0,
    resource: 'Access',
    parameters: {},
    command: ['access'],
    asks: '/access',
    sample: samples.access(),
  },
  snapshot: {
    path: '/market-snapshot',
    cost: 1,
    resource: 'MarketSnapshot',
    parameters: {},
    command: ['snapshot'],
    asks: '/market-snapshot',
    sample: samples.snapshot(),
  },
  screeners: {
    path: '/screeners',
    cost: 1,
    resource: 'Screeners',
    parameters: {},
    command: ['screeners'],
    asks: '/screeners',
    sample: samples.screeners(),
  },
  signals: {
    path: '/signals',
    cost: 1,
    resource: 'SignalPage',
    parameters: {
      since: dateTime,
      until: dateTime,
      symbol: (text) => /^[A-Z0-9]{1,32}$/.test(text),
      screener_type: anyText,
      cursor: (text) => text.length <= 220,
      limit: (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 25,
    },
    command: ['signals', 'ls'],
    asks: '/signals',
    sample: samples.page(samples.cards(3)),
  },
  signal: {
    path: '/signals/{id}',
    cost: 1,
    resource: 'SignalDetail',
    parameters: {},
    command: ['signals', 'show', '8999'],
    asks: '/signals/8999',
    sample: samples.detail(1),
  },
  stats: {
    path: '/signal-stats',
    cost: 5,
    resource: 'SignalStats',
    parameters: { screener_type: anyText },
    command: ['stats'],
    asks: '/signal-stats',
    sample: samples.stats(),
  },
};

export const OPERATIONS = Object.values(PART_4);

export function templateOf(path: string): string {
  return /^\/signals\/[1-9]\d*$/.test(path) ? '/signals/{id}' : path;
}

/** Of the operation at a path; undefined where the document lists none. */
export function operationAt(path: string): Documented | undefined {
  return OPERATIONS.find((one) => one.path === templateOf(path));
}
