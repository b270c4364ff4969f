import path from 'node:path';
import { interruptedError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { TestClock, testContext } from './context.ts';
import { NOW } from './date.ts';
import type { Home } from './home.ts';

export { NOW };

export interface HereOptions {
  readonly env?: Record<string, string | undefined>;
  /** All of standard input. */
  readonly stdin?: string;
  /** Whether standard input is a terminal, too: `stdin` is what a person types there. */
  readonly isTyped?: boolean;
  readonly home: Pick<Home, 'config' | 'state' | 'folder'>;
  /** Columns of a terminal; without it both streams are pipes. */
  readonly tty?: number | undefined;
  /** Rows of that terminal; without it any table fits. */
  readonly rows?: number | undefined;
  /** By default one that begins at `NOW`, and whose waits take no time. */
  readonly clock?: Clock;
  /** Whether Ctrl-C comes at a wait of so many milliseconds. */
  readonly interruptAt?: (millis: number) => boolean;
  /** Called with all of standard output whenever there is more of it. @param interrupt is Ctrl-C */
  readonly onOutput?: (stdout: string, interrupt: () => void) => void;
}

/**
 * Runs a command line within this process: the same requests and files as a process of its own, in a fraction of the
 * time, by a clock whose waits take none. For what many command lines have in common; what the process itself does
 * (signals, pipes, exit) needs `runScreener`.
 */
export async function runHere(
  args: readonly string[],
  {
    env = {},
    stdin = '',
    isTyped = false,
    home,
    tty,
    rows,
    clock = new TestClock(NOW),
    interruptAt = () => false,
    onOutput = () => {},
  }: HereOptions,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(interruptedError());
  const context = testContext({
    argv: args,
    env,
    clock: {
      now: () => clock.now(),
      sleep: (millis, signal) => {
        if (interruptAt(millis)) interrupt();
        return clock.sleep(millis, signal);
      },
    },
    signal: controller.signal,
    directories: { config: home.config, state: home.state, data: path.join(home.folder, 'data') },
    ...(tty === undefined ? {} : { width: tty, height: rows, errorWidth: tty }),
  });
  Object.assign(context.stdin, { isTTY: isTyped }).end(stdin);
  const { stdout } = context;
  const write = stdout.write.bind(stdout);
  stdout.write = async (text) => {
    await write(text);
    onOutput(stdout.text, interrupt);
  };
  const code = await main(context);
  return { code, stdout: stdout.text, stderr: context.stderr.text };
}
