/** `tune`: which numbers known at the trigger go with what came after. */
import * as v from 'valibot';
import { count, described, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../outcomes/figure.ts';
import { type Cut, cutSchema, type Question, questionSchema } from '../../outcomes/tune-types.ts';
import type { HorizonName } from '../../outcomes/types.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, Section, View } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';
import { cutName, findingSentence, keyName, notAskedReason, rangeText, signedCorrelation } from './tune-words.ts';

const tuneSchema = v.object({
  scope: described(v.literal('local_history'), 'local_history'),
  screener_type: described(v.nullable(v.string()), 'screener type asked for; null for all'),
  symbol: described(v.nullable(v.string()), 'symbol asked for; null for all'),
  since: described(v.nullable(time), 'start asked for, UTC; null for none'),
  until: described(v.nullable(time), 'end asked for, UTC; null for none'),
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

export function tunePage(page: TunePage): View<Tune> {
  return {
    fields: tuneView.fields,
    page: (answer, render) => {
      const questions = answer.questions.filter(({ horizon }) => horizon === page.horizon);
      const whose = answer.screener_type === null ? '' : `, ${safeText(answer.screener_type)}`;
      const title = `Known at the trigger, and the move after ${page.horizon} against BTC's${whose}`;
      if (questions.length === 0) return render.sections([{ title, body: render.paragraph(nothingToAsk(answer)) }]);
      const body = render.table(columnsOf(answer, render), questions);
      const cuts = answer.cuts.filter(({ horizon }) => horizon === page.horizon);
      return render.sections([
        { title, body },
        ...(answer.screener_type === null ? [] : cutSections(questions, cuts, render)),
        { body: sentencesOf(answer, questions, page, render) },
      ]);
    },
  };
}

function nothingToAsk({ bought }: Tune): string {
  if (bought === 0)
    return 'No outcome of such cards is bought yet: `screener signals export` buys them with their entry context.';
  return `Nothing to ask: none of the ${bought} bought cards that match has such a key in its entry context.`;
}

function columnsOf({ screener_type }: Tune, { styles }: RenderContext): Column<Question>[] {
  const isClear = ({ verdict }: Question) => verdict === 'higher' || verdict === 'lower';
  const tint = (one: Question, text: string) => (isClear(one) ? text : styles.dim(text));
  return [
    ...(screener_type === null ? [textColumn<Question>('TYPE', 0, (one) => tint(one, safeText(one.type)))] : []),
    textColumn('KEY', 0, (one) => tint(one, shortName(one))),
    figureColumn('CARDS', 2, (one) => tint(one, String(one.cards))),
    figureColumn('CORRELATION', 1, (one) => tint(one, signedCorrelation(one.correlation) || NONE)),
    figureColumn('95 % INTERVAL', 3, (one) => {
      const { correlation_interval_95: interval } = one;
      if (interval === null) return styles.dim(NONE);
      return tint(one, `${signedCorrelation(interval.low)} to ${signedCorrelation(interval.high)}`);
    }),
    textColumn('WHAT IT TELLS', 0, (one) => verdictText(one, styles), { wraps: true }),
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
      return styles.dim(`unclear; ${(one.would_show ?? 0).toFixed(2)} would show`);
    default:
      return styles.dim(`not asked: ${notAskedReason(one)}`);
  }
}

/** Of each key that tells: the sentence, and its cuts. */
function cutSections(questions: readonly Question[], cuts: readonly Cut[], render: RenderContext): Section[] {
  const asked = questions.filter(({ p }) => p !== null).length;
  return questions
    .filter(({ verdict }) => verdict === 'higher' || verdict === 'lower')
    .map((question) => {
      const own = cuts.filter(({ key, absolute }) => key === question.key && absolute === question.absolute);
      const table = render.table<Cut>(
        [
          textColumn(`KEEP ${keyName(question)}`, 0, cutName),
          figureColumn('CARDS A DAY', 1, ({ cards_per_day }) => cards_per_day.toFixed(1)),
          figureColumn('KEPT VS BTC, 95 %', 2, (cut) => rangeText(cut.kept_vs_btc_interval_95) ?? NONE),
          textColumn('KEPT VS DROPPED', 0, (cut) => rangeText(cut.kept_vs_dropped_interval) ?? 'too few days'),
        ],
        own,
      );
      return {
        title: keyName(question),
        body: `${render.paragraph(findingSentence(question, asked))}\n${table}`,
      };
    });
}

function sentencesOf(answer: Tune, questions: readonly Question[], page: TunePage, render: RenderContext): string {
  const dim = (text: string) => render.paragraph(text, render.styles.dim);
  const clear = questions.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower');
  const unclear = questions.filter(({ verdict }) => verdict === 'unclear');
  const lines: string[] = [];
  if (unclear.length > 0) lines.push(render.paragraph(unclearSentence(clear.length, unclear)));
  if (clear.length > 0 && answer.screener_type !== null) {
    lines.push(
      dim(
        'Kept vs dropped: the kept cards less the median of the dropped cards of the same day; 95 % for the cuts together. Expect the lower half of a range: a key that passes its test looks better than it is.',
      ),
    );
    const foreign = clear.filter(({ key }) => !(page.conditions ?? '').includes(JSON.stringify(key).slice(1, -1)));
    if (foreign.length > 0) {
      lines.push(
        dim(
          `${[...new Set(foreign.map(({ key }) => safeText(key)))].join(', ')}: not named in this screener's settings; the service may offer no such setting.`,
        ),
      );
    }
  }
  lines.push(
    dim(
      'Only stricter settings can be judged: the cards that a looser one would have brought were never recorded. Price movement after a trigger, not trading profit.',
    ),
  );
  if (answer.screener_type === null) lines.push(dim(familySentence(questions)), `  ${page.inFull}`);
  else lines.push(dim('How it is worked out:'), '  screener help figures');
  return lines.join('\n');
}

function unclearSentence(clear: number, unclear: readonly Question[]): string {
  const days = unclear.reduce((most, one) => Math.max(most, one.days), 0);
  const shows = unclear.map(({ would_show }) => would_show ?? 1).toSorted((a, b) => a - b);
  const [least = 1, most = 1] = [shows[0], shows.at(-1)];
  const about = least.toFixed(2) === most.toFixed(2) ? least.toFixed(2) : `${least.toFixed(2)} to ${most.toFixed(2)}`;
  return `${clear === 0 ? 'No key' : 'No other key'} tells cards apart; with ${days} days a correlation under about ${about} would not show. Unclear is no proof that it tells nothing.`;
}

/** In simulations without any telling key one of a type's keys was called clear in 1 to 4 % of cases. */
const CALLED_BY_CHANCE = 0.03;

function familySentence(questions: readonly Question[]): string {
  const types = new Set(questions.map(({ type }) => type)).size;
  const lists = Math.round(1 / (1 - (1 - CALLED_BY_CHANCE) ** types));
  const many =
    types > 1 ? ` Where no key told anything, about 1 in ${lists} lists of ${types} types would call one clear.` : '';
  return `Adjusted for all keys of a type (Holm).${many} One type in full:`;
}
