/** What to do with a group, beside its verdict. */

import { LEAST } from '../../outcomes/question.ts';
import { type Standing, sendsCards } from '../../outcomes/standing.ts';
import type { ToDo } from '../../outcomes/to-do.ts';
import { dayAndMonth, points } from '../format.ts';
import { isLessLately, otherWayText } from './last-30-days.ts';
import { NOT_AMONG_SCREENERS, shortVerdict, titleText, verdictText, wordText } from './verdict.ts';
import { vsBtcExpected } from './verdict-wait.ts';
import {
  isNoLongerSure,
  NO_LONGER_SURE,
  noLongerSureText,
  untilText,
} from './withdrawn-verdict.ts';

const TO_DO_WORDS: Readonly<Record<Exclude<ToDo, 'behind_others_ahead_of_btc'>, string>> = {
  keep: 'worth keeping',
  drop: 'worth dropping',
  ahead_of_btc: 'above BTC',
  behind_btc: 'below BTC',
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
