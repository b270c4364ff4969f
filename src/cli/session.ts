import { pluralize } from '../base/units.ts';
import type { Closing, GlobalOptions, Invocation } from '../commands/parts/invocation.ts';
import { overriddenLogin } from '../config/credentials.ts';
import type { Connection } from '../credits/account.ts';
import {
  type ErrorCode,
  interruptedError,
  OutputClosed,
  ScreenerError,
  StoppedByUser,
} from '../errors.ts';
import { createNotes } from '../output/notes.ts';
import { createOutput } from '../output/output.ts';
import type { Context, Notes } from '../runtime/context.ts';

/**
 * Runs a command with all that it needs: output, notes, and a connection once it asks for one. However the command ends,
 * standard error then says what was spent and how to go on.
 */
export async function runSession(
  context: Context,
  globals: GlobalOptions,
  action: (invocation: Invocation) => Promise<void>,
): Promise<void> {
  const notes = createNotes({ ...globals, context });
  const output = createOutput({ ...globals, context, notes });
  let connection: Connection | undefined;
  const closing: Closing[] = [];
  const summary: (readonly [label: string, text: string])[] = [];
  const atEnd: (() => Promise<void>)[] = [];

  const close = async () => {
    // If the command has a summary, a line of it tells what was spent.
    const isInSummary = summary.length > 0 && connection !== undefined && !globals.demo;
    // The demo's stand-in and its history each add to `atEnd`. If `atEnd` is empty, no invented data was shown.
    const isUnusedDemo = globals.demo && atEnd.length === 0;
    const spent = isUnusedDemo ? '' : spentWords(globals, connection?.account, isInSummary);
    if (isInSummary) summary.unshift(['spent', spent === '' ? 'nothing' : spent]);
    const hasSentence = !isInSummary && spent !== '';
    try {
      for (const clearUp of atEnd) await clearUp();
    } finally {
      sayAtEnd(notes, summary, hasSentence ? [[spent], ...closing] : closing);
      await notes.flush();
    }
  };

  const invocation: Invocation = {
    context,
    globals,
    output,
    notes,
    closing,
    summary,
    atEnd,
    connect: async (credentials) => {
      const { openConnection } = await import('./connection.ts');
      // `login` passes credentials: it may try several keys, each with a connection of its own.
      if (connection === undefined || credentials !== undefined)
        connection = await openConnection(invocation, credentials);
      return connection;
    },
  };
  // From here on a signal (Ctrl-C) stops the work, not the process: the work sees it, leaves nothing half done, and throws.
  const { signal } = context;
  try {
    await action(invocation);
  } catch (error) {
    // What was spent is said after a failure, too. If `close` fails as well, the first error is thrown.
    await close().catch(() => {});
    const isPlannedEnd = error instanceof OutputClosed || error instanceof StoppedByUser;
    if (isPlannedEnd || !signal.aborted) throw namingVariable(error, context, globals);
    // A signal has ended the command. If the command has said how to go on, nothing is added.
    if (closing.length > 0) throw signal.reason;
    throw interruptedError('To continue, run the same command again.');
  }
  await close();
}

/** The errors that a wrong base URL may cause. */
const OF_WRONG_ADDRESS: readonly ErrorCode[] = [
  'network',
  'timeout',
  'unauthorized',
  'pro_required',
  'unavailable',
  'bad_answer',
];

/** The error, with a sentence on SCREENER_BASE_URL if it may be the reason: it may be left over from a rehearsal with the sandbox. */
function namingVariable(error: unknown, context: Context, globals: GlobalOptions): unknown {
  if (!(error instanceof ScreenerError) || !OF_WRONG_ADDRESS.includes(error.code)) return error;
  if (globals.demo || globals.baseUrl !== undefined) return error;
  const saved = overriddenLogin(context, undefined);
  if (saved === undefined) return error;
  const sentence = `SCREENER_BASE_URL is set: it counts in place of the saved base URL, ${saved.baseUrl}.`;
  const hint = error.hint === undefined ? sentence : `${sentence} ${error.hint}`;
  return error.with({ hint });
}

/**
 * `5 credits spent; 145 left today, 870 this month.`
 * @param isInSummary whether the words follow the label "spent": then they lack that verb
 * @returns an empty text if nothing was spent, and no failed request may have cost credits
 */
function spentWords(
  { demo }: GlobalOptions,
  account: Connection['account'] | undefined,
  isInSummary: boolean,
): string {
  const { charged, uncertain } = account?.spentByCommand() ?? { charged: 0, uncertain: 0 };
  const credits = pluralize(charged, 'credit');
  if (demo) {
    const price = charged === 0 ? '' : `; this would cost ${credits}`;
    return `Demo: invented data, no key${price}.`;
  }
  if (account === undefined || charged + uncertain === 0) return '';
  const spent = isInSummary ? credits : `${credits} spent`;
  const more = charged === 0 ? '' : ' more';
  const unsure = uncertain === 0 ? '' : `, up to ${uncertain}${more} if failed requests count`;
  const { leftOfServiceDay, monthLeft, isRefused } = account.known();
  if (isRefused) return `${spent}${unsure}.`;
  // An account with more credits a month than documented has a daily limit that is not documented.
  // The credits of its month are known: `/access` said how many there are.
  const isDailyLimitUnknown = leftOfServiceDay === undefined;
  if (isDailyLimitUnknown) return `${spent}${unsure}; ${monthLeft} left this month.`;
  const month = monthLeft === undefined ? '' : `, ${monthLeft} this month`;
  return `${spent}${unsure}; ${leftOfServiceDay} left today${month}.`;
}

/**
 * Says the labelled lines, then in one note all sentences without a command line. Each of the other sentences follows in a note
 * of its own, with its command lines.
 */
function sayAtEnd(notes: Notes, summary: Invocation['summary'], closings: readonly Closing[]) {
  const width = Math.max(0, ...summary.map(([label]) => label.length)) + 2;
  for (const [label, text] of summary) notes.labelled(label.padEnd(width), text);
  const hasCommands = ([, ...commands]: Closing) => commands.length > 0;
  const sentences = closings.filter((closing) => !hasCommands(closing));
  if (sentences.length > 0) notes.note(sentences.flat().join(' '));
  for (const [sentence, ...commands] of closings.filter(hasCommands))
    notes.note(sentence, ...commands);
}
