import {
  type CommandDeclaration,
  commandOf,
  follow,
  type Given,
  namesOf,
  type Path,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { usageError } from '../errors.ts';
import { didYouMean } from '../output/fields.ts';
import type { Context } from '../runtime/context.ts';
import { formatAsked } from './format-asked.ts';
import { helpText } from './help.ts';
import { topicNames, topicText } from './topics.ts';

export async function printHelp({ context, words, root }: Given): Promise<void> {
  const [topic = '', ...command] = words;
  const text = topic === 'fields' ? await fieldsHelp(root, command) : topicText(words.join(' '), root);
  if (text === undefined) return printHelpOf(pathTo(root, words), context);
  if (!isForPrograms(context)) return printText(text, context);
  await printJson({ topic: words.join(' '), text }, context);
}

export async function printHelpOf(path: Path, context: Context): Promise<void> {
  if (!isForPrograms(context)) return printText(helpText(path), context);
  const { commandDocument, mapDocument } = await import('./help-json.ts');
  await printJson(path.length === 1 ? mapDocument(path) : await commandDocument(path), context);
}

/** Spares plain `--help` the parser, which takes longer to load than the help. @returns whether it printed it */
export async function quickHelp(root: CommandDeclaration, context: Context): Promise<boolean> {
  const words = context.argv.filter((word) => !['--help', '-h', '--json', '--no-pager'].includes(word));
  const { path, stranger } = follow(root, words);
  if (stranger !== undefined || (!isAsked(context) && commandOf(path).commands === undefined)) return false;
  await printHelpOf(path, context);
  return true;
}

function isAsked({ argv }: Context): boolean {
  return argv.some((word) => ['--help', '-h'].includes(word));
}

/** Ignores SCREENER_OUTPUT: its user still reads help. */
function isForPrograms({ argv }: Context): boolean {
  return formatAsked({ argv, env: {} }) === 'json';
}

/** Pages a long text, as tables are, but not for `screener` alone: its user wants the prompt again. */
async function printText(text: string, context: Context): Promise<void> {
  const isWanted = isAsked(context) || context.argv.includes('help');
  if (!isWanted || !context.stdout.isTTY || context.argv.includes('--no-pager')) return context.stdout.write(text);
  const { writePaged } = await import('../output/paged.ts');
  // The prompt alone comes below.
  return writePaged(text, context, 1);
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
