import { MINUTE } from '../runtime/units.ts';

/** Part 8 of the API document. */
export const LIMITS = {
  creditsPerMonth: 1000,
  creditsPerDay: 150,
  cardsPerPage: 25,
  cursorLength: 220,
  symbol: /^[A-Z0-9]{1,32}$/,
} as const;

/** Part 8: at most `allowance` requests within any `millis`; `field` of `/access` announces the account's allowance. */
export const WINDOWS = [
  { name: 'minute', field: 'per_minute', millis: MINUTE, allowance: 15 },
] as const;

export type Allowances = { readonly [Field in (typeof WINDOWS)[number]['field']]: number };

export function byAllowance<T>(read: (field: keyof Allowances) => T): Record<keyof Allowances, T> {
  return Object.fromEntries(WINDOWS.map(({ field }) => [field, read(field)])) as Record<
    keyof Allowances,
    T
  >;
}

export const DOCUMENTED = Object.fromEntries(
  WINDOWS.map(({ field, allowance }) => [field, allowance]),
) as Allowances;

/** Every window with its allowance; the document's where `allowances` does not say. */
export function windowsOf(allowances: Partial<Allowances>) {
  return WINDOWS.map(({ field, ...window }) => ({
    ...window,
    allowance: allowances[field] ?? DOCUMENTED[field],
  }));
}
