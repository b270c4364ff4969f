/** What to keep, to drop and to change, in words: `today`, `stats --by type` and the report begin with these lines. */
import { quietDaysOfAll, type Standing } from '../../outcomes/standing.ts';
import type { ComparedWith } from '../../outcomes/types.ts';
import { asSentence, dayAndMonth, signed } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';
import {
  type Actions,
  ADVICE_IF_ALL_ARE_SILENT,
  adviceOnSilence,
  type ChangeAction,
  type Reason,
  type SettingsActions,
  type Suggestion,
  type TypeAction,
} from './actions.ts';
import { changeAdvice, yourChange } from './change-words.ts';
import { nothingFound } from './head-lines.ts';
import { butNewerCards, DO_NOT_ACT, IF_LESS_LATELY, newerAndBefore } from './last-30-days.ts';
import { isNothingKnown } from './sections.ts';
import { expectedWords, isToTry, suggestionWords } from './tune-words.ts';
import { type Tone, WHOM } from './verdict-names.ts';
import { saysWithdrawn } from './withdrawn-verdict.ts';

/** Words, the name of a type, or a difference in percentage points: a page decides how names and figures look. */
export type Piece =
  | string
  | { readonly name: string; readonly tone: Tone }
  | { readonly points: number };

type Phrase = readonly Piece[];

/** A line with its phrases. */
export interface ActionLine {
  readonly label: string;
  readonly phrases: readonly Phrase[];
  /** Whether each phrase is about another type, and has a line of its own. */
  readonly isList: boolean;
}

/**
 * What a page may say of a type above these lines. They do not repeat it. One exception: for a number at the trigger they still say
 * what to expect (`suggestionPhrase`).
 */
export type Topic = 'verdict' | 'number' | 'lately' | 'change' | 'screener';

/** Whether the page says something of a type on a topic above these lines. */
export type IsToldAbove = (type: string, topic: Topic) => boolean;

interface PageContent {
  readonly isToldAbove: IsToldAbove;
  /** The command line that buys outcomes; empty if there is none to copy. */
  readonly exportCommand: string;
}

/** Types without a remark are named up to this number; more of them are only counted. */
const MOST_NAMES = 4;

/**
 * The lines of a page:
 * - `Wait`, `Keep`, `Drop` and `Change`. Every type that sends cards is in one of the first three, and in one only. `Wait` has the types
 *   that may have stopped working, because in `Keep` they would seem to work, and the changes of which it is not known yet what they
 *   did. Without the former it is the last line.
 * - If there is nothing to drop or to change: one line, `To do`.
 * - If nothing is known: how to come to a first verdict, and `Change` if it has advice.
 */
export function actionLines(
  actions: Actions,
  { isToldAbove = () => false, exportCommand = '' }: Partial<PageContent> = {},
): ActionLine[] {
  const change = changeLines(actions, isToldAbove);
  const waiting = waitingPhrases(actions, isToldAbove);
  if (isNothingKnown(actions.standings)) {
    const { label, text } = nothingFound(actions.standings, exportCommand);
    const line = lineOf(label, [[text]]);
    // Without advice, `Change` would say once more that nothing is found yet.
    return hasAdvice(actions.settings) ? [line, ...change, ...listLines('Wait', waiting)] : [line];
  }
  const isAnySettingTold = actions.standings.some(({ group }) =>
    isChangeToldAbove(group, isToldAbove),
  );
  // "Nothing to change" would contradict what the page says above of a setting.
  if (!hasSomethingToDo(actions) && !isAnySettingTold)
    return [lineOf('To do', [nothingToDo(actions)])];
  const withoutToldFigures = leaveOutToldFigures(actions, isToldAbove);
  const doubts = actions.types.doubt.map((action) => doubtPhrase(action, isToldAbove));
  const hasDoubts = doubts.length > 0;
  return [
    ...listLines('Wait', hasDoubts ? [...doubts, ...waiting] : []),
    lineOf('Keep', keepPhrases(withoutToldFigures)),
    lineOf('Drop', dropPhrases(withoutToldFigures, isToldAbove)),
    ...change,
    ...listLines('Wait', hasDoubts ? [] : waiting),
  ];
}

/** The types of whose verdict the page tells above, without their figures: these lines then only name them. */
function leaveOutToldFigures(actions: Actions, isToldAbove: IsToldAbove): Actions {
  const withoutFigures = (ofRole: readonly TypeAction[]) =>
    ofRole.map((action) =>
      isToldAbove(action.type, 'verdict') ? { ...action, reasons: [] } : action,
    );
  const { types } = actions;
  return {
    ...actions,
    types: {
      ...types,
      keep: withoutFigures(types.keep),
      keep_for_now: withoutFigures(types.keep_for_now),
      may_drop: withoutFigures(types.may_drop),
      drop: withoutFigures(types.drop),
    },
  };
}

function lineOf(label: string, phrases: readonly Phrase[]): ActionLine {
  return { label, phrases, isList: false };
}

/** Whether a type stands out, a verdict was withdrawn, or there is something to say of settings. */
function hasSomethingToDo({ types, settings }: Actions): boolean {
  const standOut = [types.keep, types.doubt, types.drop, types.may_drop].flat();
  const hasRemarks = types.keep_for_now.some(
    ({ reasons, standing }) => reasons.length > 0 || saysWithdrawn(standing),
  );
  const isAnyChangeOpen = settings !== undefined && settings.open.length > 0;
  return standOut.length > 0 || hasRemarks || isAnyChangeOpen || hasAdvice(settings);
}

/** Whether there is something to change in settings, or to keep because a change helped. */
function hasAdvice(settings: SettingsActions | undefined): boolean {
  if (settings === undefined) return false;
  const { known, suggestions, silent } = settings;
  return [known, suggestions, silent].some(({ length }) => length > 0);
}

/** `nothing to drop or change yet: keep pump and dump for now` */
function nothingToDo({ types, settings }: Actions): Phrase {
  const what = settings?.areSettingsSearched
    ? 'nothing to drop or change yet'
    : 'nothing to drop yet';
  const forNow = types.keep_for_now;
  if (forNow.length === 0) return [what];
  const names = inList(phrasesOfRest(forNow, `all ${forNow.length}`));
  return [`${what}: keep `, ...names, ' for now'];
}

/** `pump (+2.1 pp vs your other cards)`, `for now also dump and flip`. */
function keepPhrases({ types }: Actions): Phrase[] {
  const phrases: Phrase[] = [];
  const { keep, keep_for_now: forNow, doubt, may_drop: mayDrop } = types;
  if (keep.length > 0) phrases.push(inList(phrasesWithReasons(keep, 'good', whyKept)));
  if (forNow.length > 0) {
    const also = keep.length > 0 ? ' also' : '';
    phrases.push([`for now${also} `, ...namesForNow(forNow, nameOfManyTypes(types))]);
  }
  if (phrases.length > 0) return phrases;
  // The lines `Wait` and `Drop` name types that may still be worth keeping: "none" would be wrong.
  const isAnyKeptElsewhere = doubt.length > 0 || mayDrop.length > 0;
  return [[isAnyKeptElsewhere ? 'nothing for sure' : 'none']];
}

/**
 * What many types that are kept for now are called: `all 9`; `the other 8 types` if another line says something else of a type.
 */
function nameOfManyTypes(types: Actions['types']): string {
  const { keep, doubt, may_drop: mayDrop, drop, loosen } = types;
  const areAllKeptForNow = [keep, doubt, mayDrop, drop, loosen].every(({ length }) => length === 0);
  const count = types.keep_for_now.length;
  return areAllKeptForNow ? `all ${count}` : otherTypes(count);
}

/** `the other 5 types`: those that no line names. */
function otherTypes(count: number): string {
  return `the other ${count} types`;
}

/** `pump: do not act on its cards until newer ones show it again (+0.7 pp in the last 20 days, +3.0 before)` */
function doubtPhrase({ type, standing }: TypeAction, isToldAbove: IsToldAbove): Phrase {
  const name: Phrase = [{ name: type, tone: 'dim' }];
  if (isToldAbove(type, 'lately')) return name;
  const figures = newerAndBefore(standing);
  if (figures === undefined) return [...name, `: ${IF_LESS_LATELY.above}, ${DO_NOT_ACT}`];
  const newer: Phrase = [{ points: figures.newer }, ` pp ${figures.when}`];
  const before: Phrase = [{ points: figures.before }, ' before'];
  return [...name, `: ${DO_NOT_ACT} (`, ...newer, ', ', ...before, ')'];
}

/**
 * Types with a figure come first, the best on top, then types whose verdict was withdrawn, and last those of which there is nothing
 * to say: `flip (+1.5 pp vs BTC), flop (-2.0 pp vs your other cards, above BTC), dump (no longer sure) and the other 5
 * types`.
 * @param nameOfMany what the last ones are called if they are many and no other is named
 */
function namesForNow(forNow: readonly TypeAction[], nameOfMany: string): Phrase {
  const noLongerSure: Phrase[] = [];
  const withReason: TypeAction[] = [];
  const rest: TypeAction[] = [];
  for (const action of forNow) {
    const phrase = noLongerSurePhrase(action);
    if (phrase !== undefined) noLongerSure.push(phrase);
    else if (action.reasons.length > 0) withReason.push(action);
    else rest.push(action);
  }
  const isAnyNamed = noLongerSure.length > 0 || withReason.length > 0;
  const nameOfRest = isAnyNamed ? otherTypes(rest.length) : nameOfMany;
  return inList([
    ...phrasesWithReasons(withReason, 'dim', whyKeptForNow),
    ...noLongerSure,
    ...phrasesOfRest(rest, nameOfRest),
  ]);
}

/**
 * `pump (no longer sure)`. There is no figure: it would still include the days on which the verdict held. Which verdict it was, and
 * when, the type's row says.
 * @returns undefined if no verdict was withdrawn
 */
function noLongerSurePhrase({ type, standing }: TypeAction): Phrase | undefined {
  if (!saysWithdrawn(standing)) return undefined;
  return [{ name: type, tone: 'dim' }, ' (no longer sure)'];
}

/**
 * A phrase for each type; for many types one phrase. They are in the order of their names: that of the ranking may change each
 * day by chance.
 * @param nameOfMany the phrase for many types
 */
function phrasesOfRest(actions: readonly TypeAction[], nameOfMany: string): Phrase[] {
  if (actions.length > MOST_NAMES) return [[nameOfMany]];
  const byName = actions.toSorted((a, b) => a.type.localeCompare(b.type, 'en'));
  return byName.map(({ type }) => [{ name: type, tone: 'dim' }]);
}

/**
 * `pump (-2.1 pp vs your other cards, -1.5 vs BTC)`; with doubt `pump (-2.1 pp vs BTC, but +0.3 pp in newer cards)`. Then the types
 * that may have to be dropped later (`mayDropPhrases`).
 */
function dropPhrases({ types }: Actions, isToldAbove: IsToldAbove): Phrase[] {
  const { drop, may_drop: mayDrop } = types;
  const doubtWordsOf = ({ type, standing }: TypeAction) =>
    isToldAbove(type, 'lately') ? '' : (butNewerCards(standing) ?? '');
  const surely: Phrase =
    drop.length === 0 ? ['nothing yet'] : inList(phrasesWithReasons(drop, 'bad', doubtWordsOf));
  return [surely, ...mayDropPhrases(mayDrop)];
}

/** `perhaps later pump (-1.7 pp vs your other cards, -1.3 vs BTC) and dump (-1.5, -0.9): not sure whether they are below BTC, too` */
function mayDropPhrases(mayDrop: readonly TypeAction[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const openComparison of ['btc', 'others'] as const) {
    const actions = mayDrop
      .filter((action) => openComparisonOf(action) === openComparison)
      .map((action) => withOpenFigure(action, openComparison));
    if (actions.length === 0) continue;
    const named = phrasesWithReasons(
      actions,
      'dim',
      ({ standing }) => butNewerCards(standing) ?? '',
    );
    const phrase: Phrase = ['perhaps later ', ...inList(named)];
    // Without figures the page tells above what is not sure.
    const areAllToldAbove = actions.every(({ reasons }) => reasons.length === 0);
    const areThey = actions.length === 1 ? 'it is' : 'they are';
    const open = `: not sure whether ${areThey} below ${WHOM[openComparison]}, too`;
    phrases.push(areAllToldAbove ? phrase : [...phrase, open]);
  }
  return phrases;
}

/** The comparison in which it is not known whether a type is below, too. */
function openComparisonOf({ standing }: TypeAction): ComparedWith {
  const isBelowOthers = standing.verdict === 'below' && standing.comparedWith === 'others';
  return isBelowOthers ? 'btc' : 'others';
}

/** The action with the figure of the open comparison behind its reasons, if it has both. */
function withOpenFigure(action: TypeAction, comparedWith: ComparedWith): TypeAction {
  const { base } = action.standing;
  const points = comparedWith === 'btc' ? base.vsBtc : base.vsOthers;
  if (points === null || action.reasons.length === 0) return action;
  return { ...action, reasons: [...action.reasons, { comparedWith, points }] };
}

/**
 * Why a type that is below in one comparison is kept: how it stands in the other comparison. `within 1 pp of BTC`, `above BTC`. Empty
 * for a type that is below in none.
 */
function whyKept({ section, standing }: TypeAction): string {
  const { verdictVsBtc, least } = standing;
  if (section === 'behind_others')
    return verdictVsBtc === 'above' ? 'above BTC' : `within ${least} pp of BTC`;
  return section === 'behind_btc' ? `within ${least} pp of ${WHOM.others}` : '';
}

/** `within 1 pp of BTC, but 0.0 pp in the last 20 days`: why a type is kept for now, and what newer cards show if they cast doubt. */
function whyKeptForNow(action: TypeAction): string {
  const reasons = [whyKept(action), butNewerCards(action.standing) ?? ''];
  return reasons.filter((reason) => reason !== '').join(', ');
}

/**
 * `pump (+2.1 pp vs your other cards)`, `dump (+1.6)`: what the figures are against is said once.
 * @param lastWordsOf the words behind the figures of a type; empty if there are none
 */
function phrasesWithReasons(
  actions: readonly TypeAction[],
  tone: Tone,
  lastWordsOf: (action: TypeAction) => string,
): Phrase[] {
  const phrases: Phrase[] = [];
  let comparisonsBefore = '';
  for (const action of actions) {
    const { type, reasons } = action;
    const name: Piece = { name: type, tone };
    if (reasons.length === 0) {
      phrases.push([name]);
      continue;
    }
    const comparisons = reasons.map(({ comparedWith }) => comparedWith).join(' ');
    const areComparisonsNamed = comparisons !== comparisonsBefore;
    comparisonsBefore = comparisons;
    const lastWords = lastWordsOf(action);
    const ending = lastWords === '' ? ')' : `, ${lastWords})`;
    phrases.push([name, ' (', ...reasonPieces(reasons, areComparisonsNamed), ending]);
  }
  return phrases;
}

/**
 * `-2.1 pp vs your other cards, -1.5 vs BTC`
 * @param areComparisonsNamed whether it is said what each figure is compared with, and its unit
 */
function reasonPieces(reasons: readonly Reason[], areComparisonsNamed: boolean): Phrase {
  const pieces: Piece[] = [];
  for (const [i, { comparedWith, points }] of reasons.entries()) {
    if (i > 0) pieces.push(', ');
    pieces.push({ points });
    // The unit is said once.
    const unit = i === 0 ? ' pp' : '';
    if (areComparisonsNamed) pieces.push(`${unit} vs ${WHOM[comparedWith]}`);
  }
  return pieces;
}

/** The phrases as one: `a, b and c`. */
function inList(phrases: readonly Phrase[]): Phrase {
  const pieces: Piece[] = [];
  for (const [i, phrase] of phrases.entries()) {
    const separator = i === phrases.length - 1 ? ' and ' : ', ';
    if (i > 0) pieces.push(separator);
    pieces.push(...phrase);
  }
  return pieces;
}

/** The line `Change`. There is none if the question is about a part of a type's cards, or if there is nothing to say. */
function changeLines({ settings, standings }: Actions, isToldAbove: IsToldAbove): ActionLine[] {
  if (settings === undefined) return [];
  const { known, suggestions, silent, areSettingsSearched } = settings;
  const phrases: Phrase[] = [];
  for (const change of known) {
    if (!isToldAbove(change.type, 'change')) phrases.push(changePhrase(change));
  }
  for (const suggestion of suggestions) {
    const isTold = isToldAbove(suggestion.cut.type, 'number');
    phrases.push(suggestionPhrase(suggestion, standings, isTold));
  }
  phrases.push(...silencePhrases(silent, standings, isToldAbove));
  if (phrases.length === 0 && areSettingsSearched) {
    const isAnyToldAbove = standings.some(({ group }) => isChangeToldAbove(group, isToldAbove));
    phrases.push([isAnyToldAbove ? 'nothing else' : 'nothing found yet']);
  }
  return listLines('Change', phrases);
}

/** The changes of which it is not known yet what they did: their settings are to stay as they are until then. */
function waitingPhrases({ settings }: Actions, isToldAbove: IsToldAbove): Phrase[] {
  const open = settings?.open ?? [];
  return open.filter(({ type }) => !isToldAbove(type, 'change')).map(openPhrase);
}

/** A line for each phrase; none if there are none. */
function listLines(label: string, phrases: readonly Phrase[]): ActionLine[] {
  return phrases.length === 0 ? [] : [{ label, phrases, isList: true }];
}

/** `pump sends no cards. Check its settings: loosen them, or switch it off.` The lines of the types say for how many days. */
function silencePhrases(
  silent: readonly Standing[],
  standings: readonly Standing[],
  isToldAbove: IsToldAbove,
): Phrase[] {
  const toTell = silent.filter(({ group }) => !isToldAbove(group, 'screener'));
  const areAllSilent = quietDaysOfAll(standings) !== undefined;
  if (toTell.length > 0 && areAllSilent)
    return [[`no type sends cards. ${ADVICE_IF_ALL_ARE_SILENT}`]];
  return toTell.map((standing) => [
    { name: standing.group, tone: 'dim' },
    ` sends no cards. ${adviceOnSilence(standing)}`,
  ]);
}

/** Whether the page says above what to change, or not to change, in the settings of a type. */
function isChangeToldAbove(type: string, isToldAbove: IsToldAbove): boolean {
  const topics: readonly Topic[] = ['number', 'change', 'screener'];
  return topics.some((topic) => isToldAbove(type, topic));
}

/** `pump: your change of 14 Oct helped. Keep the new settings.` */
function changePhrase({ type, changedAt, verdict }: ChangeAction): Phrase {
  const name: Piece = { name: type, tone: 'dim' };
  const whatChangeDid = yourChange(verdict, changedAt);
  return [name, `: ${whatChangeDid}. ${asSentence(changeAdvice(verdict))}`];
}

/**
 * `pump: change at 3.9 or more. Expect about +0.9 pp more per card, with …`, and the command that shows more. If the news above
 * already give the advice and the command, only the expectation is left: `pump: expect about +0.9 pp more per card, with …`.
 * @param isToldAbove whether the news tell the advice
 */
function suggestionPhrase(
  { cut, setting, command }: Suggestion,
  standings: readonly Standing[],
  isToldAbove: boolean,
): Phrase {
  const name: Piece = { name: cut.type, tone: 'dim' };
  const standing = standings.find(({ group }) => group === cut.type);
  const cardsPerDayNow = standing?.groupFigures?.cards_per_day ?? null;
  const context = { setting, cardsPerDayNow };
  // Of a number that newer cards contradict, all is said: the news do not have that.
  if (isToldAbove && isToTry(cut)) return [name, `: ${expectedWords(cut, context)}`];
  const more = command === '' ? '' : ` \`${command}\``;
  return [name, `: ${suggestionWords(cut, context)}${more}`];
}

/** `pump: not known yet whether your change of 10 Sep helped; keep its settings until 9 Nov` */
function openPhrase({ type, changedAt, verdict, keptUntil }: ChangeAction): Phrase {
  const name: Piece = { name: type, tone: 'dim' };
  const change = `your change of ${dayAndMonth(changedAt)}`;
  return [name, `: not known yet whether ${change} helped; ${changeAdvice(verdict, keptUntil)}`];
}

/** Label and text of each line of a terminal; a line that continues a list has no label. */
export function actionPairs(
  lines: readonly ActionLine[],
  styles: Styles,
): (readonly [label: string, text: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (const { label, phrases, isList } of lines) {
    const texts = phrases.map((phrase) => phrase.map((piece) => textOf(piece, styles)).join(''));
    const rows = isList ? texts : [texts.join('; ')];
    for (const [i, row] of rows.entries()) pairs.push([i === 0 ? label : '', row]);
  }
  return pairs;
}

function textOf(piece: Piece, styles: Styles): string {
  if (typeof piece === 'string') return piece;
  if ('points' in piece) return signed(piece.points, 1);
  const name = safeText(piece.name);
  return piece.tone === 'dim' ? name : styles[piece.tone](name);
}
