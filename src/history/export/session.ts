import { MINUTE } from '../../base/units.ts';
import type { Account, Connection } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { atMost } from '../../credits/usage.ts';
import type { Notes, Progress } from '../../runtime/context.ts';
import type { WorkingHistory } from './working-history.ts';

export interface ExportOptions {
  /** Epoch milliseconds UTC; back to where the list begins if absent. */
  readonly since?: number | undefined;
  readonly outcomes: boolean;
  readonly focus?: readonly string[];
  readonly allCredits?: boolean;
  readonly screeners: boolean;
  readonly stats: boolean;
}

/**
 * Why a run ended before all was done. `window`: the part of the list that was to be read is done, but gaps are left;
 * `older`: there are older cards to list.
 */
export type StoppedBy =
  | LimitName
  | 'pace'
  | 'window'
  | 'older'
  | 'refused'
  | 'interrupted'
  | 'error';

/** What the parts of a run share, and none of them changes; the client knows the service's time. */
export interface Session extends Connection {
  readonly history: WorkingHistory;
  readonly notes: Notes;
  readonly options: ExportOptions;
  readonly isFirst: boolean;
  readonly bar: RunBar;
}

const WIDTH = 12;

/** One bar for a whole run. */
export class RunBar {
  /** Requests that follow those of what is shown. */
  later = 0;
  readonly progress: Progress;
  readonly #account: Account;

  constructor(notes: Notes, account: Account) {
    this.#account = account;
    this.progress = notes.progress('Asking for the credits left');
  }

  show(what: string, done: number, wanted = 0): void {
    const count =
      wanted === 0 ? `${what} ${done}` : `${what} ${done} of ${wanted} ${this.#bar(wanted - done)}`;
    this.progress.update(`${count}  Ctrl-C keeps all`);
  }

  #bar(rest: number): string {
    const left = rest + this.later;
    const spent = atMost(this.#account.gate.spent);
    const filled = Math.round((WIDTH * spent) / Math.max(1, spent + left));
    const minutes = Math.max(1, Math.ceil(this.#account.pace(left) / MINUTE));
    return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${minutes} min left`;
  }
}
