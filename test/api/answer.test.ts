import { describe, expect, it, vi } from 'vitest';
import { checkResource, readEnvelope } from '../../src/api/answer.ts';
import { Access, Screeners, SignalDetail } from '../../src/api/contract/resources.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
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

  it('finds a number that became infinite behind one that is merely large', () => {
    const body = envelope('{"large":1e21,"beyond":[0,1e999]}');
    expect(() => readEnvelope(body)).toThrow('response.beyond[1]: a number too large');
  });

  it.each(['x', '\\n', '\\"', '\\\\'])('keeps a large integer to the digit beside a long text of %s', (unit) => {
    const note = unit.repeat(100_000);
    const kept = readEnvelope(envelope(`{"note":"${note},9007199254740993","n":-9007199254740993,"m":[7]}`));
    expect(kept.response).toEqual({ note: JSON.parse(`"${note},9007199254740993"`), n: -9007199254740993n, m: [7] });
  });

  it.each([
    ['', 'empty'],
    ['<!doctype html><p>Hi', 'HTML'],
    ['{"hasError":fal', 'not valid JSON'],
    ['[]', 'Envelope'],
    ['null', 'Envelope'],
    ['{"hasError":false,"response":{}}', 'errors: missing'],
    ['{"hasError":"no","response":{},"errors":null}', 'hasError: expected boolean'],
    ['{"hasError":false,"response":[],"errors":null}', 'response: expected an object'],
    ['{"hasError":false,"response":7,"errors":null}', 'response: expected'],
  ])('%s is refused', (text, why) => {
    expect(() => readEnvelope(bytes(text))).toThrow(why);
  });

  it('refuses bytes that are no UTF-8', () => {
    expect(() => readEnvelope(Uint8Array.of(0x7b, 0xff, 0x7d))).toThrow('UTF-8');
  });

  it('keeps integers to the digit in fields it does not know, and reads the rest as JSON.parse does', () => {
    const json = '{"x":[{"big":9007199254740993}],"y":1152921504606846976,"__proto__":{"z":1E2},"a":1,"a":-0.5e-3}';
    const { x, y, ...rest } = readEnvelope(envelope(json)).response ?? {};
    expect([x, y]).toEqual([[{ big: 9007199254740993n }], 1152921504606846976n]);
    expect(JSON.stringify(rest)).toBe('{"__proto__":{"z":100},"a":-0.0005}');
  });

  it('refuses a number that no number can hold, and names the place', () => {
    expect(() => readEnvelope(envelope('{"x":1e999}'))).toThrow('response.x: a number too large');
    expect(() => readEnvelope(envelope(`{"x":[${'9'.repeat(400)}.5]}`))).toThrow('response.x[0]: a number too large');
  });

  it('keeps large numbers that are exact, and texts that look like numbers', () => {
    const kept = readEnvelope(
      envelope(
        '{"e":20000000000000000,"f":1000000000000000000000,"a":1e20,"b":9007199254740992,"c":"9007199254740993","d":"\\"9007199254740993"}',
      ),
    );
    expect(kept.response).toEqual({
      e: 2e16,
      f: 1e21,
      a: 1e20,
      b: 2 ** 53,
      c: '9007199254740993',
      d: '"9007199254740993',
    });
  });

  it('refuses absurd nesting, that of a large answer before it parses anything', () => {
    const parse = vi.spyOn(JSON, 'parse');
    for (const [open, close] of [
      ['[', ']'],
      ['{"\\"]":', '}'],
    ] as const) {
      const nested = (levels: number) => envelope(`{"x":${open.repeat(levels)}1${close.repeat(levels)}}`);
      expect(() => readEnvelope(nested(600_000))).toThrow('nested more than 64 levels deep');
      expect(parse).not.toHaveBeenCalled();
      expect(() => readEnvelope(nested(100_000))).toThrow('deep');
      expect(() => readEnvelope(nested(63))).toThrow('deep');
      readEnvelope(nested(62));
      parse.mockClear();
    }
    parse.mockRestore();
    readEnvelope(envelope(`{"x":"${'['.repeat(100)}"}`));
  });
});

describe('a resource', () => {
  const access = {
    beta: true,
    plan: 'PRO',
    expires_at: '2027-01-01T00:00:00Z',
    credits: { used: 1, limit: 1000, remaining: 999, resets_at: '2026-12-01T00:00:00Z' },
    operations: ['access'],
    per_minute: 15,
  };

  it('is handed on as it came', () => {
    const given = { ...access, extra: { deep: true } };
    expect(checkResource(Access, given)).toBe(given);
  });

  it.each([
    [{ ...access, per_minute: -1 }, 'response.per_minute'],
    [{ ...access, per_minute: 1.5 }, 'response.per_minute'],
    [{ ...access, credits: { ...access.credits, used: '1' } }, 'response.credits.used: expected number, got a string'],
    [{ ...access, expires_at: 'tomorrow' }, 'response.expires_at: expected an ISO 8601'],
    [{ ...access, operations: ['a', 3] }, 'response.operations[1]'],
    [{ ...access, beta: undefined }, 'response.beta'],
  ])('is refused with the path', (given, path) => {
    expect(() => checkResource(Access, given)).toThrow(path);
  });

  it('wants an object where the document shows none of its keys', () => {
    const screeners = { scope: 'current_settings', items: [{ type: 't', active: true, conditions: [] }] };
    expect(() => checkResource(Screeners, screeners)).toThrow('response.items[0].conditions');
  });

  it('wants numbers in entry_context', () => {
    expect(() => checkResource(SignalDetail, { ...detail, entry_context: { rsi: '70' } })).toThrow(
      'response.entry_context.rsi: expected number, got a string',
    );
    expect(() => checkResource(SignalDetail, { ...detail, entry_context: [] })).toThrow('response.entry_context');
    for (const key of ['__proto__', 'prototype', 'constructor']) {
      const entry_context = JSON.parse(`{"${key}":"70"}`);
      expect(() => checkResource(SignalDetail, { ...detail, entry_context })).toThrow('response.entry_context');
    }
    expect(checkResource(SignalDetail, detail)).toBe(detail);
  });
});

const detail = {
  id: 1,
  source_symbol: 'BTCUSDT',
  source_bot_type: 't',
  exchanges: [],
  changes: [],
  created_at: '2026-11-20T00:00:00Z',
  last_seen_at: null,
  repeat_count: 0,
  url: 'https://screener.example/',
  url_scope: 'filtered_notification_history',
  facts_scope: 'latest_episode_update',
  fact_price_pct: null,
  fact_oi_pct: null,
  fact_volume_pct: null,
  fact_window_min: null,
  fact_funding: 0.0001,
  fact_oi_usd: null,
  fact_volume_usd: null,
  outcome: null,
  entry_context: {},
  context_scope: 'entry_snapshot',
};
