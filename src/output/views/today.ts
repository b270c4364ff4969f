import * as v from 'valibot';
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import { LIMITS } from '../../api/limits.ts';
import { at } from '../../api/time.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { HOUR, MINUTE, pluralize } from '../../base/units.ts';
import { figure, interval } from '../../outcomes/figure.ts';
import { against } from '../../outcomes/figure-table.ts';
import type { LatelyFinding, News, NumberFinding, TypeFinding } from '../../outcomes/findings.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { TO_DO } from '../../outcomes/to-do.ts';
import { SHOWN_VERDICTS } from '../../outcomes/types.ts';
import { isSide } from '../../statistics/rule.ts';
import {
  fieldsOf,
  listOf,
  nullableObjectOf,
  objectByHorizon,
  objectOf,
} from '../described-fields.ts';
import { age, dayAndMonth, minuteTime, percent, percentagePoints, shortAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, View } from '../types.ts';
import { figureColumn, rateText, symbolText, textColumn } from './parts.ts';
import { changeNews } from './settings-history.ts';
import { cutName, numberName } from './tune-words.ts';
import {
  belowWords,
  differenceColumns,
  type FindingLine,
  latelyText,
  verdictName,
} from './verdict.ts';

const settledHorizon = named(
  'Settled',
  v.object({
    sample: described(count, 'outcomes that settled in the last 24 h'),
    median_move_pct: described(figure, 'their median move, percent; null below 6 outcomes'),
    btc_sample: described(count, "those for which BTC's move is known too"),
    median_vs_btc_percentage_points: described(
      figure,
      "median of move minus BTC's, percentage points; null below 6",
    ),
  }),
);

const settled = objectByHorizon('outcomes that settled in the last 24 h', settledHorizon);

export const UNUSUAL_KINDS = ['export', 'credits', 'plan', 'cards', 'screener'] as const;

const shownWord = v.nullable(named('ShownVerdict', v.picklist(SHOWN_VERDICTS)));

const card = {
  id: described(count, 'id of the card'),
  source_symbol: described(v.string(), 'its symbol'),
  source_bot_type: described(v.string(), 'its screener type'),
  created_at: described(time, 'when it was recorded, UTC'),
};

const today = v.object({
  generated_at: described(time, 'when it was computed, UTC'),
  history: objectOf('the history it is read from', {
    directory: described(v.string(), 'its directory'),
    cards: described(count, 'cards in it'),
    updated_at: described(v.nullable(time), 'when the last export succeeded, UTC; null for never'),
    covered_until: described(time, 'when it ends, UTC: the last 24 h are those before'),
    outcomes_due: described(count, 'outcomes that could be bought now'),
  }),
  credits: nullableObjectOf('as recorded on this machine; null if nothing is recorded', {
    remaining: described(count, 'credits left this month'),
    limit: described(count, 'credits allowed a month'),
    resets_at: described(time, 'when they reset, UTC'),
    known_at: described(time, 'when /access was last asked, UTC'),
    spent_today: described(count, 'spent today by this machine'),
    plan_ends_at: described(v.nullable(time), 'when the plan ends, UTC; null: not known'),
    gone_at: described(v.nullable(time), 'when they are gone, UTC; null: not before the reset'),
    last: described(v.boolean(), 'whether they last until the reset'),
    forecast: described(
      v.nullable(v.string()),
      'the same as a sentence, with the rate; null if no rate is known',
    ),
  }),
  cards: objectOf('cards', {
    last_24h: described(count, 'cards of the last 24 h'),
    usual: described(v.number(), 'cards a day, of all types that send cards'),
    usual_range: described(
      interval,
      'cards that 95 % of those days had; null if there are fewer than 14',
    ),
  }),
  newest: described(v.array(v.object(card)), 'the newest cards of the last 24 h, at most 10'),
  settled,
  by_type: listOf('the same for each screener type', {
    screener_type: described(v.string(), 'screener type'),
    cards: described(count, 'its cards of the last 24 h'),
    usual: described(v.number(), 'its cards a day, as cards_per_day of stats --by type'),
    settled,
    verdict: described(shownWord, 'the verdict shown after 24 h; null: nothing is measured'),
    to_do: described(
      v.nullable(v.picklist(TO_DO)),
      'what the verdicts mean, as to_do of stats --by type; null: nothing',
    ),
  }),
  biggest_moves: listOf('the largest 24 h moves among the outcomes that settled, at most 10', {
    ...card,
    move_24h_pct: described(v.number(), 'price move after 24 hours, percent'),
    btc_move_24h_pct: described(figure, "BTC's move over those 24 hours, percent"),
  }),
  verdicts_changed: listOf(
    'verdicts of screener types after 24 h that changed in the last seven days',
    {
      screener_type: described(v.string(), 'screener type'),
      before: described(shownWord, 'the verdict before; null: nothing was measured'),
      verdict: described(shownWord, 'the verdict now'),
      since: described(time, 'since when, UTC'),
      settings_since: described(
        v.nullable(time),
        'its settings changed with it, UTC; null: they did not',
      ),
    },
  ),
  silent: listOf('types switched on, without a card for 14 days', {
    screener_type: described(v.string(), 'screener type'),
    days: described(count, 'days since its last card'),
  }),
  unusual: listOf('what is unusual: `screener help figures` has the rules', {
    kind: described(v.picklist(UNUSUAL_KINDS), 'what it is about'),
    screener_type: described(v.nullable(v.string()), 'of kind screener: its type'),
    message: described(v.string(), 'a sentence'),
  }),
});

export type Today = ReadonlyDeep<v.InferOutput<typeof today>>;

export const todayFields = fieldsOf(today);

interface TodayPage {
  readonly standings: readonly Standing[];
  /** Stricter settings to try; before any verdict, how to get one. */
  readonly found: readonly FindingLine[];
  /** What was found or withdrawn in the last seven days, a sentence each. */
  readonly news: readonly string[];
  readonly why: string;
  readonly isUsualKnown: boolean;
}

export const todayView = ({
  standings,
  found,
  news,
  why,
  isUsualKnown,
}: TodayPage): View<Today> => ({
  fields: todayFields,
  page: (value, render) => {
    const standingOf = ({ screener_type: type }: Type) =>
      standings.find(({ group }) => group === type) ?? null;
    const { verdict } = differenceColumns(standingOf);
    const rateOf = (type: Type) => rateText(isUsualKnown ? standingOf(type)?.rate : undefined);
    const usual = figureColumn('USUAL', 1, rateOf, {
      has: (type) => isUsualKnown && standingOf(type) !== null,
    });
    const unusual = value.unusual.map(({ message }) =>
      render.paragraph(safeText(message), render.styles.warn),
    );
    const parts = [
      [...unusual, ...news.map((one) => render.paragraph(one, render.styles.bold))].join('\n'),
      render.pairs([
        ...overview(value, usualWords(value, isUsualKnown, standings), render),
        ...found.map(({ label, text }): Pair => [label, text]),
      ]),
      render.table([...TYPES, usual, { ...verdict, header: 'VERDICT (VS OTHERS)' }], value.by_type),
    ];
    const last = render.note(why);
    // Two lists share what the terminal leaves, below their headers and above the prompt.
    const taken = [...parts, last].flatMap((part) =>
      part === '' ? [] : [...part.split('\n'), ''],
    ).length;
    const rows = Math.max(2, (render.height ?? 24) - 5 - taken);
    const lists = [
      render.table(MOVES, value.biggest_moves.slice(0, Math.ceil(rows / 2))),
      render.table(NEWEST, value.newest.slice(0, Math.floor(rows / 2))),
    ];
    return render.sections([...parts, ...lists, last].map((body) => ({ body })));
  },
});

/** `, usually 43 (before the change)`: on the day of a change of settings, its type's rate is of the days before. */
function usualWords(
  { cards: { usual } }: Today,
  isUsualKnown: boolean,
  standings: readonly Standing[],
): string {
  if (!isUsualKnown) return '';
  const isOfDaysBefore = standings.some(({ rate }) => rate.isOfDaysBefore);
  return `, usually ${usual.toFixed(usual < 10 ? 1 : 0)}${isOfDaysBefore ? ' (before the change)' : ''}`;
}

function overview(today: Today, usual: string, { now, styles }: RenderContext): Pair[] {
  const { history, credits, cards, settled, silent, unusual } = today;
  const {
    sample,
    median_move_pct: median,
    median_vs_btc_percentage_points: versus,
  } = settled[MAIN_HORIZON];
  const moved = median === null ? '' : `: median ${percent(median)}`;
  const against = versus === null ? '' : `, vs BTC ${percentagePoints(versus)}`;
  const { covered_until: until } = history;
  const old = now - Date.parse(until);
  const refresh = old < HOUR ? '' : ' (--refresh updates)';
  const end = old < MINUTE ? '' : `, until ${age(until, now)}${refresh}`;
  const came = `${pluralize(cards.last_24h, 'card')}${usual}${end}`;
  return [
    ['Last 24 h', styles.bold(came)],
    ['Outcomes', `${sample} measured in the last 24 h${moved}${against}`],
    [
      'Credits',
      credits === null ? 'not known: `screener access` asks (free)' : creditsText(credits, now),
    ],
    // What was unusual for a week is no news any more.
    [
      'Silent',
      !unusual.some(({ kind }) => kind === 'screener') && silent.map(silenceText).join('; '),
    ],
  ];
}

const silenceText = ({ screener_type: type, days }: Today['silent'][number]) =>
  `${safeText(type)}: no card for ${pluralize(days, 'day')}`;

function creditsText(
  { remaining, limit, resets_at, spent_today }: NonNullable<Today['credits']>,
  now: number,
): string {
  const day = `${Math.min(spent_today, LIMITS.creditsPerDay)} of ${LIMITS.creditsPerDay} spent today`;
  return `${remaining} of ${limit} left, reset ${age(resets_at, now)}; ${day}`;
}

type Type = Today['by_type'][number];

const TYPES: readonly Column<Type>[] = [
  textColumn('TYPE', 0, ({ screener_type }) => safeText(screener_type)),
  figureColumn('CARDS', 0, (type) => String(type.cards)),
];

const CARD: readonly Column<Today['newest'][number]>[] = [
  textColumn('SYMBOL', 0, ({ source_symbol }, render) => symbolText(source_symbol, render)),
  textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('ID', 2, ({ id }) => String(id)),
];

const MOVES: readonly Column<Today['biggest_moves'][number]>[] = [
  textColumn('BIGGEST 24H MOVES', 0, ({ move_24h_pct }, { styles }) =>
    percent(move_24h_pct, styles),
  ),
  figureColumn('VS BTC', 1, ({ move_24h_pct: move, btc_move_24h_pct: btc }, { styles }) =>
    percentagePoints(btc === null ? null : move - btc, styles),
  ),
  ...CARD,
];

const NEWEST: readonly Column<Today['newest'][number]>[] = [
  textColumn(
    ({ zone }) => `NEWEST CARDS (${zone.name})`,
    0,
    ({ created_at }, { now, zone }) =>
      `${minuteTime(created_at, zone, 'clock')}, ${shortAge(created_at, now)} ago`,
  ),
  ...CARD,
];

const change = v.object({
  at: described(time, 'when it was found or withdrawn, UTC'),
  kind: described(
    v.picklist(['verdict', 'number', 'lately', 'change', ...UNUSUAL_KINDS]),
    'what it is about',
  ),
  screener_type: described(v.nullable(v.string()), 'screener type; null: of the account'),
  number: described(v.nullable(v.string()), 'number at the trigger; null: not about one'),
  message: described(v.string(), 'a sentence'),
});
export type Change = v.InferOutput<typeof change>;

export const changesView: View<Change> = { fields: fieldsOf(change) };

/** `pump: above your other cards since 20 Nov (+2.31 pp).`, `pump: no longer above (20 Nov): now unclear.` */
export function newsWords({ line, before }: News): string {
  if (line.about === 'number') return numberNews(line);
  if (line.about === 'lately') return latelyNews(line);
  if (line.about === 'change') return changeNews(line);
  return typeNews(line, before?.about === 'type' ? before : undefined);
}

function numberNews(line: NumberFinding): string {
  const name = safeText(line.type);
  const date = dayAndMonth(at(line.at));
  const number = numberName({ key: line.number, absolute: line.absolute });
  if (line.verdict === 'unclear')
    return `${name}: ${number} no longer tells good cards from bad (${date}).`;
  const { at_least: least, at_most: value = least } = line.cut ?? {};
  const direction = least === undefined ? 'at_most' : 'at_least';
  const advice = value === undefined ? '' : ` Worth trying: ${cutName({ direction, value })}.`;
  return `${name}: the ${line.verdict} ${number}, the better (found on ${date}).${advice}`;
}

/** `pump: +0.50 in the last 30 days, +2.20 before (found on 20 Nov).` */
function latelyNews(line: LatelyFinding): string {
  const name = safeText(line.type);
  const date = dayAndMonth(at(line.at));
  const figures = latelyText({ last: line.last_30_days, before: line.before });
  return line.verdict === 'less'
    ? `${name}: ${figures} (found on ${date}).`
    : `${name}: as before again (${date}): ${figures}.`;
}

function typeNews(line: TypeFinding, before: TypeFinding | undefined): string {
  const name = safeText(line.type);
  const date = dayAndMonth(at(line.at));
  const isOfNewRule = before !== undefined && before.least === undefined;
  const rule = isOfNewRule && line.least !== undefined ? ', by the rule of 0.2' : '';
  if (line.verdict === 'below' && before?.verdict === 'below') {
    return line.vs_btc === 'below'
      ? `${name}: behind BTC, too, since ${date}${rule}: worth dropping.`
      : `${name}: no longer clearly behind BTC (${date}${rule}).`;
  }
  if (!isSide(line.verdict)) {
    const said = before === undefined ? '' : nameOf(before);
    const isReset = before !== undefined && line.settings_since !== before.settings_since;
    const why =
      isReset && line.settings_since !== null
        ? `, because its settings changed on ${dayAndMonth(at(line.settings_since))}`
        : ` (${date}${rule}): now ${nameOf(line)}`;
    return `${name}: no longer ${said}${why}.`;
  }
  const whom = line.to === 'others' ? ' your other cards' : '';
  const words = { word: line.verdict, to: line.to, wordVsBtc: line.vs_btc };
  const more = belowWords(words, null);
  const figure = percentagePoints(line.difference_percentage_points);
  const remarks = `${figure}${line.weak ? '; weak' : ''}${rule}`;
  return `${name}: ${nameOf(line)}${whom} since ${date} (${remarks}).${more === '' ? '' : ` ${more}`}`;
}

function nameOf({ verdict, to, least }: TypeFinding): string {
  const shown = against(to, verdict);
  return shown === null ? 'nothing measured' : verdictName(shown, least);
}
