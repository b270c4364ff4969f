/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { type HorizonName, horizonOf } from '../../api/contract/horizons.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { dayAndMonth, figureText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { GAP, measureColumns, total } from '../table/fit-columns.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { boughtWords, type StatsPage, settingsWarning } from './history-stats.ts';
import { axisOf, intervalLine, LEGEND_MARKS, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { decidingOf, differenceColumns, isAbove, isBelow, timeToCome } from './verdict.ts';

/** Characters the axis takes: what the other columns leave of a line, within these. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
/** Columns of a terminal that has room for a picture. */
const ROOM_FOR_PICTURE = 60;

interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** The one that is drawn. */
  readonly horizon: HorizonName;
}

export function rankingPage<T extends object>(ranking: Ranking, fields: View<T>['fields']): View<T> {
  return {
    fields,
    page: (_, render) => {
      const { groups, groups_left_out: left } = ranking.comparison;
      if (groups.length === 0) return render.paragraph('No cards in this history match.');
      const { paragraph, styles, table } = render;
      const isVsOthers = groups.some((group) => decidingOf(drawn(group, ranking)).to === 'others');
      const about = [
        ...boughtWords(ranking).map((words) => `${words}; medians in pp`),
        ...(left > 0 ? [`${left} more groups have fewer outcomes than --min-sample.`] : []),
      ];
      return [
        styles.bold(
          paragraph(
            `${horizonOf(ranking.horizon).words} after the trigger, against ${isVsOthers ? 'your other cards of that day (and BTC)' : 'BTC'}`,
          ),
        ),
        ...about.map((text) => paragraph(text, styles.dim)),
        table(columnsOf(ranking, render), groups),
        ...notes(ranking, render).map((text) => paragraph(text, styles.dim)),
        ...closing(ranking).map((text) => paragraph(text)),
        ...(ranking.by === 'type' ? [] : settingsWarning(ranking, render)),
      ].join('\n');
    },
  };
}

function drawn({ horizons }: GroupFigures, { horizon }: Ranking): HorizonFigures {
  return horizons[horizon];
}

const nameOf = ({ group }: GroupFigures): string => safeText(group ?? '');

function columnsOf(ranking: Ranking, render: RenderContext): Column<GroupFigures>[] {
  const { by, comparison, horizon } = ranking;
  const { groups } = comparison;
  const least = comparison.least_percentage_points * horizonOf(horizon).least;
  const name = textColumn<GroupFigures>(by.toUpperCase(), 0, (group) => {
    return `${nameOf(group)}${group.settings_since === null ? '' : '*'}`;
  });
  const isVsOthers = groups.some((group) => decidingOf(drawn(group, ranking)).to === 'others');
  const [size, vsBtc, vsOthers, verdict] = differenceColumns<GroupFigures>((group) => drawn(group, ranking), least) as [
    Column<GroupFigures>,
    Column<GroupFigures>,
    Column<GroupFigures>,
    Column<GroupFigures>,
  ];
  const left = [name, size, vsBtc, ...(isVsOthers ? [vsOthers] : [])];
  const interval = figureColumn<GroupFigures>('95 % INTERVAL', 4, (group) =>
    figureText(decidingOf(drawn(group, ranking)).interval, 'percentage points').replaceAll(' pp', ''),
  );
  const { width } = render;
  if (width !== undefined && width < ROOM_FOR_PICTURE) return [...left, verdict];
  const taken = (columns: readonly Column<GroupFigures>[]) => total(measureColumns(columns, groups, render)) + GAP;
  const room = width === undefined ? WIDEST_AXIS : width - taken([...left, verdict]);
  const withInterval = width === undefined || room - taken([interval]) >= NARROWEST_AXIS;
  const cells = Math.min(WIDEST_AXIS, withInterval && width !== undefined ? room - taken([interval]) : room);
  if (cells < NARROWEST_AXIS) return [...left, verdict];
  const axis = axisOf(
    groups.map((group) => decidingOf(drawn(group, ranking))),
    cells,
  );
  const picture = textColumn<GroupFigures>(scaleLine(axis), 3, (group) =>
    intervalLine(decidingOf(drawn(group, ranking)), axis, render),
  );
  return [...left, picture, ...(withInterval ? [interval] : []), verdict];
}

/** A share of missing outcomes that is said. */
const MISSING_SHARE = 0.05;

/** What the marks and words of the table mean, as far as they are there. */
function notes(ranking: Ranking, { unicode }: RenderContext): string[] {
  const { by, comparison } = ranking;
  const { groups, comparisons } = comparison;
  const { inner, outer } = LEGEND_MARKS[unicode ? 'unicode' : 'plain'];
  const together = comparisons > 1 ? `, ${outer} for all ${comparisons} at once (Holm)` : '';
  const isTested = groups.some((group) => decidingOf(drawn(group, ranking)).isTested);
  const changed = groups.flatMap(({ settings_since: since }) => since ?? []);
  const since = [...new Set(changed.map((time) => dayAndMonth(Date.parse(time))))].join(', ');
  const isBehind = groups.some((group) => {
    const { shown_verdict: shown, verdict: vsBtc } = drawn(group, ranking);
    return shown === 'below_others' && vsBtc !== 'below_btc';
  });
  const missing = groups
    .flatMap((group) => {
      const share = drawn(group, ranking).missing_share ?? 0;
      return share < MISSING_SHARE ? [] : [`${nameOf(group)} ${Math.round(100 * share)} %`];
    })
    .join(', ');
  return [
    ...(isTested ? [`${inner} 95 % interval${together}`] : []),
    ...(changed.length > 0 ? [`* since its settings changed on ${since}; before and after: stats --by settings`] : []),
    ...(missing === '' ? [] : [`Outcomes missing: ${missing}.`]),
    ...groups.flatMap((group) =>
      group.coincides_with.map(
        (other) =>
          `${nameOf(group)}: ${Math.round(100 * other.share)} % of its cards coincide with ${safeText(other.group)}.`,
      ),
    ),
    ...(isBehind
      ? [`"Below" alone is no reason to drop a ${by}: next to one strong ${by}, an average one falls behind.`]
      : []),
  ];
}

/** What to keep, what is behind, and when the rest may be known. */
function closing(ranking: Ranking): string[] {
  const { groups } = ranking.comparison;
  const named = (isMeant: typeof isAbove) =>
    groups
      .filter((group) => isMeant(drawn(group, ranking).shown_verdict))
      .map(nameOf)
      .join(', ');
  const [above, below] = [named(isAbove), named(isBelow)];
  if (groups.every((group) => drawn(group, ranking).sample === 0)) {
    return ['No outcome is measured yet. `screener signals export` buys those that are due.'];
  }
  const waits = groups.flatMap((group) => drawn(group, ranking).days_until_least_shows ?? []);
  const soonest = timeToCome(Math.min(...waits));
  const rest =
    waits.length === 0
      ? []
      : [soonest === 'over a year' ? 'The rest: not within a year.' : `The rest: ${soonest} or more.`];
  const isType = ranking.by === 'type';
  const said = [
    ...(above === '' ? [] : [`${isType ? 'Worth keeping' : 'Above'}: ${above}.`]),
    ...(below === '' ? [] : [`${isType ? 'Behind your other cards' : 'Below'}: ${below}.`]),
    ...(above + below === '' ? ['No difference is clear yet: the order may be chance.'] : []),
    ...rest,
  ];
  return [said.join(' ')];
}
