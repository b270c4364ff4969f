/** How many cases a run has, and a line that says so: a run that quietly did nothing must not look like one that passed. */

import process from 'node:process';
import { afterAll } from 'vitest';
import { CI_SEED } from '../support/seed.ts';

export const HEAVY = process.env.SCREENER_HEAVY === '1';

/** Printed, so that a failure can be repeated: FUZZ_SEED=… */
export const SEED = Number(process.env.FUZZ_SEED ?? CI_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** @param large with SCREENER_HEAVY=1 */
export function runs(small: number, large: number): number {
  return Number(process.env.FUZZ_RUNS ?? (HEAVY ? large : small));
}

const held = new Map<string, number>();

/** To be called where all of `cases` have held. */
export function report(what: string, cases: number): void {
  held.set(what, (held.get(what) ?? 0) + cases);
}

/** Says at the end of a file what has held; with SCREENER_HEAVY=1 kind by kind. */
export function sayAtTheEnd(file: string): void {
  afterAll(() => {
    const say = (what: string, cases: number) => process.stdout.write(`fuzz: ${what}: ${cases} cases held\n`);
    if (HEAVY) for (const [what, cases] of held) say(what, cases);
    const all = [...held.values()].reduce((sum, cases) => sum + cases, 0);
    say(`${file}, seed ${SEED}, all in all`, all);
  });
}
