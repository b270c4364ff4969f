/** The first part of the report: which screener types are worth keeping. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { HorizonFigures } from '../outcomes/figure-table.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { type Ending, ranked, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import {
  baseNote,
  behindNote,
  betaNotes,
  hasVerdict,
  isLessLately,
  ruleText,
  verdictText,
} from '../output/views/verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestRow, forest } from './forest.ts';
import {
  between,
  type Fact,
  facts,
  fixed,
  html,
  label,
  type Markup,
  note,
  percent,
  section,
  shareOf,
  signed,
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
  /** A type's conditions now, in words; empty if no look at them is kept. */
  readonly settingsOf: (type: string) => string;
  /** UTC days from the first card to the last. */
  readonly days: number;
  /** Which days cards a day are of, as on a terminal. */
  readonly rated: string;
  /** Of verdicts above and below that the notebook has of this time. */
  readonly record: readonly Ending[];
}

/** More rows would push everything else off the first page. */
const MOST_ROWS = 20;

export function answerSection(answer: Answer): Markup {
  const { judgements, differences, settingsOf, days, rated, record } = answer;
  const withCards = judgements.standings.filter(({ groupFigures }) => groupFigures !== null);
  const standings = ranked(withCards).slice(0, MOST_ROWS);
  const isEarly = standings.every(({ base }) => base.interval === null);
  const differencesOfTypes = groupBy(differences, ({ card }) => card.type);
  const rows = standings.map((standing) => {
    const differencesOfType = differencesOfTypes.get(standing.group) ?? [];
    return rowOf(standing, differencesOfType, settingsOf(standing.group));
  });
  const whom = standings.some(({ comparedWith }) => comparedWith === 'others')
    ? 'your other cards of the same day'
    : 'BTC';
  const says = isEarly
    ? `Cards of the last ${days} days.`
    : html`Median difference to ${whom} after 24 h, in percentage points: <b class="above">above</b>, <b class="below">below</b>, or grey: no clear difference.`;
  return section(
    'answer',
    isEarly ? 'Cards and settings' : 'Which screener types are worth keeping',
    says,
    forest(rows, {
      label: 'Screener types after 24 h',
      sureLevel: '99.7 %',
      rule: ruleText(true),
      sides: ['below', 'above'],
    }),
    note(
      `Cards a day: ${rated}, not before the settings changed.`,
      baseNote(standings, 'Outcomes and differences'),
      betaNotes(standings).join(' '),
      record.length > 0 && recordWords(record, days),
      behindNote(standings, 'type'),
    ),
  );
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  stands: 'standing',
  reset: 'ended with a change of settings',
  withdrawn: 'withdrawn',
};

/** How many of the verdicts that were given still stand. */
function recordWords(record: readonly Ending[], days: number): string {
  const parts: string[] = [];
  for (const [ending, words] of Object.entries(ENDINGS)) {
    const count = record.filter((one) => one === ending).length;
    if (count > 0) parts.push(`${count} ${words}`);
  }
  return `Verdicts above or below found in these ${days} days: ${parts.join('; ')}.`;
}

function rowOf(
  standing: Standing,
  differences: readonly Difference[],
  settings: string,
): ForestRow {
  const { group, word, base, isWeak } = standing;
  const { median, interval, sureInterval } = base;
  const lately = isLessLately(standing) ? '; less lately' : '';
  const verdict = hasVerdict(standing) ? `${verdictText(standing)}${lately}` : '';
  const about = aboutType(standing, differences, settings);
  return { name: group, word, verdict, median, interval, sureInterval, isWeak, about };
}

/** The difference to BTC, how many cards there are, and what else is known of a type. */
function aboutType(
  standing: Standing,
  differences: readonly Difference[],
  settings: string,
): Markup {
  const { comparedWith, base, silentDays, rate } = standing;
  // Beside the difference to BTC, it is not said again.
  const isSaid = base.interval !== null && comparedWith === 'btc';
  const vsBtc = isSaid || base.vsBtc === null ? '' : `${signed(base.vsBtc)} vs BTC`;
  const rateWords = silentDays === undefined ? `${fixed(rate.now ?? 0)} a day` : 'silent';
  const sample =
    base.sample > 0 && html`<span class="range">${pluralize(base.sample, 'outcome')}</span>`;
  return html`<div class="btc">${vsBtc}</div>
<div class="size">${rateWords} ${sample}</div>
${facts(factsOf(standing, differences, settings))}`;
}

function factsOf(
  { groupFigures, figures, word, wordSince, base }: Standing,
  differences: readonly Difference[],
  settings: string,
): Fact[] {
  const lines: Fact[] = [];
  const settingsSince = groupFigures?.settings_since;
  if (settings !== '') {
    const since = settingsSince == null ? '' : `, since ${dayAndMonth(Date.parse(settingsSince))}`;
    lines.push(['Settings now', `${settings}${since}`]);
  }
  if (base.interval !== null && differences.length > 0) {
    const ahead = differences.filter(({ value }) => value > 0).length;
    lines.push(['Beat BTC', `${shareOf(ahead, differences.length)} bought outcomes`]);
  }
  const lately = isSide(word) ? latelyWords(figures) : '';
  if (lately !== '') lines.push(['Last 30 days', lately]);
  const later = figures?.since_then ?? null;
  // Beside "under 1 pp" the median of fewer cards would look like a doubt.
  if (isSide(word) && wordSince !== undefined && later !== null) {
    const figure = withInterval(later.difference_percentage_points, later.interval_95);
    lines.push([
      `Since ${dayAndMonth(wordSince)}`,
      `${figure}, ${pluralize(later.cards, 'bought outcome')}`,
    ]);
  }
  for (const { group, share } of groupFigures?.coincides_with ?? [])
    lines.push(['Overlap', `${percent(share)} of its cards coincide with ${label(group)}`]);
  return lines;
}

/** `+0.95 (+0.10 to +1.80); before: +2.19 (+1.60 to +2.78)`; empty without two windows. */
function latelyWords(figures: HorizonFigures | null): string {
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  if (last === null || before === null) return '';
  const figure = withInterval(last.percentage_points, last.interval_95);
  return `${figure}; before: ${withInterval(before.percentage_points, before.interval_95)}`;
}

const withInterval = (value: number | null, interval: Interval | null): string =>
  `${signed(value)} (${between(interval, '')})`;
