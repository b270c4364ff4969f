import { interruptedError } from '../errors.ts';

let pagers = 0;

export async function leaveInterruptsTo(ended: Promise<unknown>): Promise<void> {
  pagers += 1;
  await ended;
  pagers -= 1;
}

let received: NodeJS.Signals | undefined;

/** Aborted by the first signal, so that the program ends by itself; a second one ends the process. */
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

/** Lets a shell leave its loop: for exit code 130 alone it does not. Returns in process 1 and on Windows. */
export function dieOfSignal(): void {
  if (process.platform === 'win32') return;
  const name = received ?? 'SIGINT';
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
