/** The numbers at the trigger that tell: the median of five groups by size, and where stricter settings would cut. */
import type { Difference } from '../outcomes/differences.ts';
import { numberAt } from '../outcomes/row.ts';
import { type Cut, isClear, type Question, type Tuning } from '../outcomes/tune-types.ts';
import { checkedWords } from '../output/views/tune.ts';
import { adviceWords, cutName, cutsOf, isAdvice, isTested, numberName } from '../output/views/tune-words.ts';
import { pluralize } from '../runtime/units.ts';
import { medianOf } from '../statistics/quantile.ts';
import type { Judgements } from './answer.ts';
import { signedAxis } from './axis.ts';
import { facts, label, type Markup, note, section, signed } from './markup.ts';
import { bar, HEIGHT, multiples, words } from './plot.ts';

const FIFTHS = 5;

/** @param differences to BTC after 24 h, as the questions */
export function numbersSection(
  { questions, cuts }: Tuning,
  differences: readonly Difference[],
  { comparison: { groups }, standings }: Judgements,
  settingsOf: (type: string) => string,
): Markup | undefined {
  const found = questions
    .filter((question) => isTested(question) && isClear(question))
    .map((question) => ({ question, fifths: fifthsOf(differences, question) }))
    .filter(({ fifths }) => fifths.length === FIFTHS);
  const [first] = found;
  if (first === undefined) return undefined;
  const { type, verdict } = first.question;
  const drawn = found.slice(0, 3);
  const panels = drawn.map(({ question, fifths }) => {
    const best = cutsOf(question, cuts).find(isAdvice);
    const all = groups.find(({ group }) => group === question.type);
    const base = standings.find(({ group }) => group === question.type)?.base;
    return {
      type: question.type,
      verdict: null,
      says: facts([
        ['Yours now', settingsOf(question.type) || 'not known'],
        ['Advice', adviceWords(question, cuts, all, base?.source === 'service')],
        checkedWords(best) !== '' && ['Checked', checkedWords(best)],
      ]),
      label: `median difference to BTC of five groups by ${label(numberName(question))}`,
      ...pictureOf(fifths, best),
    };
  });
  return section({
    id: 'numbers',
    title:
      found.length === 1
        ? `${label(type)}: the ${verdict} ${label(numberName(first.question))}, the better`
        : 'Numbers at the trigger that separate good cards from bad',
    says: 'Each bar is a fifth of the cards, from the smallest numbers to the largest; its height is their median difference to BTC after 24 h, in percentage points. Shaded: the cards that the stricter setting would keep.',
    picture: [
      multiples(panels),
      note(
        ...drawn.map(({ question: { type, correlation, p_holm: p, ...one } }) => {
          const chance = p === null || p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`;
          return `${label(type)}, ${label(numberName(one))}: rank correlation ${signed(correlation)} (${chance}).`;
        }),
        'Only stricter settings can be tested: the cards a looser one would add were never recorded.',
      ),
    ],
  });
}

/** Bars of the fifths between their limits, in front of what the best cut keeps. */
function pictureOf(fifths: ReturnType<typeof fifthsOf>, best: Cut | undefined) {
  // Leaves room for the words above the highest bar.
  const room = fifths.map(({ median }) => 1.2 * median);
  const y = signedAxis(room, HEIGHT);
  const bars = fifths.map(({ median, title }, i) => {
    const [top, bottom] = [y.at(Math.max(0, median)), y.at(Math.min(0, median))];
    return [
      bar(i / FIFTHS, (i + 1) / FIFTHS, top, bottom, 'bar own', title),
      words((i + 0.5) / FIFTHS, median < 0 ? bottom + 14 : top - 5, signed(median)),
    ];
  });
  const limits = fifths.slice(1).map(({ low }) => short(low));
  const decimals = Math.max(...limits.map((text) => text.split('.')[1]?.length ?? 0));
  const ticks = limits.map((text, i) => ({ at: (i + 1) / FIFTHS, text: Number(text).toFixed(decimals) }));
  return { x: { ticks, at: (share: number) => share }, y, marks: [best !== undefined && keptBy(best), bars] };
}

function keptBy(cut: Cut): Markup[] {
  const [from, to] = cut.direction === 'at_least' ? [cut.quantile, 1] : [0, cut.quantile];
  const name = `try ${cutName(cut)}`;
  return [bar(from, to, 0, HEIGHT, 'kept', name), words((from + to) / 2, -4, name)];
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** Five groups of as many cards of the type each, the smallest numbers first. */
function fifthsOf(differences: readonly Difference[], { type, key, absolute }: Question) {
  const pairs = differences
    .flatMap(({ card, value }) => {
      const number = card.type === type ? numberAt(card, key) : undefined;
      return number === undefined ? [] : [{ number: absolute ? Math.abs(number) : number, value }];
    })
    .sort((a, b) => a.number - b.number);
  const startOf = (fifth: number) => Math.round((fifth * pairs.length) / FIFTHS);
  return Array.from({ length: FIFTHS }, (_, i) => pairs.slice(startOf(i), startOf(i + 1))).flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const median = medianOf(own.map(({ value }) => value));
    const span = `${short(first.number)} to ${short(last.number)}`;
    return [{ low: first.number, median, title: `${span}: ${signed(median)} pp, ${pluralize(own.length, 'outcome')}` }];
  });
}
