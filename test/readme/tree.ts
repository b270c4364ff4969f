import type { Command, Option } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { testContext } from '../support/context.ts';

/** The program's commands, as they are declared. */
export const program = buildProgram(testContext());

export function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((sub) => [sub, ...commandsBelow(sub)]);
}

/** The words that lead to a command: `screener signals ls`. */
export function wordsOf(command: Command): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;
}

/** Long and short forms of every option of the tree. */
export function everyFlag(): Set<string> {
  return new Set([program, ...commandsBelow(program)].flatMap((command) => flagsOf(command)));
}

function optionsOf(command: Command): Option[] {
  return command.createHelp().visibleOptions(command);
}

function flagsOf(command: Command): string[] {
  return optionsOf(command).flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));
}

/**
 * Looks for what a command line names and the program does not have.
 * @param words without `screener`
 * @returns what is wrong, in words
 */
export function checkLine(words: readonly string[]): string[] {
  let command = program;
  const wrong: string[] = [];
  const given: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (/^--?[a-z]/i.test(word)) {
      const flag = word.replace(/=.*/, '');
      given.push(flag);
      if (takesValue(flag) && !word.includes('=')) index += 1;
      continue;
    }
    const sub = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (sub !== undefined) command = sub;
    else if (command.commands.length > 0) wrong.push(`no command "${word}" below "${wordsOf(command)}"`);
  }
  const known = new Set<string>();
  for (let above: Command | null = command; above !== null; above = above.parent) {
    for (const flag of flagsOf(above)) known.add(flag);
  }
  wrong.push(...given.filter((flag) => !known.has(flag)).map((flag) => `"${wordsOf(command)}" has no option ${flag}`));
  return wrong;
}

function takesValue(flag: string): boolean {
  const options = [program, ...commandsBelow(program)].flatMap(optionsOf);
  return options.some(({ short, long, required }) => (short === flag || long === flag) && required);
}
