/** Random valid resources by the document through the whole program, in every format: what comes out is what went in. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { safeText } from '../../src/output/safe-text.ts';
import { type Json, validResource } from '../support/arbitrary.ts';
import { type CsvCell, parseCsv, textOf } from '../support/csv.ts';
import { it } from '../support/fixtures.ts';
import { runScreener } from '../support/run.ts';
import {
  ACCESS,
  broken,
  envelope,
  type Format,
  KEY,
  OPERATIONS,
  type Operation,
  type Outcome,
  run,
} from './program.ts';
import { HEAVY, report, runs, SEED, sayAtTheEnd } from './report.ts';
import { reply, WireServer } from './wire.ts';

type Item = { [key: string]: Json };

sayAtTheEnd('round trips');

let wire: WireServer;
beforeAll(async () => {
  wire = await WireServer.start();
});
afterAll(() => wire.close());

/** Serves `resource` for `operation`; a page in as many pages as `cuts` says, each with a cursor of its own. */
function serve(operation: Operation, resource: Item, cuts = 1): void {
  const items = (resource.items ?? []) as Json[];
  const size = Math.max(1, Math.ceil(items.length / cuts));
  wire.answer = (path) => {
    const [bare, query = ''] = path.split('?');
    if (bare !== operation.path) return reply(toText(envelope(ACCESS)));
    if (bare !== '/signals') return reply(toText(envelope(resource)));
    const from = Number(new URLSearchParams(query).get('cursor') ?? 0);
    const next_cursor = from + size < items.length ? String(from + size) : null;
    return reply(toText(envelope({ ...resource, items: items.slice(from, from + size), next_cursor })));
  };
}

/** A card that a page repeats is left out there: each is given once. */
function distinct(resource: Item): Item {
  const items = resource.items as Item[] | undefined;
  if (items?.[0]?.id === undefined) return resource;
  return { ...resource, items: [...new Map(items.map((item) => [item.id, item])).values()] };
}

/** With -0, which JSON.stringify does not write. */
function toText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${toText(inner as Json)}`)}}`;
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

/** As JSON says it: -0 is 0. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Whether `stdout` says what `resource` says. */
function compare(operation: Operation, as: Format, resource: Item, { stdout }: Outcome, width?: number): void {
  const list = operation.path === '/signals' || operation.path === '/screeners';
  const shown = plain(operation.path === '/signals' ? { ...resource, next_cursor: null } : resource);
  const items = (list ? shown.items : [shown]) as Item[];
  if (as === 'json') expect(JSON.parse(stdout)).toEqual(shown);
  if (as === 'ndjson')
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(items);
  if (as === 'csv') compareCsv(parseCsv(stdout), items);
  if (as === 'table' && items.length > 0) compareTable(stdout, list, items, width);
}

/** Fits the terminal; in a pipe it is whole, and a line a row. */
function compareTable(text: string, list: boolean, items: readonly Item[], width: number | undefined): void {
  expect(text).toMatch(/\S/);
  if (width !== undefined) {
    // Addresses are never broken, so that they can be copied.
    const whole = items.flatMap(({ url, source }) => [safeText(url), safeText(source)]);
    for (const line of text.split('\n'))
      if (!whole.includes(line)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    return;
  }
  expect(text).not.toContain('…');
  if (list) expect((text.split('\n\n')[0] ?? '').trimEnd().split('\n')).toHaveLength(items.length + 1);
}

/** Each cell is its field; which columns there are does not depend on the data. */
function compareCsv([header = [], ...rows]: CsvCell[][], items: readonly Item[]): void {
  const names = header.map((cell) => cell.text);
  expect(new Set(names).size).toBe(names.length);
  expect(rows).toHaveLength(items.length);
  items.forEach((item, n) => {
    names.forEach((name, column) => {
      const { text, quoted } = (rows[n] as CsvCell[])[column] as CsvCell;
      const value = name.split('.').reduce<Json | undefined>((inner, key) => own(inner, key), item);
      if (text === '' && !quoted) expect(value ?? null).toBe(null);
      else expect(typeof value === 'string' ? textOf(text) : JSON.parse(text)).toEqual(value);
    });
  });
}

function own(value: Json | undefined, key: string): Json | undefined {
  const isObject = value !== null && typeof value === 'object' && Object.hasOwn(value, key);
  return isObject ? (value as Item)[key] : undefined;
}

describe('valid resources, through server and program', () => {
  for (const operation of OPERATIONS) {
    for (const as of ['json', 'ndjson', 'csv', 'table'] as const) {
      it(`${operation.path} as ${as}`, async () => {
        const cases = runs(as === 'table' ? 24 : 8, 400);
        const property = fc.asyncProperty(
          validResource(operation.resource).map(distinct),
          fc.integer({ min: 1, max: 3 }),
          fc.option(fc.integer({ min: 60, max: 200 }), { nil: undefined }),
          async (resource, cuts, width) => {
            serve(operation, resource, cuts);
            const outcome = await run(wire, operation.command, {
              format: as,
              ...(width === undefined ? {} : { width }),
            });
            expect(broken(outcome, as, [0]), outcome.stderr).toBe(undefined);
            compare(operation, as, resource, outcome, width);
          },
        );
        await fc.assert(property, { numRuns: cases, seed: SEED });
        report(`round trips of ${operation.path} as ${as}`, cases);
      });
    }
  }

  it('the same from the built program', async ({ home }) => {
    let cases = 0;
    for (const [n, operation] of OPERATIONS.entries()) {
      const resources = fc.sample(validResource(operation.resource).map(distinct), {
        seed: SEED,
        numRuns: runs(1, 25),
      });
      for (const resource of resources) {
        for (const as of (['json', 'ndjson', 'csv', 'table'] as const).filter((_, i) => HEAVY || i === n % 4)) {
          serve(operation, resource);
          const ran = await runScreener([...operation.command, '-o', as], {
            home,
            env: {
              SCREENER_BASE_URL: wire.baseUrl,
              SCREENER_API_KEY: KEY,
              SCREENER_STATE_DIR: `${home.state}/${cases}`,
            },
          });
          const outcome = { ...ran, code: ran.code ?? -1 };
          expect(broken(outcome, as, [0]), ran.stderr).toBe(undefined);
          compare(operation, as, resource, outcome);
          cases += 1;
        }
      }
    }
    report('round trips through the built program', cases);
  });
});
