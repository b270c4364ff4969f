/** The page's title: what to do, otherwise what was found. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { pluralize } from '../base/units.ts';
import { mayHaveStopped } from '../outcomes/doubt.ts';
import { isChangeSide } from '../outcomes/settings-change.ts';
import { rankStandings, type Standing } from '../outcomes/standing.ts';
import type { ComparedWith } from '../outcomes/types.ts';
import { dayAndMonth } from '../output/format.ts';
import type { Actions, TypeAction } from '../output/views/actions.ts';
import { MAY_HAVE_STOPPED } from '../output/views/last-30-days.ts';
import { comparisonOfAll } from '../output/views/sections.ts';
import type { SettingsChangeFigures, SettingsHistory } from '../output/views/settings-history.ts';
import { WHOM } from '../output/views/verdict-names.ts';
import { isSide } from '../statistics/rule.ts';
import { label, labels } from './markup.ts';

/**
 * The first of these that can be said:
 * 1. what to do with types: `Drop dump, keep pump`;
 * 2. how types do: `pump beats your other cards`; of types that are below only if the page does not say what to do with them;
 * 3. what a change of settings did: `Your change of pump on 14 Oct helped`;
 * 4. that nothing stands out.
 * @param asOf stands before the title: `As of 8 Oct: `; empty while exports run
 */
export function titleOf(
  standings: readonly Standing[],
  histories: readonly SettingsHistory[],
  { actions, asOf }: { readonly actions: Actions | undefined; readonly asOf: string },
): string {
  const findings = [
    actions === undefined ? '' : decisionOf(actions, LONGEST_DECISION - asOf.length),
    titleOfTypes(rankStandings(actions === undefined ? standings : withoutKept(standings))),
    titleOfChanges(histories),
  ];
  const finding = findings.find((words) => words !== '') ?? titleOfNothing(standings);
  return `${asOf}${finding}`;
}

/**
 * Without the types that are below. Where the page says what to do, and drops none, it keeps all of these: in a title they would be
 * an alarm about which nothing is to be done.
 */
function withoutKept(standings: readonly Standing[]): Standing[] {
  return standings.filter(({ verdict }) => verdict !== 'below');
}

/** UTF-16 units. A longer title takes a second line in a window of 900 pixels. */
const LONGEST_DECISION = 50;

/**
 * `Drop dump, keep pump`; if that is too long, `Drop dump, keep 4 types`, or `Drop 2 types, keep 4 types`. Empty if no type
 * is surely one to keep or to drop.
 * @param longest UTF-16 units
 */
function decisionOf(actions: Actions, longest: number): string {
  const { keep, drop } = actions.types;
  if (keep.length === 0 && drop.length === 0) return '';
  const allNames = decisionWords(namesOfActions(drop), namesOfActions(keep));
  const namesOfDrop = decisionWords(namesOfActions(drop), countOfActions(keep));
  const counts = decisionWords(countOfActions(drop), countOfActions(keep));
  const decision = [allNames, namesOfDrop].find(({ length }) => length <= longest) ?? counts;
  if (drop.length > 0) return decision;
  const withRest = `${decision}; ${afterKeepWords(actions)}`;
  return withRest.length > longest ? decision : withRest;
}

/** `Drop dump, keep pump`. @param drop, keep the types in words; empty if there are none */
function decisionWords(drop: string, keep: string): string {
  if (drop === '') return `Keep ${keep}`;
  return keep === '' ? `Drop ${drop}` : `Drop ${drop}, keep ${keep}`;
}

function namesOfActions(actions: readonly TypeAction[]): string {
  return labels(actions.map(({ type }) => type));
}

function countOfActions(actions: readonly TypeAction[]): string {
  return actions.length === 0 ? '' : pluralize(actions.length, 'type');
}

/**
 * What follows `Keep pump; ` if no type is to be dropped: `dump may have stopped working`, `its change helped`, `nothing to drop
 * yet`.
 */
function afterKeepWords(actions: Actions): string {
  const {
    types: { keep, doubt },
    settings,
  } = actions;
  if (doubt.length > 0) return `${namesOfActions(doubt)} ${MAY_HAVE_STOPPED}`;
  const [first] = keep;
  const changeOfFirst = settings?.known.find(({ type }) => type === first?.type);
  const hasHelped = changeOfFirst?.verdict === 'higher';
  if (keep.length === 1 && hasHelped) return 'its change helped';
  return 'nothing to drop yet';
}

/**
 * `pump beats your other cards; dump is below them`, `pump may have stopped working`. Empty if no type is above or below.
 */
function titleOfTypes(standings: readonly Standing[]): string {
  const clauses: string[] = [];
  const working = standings.filter((standing) => !mayHaveStopped(standing));
  for (const comparedWith of COMPARISONS) {
    const above = ofVerdict(working, 'above', comparedWith);
    if (above.length > 0) clauses.push(aboveClause(above, comparedWith));
  }
  const isAnyAbove = clauses.length > 0;
  const stopped = standings.filter(mayHaveStopped);
  if (stopped.length > 0) clauses.push(`${typeNames(stopped)} ${MAY_HAVE_STOPPED}`);
  const withVerdict = standings.filter(({ verdict }) => isSide(verdict));
  const areAllVsOthers = withVerdict.every(({ comparedWith }) => comparedWith === 'others');
  for (const comparedWith of COMPARISONS) {
    const below = ofVerdict(standings, 'below', comparedWith);
    if (below.length === 0) continue;
    // The clause on the types above has named your other cards: `pump beats your other cards; dump is below them`.
    const isWhomNamed = comparedWith === 'others' && isAnyAbove && areAllVsOthers;
    const whom = isWhomNamed ? 'them' : WHOM[comparedWith];
    clauses.push(`${namesAndVerb(below, 'is', 'are')} below ${whom}`);
  }
  return clauses.join('; ');
}

const COMPARISONS: readonly ComparedWith[] = ['others', 'btc'];

/** The types with this verdict against `comparedWith`. */
function ofVerdict(
  standings: readonly Standing[],
  verdict: 'above' | 'below',
  comparedWith: ComparedWith,
): Standing[] {
  return standings.filter(
    (standing) => standing.verdict === verdict && standing.comparedWith === comparedWith,
  );
}

/**
 * `pump beats your other cards`, `a and b beat BTC`. It gives no figure: a figure of all days would include the days that led
 * to the verdict, and would look better than what came later.
 */
function aboveClause(above: readonly Standing[], comparedWith: ComparedWith): string {
  return `${namesAndVerb(above, 'beats', 'beat')} ${WHOM[comparedWith]}`;
}

function typeNames(standings: readonly Standing[]): string {
  return labels(standings.map(({ group }) => group));
}

/** `pump beats`, `a and b beat`. */
function namesAndVerb(standings: readonly Standing[], ofOne: string, ofSeveral: string): string {
  return `${typeNames(standings)} ${standings.length === 1 ? ofOne : ofSeveral}`;
}

/**
 * `Your change of pump on 14 Oct helped`: the newest change that helped or hurt; empty if none did. It gives no figure: the
 * range of the figure is wide, and the section of the change has both.
 */
function titleOfChanges(histories: readonly SettingsHistory[]): string {
  let newest: { readonly type: string; readonly change: SettingsChangeFigures } | undefined;
  for (const { type, changes } of histories) {
    for (const change of changes) {
      const { verdict } = change.horizons[MAIN_HORIZON];
      const isNewer = newest === undefined || change.seen_by > newest.change.seen_by;
      if (isChangeSide(verdict) && isNewer) newest = { type, change };
    }
  }
  if (newest === undefined) return '';
  const { type, change } = newest;
  const { verdict } = change.horizons[MAIN_HORIZON];
  const did = verdict === 'higher' ? 'helped' : 'hurt';
  return `Your change of ${label(type)} on ${dayAndMonth(Date.parse(change.seen_by))} ${did}`;
}

/**
 * `Nothing to drop yet` if a type is below, but kept. `No screener type differs by 1 pp or more from …` if that is known of each
 * type. Otherwise `No screener type stands out yet`; before any type has an interval, `Your screeners so far`.
 */
function titleOfNothing(standings: readonly Standing[]): string {
  if (standings.every(({ base }) => base.interval === null)) return 'Your screeners so far';
  if (standings.some(({ verdict }) => verdict === 'below')) return 'Nothing to drop yet';
  const [first] = standings;
  const comparedWith = comparisonOfAll(standings);
  const isEachSmall = standings.every(({ verdict }) => verdict === 'small');
  if (first === undefined || comparedWith === 'mixed' || !isEachSmall)
    return 'No screener type stands out yet';
  return `No screener type differs by ${first.least} pp or more from ${WHOM[comparedWith]}`;
}
