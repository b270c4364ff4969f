import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { DeadEnd } from '../api/pages.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import type { Connection } from '../credits/account.ts';
import { ScreenerError, StoppedByUser, usageError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { FORMATS } from '../output/formats.ts';
import { cardView } from '../output/views/card-lists.ts';
import { durationInWords } from '../runtime/durations.ts';
import { jsonText } from '../runtime/json-text.ts';
import { DAY } from '../runtime/units.ts';
import type { Filters } from './card-options.ts';
import { requests } from './declaration.ts';
import { askCreditsLeft, type Invocation, ownHistory, withProgress } from './invocation.ts';
import { checkNearMiss } from './near-miss.ts';
import { cardWords, commandLine } from './next-command.ts';
import { printPlan } from './plan.ts';
import { affordableInterval, creditsPerDay } from './watch/interval.ts';
import { look, positionFile } from './watch/poll.ts';

/** What passes by itself: the watch goes on. Everything else ends it. */
const PASSING = ['moment', 'quota', 'answer'];

interface Options extends Omit<Filters, 'until'> {
  /** Milliseconds. */
  readonly every: number | undefined;
  readonly resume: boolean;
  readonly bell?: boolean;
  /** A program and its arguments, with blanks between. */
  readonly exec?: string | undefined;
}

/**
 * `screener signals watch`: new cards as they come, one list call a look, until Ctrl-C. Survives outages; a
 * Retry-After is honoured, however long.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { globals, notes } = invocation;
  if (!FORMATS[globals.format].isEndless) {
    throw usageError(
      `A watch never ends, so it cannot be written as ${globals.format}.`,
      'Use --ndjson: one card per line, as it comes.',
    );
  }
  checkNearMiss(invocation, options);
  const connection = await invocation.connect();
  const needed = (await (await ownHistory(invocation, connection))?.creditsPerDay()) ?? 0;
  const every = await chooseInterval(invocation, connection, options.every, needed);
  notes.note(`${globals.plan ? 'For a day of watching. ' : ''}${priceOf(every, invocation, needed)}`);
  // The looks are minutes apart: the allowance per minute never makes them wait.
  if (globals.plan) return printPlan(invocation, [requests('signals', creditsPerDay(every))], () => 0);
  const { symbol, type } = options;
  const resume = commandLine(invocation, ['signals', 'watch', '--resume', ...cardWords({ symbol, type })]);
  if (!globals.demo) invocation.closing.push(`Continue without a gap:\n${resume}`);
  try {
    await invocation.output.list(cardView, {
      batches: newCards(invocation, connection, options, every),
      live: true,
    });
  } catch (error) {
    throw invocation.context.signal.aborted ? new StoppedByUser() : error;
  }
}

/** As given, else as the credits last. @throws ScreenerError quota_exhausted */
async function chooseInterval(
  invocation: Invocation,
  connection: Connection,
  given: number | undefined,
  needed: number,
): Promise<number> {
  const { remaining, resets_at } = await askCreditsLeft(invocation, connection);
  const now = connection.client.now();
  const resetsAt = parseApiTime(resets_at) ?? now;
  const lasting = affordableInterval({ remaining, resetsAt, now, needed });
  if (lasting === undefined) {
    const none = `No credits are left this month; they reset ${resets_at}.`;
    throw new ScreenerError('quota_exhausted', none, { retryAt: resetsAt });
  }
  if (given !== undefined && given < lasting) {
    invocation.notes.warn(
      `${remaining} credits are left until ${minuteTime(resets_at)} UTC, ${LIMITS.creditsPerDay} a day at most: they last for a look every ${durationInWords(lasting)}.`,
    );
  }
  return given ?? lasting;
}

function priceOf(every: number, { globals: { maxCredits } }: Invocation, needed: number): string {
  const perDay = creditsPerDay(every);
  const limit = perDay > LIMITS.creditsPerDay ? ` A day has ${LIMITS.creditsPerDay}.` : '';
  const ends =
    maxCredits === undefined
      ? ''
      : ` --max-credits ${maxCredits} ends it after ${durationInWords(maxCredits * every)}.`;
  const history = needed === 0 ? '' : ` Your history needs about ${needed} a day for outcomes.`;
  return `A look every ${durationInWords(every)} costs about ${perDay} credits a day; over 25 new cards, more.${history}${limit}${ends}`;
}

async function* newCards(
  invocation: Invocation,
  connection: Connection,
  options: Options,
  every: number,
): AsyncGenerator<readonly SignalCard[]> {
  const { client, account } = connection;
  const { context, notes, globals } = invocation;
  const { clock } = context;
  const filters = { symbol: options.symbol, screener_type: options.type };
  const file = globals.demo
    ? undefined
    : positionFile(context.directories.state, [account.id, options.symbol, options.type]);
  const saved = options.resume ? file?.read() : undefined;
  if (options.resume && saved === undefined) notes.note('No earlier watch had these filters: starting now.');
  let position = saved ?? (options.since === undefined ? undefined : { since: options.since, shown: [] });
  const [after, next] = [position?.since ?? client.now(), clock.now() + every].map((at) =>
    minuteTime(formatApiTime(at)),
  );
  notes.note(`Watching for cards after ${after} UTC. Next look at ${next?.slice(11)}.`);
  for (;;) {
    const begun = clock.now();
    const looking = look(client, filters, position, client.now());
    const seen = await withProgress(invocation, 'Looking for new cards', looking);
    position = seen.position;
    if (seen.cards.length > 0) yield seen.cards;
    if (seen.cards.length > 0 && invocation.output.isForPeople) await noteRecords(invocation, connection, seen.cards);
    await announce(invocation, options, seen.cards);
    // Saved after the cards were handed over: a kill in between repeats them rather than losing them.
    if (position !== undefined && (await file?.write(position)) === false)
      notes.warn('The position cannot be saved: --resume cannot continue this watch.');
    const failure = passing(seen.failure);
    if (failure !== undefined) notes.note(`${failure.message} The watch continues.`);
    await pause(invocation, Math.max(begun + every, Math.min(failure?.retryAt ?? begun, begun + 31 * DAY)));
  }
}

/** Reads the history anew at each look: an export may have added to it. */
async function noteRecords(invocation: Invocation, connection: Connection, cards: readonly SignalCard[]) {
  const own = await ownHistory(invocation, connection);
  const { recordsOf } = await import('./watch/record.ts');
  if (own !== undefined) for (const record of await recordsOf(invocation, own, cards)) invocation.notes.note(record);
}

/** Rings the bell, and hands each card to the user's program; one that fails is said, and ends nothing. */
async function announce({ context, notes }: Invocation, { bell, exec }: Options, cards: readonly SignalCard[]) {
  if (bell && cards.length > 0 && context.stderr.isTTY) await context.stderr.write('\u0007');
  if (exec === undefined || cards.length === 0) return;
  const { handTo } = await import('../runtime/programs.ts');
  for (const card of cards) {
    const trouble = await handTo(exec.trim().split(/\s+/), context.env, `${jsonText(card)}\n`);
    if (trouble !== undefined) notes.warn(`--exec failed for card ${card.id}: ${trouble}. The watch continues.`);
  }
}

/** A failure that passes, if there was one. @throws the failure itself, where it does not pass */
function passing(failure: unknown): ScreenerError | undefined {
  if (failure === undefined) return undefined;
  if (!(failure instanceof ScreenerError) || !PASSING.includes(failure.concerns)) throw failure;
  // Every look would walk, and pay for, the same circle.
  if (failure instanceof DeadEnd) throw failure;
  return failure;
}

/** On a terminal with a countdown; elsewhere silently, or a log would hold more waiting than cards. */
async function pause({ context, notes }: Invocation, until: number): Promise<void> {
  const { clock, signal, stderr } = context;
  const progress = stderr.isTTY ? notes.waiting('Next look', until) : undefined;
  try {
    await clock.sleep(until - clock.now(), signal);
  } finally {
    progress?.stop();
  }
}
