import path from 'node:path';
import { main } from '../../src/main.ts';
import { TestClock, testContext } from './context.ts';
import type { Home } from './home.ts';

export interface HereOptions {
  readonly env?: Record<string, string | undefined>;
  /** All of standard input. */
  readonly stdin?: string;
  readonly home: Pick<Home, 'config' | 'state' | 'folder'>;
  /** Columns of a terminal; without it both streams are pipes. */
  readonly tty?: number | undefined;
}

/**
 * Runs a command line within this process: the same requests and files as a process of its own, in a fraction of the
 * time, by a clock whose waits take none. For what many command lines have in common; what the process itself does
 * (signals, pipes, exit) needs `runScreener`.
 */
export async function runHere(
  args: readonly string[],
  { env = {}, stdin = '', home, tty }: HereOptions,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const context = testContext({
    argv: args,
    env,
    clock: new TestClock(Date.now()),
    directories: { config: home.config, state: home.state, data: path.join(home.folder, 'data') },
    ...(tty === undefined ? {} : { width: tty, errorWidth: tty }),
  });
  (context.stdin as NodeJS.ReadWriteStream & typeof context.stdin).end(stdin);
  const code = await main(context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}
