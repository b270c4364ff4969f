import { ascending, descending } from 'd3-array';
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { usageError } from '../../errors.ts';
import {
  presentSettings,
  type SettingsChange,
  settingsChanges,
} from '../../history/store/answers.ts';
import { monthOf } from '../../history/store/layout.ts';
import { dueUntil, knownUntil } from '../../history/store/manifest.ts';
import { figuresOf } from '../../outcomes/figures.ts';
import { JUDGED_WINDOW } from '../../outcomes/groups.ts';
import { type Row, rowOf } from '../../outcomes/row.ts';
import { answersWithin, lastSittings } from '../../outcomes/service-answers.ts';
import { standingsOf } from '../../outcomes/standing.ts';
import { didYouMean, type PlainObject, read } from '../../output/fields.ts';
import type { RenderContext, View } from '../../output/types.ts';
import type { Judgements } from '../../report/answer.ts';
import type { Invocation } from './invocation.ts';
import { exportCommand } from './next-command.ts';
import { type CardFilter, checkWhere, fieldsOfCards, type OfHistory } from './where.ts';

const EVERYTHING = 0;

export type Sample = Awaited<ReturnType<typeof readSample>>;

/**
 * Cards that match, newest first, and one question for every command: a type has the same figures on every screen.
 * @returns `why`: which cards are left out, and why no verdict has a date
 * @throws ScreenerError no_history; usage, if cards are chosen by what came later; storage
 */
export async function readSample(invocation: Invocation, options: OfHistory, takesAll = false) {
  const { history, from, since, until: asked, symbol, type, where = [] } = options;
  const now = invocation.context.clock.now();
  const begin = since ?? (takesAll ? EVERYTHING : now - JUDGED_WINDOW);
  const rows = await readRows(invocation, { ...options, since: begin });
  const looks = await history.looks();
  const answers = await history.answers();
  const manifest = await history.manifest().catch(() => undefined);
  // A service may be late with its `until`: a card that is here says more.
  const until = Math.min(
    asked ?? now,
    Math.max(knownUntil(manifest, now), Math.min(now, rows[0]?.at ?? 0)),
  );
  const isWhole = symbol === undefined && where.length === 0;
  // A history of fewer days has no more cards.
  const isOfDefaultDays =
    since === undefined || (since === EVERYTHING && (rows.at(-1)?.at ?? now) > now - JUDGED_WINDOW);
  const isDefault = isWhole && type === undefined && isOfDefaultDays && asked === undefined;
  const findings = isDefault ? await history.findings() : [];
  // An export that found nothing has judged, too.
  const isKept = findings.length > 0 || (isDefault && manifest?.judged_at != null);
  const [firstMonth = '9'] = await history.months().catch(() => []);
  const why = [
    since === undefined &&
      firstMonth < monthOf(begin) &&
      'These are the last 180 days; --since all takes every card.',
    !isDefault && OWN,
    isDefault &&
      !isKept &&
      `Verdicts get their dates from the next \`${exportCommand(invocation, from)}\`.`,
  ];
  return {
    rows,
    looks,
    question: {
      now,
      dueUntil: dueUntil(manifest, now),
      until,
      answers: isWhole ? answersWithin(answers, { since: begin, until: asked ?? now }) : undefined,
      lastAsked: isWhole ? lastSittings(answers, now) : undefined,
      comparesGroups: symbol === undefined,
      settingsSince:
        since === undefined || since === EVERYTHING
          ? presentSettings(looks, asked ?? now)
          : undefined,
      findings: isKept ? findings : undefined,
    },
    known: {
      screeners: looks.at(-1)?.screeners.items ?? [],
      first: rows.at(-1)?.at ?? until,
      until,
      isWhole: isWhole && type === undefined,
    },
    why: why.filter(Boolean).join(' '),
  };
}

export function judgedTypes({ rows, question, known }: Sample): Judgements {
  const comparison = figuresOf(rows, { ...question, by: 'type' });
  return { comparison, standings: standingsOf(comparison, MAIN_HORIZON, known), now: question.now };
}

export const OWN =
  'These verdicts are of this look alone: exports judge whole types, over the last 180 days.';

async function readRows(
  { context, notes }: Invocation,
  { history, ...filter }: OfHistory,
): Promise<Row[]> {
  const { where = [], since, until } = filter;
  await checkWhere(where, true);
  const chance =
    'Values tried by hand are not adjusted for: try ten, and one will look significant by chance.';
  if (where.length > 0) notes.note(chance);
  const progress = notes.progress('Reading the history');
  const rows: Row[] = [];
  try {
    for await (const dated of history.cards({ since, until }, JSON.parse)) {
      context.signal.throwIfAborted();
      for (const { card, at } of dated) rows.push(rowOf(card, at));
    }
  } finally {
    progress.stop();
  }
  const { symbol, type } = filter;
  return rows.filter(
    (row) =>
      row.at >= (since ?? row.at) &&
      row.symbol === (symbol ?? row.symbol) &&
      row.type === (type ?? row.type) &&
      where.every(({ holdsOf }) => holdsOf(row)),
  );
}

/** Names what no card has, and what there is. @param isPageOf whether the symbol must be right @throws usage for a slip */
export async function explainEmpty({ notes }: Invocation, options: OfHistory, isPageOf = false) {
  const { history, symbol, type, where = [] } = options;
  const symbols = new Set<string>();
  const types = new Set<string>();
  const numbers = new Set((await fieldsOfCards()).keys());
  for await (const cards of history.cards({})) {
    for (const { card } of cards) {
      symbols.add(String(card.source_symbol));
      types.add(String(card.source_bot_type));
      for (const name of Object.keys(card.entry_context ?? {})) numbers.add(name);
    }
  }
  if (types.size === 0) return;
  const say = (message: string, isSlip: boolean) => {
    if (isSlip) throw usageError(message);
    notes.note(message);
  };
  if (symbol !== undefined && !symbols.has(symbol))
    say(unknown('symbol', symbol, symbols), isPageOf && didYouMean(symbol, [...symbols]) !== '');
  const strange = where.find(({ field, number }) => !numbers.has(field) && !numbers.has(number));
  if (strange !== undefined) {
    const guess = didYouMean(strange.number, [...numbers]);
    say(`--where: no card of this history has '${strange.field}'.${guess}`, guess !== '');
  }
  if (type === undefined || types.has(type)) return;
  const configured = (await history.looks()).flatMap(({ screeners }) => screeners.items);
  if (!configured.some((one) => one.type === type)) throw usageError(unknown('type', type, types));
}

const MOST_NAMED = 12;

function unknown(what: string, name: string, names: ReadonlySet<string>): string {
  const known = [...names].sort();
  const rest = known.length > MOST_NAMED ? `, and ${known.length - MOST_NAMED} more` : '';
  const all = `It has: ${known.slice(0, MOST_NAMED).join(', ')}${rest}.`;
  return `The history has no card of ${what} '${name}'.${didYouMean(name, known)} ${all}`;
}

export function askedFor({ type, symbol, since, until }: CardFilter) {
  return {
    scope: 'local_history' as const,
    screener_type: type ?? null,
    symbol: symbol ?? null,
    since: since === undefined ? null : formatApiTime(since),
    until: until === undefined ? null : formatApiTime(until),
  };
}

/** A list worked out from a history; for people, and where no fields are named, the page that shows all of it. */
export async function printList<Item extends object>(
  { output, globals }: Invocation,
  view: View<Item>,
  {
    items,
    head,
    page,
  }: { items: readonly Item[]; head: object; page: (render: RenderContext) => string },
): Promise<void> {
  if (output.isForPeople && globals.fields === undefined) return output.page(page);
  await output.list(view, { batches: [items], head: { ...head } });
}

export function changesWithin(
  { rows, looks, question }: Sample,
  { until, type }: CardFilter,
): SettingsChange[] {
  const since = rows.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return settingsChanges(looks, { since, until: until ?? question.now, type });
}

/** The largest first, with `-` before the field's dotted name the smallest; without a value last either way. */
export function sortByField<T extends object>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, '');
  const order = sort.startsWith('-') ? ascending : descending;
  const valued = items.map((item) => ({
    item,
    value: read(item as PlainObject, field) as string | number | null,
  }));
  const isNone = ({ value }: (typeof valued)[number]) => Number(value == null);
  return valued
    .sort((a, b) => isNone(a) - isNone(b) || order(a.value ?? 0, b.value ?? 0))
    .map(({ item }) => item);
}
