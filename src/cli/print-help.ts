import { didYouMean } from '../base/near-names.ts';
import {
  type CommandDeclaration,
  commandOf,
  namesOf,
  type Path,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { version } from '../version.ts';
import { type CommandLine, formatAsked, readCommandLine } from './command-line.ts';
import { fieldsText, helpText } from './help.ts';
import { topicNames, topicText } from './topics.ts';

/**
 * Answers what needs no parser, which takes longer to load than the help: `help`, `--help`, `--version`, and a group
 * without a command (`screener`, `screener signals`), which asks what there is.
 * @returns whether it did @throws ScreenerError usage where the words after `help` name nothing
 */
export async function quickHelp(root: CommandDeclaration, context: Context): Promise<boolean> {
  const line = readCommandLine(root, context.argv);
  const { path, given, awaited, strangers } = line;
  const { commands, name } = commandOf(path);
  const isBare = commands !== undefined && awaited === undefined && strangers.length === 0;
  // SCREENER_OUTPUT is ignored: its user still reads help.
  const isJson = formatAsked(line) === 'json';
  if (given.has('--version')) await context.stdout.write(`${version}\n`);
  else if (name === 'help' && !given.has('--help'))
    await print(await answerTo(strangers, root, isJson), line, context);
  else if (given.has('--help') || isBare) await print(await helpOf(path, isJson), line, context);
  else return false;
  return true;
}

/** The text of a topic or term, else of a command; its document for a program. */
async function answerTo(
  words: readonly string[],
  root: CommandDeclaration,
  isJson: boolean,
): Promise<string | object> {
  const topic = words.join(' ');
  const [first, ...command] = words;
  const isFields = first === 'fields' && command.length > 0;
  const text = isFields ? await fieldsText(pathTo(root, command)) : topicText(topic, root);
  if (text === undefined) return helpOf(pathTo(root, words), isJson);
  return isJson ? { topic, text } : text;
}

async function helpOf(path: Path, isJson: boolean): Promise<string | object> {
  if (!isJson) return helpText(path);
  const { commandDocument, mapDocument } = await import('./help-json.ts');
  return path.length === 1 ? mapDocument(path) : commandDocument(path);
}

/** Pages a long text, as tables are. */
async function print(
  answer: string | object,
  { given }: CommandLine,
  { stdout, env }: Context,
): Promise<void> {
  if (typeof answer !== 'string') {
    return stdout.write(`${JSON.stringify(answer, null, stdout.isTTY ? 2 : undefined)}\n`);
  }
  if (!stdout.isTTY || given.has('--no-pager')) return stdout.write(answer);
  const { writePaged } = await import('../output/paged.ts');
  // The prompt alone comes below.
  return writePaged(() => [answer], { stdout, env }, 1);
}

/** @throws ScreenerError usage where the words name no command */
function pathTo(root: CommandDeclaration, words: readonly string[]): Path {
  const { path, strangers } = readCommandLine(root, words);
  const [stranger] = strangers;
  if (stranger === undefined) return path;
  const topics = path.length === 1 ? topicNames : [];
  const guess = didYouMean(stranger, [
    ...(commandOf(path).commands ?? []).flatMap(namesOf),
    ...topics,
  ]);
  throw usageError(
    `There is no ${topics.length > 0 ? 'command or topic' : 'command'} '${words.join(' ')}'.${guess}`,
    `\`${wordsOf(path)} --help\` says what there is. Topics: ${topicNames.join(', ')}.`,
  );
}
