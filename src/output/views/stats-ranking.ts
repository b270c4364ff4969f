/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { decidingOf } from '../../outcomes/deciding.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { leastOf } from '../../outcomes/verdict.ts';
import { HOUR } from '../../runtime/units.ts';
import { dayAndMonth, NONE, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { GAP, measureColumns, total } from '../table/table.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { basisWords, NO_CARDS, type StatsPage, settingsWarning } from './history-stats.ts';
import { axisOf, intervalLine, marksOf, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { statsByTypeView } from './stats.ts';
import { closingSentence, differenceColumns, isTooEarly } from './verdict.ts';

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
  const isOfOthers = lines.some(({ figures }) => decidingOf(figures).to === 'others');
  const against = isOfOthers ? 'your other cards of that day (and BTC)' : 'BTC';
  const closing = closingSentence(lines, by);
  return {
    fields,
    page: (_, render) => {
      const { note, paragraph, sections, styles, table } = render;
      if (lines.length === 0) return paragraph(NO_CARDS);
      const isEarly = lines.every(isTooEarly) && ranking.answers.length > 0;
      const ofService = 'The medians of all outcomes of 30 days, as the service says them, without intervals:';
      // Symbols fill more than a screen: what is found would be on its second page.
      const isFirst = by === 'symbol';
      return sections([
        {
          body: [
            paragraph(
              `${horizonOf(horizon).millis / HOUR} h after the trigger, against ${against}, in pp`,
              styles.bold,
            ),
            isFirst && paragraph(closing),
            note(...basisWords(ranking)),
            table(columnsOf(ranking, lines, isOfOthers, render), lines),
            note(...notes(ranking, lines, render)),
            isEarly &&
              `\n${paragraph(ofService, styles.bold)}\n${table(statsByTypeView.columns ?? [], ranking.answers)}`,
            !isFirst && paragraph(closing),
            by !== 'type' && settingsWarning(ranking, render),
          ],
        },
      ]);
    },
  };
}

function columnsOf(
  { by, comparison, horizon }: Ranking,
  lines: readonly Line[],
  isOfOthers: boolean,
  render: RenderContext,
): Column<Line>[] {
  const least = leastOf(horizon, comparison.least_percentage_points);
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Line>(({ figures }) => figures, least);
  const left: Column<Line>[] = [
    textColumn(by.toUpperCase(), 0, ({ name, group }) => `${name}${group.settings_since === null ? '' : '*'}`),
    size,
    vsBtc,
    ...(isOfOthers ? [vsOthers] : []),
  ];
  const { width = Number.POSITIVE_INFINITY } = render;
  const room = width - total(measureColumns([...left, verdict], lines, render)) - GAP;
  if (width < ROOM_FOR_PICTURE || room < NARROWEST_AXIS) return [...left, verdict];
  const all = lines.map(({ figures }) => decidingOf(figures));
  const axis = axisOf(all, Math.min(WIDEST_AXIS, room));
  return [
    ...left,
    textColumn<Line>(scaleLine(axis), 3, ({ figures }) => intervalLine(decidingOf(figures), axis, render)),
    figureColumn<Line>('95 % INTERVAL', 4, ({ figures }) => {
      const { interval } = decidingOf(figures);
      return interval === null ? NONE : rangeText(interval);
    }),
    verdict,
  ];
}

const MISSING_SHARE = 0.05;

/** More of them are not named. */
const MOST_MISSING = 3;

/** What the marks and words of the table mean, as far as they are there. */
function notes({ by, comparison, horizon }: Ranking, lines: readonly Line[], { unicode }: RenderContext) {
  const { comparisons, least_percentage_points: least } = comparison;
  const { inner, outer } = marksOf(unicode);
  const together = comparisons > 1 ? `, ${outer} for all ${comparisons} at once (Holm)` : '';
  const changed = lines.flatMap(({ group }) => group.settings_since ?? []);
  const since = [...new Set(changed.map((time) => dayAndMonth(Date.parse(time))))].join(', ');
  const has = (isMeant: (figures: HorizonFigures) => boolean) => lines.some(({ figures }) => isMeant(figures));
  const isBehind = has((one) => one.shown_verdict === 'below_others' && one.verdict !== 'below_btc');
  const none = has((one) => one.shown_verdict === 'none')
    ? `; no difference: 90 % one within ${leastOf(horizon, least)}`
    : '';
  const missing = lines
    .map(({ name, figures }) => ({ name, share: figures.missing_share ?? 0 }))
    .filter(({ share }) => share >= MISSING_SHARE)
    .sort((a, b) => b.share - a.share)
    .map(({ name, share }) => `${percentOf(share)} of ${name}`);
  return [
    has((one) => decidingOf(one).isTested) && `${inner} 95 % interval${together}${none}`,
    changed.length > 0 && `* since its settings changed on ${since}; before and after: stats --by settings`,
    missing.length > 0 && `Outcomes missing: ${missing.slice(0, MOST_MISSING).join(', ')}.`,
    ...lines.flatMap(({ name, group }) =>
      group.coincides_with.map((other) => {
        return `${name}: ${percentOf(other.share)} of its cards coincide with ${safeText(other.group)}.`;
      }),
    ),
    isBehind && `"Below" alone is no reason to drop a ${by}: next to one strong ${by}, an average one falls behind.`,
  ];
}

const percentOf = (share: number) => `${Math.round(100 * share)} %`;
