/** `screener signals watch`: a look for new cards, again and again, until the user stops it. */
import type { SignalCard } from '../api/contract/resources.ts';
import { DeadEnd } from '../api/pages.ts';
import { at, formatApiTime } from '../api/time.ts';
import { DAY, durationInWords, MINUTE, pluralize, SECOND } from '../base/units.ts';
import type { Connection } from '../credits/account.ts';
import { ScreenerError, StoppedByUser, usageError } from '../errors.ts';
import { minuteTime, timePartText } from '../output/format.ts';
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

interface WatchOptions extends Omit<Filters, 'until'> {
  /** Milliseconds from one look to the next; undefined if the credits are to decide (`chooseInterval`). */
  readonly every: number | undefined;
  /** Whether the watch goes on where the last watch with the same filters stopped. */
  readonly resume: boolean;
  /** Whether the bell rings for new cards. */
  readonly bell: boolean;
  /** A program to run for each card, and its arguments, with blanks between. */
  readonly exec: string | undefined;
}

/**
 * Looks for new cards until the user stops it, and prints each new card. An outage does not end it: the next look comes after the
 * interval, or at the time that the service names (Retry-After) if that is later.
 */
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
  notes.note(priceNote(connection, every, looks));
  // The plan says 0 seconds of waiting: looks are a minute or more apart, so the allowance per minute is never used up.
  if (globals.plan)
    return printPlan(invocation, [requests('signals', looks)], { millisFor: () => 0 });
  if (!globals.demo)
    invocation.closing.push(['Continue without a gap:', resumeLine(invocation, options)]);
  try {
    const batches = newCards(invocation, connection, options, every);
    await output.list(cardView, { batches, live: true });
  } catch (error) {
    throw context.signal.aborted ? new StoppedByUser() : error;
  }
}

function priceNote({ account }: Connection, every: number, looks: number): string {
  const price = `A look every ${durationInWords(every)} costs about ${pluralize(looks, 'credit')} a day, more if more than 25 cards are new.`;
  const { dailyLimitOfService: dailyLimit } = account.known().today;
  const shared =
    dailyLimit === undefined ? "the month's credits" : `the ${dailyLimit} credits of a day`;
  return `${price} Exports share ${shared}.`;
}

/**
 * The command line that goes on with this watch. It repeats all typed options. Without --exec, for example, the next cards would
 * count as seen, and never reach the user's program.
 */
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

/** Milliseconds. Two looks an hour cost 48 of a day's 150 credits: most are left to exports and other commands. */
const USUAL_INTERVAL = 30 * MINUTE;

/**
 * Chooses the time between two looks, milliseconds: the typed interval; without one, half an hour, or longer if the credits
 * would not last until they reset. Warns if they do not last at the typed interval.
 * @throws ScreenerError quota_exhausted, if no credit of the month is left
 */
async function chooseInterval(
  invocation: Invocation,
  connection: Connection,
  typedInterval: number | undefined,
): Promise<number> {
  const { account, client } = connection;
  const { access, monthByLedger, monthLeft, today } = account.known();
  const isKnownByAccess = access !== undefined && monthLeft !== undefined;
  const creditsLeft = isKnownByAccess ? monthLeft : monthByLedger.left;
  const resetsAt = isKnownByAccess ? at(access.credits.resets_at) : monthByLedger.resetsAt;
  if (creditsLeft === 0) {
    const { what, hint } = account.limitReached('month');
    throw new ScreenerError('quota_exhausted', `${what}.`, { hint, retryAt: resetsAt });
  }
  const timeLeft = Math.max(1, resetsAt - client.now());
  const monthPerDay = (creditsLeft * DAY) / timeLeft;
  const creditsPerDay = Math.min(today.dailyLimitOfService ?? monthPerDay, monthPerDay);
  const { credits_a_day: forExports = 0 } = (await exportOutlook(invocation, connection)) ?? {};
  const looksPerDay = creditsForWatch(creditsPerDay, forExports);
  // A look costs a credit. The interval is in whole minutes, rounded up: 40 looks a day are a look every 36 minutes.
  const lastingInterval = Math.ceil(DAY / looksPerDay / MINUTE) * MINUTE;
  if (typedInterval !== undefined && typedInterval < lastingInterval) {
    const reset = minuteTime(formatApiTime(resetsAt));
    const interval = durationInWords(lastingInterval);
    const beside = forExports === 0 ? '' : ' beside your exports';
    invocation.notes.warn(
      `${creditsLeft} credits are left until ${reset} UTC: they last for a look every ${interval}${beside}.`,
    );
  }
  return typedInterval ?? Math.max(lastingInterval, USUAL_INTERVAL);
}

/** The credits a day that exports leave to a watch. At least a quarter is left, so that it looks beside busy exports, too. */
function creditsForWatch(creditsPerDay: number, forExports: number): number {
  if (forExports === 0) return creditsPerDay;
  return Math.max(Math.floor(creditsPerDay) - forExports, creditsPerDay / 4);
}

/**
 * Looks again and again, and yields the new cards of each look that found any.
 * @param every milliseconds from one look to the next
 * @throws a failure that waiting cannot mend
 */
async function* newCards(
  invocation: Invocation,
  connection: Connection,
  options: WatchOptions,
  every: number,
): AsyncGenerator<readonly SignalCard[]> {
  const { client, account } = connection;
  const { context, notes, globals } = invocation;
  const { clock, signal, directories } = context;
  const { symbol, type, resume, since } = options;
  const file = globals.demo
    ? undefined
    : positionFile(directories.state, [account.id, symbol, type]);
  const savedPosition = resume ? file?.read() : undefined;
  if (resume && savedPosition === undefined)
    notes.note('No earlier watch had these filters: starting now.');
  const typedStart = since === undefined ? undefined : { since, shown: [] };
  let position = savedPosition ?? typedStart;
  const watchedSince = position?.since ?? client.now();
  notes.note(`Watching for cards after ${minuteTime(formatApiTime(watchedSince))} UTC.`);
  // Cards have the times of the service (`client.now()`); waits are by the clock of this machine (`clock.now()`).
  for (;;) {
    const lookBegins = clock.now();
    const looking = look(client, { symbol, screener_type: type }, position, client.now());
    const lookResult = await withProgress(invocation, 'Looking for new cards', looking);
    const { cards, failure } = lookResult;
    position = lookResult.position;
    if (cards.length > 0) {
      yield cards;
      await announce(invocation, options, cards);
    }
    // The position is saved after the cards were handed over: if the program is killed in between, --resume repeats these cards,
    // and loses none.
    if (position !== undefined && (await file?.tryToWrite(position)) === false)
      notes.warn('The position cannot be saved: --resume cannot continue this watch.');
    const retryAt = failure === undefined ? undefined : continueAfter(invocation, failure);
    const nextLook = Math.max(lookBegins + every, retryAt ?? lookBegins);
    const nextText = timePartText(formatApiTime(nextLook), UTC, 'clock');
    const wait = clock.sleep(nextLook - clock.now(), signal);
    await withProgress(invocation, `Next look at ${nextText} UTC`, wait);
  }
}

/** Rings the bell, and hands each card to the user's program. If the program fails, it warns, and the watch goes on. */
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
    // If the user stops the watch here, the position is not saved: --resume hands over the cards of this look once more.
    context.signal.throwIfAborted();
    if (trouble !== undefined)
      notes.warn(`--exec failed for card ${card.id}: ${trouble}. The watch continues.`);
  }
}

/**
 * Says what failed, and that the watch continues.
 * @returns the earliest time of the next look, epoch milliseconds UTC; undefined if the failure names none
 * @throws the failure, if waiting cannot mend it
 */
function continueAfter({ notes }: Invocation, failure: unknown): number | undefined {
  // Pages that lead nowhere (`DeadEnd`) do so again: each look would pay for them.
  if (!(failure instanceof ScreenerError) || failure instanceof DeadEnd) throw failure;
  const mayPass = failure.scope === 'moment' || failure.code === 'bad_answer';
  if (!mayPass) throw failure;
  notes.note(`${failure.message} The watch continues.`);
  return failure.retryAt;
}
