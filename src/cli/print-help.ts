import { commandOf, type Given, namesOf, type Path, subcommand, wordsOf } from '../commands/declaration.ts';
import { type ScreenerError, usageError } from '../errors.ts';
import { nearest } from '../output/fields.ts';
import { helpText, printText } from './help.ts';
import { topicNames, topicText } from './topics.ts';

/** `screener help`: the help of the command that the words name, or a topic; with --json the catalogue of all commands. */
export async function printHelp(given: Given): Promise<void> {
  const { context, words, root, isJson } = given;
  if (words.length === 0 && isJson) {
    const { printCatalogue } = await import('./print-catalogue.ts');
    return printCatalogue(given);
  }
  await printText(await helpFor([root], words), context);
}

async function helpFor(program: Path, words: readonly string[]): Promise<string> {
  const [topic] = words;
  const text = words.length === 1 && topic !== undefined ? topicText(topic, commandOf(program)) : undefined;
  if (text !== undefined) return text;
  let path = program;
  for (const word of words) {
    const next = subcommand(commandOf(path), word);
    if (next === undefined) throw noHelpOn(path, word, words);
    path = [...path, next];
  }
  return helpText(path);
}

function noHelpOn(path: Path, word: string, words: readonly string[]): ScreenerError {
  const names = (commandOf(path).commands ?? []).flatMap(namesOf);
  if (path.length === 1) {
    const topics = `Topics: ${topicNames.join(', ')}. \`screener --help\` lists the commands.`;
    return unknownWord('command or topic', words.join(' '), [...names, ...topicNames], topics, word);
  }
  const hint =
    names.length === 0
      ? `\`${wordsOf(path)}\` has no commands below it.`
      : `\`${wordsOf(path)} --help\` lists its commands.`;
  return unknownWord('command', words.join(' '), names, hint, word);
}

/** A word that names nothing, and what may have been meant. */
export function unknownWord(what: string, given: string, names: readonly string[], hint: string, word = given) {
  const near = nearest(word, names);
  const guess = near === undefined ? '' : ` Did you mean '${near}'?`;
  return usageError(`There is no ${what} '${given}'.${guess}`, hint);
}
