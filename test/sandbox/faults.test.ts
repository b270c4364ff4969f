import { describe, expect, it } from 'vitest';
import { ScreenerError } from '../../src/errors.ts';
import { type Fault, parseFault } from '../../src/sandbox/faults.ts';
import { worldOf } from '../support/resources.ts';
import { bench, details } from './support.ts';

const world = worldOf(details(60));

describe('reading a fault', () => {
  it.each([
    ['signals:2:503:retry-after=3', { operation: 'signals', from: 2, to: 2, what: '503', retryAfter: '3' }],
    ['*:*:429', { operation: '*', from: 1, to: Number.POSITIVE_INFINITY, what: '429' }],
    ['stats:2+:hang', { operation: 'stats', from: 2, to: Number.POSITIVE_INFINITY, what: 'hang' }],
    ['signal:1:reset-after', { operation: 'signal', from: 1, to: 1, what: 'reset-after' }],
    ['access:1:200:delay=50', { operation: 'access', from: 1, to: 1, what: '200', delay: 50 }],
    ['access:1:500:charge', { operation: 'access', from: 1, to: 1, what: '500', charge: true }],
    [
      'access:1:429:retry-after=Fri, 20 Nov 2026 19:05:00 GMT:delay=5:charge',
      {
        operation: 'access',
        from: 1,
        to: 1,
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
    ['signals:1:429:retry-after=', { operation: 'signals', from: 1, to: 1, what: '429', retryAfter: '' }],
    ['signals:1:429:retry-after=-1', { operation: 'signals', from: 1, to: 1, what: '429', retryAfter: '-1' }],
  ])('%s', (text, expected) => {
    expect(parseFault(text)).toEqual({ charge: false, ...expected });
  });

  it.each([
    '',
    'signals',
    'signals:1',
    'signals:1:503:soon',
    'signals:1:503:delay=soon',
    'signals:1:418',
    'signals:0:503',
    'signals:-1:503',
    'signals:x:503',
    'cards:1:503',
    'signals:1:teapot',
    'signals:1:429:retry-after=a\nb',
    'signals:1:429:retry-after=😀',
  ])('refuses "%s" and says what is accepted', (text) => {
    const attempt = (): Fault => parseFault(text);
    expect(attempt).toThrow(ScreenerError);
    try {
      attempt();
    } catch (error) {
      const { code, message, hint } = error as ScreenerError;
      expect(code).toBe('usage');
      expect(message).toContain(text);
      for (const word of ['signals', '503', 'reset-after', 'retry-after', '2+']) expect(hint).toContain(word);
    }
  });
});

describe('when a fault strikes', () => {
  it('is counted per operation, or over all with *', () => {
    const { get } = bench({ world, faults: ['signals:2:503', '*:4+:500'] });
    const seen = ['/access', '/signals', '/signals', '/signals', '/access'];
    expect(seen.map((path) => get(path).status)).toEqual([200, 200, 503, 500, 500]);
  });

  it('counts from when it was set', () => {
    const { get, api } = bench({ world });
    get('/signals');
    api.addFault('signals:1:503');
    expect([get('/signals').status, get('/signals').status]).toEqual([503, 200]);
  });
});

describe('what a fault answers', () => {
  const once = (text: string, path = '/signals') => {
    const here = bench({ world, faults: [`*:1:${text}`] });
    const answer = here.get(path);
    return { answer, credits: here.api.requests[0]?.credits, used: here.api.quota };
  };

  it.each([401, 403, 404, 422, 429, 500, 502, 503, 504])('%i in an Envelope, uncharged, counted', (status) => {
    const { answer, credits, used } = once(String(status));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ hasError: true, response: null, errors: expect.any(String) });
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(credits).toBe(0);
    expect(used).toEqual({ month: 0, day: 0 });
  });

  it.each(['3', '1.5', '-1', 'soon', '', 'Fri, 20 Nov 2026 19:05:00 GMT'])(
    'Retry-After as it was given: "%s"',
    (text) => {
      expect(once(`503:retry-after=${text}`).answer.headers['retry-after']).toBe(text);
    },
  );

  it('charged where it is told to', () => {
    expect(once('503:charge').credits).toBe(1);
    expect(once('503:charge', '/signal-stats').used).toMatchObject({ month: 5, day: 5 });
  });

  it.each([
    ['html', 200, '<!doctype html>'],
    ['empty', 200, ''],
    ['garbage', 200, 'this is not JSON'],
    ['redirect', 302, ''],
    ['503:body=out of order', 503, 'out of order'],
    ['200:body={"hasError":false}', 200, '{"hasError":false}'],
  ])('%s', (text, status, start) => {
    const { answer, credits } = once(text);
    expect(answer.status).toBe(status);
    expect(answer.body.startsWith(start)).toBe(true);
    if (start === '') expect(answer.body).toBe('');
    expect(credits).toBe(0);
  });

  it('html with its own content type, a redirect to another origin', () => {
    expect(once('html').answer.headers['content-type']).toBe('text/html');
    expect(once('redirect').answer.headers.location).toBe('http://localhost/redirected');
  });

  it('has-error: 200 with hasError', () => {
    const { answer } = once('has-error');
    expect([answer.status, JSON.parse(answer.body).hasError]).toEqual([200, true]);
  });

  it.each([
    ['/access', 'number'],
    ['/market-snapshot', 'number'],
    ['/signals', 'number'],
    ['/signals/1', 'number'],
    ['/signal-stats', 'number'],
  ])('wrong-type: one number of %s is text, and the answer is charged', (path) => {
    const clean = JSON.parse(bench({ world }).get(path).body).response;
    const { answer } = once('wrong-type', path);
    const spoiled = JSON.parse(answer.body).response;
    expect(differences(clean, spoiled)).toEqual([['number', 'string']]);
    expect(once('wrong-type').credits).toBe(1);
  });

  it('a damaged answer is still refused where the real one would be', () => {
    const { answer, credits } = once('truncate', '/signals?limit=0');
    expect([answer.status, credits]).toEqual([422, 0]);
  });
});

/** Types of the leaves that differ. */
function differences(a: unknown, b: unknown): [string, string][] {
  if (a === null || typeof a !== 'object') return a === b ? [] : [[typeof a, typeof b]];
  const other = b as Record<string, unknown>;
  return Object.entries(a).flatMap(([key, value]) => differences(value, other[key]));
}
