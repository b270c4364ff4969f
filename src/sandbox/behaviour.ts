import { usageError } from '../errors.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../runtime/units.ts';
import { flagOf, SWITCHES, type Switch, type SwitchName, type SwitchTexts } from './switches.ts';

/** The switches, read. Durations are milliseconds, shares fractions; undefined is off. */
export interface Behaviour {
  /** Requests a bucket holds; the other limiters have no size. */
  readonly limiter: { readonly kind: 'sliding' | 'fixed' | 'bucket'; readonly size: number };
  readonly refusals: { readonly counted: boolean; readonly charged: boolean };
  readonly countAt: 'arrival' | 'answer';
  readonly latency: number;
  readonly retryAfter: boolean;
  readonly order: 'created' | 'seen' | 'id' | 'shuffled';
  readonly randomIds: boolean;
  readonly windowBy: 'created' | 'seen';
  readonly inclusive: boolean;
  readonly defaultWindow: number;
  readonly maxWindow: { readonly length: number; readonly clamp: boolean } | undefined;
  readonly maxAge: number | undefined;
  /** A cursor for a page after so many, or older than `age`, is refused. */
  readonly cursorExpiry: { readonly pages: number; readonly age: number };
  readonly emptyPages: number;
  readonly repeatPage: number;
  /** What the reported `until` is rounded up to. */
  readonly untilStep: number;
  readonly outcomeDelay: number;
  readonly nullOutcomes: { readonly share: number; readonly until: number };
  readonly lateCards: number;
  readonly badDetails:
    | { readonly share: number; readonly ids: readonly number[]; readonly what: number | 'unsafe' }
    | undefined;
  readonly extraField: boolean;
  readonly reflectKey: boolean;
  readonly closeSocket: 'after-answer' | 'on-reuse' | undefined;
}

/**
 * Reads all switches; one that is not given behaves as its help says.
 * @throws ScreenerError usage, naming the switch and what it accepts
 */
export function behaviourOf(given: SwitchTexts = {}): Behaviour {
  const text = (name: SwitchName): string | undefined => readText(given, name);
  const length = (name: SwitchName): number | undefined => optional(text(name), duration);
  const limiter = (text('limiter') ?? 'sliding').split(':');
  const refusals = text('refusals') ?? 'free';
  const [bad, what = ''] = text('badDetails')?.split(':') ?? [];
  const nulls = text('nullOutcomes') ?? '0%';
  return {
    limiter: { kind: limiter[0] as 'sliding', size: Number(limiter[1] ?? 0) },
    refusals: { counted: /counted|both/.test(refusals), charged: /charged|both/.test(refusals) },
    countAt: (text('countAt') ?? 'arrival') as 'arrival',
    latency: length('latency') ?? 0,
    retryAfter: text('retryAfter') !== 'none',
    order: (text('order') ?? 'created') as 'created',
    randomIds: text('ids') === 'random',
    windowBy: (text('windowBy') ?? 'created') as 'created',
    inclusive: text('bounds') !== 'exclusive',
    defaultWindow: length('defaultWindow') ?? 30 * DAY,
    maxWindow: optional(text('maxWindow')?.split(':'), ([limit = '', clamp]) => ({
      length: duration(limit),
      clamp: clamp !== undefined,
    })),
    maxAge: length('maxAge'),
    cursorExpiry: expiry(text('cursorExpiry')),
    emptyPages: numberSwitch(given, 'emptyPages') ?? 0,
    repeatPage: numberSwitch(given, 'repeatPage') ?? Number.POSITIVE_INFINITY,
    untilStep: { exact: 1, hour: HOUR, day: DAY }[text('reportUntil') ?? 'exact'] ?? 1,
    outcomeDelay: length('outcomeDelay') ?? 0,
    nullOutcomes: nulls.endsWith('%') ? { share: share(nulls), until: 0 } : { share: 0, until: duration(nulls) },
    lateCards: length('lateCards') ?? 0,
    badDetails: optional(bad, (which) => ({
      share: which.endsWith('%') ? share(which) : 0,
      ids: which.endsWith('%') ? [] : which.split(',').map(Number),
      what: what === 'unsafe' ? what : Number(what),
    })),
    extraField: given.extraField === true,
    reflectKey: given.reflectKey === true,
    closeSocket: text('closeSocket') as Behaviour['closeSocket'],
  };
}

/**
 * @returns undefined where it is not given
 * @throws ScreenerError usage
 */
export function numberSwitch(given: SwitchTexts, name: SwitchName): number | undefined {
  return optional(readText(given, name), Number);
}

function readText(given: SwitchTexts, name: SwitchName): string | undefined {
  const { pattern, range }: Switch = SWITCHES[name];
  if (given[name] === undefined) return undefined;
  const text = String(given[name]);
  if (range !== undefined) {
    const [least, most] = range;
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return text;
    throw usageError(`${flagOf(name)} ${text} is not possible.`, `Give a whole number from ${least} to ${most}.`);
  }
  if (pattern?.test(text)) return text;
  throw usageError(`${flagOf(name)} ${text} is not possible.`, `${flagOf(name)}: ${SWITCHES[name].about}.`);
}

const optional = <T, U>(value: T | undefined, read: (value: T) => U): U | undefined =>
  value === undefined ? undefined : read(value);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

const duration = (text: string): number => Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+/, '')] ?? 0);
const share = (text: string): number => Number.parseInt(text, 10) / 100;

function expiry(text: string | undefined): Behaviour['cursorExpiry'] {
  const never = Number.POSITIVE_INFINITY;
  if (text === undefined) return { pages: never, age: never };
  if (text === 'always') return { pages: 0, age: never };
  return /^\d+$/.test(text) ? { pages: Number(text), age: never } : { pages: never, age: duration(text) };
}
