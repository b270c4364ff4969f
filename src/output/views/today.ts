import * as v from 'valibot';
import { HORIZON_NAMES, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import { LIMITS } from '../../api/limits.ts';
import { figure, interval, type ReadonlyDeep } from '../../outcomes/figure.ts';
import { SHOWN_VERDICTS } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { age, dayAndMonth, percent, percentagePoints, shortAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, View } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { listOf, nullableObjectOf, objectByHorizon, objectOf } from './schemas.ts';
import { VERDICT_WORDS } from './verdict.ts';

const settledHorizon = named(
  'Settled',
  v.object({
    sample: described(count, 'outcomes that settled in the last 24 h'),
    median_move_pct: described(figure, 'their median move, percent; null below 6 outcomes'),
    btc_sample: described(count, "those with BTC's move besides"),
    median_vs_btc_percentage_points: described(figure, "median of move minus BTC's, percentage points; null below 6"),
  }),
);

const settled = objectByHorizon('outcomes that settled in the last 24 h', settledHorizon);

const shownWord = v.nullable(v.picklist(SHOWN_VERDICTS));

const card = {
  id: described(count, 'id of the card'),
  source_symbol: described(v.string(), 'its symbol'),
  source_bot_type: described(v.string(), 'its screener type'),
  created_at: described(time, 'when it was recorded, UTC'),
};

/** What `screener today` says. */
const today = v.object({
  generated_at: described(time, 'when it was computed, UTC'),
  history: objectOf('the history it is read from', {
    directory: described(v.string(), 'where it lies'),
    cards: described(count, 'cards in it'),
    updated_at: described(v.nullable(time), 'when the last export succeeded, UTC; null for never'),
    covered_until: described(time, 'when it ends, UTC: the last 24 h are those before'),
    outcomes_due: described(count, 'outcomes that could be bought now'),
  }),
  credits: nullableObjectOf('as recorded on this machine; null where they are not', {
    remaining: described(count, 'credits left this month'),
    limit: described(count, 'credits of a month'),
    resets_at: described(time, 'when they reset, UTC'),
    known_at: described(time, 'when /access was last asked, UTC'),
    spent_today: described(count, 'spent today by this machine'),
    last: described(v.boolean(), 'whether they last until the reset at the rate of the latest days'),
    forecast: described(v.nullable(v.string()), 'the same as a sentence, with the rate; null where none is known'),
  }),
  cards: objectOf('cards', {
    last_24h: described(count, 'cards of the last 24 h'),
    usual: described(v.number(), 'cards a day in the 28 days before'),
    usual_range: described(interval, 'cards that 95 % of those days had; null where there are fewer than 14'),
  }),
  newest: described(v.array(v.object(card)), 'the newest cards of the last 24 h, at most 10'),
  settled,
  by_type: listOf('the same for each screener type', {
    screener_type: described(v.string(), 'screener type'),
    cards: described(count, 'its cards of the last 24 h'),
    usual: described(v.number(), 'its cards a day, as cards_per_day of stats --by type'),
    settled,
  }),
  biggest_moves: listOf('the largest 24 h moves among the outcomes that settled, at most 10', {
    ...card,
    move_24h_pct: described(v.number(), 'price move after 24 hours, percent'),
    btc_move_24h_pct: described(figure, "BTC's move over those 24 hours, percent"),
  }),
  verdicts_changed: listOf('verdicts of screener types after 24 h that changed in the last seven days', {
    screener_type: described(v.string(), 'screener type'),
    before: described(shownWord, 'what was shown seven days ago; null: nothing was measured'),
    verdict: described(shownWord, 'what is shown now'),
    since: described(time, 'since when, UTC'),
  }),
  unusual: listOf('what is not as usual: `screener help figures` has the rules', {
    kind: described(v.picklist(['export', 'credits', 'cards', 'screener', 'symbol']), 'what it is about'),
    message: described(v.string(), 'a sentence'),
  }),
});

export type Today = ReadonlyDeep<v.InferOutput<typeof today>>;

export const todayView: View<Today> = {
  fields: fieldsOf(today),
  page: (value, render) => {
    const parts = [
      [...unusualLines(value, render), ...changeLines(value, render)].join('\n'),
      render.pairs(overview(value, render)),
      typesTable(value, render),
    ];
    const cards = rowsOf(LINES - parts.reduce((sum, part) => sum + linesOf(part) + 1, 0));
    const lists = [tableOf(MOVES, value.biggest_moves, cards, render), tableOf(NEWEST, value.newest, cards, render)];
    return render.sections([...parts, ...lists].map((body) => ({ body })));
  },
};

/** A terminal of 24 lines keeps one for the prompt. */
const LINES = 23;

const linesOf = (text: string): number => (text === '' ? 0 : text.split('\n').length);

/** How many rows each of two lists gets, with their headers and the line between them. */
const rowsOf = (lines: number): number => Math.max(1, Math.min(5, Math.floor((lines - 3) / 2)));

function overview({ history, credits, cards, settled }: Today, { now, styles }: RenderContext): Pair[] {
  const updated = history.updated_at === null ? 'never updated' : `updated ${age(history.updated_at, now)}`;
  const lines = HORIZON_NAMES.filter((name) => settled[name].sample > 0).map((name) =>
    horizonText(settled[name], name),
  );
  return [
    ['Last 24 h', styles.bold(`${pluralize(cards.last_24h, 'card')} (usual: ${perDay(cards.usual)} a day)`)],
    ['Settled', lines.join('; ') || 'none'],
    ['Credits', credits === null ? 'not known: `screener access` asks (free)' : creditsText(credits, now)],
    ...(credits === null || credits.forecast === null ? [] : [['Forecast', credits.forecast] as const]),
    ['History', `${pluralize(history.cards, 'card')}, ${updated}`],
  ];
}

function creditsText({ remaining, limit, resets_at, spent_today }: NonNullable<Today['credits']>, now: number): string {
  const day = `${spent_today} of ${LIMITS.creditsPerDay} spent today`;
  return `${remaining} of ${limit} left this month, reset ${age(resets_at, now)}; ${day}`;
}

function horizonText(horizon: Today['settled']['24h'], after: string): string {
  const { sample, median_move_pct, median_vs_btc_percentage_points: versus } = horizon;
  const median = median_move_pct === null ? '' : `, median ${percent(median_move_pct)}`;
  return `${sample} after ${after}${median}${versus === null ? '' : `, vs BTC ${percentagePoints(versus)}`}`;
}

function perDay(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

/** So that all of it is one screen. */
const MOST_TYPES = 5;

const TYPES: readonly Column<Today['by_type'][number]>[] = [
  textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type)),
  figureColumn('CARDS', 0, (type) => String(type.cards)),
  figureColumn('USUAL', 1, ({ usual }) => usual.toFixed(1)),
  figureColumn('SETTLED', 0, (type) => String(type.settled[MAIN_HORIZON].sample)),
];

/** Where any type has enough outcomes for one. */
const MEDIANS: typeof TYPES = [
  figureColumn('MEDIAN', 0, (type) => percent(type.settled[MAIN_HORIZON].median_move_pct)),
  figureColumn('VS BTC', 0, (type) => percentagePoints(type.settled[MAIN_HORIZON].median_vs_btc_percentage_points)),
];

function typesTable({ by_type }: Today, render: RenderContext): string {
  const rest = by_type.length - MOST_TYPES;
  const medians = by_type.some(({ settled }) => settled[MAIN_HORIZON].median_move_pct !== null) ? MEDIANS : [];
  const table = tableOf([...TYPES, ...medians], by_type, MOST_TYPES, render);
  return rest > 0 ? `${table}\n${render.styles.dim(`and ${pluralize(rest, 'more type')}: --json has them`)}` : table;
}

const NEWEST: readonly Column<Today['newest'][number]>[] = [
  textColumn('NEWEST CARDS', 0, ({ created_at }, { now, styles }) => styles.dim(`${shortAge(created_at, now)} ago`)),
  textColumn('SYMBOL', 0, ({ source_symbol }) => safeText(source_symbol)),
  textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('ID', 0, ({ id }) => String(id)),
];

const MOVES: readonly Column<Today['biggest_moves'][number]>[] = [
  textColumn('BIGGEST MOVES', 0, ({ move_24h_pct }, { styles }) => `${percent(move_24h_pct, styles)} in 24h`),
  figureColumn('VS BTC', 1, ({ move_24h_pct: move, btc_move_24h_pct: btc }, { styles }) =>
    percentagePoints(btc === null ? null : move - btc, styles),
  ),
  textColumn('SYMBOL', 0, ({ source_symbol }) => safeText(source_symbol)),
  textColumn('TYPE', 0, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('ID', 2, ({ id }) => String(id)),
];

function tableOf<T>(columns: readonly Column<T>[], rows: readonly T[], most: number, render: RenderContext): string {
  return rows.length === 0 ? '' : render.table(columns, rows.slice(0, most));
}

function unusualLines({ unusual }: Today, { paragraph, styles }: RenderContext): string[] {
  return unusual.map(({ kind, message }) => paragraph(safeText(message), kind === 'symbol' ? undefined : styles.warn));
}

/** `New verdict: oi_growth above since 20 Nov (before: unclear).` */
function changeLines({ verdicts_changed }: Today, { paragraph, styles }: RenderContext): string[] {
  return verdicts_changed.map(({ screener_type: type, before, verdict, since }) => {
    const [then, now] = [before, verdict].map((one) => (one === null ? 'nothing measured' : VERDICT_WORDS[one]));
    const date = dayAndMonth(Date.parse(since));
    return paragraph(`New verdict: ${safeText(type)} ${now} since ${date} (before: ${then}).`, styles.bold);
  });
}
