import { MINUTE } from '../../base/units.ts';
import type { Account, Connection } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { spentAtMost } from '../../credits/usage.ts';
import type { Notes, Progress } from '../../runtime/context.ts';
import type { Beginning } from './beginning.ts';
import type { WorkingHistory } from './working-history.ts';

/** What the user chose for a run. */
export interface ExportOptions {
  /** How far back the list is read, epoch milliseconds UTC; if absent, to where the list begins. */
  readonly since?: number | undefined;
  /** Whether outcomes are bought. */
  readonly outcomes: boolean;
  /** Types whose outcomes are bought first. */
  readonly focus?: readonly string[];
  /** Whether the run may spend all credits now, and not only the day's share. */
  readonly allCredits?: boolean;
  /** Whether the screeners' settings are asked for. */
  readonly screeners: boolean;
  /** Whether the service's medians are asked for. */
  readonly stats: boolean;
}

/** Why a run ended before all was done. */
export type StoppedBy =
  /** This limit left the run no more credits. */
  | LimitName
  /** The run bought as many outcomes as the day's share of the month's credits allows. */
  | 'pace'
  /** There are gaps left in what is listed. */
  | 'window'
  /** There are older cards to list. */
  | 'older'
  /** All is listed, but a month file lacks cards. */
  | 'lost'
  /** A part failed, or did not finish. */
  | 'refused'
  /** The user stopped it. */
  | 'interrupted'
  | 'error';

/**
 * What the parts of a run share. The history and the bar change during the run; the object itself does not. The time of a run is
 * `client.now()`, which follows the service's clock.
 */
export interface ExportRun extends Connection, Beginning {
  readonly history: WorkingHistory;
  readonly notes: Notes;
  readonly options: ExportOptions;
  readonly bar: RunBar;
}

/** Characters of the bar. */
const WIDTH = 12;

/** The progress of a run: one bar for the whole of it. */
export class RunBar {
  /** Requests of the run that follow those of the present step. The bar counts them as left. */
  requestsAfterThese = 0;
  readonly progress: Progress;
  readonly #account: Account;

  constructor(notes: Notes, account: Account) {
    this.#account = account;
    this.progress = notes.progress('Asking for the credits left');
  }

  /** `Outcomes 12 of 40 [###.........] 2 min left  Ctrl-C keeps all`. @param wanted how many there are; 0 if it is not known */
  show(what: string, done: number, wanted = 0): void {
    const ofWanted = wanted === 0 ? '' : ` of ${wanted} ${this.#bar(wanted - done)}`;
    this.progress.update(`${what} ${done}${ofWanted}  Ctrl-C keeps all`);
  }

  /** @param leftOfStep requests of the present step that are still to be sent */
  #bar(leftOfStep: number): string {
    const left = leftOfStep + this.requestsAfterThese;
    // A request costs about one credit. Those that may have been charged count as sent.
    const spent = spentAtMost(this.#account.gate.spent);
    const filled = Math.round((WIDTH * spent) / Math.max(1, spent + left));
    const bar = '#'.repeat(filled) + '.'.repeat(WIDTH - filled);
    const minutes = Math.max(1, Math.ceil(this.#account.timeFor(left) / MINUTE));
    return `[${bar}] ${minutes} min left`;
  }
}
