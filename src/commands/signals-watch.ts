import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { DeadEnd } from '../api/pages.ts';
import { at, formatApiTime } from '../api/time.ts';
import type { Connection } from '../credits/account.ts';
import { ScreenerError, StoppedByUser, usageError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { FORMATS } from '../output/formats.ts';
import { cardView } from '../output/views/card-lists.ts';
import { jsonText } from '../runtime/json-text.ts';
import { DAY, durationInWords, MINUTE } from '../runtime/units.ts';
import { UTC } from '../runtime/zone.ts';
import type { Filters } from './parts/card-options.ts';
import { requests } from './parts/declaration.ts';
import { askCreditsLeft, exportOutlook, type Invocation, withProgress } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { commandLine } from './parts/next-command.ts';
import { printPlan } from './parts/plan.ts';
import { look, positionFile } from './parts/watch/poll.ts';

/** What passes by itself: the watch goes on. Everything else ends it. */
const PASSING = ['moment', 'quota', 'answer'];

interface WatchOptions extends Omit<Filters, 'until'> {
  /** Milliseconds. */
  readonly every: number | undefined;
  readonly resume: boolean;
  readonly bell: boolean;
  /** A program and its arguments, with blanks between. */
  readonly exec: string | undefined;
}

/** Survives outages; a Retry-After is honoured, however long. */
export async function run(invocation: Invocation, options: WatchOptions): Promise<void> {
  const { globals, notes } = invocation;
  if (!FORMATS[globals.format].isEndless) {
    throw usageError(
      `A watch never ends, so it cannot be written as ${globals.format}.`,
      'Use --ndjson: one card per line, as it comes.',
    );
  }
  await checkNearMiss(invocation, options);
  const connection = await invocation.connect();
  await askCreditsLeft(invocation, connection);
  const exports = (await exportOutlook(invocation, connection))?.credits_a_day ?? 0;
  const { every, perDay } = chooseInterval(invocation, connection, options.every, exports);
  const looks = Math.ceil(DAY / every);
  const price = `A look every ${durationInWords(every)} costs about ${looks} credits a day, more if more than 25 cards are new.`;
  const beside = exports === 0 ? '' : exportsBeside({ exports, looks, perDay: Math.floor(perDay) });
  notes.note(`${globals.plan ? 'This plan is for a day of watching. ' : ''}${price}${beside}`);
  // The looks are minutes apart: the allowance per minute never makes them wait.
  if (globals.plan) return printPlan(invocation, [requests('signals', looks)], () => 0);
  const { symbol, type } = options;
  const resume = commandLine(invocation, 'signals watch', { '--resume': true, '--symbol': symbol, '--type': type });
  if (!globals.demo) invocation.closing.push(['Continue without a gap:', resume]);
  try {
    await invocation.output.list(cardView, {
      batches: newCards(invocation, connection, options, every),
      live: true,
    });
  } catch (error) {
    throw invocation.context.signal.aborted ? new StoppedByUser() : error;
  }
}

/** How a watch and the exports of this machine share the credits that are left. All a day. */
function exportsBeside({ exports, looks, perDay }: Readonly<Record<'exports' | 'looks' | 'perDay', number>>): string {
  const left = `${perDay} a day that are left until the reset`;
  return exports + looks <= perDay
    ? ` With the ${exports} that exports take, that is within the ${left}.`
    : ` Of the ${left}, exports then have ${Math.max(0, perDay - looks)} instead of ${exports}.`;
}

/** The part of the credits that a watch gets where exports would take them all. */
const LEAST_SHARE = 1 / 4;

/**
 * As given, else so that the credits left last until they reset, a day's 150 suffice, and exports keep their share.
 * @param exports credits a day that they plan to take
 * @returns `every`: milliseconds, whole minutes; `perDay`: credits @throws ScreenerError quota_exhausted
 */
function chooseInterval(invocation: Invocation, connection: Connection, given: number | undefined, exports: number) {
  const { access, monthByLedger, monthLeft } = connection.account.known();
  const remaining = monthLeft ?? monthByLedger.left;
  const resetsAt = access && monthLeft !== undefined ? at(access.credits.resets_at) : monthByLedger.resetsAt;
  if (remaining === 0) {
    const { what, hint } = connection.account.reached('month');
    throw new ScreenerError('quota_exhausted', `${what}.`, { hint, retryAt: resetsAt });
  }
  const untilReset = Math.max(1, resetsAt - connection.client.now());
  const perDay = Math.min(LIMITS.creditsPerDay, (remaining * DAY) / untilReset);
  const interval = DAY / (exports === 0 ? perDay : Math.max(Math.floor(perDay) - exports, perDay * LEAST_SHARE));
  const lasting = Math.ceil(interval / MINUTE) * MINUTE;
  if (given !== undefined && given < lasting) {
    invocation.notes.warn(
      `${remaining} credits are left until ${minuteTime(formatApiTime(resetsAt))} UTC, ${LIMITS.creditsPerDay} a day at most: they last for a look every ${durationInWords(lasting)}.`,
    );
  }
  return { every: given ?? lasting, perDay };
}

async function* newCards(
  invocation: Invocation,
  connection: Connection,
  options: WatchOptions,
  every: number,
): AsyncGenerator<readonly SignalCard[]> {
  const { client, account } = connection;
  const { context, notes, globals, output } = invocation;
  const { clock, signal, directories } = context;
  const { symbol, type, resume, since } = options;
  const file = globals.demo ? undefined : positionFile(directories.state, [account.id, symbol, type]);
  const saved = resume ? file?.read() : undefined;
  if (resume && saved === undefined) notes.note('No earlier watch had these filters: starting now.');
  let position = saved ?? (since === undefined ? undefined : { since, shown: [] });
  notes.note(`Watching for cards after ${minuteTime(formatApiTime(position?.since ?? client.now()))} UTC.`);
  for (;;) {
    const begun = clock.now();
    const looking = look(client, { symbol, screener_type: type }, position, client.now());
    const { cards, failure, ...seen } = await withProgress(invocation, 'Looking for new cards', looking);
    position = seen.position;
    if (cards.length > 0) {
      yield cards;
      if (output.isForPeople)
        await (await import('./parts/watch/record.ts')).noteRecords(invocation, connection, cards);
      await announce(invocation, options, cards);
    }
    // Saved after the cards were handed over: a kill in between repeats them rather than losing them.
    if (position !== undefined && (await file?.tryToWrite(position)) === false)
      notes.warn('The position cannot be saved: --resume cannot continue this watch.');
    const next = Math.max(begun + every, afterFailure(invocation, failure) ?? begun);
    const at = minuteTime(formatApiTime(next), UTC, 'clock');
    await withProgress(invocation, `Next look at ${at} UTC`, clock.sleep(next - clock.now(), signal));
  }
}

/** Rings the bell, and hands each card to the user's program; one that fails is said, and ends nothing. */
async function announce({ context, notes }: Invocation, { bell, exec }: WatchOptions, cards: readonly SignalCard[]) {
  if (bell && context.stderr.isTTY) await context.stderr.write('\u0007');
  if (exec === undefined) return;
  const { handTo } = await import('../runtime/programs.ts');
  for (const card of cards) {
    const trouble = await handTo(exec.trim().split(/\s+/), context, `${jsonText(card)}\n`);
    // The position is not saved: --resume hands these cards over again.
    context.signal.throwIfAborted();
    if (trouble !== undefined) notes.warn(`--exec failed for card ${card.id}: ${trouble}. The watch continues.`);
  }
}

/** @returns when a failure that passes lets the next look go @throws one that does not pass */
function afterFailure({ notes }: Invocation, failure: unknown): number | undefined {
  if (failure === undefined) return undefined;
  // After a dead end every look would walk, and pay for, the same circle.
  const isPassing = failure instanceof ScreenerError && PASSING.includes(failure.concerns);
  if (!isPassing || failure instanceof DeadEnd) throw failure;
  notes.note(`${failure.message} The watch continues.`);
  return failure.retryAt;
}
