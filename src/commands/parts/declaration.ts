/** What a command is, as plain data: parser, help, topics and completion are made from it. */
import type { OperationName } from '../../api/operations.ts';
import type { Work } from '../../credits/cost.ts';
import type { History } from '../../history/store/history.ts';
import type { Field } from '../../output/types.ts';
import type { Context } from '../../runtime/context.ts';
import { HISTORY_FLAGS } from './card-options.ts';
import type { Invocation } from './invocation.ts';
import type { ArgumentDeclaration, OptionDeclaration, OptionsOf } from './option.ts';

type Fields = () => Promise<readonly Field[]>;

/**
 * What a command prints with --json. `cli/output-choices.ts` says which formats each class has, and where --fields works.
 * - `document`: an object
 * - `list`: an object with `items`
 * - `one or several`: an object; for several ids a list of objects
 * - `lines`: one object on each line; these commands have --ndjson and no --json
 * - `receipt`: an object that says what the command did; people do not see it
 * - `variables`: an object on one line; without --json, lines that set variables of a shell
 * - `text`: a text of this program, which has no --json
 * - `text or object`: a text of this program, and with --json an object
 */
export type OutputClass =
  | 'document'
  | 'list'
  | 'one or several'
  | 'lines'
  | 'receipt'
  | 'variables'
  | TextClass;

type TextClass = 'text' | 'text or object';

/** One way in which a command works and prints. The typed options choose it. */
export interface Variant<Options = never> {
  /** Whether it works on a local history: the one that `--from` or an argument `[dir]` names, otherwise the default one. */
  readonly isLocal?: true;
  /** Long flags, each of which asks for this variant. Absent for the usual variant. */
  readonly when?: readonly string[];
  /** The fields of the document, or of a list's items. They are loaded when they are needed: few runs need them. */
  readonly fields: Fields;
  /** The columns of CSV, if they differ from the fields. */
  readonly rows?: Fields;
  /** The operation whose resource --json prints unchanged; absent if the program works out its output itself. */
  readonly answer?: OperationName;
  readonly shape: Exclude<OutputClass, TextClass>;
  /** The fields beside `items` of a list that the program works out itself. */
  readonly head?: Fields;
  /** The requests that --plan quotes; absent if the variant sends none. `command`: its `run` answers --plan itself. */
  readonly plan?: 'command' | ((options: Options) => readonly Work[]);
  /** Loads the command. Its `run` is called after --fields has been checked, and not if --plan has been answered. */
  readonly run: () => Promise<{
    readonly run: (invocation: Invocation, options: Options) => Promise<void>;
  }>;
}

export interface CommandDeclaration {
  readonly name: string;
  /** Another name, which may be typed, too. */
  readonly alias?: string;
  /** One line, without a full stop. */
  readonly description: string;
  readonly argument?: ArgumentDeclaration;
  readonly options?: readonly OptionDeclaration[];
  /** What it costs, in words. */
  readonly cost: string;
  /** Sentences that help prints below the cost. */
  readonly about?: string;
  /** Command lines, each with a remark, which may be empty. */
  readonly examples: readonly (readonly [line: string, remark: string])[];
  /** A sentence about what standard output has besides the fields, or instead of them. */
  readonly output?: string;
  /** What the command prints in special cases. --fields chooses from none of these but a plan. */
  readonly specialOutputs?: readonly { readonly options: string; readonly fields: Fields }[];
  /** The commands of a group; absent for a command that does something itself. */
  readonly commands?: readonly CommandDeclaration[];
  readonly variants?: readonly Variant[];
  /** What is printed by a command that has neither variants nor commands. */
  readonly text?: TextClass;
  /** Runs a command that needs no output, notes or connection. It gets its first argument. */
  readonly runBare?: (context: Context, word: string | undefined) => Promise<void>;
}

/**
 * Declares a command. The compiler checks that no variant takes an option that is not declared. A local variant gets a `history`, too.
 */
export function command<
  const Options extends readonly OptionDeclaration[] = readonly [],
  const Argument extends ArgumentDeclaration | undefined = undefined,
>(
  declaration: Omit<CommandDeclaration, 'options' | 'argument' | 'variants'> & {
    readonly options?: Options;
    readonly argument?: Argument;
    readonly variants?: readonly (
      | (Variant<OptionsOf<Options, Argument>> & { readonly isLocal?: never })
      | (Variant<OptionsOf<Options, Argument> & { readonly history: History }> & {
          readonly isLocal: true;
        })
    )[];
  },
): CommandDeclaration {
  return declaration as CommandDeclaration;
}

/** The work of `count` requests of an operation, for a quote. */
export function requests(operation: OperationName, count = 1): Work {
  return { operation, requests: { least: count, most: count } };
}

/**
 * The variant that the options ask for; undefined for a command without variants.
 * @param typedFlags long flags of all options that were typed
 */
export function variantFor(
  { variants = [] }: CommandDeclaration,
  typedFlags: ReadonlySet<string>,
): Variant | undefined {
  const isTyped = (flag: string) => typedFlags.has(flag);
  const isLocal = variants.every((variant) => variant.isLocal) || HISTORY_FLAGS.some(isTyped);
  // The usual variant comes first. A later variant takes its place if one of that variant's flags was typed.
  const possible = variants.filter((variant) => (variant.isLocal ?? false) === isLocal);
  return possible.findLast(({ when }) => when === undefined || when.some(isTyped));
}

/** What a variant prints. @param variant undefined for a command without variants */
export function outputClassOf(
  { text = 'text' }: CommandDeclaration,
  variant: Variant | undefined,
): OutputClass {
  return variant?.shape ?? text;
}

/** What asks for a variant, in words: `--local or --from, with --by`; undefined for the usual one. */
export function whenInWords(
  { isLocal, when }: Variant,
  { variants = [] }: CommandDeclaration,
): string | undefined {
  const conditions: string[] = [];
  const hasServiceVariant = variants.some((variant) => !variant.isLocal);
  if (isLocal && hasServiceVariant) conditions.push(HISTORY_FLAGS.join(' or '));
  if (when !== undefined) conditions.push(when.join(' or '));
  return conditions.length === 0 ? undefined : conditions.join(', with ');
}

/** A command, and before it the commands that lead to it; the first is the program itself. */
export type Path = readonly [CommandDeclaration, ...CommandDeclaration[]];

/** The paths to a command and to all commands below it. */
export function everyPath(path: Path): Path[] {
  const commands = commandOf(path).commands ?? [];
  return [path, ...commands.flatMap((sub) => everyPath([...path, sub]))];
}

export function commandOf(path: Path): CommandDeclaration {
  return path.at(-1) ?? path[0];
}

export function isAction({ commands }: CommandDeclaration): boolean {
  return commands === undefined;
}

/** Whether a command asks the service. Such a command may fail in each way that the API document lists (part 7). */
export function asksService({ variants = [] }: CommandDeclaration): boolean {
  return variants.some(({ plan }) => plan !== undefined);
}

/** `screener signals ls` */
export function wordsOf(path: Path): string {
  return path.map(({ name }) => name).join(' ');
}

/** `signals ls` */
export function commandWords([, ...commands]: Path): string {
  return commands.map(({ name }) => name).join(' ');
}

export function namesOf({ name, alias }: CommandDeclaration): string[] {
  return alias === undefined ? [name] : [name, alias];
}
