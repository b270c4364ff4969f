import { LIMITS } from '../../api/limits.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { age, percent, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Field, Pair, RenderContext, View } from '../types.ts';
import { fieldsWithin, figureColumn, textColumn } from './parts.ts';

/** One horizon of the outcomes that settled. Moves in percent, differences in percentage points. */
export interface SettledHorizon {
  readonly sample: number;
  readonly median_move_pct: number | null;
  readonly btc_sample: number;
  readonly median_vs_btc_percentage_points: number | null;
}

interface TypeToday {
  readonly screener_type: string;
  /** Cards of the last 24 h. */
  readonly cards: number;
  /** Cards a day in the 28 days before. */
  readonly usual: number;
  readonly settled: { readonly '1h': SettledHorizon; readonly '24h': SettledHorizon };
}

export interface BigMove {
  readonly id: number;
  readonly source_symbol: string;
  readonly source_bot_type: string;
  readonly created_at: string;
  /** 24 h after the card. */
  readonly move_24h_pct: number;
  readonly btc_move_24h_pct: number | null;
}

/** Something that is not as usual. */
export interface Unusual {
  readonly kind: 'export' | 'credits' | 'screener' | 'symbol';
  readonly message: string;
}

/** What `screener today` says. Times ISO 8601 UTC. */
export interface Today {
  readonly generated_at: string;
  readonly history: {
    readonly directory: string;
    readonly cards: number;
    /** When the last export ended; null where none has. */
    readonly updated_at: string | null;
    readonly outcomes_due: number;
  };
  /** As this machine knows them; null where nobody is logged in or `/access` was never asked. */
  readonly credits: {
    readonly remaining: number;
    readonly limit: number;
    readonly resets_at: string;
    readonly known_at: string;
    readonly spent_today: number;
    /** Whether they last until the reset at the rate of the latest days. */
    readonly last: boolean;
  } | null;
  /** Of the last 24 h. */
  readonly cards: { readonly last_24h: number; readonly usual: number };
  readonly settled: { readonly '1h': SettledHorizon; readonly '24h': SettledHorizon };
  readonly by_type: readonly TypeToday[];
  readonly biggest_moves: readonly BigMove[];
  readonly unusual: readonly Unusual[];
}

const horizonFields = (name: string): Field[] => [
  { name: `settled.${name}`, kind: 'object', about: `those of the horizon ${name}` },
  ...fieldsWithin(`settled.${name}`, [
    { name: 'sample', kind: 'integer', about: `outcomes whose ${name} settled in the last 24 h` },
    { name: 'median_move_pct', kind: 'number', about: 'their median move, percent' },
    { name: 'btc_sample', kind: 'integer', about: "those with BTC's move besides" },
    { name: 'median_vs_btc_percentage_points', kind: 'number', about: "median of move minus BTC's, percentage points" },
  ]),
];

export const todayView: View<Today> = {
  fields: [
    { name: 'generated_at', kind: 'time', about: 'when it was computed, UTC' },
    { name: 'history', kind: 'object', about: 'the history it is read from' },
    { name: 'history.directory', kind: 'text', about: 'where it lies' },
    { name: 'history.cards', kind: 'integer', about: 'cards in it' },
    { name: 'history.updated_at', kind: 'time', about: 'when the last export succeeded, UTC; null for never' },
    { name: 'history.outcomes_due', kind: 'integer', about: 'outcomes that could be bought now' },
    { name: 'credits', kind: 'object', about: 'as this machine knows them; null where it does not' },
    { name: 'credits.remaining', kind: 'integer', about: 'credits left this month' },
    { name: 'credits.limit', kind: 'integer', about: 'credits of a month' },
    { name: 'credits.resets_at', kind: 'time', about: 'when they reset, UTC' },
    { name: 'credits.known_at', kind: 'time', about: 'when /access was last asked, UTC' },
    { name: 'credits.spent_today', kind: 'integer', about: 'spent today by this machine' },
    {
      name: 'credits.last',
      kind: 'boolean',
      about: 'whether they last until the reset at the rate of the latest days',
    },
    { name: 'cards', kind: 'object', about: 'cards' },
    { name: 'cards.last_24h', kind: 'integer', about: 'cards of the last 24 h' },
    { name: 'cards.usual', kind: 'number', about: 'cards a day in the 28 days before' },
    { name: 'settled', kind: 'object', about: 'outcomes that settled in the last 24 h' },
    ...horizonFields('1h'),
    ...horizonFields('24h'),
    {
      name: 'by_type',
      kind: 'objects',
      about: 'the same for each screener type',
      items: [
        { name: 'screener_type', kind: 'text', about: 'screener type' },
        { name: 'cards', kind: 'integer', about: 'its cards of the last 24 h' },
        { name: 'usual', kind: 'number', about: 'its cards a day in the 28 days before' },
        { name: 'settled', kind: 'object', about: 'outcomes that settled in the last 24 h' },
        ...horizonFields('1h'),
        ...horizonFields('24h'),
      ],
    },
    {
      name: 'biggest_moves',
      kind: 'objects',
      about: 'the largest 24 h moves among them',
      items: [
        { name: 'id', kind: 'integer', about: 'id of the card' },
        { name: 'source_symbol', kind: 'text', about: 'its symbol' },
        { name: 'source_bot_type', kind: 'text', about: 'its screener type' },
        { name: 'created_at', kind: 'time', about: 'when it was recorded, UTC' },
        { name: 'move_24h_pct', kind: 'number', about: 'price move after 24 hours, percent' },
        { name: 'btc_move_24h_pct', kind: 'number', about: "BTC's move over those 24 hours, percent" },
      ],
    },
    {
      name: 'unusual',
      kind: 'objects',
      about: 'what is not as usual: kind and message',
      items: [
        { name: 'kind', kind: 'text', about: 'export, credits, screener or symbol' },
        { name: 'message', kind: 'text', about: 'a sentence' },
      ],
    },
  ],
  page: (today, render) =>
    render.sections([
      { body: render.pairs(overview(today, render)) },
      { body: typesTable(today, render) },
      { body: movesTable(today, render) },
      { body: unusualText(today, render) },
    ]),
};

function overview({ history, credits, cards, settled }: Today, { now, styles }: RenderContext): Pair[] {
  const updated = history.updated_at === null ? 'never brought up to date' : `updated ${age(history.updated_at, now)}`;
  const horizons = (['1h', '24h'] as const).filter((name) => settled[name].sample > 0);
  const lines = horizons.map((name) => horizonText(settled[name], name.replace('h', ' h')));
  return [
    ['History', `${pluralize(history.cards, 'card')}, ${updated}`],
    ['Credits', credits === null ? 'not known: `screener access` asks, for 0 credits' : creditsText(credits, now)],
    ['Last 24 h', styles.bold(`${pluralize(cards.last_24h, 'card')}; ${perDay(cards.usual)} a day are usual`)],
    ['Settled', lines[0] ?? 'none'],
    ...lines.slice(1).map((line): Pair => ['', line]),
  ];
}

function creditsText({ remaining, limit, resets_at, spent_today }: NonNullable<Today['credits']>, now: number): string {
  const day = `${spent_today} of ${LIMITS.creditsPerDay} spent today`;
  return `${remaining} of ${limit} left this month, reset ${age(resets_at, now)}; ${day}`;
}

function horizonText(
  { sample, median_move_pct, median_vs_btc_percentage_points: versus }: SettledHorizon,
  after: string,
): string {
  return `${pluralize(sample, 'outcome')} after ${after}, median ${percent(median_move_pct)}, against BTC ${percentagePoints(versus)}`;
}

function perDay(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** So that all of it is one screen of 24 lines. */
const MOST_TYPES = 6;
const MOST_MOVES = 3;

const TYPE_COLUMNS: readonly Column<TypeToday>[] = [
  textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type)),
  figureColumn('CARDS', 0, ({ cards }) => String(cards)),
  figureColumn('USUAL', 1, ({ usual }) => usual.toFixed(1)),
  figureColumn('SETTLED 24H', 0, ({ settled }) => String(settled['24h'].sample)),
  figureColumn('MEDIAN', 0, ({ settled }) => percent(settled['24h'].median_move_pct)),
  figureColumn('VS BTC', 0, ({ settled }) => percentagePoints(settled['24h'].median_vs_btc_percentage_points)),
];

function typesTable({ by_type }: Today, render: RenderContext): string {
  if (by_type.length === 0) return '';
  const rest = by_type.length - MOST_TYPES;
  const table = render.table(TYPE_COLUMNS, by_type.slice(0, MOST_TYPES));
  return rest > 0 ? `${table}\n${render.styles.dim(`and ${rest} more types: --json has them`)}` : table;
}

const MOVE_COLUMNS: readonly Column<BigMove>[] = [
  figureColumn('ID', 0, ({ id }) => String(id)),
  textColumn('SYMBOL', 0, ({ source_symbol }) => safeText(source_symbol)),
  textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('LARGEST MOVE 24H', 0, ({ move_24h_pct }, { styles }) => percent(move_24h_pct, styles)),
  figureColumn('BTC', 0, ({ btc_move_24h_pct }) => percent(btc_move_24h_pct)),
];

function movesTable({ biggest_moves }: Today, render: RenderContext): string {
  return biggest_moves.length === 0 ? '' : render.table(MOVE_COLUMNS, biggest_moves.slice(0, MOST_MOVES));
}

function unusualText({ unusual }: Today, { paragraph, styles }: RenderContext): string {
  const lines = unusual.map(({ kind, message }) => {
    const text = safeText(message);
    return kind === 'symbol' ? text : styles.warn(text);
  });
  return lines.map((line) => paragraph(line)).join('\n');
}
