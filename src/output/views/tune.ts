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
import {
  cutName,
  cutsOf,
  findingSentence,
  isClear,
  keyName,
  noneTells,
  rangeText,
  signed,
  untestedReason,
} from './tune-words.ts';

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
      const title = `${whose} (numbers at the trigger), and the move after ${page.horizon} vs BTC`;
      if (questions.length === 0) return render.sections([{ title, body: render.paragraph(nothingToAsk(answer)) }]);
      const asked = questions.filter(({ p }) => p !== null).length;
      const isOfAll = type === null && noneTells(questions) === undefined;
      const body = isOfAll ? render.paragraph(keysThatTell(questions, asked)) : keysText(questions, cuts, render);
      return render.sections([
        { title, body },
        { body: render.table(columnsOf(type, render), together(questions, type)) },
        { body: asked === 0 ? '' : notes(questions, page, type, render) },
      ]);
    },
  };
}

function nothingToAsk({ bought }: Tune): string {
  if (bought === 0) return 'No bought outcome matches: `screener signals export` buys them with their entry context.';
  return `Nothing to ask: none of the ${bought} bought cards that match has a number in its entry context.`;
}

/** Of all types: which keys tell. */
function keysThatTell(questions: readonly Question[], asked: number): string {
  const clear = questions.filter(isClear);
  const names = clear.map((one) => `${keyName(one)} of ${safeText(one.type)}`);
  return `${clear.length} of ${asked} keys ${clear.length === 1 ? 'tells' : 'tell'} cards apart: ${names.join(', ')}.${byChance(questions)}`;
}

/** A line of the table: a key, or several of a type of which the same is to be said. */
type Line = readonly [first: Question, ...more: Question[]];

/** Each key of a type that was asked for, where it has cards enough; of all types each key that tells. */
function together(questions: readonly Question[], type: string | null): Line[] {
  const alike = groupBy(questions, (one) =>
    isClear(one) || (type !== null && one.too_little !== 'few_cards')
      ? one
      : JSON.stringify([one.type, one.verdict, one.too_little]),
  );
  return [...alike.values()] as unknown as Line[];
}

function columnsOf(type: string | null, { styles }: RenderContext): Column<Line>[] {
  const tint = ([one]: Line, text: string) => (isClear(one) ? text : styles.dim(text));
  return [
    ...(type === null ? [textColumn<Line>('TYPE', 0, (line) => tint(line, safeText(line[0].type)))] : []),
    textColumn('KEY', 0, (line) => tint(line, shortName(line))),
    figureColumn('CARDS WITH KEY', 2, (line) => tint(line, rangeOf(line, 'cards', String))),
    figureColumn('CORRELATION', 1, (line) => tint(line, rangeOf(line, 'correlation', signed))),
    figureColumn('95 % INTERVAL', 3, (line) => {
      const [{ correlation_interval_95: interval }, ...more] = line;
      const isKnown = interval !== null && more.length === 0;
      return tint(line, isKnown ? `${signed(interval.low)} to ${signed(interval.high)}` : NONE);
    }),
    textColumn('WHAT IT TELLS', 0, (line) => verdictText(line, styles)),
  ];
}

/** A name of any length leaves room for what it tells. */
function shortName([one, ...more]: Line): string {
  if (more.length > 0) return pluralize(more.length + 1, 'key');
  const signs = [...keyName(one)];
  return signs.length > 32 ? `${signs.slice(0, 31).join('')}…` : signs.join('');
}

/** `+0.44`, or of several keys `-0.11 to +0.14`. */
function rangeOf(line: Line, field: 'cards' | 'correlation' | 'would_show', text: (value: number) => string): string {
  const values = line.flatMap((one) => one[field] ?? []);
  if (values.length === 0) return NONE;
  return [...new Set([Math.min(...values), Math.max(...values)].map(text))].join(' to ');
}

function verdictText(line: Line, styles: RenderContext['styles']): string {
  const [one] = line;
  switch (one.verdict) {
    case 'higher':
      return styles.good('higher key, higher move');
    case 'lower':
      return styles.bad('higher key, lower move');
    case 'unclear':
      return styles.dim(`unclear ${rangeOf(line, 'would_show', (value) => `±${value.toFixed(2)}`)}`);
    default:
      return styles.dim(`untested: ${untestedReason(one)}`);
  }
}

/** Of the keys of one type at one horizon: each that tells, or that none does. */
export function keysText(questions: readonly Question[], cuts: readonly Cut[], render: RenderContext): string {
  const none = noneTells(questions);
  if (none !== undefined) return render.paragraph(none);
  const asked = questions.filter(({ p }) => p !== null).length;
  return questions
    .filter(isClear)
    .map((one) => findingText(one, asked, cutsOf(one, cuts), render))
    .join('\n\n');
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

/** What has to be known of the table, and what can be set at all. */
function notes(questions: readonly Question[], page: TunePage, type: string | null, render: RenderContext): string {
  const { paragraph, styles } = render;
  const isUnclear = questions.some(({ verdict }) => verdict === 'unclear');
  const legend = isUnclear ? ['unclear ±X: a correlation of X would show.'] : [];
  const said = type === null ? [] : settingsWords(questions, page);
  const inFull = type === null ? ['One type in full, with stricter settings:', `  ${page.inFull}`] : [];
  return [...[...legend, ...said].map((text) => paragraph(text, styles.dim)), ...inFull].join('\n');
}

function settingsWords(questions: readonly Question[], { conditions = '' }: TunePage): string[] {
  const foreign = questions.filter(isClear).filter(({ key }) => !conditions.includes(JSON.stringify(key).slice(1, -1)));
  const names = [...new Set(foreign.map(({ key }) => safeText(key)))].join(', ');
  return [
    "Only stricter settings can be judged: a looser one's cards were never recorded.",
    ...(names === '' ? [] : [`The settings do not name ${names}: look whether one of them means it.`]),
  ];
}

/** In simulations without any telling key one of a type's keys was called clear in 1 to 4 % of cases. */
const CALLED_BY_CHANCE = 0.03;

function byChance(questions: readonly Question[]): string {
  const types = new Set(questions.map(({ type }) => type)).size;
  const lists = Math.round(1 / (1 - (1 - CALLED_BY_CHANCE) ** types));
  return types > 1 ? ` By chance alone 1 of ${lists} such lists would name a key.` : '';
}
