/** Signals as listeners hear them: none is sent to the process of the tests. */
import { afterEach, expect, it } from 'vitest';
import { leaveInterruptsTo, stopSignal } from '../../src/runtime/stop-signal.ts';

const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = new Map(NAMES.map((name) => [name, process.listeners(name)]));

afterEach(() => {
  for (const name of NAMES) {
    const added = process.listeners(name).filter((each) => !before.get(name)?.includes(each));
    for (const listener of added) process.removeListener(name, listener);
  }
});

/** Calls the listeners that `stopSignal` added, as the signal would. */
function send(name: (typeof NAMES)[number]): void {
  for (const listener of process.listeners(name))
    if (!before.get(name)?.includes(listener)) listener(name);
}

it.each(NAMES)('%s stops the work', (name) => {
  const signal = stopSignal();
  const isAbortedBefore = signal.aborted;
  send(name);
  const { aborted: isAborted, reason } = signal;
  expect({ isAbortedBefore, isAborted, reason }).toMatchObject({
    isAbortedBefore: false,
    isAborted: true,
    reason: { code: 'interrupted' },
  });
});

it('Ctrl-C belongs to the pager while there is one, and other signals do not', async () => {
  const signal = stopSignal();
  let quit = () => {};
  const left = leaveInterruptsTo(
    new Promise<void>((resolve) => {
      quit = resolve;
    }),
  );
  send('SIGINT');
  const isAbortedByCtrlC = signal.aborted;
  const other = stopSignal();
  send('SIGTERM');
  const isAbortedByOther = other.aborted;
  quit();
  await left;
  const later = stopSignal();
  const second = process.listeners('SIGINT').at(-1);
  second?.('SIGINT');
  expect({ isAbortedByCtrlC, isAbortedByOther, isAbortedLater: later.aborted }).toEqual({
    isAbortedByCtrlC: false,
    isAbortedByOther: true,
    isAbortedLater: true,
  });
});
