/** What an option is: the parser, help, completion, JSON Schemas and the type of its value are made from it. */
import type { GenericSchema, InferOutput } from 'valibot';
import type { Seen } from '../../completion/seen.ts';
import type { Context } from '../../runtime/context.ts';
import type { Zone } from '../../runtime/zone.ts';

export interface ParseContext {
  readonly now: number;
  readonly env: Context['env'];
  /** The zone of `today`, `yesterday` and dates. */
  readonly zone: Zone;
}

/**
 * A schema for a typed text. Its message goes on after the option's name: `takes a duration, not 'x'.`; a second line is the
 * hint.
 */
type TextSchema = GenericSchema<string, unknown>;

export type ValueSchema = TextSchema | ((reading: ParseContext) => TextSchema);

/**
 * What completion offers: words, what was seen, a path, field names (`fields`, comma-separated), or the name of the field to
 * sort by (`sort_field`, maybe behind a minus).
 */
type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'seen'; readonly what: keyof Seen }
  | { readonly kind: 'fields' | 'sort_field' | 'directory' | 'file' };

export interface OptionDeclaration {
  /** The flags as commander reads them: `-n, --limit <n>`. An option without a value is a switch. */
  readonly flags: string;
  readonly about: string;
  /** Absent for a switch. */
  readonly schema?: ValueSchema;
  /** The value if none is given, as it would be typed. */
  readonly default?: string;
  /** The variable of the environment that counts if the option is not typed. */
  readonly env?: string;
  /** What completion offers, if the schema is no list of words. */
  readonly takes?: Values;
  /** Long flags, one of which must be typed, too. */
  readonly needs?: readonly string[];
  /** Long flags that cannot be typed with it. */
  readonly excludes?: readonly string[];
  readonly repeatable?: boolean;
}

export interface ArgumentDeclaration {
  /** `<id>` must be given, `[dir]` may be left out, and of `<id...>` several may be given. */
  readonly term: string;
  readonly about: string;
  readonly schema: ValueSchema;
  readonly takes?: Values;
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

/** The type of an option's value: a list if it is repeatable, a boolean for a switch. */
type ValueOf<Option> = Option extends { readonly schema: infer Schema }
  ? Option extends { readonly repeatable: true }
    ? readonly OutputOf<Schema>[]
    : Option extends { readonly default: string }
      ? OutputOf<Schema>
      : OutputOf<Schema> | undefined
  : boolean;

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

/** The long flags of options: `--since`. */
export type FlagOf<All extends readonly OptionDeclaration[]> = `--${LongOf<All[number]['flags']>}`;

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

/** A schema that depends on the time, the zone or the environment is made for these. */
export function schemaFor(schema: ValueSchema, reading: ParseContext): TextSchema {
  return typeof schema === 'function' ? schema(reading) : schema;
}

/** What completion offers for an option or argument: what it declares, else the words of its schema. */
export function offeredFor({
  schema,
  takes,
}: Pick<OptionDeclaration, 'schema' | 'takes'>): Values | undefined {
  if (takes !== undefined) return takes;
  if (schema === undefined) return undefined;
  // A picklist has its words in `options`; other schemas have none, or no texts there.
  const { options: words } = schema as { readonly options?: readonly unknown[] };
  const areWords = words?.every((word) => typeof word === 'string');
  return areWords ? { kind: 'words', words } : undefined;
}
