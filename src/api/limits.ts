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
 * At most so many credits within so many UTC days, today the last of them. (That the API's day turns at UTC midnight is
 * an assumption.) The month's credits are not here: `/access` says what is left of them.
 */
export const CREDIT_PERIODS = [{ name: 'day', days: 1, credits: LIMITS.creditsPerDay }] as const;

export type CreditPeriodName = (typeof CREDIT_PERIODS)[number]['name'];
export const CREDIT_PERIOD_NAMES = CREDIT_PERIODS.map(({ name }) => name);

/** Credits that may be spent each day, for as long as one likes. */
export const CREDITS_A_DAY = Math.min(...CREDIT_PERIODS.map(({ days, credits }) => credits / days));

/** At most `allowance` requests within any `millis`; `field` of `/access` announces what the account is allowed. */
export const WINDOWS = [
  { name: 'minute', field: 'per_minute', millis: MINUTE, allowance: 15 },
] as const;

type AllowanceField = (typeof WINDOWS)[number]['field'];

/** Requests of each window, by its field of `/access`. */
export type Allowances = { readonly [Field in AllowanceField]: number };

export function byAllowance<T>(read: (field: AllowanceField) => T): Record<AllowanceField, T> {
  const entries = WINDOWS.map(({ field }) => [field, read(field)]);
  return Object.fromEntries(entries) as Record<AllowanceField, T>;
}

export const DOCUMENTED: Allowances = Object.fromEntries(
  WINDOWS.map(({ field, allowance }) => [field, allowance]),
) as Record<AllowanceField, number>;

export interface RequestWindow {
  /** `only 15 requests a minute`. */
  readonly name: string;
  readonly millis: number;
  /** Requests. */
  readonly allowance: number;
}

/** Every window with its allowance; the document's where `allowances` does not say. */
export function windowsOf(allowances: Partial<Allowances>): RequestWindow[] {
  return WINDOWS.map(({ name, millis, field }) => ({
    name,
    millis,
    allowance: allowances[field] ?? DOCUMENTED[field],
  }));
}
