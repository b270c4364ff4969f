/** The groups that `stats` shows of a history: which, and in what order. */
import { HORIZON_NAMES } from '../../api/contract/horizons.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { type Comparison, figuresOf, type JudgedGroup } from '../../outcomes/figures.ts';
import { questionOf } from '../../outcomes/question.ts';
import { rankStandings, type Standing, standingsOf } from '../../outcomes/standing.ts';
import { sortByField } from './history-list.ts';
import type { Inquiry } from './inquiry.ts';

export interface StatsAnswer {
  readonly comparison: Comparison;
  /** The groups that are shown, in the order in which they are shown. */
  readonly groups: readonly JudgedGroup[];
  /** The standings of these groups in the same order, and among them those of types without cards. */
  readonly standings: readonly Standing[];
  /** How many groups are not shown, because their samples are too small. */
  readonly leftOut: number;
}

/** Which groups are shown, and in what order. */
interface Selection {
  /** A group is shown only if it has at least this many outcomes at one of the horizons. */
  readonly minSample?: number | undefined;
  /** The dotted name of a field, with `-` before it for the smallest first; undefined for the order of verdicts. */
  readonly sort?: string | undefined;
}

export function answerOf(
  { evidence, question, known }: Inquiry,
  { minSample = 0, sort }: Selection,
): StatsAnswer {
  const comparison = figuresOf(evidence, question);
  const groups = comparison.groups.filter((group) => hasSample(group, minSample));
  const shownNames = new Set(groups.map(nameOf));
  // A type without cards has no figures, and no sample that could be too small.
  const standings = standingsOf(comparison, evidence, known).filter(
    ({ group, groupFigures }) => groupFigures === null || shownNames.has(group),
  );
  const orderedStandings =
    sort === undefined ? rankStandings(standings) : sortedBy(sort, groups, standings);
  return {
    comparison,
    groups: groupsInOrder(orderedStandings, groups),
    standings: orderedStandings,
    leftOut: comparison.groups.length - groups.length,
  };
}

/** The group's name as standings have it: '' for all cards together. */
function nameOf({ group }: Pick<GroupFigures, 'group'>): string {
  return group ?? '';
}

function hasSample({ horizons }: JudgedGroup, minSample: number): boolean {
  // Without --min-sample every group is shown: no sample has to be counted.
  if (minSample === 0) return true;
  return HORIZON_NAMES.some((name) => horizons[name].sample.states.measured >= minSample);
}

/** The standings in the order of a field of the groups' figures; types without cards come last. */
function sortedBy(
  field: string,
  groups: readonly JudgedGroup[],
  standings: readonly Standing[],
): Standing[] {
  const figures = sortByField<GroupFigures>(
    groups.map((group) => group.figures),
    field,
  );
  const places = new Map(figures.map((group, place) => [nameOf(group), place]));
  const placeOf = ({ group }: Standing) => places.get(group) ?? places.size;
  return standings.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The groups in the order of their standings. A standing of a type without cards has no group. */
function groupsInOrder(
  standings: readonly Standing[],
  groups: readonly JudgedGroup[],
): JudgedGroup[] {
  const byName = new Map(groups.map((group) => [nameOf(group), group]));
  const orderedGroups: JudgedGroup[] = [];
  for (const { group: name } of standings) {
    const group = byName.get(name);
    if (group !== undefined) orderedGroups.push(group);
  }
  return orderedGroups;
}

/** The answer about one group; the whole answer if `name` is undefined. */
export function answerOfGroup(answer: StatsAnswer, name: string | undefined): StatsAnswer {
  if (name === undefined) return answer;
  return {
    ...answer,
    groups: answer.groups.filter(({ group }) => group === name),
    standings: answer.standings.filter(({ group }) => group === name),
  };
}

/** The answer about no card at all. A type without cards has these figures. */
export function answerOfNoCard({ evidence, known }: Inquiry, leftOut: number): StatsAnswer {
  const evidenceOfNoCard = { ...evidence, cards: [] };
  const comparison = figuresOf(evidenceOfNoCard, questionOf({ by: undefined }));
  const standings = standingsOf(comparison, evidenceOfNoCard, known);
  return { comparison, groups: comparison.groups, standings, leftOut };
}
