/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { decidingOf, isAbove, isBelow } from '../../outcomes/deciding.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { leastOf } from '../../outcomes/verdict.ts';
import { dayAndMonth, figureText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { GAP, measureColumns, total } from '../table/table.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { boughtWords, type StatsPage, settingsWarning } from './history-stats.ts';
import { axisOf, intervalLine, LEGEND_MARKS, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { statsByTypeView } from './stats.ts';
import { differenceColumns, timeToCome } from './verdict.ts';

/** Characters the axis takes: what the other columns leave of a line, within these. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
const ROOM_FOR_PICTURE = 60;

interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** What the service last said of each type. */
  readonly answers: readonly SignalStats[];
}

interface Line {
  readonly group: GroupFigures;
  readonly name: string;
  readonly figures: HorizonFigures;
}

export function rankingPage<T extends object>(ranking: Ranking, fields: View<T>['fields']): View<T> {
  const { by, horizon, comparison } = ranking;
  const lines = comparison.groups.map((group): Line => {
    return { group, name: safeText(group.group ?? ''), figures: group.horizons[horizon] };
  });
  const against = lines.some(({ figures }) => decidingOf(figures).to === 'others')
    ? 'your other cards of that day (and BTC)'
    : 'BTC';
  return {
    fields,
    page: (_, render) => {
      const { paragraph, styles, table } = render;
      if (lines.length === 0) return paragraph('No cards in this history match.');
      const left = comparison.groups_left_out;
      const about = [
        ...boughtWords(ranking).map((words) => `${words}; medians in pp`),
        ...(left > 0 ? [`${left} more groups have fewer outcomes than --min-sample.`] : []),
      ];
      const dim = (text: string) => paragraph(text, styles.dim);
      // Symbols fill more than a screen: what is found would be on its second page.
      const [first, last] =
        by === 'symbol' ? [[paragraph(closing(by, lines))], []] : [[], [paragraph(closing(by, lines))]];
      return [
        paragraph(`${horizonOf(horizon).words} after the trigger, against ${against}`, styles.bold),
        ...first,
        ...about.map(dim),
        table(columnsOf(ranking, lines, render), lines),
        ...notes(ranking, lines, render).map(dim),
        ...(lines.every(isTooEarly) ? medians(ranking, render) : []),
        ...last,
        ...(by === 'type' ? [] : settingsWarning(ranking, render)),
      ].join('\n');
    },
  };
}

function columnsOf({ by, comparison, horizon }: Ranking, lines: readonly Line[], render: RenderContext) {
  const all = lines.map(({ figures }) => decidingOf(figures));
  const least = leastOf(horizon, comparison.least_percentage_points);
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Line>(({ figures }) => figures, least);
  const left: Column<Line>[] = [
    textColumn(by.toUpperCase(), 0, ({ name, group }) => `${name}${group.settings_since === null ? '' : '*'}`),
    size,
    vsBtc,
    ...(all.some(({ to }) => to === 'others') ? [vsOthers] : []),
  ];
  const { width = Number.POSITIVE_INFINITY } = render;
  const room = width - total(measureColumns([...left, verdict], lines, render)) - GAP;
  if (width < ROOM_FOR_PICTURE || room < NARROWEST_AXIS) return [...left, verdict];
  const axis = axisOf(all, Math.min(WIDEST_AXIS, room));
  return [
    ...left,
    textColumn<Line>(scaleLine(axis), 3, ({ figures }) => intervalLine(decidingOf(figures), axis, render)),
    figureColumn<Line>('95 % INTERVAL', 4, ({ figures }) =>
      figureText(decidingOf(figures).interval, 'percentage points').replaceAll(' pp', ''),
    ),
    verdict,
  ];
}

const MISSING_SHARE = 0.05;

/** What the marks and words of the table mean, as far as they are there. */
function notes({ by, comparison, horizon }: Ranking, lines: readonly Line[], { unicode }: RenderContext): string[] {
  const { comparisons } = comparison;
  const { inner, outer } = LEGEND_MARKS[unicode ? 'unicode' : 'plain'];
  const together = comparisons > 1 ? `, ${outer} for all ${comparisons} at once (Holm)` : '';
  const changed = lines.flatMap(({ group }) => group.settings_since ?? []);
  const since = [...new Set(changed.map((time) => dayAndMonth(Date.parse(time))))].join(', ');
  const isBehind = lines.some(
    ({ figures }) => figures.shown_verdict === 'below_others' && figures.verdict !== 'below_btc',
  );
  const least = leastOf(horizon, comparison.least_percentage_points);
  const none = lines.some(isNone) ? `; no difference: 90 % one within ${least}` : '';
  return [
    ...(lines.some(({ figures }) => decidingOf(figures).isTested) ? [`${inner} 95 % interval${together}${none}`] : []),
    ...(changed.length > 0 ? [`* since its settings changed on ${since}; before and after: stats --by settings`] : []),
    ...missingWords(lines),
    ...lines.flatMap(({ name, group }) =>
      group.coincides_with.map(
        (other) => `${name}: ${Math.round(100 * other.share)} % of its cards coincide with ${safeText(other.group)}.`,
      ),
    ),
    ...(isBehind
      ? [`"Below" alone is no reason to drop a ${by}: next to one strong ${by}, an average one falls behind.`]
      : []),
  ];
}

function missingWords(lines: readonly Line[]): string[] {
  const shares = lines.map(({ name, figures }) => ({ name, share: figures.missing_share ?? 0 }));
  const [worst, ...others] = shares.filter(({ share }) => share >= MISSING_SHARE).sort((a, b) => b.share - a.share);
  if (worst === undefined) return [];
  const rest = others.length === 0 ? '' : `; 5 % or more of ${others.length} others`;
  return [`Outcomes missing: ${Math.round(100 * worst.share)} % of ${worst.name}${rest}.`];
}

const isTooEarly = ({ figures: { shown_verdict: verdict } }: Line) => verdict === null || verdict === 'too_few_days';

/** What is known before any verdict. */
function medians({ answers }: Ranking, { paragraph, styles, table }: RenderContext): string[] {
  if (answers.length === 0) return [];
  const about = 'The medians of all outcomes of 30 days, as the service says them, without intervals:';
  return ['', paragraph(about, styles.bold), table(statsByTypeView.columns ?? [], answers)];
}

/** What to keep, what is behind, and when the rest may be known. */
function closing(by: GroupBy, lines: readonly Line[]): string {
  if (lines.every(isTooEarly))
    return 'No verdict yet: `screener signals export` goes on buying the outcomes that are due.';
  const above = lines.filter(({ figures }) => isAbove(figures.shown_verdict));
  const below = lines.filter(({ figures }) => isBelow(figures.shown_verdict));
  const unclear = lines.filter(({ figures }) => figures.shown_verdict === 'unclear');
  const said: readonly (readonly [string, readonly Line[]])[] = [
    [by === 'type' ? 'Worth keeping' : 'Above', above],
    [by === 'type' ? 'Behind your other cards' : 'Below', below],
    ['No difference', by === 'type' ? lines.filter(isNone) : []],
    [`Unclear${by === 'month' ? '' : waitOf(unclear)}`, unclear],
  ];
  return [
    ...(above.length + below.length === 0 ? ['None stands out yet.'] : []),
    ...said.flatMap(([words, its]) => (its.length === 0 ? [] : [`${words}: ${namesOf(its, by)}.`])),
  ].join(' ');
}

const isNone = ({ figures }: Line) => figures.shown_verdict === 'none';

/** More of them are counted. */
const MOST_NAMES = 3;

function namesOf(lines: readonly Line[], by: GroupBy): string {
  return lines.length > MOST_NAMES ? `${lines.length} ${by}s` : lines.map(({ name }) => name).join(', ');
}

/** Of the one that shows first. */
function waitOf(unclear: readonly Line[]): string {
  const waits = unclear.flatMap(({ figures }) => figures.days_until_least_shows ?? []);
  if (waits.length === 0) return '';
  const soonest = timeToCome(Math.min(...waits));
  return soonest === 'over a year' ? ' for over a year' : ` for ${soonest} or more`;
}
