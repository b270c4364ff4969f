import type { Ora } from 'ora';
import type { Context } from '../runtime/context.ts';
import type { Progress } from '../runtime/notes.ts';
import { safeText } from './safe-text.ts';

/** Long enough that an answer which comes at once shows no spinner; a person sees something within 100 ms. */
const APPEARS_AFTER = 45;

/** The frame, a space, and the last column, after which some terminals begin a new line. */
const BESIDE_TEXT = 3;

export interface SpinnerStyle {
  readonly colored: boolean;
  readonly unicode: boolean;
}

interface Shown {
  /** Says why nothing goes on: it goes before what is under way. */
  readonly wait: boolean;
  text: () => string;
}

/**
 * One spinner for all that is going on: a wait shows, else the latest progress; an earlier one comes back when it stops.
 * ora is loaded when the first of them takes long enough to be noticed; what is written to the terminal meanwhile goes
 * above its line.
 */
export class Spinner {
  readonly #context: Pick<Context, 'clock' | 'signal'>;
  readonly #stream: NodeJS.WriteStream;
  readonly #style: SpinnerStyle;
  readonly #shown: Shown[] = [];
  #ora: Ora | undefined;
  #shorten: (text: string, width: number) => string = (text) => text;
  #running: AbortController | undefined;

  constructor(context: Pick<Context, 'clock' | 'signal'>, stream: NodeJS.WriteStream, style: SpinnerStyle) {
    this.#context = context;
    this.#stream = stream;
    this.#style = style;
  }

  /** @param text the line; asked again every second */
  show(text: () => string, wait = false): Progress {
    const shown: Shown = { wait, text };
    this.#shown.push(shown);
    this.#begin();
    return {
      update: (next) => {
        shown.text = () => next;
        this.#refresh();
      },
      stop: () => {
        const at = this.#shown.indexOf(shown);
        if (at < 0) return;
        this.#shown.splice(at, 1);
        if (this.#shown.length === 0) this.#end();
        else this.#refresh();
      },
    };
  }

  #begin(): void {
    this.#refresh();
    if (this.#running !== undefined || this.#context.signal.aborted) return;
    const running = new AbortController();
    this.#running = running;
    // Ctrl-C gives the cursor back at once, whoever is in charge of the progress.
    this.#context.signal.addEventListener('abort', () => this.#end(), { once: true, signal: running.signal });
    this.#run(running.signal).catch(() => {});
  }

  /** Ends by the rejection of a sleep, when everything has stopped. */
  async #run(stopped: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    await clock.sleep(APPEARS_AFTER, stopped);
    if (this.#ora === undefined) {
      const loaded = await this.#load();
      this.#ora ??= loaded;
    }
    while (!stopped.aborted) {
      this.#refresh();
      this.#ora.start();
      await clock.sleep(1000 - (clock.now() % 1000) + 5, stopped);
    }
  }

  async #load(): Promise<Ora> {
    const [{ default: ora }, { shorten }] = await Promise.all([import('ora'), import('./table/measure.ts')]);
    this.#shorten = shorten;
    // ora's reading of stdin would swallow Ctrl-C; and it is a terminal, as its caller knows.
    return ora({
      stream: this.#stream,
      discardStdin: false,
      isEnabled: true,
      color: this.#style.colored ? 'cyan' : false,
      spinner: this.#style.unicode ? 'dots' : 'line',
    });
  }

  #refresh(): void {
    const top = this.#shown.findLast(({ wait }) => wait) ?? this.#shown.at(-1);
    if (this.#ora === undefined || top === undefined) return;
    // One line at any width: a longer one could not be redrawn once the terminal has been resized.
    this.#ora.text = this.#shorten(safeText(top.text()), Math.max(0, this.#stream.columns - BESIDE_TEXT));
  }

  #end(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#ora?.stop();
  }
}
