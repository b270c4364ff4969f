import { createHome } from '../support/home.ts';
import { runScreener } from '../support/run.ts';
import { ApiServer, KEY } from '../support/server.ts';
import type { FaultCase } from './cases.ts';
import type { Observed } from './check.ts';
import { prepare } from './service.ts';

/** Runs a case as it is lived: the built program, the real clock, on a pipe or a pseudo-terminal. */
export async function runReally(given: FaultCase): Promise<Observed> {
  const server = await ApiServer.start();
  const home = createHome();
  try {
    prepare(server, given);
    const { scenario, format, maxWait } = given;
    const ran = await runScreener([...scenario.args, '-o', format, '--max-wait', `${maxWait}s`], {
      env: server.env,
      home,
      stdin: `${KEY}\n`,
      tty: given.stream === 'terminal' ? 100 : undefined,
    });
    server.check();
    return { ...ran, requests: [...server.requests], credits: server.credits };
  } finally {
    await server.close();
    home.remove();
  }
}
