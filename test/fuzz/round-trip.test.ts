/** Random valid resources by the document through the program, in every format: what comes out is what went in. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, describe, expect, it } from 'vitest';
import { FORMAT_NAMES, type Format } from '../../src/output/formats.ts';
import { safeText } from '../../src/output/safe-text.ts';
import { actsOnTerminal } from '../hostile/texts.ts';
import { type Json, validResource } from '../support/arbitrary.ts';
import { type CsvCell, parseCsv, textOf } from '../support/csv.ts';
import { parseLines } from '../support/fixtures.ts';
import { runHere } from '../support/in-process.ts';
import { OPERATIONS } from '../support/operations.ts';
import { ApiServer, ok } from '../support/server.ts';

type Operation = (typeof OPERATIONS)[number];
type Item = { [key: string]: Json };

/** Below a file no directory can be made: nothing is written, and no run knows of another. */
const NOWHERE = { folder: '/dev/null', config: '/dev/null/config', state: '/dev/null/state' };

const server = await ApiServer.start();
afterAll(() => server.close());

/** Serves `resource` for `operation`; a page in as many pages as `cuts` says, each with a cursor of its own. */
function serve({ asks: path }: Operation, resource: Item, cuts: number): void {
  // A random `/access` may leave fewer credits than the next operation costs.
  server.allIsWell();
  const items = (resource.items ?? []) as Json[];
  const size = Math.max(1, Math.ceil(items.length / cuts));
  server.always(path, ({ query }) => {
    if (path !== '/signals') return ok(resource);
    const from = Number(query.cursor ?? 0);
    const next_cursor = from + size < items.length ? String(from + size) : null;
    const page = { ...resource, items: items.slice(from, from + size), next_cursor };
    return ok(page);
  });
}

/** As JSON says it: -0 is 0. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Whether `stdout` says what `resource` says. */
function compare(
  operation: Operation,
  as: Format,
  resource: Item,
  stdout: string,
  width?: number,
): void {
  const list = Array.isArray(operation.sample.items);
  const shown = plain(
    operation.path === '/signals' ? { ...resource, next_cursor: null } : resource,
  );
  const items = (list ? shown.items : [shown]) as Item[];
  const comparing: Readonly<Record<Format, () => void>> = {
    json: () => expect(JSON.parse(stdout)).toEqual(shown),
    ndjson: () => expect(parseLines(stdout)).toEqual(items),
    csv: () => compareCsv(parseCsv(stdout), items),
    table: () => items.length > 0 && compareTable(stdout, list, items, width),
  };
  comparing[as]();
}

/** Fits the terminal; in a pipe it is whole, and a line a row. */
function compareTable(
  text: string,
  list: boolean,
  items: readonly Item[],
  width: number | undefined,
): void {
  expect(text).toMatch(/\S/);
  if (width !== undefined) {
    // Addresses are never broken, so that they can be copied.
    const whole = items.flatMap(({ url, source }) => [safeText(url), safeText(source)]);
    for (const line of text.split('\n'))
      if (!whole.includes(line)) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
    return;
  }
  expect(text).not.toContain('…');
  const lines = (text.split('\n\n')[0] ?? '').trimEnd().split('\n');
  if (list) expect(lines.filter((line) => !line.startsWith('* '))).toHaveLength(items.length + 1);
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

describe.each(OPERATIONS)('a valid answer to $path', (operation) => {
  it.each(FORMAT_NAMES)('as %s', async (as) => {
    const small = as === 'table' ? 24 : 8;
    const property = fc.asyncProperty(
      // The card that was asked for.
      validResource(operation.resource).map((resource) =>
        operation.resource === 'SignalDetail' ? { ...resource, id: 8999 } : resource,
      ),
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.integer({ min: 60, max: 200 }), { nil: undefined }),
      async (resource, cuts, width) => {
        serve(operation, resource, cuts);
        const env = { ...server.env, NO_COLOR: '1', TERM: 'dumb' };
        const ran = await runHere([...operation.command, '-o', as], {
          env,
          home: NOWHERE,
          tty: width,
        });
        expect(ran.code, ran.stderr).toBe(0);
        expect(
          actsOnTerminal(
            ran.stderr + (as === 'csv' ? ran.stdout.replaceAll('\t', '') : ran.stdout),
          ),
        ).toBe(undefined);
        compare(operation, as, resource, ran.stdout, width);
      },
    );
    await fc.assert(property, { numRuns: process.env.SCREENER_HEAVY === '1' ? 400 : small });
  });
});
