import { type CommandDeclaration, commandOf, namesOf } from '../commands/parts/declaration.ts';
import { type OptionDeclaration, offeredFor } from '../commands/parts/option.ts';
import { readSeen } from '../completion/seen.ts';
import type { Context } from '../runtime/context.ts';
import { flagNames, optionsOf, readCommandLine, splitAtEquals } from './command-line.ts';
import { aboutOf } from './help.ts';
import { screener } from './screener.ts';
import { topicNames } from './topics.ts';

/** A word that may stand at the cursor, or `:directory`, `:file` or `:nospace` for the shell's script. */
interface Candidate {
  readonly word: string;
  readonly about?: string | undefined;
}

/** The script of PowerShell passes the typed word behind this flag, because PowerShell drops words that are empty. */
const LAST = '--last=';

/**
 * Prints a line for each candidate: the word, a tab, its description. `:directory` and `:file` ask the shell to complete a path;
 * `:nospace` asks it to add no blank, because the word may go on. Sends nothing.
 */
export async function complete({ argv, stdout, directories }: Context): Promise<void> {
  // The first word is the hidden command itself.
  const { words, typed } = wordsToComplete(argv.slice(1));
  const candidates = await candidatesFor(words, typed, directories.state);
  const lines = candidates.map(({ word, about = '' }) => `${word}\t${about}\n`);
  await stdout.write(lines.join(''));
}

interface Words {
  /** The words before the word at the cursor. */
  readonly words: readonly string[];
  /** What is typed so far of the word at the cursor, maybe nothing. */
  readonly typed: string;
}

/** @param passed the words from a shell's script. The word at the cursor is the first (PowerShell, behind `--last=`) or the last. */
function wordsToComplete(passed: readonly string[]): Words {
  const [first = '', ...rest] = passed;
  if (first.startsWith(LAST)) return { words: rest, typed: first.slice(LAST.length) };
  return { words: passed.slice(0, -1), typed: passed.at(-1) ?? '' };
}

/** @param state the state folder, which keeps the symbols and types of earlier answers */
async function candidatesFor(
  words: readonly string[],
  typed: string,
  state: string,
): Promise<readonly Candidate[]> {
  const { path, optionWithoutValue, unknownWords, hasEndOfOptions } = readCommandLine(
    screener,
    words,
  );
  const command = commandOf(path);
  // A command of a group was expected, and the word is none of them: it is not known what may follow that word.
  const isCommandUnknown =
    command.commands !== undefined && unknownWords.some((word) => !word.startsWith('-'));
  if (hasEndOfOptions || isCommandUnknown) return [];
  if (optionWithoutValue !== undefined) return valuesFor(optionWithoutValue, typed, command, state);
  if (typed.startsWith('-')) return optionsFor(typed, command, state);
  const commands = commandsBelow(command);
  if (commands.length > 0) return startingWith(typed, commands);
  return command.argument === undefined ? [] : valuesFor(command.argument, typed, command, state);
}

/** @param typed the beginning of a flag, or a whole one with `=` and the beginning of its value */
async function optionsFor(
  typed: string,
  command: CommandDeclaration,
  state: string,
): Promise<readonly Candidate[]> {
  const options = optionsOf(command);
  const { flag, value } = splitAtEquals(typed);
  if (value === undefined) {
    const flags = options.flatMap((option) =>
      flagNames(option).map((name) => ({ word: name, about: aboutOf(option) })),
    );
    return startingWith(typed, flags);
  }
  const option = options.find((each) => flagNames(each).includes(flag));
  if (option === undefined) return [];
  const candidates = await valuesFor(option, value, command, state);
  return candidates.map(({ word, about }) => {
    const isForShell = word.startsWith(':');
    return { word: isForShell ? word : `${flag}=${word}`, about };
  });
}

/** What may follow a command: for a group its commands; for `help` all commands, and the topics. */
function commandsBelow(command: CommandDeclaration): readonly Candidate[] {
  const isHelp = command.name === 'help';
  const { commands = [] } = isHelp ? screener : command;
  const candidates = commands.flatMap((sub) =>
    namesOf(sub).map((name): Candidate => ({ word: name, about: sub.description })),
  );
  if (!isHelp) return candidates;
  return [...candidates, ...topicNames.map((name) => ({ word: name, about: 'Topic' }))];
}

/** @param valued an option or an argument @param typed the beginning of its value */
async function valuesFor(
  valued: Pick<OptionDeclaration, 'schema' | 'takes'>,
  typed: string,
  command: CommandDeclaration,
  state: string,
): Promise<readonly Candidate[]> {
  const offer = offeredFor(valued);
  switch (offer?.kind) {
    case 'words':
      return startingWith(typed, candidatesOf(offer.words));
    case 'seen': {
      // No symbol that is kept has small letters.
      const start = offer.what === 'symbol' ? typed.toUpperCase() : typed;
      return startingWith(start, candidatesOf(readSeen(state)[offer.what]));
    }
    case 'fields':
      return fieldsAfter(typed, command);
    case 'sort_field':
      return sortFieldsFor(typed, command);
    case 'directory':
    case 'file':
      return [{ word: `:${offer.kind}` }];
    default:
      return [];
  }
}

/** @param typed `id,outc`: names of fields, comma-separated, the last of them maybe unfinished */
async function fieldsAfter(
  typed: string,
  command: CommandDeclaration,
): Promise<readonly Candidate[]> {
  const textBefore = typed.slice(0, typed.lastIndexOf(',') + 1);
  const namesBefore = textBefore.split(',');
  const fields = await fieldCandidates(command);
  const otherFields = fields.filter(({ word }) => !namesBefore.includes(word));
  const candidates = otherFields.map(({ word, about }) => ({
    word: `${textBefore}${word}`,
    about,
  }));
  return [{ word: ':nospace' }, ...startingWith(typed, candidates)];
}

/** @param typed `-outc`: the name of a field, maybe unfinished, maybe behind a minus, which reverses the order */
async function sortFieldsFor(
  typed: string,
  command: CommandDeclaration,
): Promise<readonly Candidate[]> {
  const minus = typed.startsWith('-') ? '-' : '';
  const fields = await fieldCandidates(command);
  const candidates = fields.map(({ word, about }) => ({ word: `${minus}${word}`, about }));
  return startingWith(typed, candidates);
}

/** The fields of all forms of a command's output. */
async function fieldCandidates({
  variants = [],
}: CommandDeclaration): Promise<readonly Candidate[]> {
  const lists = await Promise.all(
    variants.flatMap(({ fields, rows }) => [fields(), rows?.() ?? []]),
  );
  // If several forms have a field of the same name, the first form describes it.
  const abouts = new Map<string, string | undefined>();
  for (const { name, about } of lists.flat()) if (!abouts.has(name)) abouts.set(name, about);
  return [...abouts].map(([word, about]) => ({ word, about }));
}

function candidatesOf(words: readonly string[]): Candidate[] {
  return words.map((word) => ({ word }));
}

function startingWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(typed));
}
