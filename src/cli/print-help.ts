import {
  type CommandDeclaration,
  commandOf,
  follow,
  type Given,
  namesOf,
  type Path,
  wordsOf,
} from '../commands/declaration.ts';
import { usageError } from '../errors.ts';
import { didYouMean } from '../output/fields.ts';
import type { Context } from '../runtime/context.ts';
import { formatAsked } from './format-asked.ts';
import { helpText } from './help.ts';
import { topicNames, topicText } from './topics.ts';

/** `screener help`: the help of the command that the words name, or a topic; with --json for programs. */
export async function printHelp({ context, words, root }: Given): Promise<void> {
  const [topic = '', ...command] = words;
  const text = topic === 'fields' ? await fieldsHelp(root, command) : topicText(words.join(' '), root);
  if (text === undefined) return printHelpOf(pathTo(root, words), context);
  if (!isForPrograms(context)) return printText(text, context);
  await printJson({ topic: words.join(' '), text }, context);
}

/**
 * Prints the help of a command, `--help` as well as `help`: with --json the one of the program is a map of all commands,
 * that of a command says all there is to say of it.
 */
export async function printHelpOf(path: Path, context: Context): Promise<void> {
  if (!isForPrograms(context)) return printText(helpText(path), context);
  const { commandDocument, mapDocument } = await import('./help-json.ts');
  await printJson(path.length === 1 ? mapDocument(path) : await commandDocument(path), context);
}

/**
 * Prints the help where a command line asks for nothing else: words that name a command, then `--help`; or a group of
 * commands alone. Any other way to ask for help goes through the parser, which takes longer to load than the help itself.
 * @returns whether it did
 */
export async function quickHelp(root: CommandDeclaration, context: Context): Promise<boolean> {
  const words = context.argv.filter((word) => !FOR_HELP.includes(word));
  const isAsked = context.argv.some((word) => word === '--help' || word === '-h');
  const { path, stranger } = follow(root, words);
  if (stranger !== undefined || (!isAsked && commandOf(path).commands === undefined)) return false;
  await printHelpOf(path, context);
  return true;
}

/** Ignores SCREENER_OUTPUT: its user still reads help. */
function isForPrograms({ argv }: Context): boolean {
  return formatAsked({ argv, env: {} }) === 'json';
}

const FOR_HELP = ['--help', '-h', '--json', '--no-pager'];

/**
 * Pages a text that is longer than the terminal, as tables are, but not if no help was asked for: a user who types
 * `screener` alone wants the prompt again.
 */
async function printText(text: string, context: Context): Promise<void> {
  const isAsked = context.argv.some((word) => ['--help', '-h', 'help'].includes(word));
  if (!isAsked || !context.stdout.isTTY || context.argv.includes('--no-pager')) return context.stdout.write(text);
  const { writePaged } = await import('../output/paged.ts');
  return writePaged(text, context);
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
  const { path, stranger } = follow(root, words);
  if (stranger === undefined) return path;
  const topics = path.length === 1 ? topicNames : [];
  const guess = didYouMean(stranger, [...(commandOf(path).commands ?? []).flatMap(namesOf), ...topics]);
  throw usageError(
    `There is no ${topics.length > 0 ? 'command or topic' : 'command'} '${words.join(' ')}'.${guess}`,
    `\`${wordsOf(path)} --help\` says what there is. Topics: ${topicNames.join(', ')}.`,
  );
}
