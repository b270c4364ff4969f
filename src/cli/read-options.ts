import { safeParse } from 'valibot';
import type { CommandDeclaration } from '../commands/parts/declaration.ts';
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
import type { Context } from '../runtime/context.ts';
import { UTC, type Zone, zoneNamed } from '../runtime/zone.ts';

export type Typed = Readonly<Record<string, unknown>>;

/**
 * Enforces the declarations.
 * @returns `options` by name, as `OptionsOf` has them; `given`: long flags of those that were typed
 * @throws ScreenerError usage
 */
export function readInput(
  command: CommandDeclaration,
  typed: Typed,
  words: readonly string[],
  context: Context,
) {
  const { options: declared = [], argument } = command;
  const { clock, env } = context;
  const reading = { now: clock.now(), env, zone: readZone(env) };
  const [word] = words;
  // `[type]` and `--type` mean the same.
  const isType = argument?.term === '[type]' && word !== undefined;
  if (isType && typed.type !== undefined)
    throw usageError('A screener type is given twice.', 'Leave out --type.');
  const { values, given } = readOptions(
    declared,
    isType ? { ...typed, type: word } : typed,
    reading,
  );
  const options = { ...(argument && readArgument(argument, words, reading)), ...values };
  return { options, given, globals: readGlobals(typed, reading) };
}

function readOptions(declared: readonly OptionDeclaration[], typed: Typed, reading: ParseContext) {
  const present = declared.filter((one) => typed[keyOf(one)] !== undefined);
  const given = new Set(present.map((one) => flagsOf(one).long));
  for (const one of present) checkCompany(one, given);
  const values = Object.fromEntries(
    declared.map((one) => [keyOf(one), readValue(one, typed, reading)]),
  );
  const { since, until } = values;
  if (typeof since === 'number' && typeof until === 'number' && since > until)
    throw usageError('--since is after --until.', 'Swap the two.');
  return { values, given };
}

/** The global options, with the format that they choose among them. */
function readGlobals(typed: Typed, reading: ParseContext): GlobalOptions {
  const { output, json, ndjson, csv, ...rest } = readOptions(GLOBAL_OPTIONS, typed, reading).values;
  const format = json ? 'json' : ndjson ? 'ndjson' : csv ? 'csv' : (output as Format);
  const { SCREENER_DAILY: text } = reading.env;
  const daily = text ? (parse('SCREENER_DAILY', whole(0), text, reading) as number) : undefined;
  return { ...(rest as Omit<GlobalOptions, 'format'>), format, daily };
}

function readZone({ SCREENER_TZ: name }: Context['env']): Zone {
  const zone = name ? zoneNamed(name) : UTC;
  if (zone !== undefined) return zone;
  throw usageError(
    `SCREENER_TZ takes the name of a time zone, or local, not '${name}'.`,
    'For example Europe/Berlin.',
  );
}

function readArgument(
  declared: ArgumentDeclaration,
  words: readonly string[],
  reading: ParseContext,
) {
  const { name, variadic } = argumentOf(declared);
  const values = words.map((word) => parse(name.toUpperCase(), declared.schema, word, reading));
  return { [name]: variadic ? values : values[0] };
}

function checkCompany(one: OptionDeclaration, given: ReadonlySet<string>): void {
  const { needs, excludes = [] } = one;
  const { long } = flagsOf(one);
  const other = excludes.find((name) => given.has(name));
  if (other !== undefined)
    throw usageError(`${long} and ${other} exclude each other.`, `Leave out ${long} or ${other}.`);
  if (needs !== undefined && !needs.some((name) => given.has(name)))
    throw usageError(`${long} needs ${needs.join(' or ')}.`, `Add ${needs.join(', or ')}.`);
}

function readValue(one: OptionDeclaration, typed: Typed, reading: ParseContext): unknown {
  const { schema, repeatable, env, default: absent } = one;
  const { long } = flagsOf(one);
  const text = typed[keyOf(one)];
  // A switch: `--no-color` is true until it is given.
  if (schema === undefined) return text ?? long.startsWith('--no-');
  if (repeatable)
    return ((text ?? []) as string[]).map((each) => parse(long, schema, each, reading));
  const fromEnvironment = env === undefined || text !== undefined ? undefined : reading.env[env];
  if (env !== undefined && fromEnvironment) return parse(env, schema, fromEnvironment, reading);
  const given = text ?? absent;
  return given === undefined ? undefined : parse(long, schema, String(given), reading);
}

function parse(name: string, schema: ValueSchema, text: string, reading: ParseContext): unknown {
  // The first issue is enough: a text may be very long.
  const { success, output, issues } = safeParse(schemaFor(schema, reading), text, {
    abortPipeEarly: true,
  });
  if (success) return output;
  const [sentence = '', hint] = (issues[0]?.message ?? '').split('\n');
  throw usageError(`${name} ${sentence}`, hint);
}
