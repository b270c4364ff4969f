import { type CommandDeclaration, commandOf, namesOf } from '../commands/parts/declaration.ts';
import { type OptionDeclaration, offeredFor } from '../commands/parts/option.ts';
import { readSeen } from '../completion/seen.ts';
import type { Context } from '../runtime/context.ts';
import { flagNames, optionsOf, readCommandLine } from './command-line.ts';
import { aboutOf } from './help.ts';
import { screener } from './screener.ts';
import { topicNames } from './topics.ts';

type Candidate = readonly [word: string, about?: string | undefined];
type Candidates = Promise<readonly Candidate[]>;

/** PowerShell passes the typed word in this option: it drops empty words. */
const LAST = '--last=';

/**
 * Prints a line for each candidate: the word, a tab, its description. `:directory` and `:file` leave it to the shell;
 * `:nospace` says that the word may go on. Sends nothing.
 */
export async function complete({ argv, stdout, directories }: Context): Promise<void> {
  const [first = '', ...rest] = argv.slice(1);
  const [words, typed] = first.startsWith(LAST)
    ? [rest, first.slice(LAST.length)]
    : [[first, ...rest].slice(0, -1), rest.at(-1) ?? first];
  const candidates = await candidatesFor(words, typed, directories.state);
  await stdout.write(candidates.map(([word, about = '']) => `${word}\t${about}\n`).join(''));
}

async function candidatesFor(words: readonly string[], typed: string, state: string): Candidates {
  const { path, awaited, strangers, isEnded } = readCommandLine(screener, words);
  const command = commandOf(path);
  if (isEnded || (command.commands && strangers.some((word) => !word.startsWith('-')))) return [];
  const offer = (one: Valued | undefined, start = typed) =>
    valuesOf(one ?? {}, start, command, state);
  if (awaited !== undefined) return offer(awaited);
  if (!typed.startsWith('-')) {
    const below = commandsBelow(command);
    return below.length > 0 ? startingWith(typed, below) : offer(command.argument);
  }
  const options = optionsOf(command).flatMap((one) =>
    flagNames(one).map((name) => ({ name, one })),
  );
  const [flag, value] = typed.split(/=(.*)/s, 2);
  if (value === undefined) {
    const flags = options.map(({ name, one }): Candidate => [name, aboutOf(one)]);
    return startingWith(typed, flags);
  }
  const candidates = await offer(options.find(({ name }) => name === flag)?.one, value);
  return candidates.map(([word, about]) => [
    word.startsWith(':') ? word : `${flag}=${word}`,
    about,
  ]);
}

function commandsBelow(command: CommandDeclaration): readonly Candidate[] {
  const isHelp = command.name === 'help';
  const commands = ((isHelp ? screener : command).commands ?? []).flatMap((sub) =>
    namesOf(sub).map((name): Candidate => [name, sub.description]),
  );
  return isHelp ? [...commands, ...topicNames.map((name): Candidate => [name, 'Topic'])] : commands;
}

type Valued = Pick<OptionDeclaration, 'schema' | 'takes'>;

async function valuesOf(
  one: Valued,
  typed: string,
  command: CommandDeclaration,
  state: string,
): Candidates {
  const values = offeredFor(one);
  switch (values?.kind) {
    case 'words':
      return startingWith(typed, alone(values.words));
    case 'seen':
      // A symbol has no small letters.
      return startingWith(
        values.what === 'symbol' ? typed.toUpperCase() : typed,
        alone(readSeen(state)[values.what]),
      );
    case 'fields':
      return fieldsOf(command, typed);
    case 'directory':
    case 'file':
      return [[`:${values.kind}`]];
    default:
      return [];
  }
}

async function fieldsOf({ variants = [] }: CommandDeclaration, typed: string): Candidates {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const names = before.split(',');
  const all = await Promise.all(variants.flatMap(({ fields, rows }) => [fields(), rows?.() ?? []]));
  const left = new Map(all.flat().map(({ name, about }) => [`${before}${name}`, about]));
  for (const name of names) left.delete(`${before}${name}`);
  return [[':nospace'], ...startingWith(typed, [...left])];
}

function alone(words: readonly string[]): Candidate[] {
  return words.map((word) => [word]);
}

function startingWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(([word]) => word.startsWith(typed));
}
