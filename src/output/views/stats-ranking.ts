/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { type Deciding, decidingOf, isAbove, isBelow } from '../../outcomes/deciding.ts';
import type { GroupFigures, HorizonFigures } from '../../outcomes/figure-table.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { HOUR } from '../../runtime/units.ts';
import { daysText, rangeText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { GAP, measureColumns, total } from '../table/table.ts';
import type { Column, Pair, Part, RenderContext, View } from '../types.ts';
import { basisWords, CHOSEN, NO_CARDS, type StatsPage, settingsWarning } from './history-stats.ts';
import { axisOf, intervalLine, marksOf, scaleLine } from './interval-axis.ts';
import { figureColumn, textColumn } from './parts.ts';
import { statsByTypeView } from './stats.ts';
import {
  changedNote,
  differenceColumns,
  findingLines,
  findings,
  IF_SHORT,
  isTooEarly,
  type Judged,
  verdictText,
} from './verdict.ts';

/** Characters the axis takes: what the other columns leave of a line, within these. */
const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
const ROOM_FOR_PICTURE = 60;

interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** What the service last said of each type. */
  readonly answers: readonly SignalStats[];
  /** The command line that compares the settings of a type. */
  readonly beforeAndAfter: (type: string) => string;
  readonly tries: readonly Pair[];
}

interface Line extends Judged {
  readonly group: GroupFigures;
  readonly figures: HorizonFigures;
  readonly deciding: Deciding;
}

export function rankingPage<T extends object>(ranking: Ranking, fields: View<T>['fields']): View<T> {
  const { by, horizon, comparison, head, silenceOf, beforeAndAfter } = ranking;
  const lines = comparison.groups.map((group): Line => {
    const figures = group.horizons[horizon];
    const deciding = decidingOf(figures);
    // A month that is over gets no more cards.
    const silence = by === 'month' ? '' : silenceOf(group.group ?? '');
    return { group, figures, deciding, name: safeText(group.group ?? ''), silence };
  });
  const isOfOthers = lines.some(({ deciding }) => deciding.to === 'others');
  const whose = head.symbol === null ? '' : `${safeText(head.symbol)}: `;
  const against = isOfOthers ? 'your other cards (and BTC)' : 'BTC';
  const changed = lines.filter(({ group }) => group.settings_since !== null);
  const star = changedNote(changed.map(({ group }) => group.settings_since));
  return {
    fields,
    page: (_, render) => {
      const { note, offer, paragraph, sections, table } = render;
      if (lines.length === 0) return paragraph(NO_CARDS);
      const { columns, drawn } = columnsOf(ranking, lines, isOfOthers, render);
      const commands = changed.map(({ group }) => beforeAndAfter(String(group.group)));
      return sections([
        {
          title: `${whose}${horizonOf(horizon).millis / HOUR} h after the trigger, in pp against ${against}`,
          body: findingLines([...findings(lines, by, ranking.gather), ...ranking.tries], render),
        },
        {
          body: [
            table(columns, lines),
            note(...notes(ranking, lines, drawn, render)),
            star !== '' && offer(`${star}; before and after:`, ...commands),
          ],
        },
        {
          title: "The service's medians over all outcomes of 30 days, without intervals",
          body: table(statsByTypeView.columns ?? [], lines.every(isTooEarly) ? ranking.answers : []),
        },
        { body: settingsWarning(ranking, render) },
      ]);
    },
  };
}

/** `drawn`: all of the picture, empty if there is no room for it, or nothing to draw. */
function columnsOf(
  { by, least }: Ranking,
  lines: readonly Line[],
  isOfOthers: boolean,
  render: RenderContext,
): { readonly columns: Column<Line>[]; readonly drawn: string } {
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Line>((line) => line, least);
  const left: Column<Line>[] = [
    textColumn(by.toUpperCase(), 0, ({ name, group }) => `${name}${group.settings_since === null ? '' : '*'}`),
    size,
    vsBtc,
    ...(isOfOthers ? [vsOthers] : []),
  ];
  const { width = Number.POSITIVE_INFINITY } = render;
  const room = width - total(measureColumns([...left, verdict], lines, render)) - GAP;
  const all = lines.map(({ deciding }) => deciding);
  const isDrawn = width >= ROOM_FOR_PICTURE && room >= NARROWEST_AXIS && all.some(({ interval }) => interval !== null);
  if (!isDrawn) return { columns: [...left, verdict], drawn: '' };
  const axis = axisOf(all, Math.min(WIDEST_AXIS, room));
  const picture = ({ deciding }: Line) => intervalLine(deciding, axis, render);
  const interval = figureColumn<Line>('95 % INTERVAL', 4, ({ deciding }) => rangeText(deciding.interval));
  const columns = [...left, textColumn(scaleLine(axis), 3, picture), interval, verdict];
  return { columns, drawn: lines.map(picture).join('') };
}

/** What the marks and words of the table mean, as far as they are there. */
function notes(ranking: Ranking, lines: readonly Line[], drawn: string, { unicode }: RenderContext): Part[] {
  const { by, comparison, horizon, least } = ranking;
  const { groups_left_out: left, comparisons } = comparison;
  const { inner, outer, alone, left: before, right: after } = marksOf(unicode);
  const has = (isMeant: (figures: HorizonFigures) => boolean) => lines.some(({ figures }) => isMeant(figures));
  const beyond = [before, after].filter((mark) => drawn.includes(mark)).join(' ');
  const marks = [
    drawn.includes(inner) && `${inner} 95 % interval`,
    drawn.includes(outer) && comparisons > 1 && `${outer} wider, as ${comparisons} ${by}s are tested`,
    beyond && `${beyond} goes on`,
    drawn.includes(alone) && `${alone} too few days`,
    has(({ shown_verdict: word }) => isAbove(word) || isBelow(word)) && "since: the verdict's first day",
  ];
  const isWide = ({ figures: { weak }, deciding: { verdict, interval } }: Line) =>
    verdict === 'none' && (weak || (interval !== null && Math.max(-interval.low, interval.high) > least));
  const missing = lines.flatMap(({ name, group, figures }) => {
    const { missing_share: share, shown_verdict: word } = figures;
    const isHeldBack = word === 'unclear' && comparison.heldBack.includes(group.group);
    const why = isHeldBack ? ' (so it is unclear)' : '';
    return share !== null && share >= (isHeldBack ? 0.005 : 0.05) ? `${percentOf(share)} of ${name}${why}` : [];
  });
  const basis = basisWords(comparison, horizon, ranking.head.bought_first, `, ${daysText(ranking.period)}`);
  return [
    marks.filter(Boolean).join('; '),
    has((one) => verdictText(one).endsWith('weak')) && 'weak: its comparison rests on fewer than 12 blocks of days',
    lines.some(isWide) && `no difference: the 90 % interval lies within ±${least} pp`,
    ...(ranking.isChosen ? [...basis.slice(0, 1), CHOSEN] : basis),
    left > 0 && `Left out: ${pluralize(left, 'group')} with fewer outcomes than --min-sample.`,
    missing.length > 0 && `Outcomes missing: ${missing.join(', ')}.`,
    ...lines.flatMap(({ name, group: { coincides_with: others } }) =>
      others.map(({ group, share }) => `${name}: ${percentOf(share)} of its cards coincide with ${safeText(group)}.`),
    ),
    has((one) => one.shown_verdict === 'below_others' && one.verdict !== 'below_btc') &&
      `Next to one strong ${by}, an average one falls behind: no reason to drop it.`,
    by !== 'month' && has((one) => isBelow(one.shown_verdict)) && IF_SHORT,
  ];
}

const percentOf = (share: number) => `${Math.round(100 * share)} %`;
