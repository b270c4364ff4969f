/**
 * What a command is, as plain data: its words, options, cost, fields, examples and exit codes stand in one declaration.
 * The parser, the help, the topics and the completion scripts are made from it.
 */
import type { OperationName } from '../api/operations.ts';
import type { HistoryChoice } from '../commands/flags/history.ts';
import type { Invocation, Reading } from '../commands/invocation.ts';
import type { Values } from '../completion/model.ts';
import type { Field } from '../output/types.ts';
import type { Context } from '../runtime/context.ts';
import type { RawGlobals } from './read-globals.ts';

/** JSON Schema of a value as it is typed, with `default` where something holds that is not typed. */
type ValueSchema = Readonly<Record<string, unknown>>;

export interface OptionDeclaration {
  /** As commander reads them: `-n, --limit <n>`. */
  readonly flags: string;
  readonly about: string;
  /** What is offered for its value; absent for a switch. */
  readonly takes?: Values;
  /** Of its value; absent where `takes` says all there is to say. */
  readonly schema?: ValueSchema;
  /** Options of which one must be given with it. */
  readonly needs?: readonly string[];
  /** Options that cannot be given with it. */
  readonly excludes?: readonly string[];
  readonly repeatable?: boolean;
}

interface ArgumentDeclaration {
  /** `<id...>`: in angle brackets where it must be given, with dots where several may. */
  readonly term: string;
  readonly about: string;
  readonly takes?: Values;
  readonly schema?: ValueSchema;
}

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
  /** What it does; absent for a group of commands. */
  readonly act?: Act;
}

/** One command line, parsed: what an action gets. */
export interface Given {
  readonly context: Context;
  /** The options as texts, the global ones among them. */
  readonly raw: RawGlobals & Record<string, unknown>;
  readonly words: readonly string[];
  /** The whole tree of commands. */
  readonly root: CommandDeclaration;
}

type Act = (given: Given) => Promise<void>;

/** Turns commander's texts into the command's options; may throw usage errors. */
type Read<Raw, Options> = (raw: Raw, words: readonly string[], reading: Reading) => Options;
type Run<Options> = (invocation: Invocation, options: Options) => Promise<void>;

/**
 * An action in a session: with output, notes and a connection that is opened when it is asked for.
 * @param load imports what the command needs, when it runs
 */
export function session<Raw, Options>(
  load: () => Promise<{ readonly read: Read<Raw, Options>; readonly run: Run<Options> }>,
): Act {
  return async ({ context, raw, words }) => {
    const { read, run } = await load();
    const options = read(raw as Raw, words, { now: context.clock.now(), env: context.env });
    const { runSession } = await import('./session.ts');
    await runSession(context, raw, (invocation) => run(invocation, options));
  };
}

/**
 * An action on the local history that its options name; where they name none, `service` is asked.
 * @param load each part is imported when it runs
 */
export function historySession<Raw, Options extends { readonly history: HistoryChoice }>(load: {
  readonly read: () => Promise<Read<Raw, Options>>;
  readonly service?: () => Promise<{ readonly run: Run<Options> }>;
  readonly history: () => Promise<{ readonly run: Run<Options & { readonly directory: string }> }>;
}): Act {
  return session<Raw, Options>(async () => ({
    read: await load.read(),
    run: async (invocation, options) => {
      const { history = 'default' } = options;
      if (options.history === undefined && load.service !== undefined)
        return (await load.service()).run(invocation, options);
      const { historyDirectory } = await import('../commands/history-directory.ts');
      const directory = await historyDirectory(invocation, history);
      return (await load.history()).run(invocation, { ...options, directory });
    },
  }));
}

/** For commands without options of their own. */
export function plainSession(load: () => Promise<{ readonly run: Run<void> }>): Act {
  return session<unknown, void>(async () => ({ read: () => {}, run: (await load()).run }));
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

/** `-n, --limit <n>` in its parts. */
export function flagsOf({ flags }: OptionDeclaration): { short?: string; long: string; placeholder?: string } {
  const [, short, long = '', placeholder] = /^(?:(-\w), )?(--[\w-]+)(?: <(.+)>)?$/.exec(flags) ?? [];
  return { long, ...(short === undefined ? {} : { short }), ...(placeholder === undefined ? {} : { placeholder }) };
}

/** `<id...>` in its parts. */
export function argumentOf({ term }: ArgumentDeclaration): { name: string; required: boolean; variadic: boolean } {
  return { name: term.replace(/[<>[\].]/g, ''), required: term.startsWith('<'), variadic: term.includes('...') };
}
