import type { Command, Help, Option } from 'commander';
import type { Field } from '../output/types.ts';
import { topicNames } from './topics.ts';
import { columns, paragraph } from './wrap.ts';

/** What every command's help says beyond its options. */
export interface Explanation {
  /** Credits, in words. */
  readonly cost: string;
  readonly about?: string;
  /** Command line and, where it needs one, a remark. */
  readonly examples: readonly (readonly [line: string, remark: string])[];
  /** Names for --fields, CSV columns and JSON keys. */
  readonly fields?: readonly Field[];
  /** What is on standard output besides the fields, or instead of them. */
  readonly output?: string;
  /** Fields of another form of the command (`--from`, say), for completion alone: loaded when they are needed. */
  readonly moreFields?: () => Promise<readonly Field[]>;
  readonly exits: readonly number[];
}

const EXITS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'unexpected failure, or a file that cannot be used',
  2: 'wrong usage, nothing was sent',
  3: 'not logged in, or the key was not accepted',
  4: 'no active PRO plan',
  5: 'not found',
  6: 'the service rejected the arguments',
  7: 'out of quota, or your own limit forbids it',
  8: 'service unavailable, network, timeout',
  9: 'an answer that does not match the API document',
  130: 'interrupted',
};

const explanations = new WeakMap<Command, Explanation>();

/** Gives a command the parts of its help that commander does not know of. */
export function explain(command: Command, explanation: Explanation): Command {
  explanations.set(command, explanation);
  return command;
}

export function explanationOf(command: Command): Explanation | undefined {
  return explanations.get(command);
}

/** For the whole tree: commands made from `program` inherit it. To be called before they are. */
export function configureHelp(program: Command): void {
  program.configureHelp({ formatHelp: (command, helper) => helpOf(command, helper) });
  program.helpOption('-h, --help', 'show this help');
  program.helpCommand(false);
}

/** The help of one command, as `--help` and `screener help` print it: at most 80 columns wide. */
export function helpText(command: Command): string {
  return helpOf(command, command.createHelp());
}

function helpOf(command: Command, helper: Help): string {
  const { cost, about, examples, fields, output, exits } = explanations.get(command) ?? NOTHING;
  const isRoot = command.parent === null;
  const own = helper.visibleOptions(command);
  const sections: string[][] = [
    [paragraph(`${command.description()}.`)],
    [`Usage: ${usage(command)}`, ...aliases(command)],
    about === undefined ? [] : [paragraph(about)],
    cost === '' ? [] : [paragraph(`Cost: ${cost}`, 6)],
    titled(
      'Examples:',
      examples.map(([line, remark]) => (remark === '' ? `  ${line}` : `  ${line}\n      ${remark}`)),
    ),
    titled(
      'Commands:',
      columns(helper.visibleCommands(command).map((sub) => [subcommandTerm(sub), sub.description()])),
    ),
    titled('Arguments:', columns(helper.visibleArguments(command).map((arg) => [arg.name(), arg.description]))),
    isRoot ? [] : titled('Options:', optionLines(own)),
    titled('Output fields:', [
      ...columns((fields ?? []).map(({ name, about: what }) => [name, what])),
      ...(output === undefined ? [] : [paragraph(`  ${output}`, 2)]),
    ]),
    titled('Exit codes:', columns(exitCodes(exits).map((code) => [String(code), EXITS[code] ?? '']))),
    titled('Global options, before or after the command:', optionLines(isRoot ? own : globalOptions(command, helper))),
    [paragraph(`More: screener help ${isRoot ? `<command>, ${topicNames.join(', ')}` : topicNames.join(', ')}`, 6)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const NOTHING: Explanation = { cost: '', examples: [], exits: [] };

/** Anything can fail unexpectedly; who may wait for the network may be interrupted while waiting. */
function exitCodes(exits: readonly number[]): number[] {
  const all = new Set([...exits, 1, ...(exits.includes(8) ? [130] : [])]);
  return [...all].sort((a, b) => a - b);
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** The words that lead to a command: `screener signals ls`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function usage(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${text}>` : `[${text}]`;
  });
  const rest = command.commands.length > 0 ? ['<command>', '[options]'] : [...args, '[options]'];
  return [pathOf(command), ...rest].join(' ');
}

function aliases(command: Command): string[] {
  const { parent } = command;
  if (parent === null) return [];
  return command.aliases().map((alias) => `Alias: ${pathOf(parent)} ${alias}`);
}

function subcommandTerm(command: Command): string {
  const args = command.registeredArguments.filter((argument) => argument.required);
  return [command.name(), ...args.map((argument) => `<${argument.name()}${argument.variadic ? '...' : ''}>`)].join(' ');
}

function globalOptions(command: Command, helper: Help): Option[] {
  const all: Option[] = [];
  for (let above = command.parent; above !== null; above = above.parent) {
    all.push(...helper.visibleOptions(above).filter((option) => option.long !== '--help'));
  }
  return all;
}

function optionLines(options: readonly Option[]): string[] {
  return columns(options.map(({ flags, description, short }) => [short ? flags : `    ${flags}`, description]));
}
