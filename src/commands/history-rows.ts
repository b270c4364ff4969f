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

/**
 * If nothing of a history matches, names the symbol or entry_context key that no card has, and what there is.
 * @throws ScreenerError usage for a screener type that neither a card nor a look at the settings has
 */
export async function explainEmpty({ notes }: Invocation, { history, symbol, type, where = [] }: OfHistory) {
  const keys = where.filter(({ field }) => field.startsWith(CONTEXT)).map(({ field }) => field.slice(CONTEXT.length));
  if (symbol === undefined && type === undefined && keys.length === 0) return;
  const names = await namesIn(history);
  for (const one of unknown('entry_context key', keys, names.keys)) notes.note(one);
  for (const one of unknown('symbol', symbol === undefined ? [] : [symbol], names.symbols)) notes.note(one);
  const [unknownType] = unknown('type', type === undefined ? [] : [type], names.types);
  if (unknownType === undefined) return;
  const configured = (await history.looks()).flatMap(({ screeners }) => screeners.items);
  if (names.types.size > 0 && !configured.some((one) => one.type === type)) throw usageError(unknownType);
  notes.note(unknownType);
}

/** Says which of these screener types no card has, and what types there are. */
export async function noteTypesWithoutCards({ notes }: Invocation, history: History, given: readonly string[]) {
  if (given.length === 0) return;
  for (const one of unknown('type', given, (await namesIn(history)).types)) notes.note(one);
}

async function namesIn(history: History) {
  const names = { symbols: new Set<string>(), types: new Set<string>(), keys: new Set<string>() };
  for await (const cards of history.cards({})) {
    for (const { card } of cards) {
      names.symbols.add(String(card.source_symbol));
      names.types.add(String(card.source_bot_type));
      for (const key of Object.keys(card.entry_context ?? {})) names.keys.add(key);
    }
  }
  return names;
}

/** A sentence for each name that is unknown. */
function unknown(what: string, given: readonly string[], names: ReadonlySet<string>): string[] {
  const known = [...names].sort();
  const rest = known.length > MOST_NAMED ? `, and ${known.length - MOST_NAMED} more` : '';
  const there = known.length === 0 ? '' : ` It has: ${known.slice(0, MOST_NAMED).join(', ')}${rest}.`;
  return given
    .filter((name) => !names.has(name))
    .map((name) => `The history has no card of ${what} '${name}'.${didYouMean(name, known)}${there}`);
}

/** More names than that are not listed. */
const MOST_NAMED = 12;

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

/** The changes of the settings since the oldest of these rows. @param rows as `readRows` gives them */
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
