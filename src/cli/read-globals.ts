import { durationFlag } from '../commands/flags/duration.ts';
import { textFlag, wholeNumberFlag } from '../commands/flags/values.ts';
import type { GlobalOptions } from '../commands/invocation.ts';
import { usageError } from '../errors.ts';
import { FORMATS, type Format } from '../output/types.ts';
import type { Context } from '../runtime/context.ts';

/** The global options as commander reads them: texts, as yet unchecked. */
export interface RawGlobals {
  output?: string;
  json?: true;
  ndjson?: true;
  csv?: true;
  fields?: string;
  baseUrl?: string;
  demo?: true;
  maxCredits?: string;
  keep?: string;
  plan?: true;
  maxWait?: string;
  timeout?: string;
  /** False for --no-color. */
  color: boolean;
  /** False for --no-pager. */
  pager: boolean;
  quiet?: true;
  verbose?: true;
}

const DEFAULT_WAIT = 60_000;
const DEFAULT_TIMEOUT = 30_000;

/**
 * Checks the global options; the format by flag, then SCREENER_OUTPUT, then `table`.
 * @throws ScreenerError usage
 */
export function readGlobals(raw: RawGlobals, env: Context['env']): GlobalOptions {
  const timeout = raw.timeout === undefined ? DEFAULT_TIMEOUT : durationFlag('--timeout', raw.timeout);
  if (timeout < 1) throw usageError('--timeout must be longer than 0.', 'For example --timeout 10s.');
  return {
    format: readFormat(raw, env),
    fields: raw.fields === undefined ? undefined : readFields(raw.fields),
    baseUrl: raw.baseUrl === undefined ? undefined : textFlag('--base-url', raw.baseUrl),
    demo: raw.demo === true,
    maxCredits: raw.maxCredits === undefined ? undefined : wholeNumberFlag('--max-credits', raw.maxCredits, 0),
    keep: readKeep(raw.keep, env),
    plan: raw.plan === true,
    maxWait: raw.maxWait === undefined ? DEFAULT_WAIT : durationFlag('--max-wait', raw.maxWait),
    timeout,
  };
}

/** By flag, then SCREENER_KEEP. */
function readKeep(flag: string | undefined, env: Context['env']): number | undefined {
  if (flag !== undefined) return wholeNumberFlag('--keep', flag, 0);
  return env.SCREENER_KEEP ? wholeNumberFlag('SCREENER_KEEP', env.SCREENER_KEEP, 0) : undefined;
}

function readFormat(raw: RawGlobals, env: Context['env']): Format {
  const short = (['json', 'ndjson', 'csv'] as const).filter((format) => raw[format]);
  const asked = [...new Set([...short, ...(raw.output === undefined ? [] : [checkFormat('--output', raw.output)])])];
  if (asked.length > 1) {
    throw usageError(`Only one output format at a time, not ${asked.join(' and ')}.`, 'Leave one of them out.');
  }
  if (asked[0] !== undefined) return asked[0];
  return env.SCREENER_OUTPUT ? checkFormat('SCREENER_OUTPUT', env.SCREENER_OUTPUT) : 'table';
}

function checkFormat(where: string, text: string): Format {
  const format = FORMATS.find((name) => name === text);
  if (format === undefined) throw usageError(`${where} takes ${FORMATS.join(', ')}, not '${text}'.`);
  return format;
}

/** PowerShell takes `id,created_at` for an array, and npm's script for it hands that on with blanks. */
function readFields(text: string): string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0)
    throw usageError('--fields takes field names, comma-separated.', 'For example --fields id,created_at.');
  return [...new Set(names)];
}
