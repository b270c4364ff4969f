import { interruptedError } from '../errors.ts';

/** Ctrl-C is for a running pager, which this process must outlive. */
let pagers = 0;

export async function leaveInterruptsTo(ended: Promise<unknown>): Promise<void> {
  pagers += 1;
  await ended;
  pagers -= 1;
}

let received: NodeJS.Signals | undefined;

/**
 * Aborted on the first Ctrl-C, SIGTERM or SIGHUP, for the reason `interrupted`, so that the program prints what it has
 * and ends by itself. A second signal ends the process at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // ora repeats a signal that nobody listens to any more: `once` would end the process early.
    const listener = () => {
      if (name === 'SIGINT' && pagers > 0) return;
      if (!controller.signal.aborted) {
        received = name;
        controller.abort(interruptedError());
        return;
      }
      process.off(name, listener);
      process.kill(process.pid, name);
    };
    process.on(name, listener);
  }
  return controller.signal;
}

/**
 * Dies of the signal that interrupted the process, so that a shell leaves its loop: for exit code 130 alone it does not.
 * Returns if that kills nobody: process 1 of a container ignores its own signals, and Windows has none.
 */
export function dieOfSignal(): void {
  if (process.platform === 'win32') return;
  const name = received ?? 'SIGINT';
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
