/** The groups that `stats` of a history shows: which, and in what order. */
import { HORIZON_NAMES } from '../../api/contract/horizons.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { type Comparison, figuresOf, type JudgedGroup } from '../../outcomes/figures.ts';
import { questionOf } from '../../outcomes/question.ts';
import { ranked, type Standing, standingsOf } from '../../outcomes/standing.ts';
import { sortByField } from './history-list.ts';
import type { Inquiry } from './inquiry.ts';

export interface StatsAnswer {
  readonly comparison: Comparison;
  /** In the order in which they are shown. */
  readonly groups: readonly JudgedGroup[];
  /** In the same order, types without cards among them. */
  readonly standings: readonly Standing[];
  /** How many groups have smaller samples than asked for. */
  readonly leftOut: number;
}

interface Shown {
  /** Groups with smaller samples at every horizon are left out. */
  readonly minSample?: number | undefined;
  /** The dotted name of a field, with `-` before it for the smallest first; undefined: by verdict. */
  readonly sort?: string | undefined;
}

export function answerOf(
  { evidence, question, known }: Inquiry,
  { minSample = 0, sort }: Shown,
): StatsAnswer {
  const comparison = figuresOf(evidence, question);
  const groups = comparison.groups.filter((group) => isLarge(group, minSample));
  const names = new Set(groups.map(({ group }) => group));
  const standings = standingsOf(comparison, evidence, known).filter(
    ({ groupFigures }) => groupFigures === null || names.has(groupFigures.group),
  );
  const inOrder = sort === undefined ? ranked(standings) : sortedBy(sort, groups, standings);
  return {
    comparison,
    groups: groupsInOrder(inOrder, groups),
    standings: inOrder,
    leftOut: comparison.groups.length - groups.length,
  };
}

function isLarge({ horizons }: JudgedGroup, minSample: number): boolean {
  return (
    minSample === 0 ||
    HORIZON_NAMES.some((name) => horizons[name].sample.states.measured >= minSample)
  );
}

/** By a field of the figures; types without cards come last. */
function sortedBy(
  field: string,
  groups: readonly JudgedGroup[],
  standings: readonly Standing[],
): Standing[] {
  const figures = sortByField<GroupFigures>(
    groups.map((group) => group.figures),
    field,
  );
  const places = new Map(figures.map(({ group }, place) => [group ?? '', place]));
  const placeOf = ({ group }: Standing) => places.get(group) ?? places.size;
  return standings.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Those that have cards, in the order of their standings. */
function groupsInOrder(
  standings: readonly Standing[],
  groups: readonly JudgedGroup[],
): JudgedGroup[] {
  const byName = new Map(groups.map((group) => [group.group ?? '', group]));
  const inOrder: JudgedGroup[] = [];
  for (const { group: name, groupFigures } of standings) {
    const group = byName.get(name);
    if (groupFigures !== null && group !== undefined) inOrder.push(group);
  }
  return inOrder;
}

/** Of one group alone; of all where none is named. */
export function answerOfGroup(answer: StatsAnswer, name: string | undefined): StatsAnswer {
  if (name === undefined) return answer;
  return {
    ...answer,
    groups: answer.groups.filter(({ group }) => group === name),
    standings: answer.standings.filter(({ group }) => group === name),
  };
}

/** A type that has no card yet has the figures of no card. */
export function answerOfNoCard({ evidence, known }: Inquiry, leftOut: number): StatsAnswer {
  const evidenceOfNoCard = { ...evidence, cards: [] };
  const comparison = figuresOf(evidenceOfNoCard, questionOf({ by: undefined }));
  const standings = standingsOf(comparison, evidenceOfNoCard, known);
  return { comparison, groups: comparison.groups, standings, leftOut };
}
