import type { Ora } from 'ora';
import { timeOf } from '../api/time.ts';
import { durationInWords, MINUTE, SECOND } from '../base/units.ts';
import type { Context, Notes, Progress } from '../runtime/context.ts';
import type { Sink } from '../runtime/streams.ts';
import { safeText } from './safe-text.ts';
import { shorten } from './table/measure.ts';
import { linesFor, type Styles, stylesOf, usesColor, usesUnicode } from './terminal.ts';

export interface NotesOptions {
  readonly context: Context;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color?: boolean | undefined;
}

const NOTHING: Progress = { update: () => {}, stop: () => {} };

/** Notes on the Context's stderr. A stderr that is closed or full never stops a command. */
export function createNotes({ context, quiet, verbose, color }: NotesOptions): Notes {
  const { stderr, env, clock } = context;
  const colored = usesColor(stderr.isTTY, env, color);
  const show =
    !quiet && drawable(stderr, env) ? createSpinner(context, stderr.stream, colored) : undefined;
  const said = new Set<string>();
  let queue: Promise<void> = Promise.resolve();

  const write = (lines: readonly string[], tint: keyof Styles = 'dim') => {
    if (quiet) return;
    const tinted = lines.map((line) => `${stylesOf(colored)[tint](line)}\n`);
    queue = queue.then(() => stderr.write(tinted.join('')).catch(() => {}));
  };
  const line = (text: string, tint?: keyof Styles) => write(linesFor(context, text), tint);

  return {
    note: (text, ...commands) => write(linesFor(context, text, { commands })),
    labelled: (label, text) => write(linesFor(context, text, { label })),
    warn: (text) => {
      if (said.has(text)) return;
      said.add(text);
      line(`warning: ${text}`, 'warn');
    },
    debug: (text) => {
      if (verbose) line(text);
    },
    progress: (text) => show?.(() => text, false) ?? NOTHING,
    waiting: (reason, until, inTurn = false) => {
      const left = () => Math.max(0, until - clock.now());
      const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
      if (show !== undefined) {
        const alone = () => `${sentence}: ${durationInWords(left())} left`;
        const beside = (progress: string) =>
          `${progress}  waits ${Math.ceil(left() / SECOND)} s: ${reason}`;
        return show(
          (progress) => (inTurn && progress !== undefined ? beside(progress) : alone()),
          true,
        );
      }
      // The pace of a run is told once, not each minute.
      if (inTurn && said.has(reason)) return NOTHING;
      if (inTurn) said.add(reason);
      const moment = left() > MINUTE ? `, until ${timeOf(until)}` : '';
      // A shorter wait is not worth a line in a log.
      if (left() > SECOND) line(`${sentence}: waiting ${durationInWords(left())}${moment}.`);
      return NOTHING;
    },
    flush: () => queue,
  };
}

/** Whether lines can be redrawn. A terminal that says it has no columns would make ora clear lines without end. */
function drawable(
  stderr: Sink,
  env: Context['env'],
): stderr is Sink & { stream: NodeJS.WriteStream } {
  return (
    stderr.isTTY && env.TERM !== 'dumb' && stderr.stream !== undefined && stderr.stream.columns > 0
  );
}

/** Milliseconds: an answer which comes at once shows no spinner; a person sees something within 100. */
const APPEARS_AFTER = 45;

/** The frame, a space, and the last column, after which some terminals begin a new line. */
const BESIDE_TEXT = 3;

interface Shown {
  /** It goes before what is under way. */
  readonly isWait: boolean;
  /** @param progress what waits */
  text: (progress?: string) => string;
}

/**
 * One spinner for all that is going on: a wait shows, else the latest progress; an earlier one comes back when it stops.
 * @returns shows a line, whose text is asked for again at every redrawing
 */
function createSpinner(
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
    const look = {
      color: colored ? ('cyan' as const) : false,
      spinner: usesUnicode(env) ? 'dots' : 'line',
    } as const;
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
