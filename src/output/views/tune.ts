/** `tune`: which numbers at the trigger go with what came after, and stricter settings. */
import * as v from 'valibot';
import type { HorizonName } from '../../api/contract/horizons.ts';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ScreenerItem } from '../../api/contract/resources.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { groupBy } from '../../outcomes/group.ts';
import { type Cut, cutSchema, type Question, questionSchema } from '../../outcomes/tune-types.ts';
import { fieldsOf } from '../described-fields.ts';
import { estimateText, NONE, points, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair, Part, RenderContext, View } from '../types.ts';
import { askedForFields } from './card-fields.ts';
import { figureColumn, textColumn } from './parts.ts';
import { settingsOf } from './settings-history.ts';
import {
  adviceWords,
  bestCut,
  byChance,
  checkedWords,
  cutName,
  cutsOf,
  evidenceOf,
  explained,
  isClear,
  isTested,
  noneTells,
  numberName,
  numberResult,
  resultOf,
} from './tune-words.ts';

const tuneSchema = v.object({
  ...askedForFields,
  generated_at: described(time, 'when it was computed, UTC'),
  bought: described(count, 'cards whose outcome and entry context were bought'),
  questions: described(v.array(questionSchema), 'each type, number and horizon, the clear ones first'),
  cuts: described(v.array(cutSchema), 'stricter settings on the numbers that tell'),
});

export type Tune = ReadonlyDeep<v.InferOutput<typeof tuneSchema>>;

export const tuneView: View<Tune> = { fields: fieldsOf(tuneSchema) };

/** A row of CSV, whose cells cannot hold the lists of the document. */
export const questionView: View<Question> = { fields: fieldsOf(questionSchema) };

export interface TunePage {
  readonly horizon: HorizonName;
  /** Of the type asked for; empty where they were never looked at. */
  readonly settings: readonly ScreenerItem[];
  /** All cards of each type, to compare cuts with. */
  readonly asSetNow: readonly GroupFigures[];
  /** Of the type asked for. */
  readonly isSilent: boolean;
  readonly isDetailed: boolean;
  readonly inFull: string;
}

/** All types in a line each; or one type, its cuts first. */
export function tunePage(page: TunePage): View<Tune> {
  return {
    fields: tuneView.fields,
    page: ({ screener_type: type, cuts, questions: all }, render) => {
      const { note, offer, pairs, paragraph, sections } = render;
      const { isDetailed, isSilent, horizon } = page;
      const questions = all.filter((one) => one.horizon === horizon);
      const clear = questions.filter(isClear);
      const whose = type === null ? '' : ` in ${safeText(type)}`;
      const title = `What to change${whose}? Numbers at the trigger, ${horizon.replace('h', ' h')} move vs BTC`;
      const none = noneTells(questions, isSilent);
      const tested = questions.filter(isTested).length;
      const numbers = isDetailed && tested > 0 ? numbersTable(questions, render) : '';
      const more = !isDetailed && tested > 0 && '--detail lists every number.';
      if (type === null) {
        const table = typesTable(questions, render);
        const advice = clear.map(
          (one): Pair => [safeText(one.type), adviceWords(one, cuts, allOf(one, page)?.cards_per_day)],
        );
        return sections([
          { title, body: none ? paragraph(none) : pairs(advice) },
          { body: [table, note(explained(table + numbers), !none && byChance(questions))] },
          { body: numbers },
          { body: none ? note(more) : offer('Stricter settings, and what each would have kept:', page.inFull) },
        ]);
      }
      const rest = questions.filter((one) => !isClear(one));
      const result = isDetailed || rest.length === 0 ? '' : `${resultOf(rest)}.`;
      const notes = note(
        !none && ONLY_STRICTER,
        !none && byChance(questions),
        result,
        explained(result + numbers),
        more,
      );
      const found = none
        ? [[paragraph(none), notes]]
        : clear.map((one) => cutsOfNumber(one, tested, cuts, page, render));
      return sections([
        ...found.map((body, i) => ({ ...(i === 0 ? { title } : {}), body })),
        { body: numbers },
        { body: !none && notes },
      ]);
    },
  };
}

const ONLY_STRICTER = 'Only stricter settings can be tested: the cards a looser one would add were never recorded.';

const allOf = ({ type }: Question, { asSetNow }: TunePage) => asSetNow.find(({ group }) => group === type);

function typesTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  type Row = readonly [type: string, own: readonly Question[]];
  return table<Row>(
    [
      textColumn('TYPE', 0, ([type]) => safeText(type)),
      textColumn('RESULT', 0, ([, own]) => (own.some(isClear) ? styles.good : styles.dim)(resultOf(own)), {
        below: true,
      }),
    ],
    [...groupBy(questions, ({ type }) => type)],
  );
}

function numbersTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  const hasTypes = new Set(questions.map(({ type }) => type)).size > 1;
  return table<Question>(
    [
      ...(hasTypes ? [textColumn<Question>('TYPE', 0, ({ type }) => safeText(type))] : []),
      textColumn('NUMBER', 0, numberName),
      figureColumn('N', 1, ({ cards }) => String(cards)),
      figureColumn('CORRELATION', 2, ({ correlation }) => points(correlation)),
      figureColumn('95 % INTERVAL', 3, ({ correlation_interval_95: one }) => (one === null ? NONE : rangeText(one))),
      textColumn('RESULT', 0, (one) => (isClear(one) ? styles.good : styles.dim)(numberResult(one))),
    ],
    questions,
  );
}

/** What to try with a number that tells, and its cuts below a row of all cards. */
function cutsOfNumber(
  question: Question,
  tested: number,
  cuts: readonly Cut[],
  page: TunePage,
  { note, pairs, styles, table }: RenderContext,
): Part[] {
  const { settings } = page;
  const all = allOf(question, page);
  const figures = all?.horizons[question.horizon];
  const own = cutsOf(question, cuts);
  const columns = [
    textColumn<Cut | undefined>(`KEEP ${numberName(question)}`, 0, (cut) => (cut ? cutName(cut) : 'all, as set now')),
    figureColumn<Cut | undefined>('A DAY', 1, (cut) => (cut ?? all)?.cards_per_day?.toFixed(1) ?? NONE),
    figureColumn<Cut | undefined>('VS BTC, 95 %', 2, (cut) =>
      cut
        ? estimateText(cut.kept_vs_btc, cut.kept_vs_btc_interval_95)
        : estimateText(figures?.median_vs_btc_percentage_points, figures?.median_vs_btc_interval_95),
    ),
    textColumn<Cut | undefined>('KEPT MINUS DROPPED', 0, (cut) => (cut ? keptText(cut, styles) : '')),
  ];
  const isForeign = !JSON.stringify(settings).includes(JSON.stringify(question.key).slice(1, -1));
  const yours = settings.length === 0 ? '' : `: ${settingsOf(settings)}`;
  const said: Pair[] = [
    ['Advice', adviceWords(question, cuts, all?.cards_per_day)],
    ['Setting', isForeign ? `None is called ${numberName(question)}; check which one controls it${yours}.` : ''],
    ['Checked', checkedWords(bestCut(own))],
  ];
  return [
    pairs(said.filter(([, value]) => value !== '')),
    `
${table(columns, [undefined, ...own])}`,
    page.isDetailed &&
      note(
        `Among cards of the same day: ${evidenceOf(question, tested)}.`,
        'Kept minus dropped is reduced: the best of several always looks better than it is.',
      ),
  ];
}

/** `+2.14 (+0.84 to +6.17)`, in colour where it is clear of zero. */
function keptText({ kept_vs_dropped: kept, kept_vs_dropped_interval: interval }: Cut, styles: RenderContext['styles']) {
  const tint = interval !== null && interval.low > 0 ? styles.good : styles.dim;
  return tint(interval === null ? 'too few dropped' : estimateText(kept, interval));
}
