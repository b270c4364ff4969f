/** What to do with a group, beside its verdict. */

import { mayHaveStopped } from '../../outcomes/doubt.ts';
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import { type Standing, sendsCards } from '../../outcomes/standing.ts';
import type { ToDo } from '../../outcomes/to-do.ts';
import { points } from '../format.ts';
import { MAY_HAVE_STOPPED } from './last-30-days.ts';
import {
  bareVerdict,
  NOT_AMONG_SCREENERS,
  shortVerdict,
  titleText,
  verdictText,
} from './verdict.ts';
import { saysWithdrawn, withdrawnLine } from './withdrawn-verdict.ts';

/** The words for what to do. `behind_others_ahead_of_btc` has none here: `, but above BTC` follows its verdict. */
const TO_DO_WORDS: Readonly<Record<Exclude<ToDo, 'behind_others_ahead_of_btc'>, string>> = {
  keep: 'worth keeping',
  drop: 'worth dropping',
  ahead_of_btc: 'above BTC',
  behind_btc: 'below BTC',
};

/** `worth keeping, above since 24 Sep`, `above since 24 Sep, but may have stopped working`, `above BTC, like your other cards (within 1 pp)`. */
export function toDoTitle(standing: Standing): string {
  const { toDo, comparedWith, verdict } = standing;
  const title = titleText(standing);
  if (mayHaveStopped(standing)) return `${title}, but ${MAY_HAVE_STOPPED}`;
  // Compared with BTC, the verdict itself says above or below BTC: there is nothing to add.
  if (toDo === undefined || comparedWith === 'btc') return title;
  if (toDo === 'behind_others_ahead_of_btc') return `${title}, but above BTC`;
  if (verdict === 'small') return `${TO_DO_WORDS[toDo]}, like your other cards (${title})`;
  return `${TO_DO_WORDS[toDo]}, ${title}`;
}

/**
 * The verdict on a type and what to do with it, on one line. If the type is compared with the others:
 *
 *     verdict  vs BTC   toDo                        text
 *     above    any      keep                        worth keeping: above since 24 Sep
 *     below    below    drop                        worth dropping: below since 24 Sep, below BTC, too
 *       if no day is known                          worth dropping: below others and BTC
 *     below    above    behind_others_ahead_of_btc  below since 24 Sep, but above BTC: keep
 *     below    small                                below since 24 Sep; within 1 pp of BTC: keep
 *     below    unclear                              below since 24 Sep; vs BTC unclear: keep for now
 *     small    above    ahead_of_btc                within 1 pp, but above BTC: keep
 *     small    below    behind_btc                  within 1 pp, but below BTC
 *     small    unclear                              within 1 pp: no reason to drop
 *     unclear  above    ahead_of_btc                unclear, but above BTC: keep for now
 *     unclear  below    behind_btc                  unclear, but below BTC
 *     unclear  unclear                              unclear; a verdict is likely by the end of Dec
 *
 * If the type is compared with BTC, the line is the verdict alone (with `no reason to drop` if it is `small`). For a silent type
 * the line may say to drop it, but never to keep it. For a type that is off, the line says neither.
 *
 * Two cases come before all these:
 *
 *     it may have stopped working       above since 10 Sep; may have stopped working: wait
 *     its verdict was withdrawn         above until 2 Nov; no longer sure: keep
 * @param isWaitLeftOut whether the line has no room for how long its verdict may take
 */
export function typeLineText(standing: Standing, isWaitLeftOut = false): string {
  if (standing.off?.isRemoved) return NOT_AMONG_SCREENERS;
  if (saysWithdrawn(standing)) {
    const verdict = withdrawnLine(standing);
    // Whether to keep a type that sends nothing is another question.
    return sendsCards(standing) ? `${verdict}: keep` : verdict;
  }
  const verdict = verdictOnLine(standing, isWaitLeftOut);
  if (mayHaveStopped(standing)) {
    const advice = sendsCards(standing) ? ': wait' : '';
    return `${verdict}; ${MAY_HAVE_STOPPED}${advice}`;
  }
  return withAdvice(standing, verdict);
}

function verdictOnLine(standing: Standing, isWaitLeftOut: boolean): string {
  const isSilent = standing.silentDays !== undefined;
  // Beside the advice there is room for one day.
  if (isSilent || isWaitLeftOut) return shortVerdict(standing, { silence: true });
  return verdictText(standing);
}

/** @param text the verdict in words, to which the advice of the table above is added */
function withAdvice(standing: Standing, text: string): string {
  const { toDo, verdict, comparedWith } = standing;
  if (!hasAdvice(standing)) return withVsBtc(standing, text);
  if (verdict === 'small' && toDo === undefined) return `${text}: no reason to drop`;
  // Compared with BTC, the verdict itself says above or below BTC: there is nothing to add.
  if (comparedWith === 'btc') return text;
  switch (toDo) {
    case 'keep':
    case 'drop':
      return `${TO_DO_WORDS[toDo]}: ${text}`;
    case 'behind_others_ahead_of_btc':
      return `${withVsBtc(standing, text)}: keep`;
    case 'ahead_of_btc': {
      const advice = verdict === 'small' ? 'keep' : 'keep for now';
      return `${withVsBtc(standing, text)}: ${advice}`;
    }
    case 'behind_btc':
      return withVsBtc(standing, text);
    case undefined:
      return verdict === 'below' ? withDoubtVsBtc(standing, text) : text;
  }
}

/** The line of a type that is below the others, if it is not known to be above or below BTC. */
function withDoubtVsBtc(standing: Standing, text: string): string {
  if (standing.verdictVsBtc === 'small') {
    return `${text}; within ${standing.least} pp of BTC: keep`;
  }
  return `${text}; vs BTC unclear: keep for now`;
}

/**
 * `unclear, but above BTC`: for a type that is neither above nor below the others, but above or below BTC. Undefined for any
 * other type.
 */
export function butVsBtcText(standing: Standing): string | undefined {
  const { toDo, comparedWith } = standing;
  if (comparedWith === 'btc' || saysWithdrawn(standing)) return undefined;
  if (toDo !== 'ahead_of_btc' && toDo !== 'behind_btc') return undefined;
  return `${bareVerdict(standing)}, but ${TO_DO_WORDS[toDo]}`;
}

/** Whether the line of a type says to keep or to drop it. */
function hasAdvice(standing: Standing): boolean {
  if (standing.off !== undefined) return false;
  return sendsCards(standing) || standing.toDo === 'drop';
}

/** The verdict and how the type stands to BTC: `below since 24 Sep, but above BTC`, `unclear, but above BTC`. */
function withVsBtc(standing: Standing, verdict: string): string {
  if (standing.toDo === 'behind_others_ahead_of_btc') return `${verdict}, but above BTC`;
  return butVsBtcText(standing) ?? verdict;
}

/**
 * For a type below the others: `It is below BTC, too: worth dropping.` Empty for any other type.
 * @param vsBtc the difference to BTC, percentage points; null leaves it out
 */
export function belowVsBtcSentence(
  {
    verdict,
    comparedWith,
    verdictVsBtc,
    least = DEFAULT_LEAST,
  }: Pick<Standing, 'verdict' | 'comparedWith' | 'verdictVsBtc'> & Partial<Pick<Standing, 'least'>>,
  vsBtc: number | null,
): string {
  if (verdict !== 'below' || comparedWith !== 'others') return '';
  if (verdictVsBtc === 'below') return 'It is below BTC, too: worth dropping.';
  if (verdictVsBtc === 'above') return 'It is above BTC: no reason to drop it.';
  const figure = vsBtc === null ? '' : ` (vs BTC ${points(vsBtc)})`;
  if (verdictVsBtc === 'small') {
    return `It is within ${least} pp of BTC${figure}: no reason to drop it.`;
  }
  return `Not sure yet whether it is below BTC, too${figure}: keep it for now.`;
}

/**
 * What to do with groups that are below: when to drop one, and for whom "below" is good. Empty if none is below.
 * @param isToldWhatToDo whether other lines of the page say what to do with each group, or how it stands to BTC
 */
export function belowNote(
  standings: readonly Standing[],
  by: string,
  isToldWhatToDo = false,
): string {
  const advice = isToldWhatToDo ? '' : dropAdvice(standings, by);
  const sentences = [advice, shortSellerNote(standings)];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** For a single group that is below: what to do with it. For several groups: the rule, if one that is below is not to be dropped. */
function dropAdvice(standings: readonly Standing[], by: string): string {
  const [only, ...further] = standings;
  if (only !== undefined && further.length === 0) {
    const advice = belowVsBtcSentence(only, only.base.vsBtc);
    if (advice !== '') return advice;
  }
  const isAnyToKeep = standings.some(
    ({ verdict, comparedWith, verdictVsBtc }) =>
      verdict === 'below' && comparedWith === 'others' && verdictVsBtc !== 'below',
  );
  if (!isAnyToKeep) return '';
  return `Drop a ${by} only if it is below BTC, too: one strong ${by} makes the average ones look bad.`;
}

function shortSellerNote(standings: readonly Standing[]): string {
  const isAnyBelowBtc = standings.some(
    ({ verdict, comparedWith, verdictVsBtc }) =>
      verdict === 'below' && (comparedWith === 'btc' || verdictVsBtc === 'below'),
  );
  return isAnyBelowBtc ? 'If you sell these cards short, "below" is good for you.' : '';
}
