import { TYPE_ARGUMENT } from '../commands/parts/card-options.ts';
import {
  type CommandDeclaration,
  commandOf,
  commandWords,
  type Path,
  whenInWords,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { argumentOf, type OptionDeclaration } from '../commands/parts/option.ts';
import type { ExitCode } from '../errors.ts';
import { wrap } from '../output/table/measure.ts';
import type { Field } from '../output/types.ts';

/** Characters of a line. Help is the same on every terminal. */
const WIDTH = 80;
/** Characters of a term. The explanation of a longer term is on the lines below it, unless both fit into one line. */
const LONGEST_TERM = 34;

/** A command's help: at most 80 columns and 40 lines. Topics tell what is the same for every command. */
export function helpText(path: Path): string {
  const {
    description,
    cost,
    about,
    examples,
    argument,
    options = [],
    commands = [],
  } = commandOf(path);
  const head = [
    paragraph(`${description}.`),
    `Usage: ${usage(path)}${remarkOnUsage(path)}`,
    paragraph(`Cost: ${cost}`, 6),
  ];
  const subcommands = commands.map((sub): TermRow => {
    const words = sub.argument === undefined ? sub.name : `${sub.name} ${sub.argument.term}`;
    return [words, sub.description];
  });
  const argumentRows: TermRow[] = [];
  // A type as argument is explained where --type is listed.
  if (argument !== undefined && argument !== TYPE_ARGUMENT)
    argumentRows.push([argumentOf(argument).name, argument.about]);
  const sections = [
    head.join('\n'),
    paragraph(about ?? ''),
    titled('Examples:', columns(examples)),
    titled('Commands:', columns(subcommands)),
    titled('Arguments:', columns(argumentRows)),
    titled('Options:', optionLines(options)),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n${furtherHelp(path)}`;
}

/** What follows the usage on its line: the command's alias, if it has one; for the program, where its options are explained. */
function remarkOnUsage(path: Path): string {
  const { alias } = commandOf(path);
  // The program's own help has to fit 24 lines, so it has no `furtherHelp`: the topic `options` is named here instead.
  if (path.length === 1) return '   (--json and others: screener help options)';
  return alias === undefined ? '' : `   (also: ${alias})`;
}

/** The last line of a help: where to read more. The program's own help has none (`remarkOnUsage`). */
function furtherHelp(path: Path): string {
  if (path.length === 1) return '';
  const fields = commandOf(path).variants === undefined ? '' : `fields ${commandWords(path)}, `;
  const text = `More: screener help ${fields}options, formats, exit-codes`;
  return `${paragraph(text, 6)}\n`;
}

/** What each exit code means. */
export const EXITS: Readonly<Record<ExitCode, string>> = {
  0: 'done; also when the reader of standard output has gone (| head -1)',
  1: 'unexpected failure, a file that cannot be used, no history yet, another export under way',
  2: 'wrong usage; nothing was sent',
  3: 'not logged in, or the key is invalid, expired or revoked (401)',
  4: 'no active verified PRO plan (403)',
  5: 'not found (404)',
  6: 'the service rejected the arguments (422)',
  7: 'out of quota (429), or --max-credits or the credits left forbid it',
  8: 'unavailable (503 and other 5xx), network failure, timeout',
  9: 'an answer that does not match the API document',
  130: 'interrupted',
};

function titled(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n');
}

export function usage(path: Path): string {
  const { argument, commands } = commandOf(path);
  const rest = commands === undefined ? [argument?.term, '[options]'] : ['<command>', '[options]'];
  return [wordsOf(path), ...rest].filter((word) => word !== undefined).join(' ');
}

/** A line for each option. The long flags are aligned, also if some of the options have a short flag. */
export function optionLines(options: readonly OptionDeclaration[]): string[] {
  const hasShort = options.some(({ flags }) => !flags.startsWith('--'));
  return columns(
    options.map((option) => {
      const isIndented = hasShort && option.flags.startsWith('--');
      return [isIndented ? `    ${option.flags}` : option.flags, aboutOf(option)];
    }),
  );
}

export function aboutOf({ about, default: defaultValue }: OptionDeclaration): string {
  return defaultValue === undefined ? about : `${about} (default: ${defaultValue})`;
}

/** One form of a command's output. */
interface OutputForm {
  /** The options that ask for it; undefined for the usual form. */
  readonly options: string | undefined;
  readonly fields: () => Promise<readonly Field[]>;
}

function outputForms(command: CommandDeclaration): OutputForm[] {
  const { variants = [], specialOutputs = [] } = command;
  const forms: OutputForm[] = [];
  for (const variant of variants) {
    forms.push({ options: whenInWords(variant, command), fields: variant.fields });
    if (variant.rows !== undefined) forms.push({ options: '--csv', fields: variant.rows });
  }
  for (const { options, fields } of specialOutputs)
    forms.push({ options: `${options} (always whole)`, fields });
  return forms;
}

/**
 * `screener help fields COMMAND`: the names that --fields takes, for every form of the command's output. A field that an earlier
 * form has, too, is only counted: `and 12 of those above`.
 */
export async function fieldsText(path: Path): Promise<string> {
  const command = commandOf(path);
  // A field is the same if its name and its explanation are.
  const keyOf = ([name, about]: TermRow) => `${name},${about}`;
  const listed = new Set<string>();
  const sections: string[] = [];
  for (const { options, fields } of outputForms(command)) {
    const rows = (await fields()).map(({ name, about }): TermRow => [name, about]);
    const newRows = rows.filter((row) => !listed.has(keyOf(row)));
    for (const row of newRows) listed.add(keyOf(row));
    const title = options === undefined ? wordsOf(path) : `${wordsOf(path)}, ${options}`;
    const lines = [`Fields of ${title}`, '', ...columns(newRows)];
    if (newRows.length < rows.length)
      lines.push(`  and ${rows.length - newRows.length} of those above`);
    sections.push(lines.join('\n'));
  }
  if (command.output !== undefined) sections.push(paragraph(command.output));
  return `${sections.join('\n\n')}\n`;
}

/** A text broken into lines of `WIDTH`; those after the first are indented. Line breaks in the text count as spaces. */
export function paragraph(text: string, indent = 0): string {
  return wrap(text.replaceAll('\n', ' '), { width: WIDTH, indent }).join('\n');
}

/** A term and its explanation. */
type TermRow = readonly [term: string, about: string];

/** The lines of a list: terms on the left, and explanations in a column beside them. */
export function columns(rows: readonly TermRow[]): string[] {
  const lengths = rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM);
  // Two spaces are before each term, and at least two after it.
  const indent = Math.max(0, ...lengths) + 4;
  return rows.map(([term, about]) => {
    const start = `  ${term}`;
    // The term may hold several spaces in a row, so only the explanation is wrapped. The spaces before it make its first line as
    // short as the others.
    const explanation = paragraph(`${' '.repeat(indent)}${about}`, indent);
    if (term.length <= LONGEST_TERM)
      return `${start.padEnd(indent)}${explanation.trimStart()}`.trimEnd();
    const line = `${start}  ${about}`;
    return line.length <= WIDTH ? line.trimEnd() : `${start}\n${explanation}`;
  });
}
