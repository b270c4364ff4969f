import * as v from 'valibot';
import { byHorizon, type HorizonName } from '../api/contract/horizons.ts';
import { count, described, named } from '../api/contract/primitives.ts';
import { lazily } from '../base/collections.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { type Estimate, LEVEL } from '../statistics/estimate.ts';
import { clean, cleanOrNull } from '../statistics/quantile.ts';

export type Unit = 'percent' | 'percentage points' | 'fraction';

type Schema = v.GenericSchema<unknown>;

interface Said {
  readonly label?: string;
  /** Leaves the line out if it is null or 0 in every horizon. */
  readonly isRare?: true;
  /** The name of its 95 % interval; `required`: without it, it may be of a card or two. */
  readonly interval?: { readonly name: string; readonly required?: true };
  /** The comparison that it is the word of. */
  readonly word?: 'others' | 'btc';
}

/** @template Data what it is made from @template S what values it takes; numbers that are not finite become null */
export interface Figure<Data, S extends Schema = Schema> extends Said {
  readonly schema: S;
  readonly unit: Unit | undefined;
  readonly about: string;
  readonly of: (data: Data) => v.InferOutput<S>;
}

/** Figures by their names in JSON, in the order in which they are written. */
type FigureTable = Readonly<Record<string, Figure<never>>>;

/** Makes makers of figures of `Data`, each for values of one kind in one unit. */
export function figureOf<Data>() {
  return <S extends Schema>(schema: S, unit?: Unit) =>
    (about: string, of: Figure<Data, S>['of'], said: Said = {}): Figure<Data, S> => ({
      schema,
      unit,
      about,
      of,
      ...said,
    });
}

export type FiguresOf<Table extends FigureTable> = {
  readonly [Name in keyof Table]: ReadonlyDeep<v.InferOutput<Table[Name]['schema']>>;
};

export function figuresFrom<Table extends FigureTable>(
  table: Table,
  data: Parameters<Table[keyof Table]['of']>[0],
): FiguresOf<Table> {
  const makers = Object.entries(table).map(([name, { of }]) => [
    name,
    () => eachNumber(of(data as never), clean),
  ]);
  return lazily<FiguresOf<Table>>(Object.fromEntries(makers));
}

/** `byHorizon`, each value made when it is first read. */
export function eachHorizon<T>(make: (name: HorizonName) => T): Readonly<Record<HorizonName, T>> {
  return lazily<Record<HorizonName, T>>(byHorizon((name) => () => make(name)));
}

export function schemaOf<Table extends FigureTable>(table: Table) {
  const entries = Object.entries(table).map(([name, { schema, about, unit }]) => [
    name,
    described(schema, unit === undefined ? about : `${about}, ${unit}`),
  ]);
  return v.object(
    Object.fromEntries(entries) as { readonly [Name in keyof Table]: Table[Name]['schema'] },
  );
}

export const figure = v.nullable(v.number());
export const interval = v.nullable(
  named('Interval', v.object({ low: v.number(), high: v.number() })),
);
export const bounds = v.nullable(named('Bounds', v.object({ low: figure, high: figure })));

/** Cards created since a verdict alone: no selection has touched them. */
export const sinceThen = v.nullable(
  v.object({
    cards: described(count, 'cards created since verdict_since'),
    difference_percentage_points: described(figure, 'the same difference, of these cards alone'),
    interval_95: described(interval, '95 % interval of it'),
  }),
);

/** A difference in one of two times. */
export const lately = v.nullable(
  v.object({
    percentage_points: described(v.number(), 'the difference in that time'),
    interval_95: described(interval, '95 % interval of it'),
  }),
);

/** What came after a verdict. */
export function sinceThenOf({ size, value, interval }: Estimate): v.InferOutput<typeof sinceThen> {
  if (size === 0) return null;
  return {
    cards: size,
    difference_percentage_points: cleanOrNull(value),
    interval_95: interval(LEVEL),
  };
}

/** Figures as they are printed: more than 6 digits say nothing of a sample. Whole numbers are counts and stay whole. */
export function asPrinted<T>(figures: T): T {
  return eachNumber(figures, (one) =>
    Number.isInteger(one) ? one : Number(one.toPrecision(6)),
  ) as T;
}

function eachNumber(value: unknown, change: (one: number) => number): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? change(value) : null;
  if (Array.isArray(value)) return value.map((inner) => eachNumber(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, eachNumber(inner, change)]),
  );
}
