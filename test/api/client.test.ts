import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Wait } from '../../src/api/gate.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { testContext } from '../support/context.ts';
import * as samples from '../support/samples.ts';

const ACCESS = { hasError: false, response: samples.access(), errors: null };
const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value));

it('where no answer has a Date, the end of a page tells the time of the service', async () => {
  const { clock, signal, secrets } = testContext();
  const until = clock.now() - 3 * DAY;
  const response = { ...samples.page([]), items: [], until: formatApiTime(until) };
  const body = bytesOf({ hasError: false, response, errors: null });
  const client = createClient({
    transport: async ({ onLeaving }) => {
      onLeaving();
      return { status: 200, headers: {}, body };
    },
    gate: { enter: async () => ({ leave: () => true, cancel: () => {}, settle: () => true }) },
    timeout: 1000,
    context: { clock, signal, secrets },
    notes: { warn: () => {}, debug: () => {} },
  });
  const before = client.now();
  await client.call('signals', {});
  expect({ before, after: client.now() }).toEqual({ before: clock.now(), after: until });
});

it('the Date of an answer tells the time of the service, also where no page does', async () => {
  const { clock, signal, secrets } = testContext();
  const serviceTime = clock.now() - 3 * HOUR;
  const warnings: string[] = [];
  const client = createClient({
    transport: async ({ onLeaving }) => {
      onLeaving();
      const headers = { date: new Date(serviceTime).toUTCString() };
      return { status: 200, headers, body: bytesOf(ACCESS) };
    },
    gate: { enter: async () => ({ leave: () => true, cancel: () => {}, settle: () => true }) },
    timeout: 1000,
    context: { clock, signal, secrets },
    notes: { warn: (text) => warnings.push(text), debug: () => {} },
  });
  await client.call('access', {});
  expect({ now: client.now(), warnings }).toEqual({
    now: serviceTime,
    warnings: ["This machine's clock is 3 hours ahead of the service's, whose time counts."],
  });
});

it('a request that did not leave before its turn was over takes another turn, without a wait', async () => {
  const { clock, signal, secrets } = testContext();
  const entered: { waitBefore: Wait | undefined }[] = [];
  let cancelled = 0;
  const client = createClient({
    transport: async ({ onLeaving }) => {
      onLeaving();
      return { status: 200, headers: {}, body: bytesOf(ACCESS) };
    },
    gate: {
      enter: async ({ waitBefore }) => {
        entered.push({ waitBefore });
        const isFirst = entered.length === 1;
        const cancel = () => {
          cancelled += 1;
        };
        return { leave: () => !isFirst, cancel, settle: () => true };
      },
    },
    timeout: 1000,
    context: { clock, signal, secrets },
    notes: { warn: () => {}, debug: () => {} },
  });
  expect(await client.call('access', {})).toEqual(samples.access());
  const turn = { waitBefore: undefined };
  expect({ entered, cancelled }).toEqual({ entered: [turn, turn], cancelled: 1 });
});
