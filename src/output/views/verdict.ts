/** What screens and the report say of a standing. */

import { ascending, extent, max } from 'd3-array';
import { blocksOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { pluralize } from '../../base/units.ts';
import { LEAST } from '../../outcomes/question.ts';
import type { AnswerFault } from '../../outcomes/service-medians.ts';
import { isClear, type LatelyNews, type Standing, sendsCards } from '../../outcomes/standing.ts';
import type { ToDo } from '../../outcomes/to-do.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import type { VerdictWait } from '../../outcomes/wait.ts';
import { FEW_CLUSTERS, LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { isSide, KEPT_SMALL, MARGIN, type Word } from '../../statistics/rule.ts';
import { dayAndMonth, estimateText, NONE, points, rangeText, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

export type Tone = 'good' | 'bad' | 'dim';

const TONES: Readonly<Record<ShownVerdict, Tone>> = {
  above_btc: 'good',
  below_btc: 'bad',
  above_others: 'good',
  below_others: 'bad',
  small: 'dim',
  unclear: 'dim',
  too_few_days: 'dim',
};

/** `above`, `below BTC`, `within 1 pp`. @param least the smallest difference that matters, percentage points */
export function verdictName(verdict: ShownVerdict, least = LEAST): string {
  const names: Readonly<Record<ShownVerdict, string>> = {
    above_btc: 'above BTC',
    below_btc: 'below BTC',
    above_others: 'above',
    below_others: 'below',
    small: `within ${least} pp`,
    unclear: 'unclear',
    too_few_days: 'too few days',
  };
  return names[verdict];
}

export function toneOfVerdict(verdict: ShownVerdict): Tone {
  return TONES[verdict];
}

/** `above_others`: the word, and what it is against. */
export function shownVerdict({
  word,
  comparedWith,
}: Pick<Standing, 'word' | 'comparedWith'>): ShownVerdict | null {
  return isSide(word) ? `${word}_${comparedWith}` : word;
}

export function toneOf({ word }: Pick<Standing, 'word'>): Tone {
  if (!isSide(word)) return 'dim';
  return word === 'above' ? 'good' : 'bad';
}

/** Whether its cards are all of BTC, so that there is nothing to compare them with. */
export function isBtcItself({ figures }: Standing): boolean {
  return figures !== null && figures.cards_of_btc > 0 && figures.btc_sample === 0;
}

/** Whether there is something to say of it: a word, or that all its cards are of BTC. */
export function hasVerdict(standing: Standing | null): standing is Standing {
  return standing !== null && (standing.word !== null || isBtcItself(standing));
}

/**
 * The rule, wherever verdicts are explained.
 * @param band the sign of the band, of a page that draws it and both intervals; undefined of any other page
 */
export function ruleText(band?: string): string {
  if (band === undefined)
    return `A verdict starts when the 99.7 % interval lies beyond ±${MARGIN} pp, and ends when the 95 % interval touches 0.`;
  return `A verdict starts when the thin line no longer touches ${band}, and ends when the thick line touches 0.`;
}

/**
 * `above since 24 Sep, weak`, `within 1 pp`, `unclear; a verdict is likely by 23 Dec`, `no card for 21 days`,
 * `above until 2 Nov; +0.2 pp in the last 30 days`.
 */
export function verdictText(standing: Standing | null): string {
  if (standing?.off?.isRemoved) return NOT_AMONG_SCREENERS;
  if (!hasVerdict(standing)) return noVerdictText(standing);
  if (isNoLongerSure(standing)) return noLongerSureText(standing);
  const waits = standing.word === 'unclear' && standing.silentDays === undefined;
  return `${shortVerdict(standing)}${waits ? waitText(standing) : ''}`;
}

/** In the place of the verdict of a type that sends no more cards: nothing is to be done about it. */
export const NOT_AMONG_SCREENERS = 'no longer among your screeners';

/** `no outcome yet`: why the line of a type that changed its settings is empty all at once. */
function noVerdictText(standing: Standing | null): string {
  if (standing === null) return NONE;
  const isChanged = standing.groupFigures !== null && standing.groupFigures.settings_since !== null;
  return isChanged && standing.base.sample === 0 ? 'no outcome yet' : NONE;
}

/**
 * Days of outcomes below which there is no verdict.
 * @param clusterDays the UTC days of a block; without figures those of a short sample after the main horizon
 */
export function daysNeeded(clusterDays: number = blocksOf(MAIN_HORIZON).ofFewDays): number {
  return LEAST_CLUSTERS * clusterDays;
}

/** `8 of 12`: the days with outcomes, of those that a verdict takes. Undefined if there are as many, but too close together. */
export function daysOfNeeded({ figures }: Standing): string | undefined {
  const days = figures?.distinct_days ?? 0;
  const needed = daysNeeded(figures?.cluster_days);
  return days < needed ? `${days} of ${needed}` : undefined;
}

/** As `verdictText`, but without the words on when a verdict may come. */
export function shortVerdict(standing: Standing | null): string {
  if (!hasVerdict(standing)) return noVerdictText(standing);
  const { word, silentDays, isWeak, least } = standing;
  const verdict = shownVerdict(standing);
  if (verdict === null) return 'BTC itself';
  const name = isBelowBoth(standing) ? BELOW_BOTH : verdictName(verdict, least);
  if (word === 'too_few_days') {
    const days = daysOfNeeded(standing);
    return days === undefined ? name : `${name} (${days})`;
  }
  if (word === 'unclear') return silentDays === undefined ? name : silenceText(silentDays);
  const day = shownSince(standing);
  const since = isSide(word) && day !== undefined ? ` since ${dayAndMonth(day)}` : '';
  return `${name}${since}${isWeak ? ', weak' : ''}`;
}

/** `no card for 19 days`: of a silent type, on every screen. @param days whole days without a card */
export function silenceText(days: number): string {
  return `no card for ${pluralize(days, 'day')}`;
}

/** `; a verdict is likely by 23 Dec`, `; no card for 5 days`, `: 5 % have no figure`, `: too few cards to see under 2.8 pp`. */
function waitText(standing: Standing): string {
  const { wordExpected, isUnclearByMissing, pausedDays } = standing;
  if (pausedDays !== undefined) return `; ${silenceText(pausedDays)}`;
  // More outcomes would hardly help: the part without a figure stays.
  if (wordExpected === undefined && isUnclearByMissing)
    return `: ${whoseAreLost(standing)} have no figure`;
  const words = waitWords(standing);
  if (words === '') return '';
  return wordExpected === undefined ? `: ${words}` : `; ${words}`;
}

/**
 * What an unclear verdict waits for, of each question: `a verdict is likely by 23 Dec`, else `too few cards to see under
 * 2.8 pp`. Empty if neither is known.
 */
export function waitWords({ wordExpected, wouldShow }: VerdictWait): string {
  if (wordExpected !== undefined) return `a verdict is likely by ${dayAndMonth(wordExpected)}`;
  return wouldShow === undefined ? '' : wouldShowText(wouldShow);
}

/**
 * When the verdict against BTC is expected, of a type that is below the others, epoch milliseconds UTC. A silent type gets no
 * outcomes from which a verdict could come.
 */
export function vsBtcExpected({
  waitVsBtc,
  silentDays,
}: Pick<Standing, 'waitVsBtc' | 'silentDays'>): number | undefined {
  return silentDays === undefined ? waitVsBtc?.wordExpected : undefined;
}

/** `too few cards to see under 2.8 pp`. @param size the smallest difference that would show, percentage points */
function wouldShowText(size: number): string {
  return `too few cards to see under ${size.toFixed(1)} pp`;
}

/** `4 %`: how many of its outcomes have no figure. */
export function shareLost({ figures }: Standing): string {
  return `${Math.round(100 * (figures?.missing_share ?? 0))} %`;
}

/** `4 %`, of its own outcomes. If all of these have a figure, `other types' outcomes`: it is compared with them. */
export function whoseAreLost(standing: Standing): string {
  return isLostByOthers(standing) ? "other types' outcomes" : shareLost(standing);
}

/** Whether all of its own outcomes have a figure: then those of other types, which it is compared with, lack one. */
export function isLostByOthers(standing: Standing): boolean {
  return shareLost(standing) === '0 %';
}

/** N, both differences and the verdict of a line of a list, all on one base. @param verdictOf its text */
export function differenceColumns<T>(
  of: (row: T) => Standing | null,
  verdictOf: (standing: Standing | null) => string = verdictText,
) {
  const tinted = (row: T, styles: Styles, text: string) => {
    const standing = of(row);
    return standing === null ? text : styles[toneOf(standing)](text);
  };
  const vsOthers: Column<T>['cell'] = (row, { styles }) =>
    tinted(row, styles, points(of(row)?.base.vsOthers));
  const verdict: Column<T>['cell'] = (row, { styles }) => tinted(row, styles, verdictOf(of(row)));
  return {
    size: figureColumn<T>('N', 3, (row) => String(of(row)?.base.sample ?? NONE)),
    vsBtc: figureColumn<T>('VS BTC', 2, (row) => points(of(row)?.base.vsBtc), {
      has: (row) => of(row)?.base.vsBtc != null,
    }),
    vsOthers: figureColumn<T>('VS OTHERS', 1, vsOthers, {
      has: (row) => of(row)?.base.vsOthers != null,
    }),
    verdict: textColumn<T>('VERDICT', 0, verdict, { has: (row) => hasVerdict(of(row)) }),
  } satisfies Record<string, Column<T>>;
}

/** The verdict as a title. If there is none yet: when the first outcome is due, if that is known. */
export function titleText(standing: Standing): string {
  if (hasVerdict(standing)) return verdictText(standing);
  const { dueAt } = standing;
  if (dueAt === undefined) return 'nothing measured yet';
  return `the first outcome is due on ${dayAndMonth(dueAt)}`;
}

const TO_DO_WORDS: Readonly<Record<Exclude<ToDo, 'behind_others_ahead_of_btc'>, string>> = {
  keep: 'worth keeping',
  drop: 'worth dropping',
  ahead_of_btc: 'above BTC',
  behind_btc: 'below BTC',
};

/** Whether a type that is above does less than before: it may have stopped working, so it is not called worth keeping. */
export function isLessLately({ word, lately }: Pick<Standing, 'word' | 'lately'>): boolean {
  return word === 'above' && lately !== undefined;
}

/** What it may mean that a type does less than before, that is, that it is nearer to 0. */
export const LESS_LATELY_MEANS: Readonly<Record<'above' | 'below', string>> = {
  above: 'it may have stopped working',
  below: 'it may be less bad by now',
};

/** `worth keeping, above since 24 Sep`, `above BTC, like your other cards (within 1 pp)`. */
export function toDoTitle(standing: Standing): string {
  const { toDo, comparedWith, word } = standing;
  const title = titleText(standing);
  if (isLessLately(standing)) return `${title}, but less lately`;
  // Compared with BTC, the verdict itself says above or below BTC: there is nothing to add.
  if (toDo === undefined || comparedWith === 'btc') return title;
  if (toDo === 'behind_others_ahead_of_btc') return `${title}, but above BTC`;
  const beside = word === 'small' ? `like your other cards (${title})` : title;
  return `${TO_DO_WORDS[toDo]}, ${beside}`;
}

/** The word alone, without its date: `above`, `below both`, `within 1 pp`, `no longer sure`, `BTC itself`. */
export function wordText(standing: Standing | null): string {
  if (!hasVerdict(standing)) return NONE;
  if (isBelowBoth(standing)) return BELOW_BOTH;
  if (isNoLongerSure(standing)) return NO_LONGER_SURE;
  const verdict = shownVerdict(standing);
  return verdict === null ? 'BTC itself' : verdictName(verdict, standing.least);
}

/** What the line of a type leaves out. */
interface LeftOutOfLine {
  /** That it does less lately: the page says it elsewhere. */
  readonly lately: boolean;
  /** How long its verdict may take: there is no room for it. */
  readonly wait: boolean;
}

/**
 * What to do with a type, and its word, for a line that names nothing else: `worth keeping: above since 24 Sep`, or that it
 * may have stopped working: `above since 10 Sep; less lately`, `above until 2 Nov; no longer sure: keep`. A silence is not
 * mentioned: the same line shows the rate before it (`was 2.9`).
 */
export function typeLineText(standing: Standing, leftOut: LeftOutOfLine): string {
  if (standing.off?.isRemoved) return NOT_AMONG_SCREENERS;
  const withoutSilence: Standing = { ...standing, silentDays: undefined };
  if (isNoLongerSure(standing)) {
    const until = `${untilText(standing)}; ${NO_LONGER_SURE}`;
    const verdict = leftOut.lately ? until : noLongerSureText(standing);
    // Whether to keep a type that sends nothing is another question.
    return sendsCards(standing) ? `${verdict}: keep` : verdict;
  }
  const isWaiting = standing.silentDays === undefined && !leftOut.wait;
  const verdict = isWaiting ? verdictText(withoutSilence) : shortVerdict(withoutSilence);
  if (isLessLately(standing)) return leftOut.lately ? verdict : `${verdict}; less lately`;
  const otherWay = leftOut.lately ? undefined : otherWayText(standing);
  if (otherWay === undefined) return withToDo(standing, verdict);
  return withToDoInShort(standing, `${verdict}; ${otherWay}`);
}

/** `below since 24 Sep, but above BTC: keep`, `unclear, but above BTC: keep for now`, `within 1 pp: no reason to drop`. */
function withToDo(standing: Standing, verdict: string): string {
  const { toDo, word, comparedWith, wordVsBtc } = standing;
  if (!hasDecision(standing)) return withBtc(standing, verdict);
  if (word === 'small' && toDo === undefined) return `${verdict}: no reason to drop`;
  // Compared with BTC, the verdict itself says above or below BTC: there is nothing to add.
  if (comparedWith === 'btc') return verdict;
  switch (toDo) {
    case 'keep':
    case 'drop':
      return `${TO_DO_WORDS[toDo]}: ${verdict}`;
    case 'behind_others_ahead_of_btc':
      return `${withBtc(standing, verdict)}: keep`;
    case 'ahead_of_btc': {
      const keep = word === 'small' ? 'keep' : 'keep for now';
      return `${besideBtcText(standing)}: ${keep}`;
    }
    case 'behind_btc':
      return besideBtcText(standing) ?? verdict;
    case undefined: {
      if (word !== 'below') return verdict;
      // It is below the others, and not known to be below or above BTC.
      if (wordVsBtc === 'small') return `${verdict}; within ${standing.least} pp of BTC: keep`;
      return `${verdict}${vsBtcWaitText(standing)}`;
    }
  }
}

/**
 * `unclear, but above BTC`: of a type that is neither above nor below the others. Undefined of any other type, and if BTC says
 * nothing.
 */
export function besideBtcText(standing: Standing): string | undefined {
  const { toDo, comparedWith } = standing;
  const isBesideOthers = comparedWith === 'others' && !isNoLongerSure(standing);
  if (!isBesideOthers || (toDo !== 'ahead_of_btc' && toDo !== 'behind_btc')) return undefined;
  return `${wordText(standing)}, but ${TO_DO_WORDS[toDo]}`;
}

/** Whether the line of a type says to keep or to drop it. Of a silent type it only says to drop it, of one that is off neither. */
function hasDecision({ off, silentDays, toDo }: Standing): boolean {
  if (off !== undefined) return false;
  return silentDays === undefined || toDo === 'drop';
}

/** `below since 24 Sep, but above BTC`, `unclear, but above BTC`: how it stands in both comparisons, without what to do. */
function withBtc(standing: Standing, verdict: string): string {
  if (standing.toDo === 'behind_others_ahead_of_btc') return `${verdict}, but above BTC`;
  return besideBtcText(standing) ?? verdict;
}

/** The same beside the last 30 days, where there is no room for the reason: `below since 12 Nov; +0.3 pp in the last 30 days: keep`. */
function withToDoInShort(standing: Standing, verdict: string): string {
  const { toDo, comparedWith, wordVsBtc } = standing;
  if (comparedWith === 'btc' || !hasDecision(standing)) return verdict;
  if (toDo === 'keep' || toDo === 'drop') return `${TO_DO_WORDS[toDo]}: ${verdict}`;
  const isNotBelowBtc = wordVsBtc === 'above' || wordVsBtc === 'small';
  return `${verdict}: ${isNotBelowBtc ? 'keep' : 'keep for now'}`;
}

/** `; vs BTC unclear: keep for now`, `: keep; vs BTC likely known by 29 Nov`: of a type that is below the others. */
function vsBtcWaitText(standing: Standing): string {
  const expected = vsBtcExpected(standing);
  if (expected === undefined) return '; vs BTC unclear: keep for now';
  return `: keep; vs BTC likely known by ${dayAndMonth(expected)}`;
}

/** Of a type below the others and below BTC: the one verdict that is a reason to drop it. */
const BELOW_BOTH = 'below both';

function isBelowBoth({ toDo }: Pick<Standing, 'toDo'>): boolean {
  return toDo === 'drop';
}

/**
 * The day of the verdict as screens name it, epoch milliseconds UTC: of `below both` the day on which the later of the two
 * became known. Undefined if the notebook does not say.
 */
export function shownSince(
  standing: Pick<Standing, 'toDo' | 'wordSince' | 'wordVsBtcSince'>,
): number | undefined {
  const { wordSince, wordVsBtcSince } = standing;
  if (!isBelowBoth(standing)) return wordSince;
  if (wordSince === undefined || wordVsBtcSince === undefined) return undefined;
  return Math.max(wordSince, wordVsBtcSince);
}

/** Of a type whose verdict was taken back. */
const NO_LONGER_SURE = 'no longer sure';

/** As `wasTakenBack`, of a type that sends cards: a silent one is told as silent. */
export function isNoLongerSure(
  standing: Pick<Standing, 'word' | 'wordVsBtc' | 'withdrawn' | 'toDo' | 'silentDays'>,
): boolean {
  return standing.silentDays === undefined && wasTakenBack(standing);
}

/**
 * Whether its last verdict above or below was taken back, and nothing else is known of it. What it did before is no reason to
 * rely on it: it may have stopped working.
 */
export function wasTakenBack({
  word,
  wordVsBtc,
  withdrawn,
  toDo,
}: Pick<Standing, 'word' | 'wordVsBtc' | 'withdrawn' | 'toDo'>): boolean {
  if (withdrawn === undefined || word !== 'unclear') return false;
  // A type that is compared with the other cards by now may still be above or below BTC.
  const isStillSo = withdrawn.to === 'btc' && withdrawn.verdict === wordVsBtc;
  return !isStillSo && toDo !== 'behind_btc';
}

/** `above until 2 Nov`; of BTC, `above BTC until 2 Nov`. Undefined if no verdict was taken back. */
export function untilText({ withdrawn }: Pick<Standing, 'withdrawn'>): string | undefined {
  if (withdrawn === undefined) return undefined;
  return `${withdrawnName(withdrawn)} until ${dayAndMonth(withdrawn.until)}`;
}

/** `above until 2 Nov; +0.2 pp in the last 30 days`; without that figure `above until 2 Nov; no longer sure`. */
function noLongerSureText(standing: Standing): string {
  return `${untilText(standing)}; ${last30DaysText(standing) ?? NO_LONGER_SURE}`;
}

/** The same beside news that tell the day: `no longer sure; +0.2 pp in the last 30 days`. */
export function noLongerSureWithoutDay(standing: Standing): string {
  const last30Days = last30DaysText(standing);
  return last30Days === undefined ? NO_LONGER_SURE : `${NO_LONGER_SURE}; ${last30Days}`;
}

/** What is known of the last 30 days of a type. */
type StandingInTime = Pick<Standing, 'figures' | 'lately' | 'isLatelyBesideMost'>;

/** The difference that decides in the last 30 days, as `partsInTime` tells it; undefined if it is not known. */
function last30DaysOf({
  figures,
  lately,
  isLatelyBesideMost,
}: StandingInTime): LatelyNews['last30Days'] | undefined {
  if (!isLatelyBesideMost) return undefined;
  return figures?.last_30_days ?? lately?.last30Days;
}

/** `+0.2 pp in the last 30 days`: the difference that decides; undefined if it is not known. */
function last30DaysText(standing: Standing): string | undefined {
  const last30Days = last30DaysOf(standing);
  if (last30Days === undefined) return undefined;
  return `${signed(last30Days.percentage_points, 1)} pp in the last 30 days`;
}

/** A difference nearer to 0 than that is 0 as printed. Percentage points. */
const PRINTED_AS_0 = 0.05;

/**
 * Whether the last 30 days of a type that is above or below point the other way. That is not sure to mean anything, but who
 * acts on the verdict should know it.
 */
export function pointsOtherWay(standing: StandingInTime & Pick<Standing, 'word'>): boolean {
  const { word } = standing;
  const last = last30DaysOf(standing)?.percentage_points;
  if (last === undefined || !isSide(word)) return false;
  return word === 'above' ? last <= -PRINTED_AS_0 : last >= PRINTED_AS_0;
}

/** `+0.3 pp in the last 30 days` beside `below since 12 Nov`; undefined unless these days point the other way. */
export function otherWayText(standing: Standing): string | undefined {
  return pointsOtherWay(standing) ? last30DaysText(standing) : undefined;
}

/** `verdict` with the last 30 days, if these point the other way: `below since 12 Nov; +0.3 pp in the last 30 days`. */
export function withOtherWay(standing: Standing, verdict: string): string {
  // That it does less lately is said elsewhere on the page, with these figures.
  const otherWay = isLessLately(standing) ? undefined : otherWayText(standing);
  return otherWay === undefined ? verdict : `${verdict}; ${otherWay}`;
}

/** `A verdict is likely by 23 Dec.`, of the words of `waitWords`. */
export function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** `above from 10 Sep to 2 Nov`: a verdict that was taken back. Undefined if there is none. */
export function withdrawnText({ withdrawn }: Pick<Standing, 'withdrawn'>): string | undefined {
  if (withdrawn === undefined) return undefined;
  const { from, until } = withdrawn;
  return `${withdrawnName(withdrawn)} from ${dayAndMonth(from)} to ${dayAndMonth(until)}`;
}

/** `above`, `above BTC` */
function withdrawnName({ verdict, to }: NonNullable<Standing['withdrawn']>): string {
  return to === 'btc' ? `${verdict} BTC` : verdict;
}

/**
 * `above from 10 Sep to 2 Nov; no longer sure (+0.30 in the last 30 days, +2.20 before)`: a verdict that was taken back, and
 * the difference that decides in both times, where both are known. Undefined if none was taken back.
 */
export function earlierText(standing: Standing): string | undefined {
  const earlier = withdrawnText(standing);
  if (earlier === undefined) return undefined;
  const parts = partsInTime(standing);
  const figures = parts === undefined ? '' : ` (${latelyText(parts)})`;
  return `${earlier}; no longer sure${figures}`;
}

/**
 * The difference that decides, in the last 30 days and before: the figures of the page, as the report has them; without them
 * those of the notebook. Undefined unless both are known, and compared with most other cards.
 */
export function partsInTime({
  figures,
  lately,
  isLatelyBesideMost,
}: StandingInTime): LatelyNews | undefined {
  if (!isLatelyBesideMost) return undefined;
  const last30Days = figures?.last_30_days ?? null;
  const earlier = figures?.before ?? null;
  return last30Days === null || earlier === null ? lately : { last30Days, earlier };
}

/** `pump: above from 10 Sep to 2 Nov; no longer sure.`, of groups whose verdict was taken back and whose line says another one. */
export function earlierNotes(standings: readonly Standing[]): string[] {
  const notes: string[] = [];
  for (const standing of standings) {
    const earlier = isNoLongerSure(standing) ? undefined : earlierText(standing);
    if (earlier !== undefined) notes.push(`${safeText(standing.group)}: ${earlier}.`);
  }
  return notes;
}

/** Whether nothing is measured, or too few days are. */
export function isTooEarly({ word }: Standing): boolean {
  return word === null || word === 'too_few_days';
}

/** A line above or below a list: `All cards vs BTC`, and what there is to say. */
export interface HeadLine {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** `+0.50 in the last 30 days, +2.20 before`. */
export function latelyText({ last30Days, earlier }: LatelyNews): string {
  return `${points(last30Days.percentage_points)} in the last 30 days, ${points(earlier.percentage_points)} before`;
}

/** How to come to a first verdict, before there is any. @param exportCommand the command line that buys outcomes; empty for none */
export function nothingFound(standings: readonly Standing[], exportCommand: string): HeadLine {
  const measured = standings.filter(({ figures }) => figures?.sample);
  if (measured.length > 0 && measured.every(isBtcItself)) {
    return { label: 'No verdict', text: 'BTC itself is what cards are compared with.' };
  }
  const how = exportCommand === '' ? '' : `; run daily: \`${exportCommand}\``;
  const withFigures = standings.find(({ figures }) => figures !== null);
  const days = daysNeeded(withFigures?.figures?.cluster_days);
  return { label: 'No verdict yet', text: `needs ${days} days of outcomes${how}` };
}

export function headlineText(lines: readonly HeadLine[], { pairs, styles }: RenderContext): string {
  return pairs(
    lines.map(({ label, text, tone }) => [label, tone === undefined ? text : styles[tone](text)]),
  );
}

/**
 * Of a type below the others: `It is below BTC, too: worth dropping.` Empty for any other type.
 * @param vsBtc the difference to BTC, percentage points; null if it is not said
 */
export function belowWords(
  {
    word,
    comparedWith,
    wordVsBtc,
    least = LEAST,
  }: Pick<Standing, 'word' | 'comparedWith' | 'wordVsBtc'> & Partial<Pick<Standing, 'least'>>,
  vsBtc: number | null,
): string {
  if (word !== 'below' || comparedWith !== 'others') return '';
  if (wordVsBtc === 'below') return 'It is below BTC, too: worth dropping.';
  if (wordVsBtc === 'above') return 'It is above BTC: no reason to drop it.';
  const figure = vsBtc === null ? '' : ` (vs BTC ${points(vsBtc)})`;
  if (wordVsBtc === 'small')
    return `It is within ${least} pp of BTC${figure}: no reason to drop it.`;
  return `Not sure yet whether it is below BTC, too${figure}: keep it for now.`;
}

/** @param isToldWhatToDo whether headings say of each type what to do with it */
export function behindNote(
  standings: readonly Standing[],
  by: string,
  isToldWhatToDo = false,
): string {
  const behind = standings.filter(({ word }) => word === 'below');
  if (behind.length === 0) return '';
  const isAnyBehindBtc = behind.some(
    ({ comparedWith, wordVsBtc }) => comparedWith === 'btc' || wordVsBtc === 'below',
  );
  const short = isAnyBehindBtc ? 'If you sell these cards short, "below" is good for you.' : '';
  const isAnyToKeep = behind.some(
    ({ comparedWith, wordVsBtc }) => comparedWith === 'others' && wordVsBtc !== 'below',
  );
  const [only, ...further] = standings;
  const isAlone = only !== undefined && further.length === 0;
  const words = isAlone ? belowWords(only, only.base.vsBtc) : '';
  if (isToldWhatToDo || (words === '' && !isAnyToKeep)) return short;
  const rule = `Drop a ${by} only if it is below BTC, too: one strong ${by} makes the average ones look bad.`;
  const drop = words === '' ? rule : words;
  return short === '' ? drop : `${drop} ${short}`;
}

/** Why the service's answer for a type is left out. */
const FAULTS: Readonly<Record<AnswerFault, string>> = {
  stale: 'the service marked its answer as stale',
  does_not_fit: "the service's answer does not fit its cards",
  counts_btc: "the service's median counts many of BTC's own cards",
  few: "the service's answer is of too few outcomes",
};

/** The columns of a list that are all on one base. */
const LISTED_FIGURES = 'N, VS BTC, VS OTHERS';

/** How `baseNote` speaks. */
interface BaseNoteOptions {
  /** What the figures are called on the page. */
  readonly figures?: string;
  /** Whether the page marks the types with an older answer with `OLDER`. */
  readonly hasMarks?: boolean;
}

/** Marks a type whose median of the service is older than others'. */
export const OLDER = '°';

/** Says what the figures are made of, where the service's medians decide or are left out. Empty if neither is the case for any type. */
export function baseNote(
  standings: readonly Standing[],
  { figures = LISTED_FIGURES, hasMarks = false }: BaseNoteOptions = {},
): string {
  const ofService = standings.filter(({ base }) => base.source === 'service');
  const sentences: string[] = [];
  if (ofService.length > 0) sentences.push(serviceSentence(ofService, { figures, hasMarks }));
  const faults = new Map<AnswerFault, string[]>();
  const bought: string[] = [];
  for (const { group, base } of standings) {
    if (base.source === 'service') continue;
    const name = safeText(group);
    if (base.leftOut !== undefined && base.leftOut !== 'few')
      faults.set(base.leftOut, [...(faults.get(base.leftOut) ?? []), name]);
    else if (base.sample > 0) bought.push(name);
  }
  for (const [fault, names] of faults)
    sentences.push(
      `${names.join(', ')}: ${FAULTS[fault]}, and is left out; what you bought decides.`,
    );
  if (ofService.length > 0 && bought.length > 0)
    sentences.push(`${bought.join(', ')}: from the outcomes you bought.`);
  return sentences.join(' ');
}

/**
 * `N, VS BTC, VS OTHERS come from the service, which counts all outcomes of 60 days, also those you did not buy: up to 6 Oct (°:
 * up to 21 Sep). Next: 21 Oct.`
 */
function serviceSentence(
  ofService: readonly Standing[],
  { figures, hasMarks }: Required<BaseNoteOptions>,
): string {
  const whose = `which counts all outcomes of ${spanWords(ofService)} days, also those you did not buy`;
  const newest = max(ofService, ({ base }) => base.askedAt);
  const upTo = newest === undefined ? '' : `: up to ${dayAndMonth(newest)}`;
  const older = olderAnswers(ofService);
  const names = hasMarks ? OLDER : older.map(({ group }) => safeText(group)).join(', ');
  const days = daysOf(older.map(({ base }) => base.askedAt)).join(' or ');
  const remark = older.length === 0 ? '' : ` (${names}: up to ${days})`;
  const [next] = daysOf(ofService.map(({ base }) => base.nextAt));
  const again = next === undefined ? '' : ` Next: ${next}.`;
  return `${figures} come from the service, ${whose}${upTo}${remark}.${again}`;
}

/** The standings whose median of the service is older than the newest one of all. */
export function olderAnswers(standings: readonly Standing[]): Standing[] {
  const ofService = standings.filter(({ base }) => base.source === 'service');
  const newest = max(ofService, ({ base }) => base.askedAt);
  if (newest === undefined) return [];
  return ofService.filter(
    ({ base }) => base.askedAt !== undefined && dayAndMonth(base.askedAt) !== dayAndMonth(newest),
  );
}

/** `21 Sep`, `6 Oct`: each day once, the earliest first. @param moments epoch milliseconds UTC */
function daysOf(moments: readonly (number | undefined)[]): string[] {
  const known = moments.filter((moment) => moment !== undefined);
  return [...new Set(known.sort(ascending).map(dayAndMonth))];
}

/** How many days the medians are of: `30`, or `30 to 60` if types differ. */
function spanWords(ofService: readonly Standing[]): string {
  const [fewest = 0, most = 0] = extent(ofService, ({ base }) => base.windowDays);
  return fewest === most ? String(fewest) : `${fewest} to ${most}`;
}

/** From so many percentage points on, the page says what betas took off. */
const SAID_FROM = 0.3;

/**
 * What betas took off the difference to the others, one line a group: `pump: 0.6 pp of it is BTC's rise (taken out): its
 * symbols move 1.4 times as much as BTC, the others 1.1 times.`
 */
export function betaNotes(standings: readonly Standing[]): string[] {
  return standings
    .filter(({ base }) => base.vsOthers !== null && Math.abs(base.beta) > SAID_FROM)
    .map(({ group, base }) => {
      const { btcMove, slope, slopeOfOthers } = base.movesWithBtc();
      const size = `${Math.abs(base.beta).toFixed(1)} pp`;
      const does = base.beta > 0 ? 'is' : 'was hidden by';
      const direction = btcMove > 0 ? 'rise' : 'fall';
      const part = `${size} of it ${does} BTC's ${direction} (taken out)`;
      const times = slope.toFixed(1);
      const timesOfOthers = slopeOfOthers.toFixed(1);
      // Two figures that look alike would explain nothing.
      if (times === timesOfOthers) return `${safeText(group)}: ${part}.`;
      const own = `its symbols move ${times} times as much as BTC`;
      return `${safeText(group)}: ${part}: ${own}, the others ${timesOfOthers} times.`;
    });
}

/**
 * Why words are unclear though their 95 % intervals leave out 0. If it is of one group, the interval that decides is told: the
 * page has the narrower one.
 * @param isOfBtc whether the word against BTC is shown, too
 */
export function unclearNote(standings: readonly Standing[], isOfBtc = false): string {
  const reasons = new Set<string>();
  const isAlone = standings.length === 1;
  for (const { word, wordVsBtc, comparedWith, base, isUnclearByMissing, figures } of standings) {
    const why = isUnclearByMissing
      ? ''
      : whyUnclear(word, base.interval, base.sureInterval, isAlone);
    if (why !== '') reasons.add(`unclear: ${why}`);
    if (!isOfBtc || comparedWith !== 'others' || figures === null) continue;
    const { median_vs_btc_interval_95: interval, median_vs_btc_interval_997: sure } = figures;
    const whyVsBtc = whyUnclear(wordVsBtc, interval, sure, isAlone);
    if (whyVsBtc !== '') reasons.add(`unclear vs BTC: ${whyVsBtc}`);
  }
  return [...reasons].join('\n');
}

function whyUnclear(
  word: Word | null,
  interval: Interval | null,
  sure: Interval | null,
  isIntervalTold: boolean,
): string {
  const isBeyond = (range: Interval | null, margin: number) =>
    range !== null && (range.low > margin || range.high < -margin);
  if (word !== 'unclear' || !isBeyond(interval, 0)) return '';
  if (isBeyond(sure, MARGIN)) return 'the outcomes without a figure could decide either way';
  const range = isIntervalTold && sure !== null ? ` (${rangeText(sure)})` : '';
  return `the 99.7 % interval${range} does not lie beyond ±${MARGIN} pp`;
}

/** Whether only outcomes without a figure keep it unclear, and no verdict is expected. */
function staysUnclearByMissing(standing: Standing): boolean {
  const { word, isUnclearByMissing, silentDays, wordExpected } = standing;
  const isAwaited = silentDays === undefined && wordExpected === undefined;
  return word === 'unclear' && isUnclearByMissing && isAwaited;
}

/** From this share of outcomes without a figure on, the page names the type. */
const MANY_MISSING = 0.1;

/** With fewer bought outcomes the share is not named: it says nothing. */
const LEAST_BOUGHT = 20;

function hasManyMissing({ figures, groupFigures }: Standing): boolean {
  const share = figures?.missing_share ?? 0;
  return share >= MANY_MISSING && (groupFigures?.bought ?? 0) >= LEAST_BOUGHT;
}

/**
 * Two sentences: that types are unclear only because outcomes lack a figure; and which other types have many such outcomes.
 * @param isFirstElsewhere whether the page says the first sentence elsewhere
 */
export function missingNotes(standings: readonly Standing[], isFirstElsewhere = false): string[] {
  const saysFirst = !isFirstElsewhere && standings.some(staysUnclearByMissing);
  const others = standings
    .filter((standing) => hasManyMissing(standing) && !staysUnclearByMissing(standing))
    .map((standing) => `${safeText(standing.group) || 'all cards'} (${shareLost(standing)})`);
  const beginning = saysFirst ? 'Also' : 'Outcomes';
  return [
    saysFirst ? 'Outcomes without a figure could decide either way.' : '',
    others.length === 0 ? '' : `${beginning} without a figure: ${others.join(', ')}.`,
  ];
}

/** The rule, where a verdict is by it and no picture shows it. */
export function ruleNote(standings: readonly Standing[]): string {
  return standings.some(({ word }) => isSide(word)) ? ruleText() : '';
}

/** What the lines and the band of a picture are called. */
interface PictureNames {
  /** The line of the 95 % interval. */
  readonly inner: string;
  /** The line of the 99.7 % interval. */
  readonly outer: string;
  readonly band: string;
}

/**
 * The same rule by the marks of a picture, and that of `within 1 pp`, where verdicts are by them: `A verdict starts once ─ does
 * not touch ░ and ends once ━ touches 0. Within 1 pp: ━ is within ±1.`
 */
export function pictureRules(
  standings: readonly Standing[],
  { inner, outer, band }: PictureNames,
): string[] {
  const rules: string[] = [];
  if (standings.some(({ word }) => isSide(word)))
    rules.push(
      `A verdict starts once ${outer} does not touch ${band} and ends once ${inner} touches 0.`,
    );
  const small = standings.filter(({ word }) => word === 'small');
  const [first] = small;
  if (first === undefined) return rules;
  const { least } = first;
  const isKeptBeyond = small.some(({ base }) => reachesBeyond(base.interval, least));
  const name = verdictName('small', least);
  const rule = isKeptBeyond
    ? `starts once ${inner} is within ±${least}, ends once it leaves ±${KEPT_SMALL * least}`
    : `${inner} is within ±${least}`;
  rules.push(sentenceOf(`${name}: ${rule}`));
  return rules;
}

function reachesBeyond(interval: Interval | null, size: number): boolean {
  return interval !== null && (interval.low < -size || interval.high > size);
}

interface StandingNotesOptions {
  /** What the base is of. */
  readonly figures?: BaseNoteOptions['figures'];
  readonly hasMarks?: BaseNoteOptions['hasMarks'];
  /** Whether the page itself says the rule, what unclear groups wait for, and what to do with groups that are behind. */
  readonly hasSections?: boolean;
}

/** What there is to say below a list. @param by what the groups are */
export function standingNotes(
  standings: readonly Standing[],
  by: string,
  { figures = LISTED_FIGURES, hasSections = false, hasMarks = false }: StandingNotesOptions = {},
): string[] {
  const isWeakSaid = standings.some((standing) => isClear(standing) && standing.isWeak);
  return [
    hasSections ? '' : ruleNote(standings),
    isWeakSaid ? `weak: rests on fewer than ${FEW_CLUSTERS} blocks of days` : '',
    baseNote(standings, { figures, hasMarks }),
    ...betaNotes(standings),
    ...missingNotes(standings, hasSections),
    behindNote(standings, by, hasSections),
  ];
}

export function sinceThenText({ word, figures }: Standing): string {
  const later = figures?.since_then;
  // Beside "within 1 pp" the median of fewer cards would look like a doubt.
  if (!isSide(word) || later == null || later.interval_95 === null) return '';
  const figure = estimateText(later.difference_percentage_points, later.interval_95);
  return `The ${pluralize(later.cards, 'bought outcome')} since that verdict: ${figure} pp.`;
}
