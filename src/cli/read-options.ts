import { safeParse } from 'valibot';
import { GLOBAL_OPTIONS } from '../commands/parts/global-options.ts';
import type { GlobalOptions } from '../commands/parts/invocation.ts';
import {
  type ArgumentDeclaration,
  argumentOf,
  flagsOf,
  keyOf,
  type OptionDeclaration,
  type ParseContext,
  schemaFor,
  type ValueSchema,
} from '../commands/parts/option.ts';
import { whole } from '../commands/parts/values.ts';
import { usageError } from '../errors.ts';
import type { Format } from '../output/formats.ts';
import { UTC, type Zone, zoneNamed } from '../runtime/zone.ts';

export type Typed = Readonly<Record<string, unknown>>;

/** Enforces the declarations. @returns values by name, as `OptionsOf` has them @throws ScreenerError usage */
export function readOptions(
  declared: readonly OptionDeclaration[],
  typed: Typed,
  reading: ParseContext,
): Record<string, unknown> {
  const given = givenFlags(declared, typed);
  for (const one of declared) if (given.has(flagsOf(one).long)) checkCompany(one, given);
  const values = Object.fromEntries(declared.map((one) => [keyOf(one), readValue(one, typed, reading)]));
  const { since, until } = values;
  if (typeof since === 'number' && typeof until === 'number' && since > until)
    throw usageError('--since is after --until.', 'Swap the two.');
  return values;
}

export function givenFlags(declared: readonly OptionDeclaration[], typed: Typed): ReadonlySet<string> {
  return new Set(declared.filter((one) => typed[keyOf(one)] !== undefined).map((one) => flagsOf(one).long));
}

/** The global options, with the format that they choose among them. @throws ScreenerError usage */
export function readGlobals(typed: Typed, reading: ParseContext): GlobalOptions {
  const { output, json, ndjson, csv, ...rest } = readOptions(GLOBAL_OPTIONS, typed, reading);
  const format = json ? 'json' : ndjson ? 'ndjson' : csv ? 'csv' : (output as Format);
  const { SCREENER_DAILY: text } = reading.env;
  const daily = text ? (parse('SCREENER_DAILY', whole(0), text, reading) as number) : undefined;
  return { ...(rest as Omit<GlobalOptions, 'format'>), format, daily };
}

/** The zone of SCREENER_TZ. @throws ScreenerError usage */
export function readZone({ SCREENER_TZ: name }: ParseContext['env']): Zone {
  const zone = name ? zoneNamed(name) : UTC;
  if (zone !== undefined) return zone;
  throw usageError(`SCREENER_TZ takes the name of a time zone, or local, not '${name}'.`, 'For example Europe/Berlin.');
}

export function readArgument(
  declared: ArgumentDeclaration | undefined,
  words: readonly string[],
  reading: ParseContext,
) {
  if (declared === undefined) return {};
  const { name, variadic } = argumentOf(declared);
  const values = words.map((word) => parse(name.toUpperCase(), declared.schema, word, reading));
  return { [name]: variadic ? values : values[0] };
}

/** An argument that is an option as well, `[type]` and `--type`, counts as that option. @throws ScreenerError usage */
export function withArgument(typed: Typed, declared: ArgumentDeclaration | undefined, words: readonly string[]): Typed {
  const [word] = words;
  if (declared?.term !== '[type]' || word === undefined) return typed;
  if (typed.type !== undefined) throw usageError('A screener type is given twice.', 'Leave out --type.');
  return { ...typed, type: word };
}

function checkCompany(one: OptionDeclaration, given: ReadonlySet<string>): void {
  const { needs, excludes = [] } = one;
  const { long } = flagsOf(one);
  const other = excludes.find((name) => given.has(name));
  if (other !== undefined) {
    throw usageError(`${long} and ${other} exclude each other.`, `Leave out ${long} or ${other}.`);
  }
  if (needs === undefined || needs.some((name) => given.has(name))) return;
  throw usageError(`${long} needs ${needs.join(' or ')}.`, `Add ${needs.join(', or ')}.`);
}

function readValue(one: OptionDeclaration, typed: Typed, reading: ParseContext): unknown {
  const { schema, repeatable, env, default: absent } = one;
  const { long } = flagsOf(one);
  const text = typed[keyOf(one)];
  // A switch: `--no-color` is true until it is given.
  if (schema === undefined) return text ?? long.startsWith('--no-');
  if (repeatable) return ((text ?? []) as string[]).map((each) => parse(long, schema, each, reading));
  const fromEnvironment = env === undefined || text !== undefined ? undefined : reading.env[env];
  if (env !== undefined && fromEnvironment) return parse(env, schema, fromEnvironment, reading);
  const given = text ?? absent;
  return given === undefined ? undefined : parse(long, schema, String(given), reading);
}

function parse(name: string, schema: ValueSchema, text: string, reading: ParseContext): unknown {
  // The first issue is enough: a text may be very long.
  const { success, output, issues } = safeParse(schemaFor(schema, reading), text, { abortPipeEarly: true });
  if (success) return output;
  const [sentence = '', hint] = (issues[0]?.message ?? '').split('\n');
  throw usageError(`${name} ${sentence}`, hint);
}
