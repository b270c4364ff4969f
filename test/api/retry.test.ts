import { describe, expect, it } from 'vitest';
import { NoAnswer } from '../../src/api/no-answer.ts';
import {
  mayHaveBeenServed,
  nextWait,
  parseRetryAfter,
  reasonToWait,
  secondsToStayAway,
} from '../../src/api/retry.ts';

const unsent = { status: undefined, retryAfter: undefined, cause: new NoAnswer('') };
const lost = { ...unsent, cause: Object.assign(new NoAnswer(''), { wasSent: true }) };
const refused = (status: number, retryAfter?: number) => ({ status, retryAfter });

// How whole commands wait is in test/faults.
it('repeats what never left twice, whatever it costs, but not what fails likewise', () => {
  const waits = [1, 2, 3].map((count) => nextWait(Array(count).fill(unsent), { cost: 5 }));
  expect(waits).toEqual([500, 1000, undefined]);
  const remedied = { ...unsent, cause: new NoAnswer('', { remedy: 'mend it' }) };
  expect(nextWait([remedied], { cost: 1 })).toBeUndefined();
});

describe('a refusal is waited for', () => {
  const waitAfter = (...failures: Parameters<typeof nextWait>[0]) =>
    nextWait(failures, { cost: 1 });

  it('as long as it says, or a minute, or five seconds that double', () => {
    expect({
      said: waitAfter(refused(429, 7)),
      silent429: waitAfter(refused(429)),
      silent429Again: waitAfter(refused(429), refused(429)),
      silent503: waitAfter(refused(503)),
      silent503Again: waitAfter(refused(503), refused(503)),
      after429: waitAfter(refused(429), refused(503)),
      third: waitAfter(refused(503), refused(503), refused(503)),
      first: waitAfter(),
    }).toEqual({
      said: 7000,
      silent429: 60_000,
      silent429Again: 60_000,
      silent503: 5000,
      silent503Again: 10_000,
      after429: 5000,
      third: undefined,
      first: undefined,
    });
    const earlier = [refused(503), refused(503), refused(429), refused(503)];
    expect(secondsToStayAway(refused(503), earlier)).toBe(40);
    expect(secondsToStayAway({ status: 200, retryAfter: 9 }, [])).toBeUndefined();
  });

  it('not where one attempt is meant, unless it says when to come back', () => {
    const once = (status: number, retryAfter?: number) =>
      nextWait([refused(status, retryAfter)], { cost: 1, once: true });
    expect({ silent503: once(503), said503: once(503, 9), silent429: once(429) }).toEqual({
      silent503: undefined,
      said503: 9000,
      silent429: 60_000,
    });
  });
});

describe('what may have been charged', () => {
  it('is repeated once, if it costs a credit at most', () => {
    const broken = refused(500);
    expect({
      lost: nextWait([lost], { cost: 1 }),
      broken: nextWait([broken], { cost: 0 }),
      brokenWithTime: nextWait([refused(502, 30)], { cost: 1 }),
      twice: nextWait([lost, broken], { cost: 1 }),
      afterUnsent: nextWait([unsent, lost], { cost: 1 }),
      dear: nextWait([lost], { cost: 2 }),
      once: nextWait([lost], { cost: 1, once: true }),
    }).toEqual({
      lost: 5000,
      broken: 5000,
      brokenWithTime: 30_000,
      twice: undefined,
      afterUnsent: 5000,
      dear: undefined,
      once: undefined,
    });
  });

  it('is an answer that was lost, or a 5xx that is no refusal', () => {
    expect({
      lost: mayHaveBeenServed(lost),
      unsent: mayHaveBeenServed(unsent),
      broken: mayHaveBeenServed(refused(500)),
      refused: mayHaveBeenServed(refused(503)),
      notFound: nextWait([refused(404)], { cost: 1 }),
    }).toEqual({ lost: true, unsent: false, broken: true, refused: false, notFound: undefined });
  });
});

it('says why it waits', () => {
  expect({
    lost: reasonToWait(lost),
    unsent: reasonToWait(unsent),
    quota: reasonToWait(refused(429)),
    broken: reasonToWait(refused(502)),
  }).toEqual({
    lost: 'the answer was lost',
    unsent: 'the service cannot be reached',
    quota: 'the service is refusing requests (429)',
    broken: 'the service is unavailable (502)',
  });
});

it('reads Retry-After as a number of seconds, of 31 days at most', () => {
  const texts = ['7', ' 7 ', '0', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '', '9'.repeat(20)];
  expect(texts.map((text) => ({ text, seconds: parseRetryAfter(text) }))).toEqual([
    { text: '7', seconds: 7 },
    { text: ' 7 ', seconds: 7 },
    { text: '0', seconds: undefined },
    { text: '-1', seconds: undefined },
    { text: '1.5', seconds: undefined },
    { text: 'Wed, 21 Oct 2026 07:28:00 GMT', seconds: undefined },
    { text: '', seconds: undefined },
    { text: '9'.repeat(20), seconds: 31 * 24 * 3600 },
  ]);
  expect(parseRetryAfter(undefined)).toBeUndefined();
});
