import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '../../src/main.ts';
import { TestClock, testContext } from '../support/context.ts';
import { ApiServer, KEY } from '../support/server.ts';
import type { FaultCase } from './cases.ts';
import type { Observed } from './check.ts';
import { heal, prepare } from './service.ts';

/** Runs cases in this process: real requests over loopback, by a clock whose waits take no time. */
export class InProcess {
  readonly #server: ApiServer;
  readonly #folder: string;
  #count = 0;

  private constructor(server: ApiServer) {
    this.#server = server;
    this.#folder = mkdtempSync(path.join(os.tmpdir(), 'screener-faults-'));
  }

  static async start(): Promise<InProcess> {
    return new InProcess(await ApiServer.start());
  }

  async close(): Promise<void> {
    await this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async run(given: FaultCase): Promise<Observed> {
    const server = this.#server;
    // A day after the cards: their outcomes are due.
    const clock = new TestClock(Date.UTC(2026, 10, 21, 18, 5));
    server.now = () => clock.now();
    prepare(server, given);
    this.#count += 1;
    const home = path.join(this.#folder, String(this.#count));
    const width = given.stream === 'terminal' ? 100 : undefined;
    const command = async (argv: readonly string[]) => {
      const directories = { config: path.join(home, 'config'), state: path.join(home, 'state') };
      const context = testContext({
        argv,
        env: server.env,
        clock,
        directories,
        ...(width === undefined ? {} : { width, errorWidth: width }),
      });
      const stdin = new PassThrough();
      stdin.end(KEY);
      const code = await main({ ...context, stdin });
      return { code, stdout: context.stdout.text, stderr: context.stderr.text };
    };
    const { scenario, format, maxWait } = given;
    const ran = await command([...scenario.args, '-o', format, '--max-wait', `${maxWait}s`]);
    server.check();
    const requests = [...server.requests];
    const { credits } = server;
    const startedAt = clock.now();
    heal(server);
    const { code } = await command(['screeners', '--json', '--max-wait', '5m']);
    const sentAt = server.requests.at(requests.length)?.at;
    rmSync(home, { recursive: true, force: true });
    return { ...ran, requests, credits, next: { code, startedAt, sentAt } };
  }
}
