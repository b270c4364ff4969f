/** `tune`: which numbers at the trigger go with what came after, and stricter settings. */

import * as v from 'valibot';
import type { HorizonName } from '../../api/contract/horizons.ts';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { groupBy } from '../../outcomes/group.ts';
import { type Cut, cutSchema, type Question, questionSchema } from '../../outcomes/tune-types.ts';
import type { Interval } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, View } from '../types.ts';
import { askedForFields } from './card-fields.ts';
import { figureColumn, textColumn } from './parts.ts';
import {
  cutName,
  cutsOf,
  findingSentence,
  isClear,
  isTested,
  noneTells,
  numberName,
  rangeText,
  signed,
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
  /** The one that is shown. */
  readonly horizon: HorizonName;
  /** The settings of the type asked for, as text; undefined where they were never looked at. */
  readonly conditions: string | undefined;
  /** All cards of the type asked for, to compare cuts with. */
  readonly asSetNow: GroupFigures | undefined;
  /** Whether each number is listed. */
  readonly isDetailed: boolean;
  /** The command line that shows one type in full. */
  readonly inFull: string;
}

/** All types in a line each; or one type, its cuts first. */
export function tunePage(page: TunePage): View<Tune> {
  return {
    fields: tuneView.fields,
    page: (answer, render) => {
      const { screener_type: type, cuts } = answer;
      const questions = answer.questions.filter(({ horizon }) => horizon === page.horizon);
      const whose = type === null ? 'Numbers' : `${safeText(type)}: numbers`;
      const title = `${whose} at the trigger, and the move after ${page.horizon} against BTC's`;
      if (questions.length === 0) return render.sections([{ title, body: render.paragraph(nothingToAsk(answer)) }]);
      const sections =
        type === null
          ? [{ title, body: render.paragraph(answerOfAll(questions)) }, { body: typesTable(questions, render) }]
          : [{ title, body: cutsText(questions, { cuts, asSetNow: page.asSetNow }, render) }];
      const isListed = page.isDetailed && questions.some(isTested);
      return render.sections([
        ...sections,
        { body: isListed ? numbersTable(questions, render) : '' },
        { body: notes(questions, page, type, render) },
      ]);
    },
  };
}

function nothingToAsk({ bought }: Tune): string {
  if (bought === 0) return 'No bought outcome matches: `screener signals export` buys them with their entry context.';
  return `Nothing to test: none of the ${bought} bought cards that match has a number in its entry context.`;
}

/** Of all types: which numbers tell. */
function answerOfAll(questions: readonly Question[]): string {
  const clear = questions.filter(isClear);
  const names = clear.map((one) => `${numberName(one)} of ${safeText(one.type)}`);
  const separates = clear.length === 1 ? 'separates' : 'separate';
  return (
    noneTells(questions) ??
    `${clear.length} of ${questions.filter(isTested).length} numbers ${separates} good cards from bad: ${names.join(', ')}. ${byChance(questions)}`
  );
}

interface TypeResult {
  readonly type: string;
  readonly own: readonly Question[];
  readonly isFound: boolean;
}

function typesTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  const types = [...groupBy(questions, ({ type }) => type)];
  const results = types.map(([type, own]) => ({ type, own, isFound: own.some(isClear) }));
  const tint = (isFound: boolean) => (isFound ? styles.good : styles.dim);
  return table<TypeResult>(
    [
      textColumn('TYPE', 0, ({ type, isFound }) => (isFound ? safeText(type) : styles.dim(safeText(type)))),
      figureColumn('NUMBERS', 1, ({ own }) => styles.dim(String(own.filter(isTested).length))),
      textColumn('RESULT', 0, ({ own, isFound }) => tint(isFound)(resultOf(own))),
    ],
    results.toSorted((a, b) => Number(b.isFound) - Number(a.isFound)),
  );
}

/** `higher oi_change_pct, larger moves (+0.44)`, or that nothing was found, and what would have shown. */
function resultOf(own: readonly Question[]): string {
  const clear = own.filter(isClear);
  if (clear.length > 0) {
    return clear
      .map(
        (one) =>
          `higher ${shortName(one)}, ${one.verdict === 'higher' ? 'larger' : 'smaller'} moves (${signed(one.correlation)})`,
      )
      .join('; ');
  }
  const tested = own.filter(isTested);
  if (tested.length > 0) return `nothing; ${unclearWords(tested)}`;
  return `not testable: ${[...new Set(own.map(untestedReason))].join(', ')}`;
}

/** A name of any length leaves room for what it tells. */
function shortName(question: Question): string {
  const signs = [...numberName(question)];
  return signs.length > 32 ? `${signs.slice(0, 31).join('')}…` : signs.join('');
}

function numbersTable(questions: readonly Question[], { table, styles }: RenderContext): string {
  const tint = (one: Question, text: string) => (isClear(one) ? text : styles.dim(text));
  const hasTypes = new Set(questions.map(({ type }) => type)).size > 1;
  return table<Question>(
    [
      ...(hasTypes ? [textColumn<Question>('TYPE', 0, (one) => tint(one, safeText(one.type)))] : []),
      textColumn('NUMBER', 0, (one) => tint(one, shortName(one))),
      figureColumn('N', 2, (one) => tint(one, String(one.cards))),
      figureColumn('CORRELATION', 1, (one) => tint(one, one.correlation === null ? NONE : signed(one.correlation))),
      figureColumn('95 % INTERVAL', 3, (one) => {
        const interval = one.correlation_interval_95;
        return tint(one, interval === null ? NONE : `${signed(interval.low)} to ${signed(interval.high)}`);
      }),
      textColumn('RESULT', 0, (one) => verdictWords(one, styles)),
    ],
    questions,
  );
}

function verdictWords(one: Question, styles: RenderContext['styles']): string {
  switch (one.verdict) {
    case 'higher':
      return styles.good('the higher, the larger the move');
    case 'lower':
      return styles.bad('the higher, the smaller the move');
    case 'unclear':
      return styles.dim(
        `unclear; ${unclearWords([one]).replace('a correlation of ', '').replace(' have shown', ' show')}`,
      );
    default:
      return styles.dim(`not testable: ${untestedReason(one)}`);
  }
}

interface Cuts {
  readonly cuts: readonly Cut[];
  readonly asSetNow: GroupFigures | undefined;
}

/** Of one type at one horizon: the cuts on each number that tells, or that none does. */
export function cutsText(questions: readonly Question[], { cuts, asSetNow }: Cuts, render: RenderContext): string {
  const none = noneTells(questions);
  if (none !== undefined) return render.paragraph(none);
  const tested = questions.filter(isTested).length;
  return questions
    .filter(isClear)
    .map((one) => findingText(one, tested, { cuts: cutsOf(one, cuts), asSetNow }, render))
    .join('\n\n');
}

/** Of a number that tells: the sentence, and what stricter settings would have kept beside all as set now. */
function findingText(question: Question, tested: number, { cuts, asSetNow }: Cuts, render: RenderContext): string {
  const { paragraph, styles, table } = render;
  const all = asSetNow?.horizons[question.horizon];
  const rows: readonly (Cut | undefined)[] = [...(asSetNow === undefined ? [] : [undefined]), ...cuts];
  return [
    paragraph(findingSentence(question, tested)),
    table<Cut | undefined>(
      [
        textColumn(`KEEP ${shortName(question)}`, 0, (cut) => (cut === undefined ? 'all, as set now' : cutName(cut))),
        figureColumn('CARDS A DAY', 1, (cut) => (cut?.cards_per_day ?? asSetNow?.cards_per_day ?? 0).toFixed(1)),
        figureColumn('VS BTC, 95 %', 2, (cut) => {
          const interval = cut === undefined ? (all?.median_vs_btc_interval_95 ?? null) : cut.kept_vs_btc_interval_95;
          return rangeText(interval)?.replace(' pp', '') ?? NONE;
        }),
        textColumn('KEPT MINUS DROPPED', 0, (cut) => (cut === undefined ? '' : keptText(cut, styles))),
      ],
      rows,
    ),
    paragraph('Kept minus dropped, in pp, is reduced: the best of several always looks better than it is.', styles.dim),
    ...sinceWords(cuts).map((text) => paragraph(text)),
  ].join('\n');
}

/** `First shown on 8 Oct. Kept minus dropped on the cards since then: +2.90 (+1.10 to +4.70) at 4 or more, …` */
function sinceWords(cuts: readonly Cut[]): string[] {
  const since = cuts[0]?.verdict_since;
  if (!since) return [];
  const told = cuts.flatMap((cut) => {
    const { difference_percentage_points: kept = null, interval_95: interval = null } = cut.since_then ?? {};
    return kept === null || interval === null ? [] : [`${estimateText(kept, interval)} at ${cutName(cut)}`];
  });
  const then = told.length === 0 ? 'too few to tell' : told.join(', ');
  return [`First shown on ${dayAndMonth(Date.parse(since))}. Kept minus dropped on the cards since then: ${then}.`];
}

function estimateText(value: number, interval: Interval): string {
  return `${signed(value)} (${rangeText(interval)?.replace(' pp', '')})`;
}

/** `+2.14 (+0.84 to +6.17)`, in colour where it is clear of zero. */
function keptText({ kept_vs_dropped: kept, kept_vs_dropped_interval: interval }: Cut, styles: RenderContext['styles']) {
  if (kept === null || interval === null) return styles.dim('too few dropped');
  const text = estimateText(kept, interval);
  if (interval.low > 0) return styles.good(text);
  return interval.high < 0 ? styles.bad(text) : styles.dim(text);
}

/** What was not found, and what can be set at all. */
function notes(questions: readonly Question[], page: TunePage, type: string | null, render: RenderContext): string {
  const { paragraph, styles } = render;
  const said =
    type === null ? untestedWords(questions) : [...settingsWords(questions, page), ...restWords(questions, page)];
  const inFull = type === null ? ['One type in full, with stricter settings:', `  ${page.inFull}`] : [];
  return [...said.map((text) => paragraph(text, styles.dim)), ...inFull].join('\n');
}

/** Numbers that could not be tested for any type, said once. */
function untestedWords(questions: readonly Question[]): string[] {
  const byNumber = [...groupBy(questions, numberName)].filter(([, own]) => !own.some(isTested));
  const names = byNumber.map(([name, [one]]) => `${name}${one === undefined ? '' : ` (${untestedReason(one)})`}`);
  return names.length === 0 || !questions.some(isTested) ? [] : [`Not testable: ${names.join(', ')}.`];
}

function settingsWords(questions: readonly Question[], { conditions = '' }: TunePage): string[] {
  const foreign = questions.filter(isClear).filter(({ key }) => !conditions.includes(JSON.stringify(key).slice(1, -1)));
  const names = [...new Set(foreign.map(({ key }) => safeText(key)))].join(', ');
  return [
    ...(questions.some(isClear) ? [byChance(questions)] : []),
    'Only stricter settings can be tested: the cards a looser one would add were never recorded.',
    ...(names === '' ? [] : [`No setting is called ${names}; check which one controls it.`]),
  ];
}

function restWords(questions: readonly Question[], { isDetailed }: TunePage): string[] {
  if (isDetailed) return [];
  const unclear = questions.filter(({ verdict }) => verdict === 'unclear');
  const rest =
    unclear.length === 0 ? [] : [`${pluralize(unclear.length, 'number')} unclear: ${unclearWords(unclear)}.`];
  const untested = untestedWords(questions).concat(
    questions.some(isTested) ? [] : [`Not testable: ${untestedReason(questions[0] as Question)}.`],
  );
  return [[...rest, ...untested, '--detail lists all.'].join(' ')];
}

/** In simulations without any telling number one of a type's numbers was called clear in 1 to 4 % of cases. */
const CALLED_BY_CHANCE = 0.03;

function byChance(questions: readonly Question[]): string {
  const types = new Set(questions.map(({ type }) => type)).size;
  const runs = Math.round(1 / (1 - (1 - CALLED_BY_CHANCE) ** types));
  return `Chance alone would produce such a finding in 1 of ${runs} runs.`;
}
