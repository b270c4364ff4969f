import { timeOf } from '../api/time.ts';
import type { Context, Notes, Progress } from '../runtime/context.ts';
import type { Sink } from '../runtime/streams.ts';
import { durationInWords, MINUTE, SECOND } from '../runtime/units.ts';
import { BESIDE_TEXT, createSpinner } from './spinner.ts';
import { linesFor, stylesOf, usesColor } from './terminal.ts';
import type { Styles } from './types.ts';

export interface NotesOptions {
  readonly context: Context;
  /** Nothing but errors. Stronger than `verbose`. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color?: boolean | undefined;
}

const NOTHING: Progress = { update: () => {}, stop: () => {} };

/** Notes on the Context's stderr. A stderr that is closed or full never stops a command. */
export function createNotes({ context, quiet, verbose, color }: NotesOptions): Notes {
  const { stderr, env, clock } = context;
  const colored = usesColor(stderr.isTTY, env, color);
  const show = !quiet && drawable(stderr, env) ? createSpinner(context, stderr.stream, colored) : undefined;
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
        const beside = (progress: string) => {
          const wait = `${progress}  waits ${Math.ceil(left() / SECOND)} s`;
          const whole = `${wait}: ${reason}`;
          return whole.length + BESIDE_TEXT <= (stderr.stream?.columns ?? 0) ? whole : wait;
        };
        const alone = () => `${sentence}: ${durationInWords(left())} left`;
        return show((progress) => (inTurn && progress !== undefined ? beside(progress) : alone()), true);
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
function drawable(stderr: Sink, env: Context['env']): stderr is Sink & { stream: NodeJS.WriteStream } {
  return stderr.isTTY && env.TERM !== 'dumb' && stderr.stream !== undefined && stderr.stream.columns > 0;
}
