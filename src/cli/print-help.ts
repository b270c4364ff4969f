import { didYouMean } from '../base/near-names.ts';
import {
  type CommandDeclaration,
  commandOf,
  namesOf,
  outputClassOf,
  type Path,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { usageError } from '../errors.ts';
import { isFormat } from '../output/formats.ts';
import type { Context } from '../runtime/context.ts';
import { version } from '../version.ts';
import { type CommandLine, formatAsked, readCommandLine, typedFormatOf } from './command-line.ts';
import { fieldsText, helpText } from './help.ts';
import { uselessChoiceError } from './output-choices.ts';
import { topicNames, topicText } from './topics.ts';

/**
 * Answers four kinds of command line: `help`, `--help`, `--version`, and a group without a command (`screener`,
 * `screener signals`), which shows the group's help. The parser is not loaded for them: that takes longer than the help itself.
 * @returns whether the command line was one of these
 * @throws ScreenerError usage, if a command or topic does not exist, or if a typed format or --fields does not fit
 */
export async function quickHelp(root: CommandDeclaration, context: Context): Promise<boolean> {
  const line = readCommandLine(root, context.argv);
  const { path, typedValues, optionWithoutValue, unknownWords } = line;
  const { commands, name } = commandOf(path);
  const isHelpAsked = typedValues.has('--help');
  const isGroupAlone =
    commands !== undefined && optionWithoutValue === undefined && unknownWords.length === 0;
  // Only a typed --json counts, not SCREENER_OUTPUT: users who set the variable still want to read help.
  const isJson = formatAsked(line) === 'json';
  if (typedValues.has('--version')) {
    await context.stdout.write(`${version}\n`);
    return true;
  }
  // If --help is added to an unfinished line, the user wants help, not an error about that line.
  if (!isHelpAsked && (name === 'help' || isGroupAlone)) await checkFormatName(line, context);
  if (name === 'help' && !isHelpAsked) {
    checkOutputChoices(line);
    await print(await helpAbout(unknownWords, root, isJson), line, context);
    return true;
  }
  if (isHelpAsked || isGroupAlone) {
    // In a group, an unknown word is the name of a command that does not exist: `pathTo` throws the error for it.
    const [unknownWord] = unknownWords;
    const isName = unknownWord !== undefined && !unknownWord.startsWith('-');
    const isCommandUnknown = commands !== undefined && isName;
    const wordsBelowRoot = path.slice(1).map((command) => command.name);
    const shownPath = isCommandUnknown ? pathTo(root, [...wordsBelowRoot, unknownWord]) : path;
    await print(await helpOf(shownPath, isJson), line, context);
    return true;
  }
  return false;
}

/** @throws ScreenerError usage, if a format was typed that does not exist */
async function checkFormatName(
  { path, typedValues }: CommandLine,
  context: Context,
): Promise<void> {
  const output = typedValues.get('--output');
  if (output === undefined || isFormat(output)) return;
  // `readInput` throws the same error as for every command. It is loaded only for this error: other help does not wait for it.
  const { readInput } = await import('./read-options.ts');
  readInput(commandOf(path), { output }, [], context);
}

/** @throws ScreenerError usage, if a typed format or --fields would change nothing of the help */
function checkOutputChoices(line: CommandLine): void {
  const { path, typedValues } = line;
  const error = uselessChoiceError(outputClassOf(commandOf(path), undefined), {
    words: wordsOf(path),
    typedFormat: typedFormatOf(line),
    format: formatAsked(line),
    hasFields: typedValues.has('--fields'),
  });
  if (error !== undefined) throw error;
}

/** The help for the words after `help`: the fields of a command, a topic, a term, or else a command. With --json an object. */
async function helpAbout(
  words: readonly string[],
  root: CommandDeclaration,
  isJson: boolean,
): Promise<string | object> {
  const topic = words.join(' ');
  const [first, ...commandWords] = words;
  // `help fields signals ls` lists fields; `help fields` alone is a topic.
  const areFields = first === 'fields' && commandWords.length > 0;
  const text = areFields ? await fieldsText(pathTo(root, commandWords)) : topicText(topic, root);
  if (text === undefined) return helpOf(pathTo(root, words), isJson);
  return isJson ? { topic, text } : text;
}

/** The help of a command. With --json an object. */
async function helpOf(path: Path, isJson: boolean): Promise<string | object> {
  if (!isJson) return helpText(path);
  const { commandDocument, mapDocument } = await import('./help-json.ts');
  return path.length === 1 ? mapDocument(path) : commandDocument(path);
}

/** Prints a text, through the pager if it is longer than the screen; prints an object as JSON. */
async function print(
  answer: string | object,
  { typedValues }: CommandLine,
  { stdout, env }: Context,
): Promise<void> {
  if (typeof answer !== 'string') {
    return stdout.write(`${JSON.stringify(answer, null, stdout.isTTY ? 2 : undefined)}\n`);
  }
  if (!stdout.isTTY || typedValues.has('--no-pager')) return stdout.write(answer);
  const { writePaged } = await import('../output/paged.ts');
  // After the help only the shell's prompt follows: one line of the screen stays free for it.
  return writePaged(() => [answer], { stdout, env }, 1);
}

/** @throws ScreenerError usage, if the words name no command */
function pathTo(root: CommandDeclaration, words: readonly string[]): Path {
  const { path, unknownWords } = readCommandLine(root, words);
  const [unknownWord] = unknownWords;
  if (unknownWord === undefined) return path;
  const isBelowRoot = path.length > 1;
  const topics = isBelowRoot ? [] : topicNames;
  const commands = commandOf(path).commands ?? [];
  const guess = didYouMean(unknownWord, [...commands.flatMap(namesOf), ...topics]);
  const kind = isBelowRoot ? 'command' : 'command or topic';
  throw usageError(
    `There is no ${kind} '${words.join(' ')}'.${guess}`,
    `\`${wordsOf(path)} --help\` says what there is. Topics: ${topicNames.join(', ')}.`,
  );
}
