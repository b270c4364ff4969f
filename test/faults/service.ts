import { listing } from '../support/listing.ts';
import * as samples from '../support/samples.ts';
import { type Answer, type ApiServer, failure, ok } from '../support/server.ts';
import type { FaultCase, FaultName } from './cases.ts';

/** Prepares the server for a case: all is well but for the one path, from its n-th request on, so many times. */
export function prepare(server: ApiServer, { scenario, fault, retryAfter, times }: FaultCase): void {
  const pages = listing(samples.cards(60));
  server.reset();
  server
    .always('/access', ok(samples.access()))
    .always('/market-snapshot', ok(samples.snapshot()))
    .always('/screeners', ok(samples.screeners()))
    .always('/signals', pages)
    .always('/signals/{id}', ({ path }) => ok(detailOf(path)))
    .always('/signal-stats', ok(samples.stats()));
  const well = new Map<string, Answer>([
    ['/access', ok(samples.access())],
    ['/market-snapshot', ok(samples.snapshot())],
    ['/screeners', ok(samples.screeners())],
    ['/signal-stats', ok(samples.stats())],
  ]);
  let seen = 0;
  server.always(scenario.path, (request) => {
    seen += 1;
    if (seen >= scenario.nth && seen < scenario.nth + times)
      return faultAnswer(fault, header(retryAfter, server.now()));
    if (scenario.path === '/signals') return pages(request);
    return well.get(scenario.path) ?? ok(detailOf(request.path));
  });
}

/** The fault has passed: whatever is asked now is answered. */
export function heal(server: ApiServer): void {
  server.always('/screeners', ok(samples.screeners()));
}

function detailOf(path: string): samples.Json {
  return samples.detail(9000 - Number(path.slice('/signals/'.length)));
}

function header(retryAfter: string, now: number): Record<string, string> {
  const date = (at: number) => new Date(at).toUTCString();
  if (retryAfter === 'absent') return { Date: date(now) };
  return { Date: date(now), 'Retry-After': retryAfter === 'date' ? date(now + 10_000) : retryAfter };
}

const ENVELOPE = '{"hasError":false,"response":{"id":1},"errors":null}';
const BROKEN: Readonly<Record<string, Answer>> = {
  closed: { cut: 'at once' },
  half: { body: ENVELOPE, cut: 20 },
  html: { body: '<html><body>Hello</body></html>' },
  empty: { body: '' },
  'no-envelope': { body: '{"id":1}' },
  hasError: { body: '{"hasError":true,"response":null,"errors":"SOMETHING"}' },
  null: { body: '{"hasError":false,"response":null,"errors":null}' },
  'wrong-type': { body: ENVELOPE },
};

function faultAnswer(fault: FaultName, headers: Record<string, string>): Answer {
  const broken = BROKEN[fault];
  return broken === undefined ? { ...failure(Number(fault)), headers } : { ...broken, headers };
}
