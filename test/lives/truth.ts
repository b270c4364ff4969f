/** What is true of a lived account, and what it says to the verdicts that a morning shows. */
import { DEFAULT_LEAST } from '../../src/outcomes/question.ts';
import { MARGIN } from '../../src/statistics/rule.ts';
import {
  changeDaysOf,
  type LivedAccount,
  type LivedType,
  PICKED_MORE,
  sendsOn,
  valueOn,
} from './accounts.ts';
import type { Claim } from './claims.ts';
import { type Market, trendBeyondBtc } from './market.ts';

/** Days: what `lately` compares with all days before. */
const LAST_DAYS = 30;

/** Days of cards: `until` is no longer one of them. */
interface Days {
  readonly from: number;
  readonly until: number;
}

/** What is true of a claim. */
export interface Truth {
  /** Percentage points; null of a number that tells nothing. */
  readonly value: number | null;
  /** `false`: it never was so. `outlived`: it was so for the cards that are counted, and has ended. */
  readonly against: 'false' | 'outlived' | null;
}

/** @param day of the morning that shows the claim */
export function truthOf(claim: Claim, account: LivedAccount, market: Market, day: number): Truth {
  const type = account.types.find(({ name }) => name === claim.type);
  if (type === undefined) throw new Error(`${account.name} has no type ${claim.type}.`);
  const counted = countedDays(account, type, day);
  switch (claim.about) {
    case 'others': {
      const now = vsOthers(account, type, { from: day - 1, until: day });
      return ofSide(claim.verdict, vsOthers(account, type, counted), now);
    }
    case 'btc': {
      const now = vsBtc(type, market, { from: day - 1, until: day });
      return ofSide(claim.verdict, vsBtc(type, market, counted), now);
    }
    case 'number':
      return ofNumber(claim, type);
    case 'change':
      return ofChange(claim, type, day);
    case 'lately': {
      const last = vsOthers(account, type, { from: day - LAST_DAYS, until: day });
      const before = vsOthers(account, type, { ...counted, until: day - LAST_DAYS });
      const value = last - before;
      return { value, against: Math.abs(value) <= MARGIN ? 'false' : null };
    }
  }
}

/** The days whose cards decide on a morning: those since the settings of the type changed. */
function countedDays({ listed }: LivedAccount, type: LivedType, day: number): Days {
  const changes = changeDaysOf(type).filter((changed) => changed < day);
  return { from: changes.at(-1) ?? -listed, until: day };
}

/** @param truth, @param now in all the days that are counted, and on the last of them, percentage points */
function ofSide(verdict: string, truth: number, now: number): Truth {
  if (verdict === 'small')
    return { value: truth, against: Math.abs(truth) >= DEFAULT_LEAST ? 'false' : null };
  const sign = verdict.startsWith('above') ? 1 : -1;
  if (sign * truth <= MARGIN) return { value: truth, against: 'false' };
  return { value: truth, against: sign * now <= MARGIN ? 'outlived' : null };
}

function ofNumber({ number, verdict }: Claim, { tells }: LivedType): Truth {
  const isTrue = tells !== undefined && tells.number === number && verdict === 'higher';
  return { value: tells?.percentagePoints ?? null, against: isTrue ? null : 'false' };
}

/** What a change of settings did to its own type. */
function ofChange({ verdict }: Claim, type: LivedType, day: number): Truth {
  const changed = changeDaysOf(type)
    .filter((changeDay) => changeDay <= day)
    .at(-1);
  if (changed === undefined) return { value: null, against: 'false' };
  const value = effectOfChange(type, changed);
  if (verdict === 'small')
    return { value, against: Math.abs(value) >= DEFAULT_LEAST ? 'false' : null };
  const sign = verdict === 'higher' ? 1 : -1;
  return { value, against: sign * value <= MARGIN ? 'false' : null };
}

function effectOfChange({ effect }: LivedType, changed: number): number {
  return valueOn(effect, changed) - valueOn(effect, changed - 1);
}

/** What a type's cards moved more than those of the other types, a mean of days, percentage points. */
function vsOthers({ types }: LivedAccount, type: LivedType, days: Days): number {
  return meanOfDays(type, days, (day) => {
    const others = types.filter((other) => other !== type && sendsOn(other, day));
    let cards = 0;
    let sum = 0;
    for (const { perDay, effect } of others) {
      cards += perDay;
      sum += perDay * valueOn(effect, day);
    }
    return valueOn(type.effect, day) - sum / cards;
  });
}

/** What a type's cards moved more than BTC, a mean of days, percentage points. */
function vsBtc(type: LivedType, market: Market, days: Days): number {
  return trendBeyondBtc(market) + meanOfDays(type, days, (day) => valueOn(type.effect, day));
}

/** The mean of a type's days with cards; of its last ones if there are none. */
function meanOfDays(type: LivedType, { from, until }: Days, of: (day: number) => number): number {
  const values: number[] = [];
  for (let day = from; day < until; day += 1) if (sendsOn(type, day)) values.push(of(day));
  if (values.length === 0) return of((type.silentFrom ?? until) - 1);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;

/** The truth of an account in lines: each period in which nothing changes, then numbers, changes and picks. */
export function truthLines(account: LivedAccount, market: Market, mornings: number): string[] {
  const { name, types, listed } = account;
  const lines = [
    `${name}: what is true, in percentage points after 24 h. Day 0 is the day of the first morning.`,
    '',
    'DAYS        TYPE             CARDS A DAY  MORE THAN THE MARKET  THAN THE OTHER TYPES',
  ];
  for (const { from, until } of periodsOf(account, mornings))
    for (const type of types.filter((candidate) => sendsOn(candidate, from))) {
      const days = `${from} to ${until - 1}`.padEnd(12);
      const rate = type.perDay.toFixed(1).padStart(11);
      const effect = signed(valueOn(type.effect, from)).padStart(22);
      const difference = signed(vsOthers(account, type, { from, until })).padStart(22);
      lines.push(`${days}${type.name.padEnd(17)}${rate}${effect}${difference}`);
    }
  lines.push('');
  for (const type of types) lines.push(...notesOf(type));
  lines.push(
    `Symbols move ${signed(trendBeyondBtc(market))} a day beyond BTC, by its trend and their betas.`,
  );
  lines.push(`Picked cards: ${signed(PICKED_MORE)} beside the other cards of their type and day.`);
  if (listed === 0) lines.push('Nothing is listed on the first morning.');
  return lines;
}

function notesOf(type: LivedType): string[] {
  const notes: string[] = [];
  for (const day of changeDaysOf(type)) {
    const effect = effectOfChange(type, day);
    const did = effect === 0 ? 'without effect' : signed(effect);
    notes.push(`${type.name}: its settings change on day ${day}, ${did}.`);
  }
  if (type.silentFrom !== undefined)
    notes.push(`${type.name}: no card from day ${type.silentFrom} on.`);
  if (type.tells?.by === 'sign')
    notes.push(
      `${type.name}: ${signed(type.tells.percentagePoints)} where ${type.tells.number} is above 0, as much less below.`,
    );
  if (type.tells?.by === 'rank')
    notes.push(
      `${type.name}: ${signed(type.tells.percentagePoints)} between the lower and the upper half of ${type.tells.number}.`,
    );
  return notes;
}

/** The periods of an account in which nothing changes, until a day. */
function periodsOf({ types, listed }: LivedAccount, until: number): Days[] {
  const begins = new Set([-listed]);
  for (const { effect, threshold, silentFrom = until } of types) {
    const steps = [...effect, ...threshold].map(({ from }) => from);
    for (const day of [...steps, silentFrom]) if (day > -listed && day < until) begins.add(day);
  }
  const sorted = [...begins].sort((a, b) => a - b);
  return sorted.map((from, place) => ({ from, until: sorted[place + 1] ?? until }));
}
