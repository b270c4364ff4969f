/**
 * Settings of any shape in words. The API document shows no names of `conditions`, so an object is flattened to its own
 * words and values, and parts in a list are numbered: `parts 1: side up, level 3; parts 2: side down, level 5`.
 *
 * Three shapes are written as a person would say them, whatever the names are: a comparison (`price abs >= 3 within 15 min`), a limit with
 * its unit (`turnover at least 5,000,000 USD`), and a rate limit (`at most 1 notification in 15 min`).
 */
import { groupBy } from '../../base/collections.ts';
import { andWords } from '../../base/words.ts';
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

/** @returns `price change 3 %; at most 1 card in 1h`; `none` if there is no condition */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  return settingsParts(conditions).join('; ');
}

/** @returns `price change 3 %` and `at most 1 card in 1h`; `none` alone if there is no condition */
export function settingsParts(conditions: Readonly<Record<string, unknown>>): string[] {
  const parts = partsOf(conditions).map(({ text }) => text);
  return parts.length === 0 ? ['none'] : parts;
}

/** Settings that have their first name in common. */
interface SettingsPart {
  readonly settings: readonly Setting[];
  /** `price abs >= 3 within 15 min` */
  readonly text: string;
}

function partsOf(conditions: Readonly<Record<string, unknown>>): SettingsPart[] {
  const all = settingsIn(conditions);
  // What a limit compares, and how, stands with the limit, also where each has a first name of its own.
  const firstNameOf = (setting: Setting) => (limitTelling(setting, all) ?? setting).names[0];
  return Array.from(groupBy(all, firstNameOf), ([first = '', settings]) => ({
    settings,
    text: rateLimitText(first, settings) ?? partText(first, settings),
  }));
}

/** @param first the first name of these settings */
function partText(first: string, settings: readonly Setting[]): string {
  const last = settings.at(-1);
  if (last !== undefined && last.names.length <= 1) {
    const { name, value } = wordsOfSetting(last, settings);
    return inWords([name, value]);
  }
  // A setting without a value sets nothing. It is written only if its part has nothing else.
  const withValue = settings.filter(({ value }) => value !== null);
  const told = (withValue.length > 0 ? withValue : settings).filter(
    (setting) => limitTelling(setting, settings) === undefined,
  );
  const texts: string[] = [];
  let isAfterComparison = false;
  for (const setting of told) {
    const { between, name, value } = wordsOfSetting(setting, settings);
    const text = inWords([...between, name, value]);
    const before = texts.at(-1);
    // A comparison and its time are one condition.
    if (isAfterComparison && name === WITHIN && before !== undefined) {
      texts[texts.length - 1] = `${before} ${text}`;
    } else {
      texts.push(text);
    }
    isAfterComparison = isLimit(setting, settings);
  }
  const isComparisonAlone = texts.length === 1 && told.some((each) => isLimit(each, settings));
  if (isComparisonAlone && first === TRIGGER) return texts.join('');
  const isList = texts.length > 1 || isComparisonAlone;
  const sign = isList && first !== '' ? ':' : '';
  return inWords([`${first}${sign}`, texts.join(', ')]);
}

/** The document's own word for what a screener fires on. Before a comparison it says nothing. */
const TRIGGER = 'trigger';

/** A setting in words. */
interface SettingWords {
  /** The names between the first one and its own. */
  readonly between: readonly string[];
  readonly name: string;
  readonly value: string;
}

/** @param settings those of the same part */
function wordsOfSetting(setting: Setting, settings: readonly Setting[]): SettingWords {
  const between = setting.names.slice(1, -1);
  const comparison = comparisonOf(setting, settings);
  if (comparison !== undefined) {
    const name = inWords([valueText(comparison.subject.value), valueText(comparison.sign.value)]);
    return { between, name, value: valueText(setting.value) };
  }
  return { between, ...nameAndValue(setting) };
}

/** What a limit compares, and how: `price` and `abs >=`. */
interface SettingsComparison {
  readonly subject: Setting;
  readonly sign: Setting;
}

/** A comparison as a value: `>=`, `abs >=`. */
const SIGN = /^(?:abs )?[<>=]=?$/;

/**
 * What a setting is the limit of: of an object that holds, side by side, a text, a comparison sign and a number. The names of these
 * three may be any.
 * @returns undefined if it is no such limit
 */
function comparisonOf(
  limit: Setting,
  settings: readonly Setting[],
): SettingsComparison | undefined {
  if (typeof limit.value !== 'number') return undefined;
  const place = settings.indexOf(limit);
  const sign = settings[place - 1];
  const subject = settings[place - 2];
  if (sign === undefined || subject === undefined || place < 2) return undefined;
  const isOneObject = [subject, sign].every((each) => parentOf(each) === parentOf(limit));
  const isCompared = typeof sign.value === 'string' && SIGN.test(valueText(sign.value));
  if (!isOneObject || !isCompared || typeof subject.value !== 'string') return undefined;
  return { subject, sign };
}

function isLimit(setting: Setting, settings: readonly Setting[]): boolean {
  return comparisonOf(setting, settings) !== undefined;
}

/** The limit whose words include this setting, because it is what the limit compares, or how; undefined if there is none. */
function limitTelling(setting: Setting, settings: readonly Setting[]): Setting | undefined {
  return settings.find((limit) => {
    const comparison = comparisonOf(limit, settings);
    return comparison?.subject === setting || comparison?.sign === setting;
  });
}

/** Where the object that holds a setting stands in the conditions. */
function parentOf({ path, keys }: Setting): string {
  const key = keys.at(-1) ?? '';
  return path.slice(0, path.length - key.length);
}

const WITHIN = 'within';

/** The words of minutes behind `window`, as the document names the window of a card (`fact_window_min`). */
const WINDOW_IN_MINUTES: ReadonlySet<string> = new Set([
  'window min',
  'window minute',
  'window minutes',
]);

/** Words of a name that are units of its value, and how they stand behind it. */
const UNIT_SIGNS: ReadonlyMap<string, string> = new Map([
  ['pct', ' %'],
  ['percent', ' %'],
  ['usd', ' USD'],
]);

/** `price change` and `3 %`; `turnover at least` and `5,000,000 USD`; `within` and `15 min`; a name without a unit, as it is. */
function nameAndValue({ names, value }: Setting): Pick<SettingWords, 'name' | 'value'> {
  const name = names.at(-1) ?? '';
  const text = valueText(value);
  if (typeof value !== 'number') return { name, value: text };
  if (WINDOW_IN_MINUTES.has(name)) return { name: WITHIN, value: `${text} min` };
  const words = name.split(' ');
  const [side = '', per = ''] = words;
  const sideWords = SIDE_WORDS[SIDES.get(side) ?? ''];
  if (sideWords !== undefined && per === 'per')
    return { name: sideWords, value: inWords([text, ...words.slice(1)]) };
  const units = words.filter((word) => UNIT_SIGNS.has(word));
  const [unit] = units;
  // Two units, or nothing but a unit: it is not known what the value is.
  if (unit === undefined || units.length > 1 || words.length === 1) return { name, value: text };
  // Beside a unit `min` is no unit of time.
  const isSideWord = (word: string) => SIDES.has(word);
  const subject = words.filter((word) => word !== unit && !isSideWord(word));
  const sides = words.filter(isSideWord).map((word) => SIDE_WORDS[SIDES.get(word) ?? ''] ?? word);
  return { name: inWords([...subject, ...sides]), value: `${text}${UNIT_SIGNS.get(unit)}` };
}

/**
 * `at most 1 notification in 15 min`: for a part that is called a limit, and has a count and a time.
 * @returns undefined for any other part
 */
function rateLimitText(first: string, settings: readonly Setting[]): string | undefined {
  const [count, time] = settings;
  if (count === undefined || time === undefined || settings.length > 2) return undefined;
  const [per, ...unit] = (time.names.at(-1) ?? '').split(' ');
  const isLimited = first.split(' ').includes('limit') && per === 'per';
  const areValues = typeof count.value === 'number' && time.value !== null;
  const areNamed = [count, time].every(({ names }) => names.length === 2);
  if (!isLimited || !areValues || !areNamed) return undefined;
  const counted = asCounted(count.names.at(-1) ?? '', count.value);
  const unitName = inWords(unit);
  const unitWords = MINUTES.has(unitName) ? 'min' : asCounted(unitName, time.value);
  return inWords([
    'at most',
    valueText(count.value),
    counted,
    'in',
    valueText(time.value),
    unitWords,
  ]);
}

const MINUTES: ReadonlySet<string> = new Set(['min', 'minute', 'minutes']);

/** `notification` of one, `notifications` of any other count. */
function asCounted(plural: string, count: unknown): string {
  return count === 1 ? plural.replace(/s$/, '') : plural;
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
 * @returns `price change 3 % instead of 2.5 %; window minutes none instead of 15`; empty if none differs
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
    const textBefore = valueBefore?.raw ?? 'none';
    const textNow = valueNow?.raw ?? 'none';
    if (textNow === textBefore) continue;
    const isSetBoth = textBefore !== 'none' && textNow !== 'none';
    if (isSetBoth && valueBefore !== undefined && valueNow !== undefined) {
      const { name, text } = valueNow;
      differences.push(inWords([name, text, 'instead of', valueBefore.text]));
    } else {
      const name = valueNow?.rawName ?? valueBefore?.rawName ?? '';
      differences.push(inWords([name, textNow, 'instead of', textBefore]));
    }
  }
  return differences.join('; ');
}

interface NamedValue {
  /** `price abs >=` */
  readonly name: string;
  /** `3.5`, `15 min` */
  readonly text: string;
  /** The steps to it as they are, for a value that stands beside none: `trigger value`. */
  readonly rawName: string;
  readonly raw: string;
}

/** The value of each setting by its path; with several screeners the name begins with `screener 2`. */
function namedValues(
  screeners: readonly ScreenerSettings[],
  hasSeveral: boolean,
): ReadonlyMap<string, NamedValue> {
  const values = new Map<string, NamedValue>();
  for (const [i, { active, conditions }] of screeners.entries()) {
    const screener = hasSeveral ? `screener ${i + 1}` : '';
    const settings = settingsIn(conditions);
    for (const setting of settings) {
      const { path, names, value } = setting;
      const words = wordsOfSetting(setting, settings);
      const [first = ''] = names.length > 1 ? names : [];
      const isOfComparison = isLimit(setting, settings) || words.name === WITHIN;
      const above = isOfComparison && first === TRIGGER ? [] : [first];
      values.set(`${i}${path}`, {
        name: inWords([screener, ...above, ...words.between, words.name]),
        text: words.value,
        rawName: inWords([screener, ...names]),
        raw: valueText(value),
      });
    }
    // The path of a condition begins with a dot, so that this key is free, also if the service calls a condition `active`.
    const name = inWords([screener, 'active']);
    const text = valueText(active);
    values.set(`${i}`, { name, text, rawName: name, raw: text });
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

/** How texts say which side a setting bounds. */
const SIDE_WORDS: Readonly<Record<string, string>> = { at_least: 'at least', at_most: 'at most' };

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
  if (Array.isArray(value) && value.length > 0) return andWords(value.map(valueText));
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
