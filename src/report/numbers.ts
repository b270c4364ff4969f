/** The numbers at the trigger that tell: the median of five groups by size, and where stricter settings would cut. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { Difference } from '../outcomes/differences.ts';
import { medianOf } from '../outcomes/quantile.ts';
import type { Question, Tuning } from '../outcomes/tune-types.ts';
import { cutName, cutsOf, findingSentence, isClear, isTested, numberName } from '../output/views/tune-words.ts';
import { signedAxis } from './axis.ts';
import { counted, signed } from './format.ts';
import { label, type Markup } from './markup.ts';
import { dot, mark, multiples, path } from './plot.ts';
import { note, section } from './section.ts';

const HEIGHT = 120;
const FIFTHS = 5;
const MOST_DRAWN = 3;

/** @param differences to BTC after 24 h */
export function numbersSection({ questions, cuts }: Tuning, differences: readonly Difference[]): Markup | undefined {
  const tested = questions.filter((one) => one.horizon === MAIN_HORIZON && isTested(one));
  const found = tested
    .filter(isClear)
    .map((question) => ({ question, fifths: fifthsOf(differences, question) }))
    .filter(({ fifths }) => fifths.length === FIFTHS);
  if (found.length === 0) return undefined;
  const better = cuts.filter(
    ({ horizon, kept_vs_dropped_interval: range }) => horizon === MAIN_HORIZON && (range?.low ?? 0) > 0,
  );
  const stricter = [...new Set(better.map(({ type }) => type))];
  const panels = found.slice(0, MOST_DRAWN).map(({ question, fifths }) => {
    const { type, verdict } = question;
    const y = signedAxis(
      fifths.map(({ median }) => median),
      HEIGHT,
    );
    const points = fifths.map(({ median }, i) => [(i + 0.5) / FIFTHS, y.at(median)] as const);
    const dots = fifths.map(({ low, high, size, median }, i) => {
      const title = `${short(low)} to ${short(high)}: ${signed(median)} pp, ${counted(size, 'outcome')}`;
      return dot((i + 0.5) / FIFTHS, y.at(median), 4, 'own', title);
    });
    const own = cutsOf(question, cuts);
    const unit = question.key.endsWith('_pct') ? '\u00a0%' : '';
    const ticks = [
      { at: 0, text: short(fifths[0]?.low ?? 0) + unit },
      ...own.map(({ quantile: at, value }) => ({ at, text: short(value) + unit })),
      { at: 1, text: short(fifths.at(-1)?.high ?? 0) + unit },
    ];
    const cutMarks = own.map((cut) => mark(cut.quantile, HEIGHT, cutName(cut)));
    return {
      type,
      verdict: verdict === 'higher' ? ('above_btc' as const) : ('below_btc' as const),
      says: findingSentence(question, tested.filter((one) => one.type === type).length),
      picture: {
        label: `median difference to BTC of five groups by ${label(numberName(question))}`,
        height: HEIGHT,
        x: { ticks, at: (share: number) => share },
        y,
        marks: [cutMarks, path(points, HEIGHT), dots],
      },
    };
  });
  return section({
    id: 'numbers',
    title: 'Numbers at the trigger that separate good cards from bad',
    says: `${stricter.length === 0 ? '' : `A stricter ${stricter.map(label).join(', ')} looks better. `}Median difference to BTC in five equal groups, smallest numbers to largest; dashed lines are the stricter settings that were tested.`,
    picture: [
      multiples(panels),
      note('Only stricter settings can be tested: the cards a looser one would add were never recorded.'),
    ],
    numbers: {
      head: ['Type', 'Number', 'From', 'to', 'Outcomes', 'Median, pp'],
      rows: found.flatMap(({ question, fifths }) =>
        fifths.map(({ low, high, size, median }) => {
          const [type, number] = [label(question.type), label(numberName(question))];
          return [type, number, short(low), short(high), String(size), signed(median)];
        }),
      ),
    },
  });
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** Five groups of as many cards of the type each, the smallest numbers first. */
function fifthsOf(differences: readonly Difference[], { type, key, absolute }: Question) {
  const pairs = differences
    .flatMap(({ card, value }) => {
      const own = card.type === type && card.context !== undefined && Object.hasOwn(card.context, key);
      const number = own ? card.context?.[key] : undefined;
      return typeof number === 'number' ? [{ number: absolute ? Math.abs(number) : number, value }] : [];
    })
    .sort((a, b) => a.number - b.number);
  const startOf = (fifth: number) => Math.round((fifth * pairs.length) / FIFTHS);
  return Array.from({ length: FIFTHS }, (_, i) => pairs.slice(startOf(i), startOf(i + 1))).flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const median = medianOf(own.map(({ value }) => value));
    return [{ low: first.number, high: last.number, size: own.length, median }];
  });
}
