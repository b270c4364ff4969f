import type { SignalCard } from '../api/contract/resources.ts';
import { CREDITS_A_DAY, LIMITS } from '../api/limits.ts';
import { DeadEnd } from '../api/pages.ts';
import { at, formatApiTime } from '../api/time.ts';
import { DAY, durationInWords, MINUTE, pluralize, SECOND } from '../base/units.ts';
import type { Connection } from '../credits/account.ts';
import { ScreenerError, StoppedByUser, usageError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { FORMATS } from '../output/formats.ts';
import { cardView } from '../output/views/card-lists.ts';
import { jsonText } from '../runtime/json-text.ts';
import { UTC } from '../runtime/zone.ts';
import type { Filters } from './parts/card-options.ts';
import { requests } from './parts/declaration.ts';
import {
  askCreditsLeft,
  exportOutlook,
  type Invocation,
  withProgress,
} from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { commandLine } from './parts/next-command.ts';
import { printPlan } from './parts/plan.ts';
import { look, positionFile } from './parts/poll.ts';

/** `every` in milliseconds; `exec` is a program and its arguments, with blanks between. */
type WatchOptions = Omit<Filters, 'until'> &
  Readonly<{ every: number | undefined; resume: boolean; bell: boolean; exec: string | undefined }>;

/** Survives outages; a Retry-After is honoured, however long. */
export async function run(invocation: Invocation, options: WatchOptions): Promise<void> {
  const { context, globals, notes, output } = invocation;
  if (!FORMATS[globals.format].isEndless) {
    const message = `A watch never ends, so it cannot be written as ${globals.format}.`;
    throw usageError(message, 'Use --ndjson: one card per line, as it comes.');
  }
  await checkNearMiss(invocation, options);
  const connection = await invocation.connect();
  await askCreditsLeft(invocation, connection);
  const every = await chooseInterval(invocation, connection, options.every);
  const looks = Math.ceil(DAY / every);
  const price = `A look every ${durationInWords(every)} costs about ${pluralize(looks, 'credit')} a day, more if more than 25 cards are new.`;
  notes.note(`${price} Exports share the ${LIMITS.creditsPerDay} credits of a day.`);
  // The looks are minutes apart: the allowance per minute never makes them wait.
  if (globals.plan) return printPlan(invocation, [requests('signals', looks)], () => 0);
  if (!globals.demo)
    invocation.closing.push(['Continue without a gap:', resumeLine(invocation, options)]);
  try {
    const batches = newCards(invocation, connection, options, every);
    await output.list(cardView, { batches, live: true });
  } catch (error) {
    throw context.signal.aborted ? new StoppedByUser() : error;
  }
}

/** The same watch once more: without --exec its cards would count as seen, and never reach the user's program. */
function resumeLine(invocation: Invocation, options: WatchOptions): string {
  const { symbol, type, every, bell, exec } = options;
  return commandLine(invocation, 'signals watch', {
    '--resume': true,
    '--symbol': symbol,
    '--type': type,
    '--every': every === undefined ? undefined : durationOption(every),
    '--bell': bell,
    '--exec': exec,
  });
}

/** `10m`, as it is typed. */
function durationOption(millis: number): string {
  return millis % MINUTE === 0 ? `${millis / MINUTE}m` : `${millis / SECOND}s`;
}

/** Twice an hour leaves most of a day's credits to exports and to other commands; `--every` asks for more. */
const USUAL_INTERVAL = 30 * MINUTE;

/** As given, else so that the credits last until they reset, beside those of exports. @throws quota_exhausted */
async function chooseInterval(
  invocation: Invocation,
  connection: Connection,
  given: number | undefined,
) {
  const { account, client } = connection;
  const { access, monthByLedger, monthLeft } = account.known();
  const remaining = monthLeft ?? monthByLedger.left;
  const resetsAt =
    access && monthLeft !== undefined ? at(access.credits.resets_at) : monthByLedger.resetsAt;
  if (remaining === 0) {
    const { what, hint } = account.reached('month');
    throw new ScreenerError('quota_exhausted', `${what}.`, { hint, retryAt: resetsAt });
  }
  const perDay = Math.min(CREDITS_A_DAY, (remaining * DAY) / Math.max(1, resetsAt - client.now()));
  const { credits_a_day: exports = 0 } = (await exportOutlook(invocation, connection)) ?? {};
  // Where exports would take them all, a quarter is the watch's.
  const share = exports === 0 ? perDay : Math.max(Math.floor(perDay) - exports, perDay / 4);
  const lasting = Math.ceil(DAY / share / MINUTE) * MINUTE;
  if (given !== undefined && given < lasting) {
    const left = `${remaining} credits are left until ${minuteTime(formatApiTime(resetsAt))} UTC`;
    const beside = exports === 0 ? '' : ' beside your exports';
    invocation.notes.warn(
      `${left}: they last for a look every ${durationInWords(lasting)}${beside}.`,
    );
  }
  return given ?? Math.max(lasting, USUAL_INTERVAL);
}

async function* newCards(
  invocation: Invocation,
  connection: Connection,
  options: WatchOptions,
  every: number,
) {
  const { client, account } = connection;
  const { context, notes, globals } = invocation;
  const { clock, signal, directories } = context;
  const { symbol, type, resume, since } = options;
  const file = globals.demo
    ? undefined
    : positionFile(directories.state, [account.id, symbol, type]);
  const saved = resume ? file?.read() : undefined;
  if (resume && saved === undefined)
    notes.note('No earlier watch had these filters: starting now.');
  let position = saved ?? (since === undefined ? undefined : { since, shown: [] });
  notes.note(
    `Watching for cards after ${minuteTime(formatApiTime(position?.since ?? client.now()))} UTC.`,
  );
  for (;;) {
    const begun = clock.now();
    const looking = look(client, { symbol, screener_type: type }, position, client.now());
    const { cards, failure, ...seen } = await withProgress(
      invocation,
      'Looking for new cards',
      looking,
    );
    position = seen.position;
    if (cards.length > 0) {
      yield cards;
      await announce(invocation, options, cards);
    }
    // Saved after the cards were handed over: a kill in between repeats them rather than losing them.
    if (position !== undefined && (await file?.tryToWrite(position)) === false)
      notes.warn('The position cannot be saved: --resume cannot continue this watch.');
    const next = Math.max(begun + every, afterFailure(invocation, failure) ?? begun);
    const at = minuteTime(formatApiTime(next), UTC, 'clock');
    await withProgress(
      invocation,
      `Next look at ${at} UTC`,
      clock.sleep(next - clock.now(), signal),
    );
  }
}

/** Rings the bell, and hands each card to the user's program; one that fails is said, and ends nothing. */
async function announce(
  { context, notes }: Invocation,
  { bell, exec }: WatchOptions,
  cards: readonly SignalCard[],
) {
  if (bell && context.stderr.isTTY) await context.stderr.write('\u0007');
  if (exec === undefined) return;
  const { handTo } = await import('../runtime/programs.ts');
  for (const card of cards) {
    const trouble = await handTo(exec.trim().split(/\s+/), context, `${jsonText(card)}\n`);
    // The position is not saved: --resume hands these cards over again.
    context.signal.throwIfAborted();
    if (trouble !== undefined)
      notes.warn(`--exec failed for card ${card.id}: ${trouble}. The watch continues.`);
  }
}

/** @returns when a failure that passes lets the next look go @throws one that does not pass */
function afterFailure({ notes }: Invocation, failure: unknown): number | undefined {
  if (failure === undefined) return undefined;
  const isPassing =
    failure instanceof ScreenerError &&
    (failure.scope === 'moment' || failure.code === 'bad_answer');
  // After a dead end every look would walk, and pay for, the same circle.
  if (!isPassing || failure instanceof DeadEnd) throw failure;
  notes.note(`${failure.message} The watch continues.`);
  return failure.retryAt;
}
