import { describe, expect, it } from 'vitest';
import { parseFault } from '../../src/sandbox/faults.ts';
import { worldOf } from '../support/resources.ts';
import { bench, details } from './support.ts';

const world = worldOf(details(60));

describe('reading a fault', () => {
  it.each([
    ['signals:2:503:retry-after=3', { operation: 'signals', from: 2, to: 2, what: '503', retryAfter: '3' }],
    ['stats:2+:hang', { operation: 'stats', from: 2, to: Number.POSITIVE_INFINITY, what: 'hang' }],
    ['access:1:200:delay=50', { operation: 'access', from: 1, to: 1, what: '200', delay: 50 }],
    [
      '*:*:429:retry-after=Fri, 20 Nov 2026 19:05:00 GMT:delay=5:charge',
      {
        operation: '*',
        from: 1,
        to: Number.POSITIVE_INFINITY,
        what: '429',
        retryAfter: 'Fri, 20 Nov 2026 19:05:00 GMT',
        delay: 5,
        charge: true,
      },
    ],
    [
      'signals:1:502:body={"a":{"b":1},"c":":delay"}',
      { operation: 'signals', from: 1, to: 1, what: '502', body: '{"a":{"b":1},"c":":delay"}' },
    ],
  ])('%s', (text, expected) => {
    expect(parseFault(text)).toEqual({ charge: false, ...expected });
  });

  it.each([
    '',
    'signals:1',
    'signals:1:503:soon',
    'signals:1:503:delay=soon',
    'signals:1:418',
    'signals:0:503',
    'cards:1:503',
    'signals:1:429:retry-after=😀',
  ])('refuses "%s" and says what is accepted', (text) => {
    expect(() => parseFault(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining(text),
        hint: expect.stringMatching(/signals.*2\+.*503.*reset-after.*retry-after/),
      }),
    );
  });
});

describe('what a fault answers', () => {
  const once = (text: string, path = '/signals') => {
    const here = bench({ world, faults: [`*:1:${text}`] });
    const answer = here.get(path);
    return { answer, credits: here.api.quota.month };
  };

  it.each([401, 403, 404, 422, 429, 500, 502, 503, 504])('%i in an Envelope, uncharged', (status) => {
    const { answer, credits } = once(String(status));
    expect([answer.status, answer.headers['retry-after'], credits]).toEqual([status, undefined, 0]);
    expect(JSON.parse(answer.body)).toEqual({ hasError: true, response: null, errors: expect.any(String) });
  });

  it('Retry-After as it was given, and charged where it is told to', () => {
    expect(once('503:retry-after=soon').answer.headers['retry-after']).toBe('soon');
    expect(once('503:charge', '/signal-stats').credits).toBe(5);
  });

  it.each([
    ['garbage', 200, 'this is not JSON'],
    ['503:body=out of order', 503, 'out of order'],
    ['200:body={"hasError":false}', 200, '{"hasError":false}'],
  ])('%s', (text, status, body) => {
    const { answer, credits } = once(text);
    expect({ status: answer.status, body: answer.body, credits }).toEqual({ status, body, credits: 0 });
  });
});
