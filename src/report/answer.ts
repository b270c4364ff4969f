/** The first picture of the report: every screener type, against your other cards and against BTC. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth, NONE } from '../output/format.ts';
import { baseNote } from '../output/views/base-note.ts';
import { besideBtcNotes, comparisonOfAll, sectionsOf } from '../output/views/sections.ts';
import { betaNotes } from '../output/views/standing-notes.ts';
import { belowNote } from '../output/views/to-do-words.ts';
import { verdictText } from '../output/views/verdict.ts';
import { ruleText } from '../output/views/verdict-rule.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestColumn, type ForestMark, type ForestRow, forest } from './forest.ts';
import { html, isFew, label, type Markup, notes, section, shareOf, shareText } from './markup.ts';
import { recordWords } from './record.ts';
import { wordBesideBtc } from './verdict-vs-btc.ts';

/** Types as every screen has them, and what was tested together. */
export interface Judgements {
  readonly comparison: Comparison;
  readonly standings: readonly Standing[];
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

export interface ReportAnswer {
  readonly judgements: Judgements;
  /** To BTC after 24 h, under the present settings of each type. */
  readonly differences: readonly Difference[];
  /** UTC days from the first card to the last. */
  readonly days: number;
  /** Which days cards a day are of, as on a terminal. */
  readonly rated: string;
  /** Verdicts that were found and no other section tells of. */
  readonly record: readonly PastVerdict[];
  /** Where the history ends if nothing was exported of late, epoch milliseconds UTC; undefined if exports do their work. */
  readonly endedAt: number | undefined;
}

/** More rows would push everything else off the first page. */
const MOST_ROWS = 20;

const SIDES = ['below', 'above'] as const;
const VS_OTHERS: ForestColumn = { title: 'vs other cards', sides: SIDES };
const VS_BTC: ForestColumn = { title: 'vs BTC', sides: SIDES };

export function answerSection(answer: ReportAnswer): Markup {
  const { judgements, differences, days, rated, record, endedAt } = answer;
  const all = rankStandings(judgements.standings);
  const standings = all.slice(0, MOST_ROWS);
  const isEarly = standings.every(({ base }) => base.interval === null);
  const isOfOthers = comparisonOfAll(standings) !== 'btc';
  const columns = isOfOthers ? [VS_OTHERS, VS_BTC] : [VS_BTC];
  const differencesOfTypes = groupBy(differences, ({ card }) => card.type);
  const groups = sectionsOf(standings).map(({ heading, standings: standingsOfSection }) => ({
    heading,
    rows: standingsOfSection.map((standing) =>
      rowOfStanding(standing, {
        differences: differencesOfTypes.get(standing.group) ?? [],
        isOfOthers,
      }),
    ),
  }));
  const isAnyTold = standings.some(({ word }) => isSide(word));
  return section(
    'answer',
    isEarly ? 'Your screener types' : 'Which screener types are worth keeping',
    isEarly ? `Cards of the last ${days} days.` : saysOf(isOfOthers),
    forest(groups, {
      label: 'Screener types after 24 h',
      columns,
      point: 'median',
      level: '95 %',
      size: `cards a day ${rated}; outcomes`,
      sureLevel: '99.7 %',
      decides: isAnyTold ? ruleText('the band') : '',
      isExplained: false,
    }),
    notes(
      all.length > standings.length &&
        `Not shown: ${pluralize(all.length - standings.length, 'type')}.`,
      belowNote(standings, 'type', true),
      baseNote(standings, { figures: 'Outcomes, "vs other cards" and "vs BTC"' }),
      standings.some(({ base }) => base.source === 'service') && SERVICE_VS_BTC,
      ...besideBtcNotes(standings, true),
      betaNotes(standings).join(' '),
      ...overlapsOf(standings),
      recordWords(record, all, { days, endedAt }),
    ),
  );
}

const SERVICE_VS_BTC =
  'The service gives no interval of its medians vs BTC: their dots have no lines, and no colour unless the page says that a type is above or below BTC.';

function saysOf(isOfOthers: boolean): string {
  const whom = isOfOthers ? "your other types' cards of the same day, and with BTC" : 'BTC';
  return `How the price moved in the 24 hours after a card (a notification of a screener), compared with ${whom}, in percentage points (pp).`;
}

function overlapsOf(standings: readonly Standing[]): string[] {
  return standings.flatMap(({ group, groupFigures }) =>
    (groupFigures?.coincides_with ?? []).map(
      (other) =>
        `${label(group)}: ${shareText(other.share)} of its cards coincide with ${label(other.group)}.`,
    ),
  );
}

/** What a row is made of, besides its standing. */
interface RowParts {
  /** Those of its type to BTC. */
  readonly differences: readonly Difference[];
  /** Whether the picture compares with the other cards, too. */
  readonly isOfOthers: boolean;
}

function rowOfStanding(standing: Standing, { differences, isOfOthers }: RowParts): ForestRow {
  const { group, word, comparedWith } = standing;
  const vsBtc = comparedWith === 'btc' ? decidingMark(standing) : btcMark(standing);
  const marks = [vsBtc && { ...vsBtc, says: besideBtc(vsBtc, differences, standing) }];
  if (isOfOthers) marks.unshift(comparedWith === 'others' ? decidingMark(standing) : undefined);
  const verdict = verdictText(standing);
  return {
    name: group,
    word,
    verdict: verdict === NONE ? '' : verdict,
    remark: remarkOf(standing),
    marks,
    size: sizeOf(standing),
    about: false,
  };
}

/** `only cards since its settings changed, 29 Sep`: where the row is of fewer cards than most; else empty. */
function remarkOf({ groupFigures }: Standing): string {
  const settingsSince = groupFigures?.settings_since;
  if (settingsSince == null) return '';
  return `only cards since its settings changed, ${dayAndMonth(Date.parse(settingsSince))}`;
}

/** The comparison that decides; undefined if nothing is measured. */
function decidingMark({ word, comparedWith, base }: Standing): ForestMark | undefined {
  if (base.sample === 0) return undefined;
  const { interval, sureInterval } = base;
  // As in lists: without an interval it may be of a card or two.
  const median = comparedWith === 'others' ? base.vsOthers : base.median;
  return { word, median, interval, sureInterval: sureInterval ?? 'unbounded', says: '' };
}

/** On the base of its row. */
function btcMark(standing: Standing): ForestMark | undefined {
  const { figures, base } = standing;
  const word = wordBesideBtc(standing);
  if (base.source === 'service')
    return { word, median: base.vsBtc, interval: null, sureInterval: undefined, says: '' };
  if (figures === null || figures.btc_sample === 0) return undefined;
  const {
    median_vs_btc_percentage_points: median,
    median_vs_btc_interval_95: interval,
    median_vs_btc_interval_997: sureInterval,
  } = figures;
  return { word, median, interval, sureInterval: sureInterval ?? 'unbounded', says: '' };
}

/** `above, 70 % beat BTC`: the word of the colour, where the row does not say it elsewhere. */
function besideBtc(
  { word }: ForestMark,
  differences: readonly Difference[],
  standing: Standing,
): string {
  const beat = beatWords(differences, standing);
  const isSaid = standing.comparedWith === 'btc' || !isSide(word);
  if (isSaid || word === null) return beat;
  return beat === '' ? word : `${word}, ${beat}`;
}

/** `70 % beat BTC`, with how many there are where the row does not say it; empty if nothing was bought. */
function beatWords(differences: readonly Difference[], { base }: Standing): string {
  const all = differences.length;
  // Of the bought outcomes: beside the service's median it would be of other cards.
  if (all === 0 || base.source === 'service') return '';
  const ahead = differences.filter(({ value }) => value > 0).length;
  return `${isFew(all) ? shareOf(ahead, all) : shareText(ahead / all)} beat BTC`;
}

function sizeOf({ silentDays, rate, base }: Standing): Markup {
  const sample =
    base.sample > 0 && html`<span class="range">${pluralize(base.sample, 'outcome')}</span>`;
  return html`${rateWords(silentDays, rate)} ${sample}`;
}

/** `3.2 a day`, on the first day after a change of settings `3.2 a day before`; `silent`. */
function rateWords(silentDays: Standing['silentDays'], rate: Standing['rate']): string {
  if (silentDays !== undefined) return 'silent';
  const perDay = `${(rate.now ?? 0).toFixed(1)} a day`;
  return rate.isOfDaysBefore ? `${perDay} before` : perDay;
}
