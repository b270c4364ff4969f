/** What an option is: the parser, help, completion, JSON Schemas and the type of its value are made from it. */
import type { GenericSchema, InferOutput } from 'valibot';
import type { Seen } from '../../completion/seen.ts';
import type { Context } from '../../runtime/context.ts';
import type { Zone } from '../../runtime/zone.ts';

/** What the meaning of a typed value may depend on. */
export interface ParseContext {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly env: Context['env'];
  /** The zone of `today`, `yesterday` and dates. */
  readonly zone: Zone;
}

/**
 * A schema for a typed text. The error begins with the option's name, and the schema's message goes on:
 * `takes a duration, not 'x'.` A second line of the message is the error's hint.
 */
type TextSchema = GenericSchema<string, unknown>;

export type ValueSchema = TextSchema | ((reading: ParseContext) => TextSchema);

/**
 * What completion offers:
 * - `words`: these words
 * - `seen`: symbols or types of earlier answers
 * - `fields`: names of fields, with commas between
 * - `sort_field`: the name of a field, maybe behind a minus
 * - `directory`, `file`: a path
 */
type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'seen'; readonly what: keyof Seen }
  | { readonly kind: 'fields' | 'sort_field' | 'directory' | 'file' };

export interface OptionDeclaration {
  /** The flags as commander reads them: `-n, --limit <n>`. An option without a value is a switch. */
  readonly flags: string;
  readonly about: string;
  /** Absent for a switch. */
  readonly schema?: ValueSchema;
  /** The value of an option that is not typed, written as it would be typed: `60s`. */
  readonly default?: string;
  /** The variable of the environment that counts if the option is not typed. */
  readonly env?: string;
  /** What completion offers, if the schema is no list of words. */
  readonly takes?: Offer;
  /** Long flags, one of which must be typed, too. */
  readonly needs?: readonly string[];
  /** Long flags that cannot be typed with it. */
  readonly excludes?: readonly string[];
  readonly repeatable?: boolean;
}

export interface ArgumentDeclaration {
  /** `<id>` must be given, `[dir]` may be left out, `<id...>` may be given several times. */
  readonly term: string;
  readonly about: string;
  readonly schema: ValueSchema;
  readonly takes?: Offer;
}

type LongOf<Flags> = Flags extends `${string}--${infer Rest}` ? FirstWord<Rest> : never;
type FirstWord<Text> = Text extends `${infer Word} ${string}` ? Word : Text;
type Camel<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name & string;
/** `-n, --limit <n>` is `limit`, `--no-color` is `color`. */
type KeyOf<Flags> = LongOf<Flags> extends `no-${infer Rest}` ? Camel<Rest> : Camel<LongOf<Flags>>;

type OutputOf<Schema> = Schema extends (reading: ParseContext) => infer Made
  ? OutputOf<Made>
  : SchemaOutput<Schema>;
type SchemaOutput<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : never;

/** The type of an option's value. A switch, which has no schema, has a boolean. */
type ValueOf<Option> = Option extends { readonly schema: infer Schema }
  ? TypedValueOf<Option, OutputOf<Schema>>
  : boolean;
/** The type of what may be typed for an option: a list if the option is repeatable. */
type TypedValueOf<Option, Output> = Option extends { readonly repeatable: true }
  ? readonly Output[]
  : SingleValueOf<Option, Output>;
/** An option that was not typed is undefined, unless it has a default. */
type SingleValueOf<Option, Output> = Option extends { readonly default: string }
  ? Output
  : Output | undefined;

/** `<id...>` is `{ id: readonly Output[] }`, `<id>` is `{ id: Output }`, `[id]` is `{ id: Output | undefined }`. */
type ArgumentOf<Argument> = Argument extends {
  readonly term: `<${infer Name}...>`;
  readonly schema: infer Schema;
}
  ? { readonly [Key in Name]: readonly OutputOf<Schema>[] }
  : Argument extends { readonly term: `<${infer Name}>`; readonly schema: infer Schema }
    ? { readonly [Key in Name]: OutputOf<Schema> }
    : Argument extends { readonly term: `[${infer Name}]`; readonly schema: infer Schema }
      ? { readonly [Key in Name]: OutputOf<Schema> | undefined }
      : unknown;

/** What a command gets: each option's value by the name of its long flag (`--max-age` is `maxAge`), and the argument. */
export type OptionsOf<All extends readonly OptionDeclaration[], Argument = undefined> = {
  readonly [Option in All[number] as KeyOf<Option['flags']>]: ValueOf<Option>;
} & ArgumentOf<Argument>;

/** The parts of `-n, --limit <n>`. */
interface FlagParts {
  /** `-n` */
  readonly short: string | undefined;
  /** `--limit` */
  readonly long: string;
  /** `n` */
  readonly placeholder: string | undefined;
}

export function flagsOf({ flags }: Pick<OptionDeclaration, 'flags'>): FlagParts {
  const [, short, long = '', placeholder] =
    /^(?:(-\w), )?(--[\w-]+)(?: <(.+)>)?$/.exec(flags) ?? [];
  return { short, long, placeholder };
}

/** The name under which a command gets the option's value: `maxAge` for `--max-age`, `color` for `--no-color`. */
export function keyOf(option: Pick<OptionDeclaration, 'flags'>): string {
  return flagsOf(option)
    .long.replace(/^--(no-)?/, '')
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function argumentOf({ term }: ArgumentDeclaration): {
  name: string;
  required: boolean;
  variadic: boolean;
} {
  return {
    name: term.replace(/[<>[\].]/g, ''),
    required: term.startsWith('<'),
    variadic: term.includes('...'),
  };
}

/** The schema of a value. If it depends on the time, the zone or the environment, it is made for these first. */
export function schemaFor(schema: ValueSchema, reading: ParseContext): TextSchema {
  return typeof schema === 'function' ? schema(reading) : schema;
}

/** What completion offers for an option or argument: what it declares, otherwise the words of its schema. */
export function offeredFor({
  schema,
  takes,
}: Pick<OptionDeclaration, 'schema' | 'takes'>): Offer | undefined {
  if (takes !== undefined) return takes;
  if (schema === undefined) return undefined;
  // Only a picklist has a list of texts in `options`: its words.
  const { options: words } = schema as { readonly options?: readonly unknown[] };
  const areWords = words?.every((word) => typeof word === 'string');
  return areWords ? { kind: 'words', words } : undefined;
}
