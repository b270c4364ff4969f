import { SECOND } from '../../src/base/units.ts';
import type { Fault, FaultCase } from './cases.ts';

/**
 * What must come of a case, worked out from the paragraph on retries in the design and part 7 of the API document; it
 * shares no code with the program.
 */
export interface Expected {
  readonly exit: number;
  /** Milliseconds between the answer to a try and the next try: at least, and at most. */
  readonly waits: readonly (readonly [least: number, most: number])[];
  /** Credits that the server takes: of requests answered with 200. */
  readonly taken: number;
  /** Credits of requests answered with 200 by the service; of others, which may count. */
  readonly charged: number;
  readonly uncertain: number;
  readonly requests: number;
  /** As the JSON error must say it. */
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
}

/** Answers with status 200 that may come from something in the place of the service. */
const NO_ENVELOPE: ReadonlySet<string> = new Set(['html', 'empty', 'no-envelope']);

/** "Plus a little jitter", and an instant for everything else. */
const JITTER = 600;

export function expect(faultCase: FaultCase): Expected {
  const { scenario, fault, times, maxWait } = faultCase;
  const { status } = fault.answer;
  // Only an integer asks for anything, as the document has it; "clients do not retry immediately": 0 asks for nothing.
  const stayAway = /^\d*[1-9]\d*$/.test(faultCase.retryAfter)
    ? Number(faultCase.retryAfter)
    : undefined;
  const { cost } = scenario;
  const waits: [number, number][] = [];
  let failures = 0;
  let passed = false;
  while (!passed) {
    failures += 1;
    const seconds = waitFor(fault, stayAway, failures, cost);
    if (seconds === undefined || failures === 3 || seconds > maxWait) break;
    const most = Math.max(Math.ceil(seconds) * SECOND, paceAfter(fault, stayAway, failures));
    waits.push([seconds * SECOND, most + JITTER]);
    passed = failures >= times;
  }
  // A page whose cursor is refused: the walk goes on from its oldest card, once.
  if (scenario.nth > 1 && scenario.path === '/signals' && (status === 404 || status === 422)) {
    passed = times === 1;
    failures = passed ? 1 : 2;
    waits.push([0, JITTER]);
  }
  const attempts = failures + (passed ? 1 : 0);
  // An answer with status 200 is a paid one if it is the service's own, whatever that holds.
  const isAnswered = status === undefined && fault.answer.delivery === undefined;
  const isPaid = isAnswered && !NO_ENVELOPE.has(fault.name);
  const { others, further, isDispensable = false } = scenario;
  const goesOn = passed || (isDispensable && status !== 401);
  const own = {
    taken: (passed || isAnswered ? 1 : 0) * cost,
    charged: (passed || isPaid ? 1 : 0) * cost,
    uncertain: isPaid ? 0 : failures * cost,
  };
  const beside = others.credits + (goesOn ? further.credits : 0);
  return {
    exit: goesOn ? 0 : fault.exit,
    waits,
    taken: own.taken + beside,
    charged: own.charged + beside,
    uncertain: own.uncertain,
    requests: attempts + others.requests + (goesOn ? further.requests : 0),
    status: goesOn ? undefined : statusOf(fault),
    retryAfter:
      goesOn || status === undefined || stayAway === undefined ? undefined : Math.ceil(stayAway),
  };
}

function statusOf({ name, answer }: Fault): number | undefined {
  return answer.status ?? (name === 'hasError' || name === 'null' ? 200 : undefined);
}

/** For how long 429 and 503 keep everybody away: as asked, else 60 s, and 5 s doubling. */
function awayFor(
  { answer }: Fault,
  asked: number | undefined,
  failures: number,
): number | undefined {
  if (answer.status === 429) return asked ?? 60;
  if (answer.status === 503) return asked ?? 5 * 2 ** (failures - 1);
  return undefined;
}

/**
 * After a second 429 in a row a minute may pass. One that asks for more than a minute speaks of the day's or the month's
 * credits.
 * @returns milliseconds
 */
function paceAfter({ answer }: Fault, stayAway: number | undefined, failures: number): number {
  return answer.status === 429 && (stayAway ?? 0) <= 60 && failures > 1 ? 60 * SECOND : 0;
}

/** Seconds before another try, or undefined: none. */
function waitFor(
  fault: Fault,
  asked: number | undefined,
  failures: number,
  cost: number,
): number | undefined {
  const away = awayFor(fault, asked, failures);
  if (away !== undefined) return away;
  const isOther5xx = (fault.answer.status ?? 0) >= 500;
  if (!isOther5xx && fault.answer.delivery === undefined) return undefined;
  if (cost > 1 || failures > 1) return undefined;
  return Math.max(5, isOther5xx ? (asked ?? 0) : 0);
}
