import { interruptedError } from '../errors.ts';

/** How many pagers run. Ctrl-C is for them then, and this process must outlive them. */
let pagers = 0;

/** While `ended` is pending, a second Ctrl-C does not end the process. */
export async function leaveInterruptsTo(ended: Promise<unknown>): Promise<void> {
  pagers += 1;
  await ended;
  pagers -= 1;
}

/** The signal that asked the process to stop; undefined where none has come. */
let received: NodeJS.Signals | undefined;

/**
 * Aborted on the first Ctrl-C, SIGTERM or SIGHUP, with a `ScreenerError` of code `interrupted` as its reason, so that
 * the program prints what it has and ends by itself. A second signal ends the process at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: to give the cursor back, ora repeats the signal as soon as nobody else listens to it, which would end
    // the process before it has printed what it has.
    const listener = () => {
      if (!controller.signal.aborted) {
        received = name;
        controller.abort(interruptedError());
        return;
      }
      if (name === 'SIGINT' && pagers > 0) return;
      process.off(name, listener);
      process.kill(process.pid, name);
    };
    process.on(name, listener);
  }
  return controller.signal;
}

/**
 * Ends the process as the signal would have that interrupted it (Ctrl-C at a prompt counts as SIGINT): a shell then
 * leaves its loop, which an exit code of 130 does not make it do, and a service manager sees no failure. Call it once all
 * is written and closed. Returns where that kills nobody: process 1 of a container ignores its own signals, and Windows
 * has none.
 */
export function dieOfSignal(): void {
  if (process.platform === 'win32') return;
  const name = received ?? 'SIGINT';
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
