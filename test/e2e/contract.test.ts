import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
/** Part 2 of the document, field by field: what it allows is kept, anything else is an error that names the field. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@valibot/to-json-schema';
import { describe, expect } from 'vitest';
import { OPERATION_NAMES, OPERATIONS } from '../../src/api/operations.ts';
import { createSchemas } from '../../src/cli/schemas.ts';
import {
  DOCUMENT,
  type DocumentedField,
  fieldsOf,
  missingIn,
  type Path,
  placesOf,
  type ResourceName,
  spelled,
} from '../support/document.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { PART_4 } from '../support/operations.ts';
import * as samples from '../support/samples.ts';
import { listing, ok } from '../support/server.ts';

/** What is put in the place of each field, as JSON; undefined removes it. */
const VALUES = [
  undefined,
  ...['null', 'true', '"text"', '"7"', '"2026-02-03T04:05:06.123456Z"', '"2026-02-30T00:00:00Z"'],
  ...['0', '-1', '7', '2001', '7.5', '-1.5e-3', '1e300', '1e400', '9007199254740993', '1763600000'],
  ...['{}', '{"x":-1.5}', '{"x":"1"}', '{"x":null}', '[]', '["a"]', '["a",1]', '["a",null]'],
  ...['{"__proto__":{"id":1}}', '{"toString":1,"length":3}', '"\\ud800"'],
] as const;
/** Numbers that no number can hold: refused wherever the document names the field. */
const UNHEARD_OF: ReadonlySet<string | undefined> = new Set(['1e400', '9007199254740993']);

/** The answer with the value in that place, as text: some values exist only as text. */
function changed(sample: samples.Json, path: Path, json: string | undefined): string {
  const copy = structuredClone(sample);
  const last = path.at(-1) ?? '';
  const holder = path
    .slice(0, -1)
    .reduce((value: samples.Json, step) => value[step] as samples.Json, copy);
  if (json === undefined) delete holder[last];
  else holder[last] = '@@here@@';
  return JSON.stringify({ hasError: false, response: copy, errors: null }).replace(
    '"@@here@@"',
    json ?? '',
  );
}

/** Whether a parsed value is what the document says of `name`. */
function matches(name: ResourceName, value: unknown): boolean {
  const own = new Map(isObject(value) ? Object.entries(value) : []);
  return isObject(value) && fieldsOf(name).every((field) => fits(field, own.get(field.name)));
}

function fits(field: DocumentedField, value: unknown): boolean {
  if (value === undefined) return field.optional;
  if (value === null) return field.nullable;
  const { type, least, most } = field;
  if (type.startsWith('[')) {
    const inner = { ...field, type: type.slice(1, -1), nullable: false };
    const limit = type === '[SignalCard]' ? 25 : Number.POSITIVE_INFINITY;
    return Array.isArray(value) && value.length <= limit && value.every((one) => fits(inner, one));
  }
  if (type in DOCUMENT) return matches(type as ResourceName, value);
  if (type === 'time') return typeof value === 'string' && isTime(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'integer')
    return (
      Number.isSafeInteger(value) &&
      Number(value) >= (least ?? 0) &&
      Number(value) <= (most ?? Infinity)
    );
  if (type === 'object') return isObject(value);
  if (type === 'numbers')
    return isObject(value) && Object.values(value).every((one) => Number.isFinite(one));
  return typeof value === type;
}

function isTime(text: string): boolean {
  const [, day = '', clock = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const at = new Date(`${day}T${clock}Z`);
  // A day that the month does not have is read as one of the next month.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** As `placesOf` has them, of a JSON Schema: a list's elements are its items. */
function placesIn(given: JsonSchema, $defs: JsonSchema['$defs'], at = 'response'): string[] {
  const [either = given] = given.anyOf ?? [];
  const { items, properties = {}, required = [] } = resolved(either as JsonSchema, $defs);
  const inner = Object.entries(properties).flatMap(([name, schema]) => [
    `${at}.${name}${required.includes(name) ? '' : ' (optional)'}`,
    ...placesIn(schema as JsonSchema, $defs, `${at}.${name}`),
  ]);
  return items === undefined ? inner : placesIn(items as JsonSchema, $defs, `${at}[1]`);
}

function resolved(schema: JsonSchema, $defs: JsonSchema['$defs'] = {}): JsonSchema {
  return ($defs[schema.$ref?.replace('#/$defs/', '') ?? ''] as JsonSchema | undefined) ?? schema;
}

it('every operation is what part 4 of the document says', () => {
  const told = Object.entries(OPERATIONS).map(([name, { path, cost }]) => ({ name, path, cost }));
  expect(told).toEqual(
    Object.entries(PART_4).map(([name, { path, cost }]) => ({ name, path, cost })),
  );
});

it('every sample has each field of the document', () => {
  for (const { resource, sample } of Object.values(PART_4))
    expect({ resource, missing: missingIn(sample, resource) }).toEqual({ resource, missing: [] });
});

it('every resource has the fields of the document, and no other', () => {
  for (const name of OPERATION_NAMES) {
    const { resource } = PART_4[name];
    const { ofResource, defs } = createSchemas();
    const said = placesOf(resource).map(
      ({ path, field }) => `${spelled(path)}${field.optional ? ' (optional)' : ''}`,
    );
    const where = `${resource}: src/api/contract/ and test/support/document.ts`;
    expect(placesIn(ofResource(name), defs).sort(), where).toEqual(said.sort());
  }
});

describe.concurrent.each(Object.values(PART_4))(
  '$resource',
  ({ resource, command, asks, sample }) => {
    // As many cards as the sample has: no other page.
    const args = resource === 'SignalPage' ? [...command, '-n', '3'] : command;
    const all = placesOf(resource).flatMap((place) => VALUES.map((json) => ({ ...place, json })));
    // By default three of each field's values, each value in its turn.
    const some =
      process.env.SCREENER_HEAVY === '1'
        ? all
        : all.filter((_, i) => i % 9 === Math.floor(i / 28) % 9);

    it(`${some.length} changes of an answer`, async ({ server, home, here }) => {
      const wrong: string[] = [];
      for (const [n, { path, field, json }] of some.entries()) {
        const body = changed(sample, path, json);
        const what = `${spelled(path)} = ${json ?? '(removed)'}`;
        server.always(asks, { body });
        // Another ledger and history each time: nothing of one answer is to tell on the next.
        const state = `${home.state}/${n}`;
        const other = { ...home, state, folder: state };
        const { code, stdout, stderr } = await here([...args, '--json', '--max-wait', '0'], {
          home: other,
        });
        const { response } = JSON.parse(body);
        const isOther = resource === 'SignalDetail' && response.id !== sample.id;
        if (UNHEARD_OF.has(json) || !matches(resource, response) || isOther) {
          const said = code === 9 ? String(errorLine(stderr).message) : stderr;
          // A card of a page is left out, and named; the others are printed.
          const isCard = path.length > 2 && path[0] === 'items' && resource === 'SignalPage';
          const rest = isCard ? [samples.nthCard(0), samples.nthCard(2)] : undefined;
          const printed = stdout === '' ? undefined : JSON.parse(stdout).items;
          const named = isCard ? `${path.at(-1)}: ` : spelled(path);
          if (code !== 9 || !isDeepStrictEqual(printed, rest) || !said.includes(named))
            wrong.push(`${what}: ${code} ${said}`);
          continue;
        }
        const isUnlisted =
          json !== undefined &&
          json !== 'null' &&
          field.allowed?.includes(JSON.parse(json)) === false;
        if (stderr.includes('warning: The service sent') !== isUnlisted)
          wrong.push(`${what}: ${stderr}`);
        if (code !== 0 || stdout !== `${JSON.stringify(response, null, 2)}\n`) {
          wrong.push(`${what}: ${code} ${stdout}${stderr}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  },
);

it.for([
  '{"response":{},"errors":null}',
  '{"hasError":"no","response":{},"errors":null}',
  '{"hasError":false,"errors":null}',
  '{"hasError":false,"response":[],"errors":null}',
  '{"hasError":false,"response":{}}',
  '{"hasError":true,"response":null,"errors":["x"]}',
])('no Envelope: %s', async (body, { server, here }) => {
  server.always('/access', { body });
  const { code, stdout, stderr } = await here(['access', '--json']);
  expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
  expect(errorLine(stderr).message).toMatch(/Envelope \((hasError|response|errors)/);
});

describe.concurrent('an answer of something else than was asked for', () => {
  it.for([
    [['signals', 'show', '8998', '--json'], /response\.id: '8999', but '8998' was asked for/],
    [
      ['stats', '--type', 'price', '--json'],
      /response\.screener_type: 'pump_dump', but 'price' was asked for/,
    ],
    [['stats', '--by', 'type', '--json'], /response\.screener_type/],
  ] as const)('is refused, and never kept: %j', async ([words, message], { server, here }) => {
    server
      .always('/signals/{id}', ok(samples.nthDetail(1)))
      .always('/signal-stats', ok(samples.stats()));
    const ran = await here([...words]);
    expect(ran).toMatchObject({ code: 9 });
    expect(errorLine(ran.stderr).message).toMatch(message);
    expect(ran.stdout).not.toMatch(/8999|median/);
    expect((await here(['signals', 'show', '8999', '--local'])).code).not.toBe(0);
  });

  it('is kept by no export either', async ({ server, here, home }) => {
    server
      .holds(samples.cards(40))
      .always('/signals/{id}', ok(samples.nthDetail(50)))
      .always('/signal-stats', ok(samples.stats()));
    const folder = path.join(home.folder, 'kept');
    const ran = await here(['signals', 'export', folder, '--json']);
    expect(ran.code, ran.stderr).toBe(9);
    expect(errorLine(ran.stderr).message).toMatch(/response\.id: '8950', but '\d+' was asked for/);
    const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
    const texts = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
    expect(texts).toContain('"id":8999');
    expect(texts).not.toMatch(/"outcome"|"id":8950|"median_move_pct"/);
  });

  it('is a warning where it is a card of a filtered list, said once', async ({ server, here }) => {
    const cards = samples.cards(30);
    server.always('/signals', ({ query: { symbol: _, ...query } }) => listing(cards)({ query }));
    const ran = await here(['signals', 'ls', '--symbol', 'NONEUSDT', '--all', '--ndjson']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(
      ran.stderr.match(/warning: The service sent cards of another symbol or type/g),
    ).toHaveLength(1);
    expect((await here(['signals', 'ls', '--ndjson'])).stderr).not.toContain('another symbol');
  });
});

it('status 200 with hasError is told in the words of the service, once', async ({
  server,
  here,
}) => {
  const body = { hasError: true, response: null, errors: 'Down for maintenance.' };
  server.always('/market-snapshot', { body: JSON.stringify(body) });
  const ran = await here(['snapshot', '--json']);
  expect(ran.code).toBe(9);
  expect(errorLine(ran.stderr)).toMatchObject({
    message:
      'The answer does not match the API document: status 200, but hasError is true. The service said: Down for maintenance.',
    hint: 'Try again later. If it stays so, the service has changed.',
  });
});
