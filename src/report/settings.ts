/** What settings to try, by the numbers at the trigger that tell, and what a change of settings did. */
import { extent } from 'd3-array';
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import { numberAt } from '../outcomes/row.ts';
import { type Cut, isClear, type Question, type Tuning } from '../outcomes/tune-types.ts';
import { dayAndMonth } from '../output/format.ts';
import {
  type ChangeSides,
  changeWords,
  isBetter,
  LOOKED_WORST,
  type SettingsChangeFigures,
  type SettingsHistory,
  type SettingsSide,
  settingsOf,
} from '../output/views/settings-history.ts';
import { settingsChange } from '../output/views/settings-text.ts';
import { checkedWords } from '../output/views/tune.ts';
import {
  adviceWords,
  cutName,
  cutsOf,
  isAdvice,
  isTested,
  numberName,
} from '../output/views/tune-words.ts';
import { medianOf } from '../statistics/quantile.ts';
import type { Judgements } from './answer.ts';
import {
  between,
  facts,
  fixed,
  html,
  label,
  type Markup,
  note,
  section,
  signed,
} from './markup.ts';
import { bar, HEIGHT, multiples, signedAxis, UPRIGHT, verdictLook, words } from './plot.ts';

const FIFTHS = 5;

/** @param differences to BTC after 24 h, as the questions */
export function numbersSection(
  { questions, cuts }: Tuning,
  differences: readonly Difference[],
  { standings }: Judgements,
  settingsOf: (type: string) => string,
): Markup | undefined {
  const found = questions
    .filter((question) => isTested(question) && isClear(question))
    .map((question) => ({ question, fifths: fifthsOf(differences, question) }))
    .filter(({ fifths }) => fifths.length > 0);
  const [first] = found;
  if (first === undefined) return undefined;
  const { type, verdict } = first.question;
  const drawn = found.slice(0, 3);
  const panels = drawn.map(({ question, fifths }) => {
    const best = cutsOf(question, cuts).find(isAdvice);
    const { of, base } = standings.find(({ group }) => group === question.type) ?? {};
    return {
      type: question.type,
      verdict: null,
      says: facts([
        ['Yours now', settingsOf(question.type) || 'not known'],
        ['Advice', adviceWords(question, cuts, of ?? undefined, base?.source === 'service')],
        checkedWords(best) !== '' && ['Checked', checkedWords(best)],
      ]),
      label: `median difference to BTC of five groups by ${label(numberName(question))}`,
      ...pictureOf(fifths, best),
    };
  });
  return section(
    'numbers',
    found.length === 1
      ? `${label(type)}: the ${verdict} ${label(numberName(first.question))}, the better`
      : 'Numbers at the trigger that separate good cards from bad',
    'Each bar is a fifth of the cards, from the smallest numbers to the largest; its height is their median difference to BTC after 24 h, in percentage points. Shaded: the cards that the stricter setting would keep.',
    multiples(panels),
    note(
      ...drawn.map(({ question: { type, correlation, p, ...one } }) => {
        const chance = p === null || p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`;
        return `${label(type)}, ${label(numberName(one))}: rank correlation ${signed(correlation)} (${chance}).`;
      }),
      'Only stricter settings can be tested: the cards a looser one would add were never recorded.',
    ),
  );
}

/** Bars of the fifths between their limits, in front of what the best cut keeps. */
function pictureOf(fifths: ReturnType<typeof fifthsOf>, best: Cut | undefined) {
  // Leaves room for the words above the highest bar.
  const room = fifths.map(({ median }) => 1.2 * median);
  const y = signedAxis(room, UPRIGHT);
  const bars = fifths.map(({ median, title }, i) => {
    const [top, bottom] = [y.at(Math.max(0, median)), y.at(Math.min(0, median))];
    return [
      bar(i / FIFTHS, (i + 1) / FIFTHS, top, bottom, 'bar own', title),
      words((i + 0.5) / FIFTHS, median < 0 ? bottom + 14 : top - 5, signed(median)),
    ];
  });
  const limits = fifths.slice(1).map(({ low }) => short(low));
  const decimals = Math.max(...limits.map((text) => text.split('.')[1]?.length ?? 0));
  const ticks = limits.map((text, i) => ({
    at: (i + 1) / FIFTHS,
    text: Number(text).toFixed(decimals),
  }));
  if (best === undefined) return { x: { ticks }, y, marks: bars };
  const [from, to] = best.direction === 'at_least' ? [best.quantile, 1] : [0, best.quantile];
  const name = `try ${cutName(best)}`;
  return {
    x: { ticks },
    y,
    marks: [bar(from, to, 0, HEIGHT, 'kept', name), words((from + to) / 2, -4, name), bars],
  };
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** Five groups of as many cards of the type each, the smallest numbers first; none of fewer than five cards. */
function fifthsOf(differences: readonly Difference[], { type, key, absolute }: Question) {
  const pairs = differences
    .flatMap(({ card, value }) => {
      const number = card.type === type ? numberAt(card, key) : undefined;
      return number === undefined ? [] : [{ number: absolute ? Math.abs(number) : number, value }];
    })
    .sort((a, b) => a.number - b.number);
  const startOf = (fifth: number) => Math.round((fifth * pairs.length) / FIFTHS);
  return Array.from({ length: pairs.length < FIFTHS ? 0 : FIFTHS }, (_, i) => {
    const own = pairs.slice(startOf(i), startOf(i + 1));
    const [low = 0, high = 0] = extent(own, ({ number }) => number);
    const median = medianOf(own.map(({ value }) => value));
    const title = `${short(low)} to ${short(high)}: ${signed(median)} pp, ${pluralize(own.length, 'outcome')}`;
    return { low, median, title };
  });
}

/** @param histories of the types whose settings changed */
export function beforeAfterSection(histories: readonly SettingsHistory[]): Markup | undefined {
  const rows = histories.flatMap((history) =>
    history.changes.map((change, i) => changeRow(history.type, change, history.sides[i])),
  );
  const [first, second] = rows;
  return (
    first &&
    section(
      'changes',
      second === undefined ? first.finding : 'Before and after a change of settings',
      "Its cards after the change against those before it, in percentage points. Both are compared with the same other types' cards of those days.",
      rows.map(({ finding, said }) => [
        second !== undefined && html`<p><b>${finding}</b></p>`,
        said,
      ]),
    )
  );
}

/** What a change did, and the two settings with the median of each: rows and difference add up. */
function changeRow(
  type: string,
  { seen_by, controls, horizons }: SettingsChangeFigures,
  sides: ChangeSides | undefined,
): { readonly finding: string; readonly said: Markup | false } {
  const change = horizons[MAIN_HORIZON];
  const { verdict, difference_percentage_points: difference } = change;
  const { difference_interval_95: interval } = change;
  const words = { higher: 'above', lower: 'below' } as const;
  const look = verdictLook(verdict === 'higher' || verdict === 'lower' ? words[verdict] : null);
  const controlNames = controls.length === 0 ? 'BTC' : controls.map(label).join(', ');
  const old = sides?.before.settings ?? [];
  const now = sides?.after.settings ?? [];
  const said = facts([
    interval !== null && [
      'Difference',
      html`<b${look}>${signed(difference)}</b> (${between(interval)})`,
    ],
    interval !== null && ['Beside', controlNames],
    isBetter(change) && ['Beware', LOOKED_WORST],
    ['Before', [settingsOf(old), sideWords(sides?.before)].filter(Boolean).join('; ')],
    ['After', [settingsChange(old, now), sideWords(sides?.after)].filter(Boolean).join('; ')],
  ]);
  const date = dayAndMonth(Date.parse(seen_by));
  return { finding: `New settings of ${label(type)} on ${date}: ${changeWords(verdict)}`, said };
}

/** `11.0 cards a day, -1.20` */
function sideWords(side: SettingsSide | undefined): string {
  const words: string[] = [];
  if (side?.perDay !== undefined) words.push(`${fixed(side.perDay)} cards a day`);
  if (side?.vsControls != null) words.push(signed(side.vsControls));
  return words.join(', ');
}
