import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testContext } from '../support/context.ts';
import { createHome } from '../support/home.ts';
import * as samples from '../support/samples.ts';
import { ApiServer, ok } from '../support/server.ts';

test.skipIf(process.platform !== 'linux')('commands in one process leave no file of the ledger open', async () => {
  const server = await ApiServer.start();
  server.always('/market-snapshot', ok(samples.snapshot()));
  const { config, state, remove } = createHome();
  const run = () => main(testContext({ argv: ['snapshot'], env: server.env, directories: { config, state } }));
  const open = () => readdirSync('/proc/self/fd').length;
  expect(await run()).toBe(0);
  const before = open();
  for (let n = 0; n < 10; n += 1) expect(await run()).toBe(0);
  // A connection of the server's may still be on its way out.
  expect(open()).toBeLessThan(before + 5);
  await server.close();
  remove();
});
