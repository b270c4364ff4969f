import * as v from 'valibot';
import { HORIZON_NAMES, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import { LIMITS } from '../../api/limits.ts';
import { isAbove, isBelow } from '../../outcomes/deciding.ts';
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
    verdict: described(shownWord, 'what is shown of it after 24 h; null: nothing is measured'),
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
    kind: described(v.picklist(['export', 'credits', 'cards', 'screener']), 'what it is about'),
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
    // Two lists share what the terminal leaves, below their headers and above the prompt.
    const taken = parts.flatMap((part) => (part === '' ? [] : [...part.split('\n'), ''])).length;
    const rows = Math.max(1, Math.floor(((render.height ?? 24) - 5 - taken) / 2));
    const lists = [
      render.table(MOVES, value.biggest_moves.slice(0, rows)),
      render.table(NEWEST, value.newest.slice(0, rows)),
    ];
    return render.sections([...parts, ...lists].map((body) => ({ body })));
  },
};

function unusualLines({ unusual }: Today, { paragraph, styles }: RenderContext): string[] {
  return unusual.map(({ message }) => paragraph(safeText(message), styles.warn));
}

/** `New verdict: oi_growth above since 20 Nov (before: unclear).` */
function changeLines({ verdicts_changed }: Today, { paragraph, styles }: RenderContext): string[] {
  return verdicts_changed.map(({ screener_type: type, before, verdict, since }) => {
    const [then, now] = [before, verdict].map((one) => (one === null ? 'nothing measured' : VERDICT_WORDS[one]));
    const date = dayAndMonth(Date.parse(since));
    return paragraph(`New verdict: ${safeText(type)} ${now} since ${date} (before: ${then}).`, styles.bold);
  });
}

function overview({ history, credits, cards, settled, by_type }: Today, { now, styles }: RenderContext): Pair[] {
  const outcomes = HORIZON_NAMES.toReversed().flatMap((name) => {
    const { sample, median_move_pct: median, median_vs_btc_percentage_points: versus } = settled[name];
    const moved = median === null ? '' : `, median ${percent(median)}`;
    const against = versus === null ? '' : `, vs BTC ${percentagePoints(versus)}`;
    const when = name === MAIN_HORIZON ? 'known since yesterday' : `after ${name}`;
    return sample === 0 ? [] : [`${sample} ${when}${moved}${against}`];
  });
  const usual = cards.usual.toFixed(cards.usual < 10 ? 1 : 0);
  const updated = history.updated_at === null ? 'never updated' : `updated ${age(history.updated_at, now)}`;
  return [
    ['Last 24 h', styles.bold(`${pluralize(cards.last_24h, 'card')} (usual: ${usual} a day)`)],
    ['Verdicts', verdictsText(by_type)],
    ['Outcomes', outcomes.join('; ') || 'none known since yesterday'],
    ['Credits', credits === null ? 'not known: `screener access` asks (free)' : creditsText(credits, now)],
    ...(credits?.forecast ? [['Forecast', credits.forecast] as const] : []),
    ['History', `${pluralize(history.cards, 'card')}, ${updated}`],
  ];
}

/** `above: oi_growth; below: funding_extreme`. */
function verdictsText(types: Today['by_type']): string {
  const named = ([word, isMeant]: readonly [string, typeof isAbove]) => {
    const names = types.flatMap(({ screener_type: type, verdict }) => (isMeant(verdict) ? [safeText(type)] : []));
    return names.length === 0 ? [] : [`${word}: ${names.join(', ')}`];
  };
  const sides = [['above', isAbove] as const, ['below', isBelow] as const];
  return sides.flatMap(named).join('; ') || 'none yet';
}

function creditsText({ remaining, limit, resets_at, spent_today }: NonNullable<Today['credits']>, now: number): string {
  const day = `${spent_today} of ${LIMITS.creditsPerDay} spent today`;
  return `${remaining} of ${limit} left this month, reset ${age(resets_at, now)}; ${day}`;
}

const MOST_TYPES = 5;

const TYPES: readonly Column<Today['by_type'][number]>[] = [
  textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type)),
  figureColumn('CARDS', 0, (type) => String(type.cards)),
  figureColumn('USUAL', 1, ({ usual }) => usual.toFixed(1)),
  figureColumn('OUTCOMES', 0, (type) => String(type.settled[MAIN_HORIZON].sample)),
];

function typesTable({ by_type }: Today, { styles, table }: RenderContext): string {
  const types = by_type.filter(({ cards, settled }) => cards + settled[MAIN_HORIZON].sample > 0);
  const rest = types.length - MOST_TYPES;
  const shown = table(TYPES, types.slice(0, MOST_TYPES));
  return rest > 0 ? `${shown}\n${styles.dim(`and ${pluralize(rest, 'more type')}: --json has them`)}` : shown;
}

const CARD: readonly Column<Today['newest'][number]>[] = [
  textColumn('SYMBOL', 0, ({ source_symbol }) => safeText(source_symbol)),
  textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('ID', 2, ({ id }) => String(id)),
];

const MOVES: readonly Column<Today['biggest_moves'][number]>[] = [
  textColumn('BIGGEST MOVES', 0, ({ move_24h_pct }, { styles }) => `${percent(move_24h_pct, styles)} in 24h`),
  figureColumn('VS BTC', 1, ({ move_24h_pct: move, btc_move_24h_pct: btc }, { styles }) =>
    percentagePoints(btc === null ? null : move - btc, styles),
  ),
  ...CARD,
];

const NEWEST: readonly Column<Today['newest'][number]>[] = [
  textColumn('NEWEST CARDS', 0, ({ created_at }, { now, styles }) => styles.dim(`${shortAge(created_at, now)} ago`)),
  ...CARD,
];
