/** What a request that failed says: the sentence, the hint, and when to come back. */
import { describe, expect, it } from 'vitest';
import {
  attemptsUsedUp,
  heldError,
  noAnswerError,
  statusError,
  waitTooLong,
} from '../../src/api/failures.ts';
import { NoAnswer, noAnswerOf } from '../../src/api/no-answer.ts';
import { HOUR, MINUTE } from '../../src/base/units.ts';
import { ScreenerError } from '../../src/errors.ts';

const NOW = Date.UTC(2026, 10, 29, 14);

const textOf = ({ code, message, hint, status, retryAfter, retryAt }: ScreenerError) => ({
  code,
  message,
  hint,
  status,
  retryAfter,
  retryAt,
});

describe('an answer that is an error', () => {
  const errorOf = (
    status: number,
    {
      target = '/signals',
      subject = 'operation',
      ...answer
    }: {
      target?: string;
      subject?: 'card' | 'operation';
      errors?: string;
      retryAfter?: number;
    } = {},
  ) => {
    const { retryAfter, ...more } = answer;
    return textOf(
      statusError({ subject }, target, {
        status,
        body: 'envelope',
        at: NOW,
        retryAfter,
        ...more,
      }),
    );
  };

  it('says when to come back, if the service does', () => {
    expect({
      said: errorOf(503, { retryAfter: 90 }),
      unsaid: errorOf(503),
    }).toEqual({
      said: {
        code: 'unavailable',
        message: 'The service is disabled or temporarily unavailable.',
        hint: 'Try again after 2026-11-29 14:01:30 UTC, in 1 minute 30 seconds.',
        status: 503,
        retryAfter: 90,
        retryAt: NOW + 90_000,
      },
      unsaid: {
        code: 'unavailable',
        message: 'The service is disabled or temporarily unavailable.',
        hint: 'Try again later; the service did not say when.',
        status: 503,
        retryAfter: undefined,
        retryAt: undefined,
      },
    });
  });

  it('repeats what the service said, unless it is in the document', () => {
    expect({
      news: errorOf(401, { errors: 'Key of another region.' }).message,
      known: errorOf(401, { errors: 'Invalid, expired or revoked key.' }).message,
      empty: errorOf(401, { errors: '' }).message,
    }).toEqual({
      news: 'The key was not accepted: it is invalid, expired or revoked. The service said: Key of another region.',
      known: 'The key was not accepted: it is invalid, expired or revoked.',
      empty: 'The key was not accepted: it is invalid, expired or revoked.',
    });
  });

  it('is a redirect from 300 to 399', () => {
    const isRedirect = (status: number) => errorOf(status).message.includes('is a redirect');
    expect({
      300: isRedirect(300),
      399: isRedirect(399),
      299: isRedirect(299),
      400: isRedirect(400),
    }).toEqual({ 300: true, 399: true, 299: false, 400: false });
  });

  it('that there is no such card is about the card', () => {
    expect(errorOf(404, { subject: 'card', target: '/signals/77' })).toMatchObject({
      code: 'not_found',
      message: 'There is no card 77 among yours.',
      hint: '`screener signals ls` lists your cards; a card of another user looks the same as a missing one.',
    });
    expect(errorOf(404)).toMatchObject({ code: 'not_found', message: 'Not found.' });
  });

  it('about arguments names those that may be at fault', () => {
    expect({
      none: errorOf(422).hint,
      card: errorOf(422, { subject: 'card', target: '/signals/5' }).hint,
      usual: errorOf(422, { target: '/signals?limit=5' }).hint,
      cursor: errorOf(422, { target: '/signals?limit=5&cursor=x&since=y' }).hint,
    }).toEqual({
      card: 'Check the id: 5.',
      none: 'The request had no parameters: the service may have changed, or the base URL is wrong.',
      usual: 'Correct the options.',
      cursor:
        'Correct the options. A cursor may expire, and works only with its own filters. The service may refuse a window that begins so long ago.',
    });
  });
});

it('with another hint or scope it keeps what caused it', () => {
  const cause = new Error('what the network said');
  const details = { status: 503, retryAfter: 90, retryAt: NOW + 90_000, cause };
  const failure = new ScreenerError('unavailable', 'Unavailable.', details);
  const waited = waitTooLong(failure, NOW);
  const usedUp = attemptsUsedUp([failure, failure, failure], failure);
  expect({ waited: waited.cause, usedUp: usedUp.cause }).toEqual({ waited: cause, usedUp: cause });
  expect(waited).toMatchObject({ ...details, hint: expect.stringContaining('--max-wait 1h') });
});

it('a refusal that still holds says until when nothing is sent', () => {
  expect(textOf(heldError({ until: NOW + 90 * MINUTE - 1, status: 429 }, NOW))).toEqual({
    code: 'quota_exhausted',
    message:
      "The account's quota (the API and MCP share it) is used up, or the service is overloaded. Nothing is sent until 2026-11-29 15:30:00 UTC, in 1 hour 30 minutes.",
    hint: 'Try again then. `screener access --recheck` asks once (free) whether the service still refuses.',
    status: 429,
    retryAfter: 5400,
    retryAt: NOW + 90 * MINUTE - 1,
  });
});

describe('a wait that was too long', () => {
  const failure = (retryAt: number | undefined) =>
    new ScreenerError('unavailable', 'It failed.', { hint: 'As it was.', retryAt });
  const hintOf = (millis: number | undefined) =>
    waitTooLong(failure(millis === undefined ? undefined : NOW + millis), NOW).hint;

  it('names --max-wait, if it can be waited for within an hour', () => {
    expect({
      minutes: hintOf(5 * MINUTE),
      hour: hintOf(HOUR),
      longer: hintOf(HOUR + 1),
      unsaid: hintOf(undefined),
    }).toEqual({
      minutes:
        'Try again after 2026-11-29 14:05:00 UTC, in 5 minutes; --max-wait 1h lets a command wait for it.',
      hour: 'Try again after 2026-11-29 15:00:00 UTC, in 1 hour; --max-wait 1h lets a command wait for it.',
      longer: 'As it was.',
      unsaid: 'As it was.',
    });
  });
});

describe('the last of three attempts', () => {
  const refused = (retryAt?: number) =>
    new ScreenerError('unavailable', 'Refused.', { status: 503, hint: 'As it was.', retryAt });
  const lost = new ScreenerError('network', 'Lost.', { hint: 'As it was.' });

  it('says that longer waits would not have helped, if it was a refusal', () => {
    const hintOf = (failures: readonly ScreenerError[], last: ScreenerError) =>
      attemptsUsedUp(failures, last).hint;
    const timed = refused(NOW + 5 * MINUTE);
    expect({
      always: hintOf([refused(), refused(), timed], timed),
      sometimes: hintOf([lost, refused(), refused()], refused()),
      lost: hintOf([refused(), refused(), lost], lost),
    }).toEqual({
      always: 'The service refused three times; it said to come back at 2026-11-29 14:05:00 UTC.',
      sometimes: 'Three attempts failed; it did not say when to come back.',
      lost: 'As it was.',
    });
  });
});

describe('an answer that did not come', () => {
  const errorOf = (
    credits: number,
    {
      wasSent = false,
      ...details
    }: { wasSent?: boolean; remedy?: string; isTimeout?: boolean } = {},
  ) => {
    const cause = new NoAnswer('the reason', details);
    cause.wasSent = wasSent;
    const { code, message, hint } = noAnswerError(cause, credits);
    return { code, message, hint };
  };
  const MAY_SPEND =
    'A request was sent, so 2 credits may be spent: `screener access` shows it (free).';

  const CHECK_THE_WAY =
    'Check the base URL and the network. If this network has a proxy, set HTTPS_PROXY to it; NO_PROXY lists hosts that are reached without it.';

  it('says what may be spent, and what to do', () => {
    expect({
      lost: errorOf(0, { wasSent: true }),
      lostWithCost: errorOf(2, { wasSent: true, isTimeout: true }),
      unsent: errorOf(0),
      unsentAfterOthers: errorOf(2),
      remedied: errorOf(0, { remedy: 'Do this.' }),
    }).toEqual({
      lost: {
        code: 'network',
        message: 'The answer was lost: the reason.',
        hint: 'Try again; --timeout gives a slow connection more time.',
      },
      lostWithCost: {
        code: 'timeout',
        message: 'The answer was lost: the reason.',
        hint: MAY_SPEND,
      },
      unsent: {
        code: 'network',
        message: 'The service cannot be reached: the reason.',
        hint: `No credit was spent. ${CHECK_THE_WAY}`,
      },
      unsentAfterOthers: {
        code: 'network',
        message: 'The service cannot be reached: the reason.',
        hint: `${MAY_SPEND} ${CHECK_THE_WAY}`,
      },
      remedied: {
        code: 'network',
        message: 'The service cannot be reached: the reason.',
        hint: 'No credit was spent. Do this.',
      },
    });
  });

  it('of a refused connection on this machine says to start what ran there', () => {
    const saysToStart = (message: string) =>
      noAnswerError(new NoAnswer(message), 0).hint?.includes('`screener sandbox` again') === true;
    expect({
      here: saysToStart('connect ECONNREFUSED 127.0.0.1:8787'),
      hereBySix: saysToStart('connect ECONNREFUSED ::1:8787'),
      elsewhere: saysToStart('connect ECONNREFUSED 192.0.2.1:443'),
      perhapsTheProxy: saysToStart('connect ECONNREFUSED 127.0.0.1:3128 (HTTPS_PROXY is set)'),
    }).toEqual({ here: true, hereBySix: true, elsewhere: false, perhapsTheProxy: false });
  });

  it('has its cause in words: the innermost one, or that of the first address', () => {
    const system = (code: string, message: string, cause?: unknown) =>
      Object.assign(new Error(message, { cause }), { code });
    const messageOf = (error: unknown, setting = '') => {
      const { message, remedy } = noAnswerOf(error, setting);
      return { message, hasRemedy: remedy !== undefined };
    };
    const refused = system('ECONNREFUSED', 'connect ECONNREFUSED ::1:9');
    const tls = Object.assign(system('ERR_SSL_WRONG_VERSION_NUMBER', 'C0:error:0A'), {
      reason: 'wrong version number',
    });
    expect({
      plain: messageOf(refused, ' (HTTPS_PROXY is set)'),
      nested: messageOf(system('UND_ERR', 'fetch failed', refused)),
      addresses: messageOf(new AggregateError([refused, system('EHOSTUNREACH', 'other')])),
      none: messageOf(new AggregateError([], '')),
      tls: messageOf(tls),
      name: messageOf(system('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example')),
      silent: messageOf(system('ECODE', '')),
      proxy: messageOf(system('UND', 'Proxy response (502) !== 200 when HTTP Tunneling')),
    }).toEqual({
      plain: { message: 'connect ECONNREFUSED ::1:9 (HTTPS_PROXY is set)', hasRemedy: false },
      nested: { message: 'connect ECONNREFUSED ::1:9', hasRemedy: false },
      addresses: { message: 'connect ECONNREFUSED ::1:9', hasRemedy: false },
      none: { message: 'unknown network error', hasRemedy: false },
      tls: { message: 'TLS failed: wrong version number', hasRemedy: true },
      name: { message: 'getaddrinfo ENOTFOUND api.example', hasRemedy: true },
      silent: { message: 'ECODE', hasRemedy: false },
      proxy: { message: 'the proxy did not connect (status 502)', hasRemedy: false },
    });
  });
});
