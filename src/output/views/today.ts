import * as v from 'valibot';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import { LIMITS } from '../../api/limits.ts';
import { figure, interval, type ReadonlyDeep } from '../../outcomes/figure.ts';
import { HORIZON_NAMES, SHOWN_VERDICTS } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { age, percent, percentagePoints, shortAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, View } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { listOf, nullableObjectOf, objectByHorizon, objectOf } from './schemas.ts';

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
    // A screen of 24 lines holds what is unusual, too.
    const most = Math.max(2, MOST_CARDS - Math.max(0, value.unusual.length - 1));
    const titled = (title: string, body: string) => render.sections([{ title, body }]);
    const newest = titled('Newest cards', tableOf(NEWEST, value.newest, most, render));
    const moves = titled('Biggest moves after 24 h', tableOf(MOVES, value.biggest_moves, most, render));
    return render.sections([
      { body: render.pairs(overview(value, render)) },
      { body: typesTable(value, render) },
      { body: newest === '' || moves === '' ? newest + moves : render.beside(newest, moves) },
      { body: unusualText(value, render) },
    ]);
  },
};

function overview({ history, credits, cards, settled }: Today, { now, styles }: RenderContext): Pair[] {
  const updated = history.updated_at === null ? 'never brought up to date' : `updated ${age(history.updated_at, now)}`;
  const lines = HORIZON_NAMES.filter((name) => settled[name].sample > 0).map((name) =>
    horizonText(settled[name], name),
  );
  return [
    ['History', `${pluralize(history.cards, 'card')}, ${updated}`],
    ['Credits', credits === null ? 'not known: `screener access` asks, for 0 credits' : creditsText(credits, now)],
    ...(credits === null || credits.forecast === null ? [] : [['Forecast', credits.forecast] as const]),
    ['Last 24 h', styles.bold(`${pluralize(cards.last_24h, 'card')} (usual: ${perDay(cards.usual)} a day)`)],
    ['Settled', lines.join('; ') || 'none'],
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

/** So that all of it is one screen of 24 lines. */
const MOST_TYPES = 5;
const MOST_CARDS = 4;

const TYPES: readonly Column<Today['by_type'][number]>[] = [
  textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type)),
  figureColumn('CARDS', 0, (type) => String(type.cards)),
  figureColumn('USUAL', 1, ({ usual }) => usual.toFixed(1)),
  figureColumn('SETTLED 24H', 0, (type) => String(type.settled['24h'].sample)),
];

/** Where any type has enough outcomes for one. */
const MEDIANS: typeof TYPES = [
  figureColumn('MEDIAN', 0, (type) => percent(type.settled['24h'].median_move_pct)),
  figureColumn('VS BTC', 0, (type) => percentagePoints(type.settled['24h'].median_vs_btc_percentage_points)),
];

function typesTable({ by_type }: Today, render: RenderContext): string {
  const rest = by_type.length - MOST_TYPES;
  const medians = by_type.some(({ settled }) => settled['24h'].median_move_pct !== null) ? MEDIANS : [];
  const table = tableOf([...TYPES, ...medians], by_type, MOST_TYPES, render);
  return rest > 0 ? `${table}\n${render.styles.dim(`and ${pluralize(rest, 'more type')}: --json has them`)}` : table;
}

const NEWEST: readonly Column<Today['newest'][number]>[] = [
  figureColumn('AGE', 0, ({ created_at }, { now, styles }) => styles.dim(shortAge(created_at, now))),
  textColumn('SYMBOL', 0, ({ source_symbol }) => safeText(source_symbol)),
  textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('ID', 0, ({ id }) => String(id)),
];

const MOVES: readonly Column<Today['biggest_moves'][number]>[] = [
  figureColumn('MOVE', 0, ({ move_24h_pct }, { styles }) => percent(move_24h_pct, styles)),
  textColumn('SYMBOL', 0, ({ source_symbol }) => safeText(source_symbol)),
  figureColumn('ID', 0, ({ id }) => String(id)),
];

function tableOf<T>(columns: readonly Column<T>[], rows: readonly T[], most: number, render: RenderContext): string {
  return rows.length === 0 ? '' : render.table(columns, rows.slice(0, most));
}

function unusualText({ unusual }: Today, { paragraph, styles }: RenderContext): string {
  return unusual
    .map(({ kind, message }) => paragraph(safeText(message), kind === 'symbol' ? undefined : styles.warn))
    .join('\n');
}
