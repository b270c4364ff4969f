import { formatApiTime } from '../api/time.ts';
import { usageError } from '../errors.ts';
import type { Filter, History } from '../history/store/history.ts';
import { knownUntil } from '../history/store/manifest.ts';
import { presentSettings, type SettingsChange, settingsChanges } from '../history/store/screeners-log.ts';
import type { FiguresQuestion } from '../outcomes/figures.ts';
import { type Row, rowOf } from '../outcomes/row.ts';
import type { ServiceAnswer } from '../outcomes/service-answers.ts';
import { answersOf } from '../outcomes/settings-change.ts';
import { didYouMean } from '../output/fields.ts';
import type { View } from '../output/types.ts';
import type { Invocation } from './invocation.ts';
import { CONTEXT, type Condition, checkKnownAtTrigger } from './where.ts';

/** Which cards figures are made of. */
export type RowFilter = Omit<Filter, 'where'> & { readonly where?: readonly Condition[] | undefined };

/** What a command on a history gets: the history, and which of its cards are meant. */
export interface OfHistory extends RowFilter {
  readonly history: History;
  /** How it was named; undefined for the default one. */
  readonly from?: string | undefined;
}

/**
 * What the figures need of a history's cards that match, newest first.
 * @throws ScreenerError no_history; usage, where cards are chosen by what came later; storage
 */
export async function readRows({ context, notes }: Invocation, { history, ...filter }: OfHistory): Promise<Row[]> {
  const { where = [] } = filter;
  checkKnownAtTrigger(where);
  if (where.length > 0) {
    notes.note('Values tried by hand are not adjusted for: try ten, and one will look significant by chance.');
  }
  const progress = notes.progress('Reading the history');
  const rows: Row[] = [];
  try {
    for await (const cards of history.cards(filter, JSON.parse)) {
      context.signal.throwIfAborted();
      for (const { card, at } of cards) rows.push(rowOf(card, at));
    }
  } finally {
    progress.stop();
  }
  return rows;
}

/** More names than that are not listed. */
const MOST_NAMED = 12;

/**
 * If nothing of a history matches, names the symbol or entry_context key that no card has, and what there is.
 * @throws ScreenerError usage for a screener type that neither a card nor a look at the settings has
 */
export async function explainEmpty(invocation: Invocation, { history, symbol, type, where = [] }: OfHistory) {
  const { notes } = invocation;
  const asked = where.flatMap(({ field }) => (field.startsWith(CONTEXT) ? [field.slice(CONTEXT.length)] : []));
  if (symbol === undefined && type === undefined && asked.length === 0) return;
  const { symbols, types, keys } = await namesIn(history);
  const unknownKey = asked.find((key) => !keys.has(key));
  if (unknownKey !== undefined) notes.note(unknown('entry_context key', unknownKey, keys));
  if (symbol !== undefined && !symbols.has(symbol)) notes.note(unknown('symbol', symbol, symbols));
  if (type === undefined || types.has(type)) return;
  const configured = (await history.looks()).flatMap(({ screeners }) => screeners.items);
  if (types.size > 0 && !configured.some((one) => one.type === type)) throw usageError(unknown('type', type, types));
  notes.note(unknown('type', type, types));
}

/** Says which of these screener types no card has, and what types there are. */
export async function noteTypesWithoutCards({ notes }: Invocation, history: History, given: readonly string[]) {
  if (given.length === 0) return;
  const { types } = await namesIn(history);
  for (const type of given) if (!types.has(type)) notes.note(unknown('type', type, types));
}

async function namesIn(history: History) {
  const names = {
    symbols: new Map<string, number>(),
    types: new Map<string, number>(),
    keys: new Map<string, number>(),
  };
  for await (const cards of history.cards({})) {
    for (const { card } of cards) {
      count(names.symbols, card.source_symbol);
      count(names.types, card.source_bot_type);
      for (const key of Object.keys(card.entry_context ?? {})) count(names.keys, key);
    }
  }
  return names;
}

function count(names: Map<string, number>, name: unknown): void {
  if (typeof name === 'string') names.set(name, (names.get(name) ?? 0) + 1);
}

function unknown(what: string, given: string, names: ReadonlyMap<string, number>): string {
  const byCards = [...names].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const rest = byCards.length > MOST_NAMED ? `, and ${byCards.length - MOST_NAMED} more` : '';
  const there = byCards.length === 0 ? '' : ` It has: ${byCards.slice(0, MOST_NAMED).join(', ')}${rest}.`;
  return `The history has no card of ${what} '${given}'.${didYouMean(given, byCards)}${there}`;
}

/** The values of `askedForFields` (`output/views/card-fields.ts`). */
export function askedFor({ type, symbol, since, until }: RowFilter) {
  return {
    scope: 'local_history' as const,
    screener_type: type ?? null,
    symbol: symbol ?? null,
    since: since === undefined ? null : formatApiTime(since),
    until: until === undefined ? null : formatApiTime(until),
  };
}

/** How the document of groups begins. @param now epoch milliseconds UTC */
export async function groupsHeadOf<By>(options: OfHistory, by: By, now: number) {
  // A manifest that is damaged says nothing; the cards are read all the same.
  const manifest = await options.history.manifest().catch(() => undefined);
  return {
    ...askedFor(options),
    by,
    generated_at: formatApiTime(now),
    bought_first: manifest?.focus ?? [],
  };
}

/** A list worked out from a history; for people, and where no fields are named, the page that shows all of it. */
export async function printList<Item extends object>(
  { output, globals }: Invocation,
  view: View<Item>,
  { items, head, page }: { items: readonly Item[]; head: object; page?: View<object> | undefined },
): Promise<void> {
  if (page !== undefined && output.isForPeople && globals.fields === undefined) return output.one(page, head);
  await output.list(view, { batches: [items], head: () => ({ ...head, items: [] }) });
}

/**
 * The changes of the settings between the oldest of these rows and the end of the window: the rows mix what was before
 * and after.
 * @param rows as `readRows` gives them
 */
export async function changesWithin(
  rows: readonly Row[],
  { history, until, type }: OfHistory,
  now: number,
): Promise<SettingsChange[]> {
  const since = rows.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return settingsChanges(await history.looks(), { since, until: until ?? now, type });
}

/**
 * What every command asks alike, so that a screener type has the same figures on every screen: each under its present
 * settings, unless a time is given since when.
 * @param rows as `readRows` gives them
 */
export async function questionOf(
  options: OfHistory,
  rows: readonly Row[],
  now: number,
): Promise<Pick<FiguresQuestion, 'now' | 'until' | 'answers' | 'settingsSince'>> {
  const { history, since, until: asked = now } = options;
  const manifest = await history.manifest().catch(() => undefined);
  // A service may be late with its `until`: a card that is here says more.
  const until = Math.max(knownUntil(manifest, now), Math.min(now, rows[0]?.at ?? 0));
  return {
    now,
    until: Math.min(asked, until),
    answers: await answersWithin({ ...options, type: undefined }),
    settingsSince: since === undefined ? presentSettings(await history.looks(), asked) : undefined,
  };
}

/**
 * What the service said of screener types over windows within these cards' time, as far as the cards are all of them:
 * none where the filter leaves out cards of a day.
 */
export async function answersWithin({
  history,
  since = 0,
  until = Number.POSITIVE_INFINITY,
  type,
  symbol,
  where = [],
}: OfHistory): Promise<ServiceAnswer[]> {
  if (type !== undefined || symbol !== undefined || where.length > 0) return [];
  return answersOf(await history.answers(), { since, until });
}
