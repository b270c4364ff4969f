/** Part 8 of the API document. */
import { MINUTE } from '../base/units.ts';

export const LIMITS = {
  creditsPerMonth: 1000,
  creditsPerDay: 150,
  cardsPerPage: 25,
  /** Characters. */
  cursorLength: 220,
  symbol: /^[A-Z0-9]{1,32}$/,
} as const;

/**
 * The limits of credits for periods of whole days: at most `credits` in the last `days` UTC days, today included. (The document
 * does not say when its day begins: UTC midnight is an assumption.) The month is not here: `/access` says what is left of it.
 */
export const CREDIT_PERIODS = [
  { name: 'day', words: 'today', days: 1, credits: LIMITS.creditsPerDay },
] as const satisfies readonly CreditPeriod[];

interface CreditPeriod {
  readonly name: string;
  /** The period in `2 credits are left today`: `today`. */
  readonly words: string;
  readonly days: number;
  readonly credits: number;
}

export type CreditPeriodName = (typeof CREDIT_PERIODS)[number]['name'];
export const CREDIT_PERIOD_NAMES = CREDIT_PERIODS.map(({ name }) => name);

/** The most credits that these periods allow each day: 150. A longer period would make it a fraction. (A month's 1,000 credits allow fewer.) */
export const CREDITS_A_DAY = Math.min(...CREDIT_PERIODS.map(({ days, credits }) => credits / days));

/** At most `allowance` requests are allowed within any `millis`. The field `field` of `/access` has the account's own allowance. */
export const WINDOWS = [
  { name: 'minute', field: 'per_minute', millis: MINUTE, allowance: 15 },
] as const;

type AllowanceField = (typeof WINDOWS)[number]['field'];

/** How many requests each window allows, by its field of `/access`: `{ per_minute: 15 }`. */
export type Allowances = { readonly [Field in AllowanceField]: number };

/** An object with a value for the field of each window. */
export function byAllowance<T>(make: (field: AllowanceField) => T): Record<AllowanceField, T> {
  const entries = WINDOWS.map(({ field }) => [field, make(field)]);
  return Object.fromEntries(entries) as Record<AllowanceField, T>;
}

/** The allowances of the document. */
export const DOCUMENTED_ALLOWANCES: Allowances = Object.fromEntries(
  WINDOWS.map(({ field, allowance }) => [field, allowance]),
) as Record<AllowanceField, number>;

/** A period, such as a minute, in which a number of requests is allowed. */
export interface RequestWindow {
  /** The word for it in `only 15 requests a minute`: `minute`. */
  readonly name: string;
  /** Its length, milliseconds. */
  readonly millis: number;
  /** How many requests are allowed within it. */
  readonly allowance: number;
}

/** All windows. A window without an entry in `allowances` has the document's allowance. */
export function windowsOf(allowances: Partial<Allowances>): RequestWindow[] {
  return WINDOWS.map(({ name, millis, field }) => ({
    name,
    millis,
    allowance: allowances[field] ?? DOCUMENTED_ALLOWANCES[field],
  }));
}
