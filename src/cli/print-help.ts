import {
  type CommandDeclaration,
  commandOf,
  type Given,
  namesOf,
  type Path,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { usageError } from '../errors.ts';
import { didYouMean } from '../output/fields.ts';
import type { Context } from '../runtime/context.ts';
import { version } from '../version.ts';
import { type CommandLine, formatAsked, readCommandLine } from './command-line.ts';
import { fieldsText, helpText } from './help.ts';
import { topicNames, topicText } from './topics.ts';

export async function printHelp({ context, words, root }: Given): Promise<void> {
  const topic = words.join(' ');
  const [first, ...command] = words;
  const isFields = first === 'fields' && command.length > 0;
  const text = isFields ? await fieldsText(pathTo(root, command)) : topicText(topic, root);
  if (text === undefined) return printHelpOf(pathTo(root, words), context);
  const line = readCommandLine(root, context.argv);
  return isForPrograms(line) ? printJson({ topic, text }, context) : printText(text, line, context);
}

async function printHelpOf(path: Path, context: Context): Promise<void> {
  const line = readCommandLine(path[0], context.argv);
  if (!isForPrograms(line)) return printText(helpText(path), line, context);
  const { commandDocument, mapDocument } = await import('./help-json.ts');
  await printJson(path.length === 1 ? mapDocument(path) : await commandDocument(path), context);
}

/**
 * Answers what needs no parser, which takes longer to load than the help: `--help`, `--version`, and a group without a
 * command (`screener`, `screener signals`), which asks what there is.
 * @returns whether it did
 */
export async function quickHelp(root: CommandDeclaration, context: Context): Promise<boolean> {
  const { path, given, awaited, strangers } = readCommandLine(root, context.argv);
  const isBareGroup = commandOf(path).commands !== undefined && awaited === undefined && strangers.length === 0;
  if (given.has('--version')) await context.stdout.write(`${version}\n`);
  else if (given.has('--help') || isBareGroup) await printHelpOf(path, context);
  else return false;
  return true;
}

/** Ignores SCREENER_OUTPUT: its user still reads help. */
function isForPrograms(line: CommandLine): boolean {
  return formatAsked(line) === 'json';
}

/** Pages a long text, as tables are, but not for `screener` alone: its user wants the prompt again. */
async function printText(text: string, { given, path }: CommandLine, context: Context): Promise<void> {
  const isWanted = given.has('--help') || commandOf(path).name === 'help';
  if (!isWanted || !context.stdout.isTTY || given.has('--no-pager')) return context.stdout.write(text);
  const { writePaged } = await import('../output/paged.ts');
  // The prompt alone comes below.
  return writePaged(() => [text], context, 1);
}

async function printJson(document: object, { stdout }: Context): Promise<void> {
  await stdout.write(`${JSON.stringify(document, null, stdout.isTTY ? 2 : undefined)}\n`);
}

/** @throws ScreenerError usage where the words name no command */
function pathTo(root: CommandDeclaration, words: readonly string[]): Path {
  const { path, strangers } = readCommandLine(root, words);
  const [stranger] = strangers;
  if (stranger === undefined) return path;
  const topics = path.length === 1 ? topicNames : [];
  const guess = didYouMean(stranger, [...(commandOf(path).commands ?? []).flatMap(namesOf), ...topics]);
  throw usageError(
    `There is no ${topics.length > 0 ? 'command or topic' : 'command'} '${words.join(' ')}'.${guess}`,
    `\`${wordsOf(path)} --help\` says what there is. Topics: ${topicNames.join(', ')}.`,
  );
}
