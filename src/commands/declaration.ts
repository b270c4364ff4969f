/**
 * What a command is, as plain data: its words, options, cost, fields, examples and exit codes stand in one declaration.
 * The parser, the help, the topics and the completion scripts are made from it.
 */
import type { OperationName } from '../api/operations.ts';
import type { Field } from '../output/types.ts';
import type { Context } from '../runtime/context.ts';
import type { Invocation } from './invocation.ts';
import type { ArgumentDeclaration, OptionDeclaration, OptionsOf } from './option.ts';

/** What a command prints where some options ask for something else. */
export interface OutputForm {
  readonly options: string;
  /** Of the document; of a list those of its items. */
  readonly fields: () => Promise<readonly Field[]>;
  /** --fields does not choose among them: all are printed. */
  readonly isWhole?: boolean;
  /** --json prints an object with `items`, --ndjson an item a line. */
  readonly isList?: boolean;
  /** What stands in that object beside `items`. */
  readonly head?: () => Promise<readonly Field[]>;
}

export interface CommandDeclaration {
  readonly name: string;
  readonly alias?: string;
  /** A sentence without its full stop. */
  readonly description: string;
  readonly argument?: ArgumentDeclaration;
  /** Its own, without the global ones. */
  readonly options?: readonly OptionDeclaration[];
  /** Credits, in words. */
  readonly cost: string;
  readonly about?: string;
  /** Command line and, where it needs one, a remark. */
  readonly examples: readonly (readonly [line: string, remark: string])[];
  /** Names for --fields, CSV columns and JSON keys. Loaded when they are needed: most starts need none. */
  readonly fields?: () => Promise<readonly Field[]>;
  /** The operation whose resource --json prints unchanged; absent where the program works its output out itself. */
  readonly answer?: OperationName;
  /** How --json prints it; `lines`: only --ndjson has it. */
  readonly shape?: 'document' | 'one or several' | 'lines';
  readonly otherForms?: readonly OutputForm[];
  /** What is on standard output besides the fields, or instead of them. */
  readonly output?: string;
  /** The exit codes it can end with; 1, and 130 where it may wait for the network, are added. */
  readonly exits: readonly number[];
  readonly commands?: readonly CommandDeclaration[];
  /** What it does with output, notes and a connection that is opened when it is asked for. Imported when it runs. */
  readonly run?: Load<never>;
  /** The same on the local history that the options name, or on the default one where there is no `run`. */
  readonly local?: Load<never>;
  /** What it does without all that. */
  readonly act?: (given: Given) => Promise<void>;
}

type Load<Options> = () => Promise<{
  readonly run: (invocation: Invocation, options: Options) => Promise<void>;
}>;

/** What a command on a history gets besides its options. */
export interface WithDirectory {
  readonly directory: string;
}

/** A command whose `run` and `local` take just the options that it declares. */
export function command<
  const Options extends readonly OptionDeclaration[] = readonly [],
  const Argument extends ArgumentDeclaration | undefined = undefined,
>(
  declaration: Omit<CommandDeclaration, 'options' | 'argument' | 'run' | 'local'> & {
    readonly options?: Options;
    readonly argument?: Argument;
    readonly run?: Load<OptionsOf<Options, Argument>>;
    readonly local?: Load<OptionsOf<Options, Argument> & WithDirectory>;
  },
): CommandDeclaration {
  return declaration as CommandDeclaration;
}

/** One command line, parsed: what an action without a session gets. */
export interface Given {
  readonly context: Context;
  readonly isJson: boolean;
  readonly words: readonly string[];
  /** The whole tree of commands. */
  readonly root: CommandDeclaration;
}

/** A command and the commands that lead to it: the program itself first. */
export type Path = readonly [CommandDeclaration, ...CommandDeclaration[]];

/** Every command of the tree, in its order, itself first. */
export function everyPath(path: Path): Path[] {
  const commands = commandOf(path).commands ?? [];
  return [path, ...commands.flatMap((sub) => everyPath([...path, sub]))];
}

export function commandOf(path: Path): CommandDeclaration {
  return path.at(-1) ?? path[0];
}

/** Whether it does something by itself: a group of commands does not. */
export function isAction({ run, local, act }: CommandDeclaration): boolean {
  return (run ?? local ?? act) !== undefined;
}

/** The words that lead to a command: `screener signals ls`. */
export function wordsOf(path: Path): string {
  return path.map(({ name }) => name).join(' ');
}

/** What a user may type for it: its name, and its alias where it has one. */
export function namesOf({ name, alias }: CommandDeclaration): string[] {
  return alias === undefined ? [name] : [name, alias];
}

export function subcommand(command: CommandDeclaration, word: string): CommandDeclaration | undefined {
  return command.commands?.find((sub) => namesOf(sub).includes(word));
}
