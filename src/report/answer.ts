/** The first picture of the report: every screener type, against your other cards and against BTC. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { type Ending, rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { besideBtcNotes, sectionsOf } from '../output/views/sections.ts';
import {
  baseNote,
  behindNote,
  betaNotes,
  hasVerdict,
  ruleText,
  verdictText,
} from '../output/views/verdict.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestColumn, type ForestMark, type ForestRow, forest } from './forest.ts';
import {
  fixed,
  html,
  isFew,
  label,
  type Markup,
  note,
  percent,
  section,
  shareOf,
} from './markup.ts';

/** Types as every screen has them, and what was tested together. */
export interface Judgements {
  readonly comparison: Comparison;
  readonly standings: readonly Standing[];
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

export interface Answer {
  readonly judgements: Judgements;
  /** To BTC after 24 h, under the present settings of each type. */
  readonly differences: readonly Difference[];
  /** UTC days from the first card to the last. */
  readonly days: number;
  /** Which days cards a day are of, as on a terminal. */
  readonly rated: string;
  /** Of verdicts above and below that the notebook has of this time. */
  readonly record: readonly Ending[];
}

/** More rows would push everything else off the first page. */
const MOST_ROWS = 20;

const SIDES = ['below', 'above'] as const;
const VS_OTHERS: ForestColumn = { title: 'vs other cards', sides: SIDES };
const VS_BTC: ForestColumn = { title: 'vs BTC', sides: SIDES };

export function answerSection(answer: Answer): Markup {
  const { judgements, differences, days, rated, record } = answer;
  const all = rankStandings(judgements.standings);
  const standings = all.slice(0, MOST_ROWS);
  const isEarly = standings.every(({ base }) => base.interval === null);
  const isOfOthers = standings.some(({ comparedWith }) => comparedWith === 'others');
  const columns = isOfOthers ? [VS_OTHERS, VS_BTC] : [VS_BTC];
  const differencesOfTypes = groupBy(differences, ({ card }) => card.type);
  const groups = sectionsOf(standings).map(({ heading, standings: standingsOfSection }) => ({
    heading,
    rows: standingsOfSection.map((standing) =>
      rowOf(standing, differencesOfTypes.get(standing.group) ?? [], isOfOthers),
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
      size: `cards a day ${rated}`,
      sureLevel: '99.7 %',
      decides: isAnyTold ? ruleText('type', 'the band') : '',
    }),
    note(
      all.length > standings.length &&
        `Not shown: ${pluralize(all.length - standings.length, 'type')}.`,
      behindNote(standings, 'type', true),
      baseNote(standings, 'Outcomes, "vs other cards" and "vs BTC"'),
      ...besideBtcNotes(standings, true),
      betaNotes(standings).join(' '),
      ...overlapsOf(standings),
      record.length > 0 && recordWords(record, days),
    ),
  );
}

function saysOf(isOfOthers: boolean): string {
  const whom = isOfOthers ? "your other types' cards of the same day, and with BTC" : 'BTC';
  return `How the price moved in the 24 hours after a card (a notification of a screener), compared with ${whom}, in percentage points (pp).`;
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  stands: 'still true',
  reset: 'ended by new settings',
  withdrawn: 'withdrawn',
};

/** `3 verdicts above or below found in these 40 days: 2 still true, 1 withdrawn.` */
function recordWords(record: readonly Ending[], days: number): string {
  const parts: string[] = [];
  for (const [ending, words] of Object.entries(ENDINGS)) {
    const count = record.filter((one) => one === ending).length;
    // A number of the only verdict would say the same twice.
    if (count > 0) parts.push(record.length === 1 ? words : `${count} ${words}`);
  }
  const verdicts = record.length === 1 ? 'verdict' : 'verdicts';
  return `${record.length} ${verdicts} above or below found in these ${days} days: ${parts.join(', ')}.`;
}

function overlapsOf(standings: readonly Standing[]): string[] {
  return standings.flatMap(({ group, groupFigures }) =>
    (groupFigures?.coincides_with ?? []).map(
      (other) =>
        `${label(group)}: ${percent(other.share)} of its cards coincide with ${label(other.group)}.`,
    ),
  );
}

/** @param isOfOthers whether the picture compares with the other cards, too */
function rowOf(
  standing: Standing,
  differences: readonly Difference[],
  isOfOthers: boolean,
): ForestRow {
  const { group, groupFigures, word, comparedWith } = standing;
  const settingsSince = groupFigures?.settings_since;
  const vsBtc = comparedWith === 'btc' ? decidingMark(standing) : btcMark(standing);
  const marks = [vsBtc && { ...vsBtc, says: beatWords(differences, standing) }];
  if (isOfOthers) marks.unshift(comparedWith === 'others' ? decidingMark(standing) : undefined);
  return {
    name: group,
    word,
    verdict: hasVerdict(standing) ? verdictText(standing) : '',
    remark:
      settingsSince == null
        ? ''
        : `cards since its change of ${dayAndMonth(Date.parse(settingsSince))}`,
    marks,
    size: sizeOf(standing),
    about: false,
  };
}

/** The comparison that decides; undefined if nothing is measured. */
function decidingMark({ word, comparedWith, base }: Standing): ForestMark | undefined {
  if (base.sample === 0) return undefined;
  const { interval, sureInterval } = base;
  // As in lists: without an interval it may be of a card or two.
  const median = comparedWith === 'others' ? base.vsOthers : base.median;
  return { word, median, interval, sureInterval: sureInterval ?? 'unbounded', says: '' };
}

/** On the base of its row: the service's median has no interval here. */
function btcMark({ wordVsBtc, figures, base }: Standing): ForestMark | undefined {
  if (base.source === 'service') {
    const median = base.vsBtc;
    return { word: wordVsBtc, median, interval: null, sureInterval: undefined, says: '' };
  }
  if (figures === null || figures.btc_sample === 0) return undefined;
  const {
    median_vs_btc_percentage_points: median,
    median_vs_btc_interval_95: interval,
    median_vs_btc_interval_997: sureInterval,
  } = figures;
  return {
    word: wordVsBtc,
    median,
    interval,
    sureInterval: sureInterval ?? 'unbounded',
    says: '',
  };
}

/** `70 % beat BTC`, with how many there are where the row does not say it; empty if nothing was bought. */
function beatWords(differences: readonly Difference[], { base }: Standing): string {
  const all = differences.length;
  // Of the bought outcomes: beside the service's median it would be of other cards.
  if (all === 0 || base.source === 'service') return '';
  const ahead = differences.filter(({ value }) => value > 0).length;
  return `${isFew(all) ? shareOf(ahead, all) : percent(ahead / all)} beat BTC`;
}

function sizeOf({ silentDays, rate, base }: Standing): Markup {
  const rateWords = silentDays === undefined ? `${fixed(rate.now ?? 0)} a day` : 'silent';
  const sample =
    base.sample > 0 && html`<span class="range">${pluralize(base.sample, 'outcome')}</span>`;
  return html`${rateWords} ${sample}`;
}
