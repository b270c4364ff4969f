/** The accounts that `npm run lives` lives: what each type of theirs truly does, day by day. */
import { normalOf, randomOf } from '../support/history.ts';

/** A value from a day on. Day 0 is that of the first morning; a list begins with what holds from the start. */
export interface Step<T> {
  readonly from: number;
  readonly value: T;
}

/** What holds on a day. */
export function valueOn<T>(steps: readonly Step<T>[], day: number): T {
  const step = steps.findLast(({ from }) => from <= day) ?? steps[0];
  if (step === undefined) throw new Error('A list of steps is empty.');
  return step.value;
}

/** Before all days that an account lists. */
const START = Number.NEGATIVE_INFINITY;

const always = <T>(value: T): readonly Step<T>[] => [{ from: START, value }];

/** The number at the trigger that a screener watches. */
export type Watched = 'price' | 'oi' | 'volume' | 'funding' | 'liquidations';

/** What a number at the trigger tells of the move that follows. */
export interface Telling {
  /** The key in `entry_context`. */
  readonly number: 'price_change_pct' | 'oi_change_pct';
  /** `sign`: so much above 0, less so much below. `rank`: so much between the means of its lower and its upper half. */
  readonly by: 'sign' | 'rank';
  readonly percentagePoints: number;
}

export interface LivedType {
  readonly name: string;
  readonly watches: Watched;
  readonly perDay: number;
  /** Percentage points that its cards move more than the market in 24 h. */
  readonly effect: readonly Step<number>[];
  /** The least size of what it watches: its setting. A step after the first is a change of its settings. */
  readonly threshold: readonly Step<number>[];
  /** Its first day without a card; it stays switched on. */
  readonly silentFrom?: number;
  readonly tells?: Telling;
}

export interface LivedAccount {
  readonly name: string;
  readonly types: readonly LivedType[];
  /** Days that the service lists on the first morning. */
  readonly listed: number;
  /** Types whose `tune TYPE` is shown. */
  readonly tuned: readonly string[];
  /** Types whose page is shown. */
  readonly pages: readonly string[];
  /** The user's picks are better than the other cards of their day. They are taken from all cards, or from bought ones. */
  readonly picksFrom: 'all' | 'bought';
  /** The share of the cards that the user would have picked. */
  readonly pickedShare: number;
}

/** How much more the picked cards move than the others of their type and day, percentage points. */
export const PICKED_MORE = 1.5;

const THRESHOLDS: Readonly<Record<Watched, number>> = {
  price: 3,
  oi: 4,
  volume: 150,
  funding: 0.0005,
  liquidations: 400_000,
};

/** A type whose settings never change, and without any effect unless one is given. */
function steadyType(
  name: string,
  watches: Watched,
  perDay: number,
  more: Partial<LivedType> = {},
): LivedType {
  return {
    name,
    watches,
    perDay,
    effect: always(0),
    threshold: always(THRESHOLDS[watches]),
    ...more,
  };
}

/** Steps of two values. */
const until = <T>(day: number, before: T, after: T): readonly Step<T>[] => [
  { from: START, value: before },
  { from: day, value: after },
];

/**
 * An owner of six types, of which some work, one tells up from down, and one falls silent. Beside the other types
 * momentum_break moves 1.8 more, and oi_surge 2 less.
 */
const TRADER: LivedAccount = {
  name: 'trader',
  listed: 30,
  types: [
    steadyType('momentum_break', 'price', 9, { effect: always(1.44) }),
    steadyType('oi_surge', 'oi', 8, {
      effect: always(-1.56),
      tells: { number: 'oi_change_pct', by: 'rank', percentagePoints: 1.5 },
    }),
    steadyType('price_spike', 'price', 10, {
      tells: { number: 'price_change_pct', by: 'sign', percentagePoints: 1.5 },
    }),
    steadyType('funding_flip', 'funding', 6, { silentFrom: 62 }),
    steadyType('breakout', 'price', 6.4, { effect: always(0.2) }),
    steadyType('liq_cascade', 'liquidations', 4 / 7),
  ],
  tuned: ['price_spike', 'oi_surge', 'momentum_break'],
  pages: ['momentum_break', 'price_spike'],
  picksFrom: 'bought',
  pickedShare: 0.04,
};

/** A new subscriber who changes settings: once it helps, once it does nothing; and an edge dies by itself. */
const CHANGER: LivedAccount = {
  name: 'changer',
  listed: 0,
  types: [
    steadyType('breakout', 'price', 7, {
      effect: until(35, -1, 1),
      threshold: until(35, 2.5, 3.5),
    }),
    steadyType('price_spike', 'price', 8, { threshold: until(40, 3, 4) }),
    steadyType('momentum_break', 'price', 7, { effect: until(45, 2, 0) }),
    steadyType('oi_surge', 'oi', 6),
    steadyType('funding_flip', 'funding', 5),
    steadyType('liq_cascade', 'liquidations', 3),
  ],
  tuned: ['breakout', 'price_spike'],
  pages: ['breakout', 'momentum_break'],
  picksFrom: 'all',
  pickedShare: 0.1,
};

const WATCHED: readonly Watched[] = ['price', 'oi', 'volume', 'funding', 'liquidations'];

/** Cards a day of each of the twelve types of `large`, 250 in all. */
const LARGE_RATES = [40, 34, 30, 26, 23, 20, 18, 16, 14, 12, 10, 7];

/** The effects of `large` that are meant to be found, by the place of the type. */
const LARGE_EFFECTS: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [7, 1.2],
  [3, -1.2],
]);

/** An owner of far more cards than the month's credits buy. The small effects of most types depend on the seed. */
function largeAccount(seed: number): LivedAccount {
  const normal = normalOf(randomOf(1000 * seed + 99));
  const types = LARGE_RATES.map((perDay, place) => {
    const name = `type_${String.fromCharCode('a'.charCodeAt(0) + place)}`;
    const smallEffect = Math.round(100 * 0.25 * normal()) / 100;
    const effect = LARGE_EFFECTS.get(place) ?? smallEffect;
    const watches = WATCHED[place % WATCHED.length] ?? 'price';
    return steadyType(name, watches, perDay, { effect: always(effect) });
  });
  return {
    name: 'large',
    types,
    listed: 30,
    tuned: ['type_a', 'type_b'],
    pages: ['type_b', 'type_h'],
    picksFrom: 'all',
    pickedShare: 0.03,
  };
}

/** An owner of two types and one to three cards a day, of which none is better than another. */
const SMALL: LivedAccount = {
  name: 'small',
  listed: 24,
  types: [steadyType('price', 'price', 1.2), steadyType('oi', 'oi', 0.8)],
  tuned: ['price'],
  pages: ['price', 'oi'],
  picksFrom: 'bought',
  pickedShare: 0.25,
};

export const ACCOUNT_NAMES = ['trader', 'changer', 'large', 'small'] as const;
export type AccountName = (typeof ACCOUNT_NAMES)[number];

export function accountOf(name: AccountName, seed: number): LivedAccount {
  switch (name) {
    case 'trader':
      return TRADER;
    case 'changer':
      return CHANGER;
    case 'large':
      return largeAccount(seed);
    case 'small':
      return SMALL;
  }
}

/** Whether a type sends cards on a day. */
export function sendsOn(
  { silentFrom = Number.POSITIVE_INFINITY }: LivedType,
  day: number,
): boolean {
  return day < silentFrom;
}

/** The days on which a type's settings changed. */
export function changeDaysOf({ threshold }: LivedType): number[] {
  return threshold.map(({ from }) => from).filter(Number.isFinite);
}
