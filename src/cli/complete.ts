import { type CommandDeclaration, namesOf, subcommand } from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import { flagsOf, type OptionDeclaration, offeredFor } from '../commands/option.ts';
import { readSeen } from '../completion/seen.ts';
import type { Values } from '../completion/values.ts';
import type { Context } from '../runtime/context.ts';
import { aboutOf } from './help.ts';
import { screener } from './screener.ts';
import { topicNames } from './topics.ts';

type Candidate = readonly [word: string, about: string];

/** What a shell completes better by itself. */
type Paths = 'directory' | 'file';

/** PowerShell passes the typed word in this option: it drops empty words. */
const LAST = '--last=';

/**
 * Prints what the last word may become, for the shells' scripts: a candidate and its description a line, with a tab
 * between; or `:directory`, `:file`. A line `:nospace` says that the word may go on. Sends and spends nothing.
 */
export async function complete({ argv, stdout, directories }: Context): Promise<void> {
  const [first = '', ...rest] = argv.slice(1);
  const [words, typed] = first.startsWith(LAST)
    ? [rest, first.slice(LAST.length)]
    : [[first, ...rest].slice(0, -1), rest.at(-1) ?? first];
  const found = await candidatesFor(words, typed, directories.state);
  const lines = Array.isArray(found) ? found.map((one) => one.join('\t')) : [`:${found}`];
  if (lines.length > 0) await stdout.write(`${lines.join('\n')}\n`);
}

async function candidatesFor(
  words: readonly string[],
  typed: string,
  stateDirectory: string,
): Promise<readonly Candidate[] | Paths> {
  const place = placeAfter(words);
  if (place === undefined) return [];
  const { command, awaited } = place;
  if (awaited !== undefined) return valuesOf(awaited, typed, command, stateDirectory);
  if (!typed.startsWith('-')) {
    const below = commandsBelow(command);
    if (below.length > 0) return beginning(typed, below);
    return valuesOf(command.argument ?? {}, typed, command, stateDirectory);
  }
  const options = optionsOf(command).flatMap((one) => flagNames(one).map((name) => ({ name, one })));
  const [long = '', value] = typed.split(/=(.*)/s, 2);
  if (value === undefined) {
    const flags = options.map(({ name, one }): Candidate => [name, aboutOf(one)]);
    return beginning(typed, flags);
  }
  const found = await valuesOf(options.find(({ name }) => name === long)?.one ?? {}, value, command, stateDirectory);
  return typeof found === 'string' ? found : found.map(([word, about]): Candidate => [`${long}=${word}`, about]);
}

interface Place {
  readonly command: CommandDeclaration;
  /** The option whose value comes next. */
  readonly awaited: OptionDeclaration | undefined;
}

/** Where the words lead; undefined where one of them is no command, or after `--`. */
function placeAfter(words: readonly string[]): Place | undefined {
  let command = screener;
  let awaited: OptionDeclaration | undefined;
  for (const word of words) {
    if (word === '--') return undefined;
    if (awaited !== undefined) awaited = undefined;
    else if (word.startsWith('-'))
      awaited = optionsOf(command).find((one) => flagNames(one).includes(word) && offeredFor(one) !== undefined);
    else if (command.commands !== undefined) {
      const next = subcommand(command, word);
      if (next === undefined) return undefined;
      command = next;
    }
  }
  return { command, awaited };
}

function commandsBelow(command: CommandDeclaration): readonly Candidate[] {
  const isHelp = command.name === 'help';
  const commands = ((isHelp ? screener : command).commands ?? []).flatMap((sub) =>
    namesOf(sub).map((name): Candidate => [name, sub.description]),
  );
  return isHelp ? [...commands, ...topicNames.map((name): Candidate => [name, 'Topic'])] : commands;
}

function optionsOf(command: CommandDeclaration): readonly OptionDeclaration[] {
  const globals = [...GLOBAL_OPTIONS, HELP_OPTION];
  return command === screener ? [...globals, VERSION_OPTION] : [...(command.options ?? []), ...globals];
}

function flagNames(one: OptionDeclaration): string[] {
  const { short, long } = flagsOf(one);
  return short === undefined ? [long] : [short, long];
}

async function valuesOf(
  one: Pick<OptionDeclaration, 'schema' | 'takes'>,
  typed: string,
  command: CommandDeclaration,
  stateDirectory: string,
): Promise<readonly Candidate[] | Paths> {
  const values: Values = offeredFor(one) ?? { kind: 'free' };
  switch (values.kind) {
    case 'words':
      return beginning(typed, plain(values.words));
    case 'seen': {
      // A symbol has no small letters.
      const start = values.what === 'symbol' ? typed.toUpperCase() : typed;
      return beginning(start, plain(readSeen(stateDirectory)[values.what]));
    }
    case 'fields':
      return fieldsOf(command, typed);
    case 'free':
      return [];
    default:
      return values.kind;
  }
}

/** Completes the last of comma-separated names. */
async function fieldsOf(command: CommandDeclaration, typed: string): Promise<readonly Candidate[]> {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const chosen = before.split(',');
  const all = (await Promise.all((command.variants ?? []).map((variant) => variant.fields?.() ?? []))).flat();
  const names = new Map(all.map(({ name, about }): Candidate => [name, about]));
  const left = [...names].filter(([name]) => !chosen.includes(name));
  const found = left.map(([name, about]): Candidate => [`${before}${name}`, about]);
  return [[':nospace', ''], ...beginning(typed, found)];
}

function plain(words: readonly string[]): Candidate[] {
  return words.map((word) => [word, '']);
}

function beginning(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(([word]) => word.startsWith(typed));
}
