import { at } from '../../api/time.ts';
import { DAY } from '../../base/units.ts';
import type { Credentials } from '../../config/settings.ts';
import type { Connection } from '../../credits/account.ts';
import { askAccess } from '../../credits/reserve.ts';
import type { DefaultHistory } from '../../history/default-history.ts';
import type { Outlook } from '../../history/export/outlook.ts';
import type { Format, ProgramFormat } from '../../output/formats.ts';
import type { Output } from '../../output/output.ts';
import type { Context, Notes } from '../../runtime/context.ts';
import type { GLOBAL_OPTIONS } from './global-options.ts';
import type { OptionsOf } from './option.ts';

export interface GlobalOptions
  extends Omit<OptionsOf<typeof GLOBAL_OPTIONS>, 'output' | ProgramFormat> {
  readonly format: Format;
  /** SCREENER_DAILY: most credits a UTC day, of all programs here. */
  readonly daily?: number | undefined;
}

/** A sentence for the end of a command, and command lines that it offers. */
export type Closing = readonly [sentence: string, ...commands: string[]];

/** What a command runs with. */
export interface Invocation {
  readonly context: Context;
  readonly globals: GlobalOptions;
  readonly output: Output;
  readonly notes: Notes;
  /** What standard error says at the end. The command adds to it. */
  readonly closing: Closing[];
  /** What a terminal shows at the end, each text behind its label. The command adds to it. */
  readonly summary: (readonly [label: string, text: string])[];
  /** Work to be done when the command has ended, even if it failed. The command adds to it. */
  readonly atEnd: (() => Promise<void>)[];
  /** Sends nothing. @throws ScreenerError not_logged_in, usage */
  connect(credentials?: Credentials): Promise<Connection>;
}

/** Shows a text while the work is under way. */
export async function withProgress<T>(
  { notes }: Invocation,
  text: string,
  work: Promise<T>,
): Promise<T> {
  const progress = notes.progress(text);
  try {
    return await work;
  } finally {
    progress.stop();
  }
}

/** Asks `/access`, which is free. */
export function askCreditsLeft(invocation: Invocation, connection: Connection): Promise<void> {
  return withProgress(
    invocation,
    'Asking for the credits left',
    askAccess(connection, invocation.notes),
  );
}

/** Asks `/access` unless its last answer is fresh enough. */
export async function refreshCreditsLeft(
  invocation: Invocation,
  connection: Connection,
): Promise<void> {
  if (!connection.account.knowsCreditsLeft()) await askCreditsLeft(invocation, connection);
}

/** The default history, as the account that is logged in writes to it; undefined in the demo, which has no account. */
export async function ownHistory(
  { context, globals, notes }: Invocation,
  { account }: Connection,
): Promise<DefaultHistory | undefined> {
  if (globals.demo) return undefined;
  const { DefaultHistory } = await import('../../history/default-history.ts');
  return new DefaultHistory({ context, notes, account: account.id });
}

/** What exports into the default history will spend; undefined if none ran in the last 3 days. Sends nothing. */
export async function exportOutlook(
  invocation: Invocation,
  connection: Connection,
): Promise<Outlook | undefined> {
  const now = invocation.context.clock.now();
  const history = await ownHistory(invocation, connection);
  return history?.read(async ({ directory }, { last_run }) => {
    const isRunningDaily = last_run !== null && now - at(last_run.finished_at) < 3 * DAY;
    if (!isRunningDaily) return undefined;
    const { foreseeExports } = await import('../../history/export/quote.ts');
    return foreseeExports(connection.account, directory, now);
  });
}
