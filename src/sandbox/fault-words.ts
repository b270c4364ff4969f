/** What a `--fault` is written with. Kept apart from what the faults do: the command's help needs only the words. */
import { OPERATION_NAMES } from './operations.ts';

/** Statuses that are sent in place of the answer; 200 with a body of one's own. */
const STATUSES = ['200', '401', '403', '404', '422', '429', '500', '502', '503', '504'] as const;

/** What else may stand in for the answer, or happen to it. */
export const EFFECT_WORDS = [
  'html',
  'empty',
  'garbage',
  'has-error',
  'redirect',
  'wrong-type',
  'truncate',
  'drip',
  'reset',
  'reset-after',
  'hang',
] as const;

export const FAULT_WORDS: readonly string[] = [...STATUSES, ...EFFECT_WORDS];

export const FAULT_HELP =
  'A fault is OPERATION:WHICH:WHAT[:OPTION…], for example signals:2:503:retry-after=3. ' +
  `OPERATION: ${OPERATION_NAMES.join(', ')} or *. WHICH: 2 (the second request), 2+ (from it on) or * (each). ` +
  `WHAT: ${FAULT_WORDS.join(', ')}. ` +
  'OPTION: retry-after=TEXT, delay=MILLISECONDS, body=TEXT, charge.';

/** JSON Schema of a fault. */
export const FAULT = {
  type: 'string',
  pattern: `^(${OPERATION_NAMES.join('|')}|\\*):([1-9]\\d{0,8}\\+?|\\*):(${FAULT_WORDS.join('|')})(:(retry-after=[ -~]*|delay=\\d{1,7}|body=.*|charge))*$`,
  examples: ['signals:2:503:retry-after=3', '*:*:hang', 'signal:3+:429'],
} as const;
