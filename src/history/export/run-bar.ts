import type { Account } from '../../credits/account.ts';
import type { Notes, Progress } from '../../runtime/context.ts';
import { MINUTE } from '../../runtime/units.ts';

const WIDTH = 12;

export class RunBar {
  /** Requests that follow those of what is shown. */
  later = 0;
  readonly #notes: Notes;
  readonly #account: Account;
  #sent = 0;
  #progress: Progress | undefined;

  constructor(notes: Notes, account: Account) {
    this.#notes = notes;
    this.#account = account;
  }

  show(what: string, done: number, wanted = 0): void {
    const count = wanted === 0 ? `${what} ${done}` : `${what} ${done} of ${wanted} ${this.#bar(wanted - done)}`;
    const text = `${count}  Ctrl-C keeps all`;
    if (this.#progress === undefined) this.#progress = this.#notes.progress(text);
    else this.#progress.update(text);
  }

  countRequest(): void {
    this.#sent += 1;
  }

  #bar(rest: number): string {
    const left = rest + this.later;
    const filled = Math.round((WIDTH * this.#sent) / Math.max(1, this.#sent + left));
    const minutes = Math.max(1, Math.ceil(this.#account.pace(left) / MINUTE));
    return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${minutes} min left`;
  }

  hide(): void {
    this.#progress?.stop();
    this.#progress = undefined;
  }
}
