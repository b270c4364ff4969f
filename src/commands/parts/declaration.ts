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
  /** It works on a local history: the one that `--from` or an argument `[dir]` names, else the default one. */
  readonly isLocal?: true;
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
  /** Its requests, for --plan; absent where there are none. `own`: the command answers --plan. */
  readonly plan?: 'own' | ((options: Options) => readonly Work[]);
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

/** The variant that these options ask for. @param asked long flags of all that is given */
export function variantFor(
  { variants = [] }: CommandDeclaration,
  asked: ReadonlySet<string>,
): Variant | undefined {
  const isLocal =
    variants.every((variant) => variant.isLocal) || HISTORY.some((flag) => asked.has(flag));
  return variants.findLast(
    (variant) =>
      (variant.isLocal ?? false) === isLocal &&
      (variant.when === undefined || variant.when.some((flag) => asked.has(flag))),
  );
}

/** What asks for a variant, in words: `--local or --from, with --by`; undefined for the usual one. */
export function whenInWords(
  variant: Variant,
  { variants = [] }: CommandDeclaration,
): string | undefined {
  const local =
    variant.isLocal && variants.some((other) => !other.isLocal) ? [HISTORY.join(' or ')] : [];
  const asked = variant.when === undefined ? [] : [variant.when.join(' or ')];
  return [...local, ...asked].join(', with ') || undefined;
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

/** Then it may end as any answer of the document's part 7 does. */
export function asksService({ variants = [] }: CommandDeclaration): boolean {
  return variants.some(({ plan }) => plan !== undefined);
}

export function wordsOf(path: Path): string {
  return path.map(({ name }) => name).join(' ');
}

export function commandWords([, ...commands]: Path): string {
  return commands.map(({ name }) => name).join(' ');
}

export function namesOf({ name, alias }: CommandDeclaration): string[] {
  return alias === undefined ? [name] : [name, alias];
}
