import type { Connection } from '../../credits/account.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import type { Context, Notes } from '../../runtime/context.ts';
import type { RunBar } from './run-bar.ts';
import type { WorkingHistory } from './working-history.ts';

export interface RunContext {
  readonly connection: Connection;
  readonly context: Pick<Context, 'clock' | 'signal'>;
  readonly notes: Notes;
}

export interface ExportOptions {
  /** Epoch milliseconds UTC; back to where the list begins if absent. */
  readonly since?: number | undefined;
  readonly outcomes: boolean;
  readonly focus?: readonly string[];
  readonly allCredits?: boolean;
  readonly screeners?: boolean;
  readonly stats?: boolean;
}

export type StoppedBy = LimitName | 'pace' | 'window' | 'older' | 'interrupted' | 'error';

/** What the parts of a run share, and none of them changes; the client knows the service's time. */
export interface Session extends Connection {
  readonly history: WorkingHistory;
  readonly notes: Notes;
  readonly options: ExportOptions;
  readonly isFirst: boolean;
  readonly bar: RunBar;
}
