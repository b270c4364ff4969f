/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { decidingOf } from '../../outcomes/deciding.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { leastOf } from '../../outcomes/verdict.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { HOUR } from '../../runtime/units.ts';
import { NONE, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { GAP, measureColumns, total } from '../table/table.ts';
import type { Column, Part, RenderContext, View } from '../types.ts';
import { basisWords, NO_CARDS, type StatsPage, settingsWarning } from './history-stats.ts';
import { axisOf, intervalLine, marksOf, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { statsByTypeView } from './stats.ts';
import { differenceColumns, findings, isTooEarly, type Judged, verdictText } from './verdict.ts';

/** Characters the axis takes: what the other columns leave of a line, within these. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
const ROOM_FOR_PICTURE = 60;

/** Lines of the page that are no row of its table, and the prompt below it. */
const BESIDE_ROWS = 14;

interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** What the service last said of each type. */
  readonly answers: readonly SignalStats[];
  /** The command line that compares the settings of a type. */
  readonly beforeAndAfter: (type: string) => string;
}

interface Line extends Judged {
  readonly group: GroupFigures;
  readonly figures: HorizonFigures;
}

/** What was found first, as on every screen. */
export function rankingPage<T extends object>(ranking: Ranking, fields: View<T>['fields']): View<T> {
  const { by, horizon, comparison, head, silences, beforeAndAfter } = ranking;
  const lines = comparison.groups.map((group): Line => {
    const silence = silences.get(group.group);
    return { group, name: safeText(group.group ?? ''), figures: group.horizons[horizon], silence };
  });
  const isOfOthers = lines.some(({ figures }) => decidingOf(figures).to === 'others');
  const { symbol } = head;
  const changed = lines.flatMap(({ group }) => (group.settings_since === null ? [] : String(group.group)));
  return {
    fields,
    page: (_, render) => {
      const { note, offer, pairs, paragraph, sections, table } = render;
      if (lines.length === 0) return paragraph(NO_CARDS);
      const whose = symbol === null ? '' : `${safeText(symbol)}: `;
      const hours = horizonOf(horizon).millis / HOUR;
      const answers = lines.every(isTooEarly) ? ranking.answers : [];
      const isTooHigh = lines.length > (render.height ?? Number.POSITIVE_INFINITY) - BESIDE_ROWS;
      const hidden = isTooHigh ? lines.filter(({ figures }) => figures.shown_verdict === 'unclear') : [];
      const rows = lines.filter((line) => !hidden.includes(line));
      return sections([
        {
          title: `${whose}${hours} h after the trigger, in pp against ${isOfOthers ? 'your other cards (and BTC)' : 'BTC'}`,
          body: pairs(findings(lines, by)),
        },
        {
          body: [
            table(columnsOf(ranking, lines, isOfOthers, render), rows),
            hidden.length > 0 &&
              paragraph(
                `Unclear, not listed here (--no-pager lists all): ${hidden.map(({ name }) => name).join(', ')}`,
              ),
            note(...notes(ranking, lines, render)),
          ],
        },
        {
          title: 'Medians of all outcomes of 30 days, as the service says them, no intervals',
          body: table(statsByTypeView.columns ?? [], answers),
        },
        {
          body: [
            by !== 'type' && settingsWarning(ranking, render),
            symbol === null &&
              changed.length > 0 &&
              offer('* since its settings changed; before and after:', ...changed.map(beforeAndAfter)),
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
  // A month that is over gets no more cards.
  const silenceOf = ({ silence }: Line) => (by === 'month' ? '' : silence);
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Line>(({ figures }) => figures, least, silenceOf);
  const left: Column<Line>[] = [
    textColumn(by.toUpperCase(), 0, ({ name, group }) => `${name}${group.settings_since === null ? '' : '*'}`),
    size,
    vsBtc,
    ...(isOfOthers ? [vsOthers] : []),
  ];
  const { width = Number.POSITIVE_INFINITY } = render;
  const room = width - total(measureColumns([...left, verdict], lines, render)) - GAP;
  const all = lines.map(({ figures }) => decidingOf(figures));
  const isDrawn = hasPicture(render) && room >= NARROWEST_AXIS && all.some(({ median }) => median !== null);
  if (!isDrawn) return [...left, verdict];
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

const hasPicture = ({ width = Number.POSITIVE_INFINITY }: RenderContext) => width >= ROOM_FOR_PICTURE;

/** What the marks and words of the table mean, as far as they are there. */
function notes(ranking: Ranking, lines: readonly Line[], render: RenderContext): Part[] {
  const { by, comparison } = ranking;
  const { groups_left_out: left } = comparison;
  const { inner, outer } = marksOf(render.unicode);
  const together = comparison.comparisons > 1 ? `, ${outer} the same for all ${comparison.comparisons} at once` : '';
  const has = (isMeant: (figures: HorizonFigures) => boolean) => lines.some(({ figures }) => isMeant(figures));
  const missing = lines.flatMap(({ name, figures: { missing_share: share } }) =>
    share !== null && share >= MISSING_SHARE ? [`${percentOf(share)} of ${name}`] : [],
  );
  return [
    hasPicture(render) && has((one) => decidingOf(one).isTested) && `${inner} 95 % interval${together}`,
    has((one) => verdictText(one).endsWith('weak')) && 'weak: it leans on fewer than 12 blocks of days',
    basisWords(ranking),
    left > 0 && `Left out: ${pluralize(left, 'group')} with fewer outcomes than --min-sample.`,
    missing.length > 0 && `Outcomes missing: ${missing.join(', ')}.`,
    ...lines.flatMap(({ name, group }) =>
      group.coincides_with.map((other) => {
        return `${name}: ${percentOf(other.share)} of its cards coincide with ${safeText(other.group)}.`;
      }),
    ),
    has((one) => one.shown_verdict === 'below_others') &&
      `"Below" alone is no reason to drop it: beside a strong ${by} others fall behind.`,
  ];
}

const percentOf = (share: number) => `${Math.round(100 * share)} %`;
