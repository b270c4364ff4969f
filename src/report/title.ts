/** The page's title: what to do, else what was found. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { pluralize } from '../base/units.ts';
import { rankStandings, type Standing } from '../outcomes/standing.ts';
import type { ComparedWith } from '../outcomes/types.ts';
import { dayAndMonth } from '../output/format.ts';
import type { Actions, TypeAction } from '../output/views/actions.ts';
import { mayBeDroppedYet } from '../output/views/actions-words.ts';
import { isLessLately } from '../output/views/last-30-days.ts';
import { comparisonOfAll, WHOM } from '../output/views/sections.ts';
import type { SettingsChangeFigures, SettingsHistory } from '../output/views/settings-history.ts';
import { isSide } from '../statistics/rule.ts';
import { label } from './markup.ts';

/**
 * What to do with types; where there is nothing, what a type does, else what a change of settings did, else that nothing
 * stands out: `Drop dump, keep pump`.
 * @param asOf stands before it: `As of 8 Oct: `; empty if exports do their work
 */
export function titleOf(
  standings: readonly Standing[],
  histories: readonly SettingsHistory[],
  { actions, asOf }: { readonly actions: Actions | undefined; readonly asOf: string },
): string {
  const findings = [
    actions === undefined ? '' : decisionOf(actions, LONGEST_DECISION - asOf.length),
    titleOfTypes(rankStandings(standings)),
    titleOfChanges(histories),
  ];
  const finding = findings.find((words) => words !== '') ?? titleOfNothing(standings);
  return `${asOf}${finding}`;
}

/** UTF-16 units that fill a line of the title where the window has 900 pixels. */
const LONGEST_DECISION = 50;

/**
 * `Drop dump, keep pump`, `Drop dump, keep 4 types` where the names are too long. Empty if no type is surely one to keep or to
 * drop.
 * @param longest UTF-16 units
 */
function decisionOf(actions: Actions, longest: number): string {
  const { keep, drop } = actions.types;
  if (keep.length === 0 && drop.length === 0) return '';
  const decisions = [
    decisionWords(namesOfActions(drop), namesOfActions(keep)),
    decisionWords(namesOfActions(drop), countOfActions(keep)),
  ];
  const decision =
    decisions.find(({ length }) => length <= longest) ??
    decisionWords(countOfActions(drop), countOfActions(keep));
  if (drop.length > 0) return decision;
  const whole = `${decision}; ${restOfKeep(actions)}`;
  return whole.length > longest ? decision : whole;
}

/** @param drop which types, in words; empty if there is none */
function decisionWords(drop: string, keep: string): string {
  if (drop === '') return `Keep ${keep}`;
  return keep === '' ? `Drop ${drop}` : `Drop ${drop}, keep ${keep}`;
}

function namesOfActions(actions: readonly TypeAction[]): string {
  return new Intl.ListFormat('en-GB').format(actions.map(({ type }) => label(type)));
}

function countOfActions(actions: readonly TypeAction[]): string {
  return actions.length === 0 ? '' : pluralize(actions.length, 'type');
}

/** What else there is to do where nothing is to be dropped. */
function restOfKeep({ types: { keep, spare }, settings }: Actions): string {
  const [only, ...further] = keep;
  const change = settings?.known.find(({ type }) => type === only?.type);
  const hasHelped = further.length === 0 && change?.verdict === 'higher';
  if (hasHelped) return 'its change helped';
  const isSettled = spare.length > 0 && !spare.some(mayBeDroppedYet);
  return isSettled ? 'nothing to drop' : 'nothing to drop yet';
}

/** Empty if no type is above or below. */
function titleOfTypes(standings: readonly Standing[]): string {
  const clauses: string[] = [];
  for (const comparedWith of BOTH) {
    const above = ofWord(standings, 'above', comparedWith);
    if (above.length > 0) clauses.push(aboveClause(above, comparedWith));
  }
  const told = standings.filter(({ word }) => isSide(word));
  const isOneComparison = new Set(told.map(({ comparedWith }) => comparedWith)).size === 1;
  // The first clause has said it.
  const isWhomSaid = isOneComparison && clauses.length > 0;
  for (const comparedWith of BOTH) {
    const below = ofWord(standings, 'below', comparedWith);
    if (below.length > 0)
      clauses.push(`${sentence(below, 'is', 'are')} ${belowWhomWords(comparedWith, isWhomSaid)}`);
  }
  return clauses.join('; ');
}

/** @param isWhomSaid whether the clause before names what they are compared with */
function belowWhomWords(comparedWith: ComparedWith, isWhomSaid: boolean): string {
  if (comparedWith === 'btc') return 'below BTC';
  return isWhomSaid ? 'below them' : `below ${WHOM.others}`;
}

const BOTH: readonly ComparedWith[] = ['others', 'btc'];

/** The types with this verdict, by the comparison that it is of. */
function ofWord(
  standings: readonly Standing[],
  word: 'above' | 'below',
  comparedWith: ComparedWith,
): Standing[] {
  return standings.filter(
    (standing) => standing.word === word && standing.comparedWith === comparedWith,
  );
}

/**
 * `pump beats your other cards`, `a and b beat BTC, but less lately`: without a figure, because that of all days, in which the
 * verdict was found, says more than what came since.
 */
function aboveClause(above: readonly Standing[], comparedWith: ComparedWith): string {
  const lately = above.every(isLessLately) ? ', but less lately' : '';
  return `${sentence(above, 'beats', 'beat')} ${WHOM[comparedWith]}${lately}`;
}

/** `pump beats`, `a and b beat`. */
function sentence(standings: readonly Standing[], ofOne: string, ofSeveral: string): string {
  const names = new Intl.ListFormat('en-GB').format(standings.map(({ group }) => label(group)));
  return `${names} ${standings.length === 1 ? ofOne : ofSeveral}`;
}

/**
 * `Your change of pump on 14 Oct helped`: the newest one that did anything; empty if none did. Without a figure, whose range is
 * wide: both stand in the section of the change.
 */
function titleOfChanges(histories: readonly SettingsHistory[]): string {
  let newest: { readonly type: string; readonly change: SettingsChangeFigures } | undefined;
  for (const { type, changes } of histories) {
    for (const change of changes) {
      const { verdict } = change.horizons[MAIN_HORIZON];
      const isTold = verdict === 'higher' || verdict === 'lower';
      const isNewer = newest === undefined || change.seen_by > newest.change.seen_by;
      if (isTold && isNewer) newest = { type, change };
    }
  }
  if (newest === undefined) return '';
  const { type, change } = newest;
  const { verdict } = change.horizons[MAIN_HORIZON];
  const did = verdict === 'higher' ? 'helped' : 'hurt';
  return `Your change of ${label(type)} on ${dayAndMonth(Date.parse(change.seen_by))} ${did}`;
}

/** That no type differs is said only if it is known of each type that has a verdict. */
function titleOfNothing(standings: readonly Standing[]): string {
  if (standings.every(({ base }) => base.interval === null)) return 'Your screeners so far';
  const withVerdict = standings.filter(({ word }) => word !== null);
  const [first] = withVerdict;
  const comparedWith = comparisonOfAll(withVerdict);
  const isEachSmall = withVerdict.every(({ word }) => word === 'small');
  if (first === undefined || comparedWith === 'mixed' || !isEachSmall)
    return 'No screener type stands out yet';
  return `No screener type differs by ${first.least} pp or more from ${WHOM[comparedWith]}`;
}
