import { expect } from 'vitest';
import { CONDITIONS } from '../../src/api/statuses.ts';
import { ERROR_TEXTS } from '../../src/sandbox/response.ts';
import { TestClock } from '../support/context.ts';
import { errorLine, it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { type ApiServer, KEY } from '../support/server.ts';
import { casesOf, FAULTS, type FaultCase, isWaitedFor, nameOf, SCENARIOS } from './cases.ts';
import { type Observed, shortfalls } from './check.ts';

/** All is well but for the one path, from its n-th request on, so many times. */
function prepare(server: ApiServer, { scenario, fault, retryAfter, times }: FaultCase): void {
  server.requests.length = 0;
  server.credits = 0;
  server.allIsWell();
  const well = server.steady(scenario.path);
  let seen = 0;
  server.always(scenario.path, (request) => {
    seen += 1;
    if (seen < scenario.nth || seen >= scenario.nth + times) return well(request);
    const retryHeader = retryAfter === 'absent' ? {} : { 'Retry-After': retryAfter };
    const headers = { Date: new Date(server.now()).toUTCString(), ...retryHeader };
    return { ...fault.answer, headers };
  });
}

/** Real requests over loopback, by a clock whose waits take no time. */
async function observe(server: ApiServer, home: Home, faultCase: FaultCase): Promise<Observed> {
  // A day after the cards: their outcomes are due.
  const clock = new TestClock(Date.UTC(2026, 10, 21, 18, 5));
  server.now = () => clock.now();
  prepare(server, faultCase);
  const state = `${home.state}/${nameOf(faultCase).replaceAll('/', ' ')}`;
  const options = {
    env: server.env,
    stdin: KEY,
    clock,
    // Its own history, too: what one case has bought, another would not ask for.
    home: { ...home, state, folder: state },
  };
  const { scenario, format, maxWait } = faultCase;
  const ran = await runHere([...scenario.args, '-o', format, '--max-wait', `${maxWait}s`], options);
  return { ...ran, requests: [...server.requests], credits: server.credits };
}

it.for(SCENARIOS)('the fault matrix: $name', async (scenario, { server, home }) => {
  const short: string[] = [];
  for (const faultCase of casesOf(scenario)) {
    const faults = shortfalls(faultCase, await observe(server, home, faultCase));
    if (faults.length > 0) short.push(`${nameOf(faultCase)}: ${faults.join('; ')}`);
  }
  expect(short.slice(0, 10)).toEqual([]);
});

it.for(FAULTS.filter(isWaitedFor))(
  '$name: what it holds back fails as it did',
  async (fault, { server, here }) => {
    server.always('/market-snapshot', { ...fault.answer, headers: { 'Retry-After': '90' } });
    const first = await here(['snapshot', '--json']);
    const held = await here(['snapshot', '--json']);
    const { code, exit } = fault;
    for (const ran of [first, held])
      expect(errorLine(ran.stderr), ran === first ? 'the first run' : 'the held run').toMatchObject(
        { code, exit_code: exit },
      );
    expect(held.stderr).toContain('Nothing is sent until');
    expect(server.requests).toHaveLength(1);
  },
);

it('each status of the tables is a fault of the matrix, and of the sandbox', () => {
  const tried = FAULTS.map(({ answer }) => answer.status).filter((status) => status !== undefined);
  const statuses = (list: Iterable<number | string>) => [...new Set([...list].map(Number))].sort();
  expect(statuses(tried), 'BY_CODE of test/faults/cases.ts').toEqual(
    statuses(Object.keys(ERROR_TEXTS)),
  );
  expect(Object.keys(ERROR_TEXTS), 'ERROR_TEXTS of src/sandbox/response.ts').toEqual(
    expect.arrayContaining(Object.keys(CONDITIONS)),
  );
});
