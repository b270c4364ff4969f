import { type CommandDeclaration, commandOf, type Path, wordsOf } from '../commands/declaration.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../commands/global-options.ts';
import { argumentOf, flagsOf, type OptionDeclaration } from '../commands/option.ts';
import type { Field } from '../output/types.ts';
import type { Context } from '../runtime/context.ts';
import { EXITS } from './exits.ts';
import { topicNames } from './topics.ts';
import { columns, paragraph } from './wrap.ts';

/** Prints a help text: where it is longer than the screen of a terminal, through the pager, as tables are. */
export async function printText(text: string, context: Context): Promise<void> {
  if (!context.stdout.isTTY || context.argv.includes('--no-pager')) return context.stdout.write(text);
  const { writePaged } = await import('../output/paged.ts');
  return writePaged(text, context);
}

/** The help of one command, as `--help` and `screener help` print it: at most 80 columns wide. */
export async function helpText(path: Path): Promise<string> {
  const command = commandOf(path);
  const { cost, about, examples, output, argument, options = [], commands = [] } = command;
  const isRoot = path.length === 1;
  const fields: readonly Field[] = (await command.ways?.[0]?.fields?.()) ?? [];
  const globals = [...GLOBAL_OPTIONS, VERSION_OPTION];
  const sections: string[][] = [
    [paragraph(`${command.description}.`)],
    [`Usage: ${usage(path)}`, ...aliases(path)],
    about === undefined ? [] : [paragraph(about)],
    [paragraph(`Cost: ${cost}`, 6)],
    titled(
      'Examples:',
      examples.map(([line, remark]) => (remark === '' ? `  ${line}` : `  ${line}\n      ${remark}`)),
    ),
    titled('Commands:', columns(commands.map((sub) => [subcommandTerm(sub), sub.description]))),
    titled('Arguments:', columns(argument === undefined ? [] : [[argumentOf(argument).name, argument.about]])),
    isRoot ? [] : titled('Options:', optionLines([...options, HELP_OPTION])),
    titled('Output fields:', [
      ...columns(fields.map(({ name, about: what }) => [name, what])),
      ...(output === undefined ? [] : [paragraph(`  ${output}`, 2)]),
    ]),
    titled('Exit codes:', columns(exitsOf(command).map(({ code, short }) => [String(code), short]))),
    titled('Global options, before or after the command:', optionLines(isRoot ? [...globals, HELP_OPTION] : globals)),
    [paragraph(`More: screener help ${isRoot ? `<command>, ${topicNames.join(', ')}` : topicNames.join(', ')}`, 6)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/**
 * Anything can fail unexpectedly. Who asks the service may get any answer of the document's part 7, 404 and 422 too, and
 * may be interrupted while waiting.
 */
export function exitsOf({ exits }: CommandDeclaration): typeof EXITS {
  const all = [...exits, 1, ...(exits.includes(8) ? [5, 6, 130] : [])];
  return EXITS.filter(({ code }) => all.includes(code));
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

export function usage(path: Path): string {
  const { argument, commands } = commandOf(path);
  const rest = commands === undefined ? [argument?.term, '[options]'] : ['<command>', '[options]'];
  return [wordsOf(path), ...rest].filter((word) => word !== undefined).join(' ');
}

function aliases(path: Path): string[] {
  const { alias } = commandOf(path);
  return alias === undefined ? [] : [`Alias: ${[...path.slice(0, -1).map(({ name }) => name), alias].join(' ')}`];
}

function subcommandTerm({ name, argument }: CommandDeclaration): string {
  return argument !== undefined && argumentOf(argument).required ? `${name} ${argument.term}` : name;
}

function optionLines(options: readonly OptionDeclaration[]): string[] {
  return columns(
    options.map((option) => [
      flagsOf(option).short === undefined ? `    ${option.flags}` : option.flags,
      aboutOf(option),
    ]),
  );
}

/** The sentence of an option, with what holds without it. */
export function aboutOf({ about, default: absent }: OptionDeclaration): string {
  return absent === undefined ? about : `${about} (default: ${absent})`;
}
