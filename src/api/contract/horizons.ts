/** The one table of horizons, shortest first: the compiler names what else a new entry needs. */
import { HOUR } from '../../base/units.ts';
import { andWords } from '../../base/words.ts';

interface HorizonEntry {
  /** The name that the API has in `horizons.NAME`, `state_NAME`, `move_NAME_pct` and `btc_move_NAME_pct`. */
  readonly name: string;
  readonly millis: number;
  /** `24 hours`. */
  readonly words: string;
  /** `24 h`. */
  readonly shortWords: string;
  /** The smallest difference that matters at this horizon, as a share of `--least`. */
  readonly shareOfLeast: number;
  /** How many UTC days a block has: in a sample of fewer than 36 days, and in a longer one. */
  readonly blockDays: { readonly ofFewDays: number; readonly ofManyDays: number };
}

export const HORIZONS = [
  {
    name: '1h',
    millis: HOUR,
    words: '1 hour',
    shortWords: '1 h',
    shareOfLeast: 1 / 4,
    blockDays: { ofFewDays: 1, ofManyDays: 1 },
  },
  // A 24 h window reaches into the next day, so that neighbouring days depend on each other.
  {
    name: '24h',
    millis: 24 * HOUR,
    words: '24 hours',
    shortWords: '24 h',
    shareOfLeast: 1,
    blockDays: { ofFewDays: 2, ofManyDays: 3 },
  },
] as const satisfies readonly HorizonEntry[];

type HorizonFacts = (typeof HORIZONS)[number];
export type HorizonName = HorizonFacts['name'];

export const HORIZON_NAMES: readonly HorizonName[] = HORIZONS.map(({ name }) => name);

export const MAIN_HORIZON = '24h' satisfies HorizonName;

const LONGEST = HORIZONS.reduce<HorizonFacts>(
  (longest, horizon) => (horizon.millis > longest.millis ? horizon : longest),
  HORIZONS[0],
);

/** How long after the trigger an outcome is over, milliseconds: after the longest horizon. */
export const OUTCOME_MILLIS = LONGEST.millis;

/** The same in words: `24 h`. */
export const OUTCOME_WORDS = LONGEST.shortWords;

/** `1 h and 24 h`. */
export const HORIZONS_IN_WORDS = andWords(HORIZONS.map(({ shortWords }) => shortWords));

export function horizonOf(name: HorizonName): HorizonFacts {
  return HORIZONS.find((entry) => entry.name === name) as HorizonFacts;
}

/** How many UTC days a block has: in a sample of fewer than 36 days, and in a longer one. */
export function blockLengthsOf(name: HorizonName): HorizonFacts['blockDays'] {
  return horizonOf(name).blockDays;
}

/** The horizon to which `--least` applies in full comes first; the others follow, longest first. */
const MAIN_FIRST: readonly HorizonFacts[] = [
  horizonOf(MAIN_HORIZON),
  ...HORIZONS.toReversed().filter(({ name }) => name !== MAIN_HORIZON),
];

/** Which share of `--least` matters after which horizon: `after 24 hours, 0.25 of it after 1 hour`. */
export const LEAST_AFTER = MAIN_FIRST.map(({ words, shareOfLeast }) =>
  shareOfLeast === 1 ? `after ${words}` : `${shareOfLeast} of it after ${words}`,
).join(', ');

/** An object with a value for each horizon. */
export function byHorizon<T>(make: (name: HorizonName) => T): Record<HorizonName, T> {
  const values: Partial<Record<HorizonName, T>> = {};
  for (const name of HORIZON_NAMES) values[name] = make(name);
  return values as Record<HorizonName, T>;
}

/** The names of an outcome's fields, by horizon. */
export const OUTCOME_FIELDS = byHorizon(
  (name) =>
    ({
      state: `state_${name}`,
      move: `move_${name}_pct`,
      btc: `btc_move_${name}_pct`,
    }) as const,
);

/** The fields of an outcome that depend on the horizon: `state_1h`, `move_1h_pct` and so on. */
export function outcomeFields<State, Move>(
  make: (name: HorizonName) => { readonly state: State; readonly move: Move; readonly btc: Move },
) {
  const fields: Record<string, State | Move> = {};
  for (const name of HORIZON_NAMES) {
    const values = make(name);
    const names = OUTCOME_FIELDS[name];
    fields[names.state] = values.state;
    fields[names.move] = values.move;
    fields[names.btc] = values.btc;
  }
  return fields as {
    [Name in HorizonName as `state_${Name}`]: State;
  } & {
    [Name in HorizonName as `move_${Name}_pct` | `btc_move_${Name}_pct`]: Move;
  };
}
