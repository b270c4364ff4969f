/** `stats --by` for people: one line a group, with the comparison that decides drawn on an axis that all share. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { at } from '../../api/time.ts';
import { HOUR, pluralize } from '../../base/units.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import { isSide, MARGIN } from '../../statistics/rule.ts';
import { dayAndMonth, daysText, figureText, NONE, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Part, RenderContext, RowSection } from '../types.ts';
import { basisWords, CHOSEN, NO_CARDS, type StatsPage, settingsWarning } from './history-stats.ts';
import {
  type Axis,
  axisOf,
  intervalLine,
  marksOf,
  marksShown,
  scaleLine,
} from './interval-axis.ts';
import { figureColumn, symbolText, textColumn } from './parts.ts';
import {
  besideBtcNotes,
  isNothingKnown,
  rankingVerdict,
  sectionsOf,
  waitNotes,
} from './sections.ts';
import { CHANGE_WORDS } from './settings-history.ts';
import { statsByTypeView } from './stats.ts';
import {
  differenceColumns,
  type HeadLine,
  headlineText,
  isTooEarly,
  latelyText,
  nothingFound,
  ruleNote,
  standingNotes,
} from './verdict.ts';

const NARROWEST_AXIS = 9;
const WIDEST_AXIS = 31;
const ROOM_FOR_PICTURE = 60;
/** Columns of a terminal from which on a line says more. */
const ROOM_FOR_MORE = 100;
/** An axis that other columns leave room for. */
const READABLE_AXIS = 12;

export interface Ranking extends StatsPage {
  readonly by: GroupBy;
  /** The newest answer of the service for each type. */
  readonly answers: readonly SignalStats[];
  /** The command line that shows what new settings of a type did. */
  readonly beforeAndAfter: (type: string) => string;
  /** Stricter settings to try, and what the account can ever tell. */
  readonly tries: readonly HeadLine[];
  /** Whether an order was asked for. */
  readonly isSorted: boolean;
}

export function rankingPage(ranking: Ranking, render: RenderContext): string {
  const { by, horizon, head, beforeAndAfter, standings } = ranking;
  const { note, offer, paragraph, sections, table, tableOfSections } = render;
  const all = standings.filter(({ groupFigures }) => groupFigures !== null);
  if (all.length === 0) return paragraph(NO_CARDS);
  const { lines, rest } = linesOf(ranking, all);
  const isOfOthers = lines.some(({ comparedWith }) => comparedWith === 'others');
  const whose = head.symbol === null ? '' : `${safeText(head.symbol)}: `;
  const against = isOfOthers ? 'your other cards' : 'BTC';
  const changed = lines.filter(hasChanged);
  const star = changedNote(changed);
  const drawing = columnsOf(ranking, lines, isOfOthers, render);
  const { columns } = drawing;
  const title = `${whose}${horizonOf(horizon).millis / HOUR} h after the trigger, in pp. Picture and verdict: against ${against}`;
  const headlines = [...nothingKnown(all, ranking.gather), ...ranking.tries];
  const hasHeadlines = headlines.length > 0;
  return sections([
    { title, body: headlineText(headlines, render) },
    {
      ...(hasHeadlines ? {} : { title }),
      body: [
        ranking.isSorted
          ? table(columns, lines)
          : tableOfSections(columns, rowSections(lines, by, render)),
        note(...notes(ranking, lines, render, drawing)),
        rest > 0 && offer(`${rest} more:`, `${ranking.again} --sort -group`),
        star !== '' &&
          offer(
            `${star}. To compare before and after:`,
            ...changed.map(({ group }) => beforeAndAfter(group)),
          ),
        settingsWarning(ranking, render),
      ],
    },
    {
      title: "The service's medians over all outcomes of 30 days, without intervals",
      body: table(statsByTypeView.columns ?? [], lines.every(isTooEarly) ? ranking.answers : []),
    },
  ]);
}

const hasChanged = ({ groupFigures }: Standing) =>
  groupFigures !== null && groupFigures.settings_since !== null;

/** The lines, and how many more groups have a verdict. */
interface Lines {
  readonly lines: readonly Standing[];
  readonly rest: number;
}

function linesOf({ by, standings, isSorted }: Ranking, all: readonly Standing[]): Lines {
  if (isSorted) return { lines: all, rest: 0 };
  if (by === 'type') {
    // A type that never had a card has no figures, but its silence is told.
    const isTold = ({ groupFigures, silentDays }: Standing) =>
      groupFigures !== null || silentDays !== undefined;
    return { lines: standings.filter(isTold), rest: 0 };
  }
  const lines = knownOf(all);
  const rest = all.filter((group) => group.word !== null && !lines.includes(group)).length;
  return { lines, rest };
}

function rowSections(
  lines: readonly Standing[],
  by: GroupBy,
  { styles }: RenderContext,
): RowSection<Standing>[] {
  return sectionsOf(lines, by).map(({ heading, tone, standings }) => ({
    heading: tone === 'dim' ? heading : styles[tone](heading),
    rows: standings,
  }));
}

/** Said before the first verdict. */
function nothingKnown(all: readonly Standing[], gather: string): HeadLine[] {
  return isNothingKnown(all) ? [nothingFound(all, gather)] : [];
}

const LEAST_LINES = 8;

/** What is known first, then what has most outcomes; of the rest there is nothing to say. */
function knownOf(all: readonly Standing[]): Standing[] {
  const clear = all.filter(isClear);
  const open = all.filter((one) => !isClear(one)).sort((a, b) => b.base.sample - a.base.sample);
  return [...clear, ...open].slice(0, Math.max(LEAST_LINES, clear.length));
}

/** What a line of the ranking shows. */
interface Drawing {
  readonly columns: readonly Column<Standing>[];
  /** Undefined where the intervals are not drawn. */
  readonly axis: Axis | undefined;
  /** Whether the last 30 days have a column. */
  readonly isLatelyShown: boolean;
}

function columnsOf(
  { by, isSorted }: Ranking,
  lines: readonly Standing[],
  isOfOthers: boolean,
  render: RenderContext,
): Drawing {
  const { size, vsBtc, vsOthers, verdict } = differenceColumns<Standing>(
    (line) => line,
    verdictInRanking,
  );
  const left: Column<Standing>[] = [
    textColumn(by.toUpperCase(), 0, (line) => {
      const name = by === 'symbol' ? symbolText(line.group, render) : safeText(line.group);
      const indent = isSorted ? '' : INDENT;
      return `${indent}${name}${hasChanged(line) ? '*' : ''}`;
    }),
    size,
    vsBtc,
    ...(isOfOthers ? [vsOthers] : []),
  ];
  const { width = Number.POSITIVE_INFINITY } = render;
  const isWide = width >= ROOM_FOR_MORE;
  const more = isWide ? fitting([SHARE, LAST_30_DAYS], [...left, verdict], lines, render) : [];
  const beside = [...left, ...more];
  const room = render.roomBeside([...beside, verdict], lines);
  const all = lines.map(({ base }) => base);
  const isDrawn =
    width >= ROOM_FOR_PICTURE &&
    room >= NARROWEST_AXIS &&
    all.some(({ interval }) => interval !== null);
  const isLatelyShown = more.includes(LAST_30_DAYS);
  if (!isDrawn) return { columns: [...beside, verdict], axis: undefined, isLatelyShown };
  const besideInterval = render.roomBeside([...beside, INTERVAL, verdict], lines);
  const isSmaller = isWide && besideInterval >= READABLE_AXIS;
  const characters = isSmaller ? besideInterval : room;
  const axis = axisOf(all, Math.min(WIDEST_AXIS, characters));
  const picture = textColumn<Standing>(scaleLine(axis), 3, (line) =>
    intervalLine(line, axis, render),
  );
  return { columns: [...left, picture, INTERVAL, ...more, verdict], axis, isLatelyShown };
}

/** Of a name below the heading of its section. */
const INDENT = '  ';

const INTERVAL = figureColumn<Standing>('95 % INTERVAL', 6, ({ base }) => rangeText(base.interval));

/** Of the bought outcomes; beside the service's figures it would contradict them: 25 % of 4 beat BTC by +0.31. */
const SHARE = figureColumn<Standing>(
  'BEAT BTC',
  4,
  (line) => figureText(shareOfBought(line), 'fraction'),
  { has: (line) => shareOfBought(line) !== null },
);

/** A fraction; null where the service's figures stand on the line. */
function shareOfBought({ base, figures }: Standing): number | null {
  return base.source === 'bought' ? (figures?.share_above_btc ?? null) : null;
}

/** Of a group that is above or below, the comparison that decides in the last 30 days and before: whether it still works. */
const LAST_30_DAYS = figureColumn<Standing>('30 D, BEFORE', 5, lastAndBefore, {
  has: (line) => lastAndBefore(line) !== NONE,
});

function lastAndBefore({ word, figures, lately }: Standing): string {
  // What an export found stands until the next one looks.
  const last = lately?.last ?? figures?.last_30_days;
  const before = lately?.before ?? figures?.before;
  if (!isSide(word) || last == null || before == null) return NONE;
  return `${signed(last.percentage_points, 1)}, ${signed(before.percentage_points, 1)}`;
}

/** As many of some more columns, the most important first, as leave a picture that can be read. */
function fitting(
  more: readonly Column<Standing>[],
  columns: readonly Column<Standing>[],
  lines: readonly Standing[],
  render: RenderContext,
): Column<Standing>[] {
  const chosen: Column<Standing>[] = [];
  for (const column of more) {
    const room = render.roomBeside([...columns, ...chosen, column], lines);
    if (room < READABLE_AXIS) break;
    chosen.push(column);
  }
  return chosen;
}

/** The cell of a line. */
function verdictInRanking(standing: Standing | null): string {
  return standing === null ? NONE : rankingVerdict(standing);
}

/** `* only cards since the last change of settings: pump 19 Sep (it helped), dump 29 Sep`; empty without any. */
function changedNote(changed: readonly Standing[]): string {
  const changes = changed.map(({ group, groupFigures, change }) => {
    const day = dayAndMonth(at(groupFigures?.settings_since ?? ''));
    // What it did is told once it is known.
    const isKnown = change !== undefined && change.verdict !== 'unclear';
    const effect = isKnown ? ` (it ${CHANGE_WORDS[change.verdict]})` : '';
    return `${safeText(group)} ${day}${effect}`;
  });
  if (changes.length === 0) return '';
  return `* only cards since the last change of settings: ${changes.join(', ')}`;
}

function notes(
  ranking: Ranking,
  lines: readonly Standing[],
  { unicode }: RenderContext,
  { axis, isLatelyShown }: Pick<Drawing, 'axis' | 'isLatelyShown'>,
): Part[] {
  const { by, groups, head } = ranking;
  const left = head.groups_left_out;
  const basis = basisWords(groups, head.bought_first, `, ${daysText(ranking.period)}`);
  return [
    axis !== undefined && marksText(lines, axis, unicode),
    ruleNote(lines, axis !== undefined),
    ...waitNotes(lines),
    ...besideBtcNotes(lines),
    !isLatelyShown && latelyNote(lines),
    ranking.isChosen ? CHOSEN : basis,
    ranking.why,
    left > 0 && `Not shown: ${pluralize(left, 'group')} with fewer outcomes than --min-sample.`,
    ...lines.flatMap(({ group, groupFigures }) =>
      (groupFigures?.coincides_with ?? []).map(
        (one) =>
          `${safeText(group)}: ${Math.round(100 * one.share)} % of its cards coincide with ${safeText(one.group)}.`,
      ),
    ),
    ...standingNotes(lines, by, { hasSections: true }),
  ];
}

/** `momentum_break: +0.50 in the last 30 days, +2.20 before.`, of types that do less lately. */
function latelyNote(lines: readonly Standing[]): string {
  const sentences: string[] = [];
  for (const { group, lately } of lines)
    if (lately !== undefined) sentences.push(`${safeText(group)}: ${latelyText(lately)}.`);
  return sentences.join(' ');
}

/** `● median; ━ 95 % interval; ─ 99.7 %; ░ the band, within ±0.1 pp; ◂ goes on`. */
function marksText(lines: readonly Standing[], axis: Axis, unicode: boolean): string {
  const marks = marksOf(unicode);
  const has = marksShown(lines, axis);
  const parts: string[] = [];
  if (has.inner)
    parts.push(
      `${marks.point} median`,
      `${marks.inner} 95 % interval`,
      `${marks.outer} 99.7 %`,
      `${marks.band} the band, within ±${MARGIN} pp`,
    );
  const beyond = [has.left ? marks.left : '', has.right ? marks.right : ''].filter(Boolean);
  if (beyond.length > 0) parts.push(`${beyond.join(' ')} goes on`);
  if (has.alone) parts.push(`${marks.alone} too few days`);
  return parts.join('; ');
}
