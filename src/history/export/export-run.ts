/** What the parts of an export run share: the user's choices, the history, the client, and the bar. */
import { MINUTE } from '../../base/units.ts';
import type { Account, Connection } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { spentAtMost } from '../../credits/usage.ts';
import type { Notes, Progress } from '../../runtime/context.ts';
import type { FirstRun } from './first-run.ts';
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

/** Why a run ended before all was done. `stopped_by` of export.json and of receipts has these names, so they stay as they are. */
export type StoppedBy =
  /** This limit left the run no more credits. */
  | LimitName
  /** The run bought as many outcomes as the day's share of the month's credits allows. */
  | 'pace'
  /** There are gaps in the list: windows that the service did not give. */
  | 'window'
  /** There are older cards to list. */
  | 'older'
  /** All is listed, but a month file lacks cards. */
  | 'lost'
  /** The service refused a part of the run. Or the part did not finish for another reason. */
  | 'refused'
  /** The user stopped it. */
  | 'interrupted'
  | 'error';

/**
 * What the parts of a run share. The history and the bar change during the run; the object itself does not. The time of a run is
 * `client.now()`, which follows the service's clock.
 */
export interface ExportRun extends Connection, FirstRun {
  readonly history: WorkingHistory;
  readonly notes: Notes;
  readonly options: ExportOptions;
  readonly bar: RunBar;
}

/** Characters of the bar. */
const WIDTH = 12;

/** The progress of a run: one bar for the whole of it. */
export class RunBar {
  /** Requests of the steps after this one. The bar counts them as left. */
  laterRequests = 0;
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
    const left = leftOfStep + this.laterRequests;
    // The credits spent stand for the requests sent: most cost one. Credits that may have been charged count.
    const sent = spentAtMost(this.#account.gate.spent);
    const filled = Math.round((WIDTH * sent) / Math.max(1, sent + left));
    const bar = '#'.repeat(filled) + '.'.repeat(WIDTH - filled);
    const minutes = Math.max(1, Math.ceil(this.#account.timeFor(left) / MINUTE));
    return `[${bar}] ${minutes} min left`;
  }
}
