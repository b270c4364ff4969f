/** The first picture of the report: every screener type, against your other cards and against BTC. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth, NONE } from '../output/format.ts';
import { baseNote, boughtVsBtc } from '../output/views/base-note.ts';
import { comparisonOfAll, sectionsOf } from '../output/views/sections.ts';
import { belowNote } from '../output/views/to-do-words.ts';
import { fewDaysText, shortVerdict, verdictText } from '../output/views/verdict.ts';
import { LINES_IN_WORDS, pictureRules } from '../output/views/verdict-rule.ts';
import { silenceText } from '../output/views/verdict-wait.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestColumn, type ForestMark, type ForestRow, forest } from './forest.ts';
import {
  html,
  intervalText,
  isFew,
  label,
  type Markup,
  notes,
  section,
  shareText,
  signedFigure,
} from './markup.ts';
import { recordWords } from './record.ts';
import { colourVerdictVsBtc } from './verdict-vs-btc.ts';

/** The standing of each type, the same on every screen, and the comparison that they come from. */
export interface Judgements {
  readonly comparison: Comparison;
  readonly standings: readonly Standing[];
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

export interface ReportAnswer {
  readonly judgements: Judgements;
  /** How far each card moved beyond BTC in 24 h. Only cards under the present settings of their type. */
  readonly differences: readonly Difference[];
  /** UTC days from the first card to the last. */
  readonly days: number;
  /** The days from which the rate (cards per day) is computed: `in the last 28 days`. */
  readonly rateDays: string;
  /** What became of verdicts that exports found; empty if another section says it. */
  readonly record: readonly PastVerdict[];
  /** When the history ends if exports have stopped, epoch milliseconds UTC; undefined while they run. */
  readonly endedAt: number | undefined;
}

/** More rows would push everything else off the first page. */
const MOST_ROWS = 20;

const SIDES = ['below', 'above'] as const;
const VS_OTHERS: ForestColumn = { title: 'vs other cards', sides: SIDES };
const VS_BTC: ForestColumn = { title: 'vs BTC', sides: SIDES };

export function answerSection(answer: ReportAnswer): Markup {
  const { judgements, differences, days, rateDays, record, endedAt } = answer;
  const ranked = rankStandings(judgements.standings);
  const standings = ranked.slice(0, MOST_ROWS);
  const hidden = ranked.length - standings.length;
  const isEarly = standings.every(({ base }) => base.interval === null);
  const comparesWithOthers = comparisonOfAll(standings) !== 'btc';
  const columns = comparesWithOthers ? [VS_OTHERS, VS_BTC] : [VS_BTC];
  const differencesOfTypes = groupBy(differences, ({ card }) => card.type);
  const groups = sectionsOf(standings).map(({ heading, standings: standingsOfSection }) => ({
    heading,
    rows: standingsOfSection.map((standing) =>
      rowOfStanding(standing, {
        differences: differencesOfTypes.get(standing.group) ?? [],
        comparesWithOthers,
      }),
    ),
  }));
  const rules = pictureRules(standings, LINES_IN_WORDS);
  const hasMediansOfService = standings.some(({ base }) => base.source === 'service');
  const isAnyChanged = standings.some(({ groupFigures }) => groupFigures?.settings_since != null);
  const orSinceChange = isAnyChanged ? ' or since a change' : '';
  // The lines Keep, Drop and Change say it at the top of the report.
  const isToldWhatToDo = true;
  return section(
    'answer',
    isEarly ? 'Your screener types' : 'Which screener types are worth keeping',
    isEarly ? `Cards of the last ${days} days.` : introduction(comparesWithOthers),
    forest(groups, {
      label: 'Screener types after 24 h',
      columns,
      point: 'median',
      level: '95 %',
      size: `cards a day ${rateDays}${orSinceChange}; outcomes`,
      sureLevel: '99.7 %',
      decides: rules.join(' '),
      hasLegendAbove: false,
    }),
    notes(
      hidden > 0 && `Not shown: ${pluralize(hidden, 'type')}.`,
      belowNote(standings, 'type', isToldWhatToDo),
      baseNote(standings, { figures: 'Outcomes, "vs other cards" and "vs BTC"' }),
      hasMediansOfService && SERVICE_VS_BTC,
      ...overlapsOf(standings),
      recordWords(record, ranked, { days, endedAt }),
    ),
  );
}

/** Why the dots vs BTC have no lines if they are the service's medians. */
const SERVICE_VS_BTC =
  'The service gives no interval of its medians vs BTC: they are dots without lines, grey unless the page says that a type is above or below BTC.';

/** What the picture shows, in a sentence. */
function introduction(comparesWithOthers: boolean): string {
  const whom = comparesWithOthers ? "your other types' cards of the same day, and with BTC" : 'BTC';
  return `How the price moved in the 24 hours after a card (a notification of a screener), compared with ${whom}, in percentage points (pp).`;
}

/** `spike: 90 % of its cards coincide with pump.`, for each pair of types that fire on the same cards. */
function overlapsOf(standings: readonly Standing[]): string[] {
  const sentences: string[] = [];
  for (const { group, groupFigures } of standings) {
    for (const other of groupFigures?.coincides_with ?? []) {
      const share = shareText(other.share);
      sentences.push(`${label(group)}: ${share} of its cards coincide with ${label(other.group)}.`);
    }
  }
  return sentences;
}

/** What a row is made of, besides its standing. */
interface RowParts {
  /** How far each card of its type moved beyond BTC. */
  readonly differences: readonly Difference[];
  /** Whether the picture has a column for the comparison with other cards, to the left of the column for BTC. */
  readonly comparesWithOthers: boolean;
}

function rowOfStanding(
  standing: Standing,
  { differences, comparesWithOthers }: RowParts,
): ForestRow {
  const { group, verdict } = standing;
  const marks: (ForestMark | undefined)[] = [];
  if (comparesWithOthers) marks.push(markVsOthers(standing));
  marks.push(markVsBtc(standing, differences));
  return {
    name: group,
    verdict,
    belowName: verdictBelowName(standing),
    remark: remarkOf(standing),
    marks,
    size: sizeOf(standing),
  };
}

/** Undefined for a type that is compared with BTC alone. */
function markVsOthers(standing: Standing): ForestMark | undefined {
  return standing.comparedWith === 'others' ? decidingMark(standing) : undefined;
}

function markVsBtc(standing: Standing, differences: readonly Difference[]): ForestMark | undefined {
  const mark =
    standing.comparedWith === 'btc' ? decidingMark(standing) : btcMarkBesideOthers(standing);
  if (mark === undefined) return undefined;
  return { ...mark, says: saysVsBtc(mark, differences, standing) };
}

/**
 * `above since 24 Sep`, `above since 24 Sep, no card for 13 days`. Empty if there is no verdict, or if the heading says it:
 * `Within 1 pp of your other cards`.
 */
function verdictBelowName(standing: Standing): string {
  const quietDays = standing.silentDays;
  if (quietDays !== undefined) {
    const silence = silenceText(quietDays);
    return isSide(standing.verdict) ? `${shortVerdict(standing)}, ${silence}` : silence;
  }
  if (standing.verdict === 'small') return standing.isWeak ? fewDaysText(standing) : '';
  const verdict = verdictText(standing);
  return verdict === NONE ? '' : verdict;
}

/**
 * `only cards since its settings changed, 29 Sep; vs BTC, of those you bought: −1.52 pp, 95 %: −2.60 to −0.40`; empty if there is
 * nothing to say. It stands below the name, where long texts are broken.
 */
function remarkOf(standing: Standing): string {
  const settingsSince = standing.groupFigures?.settings_since;
  const since =
    settingsSince == null
      ? ''
      : `only cards since its settings changed, ${dayAndMonth(Date.parse(settingsSince))}`;
  return [since, boughtWords(standing)].filter((words) => words !== '').join('; ');
}

/** The mark of the comparison that decides the verdict; undefined if nothing is measured. */
function decidingMark({ verdict, comparedWith, base }: Standing): ForestMark | undefined {
  if (base.sample === 0) return undefined;
  const { interval, sureInterval } = base;
  // Both are null if they may rest on a card or two. Lists do not show such a figure either.
  const median = comparedWith === 'others' ? base.vsOthers : base.vsBtc;
  return { verdict, median, interval, sureInterval: sureInterval ?? 'unbounded' };
}

/**
 * The mark vs BTC of a type whose comparison with other cards decides. If that comparison is the service's, the mark is the
 * service's, too.
 */
function btcMarkBesideOthers(standing: Standing): ForestMark | undefined {
  const { figures, base } = standing;
  const verdict = colourVerdictVsBtc(standing);
  if (base.source === 'service') return { verdict, median: base.vsBtc, interval: null };
  if (figures === null || figures.btc_sample === 0) return undefined;
  const { median_vs_btc_interval_95: interval, median_vs_btc_interval_997: sureInterval } = figures;
  return { verdict, median: base.vsBtc, interval, sureInterval: sureInterval ?? 'unbounded' };
}

/** What stands beside the dot vs BTC: `above, 70 % beat BTC`. It says `above` or `below` only if the row's verdict does not. */
function saysVsBtc(
  { verdict }: ForestMark,
  differences: readonly Difference[],
  standing: Standing,
): string {
  const isVerdictMissingInRow = standing.comparedWith === 'others' && isSide(verdict);
  const words = [isVerdictMissingInRow ? verdict : '', beatWords(differences, standing)];
  return words.filter((word) => word !== '').join(', ');
}

/** Only of a type below the others whose dot vs BTC is the service's, without an interval: whether to drop it rests on this one. */
function boughtWords(standing: Standing): string {
  const bought = standing.verdict === 'below' ? boughtVsBtc(standing) : undefined;
  if (bought === undefined) return '';
  const { median, interval } = bought;
  return `vs BTC, of those you bought: ${signedFigure(median)} pp, 95 %: ${intervalText(interval)}`;
}

/** `70 % beat BTC`; for fewer than 30 outcomes `4 of 6 beat BTC`. Empty if nothing was bought. */
function beatWords(differences: readonly Difference[], { base }: Standing): string {
  const all = differences.length;
  // Bought outcomes beside the service's median, which is of all outcomes, could contradict it.
  if (all === 0 || base.source === 'service') return '';
  const ahead = differences.filter(({ value }) => value > 0).length;
  return isFew(all) ? `${ahead} of ${all} beat BTC` : `${shareText(ahead / all)} beat BTC`;
}

/** `3.2 a day`, and below it `143 outcomes`. */
function sizeOf({ silentDays, rate, base }: Standing): Markup {
  const sample =
    base.sample > 0 && html`<span class="range">${pluralize(base.sample, 'outcome')}</span>`;
  return html`${rateWords(silentDays, rate)} ${sample}`;
}

/** `3.2 a day`; on the first day after a change of settings `3.2 a day before`; for a silent type `silent`. */
function rateWords(silentDays: Standing['silentDays'], rate: Standing['rate']): string {
  if (silentDays !== undefined) return 'silent';
  const perDay = `${(rate.now ?? 0).toFixed(1)} a day`;
  return rate.isFromBeforeChange ? `${perDay} before` : perDay;
}
