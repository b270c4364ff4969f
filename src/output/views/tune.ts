/** `tune`: which numbers at the trigger go with what came after, and stricter settings. */
import * as v from 'valibot';
import type { HorizonName } from '../../api/contract/horizons.ts';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ScreenerItem } from '../../api/contract/resources.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { groupBy } from '../../outcomes/group.ts';
import { type Cut, cutSchema, type Question, questionSchema } from '../../outcomes/tune-types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, estimateText, NONE, points, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Part, RenderContext, Section, View } from '../types.ts';
import { askedForFields } from './card-fields.ts';
import { figureColumn, textColumn } from './parts.ts';
import { settingsOf } from './settings-history.ts';
import {
  cutName,
  cutsOf,
  findingSentence,
  isClear,
  isTested,
  noneTells,
  numberName,
  sizeOfMoves,
  unclearWords,
  untestedReason,
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
  /** All cards of the type asked for, to compare cuts with. */
  readonly asSetNow: GroupFigures | undefined;
  readonly isDetailed: boolean;
  readonly inFull: string;
}

/** All types in a line each; or one type, its cuts first. */
export function tunePage(page: TunePage): View<Tune> {
  return {
    fields: tuneView.fields,
    page: ({ screener_type: type, bought, cuts, questions: all }, render) => {
      const { note, offer, paragraph, sections } = render;
      const questions = all.filter(({ horizon }) => horizon === page.horizon);
      const whose = type === null ? '' : ` in ${safeText(type)}`;
      const title = `What to change${whose}? Numbers at the trigger, ${page.horizon} moves vs BTC`;
      const numbers = page.isDetailed && questions.some(isTested) ? numbersTable(questions, render) : '';
      if (questions.length === 0) return sections([{ title, body: paragraph(nothingToAsk(bought)) }]);
      if (type !== null) {
        const none = noneTells(questions);
        const found = none ? [{ body: paragraph(none) }] : cutsSections(questions, cuts, page, render);
        return sections([
          ...found.map((section, i) => (i === 0 ? { title, ...section } : section)),
          { body: numbers },
          { body: note(...notesOfType(questions, page)) },
        ]);
      }
      return sections([
        { title, body: [paragraph(findings(questions)), adviceText(questions, cuts, render)] },
        { body: typesTable(questions, render) },
        { body: numbers },
        {
          body: [
            note(questions.some(isTested) && untestedWords(questions)),
            offer('One type in full, with stricter settings:', page.inFull),
          ],
        },
      ]);
    },
  };
}

function nothingToAsk(bought: number): string {
  if (bought === 0) return 'No bought outcome matches: `screener signals export` buys them with their entry context.';
  return `Nothing to test: none of the ${bought} bought cards that match has a number in its entry context.`;
}

function findings(questions: readonly Question[]): string {
  const clear = questions.filter(isClear);
  const names = clear.map((one) => `${numberName(one)} of ${safeText(one.type)}`).join(', ');
  const share = `${clear.length} of ${questions.filter(isTested).length} numbers`;
  const separate = clear.length === 1 ? 'separates' : 'separate';
  return noneTells(questions) ? '' : `${share} ${separate} good cards from bad: ${names}. ${byChance(questions)}`;
}

function typesTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  const types = [...groupBy(questions, ({ type }) => type)];
  const tint = (own: readonly Question[]) => (own.some(isClear) ? styles.good : styles.dim);
  return table<(typeof types)[number]>(
    [
      textColumn('TYPE', 0, ([type, own]) => (own.some(isClear) ? safeText(type) : styles.dim(safeText(type)))),
      textColumn('RESULT', 0, ([, own]) => tint(own)(resultOf(own)), { below: true }),
    ],
    types.toSorted(([, a], [, b]) => Number(b.some(isClear)) - Number(a.some(isClear))),
  );
}

/** `higher oi_change_pct, larger moves (+0.44)`, or that nothing was found, and what would have shown. */
function resultOf(own: readonly Question[]): string {
  const clear = own.filter(isClear);
  const words = clear.map(
    (one) => `higher ${numberName(one)}, ${sizeOfMoves(one)} (correlation ${signed(one.correlation ?? 0)})`,
  );
  if (clear.length > 0) return words.join('; ');
  const tested = own.filter(isTested);
  if (tested.length > 0) return unclearWords(tested);
  return `not testable: ${reasonsOf(own)}`;
}

function numbersTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  const hasTypes = new Set(questions.map(({ type }) => type)).size > 1;
  const tint = (one: Question) => (isClear(one) ? styles.good : styles.dim);
  return table<Question>(
    [
      ...(hasTypes ? [textColumn<Question>('TYPE', 0, ({ type }) => safeText(type))] : []),
      textColumn('NUMBER', 0, numberName),
      figureColumn('N', 2, ({ cards }) => String(cards)),
      figureColumn('CORRELATION', 1, ({ correlation }) => points(correlation)),
      figureColumn('95 % INTERVAL', 3, ({ correlation_interval_95: one }) => (one === null ? NONE : rangeText(one))),
      textColumn('RESULT', 0, (one) => tint(one)(isClear(one) ? sizeOfMoves(one) : resultOf([one]))),
    ],
    questions,
  );
}

/** Of each number that tells: what to try, and its cuts below a row of all cards. */
function cutsSections(
  questions: readonly Question[],
  cuts: readonly Cut[],
  page: TunePage,
  render: RenderContext,
): Section[] {
  const { note, paragraph, styles, table } = render;
  const { asSetNow, settings, isDetailed } = page;
  const now = settings.length === 0 ? '' : `: ${settingsOf(settings)}`;
  const tested = questions.filter(isTested).length;
  return questions.filter(isClear).map((question) => {
    const all = asSetNow?.horizons[question.horizon];
    const own = cutsOf(question, cuts);
    const name = numberName(question);
    const isForeign = !JSON.stringify(settings).includes(JSON.stringify(question.key).slice(1, -1));
    const columns = [
      textColumn<Cut | undefined>(`KEEP ${name}`, 0, (cut) => (cut ? cutName(cut) : 'all, as set now')),
      figureColumn<Cut | undefined>('A DAY', 1, (cut) => (cut ?? asSetNow)?.cards_per_day?.toFixed(1) ?? NONE),
      figureColumn<Cut | undefined>('VS BTC, 95 %', 2, (cut) =>
        cut
          ? estimateText(cut.kept_vs_btc, cut.kept_vs_btc_interval_95)
          : estimateText(all?.median_vs_btc_percentage_points, all?.median_vs_btc_interval_95),
      ),
      textColumn<Cut | undefined>('KEPT MINUS DROPPED', 0, (cut) => (cut ? keptText(cut, styles) : '')),
    ];
    const advice = adviceWords(question, own, asSetNow);
    return {
      body: [
        advice && paragraph(advice, styles.bold),
        isForeign && paragraph(`No setting is called ${name}; check which one controls it${now}.`),
        `\n${table(columns, all === undefined ? own : [undefined, ...own])}`,
        note(
          laterWords(own),
          findingSentence(question, tested),
          isDetailed && 'Kept minus dropped is reduced: the best of several always looks better than it is.',
        ),
      ],
    };
  });
}

/** `+2.14 (+0.84 to +6.17)`, in colour where it is clear of zero. */
function keptText({ kept_vs_dropped: kept, kept_vs_dropped_interval: interval }: Cut, styles: RenderContext['styles']) {
  const tint = interval !== null && interval.low > 0 ? styles.good : styles.dim;
  return tint(interval === null ? 'too few dropped' : estimateText(kept, interval));
}

/** What to try, of each number that tells; or that none does. */
export function adviceText(questions: readonly Question[], cuts: readonly Cut[], { paragraph }: RenderContext): string {
  const advice = questions.filter(isClear).map((one) => adviceWords(one, cutsOf(one, cuts)));
  return [...advice, noneTells(questions) ?? '']
    .filter(Boolean)
    .map((text) => paragraph(text))
    .join('\n');
}

/** The cut that keeps most cards, of those that are clear. */
export function bestCut(cuts: readonly Cut[]): Cut | undefined {
  const clear = cuts.filter(({ kept_vs_dropped_interval: interval }) => interval !== null && interval.low > 0);
  return clear.toSorted((a, b) => b.cards_per_day - a.cards_per_day)[0];
}

export function adviceWords(question: Question, cuts: readonly Cut[], asSetNow?: GroupFigures): string {
  const cut = bestCut(cuts);
  if (cut === undefined) return '';
  const before = asSetNow === undefined ? '' : ` instead of ${asSetNow.cards_per_day?.toFixed(1)}`;
  const better = cut.kept_vs_dropped?.toFixed(1);
  return `Try ${numberName(question)} at ${cutName(cut)}: ${cut.cards_per_day.toFixed(1)} cards a day${before}; the kept cards did ${better} pp better than the dropped ones.`;
}

/** What came since the cut was first shown: no selection has touched it. */
function laterWords(cuts: readonly Cut[]): string {
  const { verdict_since: since = null, since_then: then = null } = bestCut(cuts) ?? {};
  if (since === null || then === null || then.interval_95 === null) return '';
  const cards = `the ${pluralize(then.cards, 'card')} since ${dayAndMonth(Date.parse(since))}, when it was first shown`;
  return `On ${cards}: ${estimateText(then.difference_percentage_points, then.interval_95)}.`;
}

const reasonsOf = (own: readonly Question[]) => [...new Set(own.map(untestedReason))].join(', ');

/** Numbers that could not be tested for any type, said once. */
function untestedWords(questions: readonly Question[]): Part {
  const never = [...groupBy(questions, numberName)].filter(([, own]) => !own.some(isTested));
  return never.length > 0 && `Not testable: ${never.map(([name, own]) => `${name} (${reasonsOf(own)})`).join(', ')}.`;
}

function notesOfType(questions: readonly Question[], { isDetailed }: TunePage): Part[] {
  const unclear = questions.filter(({ verdict }) => verdict === 'unclear');
  const rest = [
    unclear.length > 0 && `${pluralize(unclear.length, 'number')}: ${unclearWords(unclear)}.`,
    !questions.some(isTested) && `Not testable: ${reasonsOf(questions)}.`,
    '--detail lists all.',
  ];
  return [
    questions.some(isClear) && byChance(questions),
    'Only stricter settings can be tested: the cards a looser one would add were never recorded.',
    !isDetailed && rest.filter(Boolean).join(' '),
  ];
}

/** In simulations without any telling number one of a type's numbers was called clear in 1 to 4 % of cases. */
const CALLED_BY_CHANCE = 0.03;

function byChance(questions: readonly Question[]): string {
  const types = new Set(questions.map(({ type }) => type)).size;
  const runs = Math.round(1 / (1 - (1 - CALLED_BY_CHANCE) ** types));
  const tested = types === 1 ? 'this type alone' : `${types} types`;
  return `Chance alone would produce such a finding in 1 of ${runs} runs for ${tested}.`;
}
