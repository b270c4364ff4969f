/** A number that the command line sets: its range, what holds where it is not given, and what it is in one line. */
export interface NumberOption {
  readonly least: number;
  readonly most: number;
  readonly absent: number;
  readonly about: string;
}

/** By its name in `startSandbox`; the command line writes `perMinute` as `--per-minute`. */
export const NUMBERS = {
  port: { least: 0, most: 65_535, absent: 0, about: 'port to listen on (default: any free one)' },
  cards: { least: 0, most: 100_000, absent: 300, about: 'cards in its history (default: 300)' },
  seed: { least: 0, most: 2 ** 31 - 1, absent: 1, about: 'another number, another market (default: 1)' },
  perMinute: { least: 1, most: 1_000_000_000, absent: 15, about: 'requests a minute (default: 15)' },
} as const satisfies Record<string, NumberOption>;

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
