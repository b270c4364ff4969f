import { DAY } from '../../base/units.ts';
import type { Settings } from '../../config/settings.ts';
import type { Connection } from '../../credits/account.ts';
import { askAccess } from '../../credits/reserve.ts';
import type { Outlook } from '../../history/export/outlook.ts';
import type { Format } from '../../output/formats.ts';
import type { Output } from '../../output/output.ts';
import type { Context, Notes } from '../../runtime/context.ts';
import type { GLOBAL_OPTIONS } from './global-options.ts';
import type { OptionsOf } from './option.ts';

export interface GlobalOptions
  extends Omit<OptionsOf<typeof GLOBAL_OPTIONS>, 'output' | 'json' | 'ndjson' | 'csv'> {
  readonly format: Format;
  /** SCREENER_DAILY: most credits a UTC day, of all programs here. */
  readonly daily?: number | undefined;
}

export type Closing = readonly [sentence: string, ...commands: string[]];

export interface Invocation {
  readonly context: Context;
  readonly globals: GlobalOptions;
  readonly output: Output;
  readonly notes: Notes;
  readonly closing: Closing[];
  /** Labelled lines in their place, for a terminal. */
  readonly summary: (readonly [label: string, text: string])[];
  /** Run when the command has ended, however it did. */
  readonly atEnd: (() => Promise<void>)[];
  /** Sends nothing. @throws ScreenerError not_logged_in, usage */
  connect(settings?: Settings): Promise<Connection>;
}

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

export function askCreditsLeft(invocation: Invocation, connection: Connection): Promise<void> {
  return withProgress(
    invocation,
    'Asking for the credits left',
    askAccess(connection, invocation.notes),
  );
}

export async function knowCreditsLeft(
  invocation: Invocation,
  connection: Connection,
): Promise<void> {
  if (!connection.account.knowsCreditsLeft()) await askCreditsLeft(invocation, connection);
}

/** The default history of who is logged in; undefined in the demo, which has nothing to do with it. */
export async function ownHistory({ context, globals, notes }: Invocation, { account }: Connection) {
  if (globals.demo) return undefined;
  const { DefaultHistory: Own } = await import('../../history/default-history.ts');
  return new Own({ context, notes, account: account.id });
}

/** What exports into the default history will do; undefined if there were none of late. Sends nothing. */
export async function exportOutlook(
  invocation: Invocation,
  connection: Connection,
): Promise<Outlook | undefined> {
  const now = invocation.context.clock.now();
  const history = await ownHistory(invocation, connection);
  return history?.read(async ({ directory }, { last_run }) => {
    if (!(now - Date.parse(last_run?.finished_at ?? '') < 3 * DAY)) return undefined;
    const { foreseeExports } = await import('../../history/export/quote.ts');
    return foreseeExports(connection.account, directory, now);
  });
}
