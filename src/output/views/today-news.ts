/** News of the notebook in sentences, each with what to do: `today` and `today --changes` say the same. */
import { at } from '../../api/time.ts';
import { mayHaveStopped } from '../../outcomes/doubt.ts';
import { against } from '../../outcomes/figure-table.ts';
import type {
  ChangeFinding,
  DoubtFinding,
  Finding,
  LatelyFinding,
  News,
  NumberFinding,
  TypeFinding,
} from '../../outcomes/findings.ts';
import { hindranceOf } from '../../outcomes/focus.ts';
import { adviceBefore, adviceOf, type EarlierAdvice } from '../../outcomes/judge-numbers.ts';
import { type Standing, sendsCards } from '../../outcomes/standing.ts';
import { toDoOf } from '../../outcomes/to-do.ts';
import type { Advice } from '../../outcomes/tune-types.ts';
import { isSide } from '../../statistics/rule.ts';
import { asSentence, dayAndMonth, percentagePoints, points } from '../format.ts';
import { safeText } from '../safe-text.ts';
import { changeAdvice, yourChange } from './change-words.ts';
import { numberName, phrasesOf, timesOfAdvice } from './cut-words.ts';
import { DO_NOT_ACT, IF_LESS_LATELY, last30DaysAndBeforeText } from './last-30-days.ts';
import { belowVsBtcSentence } from './to-do-words.ts';
import { verdictName, WHOM } from './verdict-names.ts';

/**
 * `pump: above your other cards since 20 Nov (+2.31 pp then, perhaps nearer to 0). Worth keeping.`
 * `pump: since 20 Nov no longer below (-0.40 pp then). There is no reason to drop it any more.`
 * @param standing how the type of the news stands now; undefined if the type has no standing
 * @param notebook all lines, oldest first
 */
export function newsWords(
  { line, before }: News,
  standing?: Standing,
  notebook: readonly Finding[] = [],
): string {
  switch (line.about) {
    case 'number': {
      const lineBefore = before?.about === 'number' ? before : undefined;
      return numberNews(line, lineBefore, { standing, notebook });
    }
    case 'lately': {
      const lineBefore = before?.about === 'lately' ? before : undefined;
      return latelyNews(line, lineBefore, standing);
    }
    case 'doubt':
      return doubtNews(line, standing);
    case 'change': {
      const lineBefore = before?.about === 'change' ? before : undefined;
      return changeNews(line, lineBefore, standing);
    }
    case 'type': {
      const lineBefore = before?.about === 'type' ? before : undefined;
      return typeNews(line, lineBefore, standing);
    }
  }
}

/**
 * `pump: your change of 14 Oct helped. Keep the new settings.`
 * `pump: it is no longer sure that your change of 14 Oct hurt. There is no reason to undo it any more.`
 * If a type sends no cards now, its other news say what to do.
 */
function changeNews(
  line: ChangeFinding,
  before: ChangeFinding | undefined,
  standing: Standing | undefined,
): string {
  const type = safeText(line.type);
  const changedAt = at(line.settings_since);
  const isSilent = sendsNoCards(standing);
  if (line.verdict === 'unclear' && before !== undefined) {
    const finding = `${type}: it is no longer sure that ${yourChange(before.verdict, changedAt)}.`;
    const wasToUndo = before.verdict === 'lower' && !isSilent;
    return wasToUndo ? `${finding} There is no reason to undo it any more.` : finding;
  }
  const finding = `${type}: ${yourChange(line.verdict, changedAt)}.`;
  return isSilent ? finding : `${finding} ${asSentence(changeAdvice(line.verdict))}`;
}

/** What the words of news on a number need besides its lines. */
interface NewsTerms {
  readonly standing: Standing | undefined;
  readonly notebook: readonly Finding[];
}

/**
 * `pump: the higher oi, the better (found on 4 Oct). Act only on cards with oi at 3.9 or more.`
 * `pump: it is no longer sure that oi tells good cards from bad (9 Oct). There is no reason to leave cards out any more.`
 */
function numberNews(
  line: NumberFinding,
  before: NumberFinding | undefined,
  { standing, notebook }: NewsTerms,
): string {
  const type = safeText(line.type);
  const date = dayAndMonth(at(line.at));
  const number = numberName({ key: line.number, absolute: line.absolute });
  if (line.verdict !== 'unclear') {
    const rule = `the ${line.verdict} ${number}, the better`;
    const finding = `${type}: ${rule} (found on ${date}).`;
    const advice = adviceOf(line);
    if (advice === undefined) return finding;
    const insteadOf = insteadOfWords(advice, adviceBefore(line, notebook));
    return `${finding} ${asSentence(`${phrasesOf(advice).act}${insteadOf}`)}`;
  }
  // After a change of settings the cards of the old ones say nothing of the new ones.
  if (before !== undefined && before.settings_since !== line.settings_since)
    return `${type}: its settings have changed, so the advice on ${number} has ended (${date}).`;
  const withdrawal = `${type}: it is no longer sure that ${number} tells good cards from bad (${date}).`;
  const wasAdvised = before !== undefined && adviceOf(before) !== undefined;
  const isOfUse = standing === undefined || hindranceOf(standing) === undefined;
  return wasAdvised && isOfUse
    ? `${withdrawal} There is no reason to leave cards out any more.`
    : withdrawal;
}

/** `, instead of 0 or more (advised on 13 Aug, withdrawn on 24 Aug)`; empty if there was no other advice before. */
function insteadOfWords(advice: Advice, earlier: EarlierAdvice | undefined): string {
  if (earlier === undefined) return '';
  const { value, direction } = earlier.advice;
  const isSame = value === advice.value && direction === advice.direction;
  const what = isSame ? 'again' : `instead of ${phrasesOf(earlier.advice).asNoun}`;
  return `, ${what} (${timesOfAdvice(earlier)})`;
}

/**
 * Whether a type was above, by the line that says that it does less. To do less means to come nearer to 0: a type that was above
 * fell, a type that was below rose. So it was above if its last 30 days are lower than the time before: +0.50 after +2.20.
 */
function wasAbove({ last_30_days: last30Days, before }: LatelyFinding): boolean {
  return last30Days.percentage_points < before.percentage_points;
}

/**
 * `pump: +0.50 in the last 30 days, +2.20 before, vs your other cards (found on 20 Nov). It may have stopped working: do not act on its cards until newer
 * ones show it again.`
 */
function latelyNews(
  line: LatelyFinding,
  before: LatelyFinding | undefined,
  standing: Standing | undefined,
): string {
  const type = safeText(line.type);
  const date = dayAndMonth(at(line.at));
  const parts = { last30Days: line.last_30_days, earlier: line.before };
  const figures = last30DaysAndBeforeText(parts, { lastDaysUntil: undefined });
  if (line.verdict !== 'less') {
    // The line before says `less`. Its figures show whether the type was above: those of `line` no longer do.
    const what = wasAbove(before ?? line) ? 'less' : 'less bad';
    return `${type}: no longer surely ${what} (${date}): ${figures}${versus(standing)}.`;
  }
  const finding = `${type}: ${figures}${versus(standing)} (found on ${date}).`;
  // The news of the doubt told what it may mean, and what to do.
  if (standing?.doubt !== undefined) return `${finding} That it does less is sure by now.`;
  const meaning = wasAbove(line) ? `${IF_LESS_LATELY.above}: ${DO_NOT_ACT}` : IF_LESS_LATELY.below;
  return `${finding} ${asSentence(meaning)}`;
}

/**
 * `pump: +0.70 pp from 9 Sep to 29 Sep, +3.00 before, vs your other cards. It may have stopped working: do not act on its cards until newer ones show it
 * again.`
 * `pump: +2.40 pp from 20 Sep to 10 Oct, vs your other cards. It works again.`
 */
function doubtNews(line: DoubtFinding, standing: Standing | undefined): string {
  const { verdict, of, newer } = line;
  const times = `from ${dayAndMonth(at(line.newer_since))} to ${dayAndMonth(at(line.at))}`;
  const newest = `${safeText(line.type)}: ${percentagePoints(newer.percentage_points)} ${times}`;
  if (verdict === 'cleared') {
    const meaning = of === 'above' ? 'It works again.' : 'It is as bad as before again.';
    return `${newest}${versus(standing)}. ${meaning}`;
  }
  const meaning = of === 'above' ? `${IF_LESS_LATELY.above}: ${DO_NOT_ACT}` : IF_LESS_LATELY.below;
  return `${newest}, ${points(line.before)} before${versus(standing)}. ${asSentence(meaning)}`;
}

/** `, vs your other cards`: what figures are compared with. Empty if it is not known. */
function versus(standing: Standing | undefined): string {
  return standing === undefined ? '' : `, vs ${WHOM[standing.comparedWith]}`;
}

function typeNews(
  line: TypeFinding,
  before: TypeFinding | undefined,
  standing: Standing | undefined,
): string {
  if (isBelowOthers(line) && before !== undefined && isBelowOthers(before))
    return belowBtcNews(line);
  if (isSide(line.verdict)) return foundNews(line, standing);
  if (before !== undefined && isNewComparison(line, before)) return newComparisonNews(line, before);
  return withdrawnNews(line, before, standing);
}

function isBelowOthers({ verdict, to }: TypeFinding): boolean {
  return verdict === 'below' && to === 'others';
}

/** Whether a type is still above or below BTC, and is compared with the other cards from now on. */
function isNewComparison(line: TypeFinding, before: TypeFinding): boolean {
  const hasSameSettings = line.settings_since === before.settings_since;
  const isSameVsBtc = isSide(before.verdict) && line.vs_btc === before.verdict;
  return before.to === 'btc' && line.to === 'others' && hasSameSettings && isSameVsBtc;
}

/** `pump: still above BTC. It is compared with your other cards from 29 Nov on: unclear.` */
function newComparisonNews(line: TypeFinding, before: TypeFinding): string {
  const still = `${safeText(line.type)}: still ${nameOf(before)}.`;
  const from = `from ${dayAndMonth(at(line.at))} on`;
  return `${still} It is compared with your other cards ${from}: ${nameOf(line)}.`;
}

/** A type stays below the others, and its verdict vs BTC has changed: `pump: below BTC, too, since 20 Nov: worth dropping.` */
function belowBtcNews(line: TypeFinding): string {
  const type = safeText(line.type);
  const date = dayAndMonth(at(line.at));
  if (line.vs_btc === 'below') return `${type}: below BTC, too, since ${date}: worth dropping.`;
  return `${type}: since ${date} not sure any more that it is below BTC: keep it for now.`;
}

function foundNews(line: TypeFinding, standing: Standing | undefined): string {
  const { verdict, to } = line;
  const whom = to === 'others' ? ' your other cards' : '';
  const since = `${safeText(line.type)}: ${nameOf(line)}${whom} since ${dayAndMonth(at(line.at))}`;
  const figure = percentagePoints(line.difference_percentage_points);
  const weak = line.weak ? ', from few days' : '';
  // `then` is the day of the verdict: lists show today's figure. A difference is found on a day on which it looks large.
  const finding = `${since} (${figure} then, perhaps nearer to 0${weak}).`;
  // Other news say what to do with a type that may have stopped working since then.
  if (standing !== undefined && mayHaveStopped(standing)) return finding;
  // The rows of the types show the verdict against BTC as it is today.
  const verdictVsBtc = standing?.verdict === verdict ? standing.verdictVsBtc : line.vs_btc;
  const isWorthKeeping = toDoOf(verdict, to, verdictVsBtc) === 'keep';
  const whatToDo = isWorthKeeping
    ? 'Worth keeping.'
    : belowVsBtcSentence({ verdict, comparedWith: to, verdictVsBtc }, null);
  return whatToDo === '' ? finding : `${finding} ${whatToDo}`;
}

function withdrawnNews(
  line: TypeFinding,
  before: TypeFinding | undefined,
  standing: Standing | undefined,
): string {
  const type = safeText(line.type);
  const nameBefore = before === undefined ? '' : nameOf(before);
  const hasNewSettings = before !== undefined && line.settings_since !== before.settings_since;
  if (hasNewSettings && line.settings_since !== null) {
    const date = dayAndMonth(at(line.settings_since));
    return `${type}: no longer counts as ${nameBefore}: its settings changed on ${date}. Cards since then decide.`;
  }
  const date = dayAndMonth(at(line.at));
  // The day comes first: "no longer above since" would sound as if it had been above since then.
  const what = `${type}: since ${date} no longer ${nameBefore}`;
  const now = line.verdict === 'unclear' ? '' : `; now ${nameOf(line)}`;
  const figure = figureThen(line);
  const remark = figure === '' ? '' : ` (${figure})`;
  const finding = `${what}${now}${remark}.`;
  if (before === undefined) return finding;
  if (before.verdict === 'above') return `${finding} That alone is no reason to drop it.`;
  const toDoBefore = toDoOf(before.verdict, before.to, before.vs_btc);
  const wasToDrop = toDoBefore === 'drop' || toDoBefore === 'behind_btc';
  if (wasToDrop) return `${finding} There is no reason to drop it any more.`;
  // Of a type that sends no cards now, its other news say what to do.
  return sendsNoCards(standing) ? finding : `${finding} Keep it.`;
}

/** @param standing undefined if none is known of the type: then it counts as one that sends cards */
function sendsNoCards(standing: Standing | undefined): boolean {
  return standing !== undefined && !sendsCards(standing);
}

/** `+0.70 pp then`, `+0.70 pp vs BTC then`: the difference on the day of the line. Empty if the line has none. */
function figureThen({ to, difference_percentage_points: difference }: TypeFinding): string {
  if (difference === null) return '';
  const whom = to === 'btc' ? ' vs BTC' : '';
  return `${percentagePoints(difference)}${whom} then`;
}

function nameOf({ verdict, to, least }: TypeFinding): string {
  const shown = against(to, verdict);
  return shown === null ? 'nothing measured' : verdictName(shown, least);
}
