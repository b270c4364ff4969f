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
import { wholeFrom } from '../commands/parts/values.ts';
import { usageError } from '../errors.ts';
import { type Format, isFormat, PROGRAM_FORMATS } from '../output/formats.ts';
import type { Context } from '../runtime/context.ts';
import { UTC, type Zone, zoneNamed } from '../runtime/zone.ts';

/** What was typed for each option, by its key (`maxAge` for --max-age): a text, a list of texts, or a boolean for a switch. */
export type Typed = Readonly<Record<string, unknown>>;

export interface Input {
  /** The values of all options by their keys, and the argument by its name. */
  readonly options: Typed;
  /** Long flags of the options that were typed; `--type` also if the argument `[type]` was. */
  readonly typedFlags: ReadonlySet<string>;
  readonly globals: GlobalOptions;
}

/** Reads the typed options and the argument, as the command declares them. @throws ScreenerError usage */
export function readInput(
  command: CommandDeclaration,
  typed: Typed,
  words: readonly string[],
  context: Context,
): Input {
  const { options: declared = [], argument } = command;
  const { clock, env } = context;
  const reading: ParseContext = { now: clock.now(), env, zone: readZone(env) };
  const { values, typedFlags } = readOptions(declared, withType(typed, argument, words), reading);
  const argumentValue = argument === undefined ? {} : readArgument(argument, words, reading);
  const globals = readGlobals(typed, reading);
  // An argument `[type]` is in `argumentValue` and in `values`, with the same value.
  return { options: { ...argumentValue, ...values }, typedFlags, globals };
}

/** `[type]` and `--type` mean the same. @throws ScreenerError usage, if both are typed */
function withType(
  typed: Typed,
  argument: ArgumentDeclaration | undefined,
  [word]: readonly string[],
): Typed {
  if (argument?.term !== '[type]' || word === undefined) return typed;
  if (typed.type !== undefined)
    throw usageError('A screener type is given twice.', 'Leave out --type.');
  return { ...typed, type: word };
}

interface OptionValues {
  /** The values by the options' keys: typed, of the environment, or default. */
  readonly values: Typed;
  /** Long flags of the options that were typed. */
  readonly typedFlags: ReadonlySet<string>;
}

/** @throws ScreenerError usage */
function readOptions(
  declared: readonly OptionDeclaration[],
  typed: Typed,
  reading: ParseContext,
): OptionValues {
  const typedOptions = declared.filter((option) => typed[keyOf(option)] !== undefined);
  const typedFlags = new Set(typedOptions.map((option) => flagsOf(option).long));
  for (const option of typedOptions) checkOthers(option, typedFlags);
  const entries = declared.map((option) => [keyOf(option), readValue(option, typed, reading)]);
  const values: Typed = Object.fromEntries(entries);
  const { since, until } = values;
  if (typeof since === 'number' && typeof until === 'number' && since > until)
    throw usageError('--since is after --until.', 'Swap the two.');
  return { values, typedFlags };
}

/** The global options. Those that choose a format become one value, `format`. */
function readGlobals(typed: Typed, reading: ParseContext): GlobalOptions {
  const { values } = readOptions(GLOBAL_OPTIONS, typed, reading);
  const { output, ...others } = values;
  // `--json` is short for `--output json`: each format of `PROGRAM_FORMATS` has a switch of its name.
  const formatOfSwitch = PROGRAM_FORMATS.find((name) => values[name] === true);
  // `format` takes the place of the switches.
  const globals = Object.entries(others).filter(([name]) => !isFormat(name));
  return {
    ...(Object.fromEntries(globals) as Omit<GlobalOptions, 'format'>),
    format: formatOfSwitch ?? (output as Format),
    daily: readDaily(reading),
  };
}

/** SCREENER_DAILY, which has no option. */
function readDaily(reading: ParseContext): number | undefined {
  const { SCREENER_DAILY: text } = reading.env;
  return text ? (parse('SCREENER_DAILY', wholeFrom(0), text, reading) as number) : undefined;
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
): Typed {
  const { name, variadic } = argumentOf(declared);
  const values = words.map((word) => parse(name.toUpperCase(), declared.schema, word, reading));
  return { [name]: variadic ? values : values[0] };
}

/**
 * Checks which other options were typed with this one.
 * @param typedFlags long flags of all options that were typed
 * @throws ScreenerError usage, if the option excludes one of them, or needs one that is missing
 */
function checkOthers(option: OptionDeclaration, typedFlags: ReadonlySet<string>): void {
  const { needs, excludes = [] } = option;
  const { long } = flagsOf(option);
  const excluded = excludes.find((name) => typedFlags.has(name));
  if (excluded !== undefined)
    throw usageError(
      `${long} and ${excluded} exclude each other.`,
      `Leave out ${long} or ${excluded}.`,
    );
  if (needs !== undefined && !needs.some((name) => typedFlags.has(name)))
    throw usageError(`${long} needs ${needs.join(' or ')}.`, `Add ${needs.join(', or ')}.`);
}

/**
 * The typed value, otherwise the value of the option's environment variable, otherwise the default. A switch or a repeatable option
 * has neither a variable nor a default.
 */
function readValue(option: OptionDeclaration, typed: Typed, reading: ParseContext): unknown {
  const { schema, repeatable, env, default: defaultText } = option;
  const { long } = flagsOf(option);
  const typedValue = typed[keyOf(option)];
  // A switch that was not typed is off; one whose flag begins with --no- is on.
  if (schema === undefined) return typedValue ?? long.startsWith('--no-');
  if (repeatable) {
    const texts = (typedValue ?? []) as readonly string[];
    return texts.map((each) => parse(long, schema, each, reading));
  }
  if (typedValue !== undefined) return parse(long, schema, String(typedValue), reading);
  if (env !== undefined) {
    const textOfVariable = reading.env[env];
    if (textOfVariable) return parse(env, schema, textOfVariable, reading);
  }
  return defaultText === undefined ? undefined : parse(long, schema, defaultText, reading);
}

/** @param name the option, argument or variable, as an error names it @throws ScreenerError usage */
function parse(name: string, schema: ValueSchema, text: string, reading: ParseContext): unknown {
  // Checking stops at the first issue: further checks of a very long text would take time, and the error names only one issue.
  const { success, output, issues } = safeParse(schemaFor(schema, reading), text, {
    abortPipeEarly: true,
  });
  if (success) return output;
  // The message of a schema is a sentence. A second line is the hint.
  const [sentence = '', hint] = (issues[0]?.message ?? '').split('\n');
  throw usageError(`${name} ${sentence}`, hint);
}
