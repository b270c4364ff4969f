/** `tune`: which numbers known at the trigger go with what came after. */
import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import { groupBy } from '../../outcomes/group.ts';
import { type Cut, cutSchema, type Question, questionSchema } from '../../outcomes/tune-types.ts';
import type { HorizonName } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { askedForFields } from './card-fields.ts';
import { figureColumn, textColumn } from './parts.ts';
import { cutName, cutsOf, findingSentence, isClear, keyName, rangeText, signed, untestedReason } from './tune-words.ts';

const tuneSchema = v.object({
  ...askedForFields,
  generated_at: described(time, 'when it was computed, UTC'),
  bought: described(count, 'cards whose outcome and entry context were bought'),
  questions: described(v.array(questionSchema), 'each type, key and horizon, the clear ones first'),
  cuts: described(v.array(cutSchema), 'stricter settings of the keys that tell'),
});

export type Tune = ReadonlyDeep<v.InferOutput<typeof tuneSchema>>;

export const tuneView: View<Tune> = { fields: fieldsOf(tuneSchema) };

export interface TunePage {
  /** The one that is shown. */
  readonly horizon: HorizonName;
  /** The settings of the type asked for, as text; undefined where they were never looked at. */
  readonly conditions: string | undefined;
  /** The command line that shows one type in full. */
  readonly inFull: string;
}

/** The answer, the keys that were asked, and what has to be known of both. */
export function tunePage(page: TunePage): View<Tune> {
  return {
    fields: tuneView.fields,
    page: (answer, render) => {
      const { screener_type: type, cuts } = answer;
      const questions = answer.questions.filter(({ horizon }) => horizon === page.horizon);
      const whose = type === null ? 'Keys' : `${safeText(type)}: keys`;
      const title = `${whose} known at the trigger, and the move after ${page.horizon} against BTC's`;
      if (questions.length === 0) return render.sections([{ title, body: render.paragraph(nothingToAsk(answer)) }]);
      const asked = questions.filter(({ p }) => p !== null).length;
      const clear = questions.filter(isClear);
      const said =
        type === null || clear.length === 0
          ? [{ body: render.paragraph(answerSentence(questions)) }]
          : clear.map((one) => ({ body: findingText(one, asked, cutsOf(one, cuts), render) }));
      return render.sections([
        { title, body: render.sections(said) },
        { body: render.table(columnsOf(type, render), together(questions)) },
        {
          body:
            asked === 0
              ? ''
              : type === null
                ? familyText(questions, page, render)
                : settingsText(questions, page, render),
        },
      ]);
    },
  };
}

function nothingToAsk({ bought }: Tune): string {
  if (bought === 0) return 'No bought outcome matches: `screener signals export` buys them with their entry context.';
  return `Nothing to ask: none of the ${bought} bought cards that match has a number in its entry context.`;
}

/** How many of the keys tell. */
function answerSentence(questions: readonly Question[]): string {
  const clear = questions.filter(isClear);
  const asked = questions.filter(({ p }) => p !== null).length;
  if (clear.length > 0) {
    const names = clear.map((one) => `${keyName(one)} of ${safeText(one.type)}`);
    return `${clear.length} of ${asked} keys ${clear.length === 1 ? 'tells' : 'tell'} cards apart: ${names.join(', ')}.${byChance(questions)}`;
  }
  if (asked === 0) return 'No key has enough cards to be tested.';
  return `No key tells cards apart: ${asked} ${asked === 1 ? 'was' : 'were'} tested. Unclear is no proof that one tells nothing.`;
}

/** The keys of a type that has too few cards are one line. */
function together(questions: readonly Question[]): Question[] {
  const alike = groupBy(questions, ({ type, key, absolute, too_little }) =>
    JSON.stringify(too_little === 'few_cards' ? [type] : [type, key, absolute]),
  );
  return [...alike.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return [more.length === 0 ? first : { ...first, key: pluralize(more.length + 1, 'key'), absolute: false }];
  });
}

function columnsOf(type: string | null, { styles }: RenderContext): Column<Question>[] {
  const tint = (one: Question, text: string) => (isClear(one) ? text : styles.dim(text));
  return [
    ...(type === null ? [textColumn<Question>('TYPE', 0, (one) => tint(one, safeText(one.type)))] : []),
    textColumn('KEY', 0, (one) => tint(one, shortName(one))),
    figureColumn('CARDS', 2, (one) => tint(one, String(one.cards))),
    figureColumn('CORRELATION', 1, (one) => tint(one, signed(one.correlation) || NONE)),
    figureColumn('95 % INTERVAL', 3, (one) => {
      const { correlation_interval_95: interval } = one;
      return tint(one, interval === null ? NONE : `${signed(interval.low)} to ${signed(interval.high)}`);
    }),
    textColumn('WHAT IT TELLS', 0, (one) => verdictText(one, styles)),
  ];
}

/** A name of any length leaves room for what it tells. */
function shortName(one: Question): string {
  const signs = [...keyName(one)];
  return signs.length > 32 ? `${signs.slice(0, 31).join('')}…` : signs.join('');
}

function verdictText(one: Question, styles: RenderContext['styles']): string {
  switch (one.verdict) {
    case 'higher':
      return styles.good('higher key, higher move');
    case 'lower':
      return styles.bad('higher key, lower move');
    case 'unclear':
      return styles.dim(`unclear ±${(one.would_show ?? 0).toFixed(2)}`);
    default:
      return styles.dim(`untested: ${untestedReason(one)}`);
  }
}

/** Of a key that tells: the sentence, and what stricter settings would have kept. */
function findingText(question: Question, asked: number, cuts: readonly Cut[], render: RenderContext): string {
  const { paragraph, styles, table } = render;
  return [
    paragraph(findingSentence(question, asked)),
    table<Cut>(
      [
        textColumn(`KEEP ${keyName(question)}`, 0, cutName),
        figureColumn('CARDS A DAY', 1, ({ cards_per_day }) => cards_per_day.toFixed(1)),
        figureColumn('KEPT VS BTC, 95 %', 2, (cut) => rangeText(cut.kept_vs_btc_interval_95) ?? NONE),
        figureColumn('EXPECT', 0, (cut) =>
          percentagePoints(cut.kept_vs_dropped_interval === null ? null : cut.kept_vs_dropped),
        ),
        textColumn('KEPT VS DROPPED', 0, (cut) => rangeText(cut.kept_vs_dropped_interval) ?? 'too few dropped'),
      ],
      cuts,
    ),
    paragraph(
      'EXPECT: how far kept cards should end above dropped ones of the same day, lowered because this key was chosen for its result.',
      styles.dim,
    ),
  ].join('\n');
}

/** What stands beside an unclear one. */
function legend(questions: readonly Question[]): string[] {
  const isUnclear = questions.some(({ verdict }) => verdict === 'unclear');
  return isUnclear ? ['KEY: a number known at the trigger. unclear ±X: a correlation of X would show.'] : [];
}

/** What can be set at all. */
function settingsText(questions: readonly Question[], { conditions = '' }: TunePage, render: RenderContext): string {
  const foreign = questions.filter(isClear).filter(({ key }) => !conditions.includes(JSON.stringify(key).slice(1, -1)));
  const names = [...new Set(foreign.map(({ key }) => safeText(key)))].join(', ');
  return [
    ...legend(questions),
    "Only stricter settings can be judged: a looser one's cards were never recorded.",
    ...(names === '' ? [] : [`The settings do not name ${names}: look whether one of them means it.`]),
  ]
    .map((text) => render.paragraph(text, render.styles.dim))
    .join('\n');
}

/** In simulations without any telling key one of a type's keys was called clear in 1 to 4 % of cases. */
const CALLED_BY_CHANCE = 0.03;

function byChance(questions: readonly Question[]): string {
  const types = new Set(questions.map(({ type }) => type)).size;
  const lists = Math.round(1 / (1 - (1 - CALLED_BY_CHANCE) ** types));
  return types > 1 ? ` By chance alone 1 of ${lists} such lists would name a key.` : '';
}

function familyText(
  questions: readonly Question[],
  { inFull }: TunePage,
  { paragraph, styles }: RenderContext,
): string {
  const about = paragraph([...legend(questions), "Adjusted for a type's keys (Holm)."].join(' '), styles.dim);
  return [about, 'One type in full, with stricter settings:', `  ${inFull}`].join('\n');
}
