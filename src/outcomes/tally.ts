/**
 * Counts rows by group. A tally of a part of the history can be handed over (from another thread) and added to another.
 */
import { Column } from './column.ts';
import type { Measured, Row } from './row.ts';
import type { Spill } from './spill.ts';

export type GroupBy = 'type' | 'symbol' | 'day';

export const DAY = 86_400_000;

/** Values in memory, 8 bytes each: a history of about a million outcomes needs no temporary file. */
const MOST_HELD = 4 << 20;

/** One horizon of one group, each on its own sample. */
export class HorizonTally {
  pending = 0;
  /** Said to be missing, or available without a move, or in a state the document does not list. */
  missing = 0;
  /** Rows that moved more than BTC, of those that have both. */
  beating = 0;
  readonly moves = new Column();
  /** Move minus BTC's move, percentage points. */
  readonly differences = new Column();
  /** Of the rows with a move. */
  readonly symbols = new Set<string>();
  readonly days = new Set<number>();

  add({ state, move, btc }: Measured, row: Row): void {
    if (state === 'pending') {
      this.pending += 1;
    } else if (state !== 'available' || move === null) {
      this.missing += 1;
    } else {
      this.moves.push(move);
      this.symbols.add(row.symbol);
      this.days.add(Math.floor(row.at / DAY));
      if (btc === null) return;
      this.differences.push(move - btc);
      if (move > btc) this.beating += 1;
    }
  }
}

export class GroupTally {
  rows = 0;
  /** Not bought yet, or the API has none. */
  withoutOutcome = 0;
  readonly horizons: readonly [HorizonTally, HorizonTally] = [new HorizonTally(), new HorizonTally()];

  add(row: Row): void {
    this.rows += 1;
    if (row.measured === undefined) {
      this.withoutOutcome += 1;
      return;
    }
    this.horizons[0].add(row.measured[0], row);
    this.horizons[1].add(row.measured[1], row);
  }
}

/** A tally as it travels between threads. */
export type TallyParts = [key: string, group: GroupParts][];

interface GroupParts {
  readonly rows: number;
  readonly withoutOutcome: number;
  readonly horizons: readonly HorizonParts[];
}

interface HorizonParts {
  readonly pending: number;
  readonly missing: number;
  readonly beating: number;
  readonly moves: Float64Array;
  readonly differences: Float64Array;
  readonly symbols: readonly string[];
  readonly days: readonly number[];
}

export class Tally {
  readonly groups = new Map<string, GroupTally>();
  readonly #by: GroupBy | undefined;
  readonly #spill: Spill | undefined;
  readonly #mostHeld: number;
  #held = 0;

  /**
   * @param spill takes the values once more than `mostHeld` of them were merged; without it all stay in memory
   */
  constructor(by: GroupBy | undefined, spill?: Spill, mostHeld = MOST_HELD) {
    this.#by = by;
    this.#spill = spill;
    this.#mostHeld = mostHeld;
    if (by === undefined) this.#group('');
  }

  add(row: Row): void {
    this.#group(this.#keyOf(row)).add(row);
  }

  /** Adds a tally of other rows. */
  merge(parts: TallyParts): void {
    for (const [key, part] of parts) {
      const group = this.#group(key);
      group.rows += part.rows;
      group.withoutOutcome += part.withoutOutcome;
      group.horizons.forEach((horizon, i) => {
        const other = part.horizons[i];
        if (other === undefined) return;
        horizon.pending += other.pending;
        horizon.missing += other.missing;
        horizon.beating += other.beating;
        horizon.moves.append(other.moves);
        horizon.differences.append(other.differences);
        this.#held += other.moves.length + other.differences.length;
        for (const symbol of other.symbols) horizon.symbols.add(symbol);
        for (const day of other.days) horizon.days.add(day);
      });
    }
    if (this.#spill !== undefined && this.#held > this.#mostHeld) this.#spillTo(this.#spill);
  }

  #spillTo(spill: Spill): void {
    for (const { horizons } of this.groups.values()) {
      for (const { moves, differences } of horizons) {
        moves.spillTo(spill);
        differences.spillTo(spill);
      }
    }
    this.#held = 0;
  }

  /** Copies, so that the buffers can be handed over. */
  parts(): TallyParts {
    return [...this.groups].map(([key, { rows, withoutOutcome, horizons }]) => [
      key,
      {
        rows,
        withoutOutcome,
        horizons: horizons.map((horizon) => ({
          pending: horizon.pending,
          missing: horizon.missing,
          beating: horizon.beating,
          moves: horizon.moves.values().slice(),
          differences: horizon.differences.values().slice(),
          symbols: [...horizon.symbols],
          days: [...horizon.days],
        })),
      },
    ]);
  }

  #keyOf(row: Row): string {
    if (this.#by === 'type') return row.type;
    if (this.#by === 'symbol') return row.symbol;
    if (this.#by === 'day') return new Date(Math.floor(row.at / DAY) * DAY).toISOString().slice(0, 10);
    return '';
  }

  #group(key: string): GroupTally {
    let group = this.groups.get(key);
    if (group === undefined) {
      group = new GroupTally();
      this.groups.set(key, group);
    }
    return group;
  }
}
