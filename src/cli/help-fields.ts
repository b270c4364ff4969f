import { commandOf, everyPath, type Path, whenInWords, wordsOf } from '../commands/declaration.ts';
import type { Field } from '../output/types.ts';
import { columns, paragraph } from './wrap.ts';

/** `screener help fields COMMAND`: what --fields chooses among, in every form of the command's output. */
export async function fieldsText(path: Path): Promise<string> {
  const command = commandOf(path);
  const told = new Set<string>();
  const sections: string[] = [];
  for (const variant of command.variants ?? []) {
    const fields = (await variant.fields?.()) ?? [];
    const asked = whenInWords(variant, command);
    const title = `${wordsOf(path)}${asked === undefined ? '' : ` with ${asked}`}`;
    if (fields.length > 0) sections.push(section(title, fields, told));
  }
  for (const { options, fields } of command.specialOutputs ?? [])
    sections.push(section(`${wordsOf(path)}, ${options} (always whole)`, await fields(), told));
  if (command.output !== undefined) sections.push(paragraph(command.output));
  return `${sections.join('\n\n')}\n`;
}

/** Lists the fields that no earlier section has. */
function section(title: string, fields: readonly Field[], told: Set<string>): string {
  const line = ({ name, about }: Field): [string, string] => [name, about];
  const added = fields.filter((field) => !told.has(line(field).join()));
  const again = fields.length - added.length;
  for (const field of added) told.add(line(field).join());
  const lines = [`Fields of ${title}`, '', ...columns(added.map(line))];
  return [...lines, ...(again === 0 ? [] : [`  and ${again} that are above`])].join('\n');
}

export function fieldsTopic(root: Path): string {
  const withFields = everyPath(root).filter((path) =>
    commandOf(path).variants?.some((variant) => variant.fields !== undefined),
  );
  const commands = withFields.map((path) => wordsOf(path).replace('screener ', ''));
  return `Fields

${paragraph(
  'Each command prints an object, or a list of them. --fields id,outcome.move_1h_pct keeps only these fields, in every ' +
    'format; a dot leads into an object. They are the names of JSON keys and the columns of CSV, and --sort takes them.',
)}

  screener help fields COMMAND

${paragraph(`lists them with their units. COMMAND: ${commands.join(', ')}.`)}
`;
}
