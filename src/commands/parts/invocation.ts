import { at } from '../../api/time.ts';
import { DAY } from '../../base/units.ts';
import type { Credentials } from '../../config/settings.ts';
import type { Connection } from '../../credits/account.ts';
import { askAccess } from '../../credits/ask-access.ts';
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
  /** SCREENER_DAILY: the most credits that all programs on this machine may spend on a UTC day. Undefined if it is not set. */
  readonly daily?: number | undefined;
}

/** A sentence for the end of a command, and command lines that it offers. */
export type Closing = readonly [sentence: string, ...commands: string[]];

/** One run of a command: its options, where it writes, and its connection. */
export interface Invocation {
  readonly context: Context;
  readonly globals: GlobalOptions;
  readonly output: Output;
  readonly notes: Notes;
  /** What standard error says at the end. The command adds to it. */
  readonly closing: Closing[];
  /** Lines that standard error has at the end, each a text behind its label: `spent     5 credits`. The command adds to it. */
  readonly summary: (readonly [label: string, text: string])[];
  /** Work to be done when the command has ended, even if it failed: it saves or removes a file, or stops a server. */
  readonly atEnd: (() => Promise<void>)[];
  /**
   * Opens a connection, and sends nothing. A second call gets the same connection.
   * @param credentials those that `login` tries; otherwise the saved ones are found
   * @throws ScreenerError not_logged_in, usage
   */
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

/** The default history, for reading and for writing what this account has bought; undefined in the demo, which has no account. */
export async function ownHistory(
  { context, globals, notes }: Invocation,
  { account }: Connection,
): Promise<DefaultHistory | undefined> {
  if (globals.demo) return undefined;
  const { DefaultHistory } = await import('../../history/default-history.ts');
  return new DefaultHistory({ context, notes, account: account.id });
}

/** Milliseconds. A daily cron job may fail twice. If the last export is older, exports no longer run by themselves. */
const STOPPED_AFTER = 3 * DAY;

/**
 * What exports into the default history will spend. Sends nothing.
 * @returns undefined if none ran in the last 3 days, in the demo, and if the history cannot be read or is of another account
 */
export async function exportOutlook(
  invocation: Invocation,
  connection: Connection,
): Promise<Outlook | undefined> {
  const now = invocation.context.clock.now();
  const history = await ownHistory(invocation, connection);
  return history?.read(async ({ directory }, { last_run }) => {
    if (last_run === null || now - at(last_run.finished_at) >= STOPPED_AFTER) return undefined;
    const { foreseeExports } = await import('../../history/export/quote.ts');
    return foreseeExports(connection.account, directory, now);
  });
}
