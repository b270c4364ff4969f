/**
 * Settings of any shape in words. The API document shows no names of `conditions`, so an object is flattened to its own
 * words and values, and parts in a list are numbered: `parts 1: metric price, value 3; parts 2: metric oi, value 5`.
 */
import { groupBy } from '../../base/collections.ts';
import type { Advice } from '../../outcomes/tune-types.ts';
import { safeText } from '../safe-text.ts';

/** A screener as last recorded, or as it was before a change. */
export interface ScreenerSettings {
  readonly active: boolean;
  readonly conditions: Readonly<Record<string, unknown>>;
}

/** A value that holds no other, and where in the conditions it stands. */
interface Setting {
  /** The names above the value, as the service writes them. */
  readonly keys: readonly string[];
  /** The keys joined by dots. No two settings have the same path, but two may have the same `names`: `perDay` and `per_day`. */
  readonly path: string;
  /** The steps to it in words; a part of a list is `parts 2`. */
  readonly names: readonly string[];
  readonly value: unknown;
}

/** @returns `price change pct 3; limit: cards 1, per 1h`; `none` if there is no condition */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  return settingsParts(conditions).join('; ');
}

/** @returns `price change pct 3` and `limit: cards 1, per 1h`; `none` alone if there is no condition */
export function settingsParts(conditions: Readonly<Record<string, unknown>>): string[] {
  const parts = partsOf(conditions).map(({ text }) => text);
  return parts.length === 0 ? ['none'] : parts;
}

/** Settings that have their first name in common. */
interface SettingsPart {
  readonly settings: readonly Setting[];
  /** `limit: cards 1, per 1h` */
  readonly text: string;
}

function partsOf(conditions: Readonly<Record<string, unknown>>): SettingsPart[] {
  const byFirstName = groupBy(settingsIn(conditions), ({ names: [first] }) => first);
  const parts: SettingsPart[] = [];
  for (const [first = '', settings] of byFirstName) {
    const values = settings.map(({ names, value }) =>
      inWords([...names.slice(1), valueText(value)]),
    );
    const sign = values.length > 1 && first !== '' ? ':' : '';
    parts.push({ settings, text: inWords([`${first}${sign}`, values.join(', ')]) });
  }
  return parts;
}

/**
 * The part of the settings that has a number's exact name, as the name of a setting or as its value.
 * @param key the number's name in `entry_context`
 * @returns `parts 2: metric oi usd, min 5`; undefined if no part has it
 */
export function partNaming(
  screeners: readonly ScreenerSettings[],
  key: string,
): string | undefined {
  const isNamed = ({ keys, value }: Setting) =>
    keys.includes(key) || value === key || (Array.isArray(value) && value.includes(key));
  return screeners
    .flatMap(({ conditions }) => partsOf(conditions))
    .find(({ settings }) => settings.some(isNamed))?.text;
}

/**
 * The parts that differ between the screeners of a type before and after a change.
 * @returns `price change pct 3 instead of 2.5; window minutes none instead of 15`; empty if none differs
 */
export function settingsChange(
  before: readonly ScreenerSettings[],
  after: readonly ScreenerSettings[],
): string {
  const hasSeveral = before.length > 1 || after.length > 1;
  const old = namedValues(before, hasSeveral);
  const now = namedValues(after, hasSeveral);
  const differences: string[] = [];
  for (const path of new Set([...now.keys(), ...old.keys()])) {
    const valueBefore = old.get(path);
    const valueNow = now.get(path);
    const textBefore = valueBefore?.text ?? 'none';
    const textNow = valueNow?.text ?? 'none';
    const name = valueNow?.name ?? valueBefore?.name ?? '';
    if (textNow !== textBefore) {
      differences.push(inWords([name, textNow, 'instead of', textBefore]));
    }
  }
  return differences.join('; ');
}

interface NamedValue {
  readonly name: string;
  readonly text: string;
}

/** The value of each setting by its path; of several screeners the name begins with `screener 2`. */
function namedValues(
  screeners: readonly ScreenerSettings[],
  hasSeveral: boolean,
): ReadonlyMap<string, NamedValue> {
  const values = new Map<string, NamedValue>();
  for (const [i, { active, conditions }] of screeners.entries()) {
    const screener = hasSeveral ? `screener ${i + 1}` : '';
    for (const { path, names, value } of settingsIn(conditions)) {
      values.set(`${i}${path}`, { name: inWords([screener, ...names]), text: valueText(value) });
    }
    // The path of a condition begins with a dot, so that this key is free, also if the service calls a condition `active`.
    values.set(`${i}`, { name: inWords([screener, 'active']), text: valueText(active) });
  }
  return values;
}

/** Which side a setting bounds, by a word in its name. A setting without such a word may bound either. */
const SIDES: ReadonlyMap<string, Advice['direction']> = new Map([
  ['min', 'at_least'],
  ['minimum', 'at_least'],
  ['least', 'at_least'],
  ['max', 'at_most'],
  ['maximum', 'at_most'],
  ['most', 'at_most'],
]);

/** Words of limits and units: a setting and a number that share only these need not mean the same. */
const UNITS: ReadonlySet<string> = new Set([...SIDES.keys(), 'pct', 'percent', 'usd']);

/**
 * The setting that the user should probably change to get the advised limit. The advice names a number of the card
 * (`entry_context`), and settings have other names.
 */
export interface LikelySetting {
  readonly name: string;
  /** Its present value, in words. */
  readonly now: string;
}

/** A setting with a number, and how many words its name shares with the name of the card's number. */
interface Candidate {
  readonly name: string;
  readonly value: number;
  readonly sharedWords: number;
}

/**
 * The setting that probably limits the advised number of the card: its name has the first word of the number's name, and shares
 * more words with it than any other setting.
 * @returns undefined if there is none, if several share as many words, or if the advised limit does not make the setting stricter:
 *   it is looser, it bounds the other side, it has another sign, or one of the two is 0
 */
export function likelySetting(
  screeners: readonly ScreenerSettings[],
  { key, direction, value: cut }: Pick<Advice, 'key' | 'direction' | 'value'>,
): LikelySetting | undefined {
  const words = nameText(key).split(' ');
  const candidates = screeners
    .flatMap(({ conditions }) => settingsIn(conditions))
    .map((setting) => candidateFor(setting, words))
    .filter((candidate) => candidate !== undefined)
    .toSorted((a, b) => b.sharedWords - a.sharedWords);
  const [best, second] = candidates;
  if (best === undefined || best.sharedWords === second?.sharedWords) return undefined;
  // A setting for rises (above zero) says nothing of falls (below zero).
  if (best.value * cut <= 0) return undefined;
  // A minimum cannot carry out advice for a maximum, nor the other way round.
  const sides = best.name.split(' ').map((word) => SIDES.get(word));
  if (sides.some((side) => side !== undefined && side !== direction)) return undefined;
  const isStricter = direction === 'at_least' ? cut > best.value : cut < best.value;
  return isStricter ? { name: best.name, now: valueText(best.value) } : undefined;
}

function candidateFor(
  { names, value }: Setting,
  [first = '', ...more]: readonly string[],
): Candidate | undefined {
  const name = inWords(names);
  const wordsOfSetting = new Set(name.split(' '));
  if (typeof value !== 'number' || !wordsOfSetting.has(first)) return undefined;
  const shared = [first, ...more].filter((word) => wordsOfSetting.has(word) && !UNITS.has(word));
  return shared.length === 0 ? undefined : { name, value, sharedWords: shared.length };
}

/** All settings below `value`, with the steps to each. A list of plain values is one setting. */
function settingsIn(
  value: unknown,
  path = '',
  names: readonly string[] = [],
  keys: readonly string[] = [],
): Setting[] {
  const isListOfValues = Array.isArray(value) && !value.some(isObject);
  if (!isObject(value) || isListOfValues) return [{ keys, path, names, value }];
  const entries = Object.entries(value);
  // Empty conditions have no setting; an empty part within them is one, `none`.
  if (entries.length === 0) return names.length === 0 ? [] : [{ keys, path, names, value }];
  const nameOfList = names.at(-1) ?? '';
  return entries.flatMap(([name, inner], i) => {
    // The items of a list `parts` are `parts 1` and `parts 2`.
    const numbered = [...names.slice(0, -1), inWords([nameOfList, String(i + 1)])];
    const innerNames = Array.isArray(value) ? numbered : [...names, nameText(name)];
    return settingsIn(inner, `${path}.${name}`, innerNames, [...keys, name]);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A name may be empty: the words around it stay one blank apart. */
function inWords(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/** Comparisons as many interfaces write them, in names and in values: `price_gte` is `price >=`. */
const OPERATORS = new Map(Object.entries({ gte: '>=', lte: '<=', gt: '>', lt: '<' }));

function plainText(text: string): string {
  return text
    .split('_')
    .map((word) => OPERATORS.get(word) ?? word)
    .join(' ');
}

/** `perDay` and `per_day` are `per day`. */
function nameText(name: string): string {
  const withUnderscores = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase();
  return safeText(plainText(withUnderscores)).trim();
}

/** Beyond these sizes digits are no help: 1e60 in full is 81 columns wide. */
const LARGEST_IN_FULL = 1e15;
const SMALLEST_IN_FULL = 1e-15;

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(valueText).join(' and ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return settingNumber(value);
  // An object that comes here is empty: `settingsIn` takes all others apart.
  if (value === undefined || value === null || isObject(value)) return 'none';
  const text = String(value);
  // Only names as the service writes them are put into words: lower case, with underscores.
  return safeText(/^\p{Ll}+(_\p{Ll}+)*$/u.test(text) ? plainText(text) : text);
}

function settingNumber(value: number): string {
  const size = Math.abs(value);
  // -0 is 0.
  if (size === 0) return '0';
  if (size >= LARGEST_IN_FULL || size < SMALLEST_IN_FULL) return String(value);
  return value.toLocaleString('en', { maximumFractionDigits: 20 });
}
