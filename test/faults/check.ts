import { FORMATS, type Format } from '../../src/output/formats.ts';
import type { runHere } from '../support/in-process.ts';
import { templateOf } from '../support/operations.ts';
import type { ApiServer } from '../support/server.ts';
import type { FaultCase } from './cases.ts';
import { type Expected, expect } from './oracle.ts';

/** A service that says more than these seconds is waited for no longer. */
const MONTH = 31 * 86_400;

/** What was seen of one case: the requests and credits are those that the server counted. */
export type Observed = Awaited<ReturnType<typeof runHere>> &
  Pick<ApiServer, 'requests' | 'credits'>;

/** In what a case fell short of what it must do; empty where in nothing. */
export function shortfalls(faultCase: FaultCase, seen: Observed): string[] {
  const expected = expect(faultCase);
  const faults: string[] = [];
  const check = (what: string, is: unknown, must: unknown) => {
    if (is !== must) faults.push(`${what}: ${is} instead of ${must}`);
  };
  check('exit code', seen.code, expected.exit);
  check('requests', seen.requests.length, expected.requests);
  check('credits', seen.credits, expected.taken);
  const { charged, uncertain } = expected;
  const spent = charged + uncertain === 0 ? '' : `${charged} spent, ${uncertain} uncertain`;
  check('credits said', spentSaid(seen.stderr), spent);
  faults.push(
    ...timing(faultCase, expected, seen),
    ...onStdout(faultCase, expected, seen),
    ...onStderr(faultCase, expected, seen),
  );
  return faults;
}

function timing({ scenario }: FaultCase, expected: Expected, { requests }: Observed): string[] {
  const tries = requests
    .filter(({ path }) => path === scenario.path || templateOf(path) === scenario.path)
    .slice(scenario.nth - 1);
  return expected.waits.flatMap(([least, most], index) => {
    const waited = (tries[index + 1]?.at ?? Number.NaN) - (tries[index]?.answeredAt ?? Number.NaN);
    return waited >= least && waited <= most
      ? []
      : [`try ${index + 2} after ${waited} ms, not ${least} to ${most}`];
  });
}

/** The figures of the line that says what was spent; the words around them are not held to anything. */
function spentSaid(stderr: string): string {
  const line = stderr.split('\n').find((text) => /credits? spent/.test(text));
  if (line === undefined) return '';
  const charged = /(\d+|No) credits? spent/.exec(line)?.[1];
  return `${charged === 'No' ? 0 : charged} spent, ${/up to (\d+)/.exec(line)?.[1] ?? 0} uncertain`;
}

function onStdout(
  { scenario, format }: FaultCase,
  { exit }: Expected,
  { stdout }: Observed,
): string[] {
  const items = exit === 0 ? scenario.items.passed : scenario.items.failed;
  if (items === 0 || (items === 'none' && FORMATS[format].isForPeople))
    return stdout === '' ? [] : [`stdout is not empty: ${JSON.stringify(stdout.slice(0, 80))}`];
  const count = typeof items === 'number' ? items : 1;
  try {
    const held = ITEMS_ON[format](stdout, count);
    return held === count ? [] : [`${held} items on stdout instead of ${count}`];
  } catch (error) {
    return [`stdout cannot be read as ${format}: ${error}`];
  }
}

/** Items in a text, read as plainly as can be; a single resource is one. No field of the samples holds a newline. */
const ITEMS_ON: Readonly<Record<Format, (text: string, count: number) => number>> = {
  json: (text) => {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value.length : (value.items?.length ?? 1);
  },
  ndjson: (text) => linesOf(text).map((line) => JSON.parse(line)).length,
  csv: (text) => linesOf(text).length - 1,
  table: (text, count) => Math.min(count, linesOf(text).length),
};

function linesOf(text: string): string[] {
  if (!text.endsWith('\n')) throw new Error('no newline at its end');
  return text.trimEnd().split('\n');
}

function onStderr(
  { format, fault }: FaultCase,
  expected: Expected,
  { stderr }: Observed,
): string[] {
  const { isForPeople } = FORMATS[format];
  const faults = /\n\s+at .*:\d+|node:internal|\u001b/.test(stderr)
    ? ['a stack trace, or escapes']
    : [];
  const lines = stderr.split('\n');
  const errors = lines.filter((line) => line.startsWith(isForPeople ? 'error: ' : '{'));
  if (errors.length !== (expected.exit === 0 ? 0 : 1))
    faults.push(`${errors.length} errors on stderr`);
  if (expected.exit === 0 || errors[0] === undefined) return faults;
  if (isForPeople)
    return lines.some((line) => line.startsWith('hint: ')) ? faults : [...faults, 'no hint'];
  const { error } = JSON.parse(errors[0]);
  const { exit, status, retryAfter } = expected;
  const expectedFields = {
    code: fault.code,
    exit_code: exit,
    status,
    retry_after: retryAfter && Math.min(retryAfter, MONTH),
  };
  for (const [key, value] of Object.entries(expectedFields)) {
    if (error[key] !== value)
      faults.push(`${key} in the error is ${error[key]} instead of ${value}`);
  }
  const spent = `${expected.uncertain} credit${expected.uncertain === 1 ? '' : 's'} may be spent`;
  const isLost = fault.answer.delivery !== undefined && expected.uncertain > 0;
  if (isLost && !error.hint?.includes(spent)) faults.push(`"${spent}" is not said: ${error.hint}`);
  if (typeof error.hint !== 'string' || typeof error.message !== 'string')
    faults.push('an error without words');
  if ((error.retry_at === undefined) !== (expected.retryAfter === undefined))
    faults.push(`retry_at: ${error.retry_at}`);
  return faults;
}
