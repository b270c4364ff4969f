/** The page of `today`: what matters most comes first, and nothing is said twice. */
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { at } from '../../api/time.ts';
import { HOUR, pluralize } from '../../base/units.ts';
import { mayHaveStopped } from '../../outcomes/doubt.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { age, dayAndMonth, percent, percentagePoints, shortAge, timePartText } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, View } from '../types.ts';
import type { Actions } from './actions.ts';
import { actionLines, actionPairs, type Topic } from './actions-words.ts';
import { mediansText } from './base-note.ts';
import { creditsOfDay, creditsOfMonth } from './credits-words.ts';
import type { HeadLine } from './head-lines.ts';
import { MAY_HAVE_STOPPED } from './last-30-days.ts';
import {
  asOfSentence,
  figureColumn,
  messagePart,
  rateText,
  symbolText,
  textColumn,
} from './parts.ts';
import type { FocusAdvice } from './prospect-words.ts';
import { typeName } from './screeners.ts';
import { butVsBtcText } from './to-do-words.ts';
import { type NewsItem, type Today, todayFields } from './today-fields.ts';
import { bareVerdict, shortVerdict, verdictText } from './verdict.ts';
import { hasVerdictWords, toneOf } from './verdict-names.ts';
import { silenceText } from './verdict-wait.ts';

export interface TodayPage {
  readonly standings: readonly Standing[];
  /** What to keep, to drop and to change. */
  readonly actions: Actions;
  /** The command line that exports into this history. */
  readonly exportCommand: string;
  /** What more days of outcomes can show, and which share of the outcomes is bought. */
  readonly prospects: readonly HeadLine[];
  /** A type that purchases should go to first, and the command line for that; undefined if there is none, or none that is new. */
  readonly focus: FocusAdvice | undefined;
  /** Which cards are left out, and why no verdict has a date; empty if there is nothing to say. */
  readonly caveats: string;
  /** Whether it is known how many cards a day are usual: a history of a few days does not show it. */
  readonly isUsualKnown: boolean;
  /** Whether --refresh can update the history: it does not go with --from. */
  readonly isRefreshable: boolean;
  /** Whether the history ended so long ago that its last 24 h are of no interest (more than 36 h: `isOldHistory`). */
  readonly isOld: boolean;
}

export const todayView = (page: TodayPage): View<Today> => ({
  fields: todayFields,
  page: (today, render) => {
    const { isOld, caveats } = page;
    const parts = [
      exportPart(today, page, render),
      newsPart(today.news, render),
      actionsPart(today, page, render),
      typesPart(today, page, render),
      restPart(today, page, render),
    ];
    const last = render.note(caveats);
    const cards = isOld ? [] : cardLists(today, [...parts, last], render);
    return render.sections([...parts, ...cards, last].map((body) => ({ body })));
  },
});

/** Says that nothing was exported lately. It comes first, because the rest of the page is older. */
function exportPart(
  { unusual, history }: Today,
  { isOld }: TodayPage,
  render: RenderContext,
): string {
  const asOf = isOld ? ` ${asOfSentence(Date.parse(history.covered_until), render.now)}` : '';
  return unusual
    .filter(({ kind }) => kind === 'export')
    .map(({ message, command }) => ({ message: `${message}${asOf}`, command }))
    .map((item) => messagePart(item, render, render.styles.warn))
    .join('\n');
}

function newsPart(news: readonly NewsItem[], render: RenderContext): string {
  return news
    .map((item) =>
      messagePart(item, render, isFinding(item) ? render.styles.bold : render.styles.warn),
    )
    .join('\n');
}

/** Whether an export found it. Other news are that something ends, or is silent. */
const isFinding = ({ kind }: NewsItem): boolean =>
  kind === 'verdict' || kind === 'number' || kind === 'lately' || kind === 'change';

/** The news alone, for a mail or a push: a line for each, and its command on a line below it. */
export function newsText(news: readonly NewsItem[], render: RenderContext): string {
  return news.map((item) => messagePart(item, render, (text) => text)).join('\n');
}

/** What to do. For a type that the news name, it is said in short. */
function actionsPart(
  { news }: Today,
  { actions, exportCommand }: TodayPage,
  render: RenderContext,
): string {
  const isToldAbove = (type: string, topic: Topic) => isAdviceInNews(news, type, topic);
  const lines = actionLines(actions, { isToldAbove, exportCommand });
  return render.pairs(actionPairs(lines, render.styles));
}

/** Whether the news say what to do with a type on a topic. */
function isAdviceInNews(news: readonly NewsItem[], type: string, kind: Topic): boolean {
  // News of kind `screener` without a type are of all types.
  const newsOfKind = news.filter(
    (item) => item.kind === kind && [type, null].includes(item.screener_type),
  );
  return newsOfKind.some(({ command, verdict }) => {
    // Without a command the news of a number name no setting to try.
    if (kind === 'number') return command !== null;
    // News that newer cards show as much as before give no advice.
    if (kind === 'lately') return verdict === 'less' || verdict === 'in_doubt';
    return true;
  });
}

/**
 * The cards and outcomes of the last 24 h. A history that ended long ago has none. If fewer than half of the outcomes due that day are
 * measured, they say nothing of the day, and are left out.
 */
function lastDayPairs(today: Today, page: TodayPage, { now }: RenderContext): Pair[] {
  if (page.isOld) return [];
  const { history, cards, settled } = today;
  const measured = settled[MAIN_HORIZON];
  // `biggest_moves` is empty if fewer than half are measured.
  const areFewMeasured = measured.sample > 0 && today.biggest_moves.length === 0;
  // Where exports can buy few outcomes (`scarcity`), those of one day say little: the line `Bought` tells the share.
  const areOutcomesTold = today.scarcity === null && !areFewMeasured;
  const words = [`${measured.sample} measured in that time`];
  const { median_move_pct: move, median_vs_btc_percentage_points: vsBtc } = measured;
  if (move !== null) words.push(`: median move ${percent(move)}`);
  if (vsBtc !== null) words.push(`, vs BTC ${percentagePoints(vsBtc)}`);
  const count = pluralize(cards.last_24h, 'card');
  const usual = usualWords(today, page);
  const end = endWords(history.covered_until, now, page);
  const pairs: Pair[] = [['Last 24 h', `${count}${usual}${end}`]];
  if (areOutcomesTold) pairs.push(['Outcomes', words.join('')]);
  return pairs;
}

/**
 * `, usually 43`. On the day on which a type's settings change, its usual rate is still that of the days before: `; usually 43 a day
 * before the change of 29 Sep`.
 */
function usualWords({ cards: { usual } }: Today, { isUsualKnown, standings }: TodayPage): string {
  if (!isUsualKnown) return '';
  const usually = `usually ${usual.toFixed(usual < 10 ? 1 : 0)}`;
  const changed = standings.find(({ rate }) => rate.isFromBeforeChange);
  const changedAt = changed?.groupFigures?.settings_since ?? null;
  if (changedAt === null) return `, ${usually}`;
  return `; ${usually} a day before the change of ${dayAndMonth(at(changedAt))}`;
}

/** `, until 2 hours ago (--refresh updates)`; empty if the history ended less than an hour ago. */
function endWords(coveredUntil: string, now: number, { isRefreshable }: TodayPage): string {
  const isOfNow = now - Date.parse(coveredUntil) < HOUR;
  const remark = isRefreshable ? ' (--refresh updates)' : '';
  return isOfNow ? '' : `, until ${age(coveredUntil, now)}${remark}`;
}

type TypeRow = Today['by_type'][number];

/** One line for each type, in the order of the ranking: its cards, and its verdict. What to do with it stands above. */
function typesPart(today: Today, page: TodayPage, { table }: RenderContext): string {
  const { actions, standings, isUsualKnown, isOld } = page;
  const standingOf = ({ screener_type: type }: TypeRow) =>
    standings.find(({ group }) => group === type) ?? null;
  const rateOf = (row: TypeRow) => {
    const standing = standingOf(row);
    // A type that is switched off or removed has no usual cards.
    const isOff = standing?.off !== undefined;
    if (!isUsualKnown || isOff) return rateText(undefined);
    return rateText(standing?.rate);
  };
  const judged = standings.filter(({ verdict }) => verdict !== null);
  const areAllVsBtc =
    judged.length > 0 && judged.every(({ comparedWith }) => comparedWith === 'btc');
  const whom = areAllVsBtc ? 'BTC' : 'YOUR OTHER CARDS';
  const columns: Column<TypeRow>[] = [
    textColumn('TYPE', 0, (row) => {
      const standing = standingOf(row);
      return standing === null ? safeText(row.screener_type) : typeName(standing);
    }),
    figureColumn('CARDS', 0, ({ cards }) => String(cards), { has: () => !isOld }),
    figureColumn('USUAL', 1, rateOf, { has: (row) => isUsualKnown && standingOf(row) !== null }),
    textColumn(
      `VERDICT (24 H, VS ${whom})`,
      0,
      (row, { styles }) => {
        const standing = standingOf(row);
        if (standing === null) return bareVerdict(null);
        const daysTold = daysOfNews(today.news, row.screener_type);
        return styles[toneOf(standing)](verdictWords(standing, daysTold));
      },
      { has: (row) => hasVerdictWords(standingOf(row)) },
    ),
  ];
  const places = new Map(actions.standings.map(({ group }, place) => [group, place]));
  const placeOf = ({ screener_type: type }: TypeRow) => places.get(type) ?? places.size;
  return table(
    columns,
    today.by_type.toSorted((one, other) => placeOf(one) - placeOf(other)),
  );
}

/** The days of the news on a type's verdict: `20 Aug`. */
function daysOfNews(news: readonly NewsItem[], type: string): string[] {
  return news
    .filter(({ kind, screener_type }) => kind === 'verdict' && screener_type === type)
    .map((item) => dayAndMonth(Date.parse(item.at)));
}

/**
 * The verdict as `stats` and `screeners` word it, but without a day that the news above have said: `above since 20 Aug`, `above`,
 * `unclear: 1.5 pp or more would likely show`, `unclear, but above BTC`, `no card for 19 days`, `may have stopped working`.
 */
export function verdictWords(standing: Standing, daysTold: readonly string[]): string {
  return wordsIfSilent(standing) ?? wordsIfNotSilent(standing, daysTold);
}

/** `above since 20 Aug, no card for 19 days`, `no card for 19 days`. Undefined if the type is not silent. */
function wordsIfSilent(standing: Standing): string | undefined {
  const { silentDays } = standing;
  if (silentDays === undefined) return undefined;
  const silence = silenceText(silentDays);
  return isClear(standing) ? `${shortVerdict(standing)}, ${silence}` : silence;
}

function wordsIfNotSilent(standing: Standing, daysTold: readonly string[]): string {
  if (standing.off?.isRemoved) return verdictText(standing);
  if (mayHaveStopped(standing)) return MAY_HAVE_STOPPED;
  const butVsBtc = butVsBtcText(standing);
  if (butVsBtc !== undefined) return butVsBtc;
  if (daysTold.length === 0) return verdictText(standing);
  return isDayToAdd(standing, daysTold) ? verdictText(standing) : bareVerdict(standing);
}

/**
 * Whether the day since when the verdict holds is still to be said. News of the comparison with BTC name the day of that comparison
 * only.
 */
function isDayToAdd(standing: Standing, daysTold: readonly string[]): boolean {
  const { verdict, verdictSince } = standing;
  if (!isSide(verdict) || verdictSince === undefined) return false;
  return !daysTold.includes(dayAndMonth(verdictSince));
}

function restPart(today: Today, page: TodayPage, render: RenderContext): string {
  const { standings, prospects, focus } = page;
  const facts: Pair[] = [
    ...lastDayPairs(today, page, render),
    ['Verdicts', mediansText(standings, render.now, today.scarcity !== null)],
    ...prospects.map(({ label, text }): Pair => [label, text]),
    ['Credits', creditsText(today.credits, render.now)],
  ];
  // Without a type there is nothing to say. Without a command exports already buy the type first: the line `Bought` names it.
  if (focus?.command === undefined) return render.pairs(facts);
  return `${render.pairs([...facts, ['Focus', focus.text]])}\n  ${focus.command}`;
}

function creditsText(credits: Today['credits'], now: number): string {
  if (credits === null) return 'not known: `screener access` asks (free)';
  const { remaining, limit, resets_at, day_limit } = credits;
  const ofMonth = { left: remaining, possiblySpent: credits.possibly_spent };
  const ofDay = { spent: credits.spent_today, possiblySpent: credits.possibly_spent_today };
  const month = creditsOfMonth(ofMonth, ` of ${limit} left`);
  const day = creditsOfDay(ofDay, day_limit, 'spent today');
  return `${month}, reset ${age(resets_at, now)}; ${day}`;
}

/** Lines that a list takes besides its rows: its header, and a blank line. */
const BESIDE_ROWS = 2;

/** If there is room for fewer rows, the lists are left out. */
const LEAST_ROWS = 2;

/** The most rows of a list, even on a tall terminal: the rest of the page matters more. */
const MOST_ROWS = 5;

/** Lines of the terminal that its prompt takes below the page. */
const PROMPT_LINES = 1;

/**
 * The lists share the lines that are free on the screen. In a pipe each has its most rows.
 * @param besides the other parts of the page, above and below the lists
 */
function cardLists(today: Today, besides: readonly string[], render: RenderContext): string[] {
  const { biggest_moves: moves, newest } = today;
  const listCount = [moves, newest].filter(({ length }) => length > 0).length;
  if (listCount === 0) return [];
  const rows = roomForRows(besides, listCount, render);
  if (rows < LEAST_ROWS) return [];
  const rowsOfMoves = Math.min(MOST_ROWS, Math.ceil(rows / listCount));
  const rowsOfNewest = Math.min(MOST_ROWS, listCount === 1 ? rows : rows - rowsOfMoves);
  const movesVsBtc = moves.toSorted((one, other) => sizeVsBtc(other) - sizeVsBtc(one));
  return [
    render.table(MOVES_COLUMNS, movesVsBtc.slice(0, rowsOfMoves)),
    render.table(NEWEST_COLUMNS, newest.slice(0, rowsOfNewest)),
  ];
}

/** How many rows of all lists together the terminal has room for. @param besides the other parts of the page */
function roomForRows(
  besides: readonly string[],
  listCount: number,
  { height }: RenderContext,
): number {
  if (height === undefined) return listCount * MOST_ROWS;
  let taken = PROMPT_LINES + listCount * BESIDE_ROWS;
  for (const part of besides) {
    // A part takes its lines, and a blank one.
    if (part !== '') taken += part.split('\n').length + 1;
  }
  return height - taken;
}

type Move = Today['biggest_moves'][number];

/** The size of a move's difference to BTC, percentage points; without BTC's move it comes last. */
function sizeVsBtc({ move_24h_pct: move, btc_move_24h_pct: btc }: Move): number {
  return btc === null ? 0 : Math.abs(move - btc);
}

const CARD_COLUMNS: readonly Column<Today['newest'][number]>[] = [
  textColumn('SYMBOL', 0, ({ source_symbol }, render) => symbolText(source_symbol, render)),
  textColumn('TYPE', 1, ({ source_bot_type }) => safeText(source_bot_type)),
  figureColumn('ID', 2, ({ id }) => String(id)),
];

const MOVES_COLUMNS: readonly Column<Move>[] = [
  textColumn('BIGGEST VS BTC', 0, ({ move_24h_pct: move, btc_move_24h_pct: btc }, { styles }) =>
    percentagePoints(btc === null ? null : move - btc, styles),
  ),
  figureColumn('24H MOVE', 1, ({ move_24h_pct }, { styles }) => percent(move_24h_pct, styles)),
  ...CARD_COLUMNS,
];

const NEWEST_COLUMNS: readonly Column<Today['newest'][number]>[] = [
  textColumn(
    ({ zone }) => `NEWEST CARDS (${zone.name})`,
    0,
    ({ created_at }, { now, zone }) => {
      const clock = timePartText(created_at, zone, 'clock');
      const ageText = shortAge(created_at, now);
      return ageText === '' ? clock : `${clock}, ${ageText} ago`;
    },
  ),
  ...CARD_COLUMNS,
];
