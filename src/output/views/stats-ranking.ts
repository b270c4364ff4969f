/** `stats --by` for people: one line a group. The comparison that decides is drawn on an axis, the same for all lines. */
import { horizonOf } from '../../api/contract/horizons.ts';
import type { SignalStats } from '../../api/contract/resources.ts';
import { at } from '../../api/time.ts';
import { pluralize } from '../../base/units.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import { last30DaysAndBefore } from '../../outcomes/still-holds.ts';
import { dayAndMonth, daysText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair, Part, RenderContext, RowSection } from '../types.ts';
import type { Actions } from './actions.ts';
import { actionLines, actionPairs } from './actions-words.ts';
import { type HeadLine, headlineText, nothingFound } from './head-lines.ts';
import {
  basisWords,
  noGroupsText,
  type StatsPage,
  settingsWarning,
  WHERE_FINDS,
} from './history-stats.ts';
import {
  goesOnWords,
  type IntervalAxis,
  intervalWords,
  isDrawn,
  marksOf,
  marksShown,
} from './interval-axis.ts';
import { last30DaysAndBeforeText } from './last-30-days.ts';
import { offerPart } from './parts.ts';
import type { FocusAdvice } from './prospect-words.ts';
import {
  type Drawing,
  drawingOf,
  hasChanged,
  LAST_30_DAYS,
  linesByComparison,
  type RankedGroups,
  wideColumnWords,
} from './ranking-columns.ts';
import { fewDaysNotes, isNothingKnown, sectionsOf, waitNotes } from './sections.ts';
import { standingNotes } from './standing-notes.ts';
import { statsByTypeView } from './stats.ts';
import { twoSidesNotes } from './tune-words.ts';
import { isTooEarly, WHOM } from './verdict-names.ts';
import { LINES_IN_WORDS, pictureRules } from './verdict-rule.ts';
import { saysWithdrawn } from './withdrawn-verdict.ts';

export interface Ranking extends StatsPage, RankedGroups {
  /** The newest answer of the service for each type. */
  readonly answers: readonly SignalStats[];
  /** The command line that shows what new settings of a type did. */
  readonly beforeAndAfter: (type: string) => string;
  /** What to keep, to drop and to change; undefined where the groups are no types, or only some cards of them. */
  readonly actions: Actions | undefined;
  /** How to learn whether a type that is below the others is below BTC, too; undefined if there is no such type. */
  readonly focus: FocusAdvice | undefined;
  /** Headlines that say from which difference on an account with so many cards can get a verdict. */
  readonly prospects: readonly HeadLine[];
}

export function rankingPage(ranking: Ranking, render: RenderContext): string {
  const { paragraph, sections, table } = render;
  const withFigures = ranking.standings.filter(({ groupFigures }) => groupFigures !== null);
  if (withFigures.length === 0) return paragraph(noGroupsText(ranking));
  const selection = selectLines(ranking, withFigures);
  const drawing = drawingOf(ranking, selection.lines, render);
  const title = rankingTitle(ranking, selection.lines, drawing);
  const head = headTexts(ranking, withFigures, render);
  const body = rankingBody(ranking, selection, drawing, render);
  return sections([
    { title, body: head },
    // The title is printed once: above the headlines; if there are none, above the table.
    head.length > 0 ? { body } : { title, body },
    {
      title: "The service's medians over all outcomes of 30 days, without intervals",
      body: table(statsByTypeView.columns ?? [], answersShown(ranking, selection.lines)),
    },
  ]);
}

/** The headlines: what to do, and below it what an account with so many cards can find out at all. */
function headTexts(
  { actions, exportCommand, prospects }: Ranking,
  withFigures: readonly Standing[],
  render: RenderContext,
): string[] {
  const lines: Pair[] = [];
  if (actions === undefined) lines.push(...nothingKnown(withFigures, exportCommand));
  else lines.push(...actionPairs(actionLines(actions, { exportCommand }), render.styles));
  // The prospects are a block of their own: their long labels would make the texts of the first block narrower.
  return [render.pairs(lines), headlineText(prospects, render)].filter((text) => text !== '');
}

/** `BTCUSDT: 24 h after the trigger, in pp. Picture and verdict: against BTC`. Without a picture only the verdict is named. */
function rankingTitle(
  { horizon, head }: Ranking,
  lines: readonly Standing[],
  { axis }: Pick<Drawing, 'axis'>,
): string {
  const symbol = head.symbol === null ? '' : `${safeText(head.symbol)}: `;
  const { shortWords } = horizonOf(horizon);
  const what = axis === undefined ? 'Verdict' : 'Picture and verdict';
  return `${symbol}${shortWords} after the trigger, in pp. ${what}: against ${againstWords(lines)}`;
}

/**
 * What most lines are compared with: `your other cards`, or `BTC`. The other lines are named behind it: `BTC (DOGEUSDT: your other
 * cards)`. As long as no line has an interval, none is named.
 */
function againstWords(lines: readonly Standing[]): string {
  const compared = linesByComparison(lines);
  const isMostlyBtc = compared.btc.length > compared.others.length;
  const usual = isMostlyBtc ? 'btc' : 'others';
  const unusual = isMostlyBtc ? 'others' : 'btc';
  const exceptions = compared[unusual];
  if (exceptions.length === 0 || !lines.some(isDrawn)) return WHOM[usual];
  const names = exceptions.map(({ group }) => safeText(group)).join(', ');
  return `${WHOM[usual]} (${names}: ${WHOM[unusual]})`;
}

/** The table of the groups, and what is said below it. */
function rankingBody(
  ranking: Ranking,
  selection: Selection,
  drawing: Drawing,
  render: RenderContext,
): Part[] {
  const { isSorted, commandAgain, beforeAndAfter, focus } = ranking;
  const { lines, hidden } = selection;
  const { note, offer, table, tableOfSections } = render;
  const { columns } = drawing;
  const changed = lines.filter(hasChanged);
  // If nothing is measured yet in any hidden group, no command is offered that would show them.
  const isMoreWorthSeeing = hidden.some(({ verdict }) => verdict !== null);
  return [
    isSorted ? table(columns, lines) : tableOfSections(columns, rowSections(lines, render)),
    note(...notesBelow(ranking, lines, render, drawing)),
    focus !== undefined && offerPart(focus, render),
    isMoreWorthSeeing && offer(`${hidden.length} more:`, commandAgain('--sort', '-group')),
    changed.length > 0 &&
      offer(
        `${changedText(changed)}. To compare before and after:`,
        ...changed.map(({ group }) => beforeAndAfter(group)),
      ),
    settingsWarning(ranking, render),
  ];
}

/** The service's medians have no intervals: once a line has a verdict, they would compete with it and are not shown. */
function answersShown({ answers }: Ranking, lines: readonly Standing[]): readonly SignalStats[] {
  return lines.every(isTooEarly) ? answers : [];
}

/** The lines of the table. */
interface Selection {
  readonly lines: readonly Standing[];
  /** Groups that have cards, but no line. */
  readonly hidden: readonly Standing[];
}

/** Chooses the lines. In an order of the user's, every group has one. */
function selectLines(
  { by, standings, isSorted }: Ranking,
  withFigures: readonly Standing[],
): Selection {
  if (isSorted) return { lines: withFigures, hidden: [] };
  if (by === 'type') {
    // A type that never had a card has no figures. Its line says that it is silent.
    const hasLine = ({ groupFigures, silentDays }: Standing) =>
      groupFigures !== null || silentDays !== undefined;
    return { lines: standings.filter(hasLine), hidden: [] };
  }
  const lines = clearFirst(withFigures);
  return { lines, hidden: withFigures.filter((group) => !lines.includes(group)) };
}

/** The lines below the headings of their sections. */
function rowSections(
  lines: readonly Standing[],
  { styles }: RenderContext,
): RowSection<Standing>[] {
  return sectionsOf(lines).map(({ heading, tone, standings }) => ({
    heading: tone === 'dim' ? heading : styles[tone](heading),
    rows: standings,
  }));
}

/** The headline as long as no group has a verdict. */
function nothingKnown(standings: readonly Standing[], exportCommand: string): Pair[] {
  if (!isNothingKnown(standings)) return [];
  const { label, text } = nothingFound(standings, exportCommand);
  return [[label, text]];
}

/** Groups beyond these lines are shown only if their verdict is clear. */
const USUAL_LINES = 8;

/** All groups with a clear verdict, then those with the most outcomes, until there are 8 lines. */
function clearFirst(standings: readonly Standing[]): Standing[] {
  const clear = standings.filter(isClear);
  const others = standings
    .filter((standing) => !isClear(standing))
    .sort((a, b) => b.base.sample - a.base.sample);
  return [...clear, ...others].slice(0, Math.max(USUAL_LINES, clear.length));
}

/** `* only cards since the last change of settings: pump 19 Sep, dump 29 Sep`. The headlines say what the change did. */
function changedText(changed: readonly Standing[]): string {
  const changes = changed.map(({ group, groupFigures }) => {
    const day = dayAndMonth(at(groupFigures?.settings_since ?? ''));
    return `${safeText(group)} ${day}`;
  });
  return `* only cards since the last change of settings: ${changes.join(', ')}`;
}

/** The paragraphs below the table. One that does not apply is empty, or false. */
function notesBelow(
  ranking: Ranking,
  lines: readonly Standing[],
  { unicode }: RenderContext,
  { axis, wideColumn }: Pick<Drawing, 'axis' | 'wideColumn'>,
): Part[] {
  const { by, groups, head } = ranking;
  const groupsLeftOut = head.groups_left_out;
  const basis = basisWords(groups, head.bought_first, `, ${daysText(ranking.period)}`);
  const suggestions = ranking.actions?.settings?.suggestions ?? [];
  return [
    axis !== undefined && pictureText(lines, axis, unicode),
    ...waitNotes(lines, !ranking.isSorted),
    ...fewDaysNotes(lines),
    ...twoSidesNotes(suggestions, lines),
    wideColumn !== LAST_30_DAYS && latelyNote(lines),
    wideColumn !== undefined && wideColumnWords(lines, wideColumn),
    ranking.hasWhere ? WHERE_FINDS : basis,
    ranking.caveats,
    groupsLeftOut > 0 &&
      `Not shown: ${pluralize(groupsLeftOut, 'group')} with fewer outcomes than --min-sample.`,
    ...coincidenceNotes(lines),
    ...standingNotes(lines, by, { hasSections: true }),
  ];
}

/** `pump: 45 % of its cards coincide with dump.`, of types that often fire together. */
function coincidenceNotes(lines: readonly Standing[]): string[] {
  const sentences: string[] = [];
  for (const { group, groupFigures } of lines) {
    for (const other of groupFigures?.coincides_with ?? []) {
      const percent = Math.round(100 * other.share);
      sentences.push(
        `${safeText(group)}: ${percent} % of its cards coincide with ${safeText(other.group)}.`,
      );
    }
  }
  return sentences;
}

/**
 * `momentum_break: +0.50 in the last 30 days, +2.20 before.`, of types that are less bad lately, or no longer sure.
 */
function latelyNote(lines: readonly Standing[]): string {
  const sentences: string[] = [];
  for (const line of lines) {
    // Wait tells the figures of a type that may have stopped working.
    const isLessBad = line.verdict === 'below' && line.lessLately !== undefined;
    const differsLately = isLessBad || saysWithdrawn(line);
    const parts = last30DaysAndBefore(line);
    if (differsLately && parts !== undefined)
      sentences.push(`${safeText(line.group)}: ${last30DaysAndBeforeText(parts, line)}.`);
  }
  return sentences.join(' ');
}

/**
 * What the marks of the picture are, and when a verdict starts and ends: `● median; ━ 95 % interval; ─ 99.7 %; ░ within ±0.1 pp; ◂ goes
 * on. Above or below begins when the thin line leaves the band, and ends when the thick line touches 0.`
 */
function pictureText(lines: readonly Standing[], axis: IntervalAxis, unicode: boolean): string {
  const has = marksShown(lines, axis);
  const marks = has.intervals ? intervalWords(unicode) : [];
  const legend = [...marks, ...goesOnWords(has, unicode)].join('; ');
  const { inner, outer, band } = marksOf(unicode);
  // ASCII lines are not thick or thin. Without quotation marks their signs would be read as punctuation.
  const quoted = { inner: `"${inner}"`, outer: `"${outer}"`, band: `"${band}"` };
  const rules = pictureRules(lines, unicode ? LINES_IN_WORDS : quoted);
  return rules.length === 0 ? legend : `${legend}. ${rules.join(' ')}`;
}
