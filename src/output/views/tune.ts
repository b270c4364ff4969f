/** `tune`: which numbers at the trigger go with what came after, and stricter settings. */

import * as v from 'valibot';
import {
  blocksOf,
  type HorizonName,
  horizonOf,
  MAIN_HORIZON,
} from '../../api/contract/horizons.ts';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ScreenerItem } from '../../api/contract/resources.ts';
import { groupBy } from '../../base/collections.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import {
  type Cut,
  cutSchema,
  isClear,
  type Question,
  questionSchema,
} from '../../outcomes/tune-types.ts';
import { HOUR, pluralize } from '../../runtime/units.ts';
import { shortDaysOf } from '../../statistics/clusters.ts';
import { LEAST } from '../../statistics/rank-test.ts';
import { NUMBERS_LEVEL } from '../../statistics/verdict.ts';
import { fieldsOf } from '../described-fields.ts';
import {
  dayAndMonth,
  estimateText,
  NONE,
  percentagePoints,
  points,
  rangeText,
  signed,
} from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Part, RenderContext, View } from '../types.ts';
import { askedForFields } from './history-stats-fields.ts';
import { figureColumn, textColumn } from './parts.ts';
import { settingsOf } from './settings-history.ts';
import { likelySetting } from './settings-text.ts';
import { adviceWords, cutName, cutsOf, isAdvice, isTested, numberName } from './tune-words.ts';

const tuneSchema = v.object({
  ...askedForFields,
  generated_at: described(time, 'when it was computed, UTC'),
  bought: described(count, 'cards whose outcome and entry context were bought'),
  questions: described(
    v.array(questionSchema),
    'each type, number and horizon, the clear ones first',
  ),
  cuts: described(v.array(cutSchema), 'stricter settings for the numbers that matter'),
});

export type Tune = ReadonlyDeep<v.InferOutput<typeof tuneSchema>>;

export const questionFields = fieldsOf(questionSchema);

export const tuneView: View<Tune> = {
  fields: fieldsOf(tuneSchema),
  rows: { fields: questionFields, of: ({ questions }) => questions },
};

export interface TunePage {
  readonly silenceOf: (type: string) => string | undefined;
  readonly horizon: HorizonName;
  readonly settings: readonly ScreenerItem[];
  readonly asSetNow: readonly GroupFigures[];
  readonly isDetailed: boolean;
  readonly inFull: string;
}

export function tunePage(
  { screener_type: type, cuts, questions: all }: Tune,
  page: TunePage,
  render: RenderContext,
) {
  const { note, offer, pairs, paragraph, sections } = render;
  const { isDetailed, horizon } = page;
  const questions = all.filter((one) => one.horizon === horizon);
  const clear = questions.filter(isClear);
  const title = `What to change${type === null ? '' : ` in ${safeText(type)}`}? Outcomes you bought, ${horizonOf(horizon).millis / HOUR} h vs BTC, in pp`;
  const none = clear.length === 0;
  const found =
    type === null
      ? pairs(clear.map((one) => [safeText(one.type), adviceWords(one, cuts, allOf(one, page))]))
      : sections(clear.map((one) => ({ body: cutsOfNumber(one, cuts, page, render) })));
  const hasRows = type === null || none;
  // The largest: it would show whichever number has it.
  const missed = Math.max(
    ...questions.map((one) => (isShown(one) && !isClear(one) ? (one.would_show ?? 0) : 0)),
  );
  const [sized] = questions.filter((one) => one.absolute);
  return sections([
    { title, body: none ? paragraph(nothingWords(questions, page, type)) : found },
    {
      body: [
        isDetailed
          ? numbersTable(questions, render)
          : hasRows && typesTable(questions, page, render),
        note(
          isDetailed &&
            questions.length > 0 &&
            'CORR.: correlation of ranks, among cards of the same day',
          isDetailed && sized !== undefined && `${numberName(sized)}: its size, whether up or down`,
          isDetailed &&
            questions.some(isTested) &&
            'LIMIT: a correlation of this size is found in 4 of 5 cases',
          hasRows &&
            missed > 0 &&
            `nothing found: a correlation below ${missed.toFixed(2)} may still be missed`,
          !none && byChance(clear),
          questions.length > 0 && !isDetailed && '--detail lists every number.',
        ),
      ],
    },
    {
      body:
        !none &&
        (type === null
          ? offer('Stricter settings, and what each would have kept:', page.inFull)
          : note(
              'Only stricter settings can be tested: the cards a looser one would add were never recorded.',
            )),
    },
  ]);
}

function nothingWords(questions: readonly Question[], page: TunePage, type: string | null): string {
  const isSilent = type !== null && page.silenceOf(type) !== undefined;
  const isMostlyTested = questions.filter(isShown).length > questions.filter(isTested).length / 2;
  const nothing = isMostlyTested
    ? ': no number at the trigger clearly tells good cards from bad'
    : ` yet: ${isSilent ? 'check why it sends no cards' : 'too few outcomes to tell'}`;
  const again =
    isSilent || page.horizon !== MAIN_HORIZON
      ? ''
      : ' `screener today` will say so when that changes.';
  return `Nothing to change${nothing}.${again}`;
}

const allOf = ({ type }: Question, { asSetNow }: TunePage) =>
  asSetNow.find(({ group }) => group === type);

function typesTable(
  questions: readonly Question[],
  { silenceOf }: TunePage,
  { table, styles }: RenderContext,
): string {
  type Row = readonly [type: string, own: readonly Question[]];
  const said = ([type, own]: Row) =>
    (own.some(isClear) ? styles.good : styles.dim)(resultOf(own, silenceOf(type)));
  return table<Row>(
    [
      textColumn('TYPE', 0, ([type]) => safeText(type)),
      textColumn('NUMBERS AT THE TRIGGER', 0, said, { below: true }),
    ],
    [...groupBy(questions, ({ type }) => type)],
  );
}

const placeOf = (one: Question) =>
  [isClear, isShown, isTested, () => true].findIndex((isSo) => isSo(one));

function numbersTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  const inOrder = questions.toSorted((a, b) => placeOf(a) - placeOf(b));
  const hasTypes = new Set(questions.map(({ type }) => type)).size > 1;
  return table<Question>(
    [
      ...(hasTypes ? [textColumn<Question>('TYPE', 0, ({ type }) => safeText(type))] : []),
      textColumn('NUMBER', 0, numberName),
      figureColumn('N', 1, ({ cards }) => String(cards)),
      figureColumn('CORR.', 2, ({ correlation }) => points(correlation)),
      figureColumn('95 % INTERVAL', 3, (one) => rangeText(one.correlation_interval_95)),
      textColumn('RESULT', 0, (one) =>
        (isClear(one) ? styles.good : styles.dim)(numberResult(one)),
      ),
      figureColumn('LIMIT', 1, ({ would_show: size }) => size?.toFixed(2) ?? NONE),
    ],
    [...groupBy(inOrder, ({ type }) => type).values()].flat(),
  );
}

function cutsOfNumber(
  question: Question,
  cuts: readonly Cut[],
  page: TunePage,
  render: RenderContext,
): Part[] {
  const { note, pairs, styles, table } = render;
  const { settings } = page;
  const all = allOf(question, page);
  const figures = all?.horizons[question.horizon];
  const own = cutsOf(question, cuts);
  const columns = [
    textColumn<Cut | undefined>(`KEEP ${numberName(question)}`, 0, (cut) =>
      cut ? cutName(cut) : 'all, as set now',
    ),
    figureColumn<Cut | undefined>(
      'A DAY',
      1,
      (cut) => (cut ?? all)?.cards_per_day?.toFixed(1) ?? NONE,
    ),
    figureColumn<Cut | undefined>('VS BTC, 95 %', 2, (cut) =>
      cut
        ? estimateText(cut.kept_vs_btc, cut.kept_vs_btc_interval_95)
        : estimateText(
            figures?.median_vs_btc_percentage_points,
            figures?.median_vs_btc_interval_95,
          ),
    ),
    textColumn<Cut | undefined>('KEPT MINUS DROPPED', 0, (cut) =>
      cut ? keptText(cut, styles) : '',
    ),
  ];
  const best = own.find(isAdvice);
  const since = best?.verdict_since ?? null;
  return [
    pairs([
      ['Advice', adviceWords(question, cuts, all)],
      ['Setting', best && settingToChange(best, settings)],
      ['Checked', checkedWords(best)],
    ]),
    `\n${table(columns, [undefined, ...own])}`,
    note(
      best !== undefined &&
        best !== own.at(-1) &&
        `${cutName(best)} was chosen ${since === null ? 'as the loosest that helped' : `on ${dayAndMonth(Date.parse(since))}, as the loosest that clearly helped then`}.`,
      best !== undefined &&
        'Expect less than the table shows: the best of several looks better than it is.',
    ),
  ];
}

function settingToChange(cut: Cut, settings: TunePage['settings']): string {
  const likely = likelySetting(settings, cut);
  if (likely !== undefined) return `Probably ${likely.name}, now ${likely.now}.`;
  return `${settings.length === 0 ? '' : `Yours: ${settingsOf(settings)}. `}Change the one that controls ${safeText(cut.key)}, if there is one.`;
}

function keptText(
  { kept_vs_dropped: kept, kept_vs_dropped_interval: interval }: Cut,
  styles: RenderContext['styles'],
) {
  const tint = interval !== null && interval.low > 0 ? styles.good : styles.dim;
  return tint(interval === null ? 'too few dropped' : estimateText(kept, interval));
}

/** A sentence on the outcomes since the number was found: no selection has touched them. */
export function checkedWords(cut?: Cut): string {
  const { verdict_since: since = null, since_then: then = null } = cut ?? {};
  if (since === null || !then?.interval_95) return '';
  const outcomes = `${pluralize(then.cards, 'outcome')} of cards since ${dayAndMonth(Date.parse(since))}`;
  const { difference_percentage_points: later, interval_95: range } = then;
  const open =
    (later ?? 0) < 0 ? ': the other way round so far' : range.low <= 0 ? ', not confirmed yet' : '';
  return `On ${outcomes}, when it was chosen: kept minus dropped ${percentagePoints(later)} (${rangeText(range)})${open}.`;
}

/** Exports look every day, a question of one's own once. */
function byChance(clear: readonly Question[]): string {
  const isDaily = clear.some(({ verdict_since }) => verdict_since !== null);
  return `Chance alone names a number ${isDaily ? 'in 17 of 100 accounts within 90 days' : `on 1 of ${Math.round(1 / NUMBERS_LEVEL)} pages like this one`}.`;
}

/** A correlation of 0.5 is hardly ever there: where only such a one would show, nothing can be told. */
const isShown = ({ would_show: size }: Question) => size !== null && size < 0.5;

/** `the higher rsi, the better (correlation +0.44)`, or what was looked for without a finding. */
function resultOf(own: readonly Question[], silence?: string): string {
  const clear = own.filter(isClear).map((one) => {
    return `the ${one.verdict} ${numberName(one)}, the better (correlation ${signed(one.correlation ?? 0)})`;
  });
  if (clear.length > 0) return clear.join('; ');
  const tested = own.filter(isTested);
  const [most] = own.toSorted((a, b) => b.cards - a.cards);
  if (tested.length === 0) return most === undefined ? '' : numberResult(most);
  const shown = tested.filter(isShown).length;
  const rest = tested.length - shown;
  const nothing = shown > 0 && `${shown} tested, nothing found`;
  const open = rest > 0 && `${rest} ${rest === 1 ? 'needs' : 'need'} more outcomes`;
  return [nothing, open, silence].filter(Boolean).join('; ');
}

function numberResult(one: Question): string {
  if (isClear(one)) return `${one.verdict} is better`;
  if (isTested(one)) return isShown(one) ? 'nothing found' : 'needs more outcomes';
  return one.too_little === null ? 'same all day' : TOO_LITTLE[one.too_little](one);
}

const daysNeeded = (horizon: HorizonName, days = 0) =>
  LEAST.clusters * shortDaysOf(blocksOf(horizon), days);

const TOO_LITTLE: Readonly<Record<NonNullable<Question['too_little']>, (one: Question) => string>> =
  {
    few_cards: ({ cards }) => `${cards} of ${LEAST.cards} outcomes of present settings`,
    few_days: ({ days, horizon }) =>
      days < daysNeeded(horizon, days)
        ? `${days} of ${daysNeeded(horizon)} days with outcomes`
        : 'the same on most days',
    few_symbols: () => 'too few symbols',
    one_outweighs: () => 'one day or symbol outweighs',
    rarely_given: () => 'known of too few cards',
  };
