import type { HorizonFigures } from '../outcomes/figure-table.ts';
import { VERDICT_WORDS } from '../output/views/verdict.ts';
import { type AxisShape, type NumberAxis, signedAxis } from './axis.ts';
import { count, signed } from './format.ts';

/** Whether a group differs from BTC by more than chance explains. */
export function differs({ verdict }: HorizonFigures): boolean {
  return verdict === 'above_btc' || verdict === 'below_btc';
}

export function verdictText({ verdict }: HorizonFigures): string {
  return verdict === null ? 'none measured' : VERDICT_WORDS[verdict];
}

/** A group's median difference to BTC with its interval, in words: a mark's title. */
export function estimateText(name: string, figures: HorizonFigures): string {
  const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval, btc_sample } = figures;
  if (estimate === null) return `${name}: nothing measured`;
  const range = interval === null ? 'no interval' : `95 % from ${signed(interval.low)} to ${signed(interval.high)}`;
  return `${name}: ${signed(estimate)}, ${range}, ${count(btc_sample)} outcomes`;
}

/** The same as cells of a table: the estimate, and the interval's ends. */
export function estimateCells(figures: HorizonFigures): string[] {
  const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval } = figures;
  return [signed(estimate), signed(interval?.low ?? null), signed(interval?.high ?? null)];
}

export const ESTIMATE_HEAD = ['Median difference, pp', '95 % from', 'to'];

export interface EstimateAxis {
  readonly axis: NumberAxis;
  /** The place of an interval's end, at the edge of the picture where it lies outside. */
  edge(value: number): number;
}

/** The axis that groups' differences to BTC and their intervals share. */
export function estimateAxis(title: string, all: readonly HorizonFigures[], shape: AxisShape): EstimateAxis {
  const estimates = all.flatMap(({ median_vs_btc_percentage_points: estimate }) => estimate ?? []);
  const ends = all.flatMap(({ median_vs_btc_interval_95: range }) => (range === null ? [] : [range.low, range.high]));
  // An interval may be many times wider than the rest: then it is drawn to the edge, and its numbers say where it ends.
  const reach = 6 * Math.max(0, ...estimates.map(Math.abs));
  const inside = ends.filter((end) => reach === 0 || Math.abs(end) <= reach);
  const axis = signedAxis(title, [...estimates, ...inside], shape);
  return { axis, edge: (value) => axis.at(Math.min(axis.high, Math.max(axis.low, value))) };
}
