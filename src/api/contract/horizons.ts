/** The one table of horizons, shortest first: the compiler names what else a new entry needs. */
import * as v from 'valibot';
import { HOUR } from '../../runtime/units.ts';

/**
 * `name`, as the API names it: in `horizons.NAME`, and in `state_NAME`, `move_NAME_pct`, `btc_move_NAME_pct`.
 * `least`: the smallest difference that matters, as a share of `--least`. `clusterDays`: UTC days of a cluster, of a
 * sample of fewer than 36 days, and of a longer one. `isOptional`: a service may lack it.
 */
export const HORIZONS = [
  {
    name: '1h',
    millis: HOUR,
    words: '1 hour',
    least: 1 / 4,
    clusterDays: [1, 1],
    isOptional: false,
  },
  // A 24 h window reaches into the next day, so that single days depend on each other.
  {
    name: '24h',
    millis: 24 * HOUR,
    words: '24 hours',
    least: 1,
    clusterDays: [2, 3],
    isOptional: false,
  },
] as const;

type Horizon = (typeof HORIZONS)[number];
export type HorizonName = Horizon['name'];

export const HORIZON_NAMES: readonly HorizonName[] = HORIZONS.map(({ name }) => name);

export const MAIN_HORIZON = '24h' satisfies HorizonName;

export function horizonOf(name: HorizonName): Horizon {
  return HORIZONS.find((entry) => entry.name === name) as Horizon;
}

/** `after 24 hours, 0.25 of it after 1 hour`. */
export const LEAST_AFTER = HORIZONS.toReversed()
  .map(({ words, least }) => `${least === 1 ? '' : `${least} of it `}after ${words}`)
  .join(', ');

export function byHorizon<T>(make: (name: HorizonName) => T): Record<HorizonName, T> {
  const made: Partial<Record<HorizonName, T>> = {};
  for (const name of HORIZON_NAMES) made[name] = make(name);
  return made as Record<HorizonName, T>;
}

/** The horizons that are there: a service may leave out an optional one. */
export function horizonsIn<T>(
  of: { readonly [name in HorizonName]?: T | undefined },
): (readonly [HorizonName, T])[] {
  return HORIZON_NAMES.flatMap((name) => {
    const value = of[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

type OptionalName = Extract<Horizon, { readonly isOptional: true }>['name'];
type MayLack<Name, Schema extends v.GenericSchema> = Name extends OptionalName
  ? v.OptionalSchema<Schema, undefined>
  : Schema;

function mayLack(
  { isOptional }: { readonly isOptional: boolean },
  schema: v.GenericSchema,
): v.GenericSchema {
  return isOptional ? v.optional(schema) : schema;
}

export function horizonEntries<Schema extends v.GenericSchema>(make: (entry: Horizon) => Schema) {
  const entries = HORIZONS.map((entry) => [entry.name, mayLack(entry, make(entry))]);
  return Object.fromEntries(entries) as { [Name in HorizonName]: MayLack<Name, Schema> };
}

export function outcomeEntries<State extends v.GenericSchema, Move extends v.GenericSchema>(
  make: (entry: Horizon) => { readonly state: State; readonly move: Move; readonly btc: Move },
) {
  const entries = outcomeFields((name) => {
    const entry = horizonOf(name);
    const { state, move, btc } = make(entry);
    return { state: mayLack(entry, state), move: mayLack(entry, move), btc: mayLack(entry, btc) };
  });
  return entries as {
    [Name in HorizonName as `state_${Name}`]: MayLack<Name, State>;
  } & {
    [Name in HorizonName as `move_${Name}_pct` | `btc_move_${Name}_pct`]: MayLack<Name, Move>;
  };
}

export const OUTCOME_FIELDS = byHorizon(
  (name) => [`state_${name}`, `move_${name}_pct`, `btc_move_${name}_pct`] as const,
);

export function outcomeFields<State, Move>(
  make: (name: HorizonName) => { readonly state: State; readonly move: Move; readonly btc: Move },
) {
  const fields = HORIZON_NAMES.flatMap((name) => {
    const { state, move, btc } = make(name);
    const [ofState, ofMove, ofBtc] = OUTCOME_FIELDS[name];
    return [[ofState, state] as const, [ofMove, move] as const, [ofBtc, btc] as const];
  });
  return Object.fromEntries<State | Move>(fields) as {
    [Name in HorizonName as `state_${Name}`]: State;
  } & {
    [Name in HorizonName as `move_${Name}_pct` | `btc_move_${Name}_pct`]: Move;
  };
}
