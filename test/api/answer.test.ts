import { describe, expect, it, vi } from 'vitest';
import { readEnvelope } from '../../src/api/answer.ts';
import { unlistedValues } from '../../src/api/contract/primitives.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import * as samples from '../support/samples.ts';

const bytes = (text: string) => ({ headers: new Map<string, string>(), body: new TextEncoder().encode(text) });
const envelope = (response: string) => bytes(`{"hasError":false,"response":${response},"errors":null}`);

describe('the Envelope', () => {
  it('keeps everything, unknown fields too', () => {
    const body = bytes('{"hasError":false,"response":{"a":{"b":[1,"x",null]}},"errors":null,"trace":"t"}');
    expect(readEnvelope(body)).toEqual({
      hasError: false,
      response: { a: { b: [1, 'x', null] } },
      errors: null,
      trace: 't',
    });
  });

  it.each(['x', '\\n', '\\"', '\\\\'])('keeps a large integer to the digit beside a long text of %s', (unit) => {
    const note = unit.repeat(100_000);
    const kept = readEnvelope(envelope(`{"note":"${note},9007199254740993","n":-9007199254740993,"m":[7]}`));
    expect(kept.response).toEqual({ note: JSON.parse(`"${note},9007199254740993"`), n: -9007199254740993n, m: [7] });
  });

  it('keeps integers to the digit in fields it does not know, and reads the rest as JSON.parse does', () => {
    const json =
      '{"x":[{"big":9007199254740993}],"y":1152921504606846976,"__proto__":{"z":1E2},"a":1,"a":-0.5e-3,"b":9007199254740992}';
    const { x, y, ...rest } = readEnvelope(envelope(json)).response ?? {};
    expect([x, y]).toEqual([[{ big: 9007199254740993n }], 1152921504606846976n]);
    expect(JSON.stringify(rest)).toBe('{"__proto__":{"z":100},"a":-0.0005,"b":9007199254740992}');
  });

  it('refuses a number that no number can hold, and names the place', () => {
    expect(() => readEnvelope(envelope('{"x":1e999}'))).toThrow('response.x: a number too large');
    expect(() => readEnvelope(envelope(`{"x":[${'9'.repeat(400)}.5]}`))).toThrow('response.x[0]: a number too large');
  });

  it.each([
    ['[', ']'],
    ['{"\\"]":', '}'],
  ])('refuses absurd nesting of %s before it parses anything', (open, close) => {
    const nested = (levels: number) => envelope(`{"x":${open.repeat(levels)}1${close.repeat(levels)}}`);
    const parse = vi.spyOn(JSON, 'parse');
    expect(() => readEnvelope(nested(600_000))).toThrow('nested more than 64 levels deep');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(() => readEnvelope(nested(63))).toThrow('deep');
    readEnvelope(nested(62));
  });
});

describe('values that the document does not list', () => {
  const found = (operation: keyof typeof OPERATIONS, resource: unknown) =>
    unlistedValues(OPERATIONS[operation].schema, resource).map(({ field, value }) => `${field} ${value}`);

  it('are found where the document puts their fields, and nowhere else', () => {
    const [card, other] = [samples.card(1), { ...samples.card(2), facts_scope: 'first', plan: 'LITE' }];
    const page = { scope: 'all', items: [card, other], next_cursor: null, since: '', until: '' };
    expect(found('signals', page)).toEqual(['scope all', 'facts_scope first']);
    const outcome = { ...(samples.detail(1).outcome as object), state_24h: 'late' };
    expect(found('signal', { ...samples.detail(1), outcome })).toEqual(['state_24h late']);
    expect(found('signal', { ...samples.detail(1), outcome: null })).toEqual([]);
    expect(found('stats', { ...samples.stats(), window_days: 7 })).toEqual(['window_days 7']);
    expect(found('access', { ...samples.access(), plan: 'LITE' })).toEqual(['plan LITE']);
  });
});
