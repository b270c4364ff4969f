import type { Command, Option } from 'commander';
import { FORMATS } from '../cli/global-options.ts';
import { explanationOf } from '../cli/help.ts';
import { SHELLS } from '../cli/shells.ts';
import { GROUPS } from '../cli/stats-command.ts';
import { topicNames } from '../cli/topics.ts';
import type { Field } from '../output/types.ts';
import type { Seen } from './seen.ts';

/** What may stand where an option or a command takes a value. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Several field names, comma-separated: which ones depends on the command. */
  | { readonly kind: 'fields' }
  | { readonly kind: 'directory' }
  /** What the last answers contained. */
  | { readonly kind: 'seen'; readonly what: keyof Seen }
  /** Anything: nothing is offered. */
  | { readonly kind: 'free' };

export interface OptionModel {
  /** `--output`, `-o`: as they are typed. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Absent for a switch. */
  readonly values?: Values;
  readonly repeatable: boolean;
}

export interface CommandModel {
  /** The words that lead here, without the program's name: `['signals', 'ls']`. */
  readonly path: readonly string[];
  /** The last of them and its aliases. */
  readonly names: readonly string[];
  readonly about: string;
  /** Its own, without the global ones. */
  readonly options: readonly OptionModel[];
  readonly commands: readonly CommandModel[];
  /** What its arguments are; absent where it takes none. */
  readonly values?: Values;
  /** Names for --fields. */
  readonly fields: readonly Field[];
}

/**
 * The placeholder of an option or argument says what it takes: `<dir>` is a directory wherever it stands. A test holds
 * every placeholder of the tree against this list.
 */
export const PLACEHOLDERS: Readonly<Record<string, Values>> = {
  format: { kind: 'words', words: FORMATS },
  shell: { kind: 'words', words: SHELLS },
  group: { kind: 'words', words: GROUPS },
  time: { kind: 'words', words: ['today', 'yesterday', '1h', '24h', '7d', '30d'] },
  names: { kind: 'fields' },
  dir: { kind: 'directory' },
  symbol: { kind: 'seen', what: 'symbol' },
  type: { kind: 'seen', what: 'type' },
  n: { kind: 'free' },
  id: { kind: 'free' },
  url: { kind: 'free' },
  cursor: { kind: 'free' },
  duration: { kind: 'free' },
  fault: { kind: 'free' },
};

/** The tree of commands as the scripts need it. The program itself comes first, with the global options as its own. */
export async function modelOf(program: Command): Promise<CommandModel> {
  const root = await commandModel(program, []);
  return { ...root, commands: root.commands.map((command) => (isHelp(command) ? withTopics(command, root) : command)) };
}

/** Every command below, in the order of the tree, itself first. */
export function flat(model: CommandModel): CommandModel[] {
  return [model, ...model.commands.flatMap(flat)];
}

async function commandModel(command: Command, path: readonly string[]): Promise<CommandModel> {
  const commands: CommandModel[] = [];
  for (const sub of command.commands) commands.push(await commandModel(sub, [...path, sub.name()]));
  const [argument] = command.registeredArguments;
  const values = argument === undefined ? undefined : PLACEHOLDERS[argument.name()];
  const helper = command.createHelp();
  return {
    path,
    names: [command.name(), ...command.aliases()],
    about: command.description(),
    options: helper.visibleOptions(command).map(optionModel),
    commands,
    ...(values === undefined ? {} : { values }),
    fields: await fieldsOf(command),
  };
}

function optionModel(option: Option): OptionModel {
  const placeholder = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1];
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
    about: option.description,
    ...(placeholder === undefined ? {} : { values: PLACEHOLDERS[placeholder] ?? { kind: 'free' } }),
    repeatable: Array.isArray(option.defaultValue),
  };
}

async function fieldsOf(command: Command): Promise<Field[]> {
  const { fields = [], moreFields } = explanationOf(command) ?? {};
  const all = [...fields, ...((await moreFields?.()) ?? [])];
  return [...new Map(all.map((field) => [field.name, field])).values()];
}

function isHelp(command: CommandModel): boolean {
  return command.path[0] === 'help';
}

/** `help` takes the words of any command, or a topic: for completion these are commands below it. */
function withTopics(help: CommandModel, root: CommandModel): CommandModel {
  const under = (command: CommandModel): CommandModel => ({
    ...NOTHING_MORE,
    path: [...help.path, ...command.path],
    names: command.names,
    about: command.about,
    commands: command.commands.map(under),
  });
  const topics = topicNames.map((name) => ({
    ...NOTHING_MORE,
    path: [...help.path, name],
    names: [name],
    about: 'Topic',
    commands: [],
  }));
  return { ...help, commands: [...root.commands.map(under), ...topics] };
}

const NOTHING_MORE = { options: [], fields: [] } as const;
