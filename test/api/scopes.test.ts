/** A failure has a scope, which comes from the status and from whether the body is the service's own. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Gate } from '../../src/api/gate.ts';
import { CONDITIONS } from '../../src/api/statuses.ts';
import type { ScreenerError } from '../../src/errors.ts';
import { testContext } from '../support/context.ts';
import * as samples from '../support/samples.ts';

const ENVELOPE = '{"hasError":true,"response":null,"errors":"E"}';
const CHALLENGE = `<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your connection</h1></body></html>`;
const FRAMEWORK = '{"detail":"Not Found"}';

/** Lets every request leave. */
const open: Gate = {
  enter: async () => ({ leave: () => true, cancel: () => {}, settle: () => true }),
};

interface Prepared {
  readonly status: number;
  readonly body: string;
}

/** A client whose service answers as prepared, by the path that is asked for. */
function clientOf(answers: Readonly<Record<string, Prepared>>) {
  const { clock, signal, secrets } = testContext();
  return createClient({
    transport: async ({ target, onLeaving }) => {
      onLeaving();
      const { status = 404, body = ENVELOPE } = answers[target.replace(/\?.*/, '')] ?? {};
      return { status, headers: {}, body: new TextEncoder().encode(body) };
    },
    gate: open,
    timeout: 1000,
    context: { clock, signal, secrets },
    notes: { warn: () => {}, debug: () => {} },
  });
}

async function failureOf(call: Promise<unknown>) {
  const error = (await call.then(
    () => expect.fail('it was answered'),
    (failure: unknown) => failure,
  )) as ScreenerError;
  return { code: error.code, exit: error.exitCode, scope: error.scope };
}

const list = (answer: Prepared) =>
  failureOf(clientOf({ '/signals': answer }).call('signals', {}, { noRetryOfLostAnswer: true }));
const card = (answer: Prepared) =>
  failureOf(
    clientOf({ '/signals/7': answer }).call('signal', { id: 7 }, { noRetryOfLostAnswer: true }),
  );

/** A status of part 7 in the service's own Envelope. */
const LISTED = {
  401: { code: 'unauthorized', exit: 3, ofList: 'account', ofCard: 'account' },
  403: { code: 'pro_required', exit: 4, ofList: 'operation', ofCard: 'operation' },
  404: { code: 'not_found', exit: 5, ofList: 'operation', ofCard: 'card' },
  422: { code: 'invalid_arguments', exit: 6, ofList: 'operation', ofCard: 'card' },
  429: { code: 'quota_exhausted', exit: 7, ofList: 'moment', ofCard: 'moment' },
  503: { code: 'unavailable', exit: 8, ofList: 'moment', ofCard: 'moment' },
} as const;

describe('a status of part 7', () => {
  it('is in this table', () => expect(Object.keys(LISTED)).toEqual(Object.keys(CONDITIONS)));

  it.each(Object.entries(LISTED))(
    '%s in an Envelope is the word of the service',
    async (status, { code, exit, ofList, ofCard }) => {
      const answer = { status: Number(status), body: ENVELOPE };
      expect({ list: await list(answer), card: await card(answer) }).toEqual({
        list: { code, exit, scope: ofList },
        card: { code, exit, scope: ofCard },
      });
    },
  );

  it.each(
    Object.keys(LISTED).flatMap((status) =>
      [CHALLENGE, FRAMEWORK, ''].map((body) => ({ status: Number(status), body })),
    ),
  )('$status with the body "$body" is not', async (answer) => {
    const moment = { code: 'unavailable', exit: 8, scope: 'moment' };
    expect({ list: await list(answer), card: await card(answer) }).toEqual({
      list: moment,
      card: moment,
    });
  });
});

describe('another answer', () => {
  it.each([
    {
      status: 500,
      body: ENVELOPE,
      code: 'unavailable',
      exit: 8,
      ofList: 'moment',
      ofCard: 'moment',
    },
    {
      status: 502,
      body: CHALLENGE,
      code: 'unavailable',
      exit: 8,
      ofList: 'moment',
      ofCard: 'moment',
    },
    {
      status: 405,
      body: FRAMEWORK,
      code: 'bad_answer',
      exit: 9,
      ofList: 'operation',
      ofCard: 'card',
    },
    {
      status: 405,
      body: CHALLENGE,
      code: 'unavailable',
      exit: 8,
      ofList: 'moment',
      ofCard: 'moment',
    },
    { status: 302, body: '', code: 'bad_answer', exit: 9, ofList: 'operation', ofCard: 'card' },
    {
      status: 200,
      body: CHALLENGE,
      code: 'bad_answer',
      exit: 9,
      ofList: 'moment',
      ofCard: 'moment',
    },
    {
      status: 200,
      body: FRAMEWORK,
      code: 'bad_answer',
      exit: 9,
      ofList: 'moment',
      ofCard: 'moment',
    },
    {
      status: 200,
      body: ENVELOPE,
      code: 'bad_answer',
      exit: 9,
      ofList: 'operation',
      ofCard: 'card',
    },
    {
      status: 200,
      body: '{"hasError":false,"response":{"id":"x"},"errors":null}',
      code: 'bad_answer',
      exit: 9,
      ofList: 'operation',
      ofCard: 'card',
    },
  ])('$status $body', async ({ status, body, code, exit, ofList, ofCard }) => {
    expect({ list: await list({ status, body }), card: await card({ status, body }) }).toEqual({
      list: { code, exit, scope: ofList },
      card: { code, exit, scope: ofCard },
    });
  });

  it('for another card than the one that was asked for is about that card', async () => {
    const body = JSON.stringify({ hasError: false, response: samples.nthDetail(1), errors: null });
    expect(await card({ status: 200, body })).toEqual({
      code: 'bad_answer',
      exit: 9,
      scope: 'card',
    });
  });
});

it('403 of /access and of one more operation is about the account', async () => {
  const refused = { status: 403, body: ENVELOPE };
  const client = clientOf({ '/access': refused, '/signals': refused, '/market-snapshot': refused });
  const scopes = [];
  for (const call of [
    () => client.call('signals', {}),
    () => client.call('snapshot', {}),
    () => client.call('access', {}),
    () => client.call('signals', {}),
  ])
    scopes.push((await failureOf(call())).scope);
  expect(scopes).toEqual(['operation', 'operation', 'account', 'account']);
});

it('a web page with status 200 does not say that an operation is allowed again', async () => {
  const refused = { status: 403, body: ENVELOPE };
  const answers: Record<string, Prepared> = { '/access': refused, '/signals': refused };
  const client = clientOf(answers);
  await failureOf(client.call('signals', {}));
  answers['/signals'] = { status: 200, body: CHALLENGE };
  await failureOf(client.call('signals', {}));
  expect(await failureOf(client.call('access', {}))).toMatchObject({ scope: 'account' });
});
