/** What a command is, as plain data: parser, help, topics and completion are made from it. */
import type { OperationName } from '../../api/operations.ts';
import type { Work } from '../../credits/estimate.ts';
import type { History } from '../../history/store/history.ts';
import type { Field } from '../../output/types.ts';
import type { Context } from '../../runtime/context.ts';
import { HISTORY } from './card-options.ts';
import type { Invocation } from './invocation.ts';
import type { ArgumentDeclaration, OptionDeclaration, OptionsOf } from './option.ts';

type Fields = () => Promise<readonly Field[]>;

export interface Variant<Options = never> {
  /** Works on a local history: the one that `--from` or an argument `[dir]` names, else the default one. */
  readonly isLocal?: true;
  /** Long flags, any of which asks for this variant; the usual variant has none. */
  readonly when?: readonly string[];
  /** The fields of the document, or of a list's items. Loaded when they are needed: most starts need none. */
  readonly fields: Fields;
  /** The columns of CSV, if they differ from the fields. */
  readonly rows?: Fields;
  /** The operation whose resource --json prints unchanged; absent where the program works its output out itself. */
  readonly answer?: OperationName;
  /** `list`: as JSON an object with `items`; `lines`: only --ndjson has it; `receipt`: what it did, not for people. */
  readonly shape: 'document' | 'list' | 'one or several' | 'lines' | 'receipt';
  readonly head?: Fields;
  /** Its requests, for --plan; absent where there are none. `command`: `run` answers --plan, too. */
  readonly plan?: 'command' | ((options: Options) => readonly Work[]);
  /** What it does: --fields is checked, and --plan answered. Imported when it runs. */
  readonly run: () => Promise<{
    readonly run: (invocation: Invocation, options: Options) => Promise<void>;
  }>;
}

export interface CommandDeclaration {
  readonly name: string;
  readonly alias?: string;
  readonly description: string;
  readonly argument?: ArgumentDeclaration;
  readonly options?: readonly OptionDeclaration[];
  readonly cost: string;
  readonly about?: string;
  /** Command line and, where it needs one, a remark. */
  readonly examples: readonly (readonly [line: string, remark: string])[];
  /** What is on standard output besides the fields, or instead of them. */
  readonly output?: string;
  /** What it prints in special cases, whatever --fields says. */
  readonly specialOutputs?: readonly { readonly options: string; readonly fields: Fields }[];
  readonly commands?: readonly CommandDeclaration[];
  readonly variants?: readonly Variant[];
  /** What it does with its first argument, without output, notes and connection. */
  readonly runBare?: (context: Context, word: string | undefined) => Promise<void>;
}

/** The compiler holds each variant's options against the declared ones. */
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

export function requests(operation: OperationName, count = 1): Work {
  return { operation, requests: { least: count, most: count } };
}

/** @param typedFlags long flags of all options that were typed */
export function variantFor(
  { variants = [] }: CommandDeclaration,
  typedFlags: ReadonlySet<string>,
): Variant | undefined {
  const isTyped = (flag: string) => typedFlags.has(flag);
  const isLocal = variants.every((variant) => variant.isLocal) || HISTORY.some(isTyped);
  // The usual variant comes first: a later one, of which a flag was typed, goes before it.
  const possible = variants.filter((variant) => (variant.isLocal ?? false) === isLocal);
  return possible.findLast(({ when }) => when === undefined || when.some(isTyped));
}

/** What asks for a variant, in words: `--local or --from, with --by`; undefined for the usual one. */
export function whenInWords(
  { isLocal, when }: Variant,
  { variants = [] }: CommandDeclaration,
): string | undefined {
  const conditions: string[] = [];
  const hasServiceVariant = variants.some((variant) => !variant.isLocal);
  if (isLocal && hasServiceVariant) conditions.push(HISTORY.join(' or '));
  if (when !== undefined) conditions.push(when.join(' or '));
  return conditions.length === 0 ? undefined : conditions.join(', with ');
}

/** A command and the commands that lead to it: the program itself first. */
export type Path = readonly [CommandDeclaration, ...CommandDeclaration[]];

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

/** Whether it asks the service, and so may fail in each way that the API document lists (part 7). */
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
