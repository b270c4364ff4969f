import type { Ora } from 'ora';
import type { Context, Progress } from '../runtime/context.ts';
import { safeText } from './safe-text.ts';
import { shorten } from './table/measure.ts';
import { usesUnicode } from './terminal.ts';

/** Milliseconds: an answer which comes at once shows no spinner; a person sees something within 100. */
const APPEARS_AFTER = 45;

/** The frame, a space, and the last column, after which some terminals begin a new line. */
export const BESIDE_TEXT = 3;

interface Shown {
  /** It goes before what is under way. */
  readonly isWait: boolean;
  /** @param progress what waits */
  text: (progress?: string) => string;
}

/**
 * One spinner for all that is going on: a wait shows, with the latest progress if it has room for it, else that progress;
 * an earlier one comes back when it stops.
 * What is written to the terminal meanwhile goes above its line.
 * @returns shows a line, whose text is asked for again at every redrawing
 */
export function createSpinner(
  { clock, signal, env }: Pick<Context, 'clock' | 'signal' | 'env'>,
  stream: NodeJS.WriteStream,
  colored: boolean,
): (text: Shown['text'], isWait: boolean) => Progress {
  const all = new Set<Shown>();
  let spinner: Ora | undefined;
  let running: AbortController | undefined;

  const line = () => {
    const waiting = [...all].findLast(({ isWait }) => isWait);
    const progress = [...all].findLast(({ isWait }) => !isWait)?.text();
    const text = waiting?.text(progress) ?? progress ?? '';
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
    const look = { color: colored ? ('cyan' as const) : false, spinner: usesUnicode(env) ? 'dots' : 'line' } as const;
    // ora's reading of stdin would swallow Ctrl-C; and it is a terminal, as its caller knows.
    spinner ??= ora({ stream, discardStdin: false, isEnabled: true, ...look });
    Object.defineProperty(spinner, 'text', { get: line, configurable: true });
    if (!stopped.aborted) spinner.start();
  };

  return (text, isWait) => {
    const shown: Shown = { isWait, text };
    all.add(shown);
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
        if (all.delete(shown) && all.size === 0) end();
      },
    };
  };
}
