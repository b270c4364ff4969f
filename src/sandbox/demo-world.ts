import { DAY } from '../runtime/units.ts';
import { createMarketWorld } from './market/market-world.ts';
import type { World } from './world.ts';

const DAYS = 90;

/** When the demo's history begins; both epoch milliseconds UTC. */
export const demoSince = (now: number): number => now - DAYS * DAY;

/** The market of `--demo`: its service shows all of it, its history what an export has kept of it. */
export function demoWorld(now: number): World {
  return createMarketWorld({ seed: 7, history: { since: demoSince(now) }, startedAt: now });
}
