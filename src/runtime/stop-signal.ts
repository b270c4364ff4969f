import { interruptedError } from '../errors.ts';

/** How many pagers run. Ctrl-C is for them then, and this process must outlive them. */
let pagers = 0;

/** While `ended` is pending, a second Ctrl-C does not end the process. */
export async function leaveInterruptsTo(ended: Promise<unknown>): Promise<void> {
  pagers += 1;
  await ended;
  pagers -= 1;
}

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
