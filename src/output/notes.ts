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

/** The progress that no spinner shows. */
const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** Notes on standard error. If standard error is closed or full, they are lost, and the command goes on. */
export function createNotes({ context, quiet, verbose, color }: NotesOptions): Notes {
  const { stdout, stderr, env, clock } = context;
  const colored = usesColor(stderr.isTTY, env, color);
  const hasSpinner = !quiet && canRedraw(stderr, env);
  let spinner = hasSpinner ? createSpinner(context, stderr.stream, colored) : undefined;
  stdout.beforeWrite = () => {
    const mayReachTerminal = stdout.isTTY || stdout.isPipe === true;
    if (!mayReachTerminal) return;
    spinner?.clear();
    // A pager reads the pipe, and draws on the terminal itself: after its first line the spinner would spoil its page.
    if (stdout.isPipe) spinner = undefined;
  };
  /** The warnings, and the reasons of waits for a turn, that are written already: each is written once. */
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
    progress: (text) => spinner?.show({ isWait: false, text: () => text }) ?? NO_PROGRESS,
    waiting: (reason, until, isForTurn = false) => {
      const timeLeft = () => Math.max(0, until - clock.now());
      const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
      if (spinner !== undefined) {
        const countdown = () => `${sentence}: ${durationInWords(timeLeft())} left`;
        const besideProgress = (progress: string) =>
          `${progress}  waits ${Math.ceil(timeLeft() / SECOND)} s: ${reason}`;
        const text = (progress?: string) =>
          isForTurn && progress !== undefined ? besideProgress(progress) : countdown();
        return spinner.show({ isWait: true, text });
      }
      // A run that keeps the pace waits again and again for its turn: the reason is told once.
      if (isForTurn && said.has(reason)) return NO_PROGRESS;
      // A wait of a second is not worth a line in a log.
      if (timeLeft() <= SECOND) return NO_PROGRESS;
      if (isForTurn) said.add(reason);
      const moment = timeLeft() > MINUTE ? `, until ${timeOf(until)}` : '';
      line(`${sentence}: waiting ${durationInWords(timeLeft())}${moment}.`);
      return NO_PROGRESS;
    },
    flush: () => queue,
  };
}

/** Whether a spinner can draw its line again. On a terminal that says it has 0 columns, ora would clear lines without end. */
function canRedraw(
  stderr: Sink,
  env: Context['env'],
): stderr is Sink & { stream: NodeJS.WriteStream } {
  return (
    stderr.isTTY && env.TERM !== 'dumb' && stderr.stream !== undefined && stderr.stream.columns > 0
  );
}

/**
 * Milliseconds before a spinner appears: so short a delay is not noticed, and an answer that comes within it shows no
 * spinner.
 */
const APPEARS_AFTER = 45;

/**
 * Columns that the text leaves free: the spinner's sign, a space, and the last column, after which some terminals begin a
 * line.
 */
const BESIDE_TEXT = 3;

/** A wait, or some work, that the spinner may show. */
interface Activity {
  readonly isWait: boolean;
  /** @param progress the text of the latest work that is under way */
  text: (progress?: string) => string;
}

interface Spinner {
  /** Adds an activity. The spinner asks for the activity's text whenever it draws its line. */
  show(activity: Activity): Progress;
  /** Takes the line off the terminal. The next activity shows it again. */
  clear(): void;
}

/**
 * One spinner for all activities under way. It shows the latest wait; if there is no wait, the latest work. When the shown
 * activity stops, it shows an earlier one again.
 */
function createSpinner(
  { clock, signal, env }: Pick<Context, 'clock' | 'signal' | 'env'>,
  stream: NodeJS.WriteStream,
  colored: boolean,
): Spinner {
  const activities = new Set<Activity>();
  let spinner: Ora | undefined;
  /** Takes the spinner away; undefined while it is neither shown nor about to be. */
  let appearance: AbortController | undefined;

  const line = () => {
    const wait = [...activities].findLast(({ isWait }) => isWait);
    const progress = [...activities].findLast(({ isWait }) => !isWait)?.text();
    const text = wait?.text(progress) ?? progress ?? '';
    // One line at any width: a longer one could not be redrawn once the terminal has been resized.
    return shorten(safeText(text), Math.max(0, stream.columns - BESIDE_TEXT));
  };
  const end = () => {
    appearance?.abort();
    appearance = undefined;
    spinner?.stop();
  };
  /** Rejects if all activities stop before the spinner appears. */
  const appear = async (stopped: AbortSignal) => {
    await clock.sleep(APPEARS_AFTER, stopped);
    const { default: ora } = await import('ora');
    const look = {
      color: colored ? 'cyan' : false,
      spinner: usesUnicode(env) ? 'dots' : 'line',
    } as const;
    // `discardStdin`: if ora read standard input, it would swallow Ctrl-C. `isEnabled`: `canRedraw` has found a terminal.
    spinner ??= ora({ stream, discardStdin: false, isEnabled: true, ...look });
    // ora reads `text` for each frame: a getter keeps the countdown and the width up to date.
    Object.defineProperty(spinner, 'text', { get: line, configurable: true });
    if (!stopped.aborted) spinner.start();
  };

  const show: Spinner['show'] = (activity) => {
    activities.add(activity);
    if (appearance === undefined && !signal.aborted) {
      appearance = new AbortController();
      // Ctrl-C gives the cursor back at once, even if the work takes a while to stop.
      signal.addEventListener('abort', end, { once: true, signal: appearance.signal });
      appear(appearance.signal).catch(() => {});
    }
    return {
      update(next) {
        activity.text = () => next;
      },
      stop() {
        const isRemoved = activities.delete(activity);
        if (isRemoved && activities.size === 0) end();
      },
    };
  };
  return { show, clear: end };
}
