import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY } from '../../src/base/units.ts';
import { testContext } from '../support/context.ts';
import * as samples from '../support/samples.ts';

it('where no answer has a Date, the end of a page tells the time of the service', async () => {
  const { clock, signal, secrets } = testContext();
  const until = clock.now() - 3 * DAY;
  const response = { ...samples.page([]), items: [], until: formatApiTime(until) };
  const body = JSON.stringify({ hasError: false, response, errors: null });
  const client = createClient({
    transport: async ({ onLeaving }) => {
      onLeaving();
      return { status: 200, headers: {}, body: new TextEncoder().encode(body) };
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
