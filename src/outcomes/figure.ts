/**
 * A figure of a group of cards, described once: its schema, its unit, its words and how it is computed. JSON, CSV, tables, help
 * and schemas follow from it.
 */
import * as v from 'valibot';
import { byHorizon, type HorizonName } from '../api/contract/horizons.ts';
import { count, described, named } from '../api/contract/primitives.ts';
import { lazily } from '../base/collections.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { type Estimate, LEVEL } from '../statistics/estimate.ts';
import { clean, cleanOrNull } from '../statistics/quantile.ts';

export type FigureUnit = 'percent' | 'percentage points' | 'fraction';

type Schema = v.GenericSchema<unknown>;

/** How tables show a figure. */
interface Presentation {
  /** Its name in the table of a group's figures; a figure without one has no line there. */
  readonly label?: string;
  /** Whether its line is left out of a table if it is null or 0 at every horizon. */
  readonly isRare?: true;
  /**
   * The name of the figure that is its 95 % interval. With `required`, a table shows the figure only if there is an interval:
   * otherwise it would be the figure of one or two cards.
   */
  readonly interval?: { readonly name: string; readonly required?: true };
  /** Set for a verdict: what the cards are compared with. */
  readonly verdictOf?: 'others' | 'btc';
}

/**
 * One figure of a group of cards.
 * @template Data what it is computed from
 * @template S the schema of its value
 */
export interface Figure<Data, S extends Schema = Schema> extends Presentation {
  readonly schema: S;
  /** Undefined if it has none: a count, a time, a verdict. */
  readonly unit: FigureUnit | undefined;
  /** What it is, in the words of help and schemas: `median price move`. */
  readonly about: string;
  /** Its value. It may have numbers that are not finite: `figuresFrom` makes them null. */
  readonly compute: (data: Data) => v.InferOutput<S>;
}

/** Figures by their names in JSON, in the order in which they are written. `never`: they may be computed from anything. */
type FigureTable = Readonly<Record<string, Figure<never>>>;

/**
 * Makes a figure in three calls: `figureOf<Data>()(schema, unit)(about, compute, presentation)`. TypeScript infers all type
 * parameters of a call or none. Therefore `Data` is named in the first call, and the type of the schema is inferred in the
 * second.
 *
 * An example: `const ofCards = figureOf<readonly Card[]>()`, and then
 * `ofCards(count)('cards', (cards) => cards.length, { label: 'Cards' })`.
 */
export function figureOf<Data>() {
  return <S extends Schema>(schema: S, unit?: FigureUnit) =>
    (
      about: string,
      compute: Figure<Data, S>['compute'],
      presentation: Presentation = {},
    ): Figure<Data, S> => ({ schema, unit, about, compute, ...presentation });
}

/** The values of a table's figures, by name: `{ cards: number }` for a table with the figure `cards`. */
export type FiguresOf<Table extends FigureTable> = {
  readonly [Name in keyof Table]: ReadonlyDeep<v.InferOutput<Table[Name]['schema']>>;
};

/** Each value is computed when it is first read. */
export function figuresFrom<Table extends FigureTable>(
  table: Table,
  data: Parameters<Table[keyof Table]['compute']>[0],
): FiguresOf<Table> {
  const computations: [name: string, compute: () => unknown][] = [];
  for (const [name, { compute }] of Object.entries(table)) {
    // `data` has the type that the table's figures take. TypeScript does not see this behind `FigureTable`.
    computations.push([name, () => eachNumber(compute(data as never), clean)]);
  }
  // The values have the types of the table's schemas. TypeScript does not see this, either.
  return lazily<FiguresOf<Table>>(Object.fromEntries(computations) as never);
}

/** A value for each horizon, like `byHorizon`, but each is made when it is first read. */
export function eachHorizon<T>(make: (name: HorizonName) => T): Readonly<Record<HorizonName, T>> {
  return lazily<Record<HorizonName, T>>(byHorizon((name) => () => make(name)));
}

/** The schema of a table's figures. Its descriptions say what each figure is, and its unit. */
export function schemaOf<Table extends FigureTable>(table: Table) {
  const entries = Object.entries(table).map(([name, { schema, about, unit }]) => [
    name,
    described(schema, unit === undefined ? about : `${about}, ${unit}`),
  ]);
  return v.object(
    Object.fromEntries(entries) as { readonly [Name in keyof Table]: Table[Name]['schema'] },
  );
}

export const numberOrNull = v.nullable(v.number());
// The schema with the name `Interval` includes null: otherwise help would write `Interval or null` for each of twenty
// intervals.
export const interval = named(
  'Interval',
  v.nullable(v.object({ low: v.number(), high: v.number() })),
);
/** The lowest and the highest value that are possible; a side that nothing limits is null. */
export const bounds = v.nullable(
  named('Bounds', v.object({ low: numberOrNull, high: numberOrNull })),
);

/** The difference on the cards created since a verdict, which had no part in it. */
export const sinceThen = v.nullable(
  v.object({
    cards: described(count, 'cards created since verdict_since'),
    difference_percentage_points: described(
      numberOrNull,
      'the same difference, of these cards alone',
    ),
    interval_95: described(interval, '95 % interval of it'),
  }),
);

/** The difference in one of two periods that are compared: the last 30 days, and the time before them. */
export const differenceInPeriod = v.nullable(
  v.object({
    percentage_points: described(v.number(), 'the difference in that time'),
    interval_95: described(interval, '95 % interval of it'),
  }),
);

/** @param estimate the difference of the cards created since the verdict @returns null if there are no such cards */
export function sinceThenOf(estimate: Estimate): v.InferOutput<typeof sinceThen> {
  if (estimate.size === 0) return null;
  return {
    cards: estimate.size,
    difference_percentage_points: cleanOrNull(estimate.value),
    interval_95: estimate.interval(LEVEL),
  };
}

/**
 * Figures as they are printed, with 6 digits: further digits say nothing, because a sample is not that exact. A whole number,
 * such as any count, keeps all digits.
 */
export function asPrinted<T>(figures: T): T {
  // All figures are finite by now, so that none becomes null.
  return eachNumber(figures, (number) =>
    Number.isInteger(number) ? number : Number(number.toPrecision(6)),
  ) as T;
}

/** A copy of a value with each number in it changed; numbers that are not finite become null. */
function eachNumber(value: unknown, change: (number: number) => number): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? change(value) : null;
  if (Array.isArray(value)) return value.map((inner) => eachNumber(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, eachNumber(inner, change)]),
  );
}
