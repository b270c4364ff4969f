/** What a signal does: the first one asks the program to end, and the second one ends it. */
import { interruptedError } from '../errors.ts';

/** How many pagers are open. */
let pagers = 0;

/** Leaves Ctrl-C to a pager, so that this program ignores it. @param ended resolves when the user has left the pager */
export async function leaveInterruptsTo(ended: Promise<unknown>): Promise<void> {
  pagers += 1;
  await ended;
  pagers -= 1;
}

/** The signal that asked the program to end. */
let received: NodeJS.Signals | undefined;

/**
 * An AbortSignal, which the first SIGINT, SIGTERM or SIGHUP aborts: the program then ends by itself. A second one ends the
 * process.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `process.once`, which would leave no listener after the first signal: ora (the spinner) would then send the signal again,
    // and that would end the process before it can finish.
    const listener = () => {
      if (name === 'SIGINT' && pagers > 0) return;
      if (!controller.signal.aborted) {
        received = name;
        controller.abort(interruptedError());
        return;
      }
      // Without a listener the signal does what it usually does: it ends the process.
      process.off(name, listener);
      process.kill(process.pid, name);
    };
    process.on(name, listener);
  }
  return controller.signal;
}

/**
 * Ends the process by the signal that it got, so that a shell loop such as `for … do screener …` ends, too. Exit code 130 alone would
 * not end it. The function returns on Windows, and in the first process of a container, which signals do not end.
 */
export function dieOfSignal(): void {
  if (process.platform === 'win32') return;
  const name = received ?? 'SIGINT';
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
