import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { checkResource, readBody, resourceIn } from '../../src/api/answer.ts';
import { HORIZON_NAMES } from '../../src/api/contract/horizons.ts';
import { described, listed, unlistedValues } from '../../src/api/contract/primitives.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import { measuredAt } from '../../src/outcomes/history-card.ts';
import { fieldsOf } from '../../src/output/described-fields.ts';
import { Secrets } from '../../src/runtime/context.ts';
import * as samples from '../support/samples.ts';

/** The resource in a body that is an Envelope. */
function responseIn(bytes: Uint8Array): object | null {
  const body = readBody(bytes);
  return body.kind === 'envelope' ? body.envelope.response : expect.fail(body.kind);
}

const envelope = (response: string) =>
  new TextEncoder().encode(`{"hasError":false,"response":${response},"errors":null}`);

it('a web page is told as such in an encoding that is not UTF-8, too', () => {
  const page = Buffer.from('<html><title>\u00c4\u00d6\u00dc</title></html>', 'latin1');
  const noPage = Buffer.from('\u00c4\u00d6\u00dc <', 'latin1');
  expect({ page: readBody(page).kind, noPage: readBody(noPage).kind }).toEqual({
    page: 'html',
    noPage: 'other',
  });
});

describe('the Envelope', () => {
  it('keeps integers to the digit in fields it does not know, and reads the rest as JSON.parse does', () => {
    const json =
      '{"x":[{"big":9007199254740993}],"y":1152921504606846976,"m":[7],"__proto__":{"z":1E2},"a":1,"a":-0.5e-3,"b":9007199254740991}';
    const { x, y, m, ...rest } = (responseIn(envelope(json)) ?? {}) as Record<string, unknown>;
    expect({ x, y, m }).toEqual({
      x: [{ big: 9007199254740993n }],
      y: 1152921504606846976n,
      m: [7],
    });
    expect(JSON.stringify(rest)).toBe('{"__proto__":{"z":100},"a":-0.0005,"b":9007199254740991}');
  });

  it('that says it has an error, or has no resource, names the status that it came with', () => {
    const errorOf = (text: string) => {
      try {
        return resourceIn(readBody(new TextEncoder().encode(text)), new Secrets(), 'operation');
      } catch (error) {
        return error;
      }
    };
    const error = { code: 'bad_answer', status: 200 };
    expect({
      hasError: errorOf('{"hasError":true,"response":null,"errors":"Not now."}'),
      isEmpty: errorOf('{"hasError":false,"response":null,"errors":null}'),
    }).toMatchObject({
      hasError: { ...error, message: expect.stringContaining('The service said: Not now.') },
      isEmpty: { ...error, message: expect.stringContaining('response is null') },
    });
  });

  it('is refused where no program could write it down again', () => {
    const check = (more: string) =>
      checkResource(v.looseObject({}), responseIn(envelope(`{"more":${more}}`)));
    expect(() => check(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow(
      /nested more than 64 levels deep/,
    );
    // A long integer is read by a parser that cannot go as deep.
    const deep = `${'['.repeat(200_000)}1234567890123456789${']'.repeat(200_000)}`;
    expect(readBody(envelope(`{"more":${deep}}`))).toMatchObject({
      kind: 'other',
      breach: { message: expect.stringContaining('it is nested too deep.') },
    });
    expect(() => check('[{"x":-1e999}]')).toThrow(/number too large to be kept/);
  });
});

const found = (operation: keyof typeof OPERATIONS, resource: unknown) =>
  unlistedValues(OPERATIONS[operation].schema, resource).map(
    ({ field, value }) => `${field} ${value}`,
  );

it('unlisted values are found where the document puts their fields, and nowhere else', () => {
  const [card, other] = [
    samples.nthCard(1),
    { ...samples.nthCard(2), facts_scope: 'first', plan: 'LITE' },
  ];
  const page = { scope: 'all', items: [card, other], next_cursor: null, since: '', until: '' };
  expect(found('signals', page)).toEqual(['scope all', 'facts_scope first']);
  const outcome = { ...(samples.nthDetail(1).outcome as object), state_24h: 'late' };
  expect(found('signal', { ...samples.nthDetail(1), outcome })).toEqual(['state_24h late']);
  expect(found('signal', { ...samples.nthDetail(1), outcome: null })).toEqual([]);
  expect(found('stats', { ...samples.stats(), window_days: 7 })).toEqual(['window_days 7']);
  expect(found('access', { ...samples.access(), plan: 'LITE' })).toEqual(['plan LITE']);
});

const optional = v.looseObject({
  state: v.optional(listed(v.string(), ['pending'], 'a state')),
  inner: v.optional(
    described(v.looseObject({ state: listed(v.string(), ['pending'], 'a state') }), 'more of it'),
  ),
});

it('an optional field that is missing has no unlisted value; one that is there may have', () => {
  expect(v.is(optional, {}), 'an answer without the field').toBe(true);
  expect(unlistedValues(optional, {})).toEqual([]);
  expect(unlistedValues(optional, { inner: { state: 'new' } })).toEqual([
    { field: 'state', value: 'new' },
  ]);
  expect(fieldsOf(optional).map(({ name, optional }) => ({ name, optional }))).toEqual([
    { name: 'state', optional: true },
    { name: 'inner', optional: true },
    { name: 'inner.state', optional: undefined },
  ]);
});

it('a horizon that is missing was not measured', () => {
  for (const name of HORIZON_NAMES)
    expect(measuredAt({}, name), name).toEqual({ state: undefined, move: null, btc: null });
});
