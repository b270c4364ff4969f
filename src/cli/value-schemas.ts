/** JSON Schema of the values that several options take. */
import { DURATION, WITH_UNIT } from '../runtime/durations.ts';

export const COUNT = { type: 'integer', minimum: 0 } as const;

export const TEXT = { type: 'string', minLength: 1 } as const;

export const durationBy = (absent: string) => ({ ...DURATION, default: absent });

/** A point in time: ISO 8601 with Z or an offset, a date, a duration back from now, or a word. */
export const TIME = {
  type: 'string',
  pattern: String.raw`^(now|today|yesterday|\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?|${WITH_UNIT})$`,
  examples: ['today', '24h', '7d', '2026-11-20', '2026-11-20T18:00:00Z'],
} as const;
