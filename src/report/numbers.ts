/** The numbers at the trigger that tell: the median by fifths of the number, and where stricter settings would cut. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import type { Difference } from '../outcomes/differences.ts';
import { medianOf } from '../outcomes/quantile.ts';
import type { Cut, Question, Tuning } from '../outcomes/tune-types.ts';
import { cutName, cutsOf, findingSentence, isClear, isTested, numberName } from '../output/views/tune-words.ts';
import { type Axis, signedAxis } from './axis.ts';
import { counted, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { dot, path, plot, rule, verdictLook } from './plot.ts';
import { note, section } from './section.ts';

const HEIGHT = 120;
const FIFTHS = 5;
const MOST_DRAWN = 3;

interface Fifth {
  readonly low: number;
  readonly high: number;
  readonly size: number;
  readonly median: number;
}

/** @param differences to BTC after 24 h */
export function numbersSection({ questions, cuts }: Tuning, differences: readonly Difference[]): Markup | undefined {
  const tested = questions.filter((one) => one.horizon === MAIN_HORIZON && isTested(one));
  const found = tested.filter(isClear).flatMap((question) => {
    const { type } = question;
    const fifths = fifthsOf(
      differences.filter(({ card }) => card.type === type),
      question,
    );
    const own = cutsOf(question, cuts);
    const together = tested.filter((one) => one.type === type).length;
    return fifths.length < FIFTHS ? [] : [{ type, question, tested: together, cuts: own, fifths }];
  });
  if (found.length === 0) return undefined;
  return section({
    id: 'numbers',
    title: 'Numbers at the trigger that separate good cards from bad',
    says: 'Median difference to BTC by fifths of the number, fewest to most; dashed lines are the stricter settings that were tested.',
    picture: [
      html`<div class="multiples">${found.slice(0, MOST_DRAWN).map(panel)}</div>\n`,
      note('Only stricter settings can be tested: the cards a looser one would add were never recorded.'),
    ],
    numbers: {
      head: ['Type', 'Number', 'From', 'to', 'Outcomes', 'Median, pp'],
      rows: found.flatMap(({ type, question, fifths }) =>
        fifths.map(({ low, high, size, median }) => [
          label(type),
          label(numberName(question)),
          short(low),
          short(high),
          String(size),
          signed(median),
        ]),
      ),
    },
  });
}

function panel({
  type,
  question,
  tested,
  cuts,
  fifths,
}: {
  readonly type: string;
  readonly question: Question;
  readonly tested: number;
  readonly cuts: readonly Cut[];
  readonly fifths: readonly Fifth[];
}): Markup {
  const middle = (index: number) => (index + 0.5) / FIFTHS;
  const x: Axis = {
    ticks: fifths.map(({ low, high }, i) => ({ at: middle(i), text: short((low + high) / 2) })),
    at: (share) => share,
  };
  const y = signedAxis(
    fifths.map(({ median }) => median),
    HEIGHT,
  );
  return html`<figure${verdictLook(question.verdict === 'higher' ? 'above_btc' : 'below_btc')}><figcaption><b>${label(type)}</b> ${findingSentence(question, tested)}</figcaption>${plot(
    {
      label: `${label(type)}: median difference to BTC by fifths of ${label(numberName(question))}`,
      height: HEIGHT,
      x,
      y,
      marks: [
        cuts.map(
          (cut) => html`<g><title>${cutName(cut)}</title>${rule(cut.quantile, 0, cut.quantile, HEIGHT, 'change')}</g>`,
        ),
        path(
          fifths.map(({ median }, i) => [middle(i), y.at(median)]),
          HEIGHT,
          'run',
        ),
        fifths.map(({ low, high, size, median }, i) =>
          dot(
            middle(i),
            y.at(median),
            4,
            'own',
            `${short(low)} to ${short(high)}: ${signed(median)} pp, ${counted(size, 'outcome')}`,
          ),
        ),
      ],
    },
  )}</figure>\n`;
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** Five groups of as many cards each, the smallest numbers first. */
function fifthsOf(differences: readonly Difference[], { key, absolute }: Question): Fifth[] {
  const pairs = differences
    .flatMap(({ card, value }) => {
      const number = card.context !== undefined && Object.hasOwn(card.context, key) ? card.context[key] : undefined;
      return typeof number === 'number' ? [{ number: absolute ? Math.abs(number) : number, value }] : [];
    })
    .sort((a, b) => a.number - b.number);
  return Array.from({ length: FIFTHS }, (_, i) =>
    pairs.slice(Math.round((i * pairs.length) / FIFTHS), Math.round(((i + 1) * pairs.length) / FIFTHS)),
  ).flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [
      { low: first.number, high: last.number, size: own.length, median: medianOf(own.map(({ value }) => value)) },
    ];
  });
}
