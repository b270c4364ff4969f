import type { Notes, Progress } from '../runtime/notes.ts';

/** A shown time that is off by less stays as it is. */
const WORTH_SHOWING = 1500;

interface Wait {
  readonly reason: string;
  readonly until: number;
}

/**
 * Shows the waits of a process's requests, in the order in which they began: of those side by side the first, which
 * is over first. The one place where a request's wait is shown.
 */
export class WaitNote {
  readonly #notes: Pick<Notes, 'waiting'>;
  readonly #waits = new Map<object, Wait>();
  #shown: (Wait & { readonly progress: Progress }) | undefined;

  constructor(notes: Pick<Notes, 'waiting'>) {
    this.#notes = notes;
  }

  /**
   * Shows or updates the wait of `owner`.
   * @param until epoch milliseconds UTC
   */
  show(owner: object, reason: string, until: number): void {
    this.#waits.set(owner, { reason, until });
    this.#draw();
  }

  /** The wait of `owner` is over, if there was one. */
  stop(owner: object): void {
    if (this.#waits.delete(owner)) this.#draw();
  }

  #draw(): void {
    const [first] = this.#waits.values();
    const shown = this.#shown;
    if (first?.reason === shown?.reason && Math.abs((first?.until ?? 0) - (shown?.until ?? 0)) < WORTH_SHOWING) return;
    shown?.progress.stop();
    this.#shown = first && { ...first, progress: this.#notes.waiting(first.reason, first.until) };
  }
}
