import { DOCUMENTED } from '../api/limits.ts';

/** What holds where nothing else is said, by its name in `startSandbox`. Port 0 is any free one. */
export const DEFAULTS = { port: 0, cards: 300, seed: 1, perMinute: DOCUMENTED.per_minute } as const;
