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
import { type CommandLine, formatAsked, readCommandLine } from './command-line.ts';
import { helpText } from './help.ts';
import { topicNames, topicText } from './topics.ts';

export async function printHelp({ context, words, root }: Given): Promise<void> {
  const [topic = '', ...command] = words;
  const text = topic === 'fields' ? await fieldsHelp(root, command) : topicText(words.join(' '), root);
  if (text === undefined) return printHelpOf(pathTo(root, words), context);
  const line = readCommandLine(root, context.argv);
  if (!isForPrograms(line)) return printText(text, line, context);
  await printJson({ topic: words.join(' '), text }, context);
}

export async function printHelpOf(path: Path, context: Context): Promise<void> {
  const line = readCommandLine(path[0], context.argv);
  if (!isForPrograms(line)) return printText(helpText(path), line, context);
  const { commandDocument, mapDocument } = await import('./help-json.ts');
  await printJson(path.length === 1 ? mapDocument(path) : await commandDocument(path), context);
}

/** Spares plain `--help` the parser, which takes longer to load than the help. @returns whether it printed it */
export async function quickHelp(root: CommandDeclaration, context: Context): Promise<boolean> {
  const { path, given, awaited, strangers, isEnded } = readCommandLine(root, context.argv);
  const isPlain = [...given.keys()].every((flag) => ['--help', '--json', '--no-pager'].includes(flag));
  if (!isPlain || awaited !== undefined || strangers.length > 0 || isEnded) return false;
  if (!given.has('--help') && commandOf(path).commands === undefined) return false;
  await printHelpOf(path, context);
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

async function fieldsHelp(root: CommandDeclaration, words: readonly string[]): Promise<string> {
  const { fieldsText, fieldsTopic } = await import('./help-fields.ts');
  return words.length === 0 ? fieldsTopic([root]) : fieldsText(pathTo(root, words));
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
