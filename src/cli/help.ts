import { TYPE_ARGUMENT } from '../commands/parts/card-options.ts';
import {
  commandOf,
  commandWords,
  namesOf,
  type Path,
  whenInWords,
  wordsOf,
} from '../commands/parts/declaration.ts';
import { argumentOf, type OptionDeclaration } from '../commands/parts/option.ts';
import type { ExitCode } from '../errors.ts';
import { wrap } from '../output/table/measure.ts';

/** Columns: help is the same on every terminal. */
const WIDTH = 80;
/** Characters; the explanation of a longer term stands below it if one line cannot hold both. */
const LONGEST_TERM = 34;

/** At most 80 columns and 40 lines: what is the same for every command is a topic. */
export function helpText(path: Path): string {
  const command = commandOf(path);
  const { cost, about, examples, argument, options = [], commands = [] } = command;
  const words = commandWords(path);
  const alias = command.alias === undefined ? '' : `   (also: ${namesOf(command).at(-1)})`;
  // The list of commands fits 24 lines: what other helps end with stands beside its usage.
  const beside = words === '' ? '   (--json and others: screener help options)' : alias;
  const fields = command.variants === undefined ? '' : `fields ${words}, `;
  const more =
    words && `${paragraph(`More: screener help ${fields}options, formats, exit-codes`, 6)}\n`;
  // Where --type is listed, it says what the argument is.
  const given = argument === undefined || argument === TYPE_ARGUMENT ? [] : [argument];
  const sections = [
    [
      paragraph(`${command.description}.`),
      `Usage: ${usage(path)}${beside}`,
      paragraph(`Cost: ${cost}`, 6),
    ].join('\n'),
    paragraph(about ?? ''),
    titled('Examples:', columns(examples)),
    titled(
      'Commands:',
      columns(
        commands.map((sub) => [
          sub.argument ? `${sub.name} ${sub.argument.term}` : sub.name,
          sub.description,
        ]),
      ),
    ),
    titled('Arguments:', columns(given.map((one) => [argumentOf(one).name, one.about]))),
    titled('Options:', optionLines(options)),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n${more}`;
}

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

export function optionLines(options: readonly OptionDeclaration[]): string[] {
  const indent = options.every(({ flags }) => flags.startsWith('--')) ? '' : '    ';
  return columns(
    options.map((one) => [
      one.flags.startsWith('--') ? indent + one.flags : one.flags,
      aboutOf(one),
    ]),
  );
}

export function aboutOf({ about, default: absent }: OptionDeclaration): string {
  return absent === undefined ? about : `${about} (default: ${absent})`;
}

/** `screener help fields COMMAND`: what --fields chooses among, in every form of the command's output; each field once. */
export async function fieldsText(path: Path): Promise<string> {
  const command = commandOf(path);
  const { variants = [], specialOutputs = [], output } = command;
  const forms = [
    ...variants.flatMap((one) => {
      const asked = whenInWords(one, command);
      return [
        { asked, fields: one.fields },
        ...(one.rows ? [{ asked: '--csv', fields: one.rows }] : []),
      ];
    }),
    ...specialOutputs.map(({ options, fields }) => ({
      asked: `${options} (always whole)`,
      fields,
    })),
  ];
  const told = new Set<string>();
  const sections: string[] = [];
  for (const { asked, fields } of forms) {
    const all = (await fields()).map(({ name, about }): [string, string] => [name, about]);
    const added = all.filter((row) => !told.has(row.join()));
    for (const row of added) told.add(row.join());
    const again = all.length - added.length;
    const title = asked === undefined ? wordsOf(path) : `${wordsOf(path)}, ${asked}`;
    const above = again === 0 ? [] : [`  and ${again} of those above`];
    sections.push([`Fields of ${title}`, '', ...columns(added), ...above].join('\n'));
  }
  if (output !== undefined) sections.push(paragraph(output));
  return `${sections.join('\n\n')}\n`;
}

/** Words joined into lines; the lines after the first are indented. Line breaks count as spaces. */
export function paragraph(text: string, indent = 0): string {
  return wrap(text.replaceAll('\n', ' '), { width: WIDTH, indent }).join('\n');
}

export function columns(rows: readonly (readonly [term: string, about: string])[]): string[] {
  const width = Math.max(
    0,
    ...rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM),
  );
  const indent = width + 4;
  return rows.map(([term, about]) => {
    const start = `  ${term}`;
    // The term may hold several spaces in a row, so only the explanation is wrapped.
    const below = paragraph(`${' '.repeat(indent)}${about}`, indent);
    if (term.length <= LONGEST_TERM) return `${start.padEnd(indent)}${below.trimStart()}`.trimEnd();
    return start.length + about.length + 2 <= WIDTH
      ? `${start}  ${about}`.trimEnd()
      : `${start}\n${below}`;
  });
}
