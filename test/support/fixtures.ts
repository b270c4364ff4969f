import { test } from 'vitest';
import { TestClock } from './context.ts';
import { createHome, type Home } from './home.ts';
import { type HereOptions, NOW, runHere } from './in-process.ts';
import { type Ran, type RunOptions, runScreener } from './run.ts';
import { ApiServer } from './server.ts';

interface Fixtures {
  readonly server: ApiServer;
  readonly home: Home;
  /** Runs the built program as `home`'s user, with base URL and key of `server` in the environment. */
  readonly screener: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** The same within this process, which is faster. */
  readonly here: (
    args: readonly string[],
    options?: Partial<HereOptions>,
  ) => ReturnType<typeof runHere>;
}

/** A test with a server, a user's files and the built program at hand. */
export const it = test.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures off the pattern.
  server: async ({}, use) => {
    const server = await ApiServer.start();
    await use(server);
    await server.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  home: async ({}, use) => {
    const home = createHome();
    await use(home);
    home.remove();
  },
  here: async ({ server, home }, use) => {
    await use((args, { clock = new TestClock(NOW), ...options } = {}) => {
      server.now = () => clock.now();
      return runHere(args, { home, ...options, clock, env: { ...server.env, ...options.env } });
    });
  },
  screener: async ({ server, home }, use) => {
    await use((args, options = {}) =>
      runScreener(args, { home, ...options, env: { ...server.env, ...options.env } }),
    );
  },
});

/** The one JSON error line on stderr. @throws where there is none, or more than one */
export function errorLine(stderr: string): Record<string, unknown> {
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  if (lines.length !== 1 || lines[0] === undefined)
    throw new Error(`Not one JSON line on stderr:\n${stderr}`);
  const { error, ...rest } = JSON.parse(lines[0]);
  if (Object.keys(rest).length > 0) throw new Error(`More than "error" in ${lines[0]}`);
  return error;
}

/** The values of NDJSON. */
// biome-ignore lint/suspicious/noExplicitAny: whoever asks knows what it is.
export function parseLines(text: string): any[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('NDJSON without an end of its last line');
  return lines.map((line) => JSON.parse(line));
}
