import type { Ora } from 'ora';
import type { Context } from '../runtime/context.ts';
import type { Progress } from '../runtime/notes.ts';
import { safeText } from './safe-text.ts';
import { shorten } from './table/measure.ts';

/** Long enough that an answer which comes at once shows no spinner; a person sees something within 100 ms. */
const APPEARS_AFTER = 45;

/** The frame, a space, and the last column, after which some terminals begin a new line. */
const BESIDE_TEXT = 3;

interface Shown {
  /** Says why nothing goes on: it goes before what is under way. */
  readonly wait: boolean;
  text: () => string;
}

/**
 * One spinner for all that is going on: a wait shows, else the latest progress; an earlier one comes back when it stops.
 * ora is loaded when the first of them takes long enough to be noticed; what is written to the terminal meanwhile goes
 * above its line.
 * @returns shows a line, whose text is asked for again at every redrawing
 */
export function createSpinner(
  { clock, signal }: Pick<Context, 'clock' | 'signal'>,
  stream: NodeJS.WriteStream,
  { colored, unicode }: { readonly colored: boolean; readonly unicode: boolean },
): (text: () => string, wait: boolean) => Progress {
  const all: Shown[] = [];
  let spinner: Ora | undefined;
  let running: AbortController | undefined;

  const line = () => {
    const text = (all.findLast(({ wait }) => wait) ?? all.at(-1))?.text() ?? '';
    // One line at any width: a longer one could not be redrawn once the terminal has been resized.
    return shorten(safeText(text), Math.max(0, stream.columns - BESIDE_TEXT));
  };
  const end = () => {
    running?.abort();
    running = undefined;
    spinner?.stop();
  };
  /** Rejects where all has stopped before it appears. */
  const appear = async (stopped: AbortSignal) => {
    await clock.sleep(APPEARS_AFTER, stopped);
    const { default: ora } = await import('ora');
    spinner ??= Object.defineProperty(
      // ora's reading of stdin would swallow Ctrl-C; and it is a terminal, as its caller knows.
      ora({
        stream,
        discardStdin: false,
        isEnabled: true,
        color: colored ? 'cyan' : false,
        spinner: unicode ? 'dots' : 'line',
      }),
      // It asks for its text at every frame.
      'text',
      { get: line },
    );
    if (!stopped.aborted) spinner.start();
  };

  return (text, wait) => {
    const shown: Shown = { wait, text };
    all.push(shown);
    if (running === undefined && !signal.aborted) {
      running = new AbortController();
      // Ctrl-C gives the cursor back at once, whoever is in charge of the progress.
      signal.addEventListener('abort', end, { once: true, signal: running.signal });
      appear(running.signal).catch(() => {});
    }
    return {
      update(next) {
        shown.text = () => next;
      },
      stop() {
        if (!all.includes(shown)) return;
        all.splice(all.indexOf(shown), 1);
        if (all.length === 0) end();
      },
    };
  };
}
